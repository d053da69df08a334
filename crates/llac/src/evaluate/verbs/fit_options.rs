//! The options of fits and searches: those of `cll fit`, with `_` for `-`.

use cll_analysis::{
    FIT_OPTIONS, GivenFit, HoldOut, NamedExpression, OptionError, OutlierRule, Time,
};

use crate::evaluate::arguments::GivenOptions;
use crate::evaluate::builtin::numbers;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::syntax::ast::{Binary, Expr, ExprKind, Span};
use crate::value::Value;

/// The values of the options.
pub(super) struct FitOptions {
    /// The options of the fit.
    pub fit: cll_fit::Options,
    /// Which time of regions is fitted.
    pub time: Time,
    /// The observable that is fitted in place of the time.
    pub observable: Option<String>,
    /// The column of a table that is fitted.
    pub column: Option<String>,
    /// Bytes that are touched.
    pub working_sets: Vec<NamedExpression>,
    /// Points that are left out and compared.
    pub held_out: Vec<HoldOut>,
    /// The terms of a search.
    pub terms: Option<String>,
    /// Most terms of a search.
    pub max_terms: Option<usize>,
}

/// The names of all options, in the order in which help shows them.
fn option_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = FIT_OPTIONS.iter().map(|option| option.name).collect();
    names.extend(["outlier_limit", "column", "terms", "max_terms"]);
    names
}

fn refused(span: &Span, wrong: &OptionError) -> Wrong {
    error("L163", span, wrong.to_string()).into()
}

