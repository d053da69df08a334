//! Constants that change in two variables: known truth, seeded noise.

use std::collections::HashMap;

use cll_fit::{Data, Fit, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

const SEED: u64 = 20_260_101;
const CASES: usize = 60;
const REPETITIONS: usize = 5;
const FORMULAS: [&str; 3] = [
    "f[0] + f[1]*N/P + f[2]*log2(P)",
    "f[0] + f[1]*N*log2(N)/P + f[2]*P",
    "f[0] + f[1]*N*P + f[2]*N",
];

/// Where constants change.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    /// Nowhere.
    Nowhere,
    /// One constant along one axis: N, P, or the formula's N/P or N*P.
    OneAxis,
    /// One constant, in a corner: N > a and P > b.
    Corner,
    /// One constant at N = a, another one at P = b.
    TwoConstants,
    /// One constant at a value of N/P or N*P, and on the upper side again at P = b.
    Nested,
}

/// The measurements of a case.
struct Case {
    data: Data,
    formula: cll_formula::Formula,
    places: Vec<[f64; 2]>,
    /// The cell of each measured point.
    cells: Vec<usize>,
    /// Whether the constants of every other cell would change the value there by 5 % or more.
    shows: Vec<bool>,
    truth: Box<dyn Fn(f64, f64) -> f64>,
}

/// A case in which every cell has at least 8 points at which the step shows.
fn case(truth: Truth, step: f64, noise: f64, grid: (i32, i32), rng: &mut Rng) -> Case {
    for _ in 0..1000 {
        let case = drawn(truth, step, noise, grid, rng);
        let count = case.cells.iter().max().map_or(0, |most| most + 1);
        let points = |cell: usize| {
            let own = case.cells.iter().zip(&case.shows);
            own.filter(|(c, shows)| **c == cell && **shows).count()
        };
        if (0..count).all(|cell| points(cell) >= 8) {
            return case;
        }
    }
    panic!("the step of {truth:?} shows nowhere");
}

