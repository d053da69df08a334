//! Fits, predictions, constants, plots.

use crate::host::{Test, experiment, nlogn, powers, trace};

#[test]
fn a_model_is_fitted_called_and_taken_apart() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nm = fit f");
    let constant = test.number("m[1] / 1 s");
    assert!((constant / 2e-9 - 1.0).abs() < 0.02, "{constant}");
    // By the name of the experiment, and of the samples' own model.
    assert_eq!(test.number("m.f[1] / 1 s"), constant);
    assert_eq!(test.number("f[1] / 1 s"), constant);
    let time_at = |n: f64| 1e-6 + 2e-9 * n * n.ln();
    let predicted = test.number("m(N = 2^20) / 1 s");
    assert!((predicted / time_at(2f64.powi(20)) - 1.0).abs() < 0.05, "{predicted}");
    assert_eq!(test.number("m(2^20) / 1 s"), predicted);
    let shown = test.run("m(N = 2^20)");
    assert!(
        shown.contains("f is used beyond its data") && shown.contains("beyond the data"),
        "{shown}"
    );
    // The interval of a model used twice is twice as wide; of independent ones it would not be.
    let ratio = test.number("error(m(N = 1024) + m(N = 1024)) / error(m(N = 1024))");
    assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
    assert!(test.number("error(m(N = 1024) - m(N = 1024)) / 1 s").abs() < 1e-15);
}

#[test]
fn formulas_are_given_searched_and_repaired() {
    let mut test = nlogn();
    test.run("open \"a.dat\"");
    let wrong_shape = test.number("(fit f as f[0] + f[1]*N with intervals = none).error");
    let right_shape = test.number("(fit f).error");
    assert!(right_shape < 0.02 && wrong_shape > 0.05, "{right_shape} {wrong_shape}");
    let quoted = test.number("(fit f as \"g[0] + g[1]*N*log(N)\").error");
    assert!((quoted - right_shape).abs() < 1e-9, "{quoted}");
    let formula = test.run("(search f).formula");
    assert!(formula.contains("N*log(N)") || formula.contains("N*log2(N)"), "{formula}");
    let repaired = test.run("report (suggest f as f[0] + f[1]*N with intervals = none)");
    assert!(repaired.contains("log"), "{repaired}");
    let text = test.run("fit f as f[0] + f[1]*M");
    assert!(text.contains("M"), "{text}");
    let text = test.run("fit f as f[0] + f[1]*N*");
    assert!(text.contains("error["), "{text}");
}

#[test]
fn options_are_those_of_the_command() {
    let mut test = nlogn();
    test.run("open \"a.dat\"");
    let answer = test.run("fit f with wieghts = absolute");
    assert!(
        answer.contains("has no option `wieghts`") && answer.contains("did you mean weights"),
        "{answer}"
    );
    let answer = test.run("fit f with weights = absolut");
    assert!(answer.contains("has no `absolut`"), "{answer}");
    test.run("m = fit f with hold_out = \"N=65536\", confidence = 95%, intervals = none");
    assert!(test.run("report m").contains("95 %"));
    assert_eq!(test.number("count(m.points)"), 10.0);
    let broken = test.run("report (fit f with breaks = [N == 1000, N == 10000])");
    assert!(broken.contains("1000") && broken.contains("10000"), "{broken}");
}

#[test]
fn predictions_are_a_table() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\np = predict f at N = 64:4096:*8, 100000");
    assert_eq!(test.number("count(p.value)"), 4.0);
    assert_eq!(test.number("count(p.inside)"), 3.0);
    let csv = test.run("print p as csv");
    assert!(
        csv.starts_with("N,value [s],low [s],high [s],run_low [s],run_high [s],inside\n64,"),
        "{csv}"
    );
    let answer = test.run("predict f");
    assert!(answer.contains("at which values?") && answer.contains("N = 1000"), "{answer}");
    let answer = test.run("predict f at M = 3");
    assert!(answer.contains("no experiment has a variable M"), "{answer}");
}

#[test]
fn plots_are_drawn_and_written() {
    let two: Vec<Vec<f64>> = [1.0, 2.0, 4.0]
        .iter()
        .flat_map(|p| (6..=12).map(move |k| vec![2f64.powi(k), *p]))
        .collect();
    let g = experiment("g", "g[0]+g[1]*N/P", &["N", "P"], &two, 3, 0.01, |values| {
        1e-6 + 1e-8 * values[0] / values[1]
    });
    let mut test = Test::new([("g.dat", trace(vec![g], "node1"))]);
    test.run("open \"g.dat\"\nm = fit g");
    let plot = test.run("plot m by N");
    assert!(plot.contains("P = 1") && plot.contains("P = 4"), "{plot}");
    // A model alone stands beside what it was fitted to.
    let cll_llac::value::Value::Plot(spec) = test.value("plot m by N for P") else {
        panic!("a plot")
    };
    assert_eq!(spec.series.len(), 3);
    for (series, p) in spec.series.iter().zip([1.0, 2.0, 4.0]) {
        assert_eq!((series.at["P"], series.points.len(), series.curves.len()), (p, 7, 1));
        assert!(series.points.iter().all(|point| point.spread.count == 3));
        let near = |point: &cll_report::PlotPoint| {
            (point.y / (1e-6 + 1e-8 * point.x / p) - 1.0).abs() < 0.05
        };
        assert!(series.points.iter().all(near), "{series:?}");
    }
    for statement in [
        "plot g by N for P into \"a.svg\"",
        "plot g, m by P into \"a.svg\"",
        "plot g.time by g.N for g.P into \"a.svg\"",
        "h(N, P) = 1e-6 s + 1e-8 s*N/P\nplot h at N = 64:4096:*2, P = 1, 4 by N into \"a.svg\"",
        "plot g, h by N into \"a.svg\"",
        "plot m[1] by N into \"a.svg\"",
    ] {
        let answer = test.run(statement);
        assert_eq!(answer, "note: a.svg is written\n", "{statement}");
        let svg = String::from_utf8(test.files.lock().unwrap().remove("a.svg").unwrap()).unwrap();
        assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{statement}");
    }
    let answer = test.run("plot g by N into \"a.png\"");
    assert!(answer.contains("written as SVG"), "{answer}");
    let answer = test.run("plot h");
    assert!(
        answer.contains("along which variable") || answer.contains("at which values"),
        "{answer}"
    );
}

#[test]
fn a_table_can_be_fitted() {
    let mut test = nlogn();
    test.run("open \"a.dat\"\nt = group f by N\nm = fit t as t[0] + t[1]*N*log(N)");
    let constant = test.number("m[1] / 1 s");
    assert!((constant / 2e-9 - 1.0).abs() < 0.02, "{constant}");
    let _ = powers(1, 2);
}
