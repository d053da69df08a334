//! Plots as values, and as SVG.

use cll_fit::Unit;
use cll_report::{
    Axis, Curve, CurvePoint, Gap, Marker, PlotError, PlotOptions, PlotPoint, PlotSpec, Reference,
    Scale, Series, Style, SvgOptions, Theme, Whiskers, plot, svg, terminal_plot,
};
use cll_result::PredictionView;
use proptest::prelude::*;
use roxmltree::{Document, Node};

fn options(width: u32, height: u32) -> SvgOptions {
    SvgOptions { width, height, ..SvgOptions::default() }
}

fn matrix(predict: &[f64]) -> PlotSpec {
    let fit = crate::scenes::matrix();
    let predictions: Vec<PredictionView> =
        predict.iter().map(|n| PredictionView::new(&fit, &[*n])).collect();
    plot(&fit, &predictions, &PlotOptions::default()).expect("a plot")
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|v| v.parse().ok()).expect("a number")
}

/// Left, top, right and bottom of a clip of this id.
fn area(document: &Document<'_>, id: &str) -> (f64, f64, f64, f64) {
    let clip = document.descendants().find(|n| n.attribute("id") == Some(id)).expect("a clip");
    let rect = clip.descendants().find(|n| n.has_tag_name("rect")).expect("a rectangle");
    let (x, y) = (number(rect, "x"), number(rect, "y"));
    (x, y, x + number(rect, "width"), y + number(rect, "height"))
}

/// Centres of the points of the first series inside a group that is clipped so.
fn points(document: &Document<'_>, clip: &str) -> Vec<(f64, f64)> {
    let url = format!("url(#{clip})");
    document
        .descendants()
        .filter(|n| n.has_tag_name("circle"))
        .filter(|n| n.ancestors().any(|a| a.attribute("clip-path") == Some(&url)))
        .map(|n| (number(n, "cx"), number(n, "cy")))
        .collect()
}

#[test]
fn points_stand_where_their_values_are() {
    let spec = matrix(&[]);
    let text = svg(&spec, &options(900, 600));
    let document = Document::parse(&text).expect("XML");
    let (left, top, right, bottom) = area(&document, "plot-main");
    let places = points(&document, "plot-main");
    assert_eq!(places.len(), 25);
    for (x, y) in &places {
        assert!(*x > left && *x < right && *y > top && *y < bottom, "({x}, {y})");
    }
    // x grows by a constant factor, so places are evenly apart; times grow, so they rise.
    let steps: Vec<f64> = places.windows(2).map(|w| w[1].0 - w[0].0).collect();
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    assert!(steps.iter().all(|s| (s - mean).abs() < 0.05 * mean), "{steps:?}");
    assert!(places.windows(2).all(|w| w[1].1 < w[0].1));

    let (_, top, _, bottom) = area(&document, "plot-errors");
    let errors = points(&document, "plot-errors");
    assert_eq!(errors.len(), 25);
    let zero = 0.5 * (top + bottom);
    for ((_, y), p) in errors.iter().zip(&spec.series[0].points) {
        assert!((y - zero) * p.error <= 0.0, "an error of {} below the zero line", p.error);
    }
}

#[test]
fn points_without_a_model_have_no_panel_of_errors() {
    let mut spec = matrix(&[]);
    assert!(svg(&spec, &options(900, 600)).contains("plot-errors"));
    spec.series[0].curves.clear();
    assert!(!svg(&spec, &options(900, 600)).contains("plot-errors"));
}

