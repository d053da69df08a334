//! Curves in one plot.

use cll_fit::Unit;
use cll_result::{Curves, Doubt, Doubts, TimedCurve, TimedPoint};
use cll_units::Seconds;

use crate::plot::{Axis, Curve, CurvePoint, PlotPoint, PlotSpec, Scale, Series, Whiskers};

/// A run, with the prediction for it.
fn mark(run: &TimedPoint, model: f64) -> PlotPoint {
    let (count, y) = (1, run.time.get());
    let spread = Whiskers { count, minimum: y, lower_quartile: y, upper_quartile: y, maximum: y };
    let error = (y - model) / y;
    let errors = (error, error);
    PlotPoint { x: run.at, y, spread, model, error, errors, excluded: false, points: 1 }
}

/// The points of a curve of runs.
fn marks(answer: &Curves, curve: &TimedCurve) -> Vec<PlotPoint> {
    let predicted = |run: &TimedPoint| {
        let mut others = answer.curves.iter().filter(|o| !o.of_runs && o.name == curve.name);
        let point = others.find_map(|other| other.points.iter().find(|p| p.at == run.at));
        point.map_or(run.time, |point| point.time).get()
    };
    let runs = curve.points.iter().filter(|_| curve.of_runs);
    runs.map(|run| mark(run, predicted(run))).collect()
}

/// The curve in pieces: inside the data and beyond them. Each piece reaches to the next one.
fn pieces(curve: &TimedCurve) -> Vec<Curve> {
    let point = |p: &TimedPoint| {
        let band = p.low.map(Seconds::get).zip(p.high.map(Seconds::get));
        CurvePoint { x: p.at, y: p.time.get(), band }
    };
    let is_beyond = |p: &TimedPoint| p.beyond == Some(true);
    let mut pieces: Vec<Curve> = Vec::new();
    for pair in curve.points.windows(2) {
        let beyond = pair.iter().any(is_beyond);
        let next = point(&pair[1]);
        match pieces.last_mut().filter(|last| last.beyond == beyond) {
            Some(last) => last.points.push(next),
            None => pieces.push(Curve { interval: 0, beyond, points: vec![point(&pair[0]), next] }),
        }
    }
    if let ([], [only]) = (&pieces[..], &curve.points[..]) {
        pieces.push(Curve { interval: 0, beyond: is_beyond(only), points: vec![point(only)] });
    }
    pieces
}

/// The doubts of all curves; with several, each says of which it is.
fn doubts(answer: &Curves) -> Doubts {
    let is_alone = answer.curves.len() == 1;
    Doubts::new(answer.curves.iter().flat_map(|curve| {
        curve.doubts.iter().map(move |doubt| {
            if is_alone {
                doubt.clone()
            } else {
                Doubt { text: format!("{}: {}", curve.name, doubt.text), ..doubt.clone() }
            }
        })
    }))
}

/// Curves without measured points.
fn drawn(label: String, curves: Vec<Curve>) -> Series {
    Series { label, at: Default::default(), points: Vec::new(), curves }
}

/// A curve in one piece.
fn line(label: String, points: Vec<CurvePoint>) -> Series {
    drawn(label, vec![Curve { interval: 0, beyond: false, points }])
}

/// The other values that the points of a curve have, a series for each.
fn beside(curve: &TimedCurve) -> Vec<Series> {
    let names = curve.points.first().into_iter().flat_map(|point| point.beside.keys());
    let series = names.map(|name| {
        let point = |p: &TimedPoint| {
            let y = p.beside.get(name)?.as_f64()?;
            Some(CurvePoint { x: p.at, y, band: None })
        };
        let points = curve.points.iter().filter_map(point).collect();
        line(format!("{}: {name}", curve.name), points)
    });
    series.collect()
}

/// The time on one processor, divided by the number of processors; `None` if the curves say nothing of scaling.
fn ideal(answer: &Curves, places: &[f64]) -> Option<Series> {
    let mut points = answer.curves.iter().flat_map(|curve| &curve.points);
    let value = points.find_map(|p| p.scaling.map(|s| s.time.get() * s.speed_up))?;
    let ideal = places.iter().map(|&x| CurvePoint { x, y: value / x, band: None });
    Some(line("ideal: T(1)/P".to_owned(), ideal.collect()))
}

/// All curves in one plot; of one program that follows processors also the ideal.
pub fn curves_plot(answer: &Curves) -> PlotSpec {
    let mut places: Vec<f64> =
        answer.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.at)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let powers = places.iter().all(|&place| place > 0.0 && place.log2().fract() == 0.0);
    let wide = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
        low > 0.0 && high >= 10.0 * low
    };
    let times = answer.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.time.get()));
    let mut all: Vec<Series> = (answer.curves.iter())
        .map(|curve| {
            let doubt = if curve.doubts.is_measurable() { "" } else { "? " };
            let label = format!("{doubt}{}: {}", curve.name, curve.kind);
            Series { points: marks(answer, curve), ..drawn(label, pieces(curve)) }
        })
        .collect();
    if let [curve] = &answer.curves[..] {
        all.extend(beside(curve));
    }
    // Measured points come first.
    let mut names: Vec<&str> = answer.curves.iter().map(|curve| curve.name.as_str()).collect();
    names.dedup();
    if let [_] = names[..] {
        all.extend(ideal(answer, &places));
    }
    PlotSpec {
        title: names.join(", "),
        formula: Vec::new(),
        description: if answer
            .curves
            .iter()
            .any(|curve| curve.points.iter().any(|p| p.runs.is_some()))
        {
            format!("Measured and predicted times over {}.", answer.variable)
        } else {
            format!("Predicted times over {}.", answer.variable)
        },
        x: Axis {
            title: answer.variable.clone(),
            unit: Unit::Other(String::new()),
            scale: match (powers, wide(&mut places.iter().copied())) {
                (true, _) => Scale::Binary,
                (false, true) => Scale::Log,
                _ => Scale::Linear,
            },
        },
        y: Axis {
            title: "time".to_owned(),
            unit: Unit::Seconds,
            scale: if wide(&mut times.into_iter()) { Scale::Log } else { Scale::Linear },
        },
        series: all,
        boundaries: Vec::new(),
        references: Vec::new(),
        markers: Vec::new(),
        confidence: 0.9,
        notes: answer.notes.clone(),
        doubts: doubts(answer),
    }
}
