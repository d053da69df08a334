//! The reports as people read them.

use crate::scenes::kept;
use cll_fit::Fit;
use cll_report::{
    Causes, ModelView, PlotOptions, Style, TouchedMemory, model_text, plot, points_text,
    predictions_text, summary_text, terminal_plot,
};
use cll_result::PredictionView;
use cll_units::Bytes;
use expect_test::{Expect, expect};
use unicode_width::UnicodeWidthStr;

fn style(width: usize, unicode: bool) -> Style {
    Style { width, color: false, unicode }
}

fn check(text: &str, style: &Style, expected: Expect) {
    expected.assert_eq(text);
    assert!(style.unicode || text.is_ascii());
    for line in text.lines() {
        assert!(line.width() <= style.width, "{} columns: {line}", line.width());
        assert_eq!(line.trim_end(), line, "spaces at a line's end");
    }
}

/// The view of a fit, whose changes have no causes.
fn view<'a>(fit: &'a Fit, place: &'a str, predictions: &'a [PredictionView]) -> ModelView<'a> {
    ModelView { fit, name: fit.formula.experiment(), place, predictions, causes: Causes::default() }
}

/// A table with a line at the margin, so that the snapshot keeps its indentation.
fn under(title: &str, table: &str) -> String {
    format!("{title}\n{table}")
}

