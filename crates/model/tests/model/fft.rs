//! The transform of figure 5: the recurrence on its structure against the closed form.

use cll_machine::{Combine, Uncertain};
use cll_model::formula::{Built, Fits, parse};
use cll_model::{
    Evaluator, Pricing, QuantityKind, Rate, Rule, TrafficPattern, breakdown, critical_path,
    interval,
};

const TEXT: &str = include_str!("../../../../examples/obsp/fft.obsp.toml");

/// With constants that are all there, also those that the example has as 0.
fn built(n: f64, p: f64) -> Built {
    let text = TEXT.replace("[80e-9, 0]", "[80e-9, 1.3e-10]");
    let (description, reported) = parse(&text);
    assert!(reported.is_empty(), "{reported:?}");
    let arguments = [("N".to_owned(), n), ("P".to_owned(), p)];
    description.unwrap().build(&Fits::new(), &arguments).unwrap()
}

/// `log2(P)·(A[0]+B[0]+C[0]+D[0]+E[0]+F[0]) + G[0] + G[1]·(N/P)·log(N/P) + (E[1]+F[1])·((P-1)/P)·N
///  + D[1]·((P-1)/P)·N·sizeof(Complex)`, the message of a level being n·sizeof(Complex) with n = N/2 at the top.
fn closed_form(n: f64, p: f64, l: f64, d1: f64) -> f64 {
    let (a, b, c, e, f) = (20e-9, 400e-9, 150e-9, [80e-9, 1.3e-10], [20e-9, 2.4e-9]);
    let g = [50e-9, 2.6e-9];
    p.log2() * (a + b + c + l + e[0] + f[0])
        + g[0]
        + g[1] * (n / p) * (n / p).ln()
        + (e[1] + f[1]) * ((p - 1.0) / p) * n
        + d1 * ((p - 1.0) / p) * n * 16.0
}

#[test]
fn the_recurrence_is_the_closed_form() {
    let (g, l) = (3.1e-9, 4.7e-6);
    for k in 0..=10 {
        let p = f64::from(1 << k);
        for n in [p, 2.0 * p, 4096.0 * p, 2_097_152.0f64.max(p)] {
            let mut built = built(n, p);
            let g = built.quantities.add("g", QuantityKind::G, Uncertain::exact(g));
            let l = built.quantities.add("L", QuantityKind::L, Uncertain::exact(l));
            let values = built.quantities.values();
            for combine in Combine::ALL {
                let rate = Rate::flat(g, l);
                let pricing = Pricing::flat(&built.program, Rule::ObspStar, combine, &rate);
                let mut evaluator = Evaluator::default();
                let times = evaluator.times(&built.program, &pricing, &values);
                // in = out = size: D[1] is g for max, 2g for +.
                let d1 = match combine {
                    Combine::Max => values[g.index()],
                    Combine::Sum => 2.0 * values[g.index()],
                };
                let expected = closed_form(n, p, values[l.index()], d1);
                for &time in times {
                    let off = (time - expected).abs() / expected;
                    assert!(off < 1e-13, "P = {p}, N = {n}, {combine:?}: {time} {expected}");
                }
                assert_eq!(times.len(), p as usize);
            }
        }
    }
}

#[test]
fn equal_halves_are_one_object() {
    let built = built(2_097_152.0, 1024.0);
    let objects = built.program.objects();
    assert_eq!(objects.len(), 11);
    assert_eq!(objects[10].supersteps[0].pattern, TrafficPattern::Shift);
    assert_eq!(built.program.size(), 1024 * 2 * 10 + 1024);
}

#[test]
fn where_the_transforms_time_goes() {
    let mut built = built(65_536.0, 16.0);
    let g = built.quantities.add("g", QuantityKind::G, Uncertain::exact(1e-9));
    let l = built.quantities.add(
        "L",
        QuantityKind::L,
        Uncertain { value: 1e-5, low: 8e-6, high: 1.4e-5 },
    );
    let pricing = Pricing::flat(&built.program, Rule::ObspStar, Combine::Max, &Rate::flat(g, l));
    let values = built.quantities.values();
    let account = breakdown(&built.program, &pricing, &values);
    let sum: f64 =
        account.supersteps.iter().flatten().map(|account| account.mean.total().get()).sum();
    assert!((sum / account.total.get() - 1.0).abs() < 1e-13);
    // All do the same, so nobody waits, and each level is gone through by all of its objects.
    let waiting: f64 = account.processors.iter().map(|parts| parts.waiting.get()).sum();
    assert!(waiting < 1e-12 * account.total.get());
    let times: Vec<u64> = account.supersteps.iter().map(|accounts| accounts[0].times).collect();
    assert_eq!(times, [16, 8, 4, 2, 1]);
    let path = critical_path(&built.program, &pricing, &values);
    assert_eq!(path.gradient[l.index()], 4.0);
    assert_eq!(path.gradient[g.index()], 15.0 / 16.0 * 65_536.0 * 16.0);
    let interval = interval(&built.program, &pricing, &built.quantities, &Default::default());
    assert!(interval.low < interval.value && interval.value < interval.high);
}