#[test]
fn the_curve_goes_through_the_model_and_breaks_at_the_boundary() {
    let spec = matrix(&[3000.0, 9000.0]);
    let [series] = &spec.series[..] else { panic!("one series") };
    let kinds: Vec<(usize, bool)> = series.curves.iter().map(|c| (c.interval, c.beyond)).collect();
    assert_eq!(kinds, [(0, false), (1, false), (1, true)]);
    let [gap] = spec.boundaries[..] else { panic!("one boundary") };
    assert_eq!((gap.low, gap.high), (1448.0, 1722.0));
    let end = series.curves[0].points.last().expect("points").x;
    let start = series.curves[1].points[0].x;
    assert!((end - gap.at).abs() < 1e-6 * gap.at && (start - gap.at).abs() < 1e-6 * gap.at);
    // Pieces that meet where the data end share that point.
    assert_eq!(series.curves[1].points.last(), series.curves[2].points.first());
    assert_eq!(series.curves[2].points[0].x, 4096.0);
    assert_eq!(series.curves[2].points.last().map(|p| p.x), Some(9000.0));
    for curve in &series.curves {
        assert!(curve.points.windows(2).all(|w| w[0].x < w[1].x));
        for p in &curve.points {
            let (low, high) = p.band.expect("a band");
            assert!(low <= p.y && p.y <= high);
        }
    }
    let beyond: Vec<bool> = spec.markers.iter().map(|m| m.beyond).collect();
    assert_eq!(beyond, [false, true]);
}

#[test]
fn ticks_of_the_axes_are_round_and_apart() {
    let text = svg(&matrix(&[]), &options(900, 600));
    let document = Document::parse(&text).expect("XML");
    let labels: Vec<&str> = document
        .descendants()
        .filter(|n| {
            n.attribute("class") == Some("faint num") && n.attribute("text-anchor").is_some()
        })
        .filter_map(|n| n.text())
        .collect();
    for expected in ["100", "1000", "10 µs", "1 ms", "10 ms", "0"] {
        assert!(labels.contains(&expected), "{expected} in {labels:?}");
    }
}

#[test]
fn it_is_one_accessible_file_without_scripts_or_anything_from_outside() {
    let spec = matrix(&[3000.0]);
    let text = svg(&spec, &SvgOptions { id: "a b\"<".to_owned(), ..options(900, 600) });
    let document = Document::parse(&text).expect("XML");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let named: Vec<&str> = root.attribute("aria-labelledby").expect("a name").split(' ').collect();
    for id in named {
        let node = document.descendants().find(|n| n.attribute("id") == Some(id)).expect("an id");
        assert!(node.text().is_some_and(|t| t.contains("init")));
    }
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(!matches!(name, "script" | "image" | "foreignObject" | "a" | "use"), "{name}");
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on") && !attribute.name().contains("href"));
        }
    }
    assert!(text.contains("prefers-color-scheme"));
    assert!(
        !text.contains("@import") && !text.contains("url(http") && !text.contains("@font-face")
    );
    assert_eq!(text.matches("http").count(), 1, "the name space alone");
}

#[test]
fn the_same_plot_gives_the_same_bytes() {
    for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
        let options = SvgOptions { theme, ..SvgOptions::default() };
        assert_eq!(svg(&matrix(&[5000.0]), &options), svg(&matrix(&[5000.0]), &options));
    }
}

#[test]
fn a_plot_is_read_back_as_it_was_written() {
    let fit = crate::scenes::fft();
    let predictions = [PredictionView::new(&fit, &[2097152.0, 32.0])];
    let spec = plot(&fit, &predictions, &PlotOptions::default()).expect("a plot");
    let text = serde_json::to_string(&spec).expect("JSON");
    assert_eq!(serde_json::from_str::<PlotSpec>(&text).expect("a plot"), spec);
}

