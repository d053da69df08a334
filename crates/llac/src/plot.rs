//! Plots of values: from points and curves to what the report draws.

use std::collections::BTreeMap;

use cll_report::{Axis, Curve, CurvePoint, PlotPoint, PlotSpec, Scale, Series, Whiskers};
use cll_result::Doubts;
use cll_statistics::{quantile, sorted};

use crate::error::Error;
use crate::model::Model;
use crate::samples::Samples;
use crate::value::Unit;

/// Where a function is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The variable along x.
    pub by: String,
    /// The values of that variable.
    pub along: Vec<f64>,
    /// The values of the others.
    pub others: Vec<(String, f64)>,
}

/// A series to draw.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    label: String,
    fixed_values: BTreeMap<String, f64>,
    points: Vec<PlottedSamples>,
    curves: Vec<Piece>,
    doubts: Doubts,
}

/// Values of a function side by side.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Whether they are beyond the data of a model.
    pub beyond: bool,
    pub points: Vec<CurvePoint>,
}

/// A curve in pieces: inside the data and beyond them. Each reaches to the next one.
fn pieces(curve: &[(CurvePoint, bool)]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    if let [(only, beyond)] = curve {
        pieces.push(Piece { beyond: *beyond, points: vec![*only] });
    }
    for pair in curve.windows(2) {
        let beyond = pair[0].1 || pair[1].1;
        match pieces.last_mut().filter(|last| last.beyond == beyond) {
            Some(last) => last.points.push(pair[1].0),
            None => pieces.push(Piece { beyond, points: vec![pair[0].0, pair[1].0] }),
        }
    }
    pieces
}

/// The measurements at a place along x.
#[derive(Clone, Debug)]
struct PlottedSamples {
    x: f64,
    values: Vec<f64>,
    /// The value of the series' function there.
    model: Option<f64>,
}

/// Values by the bits of their place, and by their row if each is to be seen.
type Gathered = BTreeMap<(u64, usize), Vec<f64>>;

impl PlottedSamples {
    fn new(x: f64, values: Vec<f64>) -> PlottedSamples {
        PlottedSamples { x, values, model: None }
    }
}

impl Drawn {
    /// Values of a function, with their intervals.
    pub fn curve(
        label: &str,
        fixed_values: BTreeMap<String, f64>,
        mut curve: Vec<(CurvePoint, bool)>,
        doubts: Doubts,
    ) -> Drawn {
        curve.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x));
        Drawn {
            label: named(label, &fixed_values),
            fixed_values,
            points: Vec::new(),
            curves: pieces(&curve),
            doubts,
        }
    }

    /// Whether there is anything to draw.
    pub fn has_values(&self) -> bool {
        let mut curves = self.curves.iter().flat_map(|piece| &piece.points);
        self.points.iter().any(|point| !point.values.is_empty())
            || curves.any(|point| point.y.is_finite())
    }

    /// With the measured points at the same values of the other variables, and the function there.
    pub fn with_points(
        mut self,
        measured: &[Drawn],
        mut model: impl FnMut(f64) -> Option<f64>,
    ) -> Drawn {
        let here = |other: &&Drawn| {
            self.fixed_values
                .iter()
                .all(|(name, value)| other.fixed_values.get(name) == Some(value))
        };
        let points = measured.iter().filter(here).flat_map(|draw| draw.points.iter().cloned());
        let points = points.map(|point| PlottedSamples { model: model(point.x), ..point });
        self.points = points.collect();
        self
    }

    /// Whether it lies at one of the given values of each variable that it has.
    pub fn lies_at(&self, given: &[(String, Vec<f64>)]) -> bool {
        let mut pairs =
            given.iter().filter_map(|(name, values)| Some((self.fixed_values.get(name)?, values)));
        pairs.all(|(value, values)| values.contains(value))
    }

    /// A column against another one, with a series for each group. Values at one place are put together, unless each
    /// is to be seen.
    ///
    /// # Errors
    /// If their lengths differ.
    pub fn against(
        label: &str,
        (x, y): (&[f64], &[f64]),
        groups: Option<&[String]>,
        scattered: bool,
    ) -> Result<Vec<Drawn>, Error> {
        if x.len() != y.len() || groups.is_some_and(|groups| groups.len() != x.len()) {
            let (label, values, along) = (label.to_owned(), y.len(), x.len());
            return Err(Error::OtherLength { label, values, along });
        }
        let mut all: Vec<(String, Gathered)> = Vec::new();
        for row in 0..x.len() {
            if !x[row].is_finite() || !y[row].is_finite() {
                continue;
            }
            let name = groups.map_or(label, |groups| groups[row].as_str());
            let index = all.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                all.push((name.to_owned(), BTreeMap::new()));
                all.len() - 1
            });
            let place = ((x[row] + 0.0).to_bits(), if scattered { row } else { 0 });
            all[index].1.entry(place).or_default().push(y[row]);
        }
        let drawn = all.into_iter().map(|(label, points)| {
            let point = |((x, _), values)| PlottedSamples::new(f64::from_bits(x), values);
            let mut points: Vec<PlottedSamples> = points.into_iter().map(point).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Drawn {
                label,
                fixed_values: BTreeMap::new(),
                points,
                curves: Vec::new(),
                doubts: Doubts::default(),
            }
        });
        Ok(drawn.collect())
    }
}

