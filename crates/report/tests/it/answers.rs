//! The short reports, as people read them, and the limits that hold for all of them.

use crate::scenes::models::{model, predicted};
use crate::scenes::{self, kept};
use cll_fit::{Fit, Intervals, Options};
use cll_report::{AnswerOptions, MAX_LINES, MAX_LINES_EACH, Style, answer_report};
use cll_result::{
    Cache, FormulaCandidate, FormulaTie, Machine, ModelFile, Notice, Predicted, PredictionView,
    SearchModel,
};
use cll_units::Bytes;
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

const PLAIN: Style = Style { width: 80, color: false, unicode: true };

/// A model, and what is predicted with it.
struct Scene {
    model: ModelFile,
    predicted: Vec<Predicted>,
}

impl Scene {
    /// A scene of experiments with the predictions that are asked of each.
    fn new(given: Value, fits: &[(&str, &Fit, &[&[f64]])]) -> Scene {
        let experiments = fits.iter().map(|(place, fit, _)| {
            let name = fit.formula.experiment();
            let formula = fit.formula.text();
            let places = if place.is_empty() { vec![] } else { vec![*place] };
            json!({ "name": name, "formula": formula, "places": places, "fit": fit,
                    "variables": fit.recorded })
        });
        let mut given = given;
        given["experiments"] = experiments.collect::<Value>();
        let model = model(&given);
        let views = fits.iter().map(|(_, fit, asked)| {
            asked.iter().map(|point| PredictionView::new(fit, point)).collect()
        });
        let predicted = predicted(&model, &views.collect::<Vec<_>>());
        Scene { model, predicted }
    }

    fn text(&self, options: AnswerOptions<'_>, style: &Style) -> String {
        answer_report(&self.model, &self.predicted, options, style)
    }
}

/// Options of a model that is kept in `prog.cll`.
fn kept_there() -> AnswerOptions<'static> {
    AnswerOptions { model: "prog.cll", page: "prog.cll/prog.html", ..AnswerOptions::default() }
}

/// The model of a matrix that leaves a cache, with levels.
fn with_levels() -> Fit {
    kept("levels", make_levels)
}

fn make_levels() -> Fit {
    let mut fit = levels_of("init[0] + init[1]*N + init[2]*N*N", |n| {
        let third = match n {
            n if n <= 600.0 => 0.3e-9,
            n if n <= 1000.0 => 0.3e-9 + 1.1e-9 * (n - 600.0) / 400.0,
            _ => 1.4e-9,
        };
        5e-9 * n + third * n * n
    });
    // They make a large file, and wider intervals.
    fit.alternatives.clear();
    fit
}

fn levels_of(formula: &str, truth: impl Fn(f64) -> f64) -> Fit {
    let mut noise = scenes::Noise::new(17);
    let points = (0..50).map(|k| {
        let n = (41.0 * 1.095f64.powi(k)).round();
        let times = (0..8).map(|_| truth(n) * (1.0 + noise.normal(0.01))).collect();
        (vec![n], times)
    });
    let points: Vec<(Vec<f64>, Vec<f64>)> = points.collect();
    let options = Options { intervals: Intervals::levels(), ..Options::default() };
    scenes::fit(formula, &scenes::data(&["N"], points), &options)
}

/// Two constants change: the one that decides for large values is told wherever there is room for one alone.
fn two_changes() -> Fit {
    levels_of("f[0] + f[1]*N + f[2]*N*N", |n| {
        let (first, third) = if n <= 300.0 { (1e-6, 0.3e-9) } else { (90e-6, 1.9e-9) };
        first + third * n * n
    })
}

/// A formula with a term of the wrong shape.
fn wrong() -> Fit {
    let rows = (6..=18).map(|k| 2f64.powi(k)).map(|n| (vec![n], vec![1e-9 * n * n.log2(); 2]));
    let options = Options { intervals: Intervals::None, ..Options::default() };
    scenes::fit("f[1]*N", &scenes::data(&["N"], rows), &options)
}

/// Noise alone, for a formula that grows.
fn noise_only() -> Fit {
    levels_of("f[0] + f[1]*N", |_| 5e-6)
}

/// Times that no formula describes.
fn irregular() -> Fit {
    levels_of("w[0] + w[1]*N", |n| if (n as u64).is_multiple_of(2) { 1e-6 * n } else { 4e-6 * n })
}