#[test]
fn a_model_with_intervals_and_predictions() {
    let fit = kept("matrix", crate::scenes::matrix);
    let predictions = [3000.0, 1500.0, 900_000.0].map(|n| PredictionView::new(&fit, &[n]));
    let view = view(&fit, "matrix.c:12", &predictions);
    let style = style(100, true);
    check(
        &model_text(&view, &style),
        &style,
        expect![[r#"
            init  matrix.c:12
              t = init[0] + init[1]*N + init[2]*N*N
              25 points, N from 64 to 4096, 5 repetitions each, their median fitted by relative error

              t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
              t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579

            Constants (± with 90 % confidence)
              constant  value             per  uncertainty  holds for
              ────────  ────────────────  ───  ───────────  ───────────────
              init[0]    1.12 ± 0.13 µs   1           11 %  everywhere
              init[1]     4.5 ± 1.8 ns    N           39 %  everywhere
              init[2]     609 ± 5 ps      N*N        0.7 %  N in [64, 1579]
              init[2]   1.901 ± 0.009 ns  N*N        0.5 %  N > 1579

            Intervals of validity (2 intervals of N)
              init[0]  = {(1.12 µs, N ≥ 64)}
              init[1]  = {(4.5 ns, N ≥ 64)}
              init[2]  = {(609 ps, N in [64, 1579]), (1.901 ns, N > 1579)}
              The boundary at N = 1579 lies somewhere between 1448 and 1722, the measured values next to it.
              Other divisions are possible too, with 31 % of the weight; they widen the intervals of
              predictions.

            Quality (error = (measured - model)/measured)
              error        median 0.5 %, 90 % of the points within 0.9 %, largest 2.1 % at N = 431
              lack of fit  0.5 % more than the repetitions explain (F = 2.38, p = 0.00269)
              condition    10.1: the terms can be distinguished (below 30)
              repetitions  spread by 1.1 %; 2.4 % are spikes (above 1.1× their point's median)
              adjusted R²  0.999925

            Predictions (the median of 5 runs)
                   N             predicted  90 % interval      of one run         where
              ──────  ────────────────────  ─────────────────  ─────────────────  ──────────────────────────────
                3000              17.12 ms  16.91 to 17.34 ms  16.80 to 17.45 ms  inside the data, N > 1579
                1500               1.38 ms  1.36 to 4.32 ms    1.35 to 4.32 ms    between two intervals: N from
                                                                                  1448 to 1722
              900000  1540 s (25 min 40 s)  1521 to 1559 s     1510 to 1569 s     beyond the data: 220× past the
                                                                                  largest N measured, 4096

              ! N = 1500: N lies in the gap between two intervals (1448 to 1722), where either side's constants
                may hold [between]
              ! N = 900000 is beyond the data (nearest measured value: 4096): such predictions fail across a
                cache size or another limit; measure closer [beyond]

            Warnings
              ! 2.4 % of the observations are spikes, up to 2.566 times their point's median: the machine may be
                loaded [spikes]
        "#]],
    );
}

#[test]
fn the_same_in_ascii_and_fifty_columns() {
    let fit = kept("matrix", crate::scenes::matrix);
    let predictions = [PredictionView::new(&fit, &[3000.0])];
    let view = view(&fit, "matrix.c:12", &predictions);
    let style = style(50, false);
    check(
        &model_text(&view, &style),
        &style,
        expect![[r#"
            init  matrix.c:12
              t = init[0] + init[1]*N + init[2]*N*N
              25 points, N from 64 to 4096, 5 repetitions
              each, their median fitted by relative error

              t = 1.12 us + 4.5 ns*N + 609 ps*N*N for N in
                  [64, 1579]
              t = 1.12 us + 4.5 ns*N + 1.901 ns*N*N for
                  N > 1579

            Constants (+- with 90 % confidence)
              constant     init[0]
              value        1.12 +- 0.13 us
              per          1
              uncertainty  11 %
              holds for    everywhere

              constant     init[1]
              value        4.5 +- 1.8 ns
              per          N
              uncertainty  39 %
              holds for    everywhere

              constant     init[2]
              value        609 +- 5 ps
              per          N*N
              uncertainty  0.7 %
              holds for    N in [64, 1579]

              constant     init[2]
              value        1.901 +- 0.009 ns
              per          N*N
              uncertainty  0.5 %
              holds for    N > 1579

            Intervals of validity (2 intervals of N)
              init[0]  = {(1.12 us, N >= 64)}
              init[1]  = {(4.5 ns, N >= 64)}
              init[2]  = {(609 ps, N in [64, 1579]),
                       (1.901 ns, N > 1579)}
              The boundary at N = 1579 lies somewhere between
              1448 and 1722, the measured values next to it.
              Other divisions are possible too, with 31 % of
              the weight; they widen the intervals of
              predictions.

            Quality (error = (measured - model)/measured)
              error        median 0.5 %, 90 % of the points
                           within 0.9 %, largest 2.1 % at
                           N = 431
              lack of fit  0.5 % more than the repetitions
                           explain (F = 2.38, p = 0.00269)
              condition    10.1: the terms can be
                           distinguished (below 30)
              repetitions  spread by 1.1 %; 2.4 % are spikes
                           (above 1.1x their point's median)
              adjusted R2  0.999925

            Prediction (the median of 5 runs)
              N              3000
              predicted      17.12 ms
              90 % interval  16.91 to 17.34 ms
              of one run     16.80 to 17.45 ms
              where          inside the data, N > 1579

            Warnings
              ! 2.4 % of the observations are spikes, up to
                2.566 times their point's median: the machine
                may be loaded [spikes]
        "#]],
    );
}

#[test]
fn constants_that_the_data_cannot_determine() {
    let fit = kept("trouble", crate::scenes::trouble);
    let predictions = [PredictionView::new(&fit, &[8.0, 100.0])];
    let view = view(&fit, "", &predictions);
    let style = style(80, true);
    check(
        &model_text(&view, &style),
        &style,
        expect![[r#"
            work
              t = work[0] + work[1]*P + work[2]*N*log(N) + work[3]*N*N + work[4]*sqrt(N)
              17 points, P = 4, N from 20 to 360, 3 repetitions each, their median fitted by
              relative error; 2 points left out

              t = work[0] + work[1]*P - 88 ns*N*log(N) + 31 ns*N*N + 4.9 µs*sqrt(N)

            Constants (± with 90 % confidence)
              constant           value           per       uncertainty
              ────────  ───────────────────────  ────────  ───────────
              work[0]   not determined           1
              work[1]   not determined           P
              work[2]              -90 ± 280 ns  N*log(N)        315 %
              work[3]               31 ± 4 ns    N*N              12 %
              work[4]                5 ± 12 µs   sqrt(N)         257 %

            Quality (error = (measured - model)/measured)
              error        median 2.7 %, 90 % of the points within 6.2 %, largest 7.0 % at
                           P = 4, N = 140
              lack of fit  none seen: the repetitions explain the errors (F = 1.13,
                           p = 0.372)
              condition    92.5: some terms can hardly be distinguished (above 30)
              repetitions  spread by 4.9 %; 7.0 % are spikes (above 1.29× their point's
                           median)
              adjusted R²  0.9979

            Prediction
              ! the data cannot determine work[0] and work[1], and at P = 8, N = 100 their
                sum differs from anything measured: no prediction

            Warnings
              ! 1 of 19 points is zero or negative (the first at N = 10, P = 4) and was left
                out: it has no relative error; measure longer times, or use absolute weights
                [not-positive]
              ! left out as outliers: 1 point and 0 single observations [outliers-left-out]
              ! 7.0 % of the observations are spikes, up to 2.717 times their point's
                median: the machine may be loaded [spikes]
              ! the data cannot determine work[0] and work[1]: P is 4 at every point, so P
                equals 4 * (1) at every point; measure at other values, or remove a term
                [undetermined]
              ! the terms work[0] (1), work[2] (N*log(N)), work[3] (N*N) and work[4]
                (sqrt(N)) are nearly collinear on this range (scaled condition number 92.51,
                more than 30): their individual constants are uncertain; measure a wider
                range [ill-conditioned]
        "#]],
    );
}

#[test]
fn boundaries_are_compared_with_caches() {
    let fit = kept("matrix", crate::scenes::matrix);
    let sizes = |all: &[(&str, u64)]| -> Vec<(String, Bytes)> {
        all.iter().map(|(name, bytes)| (name.to_string(), Bytes(*bytes))).collect()
    };
    let sentence = |caches: &[(String, Bytes)]| {
        let memory = Some(TouchedMemory { working_set: "8*N*N", caches });
        let view = ModelView {
            fit: &fit,
            name: fit.formula.experiment(),
            place: "",
            predictions: &[],
            causes: Causes { memory, followed: &[] },
        };
        let text = model_text(&view, &style(300, true));
        let start = text.find("There the").expect("a comparison");
        text[start..].lines().next().unwrap_or_default().to_owned()
    };
    let there = "There the working set (8*N*N) is between 16.0 MiB and 22.6 MiB";
    let (l2, l3) = (("L2", 1 << 20), ("L3", 32 << 20));
    assert_eq!(
        sentence(&sizes(&[l2, l3])),
        format!("{there}, more than L2 (1 MiB), less than L3 (32 MiB).")
    );
    assert_eq!(
        sentence(&sizes(&[l2, ("L3", 16 << 20)])),
        format!("{there}, as large as L3 (16 MiB).")
    );
    assert_eq!(sentence(&sizes(&[l2])), format!("{there}, more than L2 (1 MiB)."));
    assert_eq!(sentence(&[]), format!("{there}."));
}

#[test]
fn one_point() {
    let fit = kept("one", || crate::scenes::line(1));
    let view = view(&fit, "", &[]);
    let style = style(80, true);
    check(
        &model_text(&view, &style),
        &style,
        expect![[r#"
        f
          t = f[0]
          1 point, 2 repetitions each, their median fitted by relative error

          t = 7.0 µs

        Constants (± with 90 % confidence)
          constant  value           per  uncertainty
          ────────  ──────────────  ───  ───────────
          f[0]        7.0 ± 0.8 µs  1           12 %

        Quality (error = (measured - model)/measured)
          error        median 0 %, 90 % of the points within 0 %, largest 0 % at N = 10
          lack of fit  not known: it needs repetitions and more points than constants
          condition    1: the terms can be distinguished (below 30)
          repetitions  spread by 2.8 %; no spike (above 1.17× their point's median)
    "#]],
    );
}

#[test]
fn another_unit_and_absolute_weights() {
    let fit = kept("around_zero", crate::scenes::around_zero);
    let view = view(&fit, "", &[]);
    let style = style(80, true);
    check(
        &model_text(&view, &style),
        &style,
        expect![[r#"
        g
          misses = g[0] + g[1]*x
          21 points, x from -10 to 10, 4 repetitions each, their mean fitted by absolute
          error

          misses = 0.24 + 2.95*x

        Constants (± with 90 % confidence)
          constant  value                per  uncertainty
          ────────  ───────────────────  ───  ───────────
          g[0]        0.2 ± 0.4 misses   1          173 %
          g[1]       2.95 ± 0.07 misses  x          2.3 %

        Quality (error = (measured - model)/measured)
          error        median 5.2 %, 90 % of the points within 31 %, largest 77 % at
                       x = 0
          lack of fit  none seen: the repetitions explain the errors (F = 1.2,
                       p = 0.287)
          condition    1: the terms can be distinguished (below 30)
          repetitions  spread by 11 %; 1.2 % are spikes (above 1.67× their point's
                       median)
          adjusted R²  0.9965

        Warnings
          ! 41 single observations are zero or negative: they may be too short for the
            clock [not-positive-observations]
          ! 1.2 % of the observations are spikes, up to 3.356 times their point's
            median: the machine may be loaded [spikes]
          ! the mean represents the repetitions: a single spike changes it; median and
            minimum are more robust [mean]
    "#]],
    );
}

#[test]
fn points_beside_the_model() {
    let style = style(90, true);
    check(
        &under("points", &points_text(&kept("matrix", crate::scenes::matrix), &style)),
        &style,
        expect![[r#"
            points
                 N  measured  repetitions              model   error
              ────  ────────  ────────────────────  ────────  ──────  ─────────────────
                64  3.913 µs  5: 3.86 to 4.02 µs    3.899 µs   0.3 %  interval 1 begins
                76  4.940 µs  5: 4.89 to 5.04 µs    4.976 µs  -0.7 %
                91  6.550 µs  5: 6.48 to 6.58 µs    6.569 µs  -0.3 %
               108  8.788 µs  5: 8.742 to 8.798 µs  8.706 µs   0.9 %
               128  11.60 µs  5: 11.45 to 11.70 µs  11.67 µs  -0.6 %
               152  15.98 µs  5: 15.62 to 16.09 µs  15.87 µs   0.7 %
               181  22.08 µs  5: 21.6 to 36.0 µs    21.88 µs   0.9 %  1 spike
               215  30.14 µs  5: 29.7 to 30.7 µs    30.23 µs  -0.3 %
               256  42.01 µs  5: 41.5 to 42.8 µs    42.17 µs  -0.4 %
               304  58.68 µs  5: 58.1 to 59.5 µs    58.76 µs  -0.1 %
               362  83.21 µs  5: 81.8 to 84.2 µs    82.54 µs   0.8 %
               431  113.8 µs  5: 113.3 to 114.9 µs  116.2 µs  -2.1 %
               512  161.7 µs  5: 160.6 to 164.3 µs  163.0 µs  -0.8 %
               609  230.0 µs  5: 227 to 590 µs      229.7 µs   0.1 %  1 spike
               724  324.0 µs  5: 322.2 to 328.7 µs  323.5 µs   0.1 %
               861  457.2 µs  5: 445 to 458 µs      456.3 µs   0.2 %
              1024  647.7 µs  5: 637 to 655 µs      644.2 µs   0.6 %
              1218  918.2 µs  5: 907 to 923 µs      909.8 µs   0.9 %
              1448  1.282 ms  5: 1.275 to 1.300 ms  1.284 ms  -0.2 %
              1722  5.677 ms  5: 5.67 to 5.78 ms    5.645 ms   0.6 %  interval 2 begins
              2048  7.986 ms  5: 7.85 to 20.2 ms    7.983 ms  0.04 %  1 spike
              2435  11.32 ms  5: 11.17 to 11.44 ms  11.28 ms   0.3 %
              2896  16.02 ms  5: 15.82 to 16.17 ms  15.96 ms   0.4 %
              3444  22.46 ms  5: 22.27 to 22.65 ms  22.56 ms  -0.5 %
              4096  31.64 ms  5: 31.4 to 32.4 ms    31.91 ms  -0.9 %
        "#]],
    );
    check(
        &under("points", &points_text(&kept("trouble", crate::scenes::trouble), &style)),
        &style,
        expect![[r#"
            points
                N  P  measured  repetitions              model   error
              ───  ─  ────────  ────────────────────  ────────  ──────  ──────────────────────────
               10  4       0 s  3: 0 to 0 s           10.10 µs          left out: zero or negative
               20  4  22.50 µs  3: 22.1 to 23.2 µs    22.60 µs  -0.4 %
               40  4  63.12 µs  3: 57.7 to 63.5 µs    61.42 µs   2.7 %
               60  4  122.7 µs  3: 107 to 124 µs      122.3 µs   0.3 %
               80  4  193.7 µs  3: 193 to 200 µs      206.4 µs  -6.6 %
              100  4  313.3 µs  3: 300 to 316 µs      314.5 µs  -0.4 %
              120  4  436.6 µs  3: 432 to 467 µs      446.8 µs  -2.3 %
              140  4  648.6 µs  3: 0.599 to 1.73 ms   603.4 µs   7.0 %  1 spike
              160  4  9.100 ms  3: 9.00 to 9.20 ms    784.5 µs          left out: outlier
              180  4  986.3 µs  3: 0.969 to 1.027 ms  990.2 µs  -0.4 %
              200  4  1.276 ms  3: 1.267 to 1.283 ms  1.220 ms   4.4 %
              220  4  1.492 ms  3: 1.49 to 3.25 ms    1.475 ms   1.1 %  1 spike
              240  4  1.857 ms  3: 1.80 to 3.12 ms    1.755 ms   5.5 %  1 spike
              260  4  1.943 ms  3: 1.92 to 2.12 ms    2.060 ms  -6.0 %
              280  4  2.444 ms  3: 2.23 to 2.50 ms    2.389 ms   2.3 %
              300  4  2.746 ms  3: 2.59 to 7.46 ms    2.743 ms   0.1 %  1 spike
              320  4  3.212 ms  3: 3.00 to 3.25 ms    3.122 ms   2.8 %
              340  4  3.387 ms  3: 3.36 to 3.67 ms    3.525 ms  -4.1 %
              360  4  3.820 ms  3: 3.42 to 4.03 ms    3.954 ms  -3.5 %
        "#]],
    );
}

#[test]
fn several_experiments() {
    let (matrix, fft) = (kept("matrix", crate::scenes::matrix), kept("fft", crate::scenes::fft));
    let of_matrix = [PredictionView::new(&matrix, &[3000.0])];
    let of_fft = [[2097152.0, 32.0], [4096.0, 3.0]].map(|point| PredictionView::new(&fft, &point));
    let views = [view(&matrix, "", &of_matrix), view(&fft, "", &of_fft)];
    let style = style(100, true);
    check(
        &under("summary", &summary_text(&views, &style)),
        &style,
        expect![[r#"
            summary
              experiment  model                                       intervals  median error  largest  warnings
              ──────────  ──────────────────────────────────────────  ─────────  ────────────  ───────  ────────
              init        1.12 µs + 4.5 ns*N + 609 ps*N*N (largest            2         0.5 %    2.1 %         1
                          interval)
              fft         2.5 µs + 4.08 ns*N*log2(N)/P + 9.2 ns*N/P           1         0.8 %    3.2 %
                          + 5.96 µs*P
        "#]],
    );
    check(
        &predictions_text(&views, &style),
        &style,
        expect![[r#"
        init
          the median of 5 runs
             N  predicted  90 % interval      of one run         where
          ────  ─────────  ─────────────────  ─────────────────  ─────────────────────────
          3000   17.12 ms  16.91 to 17.34 ms  16.80 to 17.45 ms  inside the data, N > 1579

        fft
          the median of 3 runs
                N   P  predicted  90 % interval     of one run        where
          ───────  ──  ─────────  ────────────────  ────────────────  ──────────────────────────────────────
          2097152  32    6.41 ms  6.24 to 6.59 ms   6.20 to 6.63 ms   beyond the data: 16× past the largest
                                                                      N measured, 131072
             4096   3    99.8 µs  97.4 to 102.3 µs  96.7 to 103.0 µs  inside the data

          ! N = 2097152, P = 32: N = 2097152 is beyond the data (nearest measured value: 131072): such
            predictions fail across a cache size or another limit; measure closer [beyond]
    "#]],
    );
}

#[test]
fn plots_in_the_terminal() {
    let fit = kept("matrix", crate::scenes::matrix);
    let predictions = [PredictionView::new(&fit, &[9000.0])];
    let spec = plot(&fit, &predictions, &PlotOptions::default()).expect("a plot");
    let wide = style(90, true);
    check(
        &terminal_plot(&spec, &wide, 16),
        &wide,
        expect![[r#"
            init: time
                   │                                                    ┊                         ⡀◆
            100 ms ┤                                                    ┊                   ⢀⡀⠠⠔ ⠉⠁
                   │                                                    ┊             ●⣀⡀⠔⠒ ⠁
                   │                                                    ┊        ●⡠⠤●⠊⠉
             10 ms ┤                                                    ┊  ⢀●⠤●⠚⠉
                   │                                                    ⠴●⠉⠁
                   │                                                    ┊
              1 ms ┤                                               ⣀●⠴●⠊⠁
                   │                                         ⣀●⠤⠒●⠉     ┊
                   │                                   ⢀⣀●⠖⠒●           ┊
            100 µs ┤                             ⢀⣀⡤●⠒●⠁                ┊
                   │                        ●⠤●⠒⠊●                      ┊
                   │                 ⢀●⡠⠴●⠋⠉                            ┊
             10 µs ┤           ⢀⣀●⠔⠒●⠉                                  ┊
                   │    ⣀●⠤⠤●⠊●⠁                                        ┊
                   │  ●⠉                                                ┊
                   └─────────┬──────────┬─────────────┬──────────┬─────────┬──────────────┬─────────┬─
                            100        200           500       1000      2000           5000     10000
                                                            N
            ● measured   ⠤⠤ model   ⠤ ⠤ beyond the data   ◆ prediction   ┊ constants change
        "#]],
    );
    let plain = style(60, false);
    check(
        &terminal_plot(&spec, &plain, 10),
        &plain,
        expect![[r#"
            init: time
                   |                                 :              .*
                   |                                 :        o..'''
             10 ms +                                 :  .oo:o'
                   |                                 o'o
                   |                             .o.o'
                   |                       o.o.oo'   :
            100 us +                 .o.o'o'         :
                   |           .oo:o'o               :
                   |    .o.oo'o'                     :
                   |  oo'                            :
                   +------+----------+----------+----------+----------+-
                         100        300       1000       3000      10000
                                             N
            o measured   .. model   . . beyond the data   * prediction
            : constants change
        "#]],
    );
    let spec =
        plot(&kept("fft", crate::scenes::fft), &[], &PlotOptions::default()).expect("a plot");
    check(
        &terminal_plot(&spec, &wide, 16),
        &wide,
        expect![[r#"
        fft: time
         10 ms ┤                                                                              ⢀●
               │                                                                         ⣀⠤⠴⠒⠉⠁
               │                                                                   ⣀●⠤⠒⠋⠉    ⣀⡠■
               │                                                             ⣀⣀⠤⠖⠊⠉    ⣀⣀⠤⠒⠚⠉
          3 ms ┤                                                       ⢀⣀●⠔⠒⠉⠁   ⢀⣀⠤■⠒⠉⠁   ⢀⣀⠤⠔▲
               │                                                 ⢀⣀⡠⠴⠒⠋⠁    ⣀⡤⠤⠒⠋⠉    ⣀⡤⠤⠒⠉⠉
          1 ms ┤                                            ⢀⡠●⠒⠊⠉    ⣀⡠⠤■⠊⠉    ⣀⡠⠴⠒▲⠉   ⢀⣀⠤⠴⠒⠋▼
               │                                      ⢀⣀⠤⠔⠚⠉⠁   ⣀⣠⠤⠔⠚⠉⠁   ⣀⣠⠤⠒⠊⠉   ⢀▼⠤⠔⠒⠋⠉  ⢀⣀⠤○
               │                                ⢀⣀⠤●⠒⠉⠁   ⢀⣀⠤⠖■⠉⠁   ⣀⡠⠤⠖⠊▲   ⣀⣀⠤⠔⠒⠉⠉ ⣀⣀⡤⠤⠒⢚⣉⣁⠤⠤□
        300 µs ┤                           ⣀⡠⠤⠒⠋⠉   ⢀⣀⠤⠔⠒⠋⠁   ▲⡠⠤⠖⠊⠉  ⢀⣀⡤▼⠒⠚⠉⣁⣀⣠⣤⡴⠶⠮□⠓⠒⠒⠉⠉⠁
               │     ⢀⣀⣀⣀⣀⣀⣀⣀□⣀⣀⣀⣀⣀⣀⣀⣀⣠⣤□⣊⣉⣀⣀⣀⣀⣀⣤⣴⣒□⣉⣀⣀⣀⣤⡤⠴⠶⠮⠭□⣤⣤⡤⠶⢒⣒⣛⡷⠶⠮□⠛⠉⠉⠁
               │  □⠉⠉⠁         ⣀⣠⠤⠒⠚⠉⠁  ⢀⣀⠤⠴⠒⠉⠁ ⢀⣀⡠▲⢔⣒⣉⣁⣀⡤⠤⠴⠶⠟○⠓⠊⠉⠉⠉
        100 µs ┤  ○⠤⠤⠤⠤⠤⠤⣤⣤⠤⠴○⠭⠥⠤⠤⣤⣴⠶⠖⠒⠛○⢒⣒⡲⢶⣖⣛⡩⠭⠭⠛○⠛⠉⠉⠁
               │   ⣀⣠⠤⠖⠒⢉⣀⣀⣀⣀▼⣔⣒⢯⣭⣤⠤⠤⠖⠒⠛▼⠉⠉⠉⠁
               │  ▼⣉⣉⣭⣭⣟⠿⠭⠭⠒⠒▲⠉⠉⠁
         30 µs ┤  ▲⠉⠁
               └──┬──────────┬──────────┬──────────┬──────────┬──────────┬──────────┬──────────┬──
                 2¹⁰        2¹¹        2¹²        2¹³        2¹⁴        2¹⁵        2¹⁶        2¹⁷
                                                        N
        ● P = 1   ■ P = 2   ▲ P = 4   ▼ P = 8   ○ P = 16   □ P = 32   ⠤⠤ model
    "#]],
    );
    let narrow = style(20, true);
    check(
        &terminal_plot(&spec, &narrow, 3),
        &narrow,
        expect![[r#"
        fft: time
         10 ms ┤        ●■⣶▲
               │   ●⣠□□⣿□□⡿□
        100 µs ┤□⠿□□⠛○○⠉
               └───┬─────┬──
                  2¹²   2¹⁶
                     N
        ● P = 1   ■ P = 2
        ▲ P = 4   ▼ P = 8
        ○ P = 16   □ P = 32
        ⠤⠤ model
    "#]],
    );
}

#[test]
fn colour_adds_nothing_but_colour() {
    let fit = kept("matrix", crate::scenes::matrix);
    let predictions = [PredictionView::new(&fit, &[9000.0])];
    let view = view(&fit, "matrix.c:12", &predictions);
    let spec = plot(&fit, &predictions, &PlotOptions::default()).expect("a plot");
    let plain = style(100, true);
    let colour = Style { color: true, ..plain };
    for (with, without) in [
        (model_text(&view, &colour), model_text(&view, &plain)),
        (points_text(&fit, &colour), points_text(&fit, &plain)),
        (terminal_plot(&spec, &colour, 12), terminal_plot(&spec, &plain, 12)),
    ] {
        assert!(with.contains("\x1b["));
        assert!(!without.contains('\x1b'));
        assert_eq!(stripped(&with), without);
    }
}

/// Without ANSI colours, and without spaces that only these kept at a line's end.
fn stripped(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '\x1b' => inside = true,
            'm' if inside => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn another_formula_stands_at_the_top() {
    let rows = (6..=18).map(|k| 2f64.powi(k)).map(|n| (vec![n], vec![1e-9 * n * n.log2(); 2]));
    let data = crate::scenes::data(&["N"], rows);
    let fit = crate::scenes::fit("f[1]*N", &data, &cll_fit::Options::default());
    let view =
        ModelView { fit: &fit, name: "f", place: "", predictions: &[], causes: Causes::default() };
    let text = model_text(&view, &style(100, false));
    let (head, rest) = text.split_once("Constants").expect("parts of a report");
    assert!(head.contains("! The formula may be wrong"), "{text}");
    assert!(head.contains("f[1]*N*log2(N)"), "{text}");
    assert!(rest.contains("one interval") && rest.contains("[other-formula]"), "{text}");
}
