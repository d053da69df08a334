//! Data that are none, or contradict each other: what is said, and what is left of them.

use cll_trace::Experiment;
use expect_test::expect;

use crate::host::{Test, experiment, nlogn, powers, trace};

/// The output of a list of statements.
fn shown(test: &mut Test, statements: &[&str]) -> String {
    statements.iter().map(|statement| format!("> {statement}\n{}", test.run(statement))).collect()
}

fn simple_experiment(
    name: &str,
    formula: &str,
    points: &[Vec<f64>],
    time: impl Fn(&[f64]) -> f64,
) -> Experiment {
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
        > sum([])
        error[L139]: there are no values
          at `sum([])`
    "#]]
    .assert_eq(&shown);
}

#[test]
fn numbers_that_are_none_are_left_out_or_refused() {
    let points = powers(6, 12);
    // A sample without a time, an infinite one, and a size that is none.
    let odd = simple_experiment("f", "f[0]+f[1]*N", &points, |at| match at[0] as u32 {
        128 => f64::NAN,
        256 => f64::INFINITY,
        512 => f64::NEG_INFINITY,
        _ => 1e-6 + 1e-9 * at[0],
    });
    let sizes = [f64::NAN, f64::INFINITY, 64.0, 128.0, 256.0].map(|n| vec![n]);
    let nowhere = simple_experiment("g", "g[0]+g[1]*N", &sizes, |at| 1e-6 * at[0]);
    let nothing = simple_experiment("h", "h[0]+h[1]*N", &points, |_| f64::NAN);
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
        > [count(f), count(g), count(h)]
        21
        15
        21
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
        3 at 1 point, N = 256; prog.c:12
            N  samples  median  minimum  maximum       quartiles
          ───  ───────  ──────  ───────  ───────  ──────────────
          256        3   inf s    inf s    inf s  inf s to inf s
        > plot h by N
        error[L177]: none of these values is a finite number
          at `plot h by N`
          help: `show` has the ranges of samples
        > 0/0
        error[L113]: this divides by zero
          at `0/0`
        > 1e308*10
        error[L113]: this is infinite, or too large for a number
          at `1e308*10`
        > (-1)^0.5
        error[L113]: this has no value
          at `(-1)^0.5`
        > log(0)
        error[L113]: this is infinite, or too large for a number
          at `log(0)`
        > sqrt(-1)
        error[L113]: this has no value
          at `sqrt(-1)`
        > predict f at N = 1e308*10
        error[L113]: this is infinite, or too large for a number
          at `1e308*10`
        > (fit f)(N = -5)
        error[L136]: f has no fit: an observation at N = 128 is NaN; every observation must be a finite number
          at `(fit f)`
        > count(1:1e308:*10)
        309
    "#]].assert_eq(&shown);
}

#[test]
fn points_that_are_missing_or_there_twice() {
    // The same point in two cells, and a hole in the range.
    let twice = [64.0, 64.0, 128.0, 1024.0, 2048.0, 2048.0].map(|n| vec![n]);
    let f = simple_experiment("f", "f[0]+f[1]*N", &twice, |at| 1e-6 + 1e-9 * at[0]);
    let single = simple_experiment("g", "g[0]+g[1]*N", &[vec![64.0]], |at| 1e-6 + 1e-9 * at[0]);
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
        error[L136]: g has no fit: 1 distinct point for 2 constants; measure at least 4 values of the variables; N had one value in all runs: vary it by `#pragma cll for` or --vary
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
    let here = simple_experiment("f", "f[0]+f[1]*N", &points, |point| 1e-6 + 1e-9 * point[0]);
    let there = simple_experiment("f", "f[0]+f[1]*N^2", &points, |point| {
        1e-6 + 1e-12 * point[0] * point[0]
    });
    let mut test =
        Test::new([("a.dat", trace(vec![here], "node1")), ("b.dat", trace(vec![there], "node2"))]);
    let shown = shown(
        &mut test,
        &[
            "a = open \"a.dat\"",
            "b = open \"b.dat\"",
            "merge a.f, b.f",
            "(fit a.f).formula",
            "(fit b.f).formula",
        ],
    );
    expect![[r#"
        > a = open "a.dat"
        > b = open "b.dat"
        > merge a.f, b.f
        note: f has the formula f[0]+f[1]*N, and f has f[0]+f[1]*N^2: the first is kept
        f = f[0]+f[1]*N
        42 at 7 points, N = 64 to 4096; prog.c:12
             N  samples    median   minimum   maximum          quartiles
          ────  ───────  ────────  ────────  ────────  ─────────────────
            64        6  1.034 µs  1.004 µs  1.064 µs  1.004 to 1.064 µs
           128        6  1.072 µs  1.016 µs  1.128 µs    1.02 to 1.13 µs
           256        6  1.161 µs  1.066 µs  1.256 µs    1.07 to 1.26 µs
           512        6  1.387 µs  1.262 µs  1.512 µs    1.26 to 1.51 µs
          1024        6  2.036 µs  2.024 µs  2.049 µs  2.024 to 2.049 µs
          2048        6  4.121 µs  3.048 µs  5.194 µs    3.05 to 5.19 µs
          4096        6  11.44 µs  5.096 µs  17.78 µs    5.10 to 17.8 µs
        > (fit a.f).formula
        f[0] + f[1]*N
        > (fit b.f).formula
        f[0] + f[1]*N^2
    "#]]
    .assert_eq(&shown);
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
            "count(f set time = N)",
            "m(N = 64 B)",
            "2^(3 s)",
            "1 s < 1 B",
            "sum([1 s, 1 B])",
            "max(1 s, 1)",
            "predict m at N = 1 ms",
            "k(N) = N * 1 B\ncompare k, f",
            "5 parsecs",
        ],
    );
    expect![[r#"
        > f where time > 3
        error[L115]: `s` and a number without a unit cannot be compared
          at `time > 3`
          help: a number may have a unit, such as `2e-6 s`
        > f where time > 3 B
        error[L115]: `s` and `B` cannot be compared
          at `time > 3 B`
        > f where N > 3 s
        error[L115]: a number without a unit and `s` cannot be compared
          at `N > 3 s`
          help: a number may have a unit, such as `2e-6 s`
        > count(f set time = N)
        55
        > m(N = 64 B)
        1.529 µs (1.505 to 1.555 µs at 90 %)
        > 2^(3 s)
        error[L114]: an exponent is a number without unit and uncertainty
          at `2^(3 s)`
        > 1 s < 1 B
        error[L115]: `s` and `B` cannot be compared
          at `1 s < 1 B`
        > sum([1 s, 1 B])
        error[L115]: `s` and `B` cannot be added
          at `sum([1 s, 1 B])`
        > max(1 s, 1)
        error[L115]: `s` and a number without a unit cannot be compared
          at `max(1 s, 1)`
        > predict m at N = 1 ms
        f
          the median of 5 runs
              N  predicted  90 % interval      of one run         where
          ─────  ─────────  ─────────────────  ─────────────────  ──────────────────────────────────────────
          0.001     996 ns  0.976 to 1.023 µs  0.972 to 1.028 µs  beyond the data: 64000× past the smallest
                                                                  N measured, 64

          ! N = 0.001 is beyond the data (nearest measured value: 64): such predictions fail across a cache
            size or another limit; measure closer [beyond]
        > k(N) = N * 1 B
        compare k, f
        error[L115]: k gives values in `B`, and the measurements are in `s`
          at `k`
          help: multiply by `1 s` if that is what is meant
        > 5 parsecs
        error[L004]: unknown unit `parsecs`
    "#]].assert_eq(&shown);
}
