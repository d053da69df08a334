//! Times that no formula gives exactly, measured very often: as loops of real programs are.

use cll_fit::{Data, Point};
use cll_search::{Options, search};
use fastrand::Rng;

/// Times at these sizes: each differs from `time_at` by a share that is drawn once, up to `uneven`, and 400 times by 2 %.
fn times(random: &mut Rng, uneven: f64, time_at: impl Fn(f64) -> f64) -> Data {
    let mut data = Data::new(vec!["n".to_owned()]);
    for n in [64.0, 90.0, 125.0, 176.0, 246.0, 344.0, 482.0, 675.0] {
        let there = time_at(n) * (1.0 + uneven * (2.0 * random.f64() - 1.0));
        let observations =
            (0..400).map(|_| there * (1.0 + 0.02 * cll_statistics::normal(|| random.f64())));
        data.points.push(Point::new(vec![n], observations.collect()));
    }
    data
}

/// How often of 40 times the most probable formula has these terms.
fn count_right(
    terms: &[&str],
    uneven: f64,
    options: &Options,
    time_at: impl Fn(f64) -> f64,
) -> usize {
    let mut random = Rng::with_seed(7);
    let is_found = |_: &usize| {
        let best = search(&times(&mut random, uneven, &time_at), options).unwrap();
        best.candidates[0].terms == terms
    };
    (0..40).filter(is_found).count()
}

#[test]
fn hundreds_of_repetitions_make_no_terms_of_what_is_uneven() {
    let time_at = |n: f64| 4e-7 + 1.5e-9 * n * n;
    let right = count_right(&["1", "n^2"], 0.004, &Options::default(), time_at);
    assert!(right >= 34, "{right}");
}

#[test]
fn a_short_time_is_not_surer_than_its_markers() {
    let time_at = |n: f64| 27e-9 + 2.93e-9 * n;
    // 2 % of the shortest time is 4.3 ns.
    let options = Options { unsure: 5e-9, ..Options::default() };
    let right = count_right(&["1", "n"], 0.01, &options, time_at);
    assert!(right >= 30, "{right}");
}
