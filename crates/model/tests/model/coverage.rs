//! Intervals on programs whose truth is known.

use std::collections::BTreeMap;

use cll_fit::{Data, Fit, Intervals, Options, fit};
use cll_machine::{Combine, Uncertain};
use cll_model::formula::{Fits, parse};
use cll_model::{Draws, Evaluator, Pricing, QuantityKind, Rate, Rule, influences, interval};
use cll_statistics::{NORMAL_95, normal};

/// Levels of a tree, work on each that is fitted.
const TEXT: &str = r#"
start = "all"

[block.G]
fit = "blocks"
with = { N = "N/P" }

[block.F]
fit = "blocks"
with = { n = "N/2^(k+1)" }

[[object.all]]
do = ["G"]

[[object.all]]
repeat = "log2(P)"
counter = "k"
send = { pattern = "exchange", by = "2^k", bytes = "16*N/P" }
do = ["F"]
end = "oblivious"
"#;

const SPREAD: f64 = 0.03;
const AT: [(&str, f64); 2] = [("N", 40_000.0), ("P", 8.0)];

/// Twelve points of three repetitions.
fn measured(text: &str, variable: &str, truth: &[f64], random: &mut fastrand::Rng) -> Fit {
    let formula = cll_formula::parse_anonymous(text).formula.unwrap();
    let mut rows = Vec::new();
    for k in 0..12 {
        let size = 500.0 * 1.6f64.powi(k);
        for _ in 0..3 {
            let time = formula.evaluate(&[size], truth);
            rows.push((vec![size], time * (1.0 + SPREAD * normal(|| random.f64()))));
        }
    }
    let data = Data::from_rows(vec![variable.to_owned()], rows);
    let options = Options { intervals: Intervals::None, ..Options::default() };
    fit(&formula, &data, &options).unwrap()
}

const G: &str = "G[0] + G[1]*N*log(N)";
const F: &str = "F[0] + F[1]*n";
const G_TRUTH: [f64; 2] = [2e-6, 3e-9];
const F_TRUTH: [f64; 2] = [5e-6, 2e-9];
const GAP: f64 = 1e-9;
const LATENCY: f64 = 2e-5;

/// The time where constants, g and L are these.
fn evaluate(g: [f64; 2], f: [f64; 2], gap: f64, latency: f64) -> f64 {
    let n = AT[0].1;
    let works = g[0]
        + g[1] * (n / 8.0) * (n / 8.0f64).ln()
        + (0..3).map(|k| f[0] + f[1] * n / 2.0f64.powi(k + 1)).sum::<f64>();
    works + 4.0 * latency + 3.0 * gap * 16.0 * n / 8.0
}

#[test]
fn intervals_hold_what_is_measured_next() {
    let mut random = fastrand::Rng::with_seed(20);
    let (mut held, mut widths) = (0, Vec::new());
    const TRIALS: usize = 300;
    for trial in 0..TRIALS {
        let blocks: BTreeMap<String, Fit> = [
            ("G".to_owned(), measured(G, "N", &G_TRUTH, &mut random)),
            ("F".to_owned(), measured(F, "n", &F_TRUTH, &mut random)),
        ]
        .into();
        let fits: Fits = [("blocks".to_owned(), blocks)].into();
        let (description, reported) = parse(TEXT);
        assert!(reported.is_empty(), "{reported:?}");
        let arguments = AT.map(|(name, value)| (name.to_owned(), value));
        let mut built = description.unwrap().build(&fits, &arguments).unwrap();
        assert!(built.notes.is_empty(), "{:?}", built.notes);
        // g and L were measured, too, with 4 % and 5 %.
        let mut known = |truth: f64, spread: f64| {
            let value = truth * (1.0 + spread * normal(|| random.f64()));
            let half = NORMAL_95 * spread * truth;
            Uncertain { value, low: value - half, high: value + half }
        };
        let g = built.quantities.add("g", QuantityKind::G, known(GAP, 0.04));
        let l = built.quantities.add("L", QuantityKind::L, known(LATENCY, 0.05));
        let pricing =
            Pricing::flat(&built.program, Rule::ObspStar, Combine::Max, &Rate::flat(g, l));
        let draws = Draws { count: 200, seed: trial as u64, confidence: 0.90 };
        let interval = interval(&built.program, &pricing, &built.quantities, &draws);
        // What the program takes when it is run: each block off its formula by the same spread everywhere.
        let mut off = || 1.0 + SPREAD / 3f64.sqrt() * normal(|| random.f64());
        let (g_off, f_off) = (off(), off());
        let next = evaluate(G_TRUTH.map(|c| c * g_off), F_TRUTH.map(|c| c * f_off), GAP, LATENCY);
        held += usize::from(interval.low.get() <= next && next <= interval.high.get());
        widths.push((interval.high - interval.low) / interval.value);
    }
    let share = held as f64 / TRIALS as f64;
    widths.sort_by(f64::total_cmp);
    let width = widths[TRIALS / 2];
    assert!((0.85..=0.97).contains(&share), "{share} of the intervals hold the next time");
    assert!(width < 0.10, "half of the intervals are wider than {width}");
}

#[test]
fn shares_sum_to_one_and_say_what_a_change_does() {
    let mut random = fastrand::Rng::with_seed(2);
    let blocks: BTreeMap<String, Fit> = [
        ("G".to_owned(), measured(G, "N", &G_TRUTH, &mut random)),
        ("F".to_owned(), measured(F, "n", &F_TRUTH, &mut random)),
    ]
    .into();
    let fits: Fits = [("blocks".to_owned(), blocks)].into();
    let arguments = AT.map(|(name, value)| (name.to_owned(), value));
    let mut built = parse(TEXT).0.unwrap().build(&fits, &arguments).unwrap();
    let spread = Uncertain { value: GAP, low: 0.9 * GAP, high: 1.2 * GAP };
    let g = built.quantities.add("g", QuantityKind::G, spread);
    let l = built.quantities.add("L", QuantityKind::L, Uncertain::exact(LATENCY));
    let pricing = Pricing::flat(&built.program, Rule::ObspStar, Combine::Max, &Rate::flat(g, l));
    let influences = influences(&built.program, &pricing, &built.quantities);
    let sum: f64 = influences.iter().map(|influence| influence.share).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    let mut values = built.quantities.values();
    let mut evaluator = Evaluator::default();
    let total = evaluator.time(&built.program, &pricing, &values);
    for influence in &influences {
        values[influence.quantity] *= 1.01;
        let more = evaluator.time(&built.program, &pricing, &values);
        values[influence.quantity] /= 1.01;
        assert!((more / total - 1.0 - 0.01 * influence.share).abs() < 1e-12);
    }
    let of_g = influences.iter().find(|influence| influence.quantity == g.index()).unwrap();
    // 3 levels of 16 N/P bytes.
    let bytes = 3.0 * 16.0 * 40_000.0 / 8.0;
    assert!((of_g.at_high.get() - 0.2 * GAP * bytes).abs() < 1e-12);
    assert!((of_g.at_low.get() + 0.1 * GAP * bytes).abs() < 1e-12);
}
