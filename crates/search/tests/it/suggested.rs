//! Formulas with a term too few, too many or of another shape.

use cll_fit::Data;
use cll_formula::{Formula, parse};
use cll_search::{Change, Options, SuggestError, Suggestion, suggest};
use fastrand::Rng;
use test_draw::thinned;

use crate::support::{grid, sample, sizes};

fn formula(text: &str) -> Formula {
    parse("f", text).formula.expect(text)
}

fn suggested(data: &Data, text: &str) -> Suggestion {
    suggest(data, &formula(text), &Options::default()).expect(text)
}

/// Whether a change names the term, or one that is as good.
fn names(suggestion: &Suggestion, wanted: &str) -> bool {
    suggestion.changes.iter().any(|change| match change {
        Change::Missing { term, as_good } | Change::Replaced { term, as_good, .. } => {
            term == wanted || as_good.iter().any(|text| text == wanted)
        }
        Change::Superfluous { .. } => false,
    })
}

/// Sizes over two decades, about even on a logarithmic scale.
const DECADES: [f64; 9] = [10.0, 18.0, 32.0, 56.0, 100.0, 180.0, 320.0, 560.0, 1000.0];

/// At 3 % noise over two decades a dropped log term is found in at least 80 %; and where none was dropped at most 5 %
/// of formulas are changed. Seeded: shares of 100.
#[test]
fn a_dropped_logarithm_is_found() {
    let (mut number, mut false_ones, trials) = (0, 0, 100);
    for seed in 0..trials {
        let mut random = Rng::with_seed(1000 + seed);
        // Each term has at least a tenth at one end.
        let (a, b) = (1.0 + 4.0 * random.f64(), 0.02 + 0.1 * random.f64());
        let truth = move |v: &[f64]| a * v[0].log2() + b * v[0];
        let points = || DECADES.iter().map(|&n| vec![n]);
        let data = sample(&["N"], points(), truth, 0.03, seed);
        let dropped = suggested(&data, "f[0] + f[1]*N");
        number += u32::from(names(&dropped, "log2(N)"));
        let complete = suggested(&data, "f[0]*log2(N) + f[1]*N");
        false_ones += u32::from(!complete.changes.is_empty());
    }
    assert!(number >= 80 && false_ones <= 5, "{number} {false_ones} of {trials}");
}

/// Terms over five decades of constants, each with at least a tenth at one end of the sizes.
fn drawn(text: &str, seed: u64) -> Data {
    let formula = formula(text);
    let (mut random, mut terms) = (Rng::with_seed(seed), vec![0.0; formula.terms().len()]);
    let ends = [DECADES[0], DECADES[DECADES.len() - 1]];
    let constants = loop {
        let constants: Vec<f64> =
            terms.iter().map(|_| 10f64.powf(5.0 * random.f64() - 2.0)).collect();
        let is_seen = |k: usize, terms: &mut [f64]| {
            ends.iter().any(|&n| {
                formula.terms_at(&[n], terms);
                constants[k] * terms[k] >= 0.1 * formula.evaluate(&[n], &constants)
            })
        };
        if (0..constants.len()).all(|k| is_seen(k, &mut terms)) {
            break constants;
        }
    };
    let truth = |v: &[f64]| formula.evaluate(v, &constants);
    sample(&["N"], DECADES.map(|n| vec![n]), truth, 0.03, seed)
}

/// At 3 % noise over two decades, whatever the constants, a lost term is named in at least 80 %; of right formulas
/// at most 3 % are changed, of those with three terms that are alike at most 7 %. Seeded: shares of 200.
#[test]
fn a_lost_term_is_named() {
    const TRIALS: u64 = 200;
    let all = [
        ("f[0]*log2(N) + f[1]*N", "f[1]*N", "log2(N)", 3),
        ("f[0]*log2(N) + f[1]*N", "f[1]*N + f[2]", "log2(N)", 3),
        ("f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N", "N*log2(N)", 3),
        ("f[0] + f[1]*N + f[2]*N*log2(N)", "f[0] + f[1]*N", "N*log2(N)", 7),
        ("f[0] + f[1]*N + f[2]*N^2", "f[0] + f[1]*N", "N^2", 3),
    ];
    for (right, given, term, most) in thinned(all, 3) {
        let (mut number, mut changed) = (0, 0);
        for seed in 0..TRIALS {
            let data = drawn(right, seed);
            number += u64::from(names(&suggested(&data, given), term));
            changed += u64::from(!suggested(&data, right).changes.is_empty());
        }
        println!("{given} for {right}: {number} named, {changed} changed of {TRIALS}");
        assert!(number * 100 >= 80 * TRIALS, "{given} for {right}: {number}");
        assert!(changed * 100 <= most * TRIALS, "{right}: {changed} changed");
    }
}