/// A formula that was searched, with another one that fits as well.
fn searched() -> Scene {
    let line = scenes::line(20);
    let mut scene = Scene::new(json!({}), &[("", &line, &[&[300.0]])]);
    let candidate = |terms: &[&str], weight: f64| FormulaCandidate {
        formula: String::new(),
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        constants: vec![],
        errors: vec![],
        weight,
        aicc: None,
        akaike_weight: None,
        left_out: None,
    };
    scene.model.experiments[0].search = Some(SearchModel {
        points: 20,
        candidates: vec![candidate(&["1", "N"], 0.61), candidate(&["1", "N*log2(N)"], 0.37)],
        ties: vec![FormulaTie {
            candidate: 1,
            at: Some(vec![("N".to_owned(), 1600.0)]),
            variable: Some("N".to_owned()),
            values: Some((3.2e-4, 4.9e-4)),
        }],
        divisions: vec![],
        notes: vec![Notice::new("no-influence", "P has no visible influence")],
        predictions: vec![],
        average: None,
    });
    scene
}

/// Without a fit.
fn unfitted() -> Scene {
    let experiment = json!({ "name": "sort", "formula": "sort[0]*N", "places": ["sort.c:7"],
                             "failure": "all its samples are 0" });
    let model = model(&json!({ "experiments": [experiment] }));
    Scene { model, predicted: vec![] }
}

/// More terms than data can tell apart.
fn many_terms() -> Fit {
    let terms: Vec<String> = (0..40).map(|k| format!("f[{k}]*N^({k}/10)")).collect();
    levels_of(&terms.join(" + "), |n| 1e-6 * (1.0 + n))
}

/// Names that fill lines, four intervals, and a formula that misses.
fn long_names() -> Scene {
    let name = "number_of_elements_of_the_distributed_matrix";
    let points = (0..60).map(|k| {
        let n = (41.0 * 1.08f64.powi(k)).round();
        let factor = [1.0, 3.0, 0.4, 2.0][(k / 15) as usize];
        (vec![n], vec![factor * (1e-6 + 1e-9 * n * n); 3])
    });
    let formula = format!("f[0] + f[1]*{name} + f[2]*{name}*log2({name})");
    let options = Options { intervals: Intervals::dynamic(), ..Options::default() };
    let fit = scenes::fit(&formula, &scenes::data(&[name], points), &options);
    let place =
        "a/folder/with/a/long/name/and/another/one/a_source_file_of_a_large_program.c:12345";
    Scene::new(json!({}), &[(place, &fit, &[&[3000.0], &[1e7], &[77.5]])])
}

/// Every shape of a single experiment.
fn gallery() -> Vec<(&'static str, Scene)> {
    let scene_of =
        |place, fit: &Fit, asked: &[&[f64]]| Scene::new(json!({}), &[(place, fit, asked)]);
    let many: Vec<[f64; 1]> = (1..40).map(|k| [f64::from(k) * 100.0]).collect();
    let many: Vec<&[f64]> = many.iter().map(|point| &point[..]).collect();
    let loaded = json!({ "sampling": { "verdict": { "state": "not-measurable",
        "reasons": [{ "code": "loaded", "text": "another program had 43 % of the processors in 3 of 3 rounds" }],
        "advice": ["end other programs, or wait"] } } });
    let disturbed = json!({ "sampling": { "verdict": { "state": "disturbed",
        "reasons": [{ "code": "loaded", "text": "another program ran" }], "advice": ["wait"],
        "off": { "below": 0.08, "above": 0.12 } } } });
    let matrix = kept("matrix", scenes::matrix);
    vec![
        ("levels", scene_of("init.c:23", &with_levels(), &[&[3000.0], &[9000.0]])),
        ("intervals", scene_of("init.c:23", &matrix, &[&[3000.0], &[1500.0], &[900_000.0]])),
        ("nothing asked", scene_of("init.c:23", &matrix, &[])),
        ("many predictions", scene_of("init.c:23", &matrix, &many)),
        ("regions", scene_of("", &scenes::shared(), &[&[4096.0, 3.0]])),
        (
            "several variables",
            scene_of("fft.c:9", &kept("fft", scenes::fft), &[&[2_097_152.0, 32.0]]),
        ),
        ("counts", scene_of("walk.c:3", &scenes::counted(), &[&[9000.0]])),
        ("around zero", scene_of("", &kept("around_zero", scenes::around_zero), &[])),
        ("trouble", scene_of("work.c:3", &kept("trouble", scenes::trouble), &[&[400.0, 4.0]])),
        ("one point", scene_of("", &kept("one", || scenes::line(1)), &[&[]])),
        ("a line", scene_of("line.c:8", &scenes::line(20), &[&[300.0]])),
        ("wrong", scene_of("f.c:8", &wrong(), &[&[1e6]])),
        ("noise only", scene_of("f.c:8", &noise_only(), &[&[3000.0]])),
        ("irregular", scene_of("w.c:12", &irregular(), &[&[3000.0]])),
        ("many terms", scene_of("f.c:8", &many_terms(), &[&[3000.0]])),
        ("long names", long_names()),
        ("two changes", scene_of("f.c:8", &two_changes(), &[&[3000.0]])),
        ("searched", searched()),
        ("unfitted", unfitted()),
        ("not measurable", Scene::new(loaded, &[("init.c:23", &matrix, &[&[3000.0]])])),
        ("disturbed", Scene::new(disturbed, &[("init.c:23", &matrix, &[&[3000.0]])])),
    ]
}