impl Evaluator<'_> {
    /// Reads the options of `with`.
    pub(super) fn fit_options(
        &mut self,
        mut options: GivenOptions<'_>,
        scope: &Scope<'_>,
    ) -> Result<FitOptions, Wrong> {
        let limit = self.option_number(&mut options, "outlier_limit", scope)?;
        let outliers = options.word::<OutlierRule>("outliers")?.unwrap_or(OutlierRule::Keep);
        let max_intervals = self.option_number(&mut options, "max_intervals", scope)?;
        let axis = options.take("axis").and_then(|(_, value)| value);
        let given = GivenFit {
            weights: options.word("weights")?,
            loss: options.word("loss")?,
            aggregate: options.word("aggregate")?,
            rule: options.word("intervals")?,
            max_intervals: max_intervals.map(|count| count as usize),
            error_threshold: self.option_number(&mut options, "error_threshold", scope)?,
            breaks: self.breaks(&mut options, scope)?,
            axis: axis.map(|expr| self.as_written(expr, scope)),
            no_join: options.flag("no_join")?,
            non_negative: options.flag("non_negative")?,
            signed: options.flag("signed")?,
            no_follow: options.flag("no_follow")?,
            outliers: Some(
                outliers.with_limit(limit).map_err(|wrong| refused(&options.span, &wrong))?,
            ),
            confidence: self.confidence_of(&mut options, scope)?.or(Some(self.confidence)),
        };
        let fit = given.options().map_err(|wrong| refused(&options.span, &wrong))?;
        let time = options.word("time")?.unwrap_or_default();
        let observable = options.take("observable").and_then(|(_, value)| value);
        let observable = observable.map(|expr| match &expr.kind {
            ExprKind::Text(name) => name.clone(),
            _ => self.as_written(expr, scope).replace('_', "-"),
        });
        let observable = observable.filter(|name| name != "time");
        let column = options.take("column").and_then(|(_, value)| value);
        let column = column.map(|expr| self.name_or_text(expr, scope));
        let working_set = options.take("working_set").and_then(|(_, value)| value);
        let working_sets = working_set
            .map(|expr| NamedExpression { name: None, expression: self.as_written(expr, scope) });
        let held_out = self.held_out(&mut options, scope)?;
        let terms = self.terms(&mut options, scope);
        let max_terms = self.option_number(&mut options, "max_terms", scope)?;
        options.end(&option_names())?;
        Ok(FitOptions {
            fit,
            time,
            observable,
            column,
            working_sets: working_sets.into_iter().collect(),
            held_out,
            terms,
            max_terms: max_terms.map(|count| count.max(1.0) as usize),
        })
    }

    /// The confidence of intervals.
    fn confidence_of(
        &mut self,
        options: &mut GivenOptions<'_>,
        scope: &Scope<'_>,
    ) -> Result<Option<f64>, Wrong> {
        let Some((span, value)) = options.take("confidence") else { return Ok(None) };
        let share = value.map(|value| self.exact_number(value, scope)).transpose()?;
        let share = share.map(|share| share.value).filter(|share| *share > 0.0 && *share < 1.0);
        let wrong = || error("L163", span, "`confidence` is a share between 0 and 1");
        let share = share.ok_or_else(|| wrong().help("such as `confidence = 95%`"))?;
        Ok(Some(share))
    }

    /// Points that are left out and compared.
    fn held_out(
        &mut self,
        options: &mut GivenOptions<'_>,
        scope: &Scope<'_>,
    ) -> Result<Vec<HoldOut>, Wrong> {
        match options.take("hold_out") {
            Some((span, Some(value))) => {
                let texts = self.texts(value, scope)?;
                HoldOut::all(&texts).map_err(|failure| {
                    error("L163", span, crate::model::sentence(&failure).0).into()
                })
            }
            Some((span, None)) => {
                let wrong = error("L163", span, "`hold_out` takes values in quotes");
                Err(wrong.help("such as `hold_out = \"N=4000\"`").into())
            }
            None => Ok(Vec::new()),
        }
    }

    /// The terms of a search, as they are written.
    fn terms(&self, options: &mut GivenOptions<'_>, scope: &Scope<'_>) -> Option<String> {
        match options.take("terms")?.1 {
            Some(Expr { kind: ExprKind::List(items), .. }) => {
                let all: Vec<String> =
                    items.iter().map(|item| self.as_written(item, scope)).collect();
                Some(all.join(","))
            }
            Some(other) => Some(self.as_written(other, scope)),
            None => None,
        }
    }

    /// Boundaries by hand.
    fn breaks(
        &mut self,
        options: &mut GivenOptions<'_>,
        scope: &Scope<'_>,
    ) -> Result<Vec<(String, f64)>, Wrong> {
        let Some((span, value)) = options.take("breaks") else { return Ok(Vec::new()) };
        let wrong = || -> Wrong {
            let wrong = error("L163", span, "`breaks` takes a condition for each boundary");
            wrong.help("such as `breaks = N == 1448` or `breaks = [N == 512, N == 4096]`").into()
        };
        let items: Vec<&Expr> = match value.map(|value| &value.kind) {
            Some(ExprKind::List(items)) => items.iter().collect(),
            Some(_) => value.into_iter().collect(),
            None => return Err(wrong()),
        };
        if items.is_empty() {
            return Err(wrong());
        }
        let mut breaks = Vec::new();
        for item in items {
            let ExprKind::Binary(Binary::Equal, left, right) = &item.kind else {
                return Err(wrong());
            };
            let name = self.as_written(left, scope);
            breaks.push((name, self.exact_number(right, scope)?.value));
        }
        Ok(breaks)
    }

    /// A text, or a list of texts.
    fn texts(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Vec<String>, Wrong> {
        let value = self.value(expr, scope)?;
        let all = match &value {
            Value::Text(text) => Some(vec![text.to_string()]),
            Value::List(values) => values
                .iter()
                .map(
                    |value| {
                        if let Value::Text(text) = value { Some(text.to_string()) } else { None }
                    },
                )
                .collect(),
            _ => None,
        };
        all.ok_or_else(|| {
            let what = if numbers(&value).is_some() { "numbers" } else { value.kind() };
            error("L163", &expr.span, format!("this takes texts in quotes, not {what}")).into()
        })
    }
}
