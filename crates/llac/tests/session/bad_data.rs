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
            "sum([])",
        ],
    );
    expect![[r#"
        > f where N > 1e9
        error[L150]: no sample of f is left
          at `N > 1e9`
          help: it has N = 64 to 65536
        > count(none)
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > fit none
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > median(none.time)
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > plot none by N
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > group none by N
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > predict (fit none) at N = 3
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > compare none, f at N = 64
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > search none
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > merge none, none
        error[L130]: there is no `none`
          at `none`
          help: `show` lists what there is
        > x = [] ; sum(x)
        error[L139]: there are no values
          at `sum(x)`
    "#]]
    .assert_eq(&shown);
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
            "[count(f), count(g), count(h)]",
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
            "count(1:1e308:*10)",
        ],
    );
    expect![[r#"
        > count(f), count(g), count(h)
        error[L007]: `,` cannot stand here
        > (fit f).f[1]
        error[L136]: f has no fit: an observation at N = 128 is NaN; every observation must be a finite number
          at `(fit f)`
        > (fit g).g[1]
        error[L136]: g has no fit: N is NaN at point 0; every value must be a finite number
          at `(fit g)`
        > fit h
        error[L136]: h has no fit: an observation at N = 64 is NaN; every observation must be a finite number
          at `fit h`
        > median(h.time)
        NaN s
        > max(f.time)
        inf s
        > f where time > 1 s
        f = f[0]+f[1]*N
        3 at 1 points, N = 256; prog.c:12
            N  samples  median  minimum  maximum       quartiles
          ───  ───────  ──────  ───────  ───────  ──────────────
          256        3   inf s    inf s    inf s  inf s to inf s
        > plot h by N
        time over N: time (s)
        1.0 ┤
            │
            │
        0.8 ┤
            │
            │
            │
        0.6 ┤
            │
            │
        0.4 ┤
            │
            │
            │
        0.2 ┤
            │
            │
        0.0 ┤
            └┬───────────────────────────┬────────────────────────────┬───────────────────────────┬─────────
             1                           2                            4                           8
                                                            N

        > 0/0
        error[L113]: this divides by zero
          at `0/0`
        > 1e308*10
        inf
        > (-1)^0.5
        NaN
        > log(0)
        -inf
        > sqrt(-1)
        NaN
        > predict f at N = 1e308*10
        error[L137]: f has no model: f has no fit: an observation at N = 128 is NaN; every observation must be a finite number
          at `f`
          help: `fit f as f[0] + f[1]*N` gives it a formula, `search f` finds one
        > (fit f)(N = -5)
        error[L136]: f has no fit: an observation at N = 128 is NaN; every observation must be a finite number
          at `(fit f)`
        > 1:1e308:*10
        1
        10
        100
        1000
        10000
        100000
        1000000
        10000000
        100000000
        1000000000
        10000000000
        100000000000
        1000000000000
        10000000000000
        100000000000000
        1e15
        1e16
        1e17
        1e18
        1e19
        1e20
        1e21
        1e22
        1e23
        1e24
        1e25
        1e26
        1e27
        1e28
        1e29
        1e30
        1e31
        1e32
        1e33
        1e34
        1e35
        1e36
        1e37
        1e38
        1e39
        1e40
        1e41
        1e42
        1e43
        1e44
        1e45
        1e46
        1e47
        1e48
        1e49
        1e50
        1e51
        1e52
        1e53
        1e54
        1e55
        1e56
        1e57
        1e58
        1e59
        1e60
        1e61
        1e62
        1e63
        1e64
        1e65
        1e66
        1e67
        1e68
        1e69
        1e70
        1e71
        1e72
        1e73
        1e74
        1e75
        1e76
        1e77
        1e78
        1e79
        1e80
        1e81
        1e82
        1e83
        1e84
        1e85
        1e86
        1e87
        1e88
        1e89
        1e90
        1e91
        1e92
        1e93
        1e94
        1e95
        1e96
        1e97
        1e98
        1e99
        and 209 more; `print` shows all
    "#]].assert_eq(&shown);
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
    expect![[r#"
        > count(f)
        18
        > group f by N
           N  samples    median      mean       min       max    deviation
        ────  ───────  ────────  ────────  ────────  ────────  ───────────
          64        6  1.064 µs  1.064 µs  1.064 µs  1.064 µs  232.0e-24 s
         128        3  1.128 µs  1.128 µs  1.128 µs  1.128 µs          0 s
        1024        3  2.024 µs  2.024 µs  2.024 µs  2.024 µs          0 s
        2048        6  3.048 µs  3.048 µs  3.048 µs  3.048 µs          0 s
        > compare m, f at N = 64, 64, 256
        m: confirmed. At all 2 points its error is within 10 %, with 90 % confidence (median error 0.0 %, largest 0.0 % at N = 64).
          2 of 2 measured values (100 %) are in its 90 % intervals.
        f: confirmed. At all 2 points its error is within 10 %, with 90 % confidence (median error 0.0 %, largest 0.0 % at N = 64).
          2 of 2 measured values (100 %) are in its 90 % intervals.

          N  measured           m                error           f                error
        ───  ────────  ──────────  ───────────  ──────  ──────────  ───────────  ──────
         64   1.06 µs  1.06400 µs  ± 400e-24 s  +0.0 %  1.06400 µs  ± 400e-24 s  +0.0 %
         64   1.06 µs  1.06400 µs  ± 400e-24 s  +0.0 %  1.06400 µs  ± 400e-24 s  +0.0 %
        256            1.25600 µs  ± 400e-24 s          1.25600 µs  ± 400e-24 s
        > fit g
        error[L136]: g has no fit: 1 distinct points for 2 constants; measure at least 4 values of the variables; N had one value in all runs: vary it by `#pragma cll for` or --vary
          at `fit g`
        > f where N == 256
        error[L150]: no sample of f is left
          at `N == 256`
          help: it has N = 64 to 2048
        > compare m against f at N = 300
        note: none of these points was measured: the models are compared with each other only

          N           m
        ───  ──────────  ───────────
        300  1.30000 µs  ± 400e-24 s
    "#]].assert_eq(&shown);
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
            "k(N) = N * 1 B\ncompare k, f",
            "5 parsecs",
        ],
    );
    expect![[""]].assert_eq(&shown);
}
