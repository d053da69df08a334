//! Plots: the errors that they show, the series that are asked for, charts.

use cll_llac::value::Value;
use cll_report::PlotSpec;

use crate::host::{Test, experiment, nlogn, trace};

/// `f` takes 1 ms + 2 µs N M, with 3 % noise, at N = 10 to 50, M = 130, 260, 390.
fn grid() -> Test {
    let points: Vec<Vec<f64>> = [130.0, 260.0, 390.0]
        .into_iter()
        .flat_map(|m| [10.0, 20.0, 30.0, 40.0, 50.0].map(|n| vec![n, m]))
        .collect();
    let time = |point: &[f64]| 1e-3 + 2e-6 * point[0] * point[1];
    let f = experiment("f", "f[0]+f[1]*N*M", &["N", "M"], &points, 3, 0.03, time);
    let mut test = Test::new([("a.dat", trace(vec![f], "node1"))]);
    test.run("open \"a.dat\"\nm = fit f");
    test
}

fn plot(test: &mut Test, text: &str) -> PlotSpec {
    match test.value(text) {
        Value::Plot(plot) => PlotSpec::clone(&plot),
        other => panic!("{text} gives a {}", other.kind()),
    }
}

fn largest_error(plot: &PlotSpec) -> f64 {
    let points = plot.series.iter().flat_map(|series| &series.points);
    points.map(|point| point.error.abs()).fold(0.0, f64::max)
}

#[test]
fn errors_are_those_of_the_model_in_every_plot() {
    let mut test = grid();
    let fitted = test.number("max(abs(m.points.error))");
    assert!(fitted > 0.005, "{fitted}");
    for text in ["plot m by N", "plot m by N for M"] {
        let plot = plot(&mut test, text);
        assert_eq!(plot.series.len(), 3, "{text}");
        assert!((largest_error(&plot) - fitted).abs() < 1e-9, "{text}: {}", largest_error(&plot));
    }
    // A function beside the model: the points have the model's errors.
    test.run("twice(N, M) = 2*m(N = N, M = M)");
    let both = plot(&mut test, "plot m, twice by N at M = 260, N = 10:50:+10");
    assert!(largest_error(&both) > 0.001 && largest_error(&both) < 0.1);
    // Samples alone are compared with nothing.
    let text = test.run("plot f by N into \"f.svg\"");
    assert!(text.contains("f.svg is written"), "{text}");
    let svg = test.files.lock().unwrap()["f.svg"].clone();
    assert!(!String::from_utf8(svg).unwrap().contains("error (%)"));
}

#[test]
fn series_are_those_that_are_asked_for() {
    let mut test = grid();
    let values_of = |test: &mut Test, text: &str| -> Vec<f64> {
        plot(test, text).series.iter().map(|series| series.at["M"]).collect()
    };
    assert_eq!(values_of(&mut test, "plot m by N at M = 390"), [390.0]);
    assert_eq!(values_of(&mut test, "plot m by N at M = 130, 390"), [130.0, 390.0]);
    assert_eq!(values_of(&mut test, "plot f by N at M = 390"), [390.0]);
    // M = 500 was not measured: a curve where N was.
    let beyond = plot(&mut test, "plot m by N at M = 500");
    assert_eq!((beyond.series.len(), beyond.series[0].points.len()), (1, 0));
    let curve = &beyond.series[0].curves;
    let last = curve.last().unwrap().points.last().unwrap();
    assert_eq!(last.x, 50.0);
    assert!((last.y - 51e-3).abs() < 2e-3, "{}", last.y);
    // Values along x are predictions of each series.
    let marked = plot(&mut test, "plot m by N at M = 390, N = 80");
    assert_eq!((marked.markers.len(), marked.series.len()), (1, 1));
    assert_eq!(plot(&mut test, "plot m by N at N = 80").markers.len(), 3);
    for text in ["plot m by N at Q = 3", "plot m by N for Q", "plot f by N at Q = 3"] {
        assert!(test.run(text).contains("no variable Q: N, M"), "{text}");
    }
    assert!(test.run("plot f.time by f.N at M = 390").contains("columns are drawn as they are"));
}

#[test]
fn groups_and_predictions_are_drawn() {
    let mut test = grid();
    let means = plot(&mut test, "plot (group f by N, M) by N");
    assert_eq!(means.series.len(), 3);
    let median = test.number("median((f where N == 10 and M == 130).time) / 1 s");
    assert!((means.series[0].points[0].y - median).abs() < 1e-15);
    assert_eq!(plot(&mut test, "plot (group f by M) by M").series[0].points.len(), 3);
    let predicted = plot(&mut test, "plot (predict m at N = 60:80:+10, M = 130) by N");
    assert_eq!(predicted.series[0].points.len(), 3);
    let files = test.files.clone();
    files
        .lock()
        .unwrap()
        .insert("t.csv".into(), "host,n,time_s\na,1,2\nb,1,3\na,2,4\nb,2,6\n".into());
    test.run("open \"t.csv\"");
    let labels: Vec<String> =
        plot(&mut test, "plot t by n").series.iter().map(|series| series.label.clone()).collect();
    assert_eq!(labels, ["a", "b"]);
}

#[test]
fn each_value_is_a_point_of_a_scatter() {
    let mut test = grid();
    let together = plot(&mut test, "plot f.time by f.N").series[0].points.len();
    let scattered = plot(&mut test, "plot f.time by f.N as scatter").series[0].points.len();
    assert_eq!((together, scattered), (5, 45));
}

#[test]
fn charts_are_shown_and_written() {
    let mut test = nlogn();
    let files = test.files.clone();
    files.lock().unwrap().insert("t.csv".into(), "host,n,time_ms\nb,1,30\na,1,2\na,2,4\n".into());
    test.run("open \"a.dat\"\nopen \"t.csv\"");
    let bars = test.run("plot t by host as bars");
    let lines: Vec<&str> = bars.lines().collect();
    assert_eq!(lines[0], "time by host");
    assert!(
        lines[1].starts_with("a  3.000 ms  █") && lines[2].starts_with("b  30.00 ms  ██"),
        "{bars}"
    );
    let blocks = |line: &str| line.matches('█').count();
    let ratio = blocks(lines[2]) as f64 / blocks(lines[1]) as f64;
    assert!((9.0..11.0).contains(&ratio), "{bars}");
    let boxes = test.run("plot t by host as boxes");
    assert!(boxes.contains('▒') && boxes.contains('┃'), "{boxes}");
    let histogram = test.run("plot f as histogram with bins = 4");
    assert_eq!(histogram.lines().count(), 5, "{histogram}");
    let json = cll_llac::json(&test.value("plot f as histogram with bins = 4"), 0.9);
    let counts = &json["content"]["chart"]["content"]["histogram"]["series"][0][1];
    let total: u64 = counts.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(total, 55);
    for (kind, name) in [("histogram", "h"), ("boxes by N", "b"), ("bars by N", "c")] {
        let (kind, by) = kind.split_once(" by ").unwrap_or((kind, ""));
        let by = if by.is_empty() { String::new() } else { format!("by {by}") };
        test.run(&format!("plot f {by} as {kind} into \"{name}.svg\""));
        let svg = files.lock().unwrap()[&format!("{name}.svg")].clone();
        let svg = String::from_utf8(svg).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("f.time"), "{kind}");
        assert!(svg.matches("<rect").count() >= 5, "{kind}");
    }
    assert!(test.run("plot f as pie").contains("`as` takes one of histogram"));
    assert!(test.run("plot f by N as histogram").contains("a histogram has no `by`"));
}
