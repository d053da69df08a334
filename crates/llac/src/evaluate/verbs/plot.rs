//! `plot m by N for P into "m.svg"`: anything against anything.

mod samples;

use std::collections::BTreeMap;
use std::sync::Arc;

use cll_report::{CurvePoint, PlotSpec, SvgOptions, svg};
use cll_result::{Doubt, DoubtKind, Doubts};

use super::Phrase;
use super::chart::{KINDS, Kind};
use super::places::{Asked, Plotted, along};
use crate::evaluate::arguments::Clauses;
use crate::evaluate::builtin::numbers;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::plot::{Drawn, Places, constant_steps, picture, sample_points};
use crate::printed::Printed;
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, ExprKind, Span};
use crate::value::{Table, Unit, Value};
use samples::{check_names, rows_as_samples};

impl Evaluator<'_> {
    /// A plot: shown in the terminal, or written as SVG.
    pub(super) fn plot(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        use ClauseWord::{As, At, By, For, Into, With};
        let known = [By, For, At, As, With, Into];
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &known)?;
        let kind = self.kind(&clauses, scope)?;
        if let Some(kind) = kind.filter(|kind| *kind != Kind::Scatter) {
            return self.chart(phrase, kind, scope);
        }
        clauses.options()?.end(&[])?;
        if phrase.arguments.is_empty() {
            let wrong = error("L177", phrase.span, "`plot` needs something to draw");
            return Err(wrong.help("such as `plot m by N`").into());
        }
        let items = clauses.get(At).map_or(&[][..], |clause| &clause.items);
        let variations = self.variations(items, scope)?;
        let by_expr = clauses.single_value(By)?;
        let by = by_expr.and_then(|expr| match &expr.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        });
        let each = clauses.get(For).map_or(&[][..], |clause| &clause.items);
        let each_names = each.iter().filter_map(|item| match &item.value.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        });
        let asked = Asked { by, each: each_names.collect(), variations };
        let mut values = Vec::new();
        for argument in phrase.arguments {
            values.push((
                self.label(argument, scope),
                self.plotted(argument, scope)?,
                &argument.value.span,
            ));
        }
        let columns = values.iter().all(|(_, value, _)| numbers_of(value));
        let spec = match (&values[..], by_expr) {
            ([(_, Plotted::Value(Value::Model(model)), span)], _) => {
                self.model_plot(model, &asked, span)?
            }
            (_, Some(by)) if columns => {
                if let Some(clause) = clauses.get(At) {
                    let wrong = error("L160", &clause.span, "columns are drawn as they are");
                    return Err(wrong
                        .help("rows are chosen before: `(t where M == 390).time`")
                        .into());
                }
                let (x, x_unit) = self.column_of(by, scope)?;
                let title = self.as_written(by, scope);
                let groups =
                    each.first().map(|item| self.words_of(&item.value, scope)).transpose()?;
                let mut drawn = Vec::new();
                let mut unit = Unit::NONE;
                for (label, value, span) in &values {
                    let Plotted::Value(value) = value else { continue };
                    let (y, y_unit) = numbers(value).unwrap_or_default();
                    unit = y_unit;
                    drawn.extend(
                        Drawn::against(label, (&x, &y), groups.as_deref(), kind.is_some())
                            .map_err(|why| error("L177", span, why))?,
                    );
                }
                picture(drawn, (&title, &x_unit), &unit, self.confidence)
            }
            _ => self.mixed_plot(&values, &asked, phrase.span)?,
        };
        match self.svg_file(&clauses, scope, phrase.span)? {
            None => Ok(Value::Plot(Arc::new(spec))),
            Some(file) => self.drawn_into(&file, &svg(&spec, &SvgOptions::default()), phrase.span),
        }
    }

    /// The kind of plot after `as`.
    fn kind(&self, clauses: &Clauses<'_>, scope: &Scope<'_>) -> Result<Option<Kind>, Wrong> {
        let Some(word) = clauses.single_value(ClauseWord::As)? else { return Ok(None) };
        let name = self.name_or_text(word, scope);
        let known = KINDS.iter().find(|(known, _)| *known == name);
        known.map(|(_, kind)| Some(*kind)).ok_or_else(|| {
            let words: Vec<&str> = KINDS.iter().map(|(word, _)| *word).collect();
            let message = format!("`as` takes one of {}", words.join(", "));
            error("L163", &word.span, message).into()
        })
    }

    /// The file of `into`.
    pub(super) fn svg_file(
        &mut self,
        clauses: &Clauses<'_>,
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Option<String>, Wrong> {
        let file = self.file_of(clauses, scope)?;
        if let Some(file) = file.as_ref().filter(|file| !file.ends_with(".svg")) {
            let wrong = error("L177", span, format!("a plot is written as SVG, not as {file}"));
            return Err(wrong.help("such as `into \"fft.svg\"`").into());
        }
        Ok(file)
    }

    /// Writes a picture.
    pub(super) fn drawn_into(
        &mut self,
        file: &str,
        svg: &str,
        span: &Span,
    ) -> Result<Value, Wrong> {
        self.write(file, svg.as_bytes(), span)?;
        self.notice(format!("{file} is written"));
        let json = serde_json::json!({ "file": file });
        Ok(Value::Thing(Arc::new(Printed::text(String::new(), json))))
    }

    fn label(&self, argument: &Argument, scope: &Scope<'_>) -> String {
        match &argument.name {
            Some(name) => name.text.clone(),
            None => self.as_written(&argument.value, scope),
        }
    }

    /// A value, or a constant of a model, which is drawn over its intervals.
    fn plotted(&mut self, argument: &Argument, scope: &Scope<'_>) -> Result<Plotted, Wrong> {
        if let ExprKind::Index(base, index) = &argument.value.kind {
            let model = match self.value(base, scope)? {
                Value::Model(model) => Some(model),
                Value::Samples(samples) => Some(self.own_model(&samples, &base.span)?),
                _ => None,
            };
            if let Some(model) = model {
                let index = self.exact_number(index, scope)?.value;
                return Ok(Plotted::Constant(model, index.max(0.0) as usize));
            }
        }
        self.value(&argument.value, scope).map(Plotted::Value)
    }

    /// Samples, models, functions and constants together.
    fn mixed_plot(
        &mut self,
        values: &[(String, Plotted, &Span)],
        asked: &Asked,
        span: &Span,
    ) -> Result<PlotSpec, Wrong> {
        let Some(by) = asked.by.clone().or_else(|| along(values, asked)) else {
            let wrong = error("L177", span, "along which variable?");
            return Err(wrong.help("such as `plot phi at N = 64:4096:*2 by N`").into());
        };
        let mut drawn = Vec::new();
        let mut unit = None;
        let has_samples =
            values.iter().any(|(_, value, _)| matches!(value, Plotted::Value(Value::Samples(_))));
        for (label, value, place) in values {
            let as_samples = rows_as_samples(value, place)?.map(Plotted::Value);
            let value = as_samples.as_ref().unwrap_or(value);
            let label = if values.len() > 1 || !matches!(value, Plotted::Value(Value::Samples(_))) {
                label.as_str()
            } else {
                ""
            };
            let (own, own_unit) = match value {
                Plotted::Constant(model, index) => {
                    let steps = constant_steps(model, *index, &by, label);
                    steps.map_err(|why| error("L177", place, why))?
                }
                Plotted::Value(Value::Samples(samples)) => {
                    let each = if as_samples.is_some() && asked.each.is_empty() {
                        samples.labels.iter().map(|label| label.name.clone()).collect()
                    } else {
                        asked.each.clone()
                    };
                    if values.len() == 1 {
                        check_names(samples, &each, asked, place)?;
                    }
                    let points = sample_points(samples, &by, label, &each)
                        .map_err(|why| error("L177", place, why))?;
                    let points = points.into_iter().filter(|draw| draw.lies_at(&asked.variations));
                    (points.collect(), samples.unit.clone())
                }
                Plotted::Value(
                    function @ (Value::Model(_) | Value::Function(_) | Value::Thing(_)),
                ) => {
                    let places = self.places_of(function, values, asked, &by, place)?;
                    // A model alone is drawn with what it was fitted to.
                    let own = match function {
                        Value::Model(model) if !has_samples => model.samples.as_ref(),
                        _ => None,
                    };
                    let points = own.map(|samples| sample_points(samples, &by, "", &[]));
                    let points = points.and_then(Result::ok).unwrap_or_default();
                    self.curves_of(function, &places, label, &points, place)?
                }
                Plotted::Value(other) => {
                    let message = format!("{} cannot be drawn by {by}", other.a_kind());
                    return Err(error("L177", place, message).into());
                }
            };
            let known = unit.get_or_insert_with(|| own_unit.clone());
            if *known != own_unit {
                let message = format!("this is in `{own_unit}`, what is before it in `{known}`");
                return Err(error("L177", place, message).into());
            }
            drawn.extend(own);
        }
        if !drawn.iter().any(Drawn::has_values) {
            let wrong = error("L177", span, "none of these values is a finite number");
            return Err(wrong.help("`show` has the ranges of samples").into());
        }
        let unit = unit.unwrap_or_default();
        Ok(picture(drawn, (&by, &Unit::NONE), &unit, self.confidence))
    }

    /// The values of a function as curves, with the points that were measured.
    fn curves_of(
        &mut self,
        function: &Value,
        places: &[Places],
        label: &str,
        points: &[Drawn],
        span: &Span,
    ) -> Result<(Vec<Drawn>, Unit), Wrong> {
        let mut unit = None;
        let mut drawn = Vec::new();
        let z = self.normal();
        for place in places {
            let (mut curve, mut doubts) = (Vec::new(), Doubts::default());
            for &x in &place.along {
                let mut arguments = place.others.clone();
                arguments.push((place.by.clone(), x));
                match self.apply_at(function, &arguments, span)? {
                    Value::Number(number) => {
                        unit.get_or_insert_with(|| number.unit.clone());
                        let band = number.interval(z);
                        curve.push((CurvePoint { x, y: number.value, band }, number.beyond));
                        doubts.extend(number.doubtful.then(|| doubt_of(label)));
                    }
                    other => {
                        let message = format!("it gives {}, not a number", other.a_kind());
                        return Err(error("L177", span, message).into());
                    }
                }
            }
            let at: BTreeMap<String, f64> = place.others.iter().cloned().collect();
            let model = |x: f64| {
                let mut arguments = place.others.clone();
                arguments.push((place.by.clone(), x));
                match self.apply_at(function, &arguments, span) {
                    Ok(Value::Number(number)) => Some(number.value),
                    _ => None,
                }
            };
            drawn.push(Drawn::curve(label, at, curve, doubts).with_points(points, model));
        }
        Ok((drawn, unit.unwrap_or_default()))
    }

    fn column_of(
        &mut self,
        expr: &crate::syntax::ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<(Vec<f64>, Unit), Wrong> {
        let value = self.value(expr, scope)?;
        numbers(&value).ok_or_else(|| {
            let message = format!("`by` takes a variable or a column, not {}", value.a_kind());
            error("L177", &expr.span, message).into()
        })
    }

    /// Finds the words that distinguish series: one for each row.
    fn words_of(
        &mut self,
        expr: &crate::syntax::ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Vec<String>, Wrong> {
        let value = self.value(expr, scope)?;
        let name = self.as_written(expr, scope);
        let name = name.rsplit('.').next().unwrap_or_default().to_owned();
        let all = crate::evaluate::elements(&value).ok_or_else(|| -> Wrong {
            let message = format!("`for` takes a variable or a column, not {}", value.a_kind());
            error("L177", &expr.span, message).into()
        })?;
        let word = |value: &Value| match value {
            Value::Number(number) => format!("{name} = {}", number.value),
            Value::Text(text) => text.to_string(),
            other => crate::display::brief(other),
        };
        Ok(all.iter().map(word).collect())
    }
}

/// The doubt in values of a function that calls a model which is not measurable.
fn doubt_of(label: &str) -> Doubt {
    let text =
        "the model was measured on a disturbed machine, and its numbers are not to be believed";
    let text = match label {
        "" => text.to_owned(),
        label => format!("{label}: {text}"),
    };
    Doubt { kind: DoubtKind::NotMeasurable, text }
}

/// The table of what is drawn, if it is one.
fn table_of(value: &Plotted) -> Option<Table> {
    match value {
        Plotted::Value(value @ (Value::Table(_) | Value::Prediction(_) | Value::Comparison(_))) => {
            crate::display::as_table(value)
        }
        _ => None,
    }
}

fn numbers_of(value: &Plotted) -> bool {
    match value {
        Plotted::Value(value @ (Value::Column(_) | Value::List(_))) => numbers(value).is_some(),
        _ => false,
    }
}
