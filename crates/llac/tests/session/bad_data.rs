//! Data that are none, or contradict each other: what is said, and what is left of them.

use cll_trace::Experiment;
use expect_test::expect;

use crate::host::{Test, experiment, nlogn, powers, trace};

/// What a list of statements prints.
fn shown(test: &mut Test, statements: &[&str]) -> String {
    statements.iter().map(|one| format!("> {one}\n{}", test.run(one))).collect()
}

fn one(name: &str, formula: &str, points: &[Vec<f64>], time: impl Fn(&[f64]) -> f64) -> Experiment {
    experiment(name, formula, &["N"], points, 3, 0.0, time)
}

#[test]
fn a_subset_without_samples_is_said_to_be_empty() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nnone = f where N > 1e9");
    let shown = shown(
        &mut test,
        &[
            "f where N > 1e9",
            "count(none)",
            "fit none",
            "median(none.time)",
            "plot none by N",
            "group none by N",
            "predict (fit none) at N = 3",
            "compare none, f at N = 64",
            "search none",
            "merge none, none",
            "x = [] ; sum(x)",
        ],
    );
    expect![[""]].assert_eq(&shown);
}

#[test]
fn numbers_that_are_none_are_left_out_or_refused() {
    let points = powers(6, 12);
    // A sample without a time, an infinite one, and a size that is none.
    let odd = one("f", "f[0]+f[1]*N", &points, |at| match at[0] as u32 {
        128 => f64::NAN,
        256 => f64::INFINITY,
        512 => f64::NEG_INFINITY,
        _ => 1e-6 + 1e-9 * at[0],
    });
    let sizes = [f64::NAN, f64::INFINITY, 64.0, 128.0, 256.0].map(|n| vec![n]);
    let nowhere = one("g", "g[0]+g[1]*N", &sizes, |at| 1e-6 * at[0]);
    let nothing = one("h", "h[0]+h[1]*N", &points, |_| f64::NAN);
    let mut test = Test::new([("a.dat", trace(vec![odd, nowhere, nothing], "node1"))]);
    test.run("open \"a.dat\"");
    let shown = shown(
        &mut test,
        &[
            "count(f), count(g), count(h)",
            "(fit f).f[1]",
            "(fit g).g[1]",
            "fit h",
            "median(h.time)",
            "max(f.time)",
            "f where time > 1 s",
            "plot h by N",
            "0/0",
            "1e308*10",
            "(-1)^0.5",
            "log(0)",
            "sqrt(-1)",
            "predict f at N = 1e308*10",
            "(fit f)(N = -5)",
            "1:1e308:*10",
        ],
    );
    expect![[""]].assert_eq(&shown);
}

#[test]
fn points_that_are_missing_or_there_twice() {
    // The same point in two cells, and a hole in the range.
    let twice = [64.0, 64.0, 128.0, 1024.0, 2048.0, 2048.0].map(|n| vec![n]);
    let f = one("f", "f[0]+f[1]*N", &twice, |at| 1e-6 + 1e-9 * at[0]);
    let single = one("g", "g[0]+g[1]*N", &[vec![64.0]], |at| 1e-6 + 1e-9 * at[0]);
    let mut test = Test::new([("a.dat", trace(vec![f, single], "node1"))]);
    test.run("open \"a.dat\"\nm = fit f");
    assert!((test.number("m.f[1] / 1 ns") - 1.0).abs() < 1e-6);
    let shown = shown(
        &mut test,
        &[
            "count(f)",
            "group f by N",
            "compare m, f at N = 64, 64, 256",
            "fit g",
            "f where N == 256",
            "compare m against f at N = 300",
        ],
    );
    expect![[""]].assert_eq(&shown);
}

#[test]
fn two_experiments_of_one_name_keep_their_formulas_apart() {
    let points = powers(6, 12);
    let here = one("f", "f[0]+f[1]*N", &points, |at| 1e-6 + 1e-9 * at[0]);
    let there = one("f", "f[0]+f[1]*N^2", &points, |at| 1e-6 + 1e-12 * at[0] * at[0]);
    let mut test =
        Test::new([("a.dat", trace(vec![here], "node1")), ("b.dat", trace(vec![there], "node2"))]);
    let shown = shown(
        &mut test,
        &[
            "open \"a.dat\", \"b.dat\"",
            "show",
            "fit f",
            "a = open \"a.dat\"",
            "b = open \"b.dat\"",
            "merge a.f, b.f",
            "(fit a.f).formula",
            "(fit b.f).formula",
        ],
    );
    expect![[""]].assert_eq(&shown);
}

#[test]
fn units_that_do_not_fit_are_named() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nm = fit f");
    let shown = shown(
        &mut test,
        &[
            "f where time > 3",
            "f where time > 3 B",
            "f where N > 3 s",
            "f set time = N",
            "m(N = 64 B)",
            "2^(3 s)",
            "1 s < 1 B",
            "[1 s, 1 B]",
            "max(1 s, 1)",
            "predict m at N = 1 ms",
            "k(N) = N * 1 B ; compare k, f",
            "5 parsecs",
        ],
    );
    expect![[""]].assert_eq(&shown);
}
