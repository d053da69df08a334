//! The options of fits and searches: those of `cll fit`, with `_` for `-`.

use cll_analysis::{HoldOut, NamedExpression, Time};
use cll_fit::{Aggregate, Intervals, Loss, Outliers, Weights};

use crate::evaluate::arguments::GivenOptions;
use crate::evaluate::builtin::numbers;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::syntax::ast::{Expr, ExprKind};
use crate::value::Value;

/// The names of all options, in the order in which help shows them.
pub(crate) const FIT_OPTIONS: &[&str] = &[
    "weights",
    "loss",
    "aggregate",
    "intervals",
    "max_intervals",
    "error_threshold",
    "breaks",
    "axis",
    "working_set",
    "no_join",
    "non_negative",
    "signed",
    "hold_out",
    "no_follow",
    "outliers",
    "outlier_limit",
    "confidence",
    "time",
    "observable",
    "column",
    "terms",
    "max_terms",
];

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

impl Evaluator<'_> {
    /// Reads the options of `with`.
    pub(super) fn fit_options(
        &mut self,
        mut options: GivenOptions<'_>,
        scope: &Scope<'_>,
    ) -> Result<FitOptions, Wrong> {
        let mut fit =
            cll_fit::Options { confidence: self.confidence, ..cll_fit::Options::default() };
        let weights = [
            ("relative", Weights::Relative),
            ("absolute", Weights::Absolute),
            ("abs", Weights::Absolute),
        ];
        fit.weights = options.word("weights", &weights)?.unwrap_or(fit.weights);
        let loss = [("squares", Loss::Squares), ("huber", Loss::Huber)];
        fit.loss = options.word("loss", &loss)?.unwrap_or(fit.loss);
        let aggregate = [
            ("median", Aggregate::Median),
            ("minimum", Aggregate::Minimum),
            ("min", Aggregate::Minimum),
            ("mean", Aggregate::Mean),
            ("all", Aggregate::All),
        ];
        fit.aggregate = options.word("aggregate", &aggregate)?.unwrap_or(fit.aggregate);
        fit.join = !options.flag("no_join")?;
        fit.intervals = self.intervals(&mut options, fit.join, scope)?;
        let axis = options.take("axis").and_then(|(_, value)| value);
        fit.axis = axis.map(|expr| self.as_written(expr, scope));
        fit.non_negative = options.flag("non_negative")?;
        fit.signed = options.flag("signed")?;
        fit.follow = !options.flag("no_follow")?;
        let limit = self.option_number(&mut options, "outlier_limit", scope)?;
        let outliers = [
            ("keep", Outliers::Keep),
            ("spikes", Outliers::Spikes),
            ("points", Outliers::Points { limit: limit.unwrap_or(4.0) }),
        ];
        fit.outliers = options.word("outliers", &outliers)?.unwrap_or(fit.outliers);
        fit.confidence = self.confidence_of(&mut options, scope)?.unwrap_or(fit.confidence);
        let time = [("inclusive", Time::Inclusive), ("exclusive", Time::Exclusive)];
        let time = options.word("time", &time)?.unwrap_or_default();
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
        options.end(FIT_OPTIONS)?;
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

    fn intervals(
        &mut self,
        options: &mut GivenOptions<'_>,
        join: bool,
        scope: &Scope<'_>,
    ) -> Result<Intervals, Wrong> {
        let most = self.option_number(options, "max_intervals", scope)?;
        let max_intervals = most.map_or(6, |most| most.clamp(1.0, 64.0) as usize);
        let threshold = self.option_number(options, "error_threshold", scope)?;
        #[derive(Clone, Copy)]
        enum Rule {
            Levels,
            Dynamic,
            Greedy,
            None,
        }
        let rules = [
            ("levels", Rule::Levels),
            ("dynamic", Rule::Dynamic),
            ("greedy", Rule::Greedy),
            ("none", Rule::None),
        ];
        // A choice about intervals asks for them.
        let is_asked = most.is_some() || !join;
        let by_default = if is_asked { Rule::Dynamic } else { Rule::Levels };
        let rule = options.word("intervals", &rules)?.unwrap_or(by_default);
        if let Some((span, value)) = options.take("breaks") {
            let wrong = || -> Wrong {
                let wrong = error("L163", span, "`breaks` takes a condition for each boundary");
                wrong
                    .help("such as `breaks = N == 1448` or `breaks = [N == 512, N == 4096]`")
                    .into()
            };
            let items: Vec<&Expr> = match value.map(|value| &value.kind) {
                Some(ExprKind::List(items)) => items.iter().collect(),
                Some(_) => value.into_iter().collect(),
                None => return Err(wrong()),
            };
            let mut variable: Option<String> = None;
            let mut breaks = Vec::new();
            for item in items {
                let ExprKind::Binary(crate::syntax::ast::Binary::Equal, left, right) = &item.kind
                else {
                    return Err(wrong());
                };
                let name = self.as_written(left, scope);
                if variable.get_or_insert_with(|| name.clone()) != &name {
                    let message = "boundaries lie along one variable";
                    return Err(error("L163", &item.span, message).into());
                }
                breaks.push(self.exact_number(right, scope)?.value);
            }
            return Ok(Intervals::ByHand { variable: variable.ok_or_else(wrong)?, breaks });
        }
        Ok(match rule {
            Rule::Levels => Intervals::levels(),
            Rule::Dynamic => Intervals::Dynamic { max_intervals },
            Rule::Greedy => {
                Intervals::Greedy { error_threshold: threshold.unwrap_or(0.10), max_intervals }
            }
            Rule::None => Intervals::None,
        })
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