/// Three experiments of one program, and what is asked of each.
fn several(asked: &[&[f64]]) -> Scene {
    let (matrix, line, levels) = (kept("matrix", scenes::matrix), scenes::line(20), with_levels());
    let fits = [("init.c:23", &matrix, asked), ("init.c:41", &line, asked), ("", &levels, asked)];
    Scene::new(json!({}), &fits)
}

/// Regions of a program without annotations.
fn ranked() -> Scene {
    let spot = |name: &str, line: u32, share: f64, formula: Option<&str>| {
        json!({ "name": name, "place": format!("prog.c:{line}"), "share": share, "passages": 3.0,
                "measured": 1.0,
                "time": { "formula": formula, "constants": [2e-9, 3e-9], "ties": [],
                          "value": share * 4.0, "low": share * 3.5, "high": share * 4.5 } })
    };
    let spots = [
        spot("quick", 12, 0.62, Some("quick[0]*N*log2(N)")),
        spot("main:read_all_of_the_input", 40, 0.25, Some("main[0]*N + main[1]*N^2")),
        spot("init", 80, 0.09, None),
        spot("f", 90, 0.03, Some("f[0]*N")),
        spot("g", 99, 0.01, Some("g[0]*N")),
    ];
    let ranking = json!({ "at": [["N", 1e6]], "is_beyond": true, "beyond": true, "asked": [],
        "run": [], "total": { "formula": "t[0]*N", "constants": [4e-6], "ties": [],
        "value": 4.1, "low": 3.9, "high": 4.3 }, "covered": 0.99, "spots": spots,
        "left_out": [], "not_reached": [] });
    Scene::new(json!({ "ranking": ranking }), &[("f.c:8", &wrong(), &[])])
}

/// No line is wider than the terminal, and none ends with a space.
fn check_lines(name: &str, text: &str, style: &Style) {
    for line in text.lines() {
        assert!(line.width() <= style.width, "{name}: {} columns: {line}", line.width());
        assert_eq!(line.trim_end(), line, "{name}: spaces at a line's end");
        assert!(style.unicode || line.is_ascii(), "{name}: {line}");
    }
}

fn check(name: &str, expected: Expect) {
    let all = gallery();
    let (_, scene) = all.iter().find(|(known, _)| *known == name).expect("a scene");
    expected.assert_eq(&scene.text(kept_there(), &PLAIN));
}