#[test]
fn other_variables_become_series() {
    let fit = crate::scenes::fft();
    let spec = plot(&fit, &[], &PlotOptions::default()).expect("a plot");
    assert_eq!(spec.x.title, "N");
    assert_eq!((spec.x.scale, spec.y.scale), (Scale::Binary, Scale::Log));
    let labels: Vec<&str> = spec.series.iter().map(|s| s.label.as_str()).collect();
    assert_eq!(labels, ["P = 1", "P = 2", "P = 4", "P = 8", "P = 16", "P = 32"]);

    let along_p = PlotOptions { x: Some("P".into()), max_series: 3, ..PlotOptions::default() };
    let spec = plot(&fit, &[], &along_p).expect("a plot");
    let labels: Vec<&str> = spec.series.iter().map(|s| s.label.as_str()).collect();
    assert_eq!(labels, ["N = 1024", "N = 8192", "N = 131072"]);
    assert_eq!(spec.notes, ["3 of 8 combinations of the other variables are shown"]);

    // A prediction where nothing was measured has a series of its own, all of it beyond the data.
    let predictions = [PredictionView::new(&fit, &[4096.0, 64.0])];
    let spec = plot(&fit, &predictions, &PlotOptions::default()).expect("a plot");
    let last = spec.series.last().expect("a series");
    assert_eq!((last.label.as_str(), last.points.len()), ("P = 64", 0));
    assert!(last.curves.iter().all(|c| c.beyond));

    // A recorded variable that the formula does not use can be looked at, too.
    let along = PlotOptions { x: Some("team".into()), ..PlotOptions::default() };
    assert_eq!(plot(&fit, &[], &along).expect("a plot").x.title, "team");
    let along = PlotOptions { x: Some("M".into()), ..PlotOptions::default() };
    let error = plot(&fit, &[], &along).expect_err("no such variable");
    assert!(matches!(error, PlotError::UnknownVariable { .. }));
    assert_eq!(error.to_string(), "M was not recorded; the x axis can be N, P, team");
}

#[test]
fn a_boundary_of_a_quotient_is_another_place_in_each_series() {
    let fit = crate::scenes::shared();
    assert_eq!(fit.axis.as_deref(), Some("N/P"));
    let boundary = fit.boundaries[0].at;
    let spec = plot(&fit, &[], &PlotOptions::default()).expect("a plot");
    assert_eq!(spec.x.title, "N", "the variable with most values");
    assert_eq!(spec.boundaries, [], "no one place for all series");
    for (series, processors) in spec.series.iter().zip([1.0, 2.0, 4.0, 8.0, 16.0]) {
        assert_eq!(series.label, format!("P = {processors}"));
        let [left, right] = &series.curves[..] else { panic!("{}: two pieces", series.label) };
        assert_eq!((left.interval, right.interval), (0, 1));
        let ends = [left.points.last(), right.points.first()];
        for x in ends.map(|end| end.expect("points").x) {
            let place = boundary * processors;
            assert!((x - place).abs() < 1e-6 * place, "{}: {x}", series.label);
        }
    }
    let text = svg(&spec, &options(900, 600));
    assert_coordinates(&Document::parse(&text).expect("XML"));
}

#[test]
fn what_a_logarithmic_axis_cannot_show_is_reported() {
    let fit = crate::scenes::around_zero();
    let log = PlotOptions {
        x_scale: Some(Scale::Log),
        y_scale: Some(Scale::Log),
        ..PlotOptions::default()
    };
    let spec = plot(&fit, &[], &log).expect("a plot");
    let note = "points of zero or less have no place on a logarithmic axis";
    assert!(svg(&spec, &options(900, 600)).contains(note));
    assert!(terminal_plot(&spec, &Style::default(), 10).contains(note));
    let spec = plot(&fit, &[], &PlotOptions::default()).expect("a plot");
    assert_eq!((spec.x.scale, spec.y.scale), (Scale::Linear, Scale::Linear));
    assert!(!svg(&spec, &options(900, 600)).contains(note));
}

#[test]
fn many_points_make_a_small_file() {
    let spec = plot(&crate::scenes::line(20_000), &[], &PlotOptions::default()).expect("a plot");
    assert!(spec.series[0].points.len() <= 302);
    assert_eq!(spec.series[0].points.iter().map(|p| p.points).sum::<usize>(), 20_000);
    let text = svg(&spec, &options(900, 600));
    assert!(text.len() < 200_000, "{} bytes", text.len());
    assert!(text.contains("20000 points put together"));
}

#[test]
fn one_and_two_points() {
    for count in [1, 2] {
        let spec = plot(&crate::scenes::line(count), &[], &PlotOptions::default()).expect("a plot");
        let text = svg(&spec, &options(900, 600));
        let document = Document::parse(&text).expect("XML");
        assert_eq!(points(&document, "plot-main").len(), count);
        assert!(text.contains("class=\"curve model-line\""), "the model is seen");
    }
}

