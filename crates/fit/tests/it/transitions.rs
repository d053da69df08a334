//! Ranges of boundaries where constants jump, and where they change gradually: known truth, seeded noise.

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_statistics::normal;
use fastrand::Rng;
use test_draw::thinned;

/// A fit in which the leading constant is multiplied by `ratio` at some value, and that value.
fn changed(random: &mut Rng, width: Option<(f64, f64)>, noise: f64) -> (Fit, f64) {
    let points = random.usize(11..=33);
    let (text, term): (_, fn(f64) -> f64) = if random.bool() {
        ("f[0] + f[1]*N", |n| n)
    } else {
        ("f[0] + f[1]*N*log(N)", |n| n * n.ln())
    };
    let sizes: Vec<f64> =
        (0..points).map(|k| 100.0 * 1e3f64.powf(k as f64 / (points - 1) as f64)).collect();
    // Jumps leave four values on each side; changes have their middle in the inner half of the range.
    let gap = random.usize(4..=points - 4);
    let (place, slope) = match width {
        None => ((sizes[gap - 1] * sizes[gap]).sqrt(), f64::INFINITY),
        Some((low, high)) => {
            let factor = low * (high / low).powf(random.f64());
            (100.0 * 1e3f64.powf(0.25 + 0.5 * random.f64()), 2.0 * 9f64.ln() / factor.ln())
        }
    };
    // By 20 to 60 % at a noise of 5 %, by 50 to 200 % at 2 %.
    let ratio = if noise > 0.03 { 1.2 } else { 1.5 }
        * (if noise > 0.03 { 4.0 / 3.0 } else { 2.0f64 }).powf(random.f64());
    let ratio = if random.bool() { ratio } else { 1.0 / ratio };
    let constant = 50.0 * random.f64();
    let rows: Vec<(Vec<f64>, f64)> = sizes
        .iter()
        .flat_map(|&n| (0..5).map(move |_| n))
        .map(|n| {
            let share = if slope.is_finite() {
                1.0 / (1.0 + (-slope * (n / place).ln()).exp())
            } else {
                f64::from(u8::from(n > place))
            };
            let time = constant + (1.0 + (ratio - 1.0) * share) * term(n);
            (vec![n], time * (1.0 + noise * normal(|| random.f64())))
        })
        .collect();
    let formula = cll_formula::parse("f", text).formula.expect("a formula");
    let data = Data::from_rows(vec!["N".into()], rows);
    (
        fit(&formula, &data, &Options { follow: false, ..Intervals::dynamic().into() })
            .expect("a fit"),
        place,
    )
}

/// For `sets` data sets with a boundary: how many of the nearest boundary's ranges contain it, how
/// many are one gap, the median factor of the range, how many have no boundary.
fn tally(width: Option<(f64, f64)>, noise: f64, sets: u64) -> (f64, f64, f64, usize) {
    let (mut held, mut narrow, mut factors, mut none) = (0, 0, Vec::new(), 0);
    for seed in 0..sets {
        let (fit, place) = changed(&mut Rng::with_seed(seed), width, noise);
        let off = |b: &&cll_fit::Boundary| (b.at / place).ln().abs();
        let Some(nearest) = fit.boundaries.iter().min_by(|a, b| off(a).total_cmp(&off(b))) else {
            none += 1;
            continue;
        };
        let (low, high) = nearest.plausible;
        held += usize::from(low <= place && place <= high);
        narrow += usize::from(nearest.plausible == (nearest.last_left, nearest.first_right));
        factors.push(high / low);
    }
    factors.sort_unstable_by(f64::total_cmp);
    let share = |count: usize| 100.0 * count as f64 / factors.len() as f64;
    (share(held), share(narrow), factors[factors.len() / 2], none)
}

#[test]
fn ranges_hold_the_middle_of_gradual_changes() {
    let widths = [(2.0, 4.0), (4.0, 8.0)].into_iter();
    let all = widths.flat_map(|width| [0.02, 0.05].map(|noise| (width, noise)));
    for (width, noise) in thinned(all, 3) {
        let (held, narrow, factor, none) = tally(Some(width), noise, 300);
        println!(
            "{width:?}, noise {noise}: {held:.0} % held, {narrow:.0} % one gap, factor {factor:.2}, {none} none"
        );
        assert!(held >= 80.0, "{width:?}, noise {noise}: {held}");
    }
}

#[test]
fn ranges_of_jumps_stay_narrow() {
    for (noise, least) in [(0.02, 90.0), (0.05, 30.0)] {
        let (held, narrow, factor, none) = tally(None, noise, 300);
        println!(
            "jumps, noise {noise}: {held:.0} % held, {narrow:.0} % one gap, factor {factor:.2}, {none} none"
        );
        assert!(held >= 88.0 && narrow >= least, "noise {noise}: {held} {narrow}");
    }
}