fn drawn(truth: Truth, step: f64, noise: f64, (ns, ps): (i32, i32), rng: &mut Rng) -> Case {
    // The last one, in which neither term is small everywhere, if two constants change.
    let two = truth == Truth::TwoConstants;
    let text = if two { FORMULAS[2] } else { FORMULAS[rng.usize(..FORMULAS.len())] };
    let formula = cll_formula::parse("f", text).formula.expect(text);
    let p_first = formula.variables()[0].name == "P";
    let order = move |n: f64, p: f64| if p_first { vec![p, n] } else { vec![n, p] };
    let (n_of, p_of) = (|i: i32| 1024.0 * 2f64.powi(i), |j: i32| 2f64.powi(j));
    let (middle_n, middle_p) = (n_of(ns / 2), p_of(ps / 2));
    let mut terms = [0.0; 3];
    formula.terms_at(&order(middle_n, middle_p), &mut terms);
    // The constant that changes belongs to the largest term.
    let mut shares = [0.2 + 0.2 * rng.f64(), 1.0, 0.2 + 0.2 * rng.f64()];
    if two {
        shares[2] = 1.0;
    }
    let constants: Vec<f64> = terms.iter().zip(shares).map(|(t, share)| share / t).collect();
    let quotient = !text.contains("N*P");
    let product = move |n: f64, p: f64| if quotient { n / p } else { n * p };
    let (a, b) = (n_of(rng.i32(2..ns - 2)) * 1.4, p_of(rng.i32(2..ps - 2)) * 1.4);
    let diagonal = product(middle_n, middle_p) * if rng.bool() { 1.4 } else { 0.7 };
    let axis = rng.usize(..3);
    let by = if rng.bool() { 1.0 + step } else { 1.0 / (1.0 + step) };
    let cell = move |n: f64, p: f64| -> usize {
        match truth {
            Truth::Nowhere => 0,
            Truth::OneAxis => usize::from(match axis {
                0 => n > a,
                1 => p > b,
                _ => product(n, p) > diagonal,
            }),
            Truth::Corner => usize::from(n > a && p > b),
            Truth::TwoConstants => usize::from(n > a) + 2 * usize::from(p > b),
            Truth::Nested => {
                if product(n, p) > diagonal {
                    1 + usize::from(p > b)
                } else {
                    0
                }
            }
        }
    };
    let cells_of = match truth {
        Truth::Nowhere => 1,
        Truth::OneAxis | Truth::Corner => 2,
        Truth::TwoConstants => 4,
        Truth::Nested => 3,
    };
    let own_formula = formula.clone();
    let value = move |n: f64, p: f64, cell: usize| {
        let mut own = constants.clone();
        match truth {
            Truth::TwoConstants => {
                own[1] *= if cell % 2 == 1 { by } else { 1.0 };
                own[2] *= if cell >= 2 { 1.0 + 3.0 * step } else { 1.0 };
            }
            _ => own[1] *= by.powi(cell as i32),
        }
        own_formula.evaluate(&order(n, p), &own)
    };
    let (mut rows, mut cells, mut places, mut shows) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, j) in (0..ns).flat_map(|i| (0..ps).map(move |j| (i, j))) {
        let (n, p) = (n_of(i), p_of(j));
        let own = cell(n, p);
        let here = value(n, p, own);
        let others = (0..cells_of).filter(|&other| other != own);
        shows.push(others.map(|c| value(n, p, c) / here - 1.0).all(|off| off.abs() >= 0.05));
        cells.push(own);
        places.push([n, p]);
        for _ in 0..REPETITIONS {
            rows.push((order(n, p), here * (1.0 + noise * normal(|| rng.f64()))));
        }
    }
    let names = formula.variables().iter().map(|v| v.name.clone()).collect();
    let truth = Box::new(move |n: f64, p: f64| value(n, p, cell(n, p)));
    Case { data: Data::from_rows(names, rows), formula, cells, places, shows, truth }
}

/// For each measured point a number that is equal where all constants are equal.
fn found_cells(fit: &Fit, case: &Case) -> Vec<usize> {
    if !fit.changes.is_empty() {
        return levels(fit, case);
    }
    let interval_of = |place: &[f64; 2]| {
        let named = [("N".to_owned(), place[0]), ("P".to_owned(), place[1])];
        fit.predict_named(&named).expect("inside").interval
    };
    let class = |interval: usize| -> Vec<usize> {
        fit.constants
            .iter()
            .map(|c| c.segments.iter().position(|s| s.holds_in(interval)).expect("a value"))
            .collect()
    };
    let mut classes: Vec<Vec<usize>> = Vec::new();
    case.places
        .iter()
        .map(|place| {
            let own = class(interval_of(place));
            classes.iter().position(|class| *class == own).unwrap_or_else(|| {
                classes.push(own);
                classes.len() - 1
            })
        })
        .collect()
}

/// The same of constants with levels: the changes that lie before the point.
fn levels(fit: &Fit, case: &Case) -> Vec<usize> {
    let axis = |place: &[f64; 2]| match fit.axis.as_deref() {
        Some("N") => place[0],
        Some("P") => place[1],
        Some("N/P") => place[0] / place[1],
        Some("N*P") => place[0] * place[1],
        other => panic!("{other:?}"),
    };
    let before = |place: &[f64; 2]| {
        fit.changes.iter().flatten().filter(|change| change.position() < axis(place)).count()
    };
    case.places.iter().map(before).collect()
}

