//! Constants that change at a boundary, found while the formula is searched. Known truth, seeded noise.

use cll_search::{Division, Note, Options, Search, search};
use fastrand::Rng;
use test_draw::thinned;

use crate::support::{grid, sample};

const SEED: u64 = 20_261_125;

/// A growth of a variable.
type Growth = fn(f64) -> f64;

const GROWTHS: [(&str, Growth); 4] =
    [("N", |n| n), ("N*log2(N)", |n| n * n.log2()), ("N^2", |n| n * n), ("N^3", |n| n * n * n)];

/// So many sizes from 2^6 to 2^14, evenly spread over the logarithm.
fn line(points: usize) -> Vec<f64> {
    (0..points).map(|i| 2f64.powf(6.0 + 8.0 * i as f64 / (points - 1) as f64).round()).collect()
}

/// Whether one of the formulas that are about as probable as the first has this term.
fn names(search: &Search, term: &str) -> bool {
    let best = search.candidates[0].weight;
    let mut near = search.candidates.iter().filter(|candidate| candidate.weight >= 0.2 * best);
    near.any(|candidate| candidate.terms.iter().any(|known| known == term))
}

/// By how much shares may be smaller (per cent) in one half of the cases than in all.
fn slack() -> usize {
    if test_draw::is_full() { 0 } else { 15 }
}

#[derive(Default)]
struct Tally {
    cases: usize,
    placed: usize,
    formula: usize,
    near: usize,
}

/// Truths whose leading constant is multiplied by 1.3 to 2.5 somewhere in the middle half; the first `runs` of the
/// repetitions are used. One half of the cases, by the seed.
fn jumps(points: usize, noise: f64, runs: usize) -> Tally {
    let halves = thinned([0, 1], 2);
    let mut random = Rng::with_seed(SEED);
    let mut tally = Tally::default();
    for case in 0..40 {
        let (name, grows) = GROWTHS[case % GROWTHS.len()];
        let sizes = line(points);
        let gap = random.usize(points / 4..points - points / 4 - 1);
        let factor = 1.3 * (2.5f64 / 1.3).powf(random.f64());
        let start = grows(sizes[0]) * 2.0 * random.f64();
        if !halves.contains(&(case / 20)) {
            continue;
        }
        let truth = |values: &[f64]| {
            let by = if values[0] > sizes[gap] { factor } else { 1.0 };
            1e-9 * (start + by * grows(values[0]))
        };
        let places = sizes.iter().map(|&n| vec![n]);
        let mut data = sample(&["N"], places, truth, noise, SEED + case as u64);
        data.points.iter_mut().for_each(|point| point.observations.truncate(runs));
        let search = search(&data, &Options::default()).expect("a formula");
        tally.cases += 1;
        let is_there = |division: &Division| division.below == sizes[gap];
        tally.placed +=
            usize::from(search.divisions.len() == 1 && search.divisions.iter().any(is_there));
        tally.formula += usize::from(names(&search, name));
        let far = [4.0 * sizes[points - 1]];
        let predicted = search.predict(&far).expect("a value").value;
        tally.near += usize::from((predicted / truth(&far) - 1.0).abs() < 0.1);
    }
    tally
}

#[test]
fn a_jump_is_found_with_the_formula() {
    // With 3 % noise half of the range does not distinguish N from N log N.
    let plans = [(13, 0.01, 80), (17, 0.03, 60), (25, 0.03, 60)];
    for (points, noise, named) in thinned(plans, 3) {
        let Tally { cases, placed, formula, near } = jumps(points, noise, 5);
        println!(
            "{points} points, noise {noise}: {placed} of {cases} placed, {formula} with the growth, {near} near at 4 times"
        );
        assert!(placed * 100 >= (85 - slack()) * cases, "{points} {noise}: {placed} placed");
        assert!(
            formula * 100 >= (named - slack()) * cases,
            "{points} {noise}: {formula} with the growth"
        );
        assert!(near * 100 >= (75 - slack()) * cases, "{points} {noise}: {near} near");
    }
}