#[test]
fn hostile_names_stay_text() {
    let evil = "</text><script>alert(1)</script>&\"'\u{1b}[31m\u{202e}\u{0}\u{ffff}";
    let mut spec = matrix(&[3000.0]);
    spec.title = evil.to_owned();
    spec.description = evil.to_owned();
    spec.formula = vec![evil.to_owned()];
    spec.x.title = evil.to_owned();
    spec.y = Axis { title: evil.to_owned(), unit: Unit::Other(evil.to_owned()), ..spec.y };
    spec.notes = vec![evil.to_owned()];
    spec.references = vec![Reference { at: 200.0, label: evil.to_owned() }];
    spec.series[0].label = evil.to_owned();
    spec.markers[0].label = evil.to_owned();
    let text = svg(&spec, &options(900, 600));
    let document = Document::parse(&text).expect("XML");
    assert!(document.descendants().all(|n| !n.has_tag_name("script")));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}') && !text.contains('\0'));
    for unicode in [true, false] {
        let style = Style { width: 80, color: false, unicode };
        let text = terminal_plot(&spec, &style, 8);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(!text.contains('\u{202e}'));
        assert!(unicode || text.is_ascii());
    }
}

#[test]
fn numbers_that_are_none_are_not_drawn() {
    let mut spec = matrix(&[3000.0]);
    for (k, bad) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].into_iter().enumerate() {
        spec.series[0].points[3 * k].x = bad;
        spec.series[0].points[3 * k + 1].y = bad;
        spec.series[0].points[3 * k + 2].error = bad;
        spec.series[0].points[3 * k + 2].spread.maximum = bad;
        spec.series[0].curves[0].points[k].y = bad;
        spec.series[0].curves[0].points[k + 5].band = Some((bad, bad));
        spec.boundaries.push(Gap { low: bad, high: bad, at: bad });
        spec.markers.push(Marker { x: bad, y: bad, ..spec.markers[0].clone() });
        spec.references.push(Reference { at: bad, label: "somewhere".into() });
    }
    let text = svg(&spec, &options(900, 600));
    let document = Document::parse(&text).expect("XML");
    assert_coordinates(&document);
    let (left, top, right, bottom) = area(&document, "plot-main");
    for (x, y) in points(&document, "plot-main") {
        assert!(x > left && x < right && y > top && y < bottom);
    }
    terminal_plot(&spec, &Style::default(), 10);
}

#[test]
fn a_curve_of_one_place_is_seen() {
    let mut spec = matrix(&[]);
    spec.series[0].points.clear();
    let style = Style { unicode: true, ..Style::default() };
    let drawn = |spec: &PlotSpec| {
        let text = terminal_plot(spec, &style, 10);
        text.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c))
    };
    let points = vec![spec.series[0].curves[0].points[0]];
    spec.series[0].curves = vec![Curve { interval: 0, beyond: false, points }];
    assert!(drawn(&spec));
    spec.series[0].curves.clear();
    assert!(!drawn(&spec));
}

/// Every coordinate is a number.
fn assert_coordinates(document: &Document<'_>) {
    for node in document.descendants() {
        for name in ["x", "y", "cx", "cy", "r", "width", "height"] {
            if let Some(text) = node.attribute(name) {
                assert!(text.parse::<f64>().is_ok_and(f64::is_finite), "{name}={text}");
            }
        }
        if let Some(d) = node.attribute("d") {
            for part in d.split(|c: char| c.is_ascii_alphabetic() || c == ' ') {
                assert!(part.is_empty() || part.parse::<f64>().is_ok_and(f64::is_finite), "{d}");
            }
        }
    }
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e6..1e6,
        4 => 1e-9..1.0,
        1 => Just(0.0),
        1 => Just(5e-324),
        1 => Just(1.7e308),
        1 => Just(-1.7e308),
        1 => Just(1e-300),
    ]
}

