//! `compare phi, f at N = 1024:131072:*2, P = 1:32:*2`.

mod constants;

use std::sync::Arc;

use super::Phrase;
use crate::compare::{Compared, ComparedPoint, Comparison, MeasuredPoint, verdict};
use crate::evaluate::arguments::{Clauses, GivenOptions};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::model::Model;
use crate::samples::Samples;
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, Span};
use crate::value::{Quantity, Value};

/// A model to compare.
struct Candidate<'a> {
    name: String,
    value: Value,
    span: &'a Span,
    /// The fitted model, if it is one.
    model: Option<Arc<Model>>,
}

/// Samples with the name under which they are shown.
type NamedSamples = (String, Arc<Samples>);

/// The samples that the first of the fitted models was fitted to.
fn of_a_model(candidates: &[Candidate<'_>]) -> Option<NamedSamples> {
    let own = candidates.iter().find_map(|candidate| candidate.model.as_ref()?.samples.clone());
    own.map(|samples| (samples.name.clone(), samples))
}

impl Evaluator<'_> {
    /// Models at points, with a verdict for each if there are measurements. An experiment stands for its measurements
    /// and for its own fitted model.
    pub(super) fn compare(
        &mut self,
        phrase: &Phrase<'_>,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        use ClauseWord::{Against, At, With};
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[At, Against, With])?;
        let (tolerance, confidence) = self.limits_of(clauses.options()?, phrase.span, scope)?;
        let (candidates, measured) = self.candidates(phrase, scope)?;
        let measured = match clauses.single_value(Against)? {
            Some(expr) => Some((self.as_written(expr, scope), self.samples(expr, scope)?)),
            None => measured.or_else(|| of_a_model(&candidates)),
        };
        let items = clauses.get(At).map_or(&[][..], |clause| &clause.items);
        let samples = measured.as_ref().map(|(_, samples)| &**samples);
        let (variables, at) = self.points(items, samples, phrase.span, scope)?;
        // Of each passage of a parallel program the slowest processor counts, as in fits.
        let measured = measured.map(|(name, samples)| (name, Arc::new(samples.prepared())));
        let samples = measured.as_ref().map(|(_, samples)| &**samples);
        let points = self.compared((&variables, at), &candidates, samples, phrase.span)?;
        let unit = points
            .iter()
            .flat_map(|point| &point.values)
            .find_map(|quantity| quantity.as_ref().ok());
        let unit = unit.map(|quantity| quantity.unit.clone()).unwrap_or_default();
        self.check_units(&candidates, &points, measured.as_ref().map(|pair| &pair.1))?;
        let has_measured = points.iter().any(|point| point.measured.is_some());
        if measured.is_some() && !has_measured {
            self.notice(
                "none of these points was measured: the models are compared with each other only",
            );
        }
        let models = candidates.iter().enumerate().map(|(k, candidate)| Compared {
            name: candidate.name.clone(),
            judgement: has_measured.then(|| verdict(&points, k, tolerance, confidence)),
        });
        let mut comparison = Comparison {
            models: models.collect(),
            variables,
            unit,
            tolerance,
            confidence,
            measured: measured.filter(|_| has_measured).map(|model| model.0).unwrap_or_default(),
            constants: Vec::new(),
            misfits: Vec::new(),
            points,
        };
        self.compare_constants(&candidates, &mut comparison);
        Ok(Value::Comparison(Arc::new(comparison)))
    }

    /// The options: the tolerance and the confidence.
    fn limits_of(
        &mut self,
        mut options: GivenOptions<'_>,
        span: &Span,
        scope: &Scope<'_>,
    ) -> Result<(f64, f64), Wrong> {
        let tolerance = self.option_number(&mut options, "tolerance", scope)?.unwrap_or(0.10);
        let confidence =
            self.option_number(&mut options, "confidence", scope)?.unwrap_or(self.confidence);
        options.end(&["tolerance", "confidence"])?;
        let is_share = |value: f64| value > 0.0 && value < 1.0;
        if !is_share(tolerance) || !is_share(confidence) {
            let message = "`tolerance` and `confidence` are shares between 0 and 1";
            return Err(error("L163", span, message).help("such as `tolerance = 10%`").into());
        }
        Ok((tolerance, confidence))
    }

    /// The models that are compared, and the first samples among the arguments.
    fn candidates<'p>(
        &mut self,
        phrase: &Phrase<'p>,
        scope: &Scope<'_>,
    ) -> Result<(Vec<Candidate<'p>>, Option<NamedSamples>), Wrong> {
        let mut candidates = Vec::new();
        let mut measured: Option<NamedSamples> = None;
        for argument in phrase.arguments {
            let span = &argument.value.span;
            let name = match &argument.name {
                Some(name) => name.text.clone(),
                None => self.as_written(&argument.value, scope),
            };
            let value = self.value(&argument.value, scope)?;
            let model = match &value {
                Value::Samples(samples) => {
                    measured.get_or_insert_with(|| (name.clone(), Arc::clone(samples.samples())));
                    if samples.formula.is_empty() {
                        // It only says what was measured.
                        continue;
                    }
                    Some(self.own_model(samples, span)?)
                }
                Value::Model(model) => {
                    model.only().map_err(|why| error("L136", span, why))?;
                    Some(Arc::clone(model))
                }
                Value::Function(_) | Value::Thing(_) => None,
                other => {
                    let message = format!("{} is no model", other.a_kind());
                    let wrong = error("L178", span, message);
                    return Err(wrong
                        .help("models, functions and experiments are compared")
                        .into());
                }
            };
            candidates.push(Candidate { name, value, span, model });
        }
        if candidates.is_empty() {
            let wrong = error("L178", phrase.span, "`compare` takes models");
            return Err(wrong.help("such as `compare phi, f at N = 64:4096:*2`").into());
        }
        Ok((candidates, measured))
    }

    /// The variables and their values at each point: those that are given, or those that were measured.
    fn points(
        &mut self,
        items: &[Argument],
        measured: Option<&Samples>,
        span: &Span,
        scope: &Scope<'_>,
    ) -> Result<(Vec<String>, Vec<Vec<f64>>), Wrong> {
        if items.is_empty() {
            return measured.map(points_of).ok_or_else(|| {
                let wrong = error("L178", span, "at which points?");
                wrong.help("such as `at N = 64:4096:*2, P = 1, 2, 4`").into()
            });
        }
        let variations = self.variations(items, scope)?;
        let all = self.combinations(&variations, span)?;
        let names = variations.into_iter().map(|(name, _)| name).collect();
        let values = all.into_iter().map(|at| at.into_iter().map(|(_, value)| value).collect());
        Ok((names, values.collect()))
    }

    /// The values of all models at points, with what was measured there.
    fn compared(
        &mut self,
        (variables, at): (&[String], Vec<Vec<f64>>),
        candidates: &[Candidate<'_>],
        measured: Option<&Samples>,
        span: &Span,
    ) -> Result<Vec<ComparedPoint>, Wrong> {
        let mut points: Vec<ComparedPoint> = Vec::with_capacity(at.len());
        let spread = measured.map_or(0.0, common_spread);
        for coordinates in at {
            self.step(candidates.len() as u64, span)?;
            let measured =
                measured.and_then(|samples| measured_at(samples, variables, &coordinates, spread));
            let mut values = Vec::with_capacity(candidates.len());
            for candidate in candidates {
                values.push(self.value_at(candidate, variables, &coordinates)?);
            }
            points.push(ComparedPoint { coordinates, measured, values });
        }
        Ok(points)
    }

    /// The value of a model at a point; an error of the model itself is said at the point.
    fn value_at(
        &mut self,
        candidate: &Candidate<'_>,
        variables: &[String],
        coordinates: &[f64],
    ) -> Result<Result<Quantity, String>, Wrong> {
        let mut given: Vec<(String, f64)> =
            variables.iter().cloned().zip(coordinates.iter().copied()).collect();
        // A model or function takes the variables that it has.
        match &candidate.value {
            Value::Function(function) => {
                given.retain(|(name, _)| function.parameters.contains(name))
            }
            _ => {
                let fit =
                    candidate.model.as_ref().and_then(|model| model.fit(model.only().ok()?).ok());
                if let Some(fit) = fit {
                    given.retain(|(name, _)| {
                        fit.variables.contains(name) || fit.recorded.contains(name)
                    });
                }
            }
        }
        let callee = candidate
            .model
            .as_ref()
            .map_or_else(|| candidate.value.clone(), |model| Value::Model(Arc::clone(model)));
        match self.apply_at(&callee, &given, candidate.span) {
            Ok(Value::Number(number)) => Ok(Ok(number)),
            Ok(other) => {
                let message = format!("{} gives {}, not a number", candidate.name, other.a_kind());
                Err(error("L178", candidate.span, message).into())
            }
            // Bounds of the whole statement are no matter of a point.
            Err(wrong) if matches!(wrong.code, "L140" | "L141" | "L142") => Err(wrong),
            Err(wrong) => Ok(Err(wrong.message.clone())),
        }
    }

    fn check_units(
        &self,
        candidates: &[Candidate<'_>],
        points: &[ComparedPoint],
        measured: Option<&Arc<Samples>>,
    ) -> Result<(), Wrong> {
        let expected = measured.map(|samples| (&samples.unit, "the measurements"));
        let mut expected = expected.map(|(unit, what)| (unit.clone(), what.to_owned()));
        for (k, candidate) in candidates.iter().enumerate() {
            let values: Vec<&Result<Quantity, String>> =
                points.iter().map(|point| &point.values[k]).collect();
            let Some(unit) =
                values.iter().find_map(|value| value.as_ref().ok()).map(|quantity| &quantity.unit)
            else {
                let why = values.iter().find_map(|value| value.as_ref().err());
                let why = why.map_or("it has no value", String::as_str);
                return Err(error(
                    "L178",
                    candidate.span,
                    format!("{} has no value: {why}", candidate.name),
                )
                .into());
            };
            match &expected {
                Some((known, what)) if known != unit => {
                    let named = |unit: &crate::value::Unit| {
                        if unit.is_none() { "no unit".to_owned() } else { format!("`{unit}`") }
                    };
                    let message = format!(
                        "{} gives values in {}, and {what} are in {}",
                        candidate.name,
                        named(unit),
                        named(known)
                    );
                    let help = format!("multiply by `1 {known}` if that is what is meant");
                    return Err(error("L115", candidate.span, message).help(help).into());
                }
                Some(_) => {}
                None => {
                    expected = Some((unit.clone(), format!("the values of {}", candidate.name)))
                }
            }
        }
        Ok(())
    }
}

/// The measured points, by the variables of the samples.
fn points_of(samples: &Samples) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut all: Vec<Vec<f64>> = samples.groups.iter().map(|group| group.values.clone()).collect();
    all.sort_by(|a, b| {
        let each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    (samples.variables.clone(), all)
}

/// Finds the measured values at a point; variables that are not named there may have any value.
fn measured_at(
    samples: &Samples,
    names: &[String],
    coordinates: &[f64],
    spread: f64,
) -> Option<MeasuredPoint> {
    let order: Vec<Option<usize>> = names.iter().map(|name| samples.variable(name)).collect();
    let here = samples.groups.iter().filter(|group| {
        order
            .iter()
            .zip(coordinates)
            .all(|(index, value)| index.is_none_or(|k| group.values[k] == *value))
    });
    let values: Vec<f64> = here
        .filter_map(|group| group.cell(false))
        .flat_map(|cell| cell.inclusive)
        .filter(|value| value.is_finite())
        .collect();
    let count = values.len();
    let (median, deviation) = cll_statistics::median_and_deviation(&values)?;
    // The spread of few repetitions is that of all points.
    let deviation = deviation.max(spread * median.abs());
    // The median of normal numbers has 1.2533 times the standard deviation of their mean.
    Some(MeasuredPoint { median, deviation: 1.2533 * deviation / (count as f64).sqrt(), count })
}

/// The relative standard deviation of repetitions, of all points together; 0 without repetitions. It follows from
/// differences of pairs, whose distribution does not depend on the number of repetitions: their median is 0.9539
/// standard deviations of normal numbers.
fn common_spread(samples: &Samples) -> f64 {
    let mut all = Vec::new();
    for group in &samples.groups {
        let values = &group.cell.inclusive;
        let Some(median) = cll_statistics::median(values.iter().copied()) else { continue };
        // Repetitions that follow one another may be alike.
        let apart = (values.len() / 2).max(1);
        let pairs = values.iter().zip(values.iter().skip(apart));
        all.extend(pairs.map(|(a, b)| ((a - b) / median).abs()).filter(|pair| pair.is_finite()));
    }
    cll_statistics::median(all).unwrap_or(0.0) / 0.9539
}