#[test]
fn a_constant_with_levels_is_a_letter() {
    check(
        "levels",
        expect![[r#"
            init  init.c:23                         50 sizes, N = 41 to 3500, 8 runs of each
              t = 4.97 ns*N + c*N*N   (init[0]: not seen in the data)
                  c = 300 ps up to N = 603, then 1.22 ns for what is beyond up to 657,
                      rises, then 1.40 ns for what is beyond 1000
              error 0.3 % (median), 0.7 % for 9 of 10 sizes
              N = 3000   12.61 ms   (12.49 to 12.72)   inside the data
              N = 9000   113.2 ms   (112.1 to 114.2)   2.57 times beyond the data
              ! a cache may end beyond the data: measure closer to N = 9000
              all numbers: cll show prog.cll   (or prog.cll/prog.html)
        "#]],
    );
}

#[test]
fn intervals_have_a_line_each() {
    check(
        "intervals",
        expect![[r#"
        init  init.c:23                         25 sizes, N = 64 to 4096, 5 runs of each
          t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
          t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579
          error 0.5 % (median), 0.9 % for 9 of 10 sizes
          N = 3000     17.12 ms   (16.91 to 17.34)   inside the data
          N = 1500     1.38 ms    (1.36 to 4.32)     between two intervals
          N = 900000   1540 s     (1521 to 1559)
            25 min 40 s, 220 times beyond the data
          ! a cache may end beyond the data: measure closer to N = 900000
          2 notes more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "nothing asked",
        expect![[r#"
        init  init.c:23                         25 sizes, N = 64 to 4096, 5 runs of each
          t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
          t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579
          error 0.5 % (median), 0.9 % for 9 of 10 sizes
          predict: cll predict prog.cll --at N=...
          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn predictions_beyond_the_room_are_counted() {
    check(
        "many predictions",
        expect![[r#"
        init  init.c:23                         25 sizes, N = 64 to 4096, 5 runs of each
          t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
          t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579
          error 0.5 % (median), 0.9 % for 9 of 10 sizes
          N = 100    7.66 µs    (7.55 to 7.76)     inside the data
          N = 200    26.4 µs    (26.0 to 26.8)     inside the data
          N = 300    57.3 µs    (56.5 to 58.1)     inside the data
          N = 400    100.3 µs   (97.7 to 101.6)    inside the data
          N = 500    155.6 µs   (152.8 to 157.6)   inside the data
          N = 600    223.0 µs   (219.8 to 225.9)   inside the data
          N = 700    303 µs     (298 to 307)       inside the data
          N = 800    394 µs     (389 to 400)       inside the data
          31 predictions more: cll predict prog.cll --at N=...
          4 notes more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn several_variables_and_counts() {
    check(
        "several variables",
        expect![[r#"
        fft  fft.c:9          48 points, N = 1024 to 131072, P = 1 to 32, 3 runs of each
          t = 2.5 µs + 4.08 ns*N*log2(N)/P + 9.2 ns*N/P + 5.96 µs*P
          error 0.8 % (median), 2.5 % for 9 of 10 points
          N = 2097152, P = 32   6.41 ms   (6.24 to 6.59)   16 times beyond the data (N)
          ! a cache may end beyond the data: measure closer to N = 2097152
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "counts",
        expect![[r#"
        walk  walk.c:3                           7 sizes, N = 41 to 3500, 2 runs of each
          instructions = 294 + 9*N + 5*N*N
          error 0 %: the formula gives all sizes exactly
          N = 9000   405.081e6 instructions   (exact)   2.57 times beyond the data
          ! the formula may end beyond the data: measure closer to N = 9000
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "around zero",
        expect![[r#"
        g                                        21 sizes, x = -10 to 10, 4 runs of each
          misses = 0.24 + 2.95*x
          error 5.2 % (median), 31 % for 9 of 10 sizes
          predict: cll predict prog.cll --at x=...
          3 notes more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn what_is_wrong_stands_below_the_name() {
    check(
        "wrong",
        expect![[r#"
        f  f.c:8                              13 sizes, N = 64 to 262144, 2 runs of each
          ! t = f[1]*N does not fit (misses by 34 %); N*log2(N) in place of N does (0 %)
          try: #pragma cll f f[1]*N*log2(N)
          t = 9.5 ns*N
          error 32 % (median), 46 % for 9 of 10 sizes
          N = 1000000   9.52 ms   (0.0 to 30.8)   3.81 times beyond the data
          ! beyond the data f[1]*N*log2(N) gives 19.9 ms, 2.09× as much: measure closer
          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "trouble",
        expect![[r#"
        work  work.c:3                   17 points, P = 4, N = 20 to 360, 3 runs of each
          t = work[0] + work[1]*P - 88 ns*N*log(N) + 31 ns*N*N + 4.9 µs*sqrt(N)
          error 2.7 % (median), 6.2 % for 9 of 10 points
          P = 400, N = 4   no prediction: the data cannot determine work[0] and work[1],
                           and their sum differs from anything measured
          ! the data cannot determine work[0], work[1] (P is 4 at every point): measure
            at other values, or remove a term
          ! 1 of 19 points are not above 0 and left out: measure longer times
          ! the terms work[0] (1), work[2] (N*log(N)), work[3] (N*N), work[4] (sqrt(N))
            can hardly be distinguished: measure a wider range
          2 notes more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "irregular",
        expect![[r#"
        w  w.c:12                               50 sizes, N = 41 to 3500, 8 runs of each
          ! t = w[0] + w[1]*N does not fit (misses by 24 %)
          try: #pragma cll w auto
          t = 38 µs + 990 ns*N
          error 24 % (median), 74 % for 9 of 10 sizes
          measured at the largest N, 3500: 3.49 ms (8 runs)
          N = 3000   no prediction: the model is off by 75 % at N = 2919, which was
                     measured near it
          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "unfitted",
        expect![[r#"
        sort  sort.c:7                                                  cannot be fitted
          formula sort[0]*N
          ! all its samples are 0
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn errors_that_repetitions_explain_are_no_wrong_formula() {
    let options = Options { intervals: Intervals::None, ..Options::default() };
    let mut noisy = 0;
    for seed in 1..40 {
        let mut noise = scenes::Noise::new(seed);
        let mut times = || (0..4).map(|_| 1e-3 * (0.05 + 1.9 * noise.even())).collect::<Vec<f64>>();
        let points: Vec<_> = (1..=20).map(|k| (vec![100.0 * f64::from(k)], times())).collect();
        let fit = scenes::fit("f[0] + f[1]*N", &scenes::data(&["N"], points), &options);
        let lack = fit.quality.lack_of_fit.as_ref().map_or(0.0, |lack| lack.p_value);
        // Errors that would be those of a wrong formula, had repetitions not the same.
        if fit.quality.median_error >= 0.2 && lack >= 0.05 {
            noisy += 1;
            let text = Scene::new(json!({}), &[("", &fit, &[])]).text(kept_there(), &PLAIN);
            assert!(!text.contains("does not fit"), "{text}");
        }
    }
    assert!(noisy > 0);
}

#[test]
fn what_is_not_seen_is_said() {
    check(
        "noise only",
        expect![[r#"
        f  f.c:8                                50 sizes, N = 41 to 3500, 8 runs of each
          t = 4.993 µs   (f[1]: not seen in the data)
          error 0.3 % (median), 0.7 % for 9 of 10 sizes
          N = 3000   5.01 µs   (4.96 to 5.05)   inside the data
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "one point",
        expect![[r#"
        f                                                        1 point, 2 runs of each
          t = 7.0 µs
          error not known: no more points than constants
          at any size   6.98 µs   (5.82 to 8.14)   inside the data
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn a_formula_that_fits_as_well_is_named_with_what_distinguishes_it() {
    check(
        "searched",
        expect![[r#"
        f                                        20 sizes, N = 10 to 200, 2 runs of each
          t = 5.05 µs + 199.7 ns*N
          error 0.9 % (median), 3.5 % for 9 of 10 sizes; formula 61 % probable
          N = 300   65.0 µs   (62.4 to 67.5)   1.5 times beyond the data
          ! 1 + N*log2(N) fits about as well (37 %): measure N = 1600, where they give
            320 µs and 490 µs
          ! a cache may end beyond the data: measure closer to N = 300
          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn doubts_stand_beside_the_numbers() {
    check(
        "not measurable",
        expect![[r#"
        NOT MEASURABLE NOW
          ! another program had 43 % of the processors in 3 of 3 rounds
          > end other programs, or wait
        The results, which must not be used:
        ? init  init.c:23                       25 sizes, N = 64 to 4096, 5 runs of each
        ?   t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
        ?   t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579
        ?   error 0.5 % (median), 0.9 % for 9 of 10 sizes
        ?   N = 3000   17.12 ms   (16.91 to 17.34)   inside the data, not measurable
        ?   1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
    check(
        "disturbed",
        expect![[r#"
        init  init.c:23                         25 sizes, N = 64 to 4096, 5 runs of each
          t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
          t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579
          error 0.5 % (median), 0.9 % for 9 of 10 sizes
          N = 3000   17.12 ms   (16.91 to 17.34)   inside the data, disturbed
          ! the machine was disturbed, and intervals are up to 12 % wider: run this
            again when it is quiet
          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]],
    );
}

#[test]
fn no_experiment_takes_more_than_its_lines() {
    for (name, scene) in gallery() {
        for options in [kept_there(), AnswerOptions::default()] {
            for unicode in [true, false] {
                let style = Style { unicode, ..PLAIN };
                let text = scene.text(options, &style);
                check_lines(name, &text, &style);
                let count = text.lines().count();
                assert!(count <= MAX_LINES, "{name}: {count} lines\n{text}");
                for width in [40, 60, 160] {
                    let style = Style { width, ..style };
                    check_lines(name, &scene.text(options, &style), &style);
                }
            }
        }
        let remarks = |text: &str| {
            text.lines().filter(|line| line.trim_start_matches("? ").starts_with("  ! ")).count()
        };
        let text = scene.text(kept_there(), &PLAIN);
        assert!(remarks(&text) <= 4, "{name}\n{text}");
    }
}

#[test]
fn several_experiments_stand_under_one_table() {
    let text = several(&[&[3000.0]]).text(kept_there(), &PLAIN);
    expect![[r#"
        3 experiments
          experiment  grows as  error  N = 3000                   data
          ──────────  ────────  ─────  ─────────────────────────  ───────────────
          init        N*N       0.5 %  17.12 ms (16.91 to 17.34)  inside
          f           N         0.9 %  604 µs   (580 to 628)      15 times beyond
          init        N*N       0.3 %  12.61 ms (12.49 to 12.72)  inside

        init  init.c:23                         25 sizes, N = 64 to 4096, 5 runs of each
          t = 1.12 µs + 4.5 ns*N + 609 ps*N*N     for N in [64, 1579]
          t = 1.12 µs + 4.5 ns*N + 1.901 ns*N*N   for N > 1579

        f  init.c:41                             20 sizes, N = 10 to 200, 2 runs of each
          t = 5.05 µs + 199.7 ns*N
          ! a cache may end beyond the data: measure closer to N = 3000

        init                                    50 sizes, N = 41 to 3500, 8 runs of each
          t = 4.97 ns*N + c*N*N   (init[0]: not seen in the data)
              c = 300 ps up to N = 603, then 1.22 ns for what is beyond up to 657,
                  rises, then 1.40 ns for what is beyond 1000

          1 note more, all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]]
    .assert_eq(&text);
    for asked in [&[][..], &[&[3000.0][..]], &[&[3000.0][..], &[9000.0]]] {
        let scene = several(asked);
        let text = scene.text(kept_there(), &PLAIN);
        check_lines("several", &text, &PLAIN);
        let mut parts = text.split("\n\n");
        assert!(parts.next().is_some_and(|table| table.lines().count() == 6), "{text}");
        for part in parts {
            assert!(part.lines().count() <= MAX_LINES_EACH + 1, "{text}");
        }
    }
}

#[test]
fn a_ranking_has_the_regions_that_make_the_time() {
    let text = ranked().text(kept_there(), &PLAIN);
    check_lines("ranked", &text, &PLAIN);
    expect![[r#"
        Hot spots                        at N = 1000000; time without the regions inside
          share  region                        time  interval         formula
          ─────  ──────────────────────────  ──────  ───────────────  ──────────────────
           62 %  quick                       2.48 s  2.17 to 2.79 s   2.00 ns*N*log2(N)
           25 %  main:read_all_of_the_input  1.00 s  0.875 to 1.12 s  2.00 ns*N +
                                                                      3.00 ns*N^2
          9.0 %  init                        360 ms  315 to 405 ms    no formula:
                                                                      measured there
          2 regions more: 4.0 % together
          The whole program: 4.10 s (3.90 to 4.30 s); the regions besides main cover
          99 % of it.
          ! this size is beyond the measured sizes, and the shares are extrapolated:
            measure closer
          all numbers: cll show prog.cll   (or prog.cll/prog.html)
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_becomes_of_the_caches_is_told_beyond_the_data() {
    let fit = with_levels();
    let text = |asked: &[f64]| {
        let mut scene = Scene::new(json!({}), &[("init.c:23", &fit, &[asked])]);
        let cache = |name: &str, kib: u64| Cache { name: name.to_owned(), bytes: Bytes(kib << 10) };
        scene.model.experiments[0].working_set = Some("8*N*N".to_owned());
        scene.model.machine = Some(Machine {
            host: "here".to_owned(),
            cpu: "a processor".to_owned(),
            processors: 2,
            caches: vec![cache("L1", 48), cache("L2", 2048), cache("L3", 512 << 10)],
        });
        scene.text(kept_there(), &PLAIN)
    };
    // 98 MB at the largest size, 288 and 648 MB at these.
    let holds = text(&[6000.0]);
    assert!(holds.contains("beyond the data: holds while 275 MiB stay in L3"), "{holds}");
    assert!(!holds.contains("a cache may end"), "{holds}");
    let full = text(&[9000.0]);
    let warning = "! L3 (512 MiB) is full at N = 8190, beyond the data: measure beyond that";
    assert!(full.contains(warning), "{full}");
    for line in holds.lines().chain(full.lines()) {
        assert!(line.width() <= PLAIN.width, "{line}");
    }
}