fn a_point() -> impl Strategy<Value = PlotPoint> {
    (value(), value(), value(), value(), -1e3..1e3f64, any::<bool>(), 1usize..5).prop_map(
        |(x, y, minimum, maximum, error, excluded, count)| PlotPoint {
            x,
            y,
            spread: Whiskers {
                count,
                minimum,
                lower_quartile: minimum,
                upper_quartile: maximum,
                maximum,
            },
            model: y,
            error,
            errors: (error, error),
            excluded,
            points: 1,
        },
    )
}

fn a_curve() -> impl Strategy<Value = Curve> {
    let point = (value(), value(), prop::option::of((value(), value())));
    (any::<bool>(), prop::collection::vec(point, 0..6)).prop_map(|(beyond, points)| Curve {
        interval: 0,
        beyond,
        points: points.into_iter().map(|(x, y, band)| CurvePoint { x, y, band }).collect(),
    })
}

prop_compose! {
    fn a_spec()(
        title in "[^N]{0,40}",
        formula in prop::collection::vec("[a-z*+ ]{0,80}", 0..6),
        scales in (0usize..3, 0usize..3),
        series in prop::collection::vec(
            ("[ -M]{0,20}", prop::collection::vec(a_point(), 0..12), prop::collection::vec(a_curve(), 0..3)),
            0..8,
        ),
        gaps in prop::collection::vec((value(), value(), value()), 0..3),
        references in prop::collection::vec((value(), "[^N]{0,12}"), 0..4),
        markers in prop::collection::vec((value(), value(), prop::option::of((value(), value()))), 0..4),
        seconds in any::<bool>(),
        confidence in 0.0..1.0,
    ) -> PlotSpec {
        let scale = [Scale::Linear, Scale::Log, Scale::Binary];
        PlotSpec {
            title,
            formula,
            description: String::new(),
            x: Axis { title: "N".into(), unit: Unit::Other(String::new()), scale: scale[scales.0] },
            y: Axis {
                title: "time".into(),
                unit: if seconds { Unit::Seconds } else { Unit::Other("B".into()) },
                scale: scale[scales.1],
            },
            series: series
                .into_iter()
                .map(|(label, points, curves)| Series { label, at: Default::default(), points, curves })
                .collect(),
            boundaries: gaps.into_iter().map(|(low, high, at)| Gap { low, high, at }).collect(),
            references: references
                .into_iter()
                .map(|(at, label)| Reference { at, label })
                .collect(),
            markers: markers
                .into_iter()
                .map(|(x, y, band)| Marker { x, y, band, label: "p".into(), series: 0, beyond: false })
                .collect(),
            confidence,
            notes: Vec::new(),
            doubts: Default::default(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_plot_of_any_size_is_sound(
        spec in a_spec(),
        wide in 0u32..1500,
        high in 0u32..1000,
        columns in 0usize..140,
        rows in 0usize..40,
        unicode in any::<bool>(),
    ) {
        let text = svg(&spec, &options(wide, high));
        let document = Document::parse(&text).expect("XML");
        assert_coordinates(&document);
        for id in ["plot-main", "plot-errors"] {
            if !text.contains(&format!("id=\"{id}\"")) {
                continue;
            }
            let (left, top, right, bottom) = area(&document, id);
            let (wide, high) = (f64::from(wide.max(16)), f64::from(high.max(16)));
            prop_assert!(left >= 0.0 && top >= 0.0 && right <= wide && bottom <= high);
            prop_assert!(left < right && top < bottom);
            for (x, y) in points(&document, id) {
                let slack = 0.02;
                prop_assert!(x >= left - slack && x <= right + slack);
                prop_assert!(y >= top - slack && y <= bottom + slack);
            }
        }
        for node in document.descendants().filter(|n| n.has_tag_name("text")) {
            let text = node.text().unwrap_or_default();
            prop_assert!(!text.contains("NaN"));
        }
        let style = Style { width: columns, color: false, unicode };
        let text = terminal_plot(&spec, &style, rows);
        prop_assert!(unicode || text.is_ascii());
        prop_assert!(!text.contains("NaN"));
    }
}
