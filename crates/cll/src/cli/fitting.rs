//! Options of a fit, shared by `cll model` and `cll fit`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use cll_analysis::{
    GivenFit, IntervalRule, NamedExpression, OptionError, Time, Words, fit_option, parse_outliers,
};
use cll_fit::{Aggregate, Loss, Outliers, Weights};

use super::arguments::{positive_share, share};
use crate::names::Binding;

/// How the constants are found.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Fit")]
pub struct FitOptions {
    #[arg(long, value_name = "KIND", default_value = Weights::default().word(),
          value_parser = words::<Weights>(), help = about("weights"))]
    pub weights: Weights,

    #[arg(long, value_name = "KIND", default_value = Loss::default().word(),
          value_parser = words::<Loss>(), help = about("loss"))]
    pub loss: Loss,

    #[arg(long, value_name = "KIND", default_value = Aggregate::default().word(),
          value_parser = words::<Aggregate>(), help = about("aggregate"))]
    pub aggregate: Aggregate,

    #[arg(long, value_name = "RULE", value_parser = words::<IntervalRule>(), help = about("intervals"))]
    pub intervals: Option<IntervalRule>,

    #[arg(long, value_name = "COUNT", help = about("max_intervals"),
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=64))]
    pub max_intervals: Option<usize>,

    #[arg(long, value_name = "SHARE", default_value_t = 0.10, value_parser = positive_share,
          help = about("error_threshold"))]
    pub error_threshold: f64,

    #[arg(long = "break", value_name = "VAR=VALUE", help = about("breaks"))]
    pub breaks: Vec<Binding>,

    #[arg(long, value_name = "EXPRESSION", help = about("axis"))]
    pub axis: Option<String>,

    #[arg(long = "working-set", value_name = "[NAME=]EXPRESSION", help = about("working_set"))]
    pub working_sets: Vec<NamedExpression>,

    #[arg(long, help = about("no_join"))]
    pub no_join: bool,

    #[arg(long, help = about("non_negative"))]
    pub non_negative: bool,

    #[arg(long, conflicts_with = "non_negative", help = about("signed"))]
    pub signed: bool,

    #[arg(long, value_name = "VAR=VALUE,…", help = about("hold_out"))]
    pub hold_out: Vec<String>,

    #[arg(long, help = about("no_follow"))]
    pub no_follow: bool,

    #[arg(long, value_name = "RULE", default_value = "keep", value_parser = parse_outliers,
          help = about("outliers"))]
    pub outliers: Outliers,

    /// Constants of several experiments that have one value, such as f[1],g[1]; [1] is that constant of every
    /// experiment; may be repeated. A test says whether the data reject it
    #[arg(long, value_name = "CONSTANT,…")]
    pub share: Vec<String>,

    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.90,
          help = about("confidence"))]
    pub confidence: f64,

    #[arg(long, value_name = "KIND", default_value = Time::default().word(),
          value_parser = words::<Time>(), help = about("time"))]
    pub time: Time,

    #[arg(long, value_name = "NAME", conflicts_with = "cpu_time", help = about("observable"))]
    pub observable: Option<String>,

    /// The same as --observable cpu-time
    #[arg(long)]
    pub cpu_time: bool,
}

impl FitOptions {
    /// The observable to fit instead of the time.
    pub fn fitted(&self) -> Option<&str> {
        if self.cpu_time {
            Some("cpu-time")
        } else {
            self.observable.as_deref().filter(|name| *name != "time")
        }
    }
}

/// Comparison with an older model.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Comparison")]
pub struct CompareArgs {
    /// Compare with this older model, file or folder: which constants have moved
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub compare: Option<PathBuf>,

    /// A smaller relative change of a constant is of no importance, such as 5% or 0.05
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "5%", requires = "compare")]
    pub threshold: f64,

    /// Exit with code 9 if a value of an experiment's model has grown for certain
    #[arg(long, requires = "compare")]
    pub fail_if_slower: bool,
}

/// Reads the words of a choice.
fn words<T: Words>() -> impl TypedValueParser<Value = T> {
    let values = T::WORDS.iter().map(|known| {
        let value = PossibleValue::new(known.word).aliases(known.alias);
        if known.summary.is_empty() { value } else { value.help(known.summary) }
    });
    PossibleValuesParser::new(values)
        .try_map(|text| T::from_word(&text).ok_or_else(|| format!("`{text}` is not known")))
}

/// The help of an option of fits.
fn about(name: &str) -> String {
    fit_option(name).command_line_help()
}

impl FitOptions {
    /// The options as `cll_fit` takes them.
    pub fn options(&self) -> Result<cll_fit::Options, OptionError> {
        GivenFit {
            weights: Some(self.weights),
            loss: Some(self.loss),
            aggregate: Some(self.aggregate),
            rule: self.intervals,
            max_intervals: self.max_intervals,
            error_threshold: Some(self.error_threshold),
            breaks: self
                .breaks
                .iter()
                .map(|binding| (binding.name.clone(), binding.value))
                .collect(),
            axis: self.axis.clone(),
            no_join: self.no_join,
            non_negative: self.non_negative,
            signed: self.signed,
            no_follow: self.no_follow,
            outliers: Some(self.outliers),
            confidence: Some(self.confidence),
        }
        .options()
    }
}