/// Whether, among the points at which the step shows, there are as many cells as in truth, and at
/// most 5 % of the points are in another.
fn is_right(cells: &[usize], case: &Case) -> bool {
    let shown = |all: &[usize]| -> Vec<usize> {
        all.iter().zip(&case.shows).filter(|(_, shows)| **shows).map(|(cell, _)| *cell).collect()
    };
    let (numbers, truth) = (shown(cells), shown(&case.cells));
    let count = |all: &[usize]| all.iter().collect::<std::collections::HashSet<_>>().len();
    if count(&numbers) != count(&truth) {
        return false;
    }
    let mut pairs: HashMap<(usize, usize), usize> = HashMap::new();
    numbers.iter().zip(&truth).for_each(|(&a, &b)| *pairs.entry((a, b)).or_default() += 1);
    let largest = |cell: usize| pairs.iter().filter(|(pair, _)| pair.0 == cell).map(|p| *p.1).max();
    let most = numbers.iter().max().map_or(0, |most| most + 1);
    let agree: usize = (0..most).filter_map(largest).sum();
    20 * (numbers.len() - agree) <= numbers.len()
}

struct Tally {
    right: usize,
    /// Fits with regions in several variables.
    regions: usize,
    /// Share of new measurements, medians of as many repetitions, inside the 90 % band.
    covered: f64,
}

impl Tally {
    fn print(&self, what: &str) {
        let Tally { right, regions, covered } = self;
        println!("{what}: {right} of {CASES} right, {regions} in regions, covered {covered:.3}");
    }
}

/// Each truth with each noise on each grid.
fn plans(truths: &[Truth], grids: [(i32, i32); 2]) -> Vec<(Truth, f64, (i32, i32))> {
    let noises = truths.iter().flat_map(|&truth| [0.03, 0.05].map(|noise| (truth, noise)));
    noises.flat_map(|(truth, noise)| grids.map(|grid| (truth, noise, grid))).collect()
}

fn tally(truth: Truth, step: f64, noise: f64, grid: (i32, i32)) -> Tally {
    let mut rng = Rng::with_seed(SEED);
    let mut tally = Tally { right: 0, regions: 0, covered: 0.0 };
    for _ in 0..CASES {
        let case = case(truth, step, noise, grid, &mut rng);
        let fit = fit(&case.formula, &case.data, &Options::default()).expect("a fit");
        tally.regions += usize::from(!fit.splits.is_empty());
        tally.right += usize::from(is_right(&found_cells(&fit, &case), &case));
        for _ in 0..20 {
            let place = case.places[rng.usize(..case.places.len())];
            let named = [("N".to_owned(), place[0]), ("P".to_owned(), place[1])];
            let band = fit.predict_named(&named).expect("inside").band.expect("a band");
            let truth = (case.truth)(place[0], place[1]);
            let mut new: Vec<f64> =
                (0..REPETITIONS).map(|_| truth * (1.0 + noise * normal(|| rng.f64()))).collect();
            new.sort_by(f64::total_cmp);
            let new = new[REPETITIONS / 2];
            tally.covered += f64::from(u8::from(band.low <= new && new <= band.high));
        }
    }
    tally.covered /= (20 * CASES) as f64;
    tally
}

#[test]
fn regions_of_known_truth() {
    let (mut right, mut cases) = (0, 0);
    let truths = [Truth::Corner, Truth::TwoConstants, Truth::Nested];
    for (truth, noise, grid) in thinned(plans(&truths, [(8, 8), (10, 8)]), 7) {
        let tally = tally(truth, 0.3, noise, grid);
        tally.print(&format!("{truth:?}, noise {noise}, {grid:?}"));
        right += tally.right;
        cases += CASES;
    }
    println!("{right} of {cases}");
    assert!(10 * right >= 9 * cases, "{right} of {cases}");
}

#[test]
fn no_regions_where_there_are_none() {
    let truths = [Truth::Nowhere, Truth::OneAxis];
    for (truth, noise, grid) in thinned(plans(&truths, [(6, 5), (8, 8)]), 3) {
        let tally = tally(truth, 0.3, noise, grid);
        tally.print(&format!("{truth:?}, noise {noise}, {grid:?}"));
        assert!(20 * tally.regions <= CASES, "{truth:?} {noise} {grid:?}");
    }
}