/// Without repetitions the noise is not known, but most of the residuals' pattern is.
#[test]
fn a_jump_is_found_without_repetitions() {
    for (points, noise) in [(17, 0.01), (25, 0.03)] {
        let Tally { cases, placed, formula, near } = jumps(points, noise, 1);
        println!(
            "{points} points, noise {noise}: {placed} of {cases} placed, {formula} with the growth, {near} near at 4 times"
        );
        assert!(placed * 100 >= (75 - slack()) * cases, "{points} {noise}: {placed} placed");
        assert!(
            formula * 100 >= (60 - slack()) * cases,
            "{points} {noise}: {formula} with the growth"
        );
    }
}

#[test]
fn without_a_jump_nothing_is_divided() {
    for (runs, most) in thinned([(5, 1), (1, 2)], 2) {
        let divided = divided_without_a_jump(runs);
        println!("{runs} runs: {divided} of {SMOOTH} without a jump are divided");
        assert!(divided * 100 <= most * SMOOTH, "{runs} runs: {divided}");
    }
}

const SMOOTH: usize = 200;

fn divided_without_a_jump(runs: usize) -> usize {
    let mut random = Rng::with_seed(SEED);
    let mut divided = 0;
    for case in 0..SMOOTH {
        let grows = GROWTHS[case % GROWTHS.len()].1;
        let sizes = line([9, 13, 25][case % 3]);
        let start = grows(sizes[0]) * 2.0 * random.f64();
        let truth = |values: &[f64]| 1e-9 * (start + grows(values[0]) + 3.0 * values[0]);
        let noise = [0.005, 0.03][case % 2];
        let mut data = sample(&["N"], sizes.iter().map(|&n| vec![n]), truth, noise, case as u64);
        data.points.iter_mut().for_each(|point| point.observations.truncate(runs));
        let search = search(&data, &Options::default()).expect("a formula");
        divided += usize::from(!search.divisions.is_empty());
    }
    divided
}

#[test]
fn a_large_jump_is_no_lack_of_fit() {
    let truth = |v: &[f64]| if v[0] < 100.0 { v[0] } else { 5.0 * v[0] };
    let data =
        sample(&["N"], crate::support::sizes(2, 12).into_iter().map(|n| vec![n]), truth, 0.01, 1);
    let search = search(&data, &Options::default()).expect("a formula");
    let division = Division { variable: "N".to_owned(), below: 64.0, above: 128.0 };
    assert_eq!(search.notes, [Note::Divided(division)]);
    assert_eq!(search.candidates[0].formula, "f[0]*N");
    assert!((search.candidates[0].constants[0] - 5.0).abs() < 0.1);
}

#[test]
fn a_jump_along_one_of_two_variables() {
    let sizes = line(9);
    let counts = [1.0, 2.0, 4.0, 8.0, 16.0];
    let truth = |point: &[f64]| {
        let by = if point[0] > sizes[4] { 1.8 } else { 1.0 };
        1e-9 * (500.0 * point[1].log2() + by * point[0] * point[0] / point[1])
    };
    let data = sample(&["N", "P"], grid(&sizes, &counts), truth, 0.01, 5);
    let search = search(&data, &Options::default()).expect("a formula");
    let [division] = &search.divisions[..] else { panic!("{:?}", search.divisions) };
    assert_eq!((division.variable.as_str(), division.below), ("N", sizes[4]));
    assert!(search.notes.contains(&Note::Divided(division.clone())));
    assert!(names(&search, "N^2/P"), "{:?}", search.candidates[0].formula);
    let far = [4.0 * sizes[8], 32.0];
    let predicted = search.predict(&far).expect("a value").value;
    assert!((predicted / truth(&far) - 1.0).abs() < 0.1, "{predicted} {}", truth(&far));
}