/// Measured points along a variable, with a series for each combination of the others, and of the words of the columns
/// of text among `each`.
///
/// # Errors
/// If there is no such variable.
pub(crate) fn sample_points(
    samples: &Samples,
    by: &str,
    label: &str,
    each: &[String],
) -> Result<Vec<Drawn>, String> {
    let Some(along) = samples.variable(by) else {
        return Err(format!(
            "{} has no variable {by}: {}",
            samples.name,
            samples.variables.join(", ")
        ));
    };
    let samples = &samples.prepared();
    let labels: Vec<_> = each.iter().filter_map(|name| samples.label(name)).collect();
    let mut all: Vec<Drawn> = Vec::new();
    for group in &samples.groups {
        let others = samples.variables.iter().zip(&group.values).enumerate();
        let at: BTreeMap<String, f64> = others
            .filter(|(k, _)| *k != along)
            .map(|(_, (name, value))| (name.clone(), *value))
            .collect();
        let mut values = group.cell.inclusive.iter().copied();
        for stretch in &group.cell.stretches {
            let words = labels.iter().map(|label| label.words.word(stretch.origin as usize));
            let words = words.map(str::to_owned).filter(|word| !word.is_empty());
            let label = std::iter::once(named(label, &at)).filter(|text| !text.is_empty());
            let label = label.chain(words).collect::<Vec<_>>().join(", ");
            let series = all.iter().position(|draw| draw.fixed_values == at && draw.label == label);
            let series = series.unwrap_or_else(|| {
                let (points, curves) = (Vec::new(), Vec::new());
                all.push(Drawn {
                    label,
                    fixed_values: at.clone(),
                    points,
                    curves,
                    doubts: Doubts::default(),
                });
                all.len() - 1
            });
            let here = values.by_ref().take(stretch.count as usize);
            let here = here.filter(|value| value.is_finite());
            let x = group.values[along];
            match all[series].points.last_mut() {
                Some(last) if last.x == x => last.values.extend(here),
                _ => all[series].points.push(PlottedSamples::new(x, here.collect())),
            }
        }
    }
    let order = |a: &Drawn, b: &Drawn| {
        let each =
            a.fixed_values.values().zip(b.fixed_values.values()).map(|(a, b)| a.total_cmp(b));
        each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    };
    all.sort_by(order);
    all.iter_mut().for_each(|draw| draw.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    Ok(all)
}

/// A constant over its intervals, with its error.
///
/// # Errors
/// If there is no such constant, or the intervals lie along another variable.
pub(crate) fn constant_steps(
    model: &Model,
    index: usize,
    by: &str,
    label: &str,
) -> Result<(Vec<Drawn>, Unit), String> {
    let values = model.constant(index)?;
    let fit = model.fit(model.only()?)?;
    let is_divided = fit.intervals.len() > 1 || !fit.changes.is_empty();
    if let Some(axis) = fit.axis.as_ref().filter(|axis| *axis != by && is_divided) {
        let parts = if fit.changes.is_empty() { "intervals" } else { "levels" };
        return Err(format!("its {parts} lie along {axis}, not along {by}"));
    }
    let name = format!("{}[{index}]", fit.formula.experiment());
    let constant = fit.constants.iter().find(|values| values.constant == name);
    let segments = constant.map_or(&[][..], |values| &values.segments);
    let range = fit.domain.iter().find(|range| range.variable == by);
    let curves = segments.iter().zip(&values).filter_map(|(segment, number)| {
        let (low, high) = match (&fit.axis, range) {
            (Some(_), _) => fit.measured_range(segment),
            (None, Some(range)) => (range.low, range.high),
            (None, None) => return None,
        };
        let point = |x| CurvePoint { x, y: number.value, band: number.band };
        Some(Piece { beyond: false, points: vec![point(low), point(high)] })
    });
    let curves: Vec<Piece> = curves.collect();
    if curves.is_empty() {
        return Err(format!("{name} has no range along {by}"));
    }
    let doubts = model.doubts(model.only()?);
    let drawn = Drawn {
        label: label.to_owned(),
        fixed_values: BTreeMap::new(),
        points: Vec::new(),
        curves,
        doubts,
    };
    Ok((vec![drawn], Unit::of_fit(&fit.unit)))
}

/// The plot of series.
pub(crate) fn picture(
    drawn: Vec<Drawn>,
    (by, x_unit): (&str, &Unit),
    unit: &Unit,
    confidence: f64,
) -> PlotSpec {
    let xs: Vec<f64> = drawn
        .iter()
        .flat_map(|draw| {
            let curves = draw.curves.iter().flat_map(|piece| &piece.points).map(|point| point.x);
            draw.points.iter().map(|point| point.x).chain(curves).collect::<Vec<_>>()
        })
        .collect();
    let ys = drawn.iter().flat_map(|draw| {
        let curves = draw.curves.iter().flat_map(|piece| &piece.points).map(|point| point.y);
        let points = draw.points.iter().flat_map(|point| point.values.iter().copied());
        curves.chain(points).collect::<Vec<_>>()
    });
    let measured: Vec<f64> =
        drawn.iter().flat_map(|draw| draw.points.iter().map(|p| p.x)).collect();
    let powers = if measured.is_empty() { &xs } else { &measured };
    let binary =
        xs.iter().all(|x| *x > 0.0) && powers.iter().all(|x| *x > 0.0 && x.log2().fract() == 0.0);
    let mut names: Vec<&str> = drawn.iter().map(|draw| draw.label.as_str()).collect();
    names.dedup();
    let title = match names[..] {
        [text] if !text.is_empty() => text.to_owned(),
        _ => format!("{} over {by}", if *unit == Unit::seconds() { "time" } else { "values" }),
    };
    let scale = match (binary, is_wide(&mut xs.iter().copied())) {
        (true, _) if !xs.is_empty() => Scale::Binary,
        (_, true) => Scale::Log,
        _ => Scale::Linear,
    };
    let y_scale = if is_wide(&mut ys.into_iter()) { Scale::Log } else { Scale::Linear };
    let doubts = Doubts::new(drawn.iter().flat_map(|draw| draw.doubts.iter().cloned()));
    PlotSpec {
        description: format!("{title}, {} series.", drawn.len()),
        title,
        formula: Vec::new(),
        x: Axis { title: by.to_owned(), unit: x_unit.to_fit(), scale },
        y: Axis {
            title: if *unit == Unit::seconds() { "time".to_owned() } else { unit.to_string() },
            unit: unit.to_fit(),
            scale: y_scale,
        },
        series: drawn.into_iter().map(series).collect(),
        boundaries: Vec::new(),
        references: Vec::new(),
        markers: Vec::new(),
        confidence,
        notes: Vec::new(),
        doubts,
    }
}

/// Whether values are spread over more than a factor of ten.
fn is_wide(values: &mut dyn Iterator<Item = f64>) -> bool {
    let (low, high) = values
        .fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    low > 0.0 && high >= 10.0 * low
}

fn series(drawn: Drawn) -> Series {
    let point = |PlottedSamples { x, values, model }: PlottedSamples| {
        let values = sorted(values);
        let y = quantile(&values, 0.5);
        let error = model.map_or(0.0, |model| (y - model) / y);
        let error = if error.is_finite() { error } else { 0.0 };
        PlotPoint {
            x,
            y,
            spread: Whiskers {
                count: values.len(),
                minimum: values.first().copied().unwrap_or(y),
                lower_quartile: quantile(&values, 0.25),
                upper_quartile: quantile(&values, 0.75),
                maximum: values.last().copied().unwrap_or(y),
            },
            model: model.unwrap_or(y),
            error,
            errors: (error, error),
            excluded: false,
            points: 1,
        }
    };
    let points = drawn.points.into_iter().filter(|point| !point.values.is_empty());
    let curves = drawn.curves.into_iter().map(|Piece { beyond, points }| Curve {
        interval: 0,
        beyond,
        points,
    });
    Series {
        label: cll_report::escape(&drawn.label),
        at: drawn.fixed_values,
        points: points.map(point).collect(),
        curves: curves.collect(),
    }
}

/// A label with the values of the other variables.
fn named(label: &str, fixed_values: &BTreeMap<String, f64>) -> String {
    let values: Vec<String> =
        fixed_values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match (label.is_empty(), values.is_empty()) {
        (_, true) => label.to_owned(),
        (true, false) => values.join(", "),
        (false, false) => format!("{label}, {}", values.join(", ")),
    }
}