#[test]
fn a_term_too_many_is_named() {
    const TRIALS: u64 = 200;
    let all = [
        ("f[0] + f[1]*N", "f[0] + f[1]*N + f[2]*N^2", "N^2"),
        ("f[1]*N*log2(N)", "f[0] + f[1]*N*log2(N)", "1"),
        ("f[0] + f[2]*N^2", "f[0] + f[1]*N + f[2]*N^2", "N"),
    ];
    for (right, given, term) in thinned(all, 3) {
        let found: u64 = (0..TRIALS)
            .map(|seed| {
                let suggestion = suggested(&drawn(right, seed), given);
                let wanted = Change::Superfluous { term: term.to_owned() };
                u64::from(suggestion.changes.contains(&wanted))
            })
            .sum();
        println!("{given} for {right}: {found} of {TRIALS}");
        assert!(found * 100 >= 80 * TRIALS, "{given} for {right}: {found}");
    }
}

#[test]
fn another_shape_is_found() {
    let truth = |v: &[f64]| 20.0 + 0.5 * v[0] * v[0].log2();
    let data = sample(&["N"], DECADES.map(|n| vec![n]), truth, 0.03, 5);
    let suggestion = suggested(&data, "f[0] + f[1]*N");
    assert!(names(&suggestion, "N*log2(N)"), "{:?}", suggestion.changes);
    assert!(suggestion.suggested.error < suggestion.given.error && suggestion.evidence > 3.0);
    assert!(suggestion.probability < 0.05);
    let right = suggested(&data, "f[0] + f[1]*N*log2(N)");
    assert!(right.changes.is_empty(), "{:?}", right.changes);
    assert_eq!(right.formula.text(), "f[0] + f[1]*N*log2(N)");
}

#[test]
fn strong_scaling_with_a_missing_term() {
    let truth = |v: &[f64]| 1e-3 + 2e-6 * v[0] / v[1] + 5e-5 * v[1].log2();
    let data = sample(&["N", "P"], grid(&sizes(8, 14), &sizes(0, 5)), truth, 0.02, 5);
    let suggestion = suggested(&data, "f[0] + f[1]*N/P");
    assert!(names(&suggestion, "log2(P)"), "{:?}", suggestion.changes);
    assert_eq!(suggestion.constants.len(), suggestion.formula.terms().len());
    let work = suggestion.constants.iter().find(|c| c.term == "N/P").expect("the term stays");
    assert!(work.low < 2e-6 && 2e-6 < work.high && work.constant == "f[1]", "{work:?}");
}

#[test]
fn a_superfluous_term_is_named() {
    let truth = |v: &[f64]| 5.0 + 0.3 * v[0];
    let data = sample(&["N"], DECADES.map(|n| vec![n]), truth, 0.03, 8);
    let suggestion = suggested(&data, "f[0] + f[1]*N + f[2]*N^3");
    let superfluous = Change::Superfluous { term: "N*N*N".to_owned() };
    let other = Change::Superfluous { term: "N^3".to_owned() };
    assert!(
        suggestion.changes.contains(&superfluous) || suggestion.changes.contains(&other),
        "{:?}",
        suggestion.changes
    );
    assert_eq!(suggestion.formula.text(), "f[0] + f[1]*N");
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let data = sample(&["N"], [1.0, 2.0, 3.0].map(|n| vec![n]), |v| v[0], 0.01, 1);
    let error_of =
        |data: &Data, text: &str| suggest(data, &formula(text), &Options::default()).err();
    assert_eq!(
        error_of(&data, "f[0] + f[1]*N"),
        Some(SuggestError::FewPoints { points: 3, constants: 2 })
    );
    let zero = sample(&["N"], (0..9).map(|n| vec![f64::from(n)]), |v| 1.0 + v[0], 0.01, 1);
    let no_value = SuggestError::NoValue { term: "log2(N)".to_owned() };
    assert_eq!(error_of(&zero, "f[0] + f[1]*log2(N)"), Some(no_value));
    let unknown = SuggestError::UnknownVariable { variable: "M".to_owned() };
    assert_eq!(error_of(&zero, "f[0] + f[1]*M"), Some(unknown));
    let twins =
        sample(&["N", "M"], sizes(1, 9).iter().map(|n| vec![*n, 2.0 * n]), |v| v[0], 0.01, 1);
    assert_eq!(error_of(&twins, "f[0] + f[1]*N + f[2]*M"), Some(SuggestError::Dependent));
    let mut none = zero.clone();
    none.points.iter_mut().for_each(|point| point.observations = vec![-1.0].into());
    assert_eq!(error_of(&none, "f[0] + f[1]*N"), Some(SuggestError::NothingUsable));
}

#[test]
fn data_without_any_noise_have_a_finite_gain() {
    let data = sample(&["N"], sizes(4, 13).into_iter().map(|n| vec![n]), |_| 1.0, 0.0, 1);
    let suggestion = suggested(&data, "f[0] + f[1]*N");
    assert!(
        suggestion.evidence.is_finite() && suggestion.probability.is_finite(),
        "{suggestion:?}"
    );
}
