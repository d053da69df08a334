//! Options of a fit, shared by `cll model` and `cll fit`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use cll_analysis::{NamedExpression, Time};

use super::arguments::{positive_share, share};
use crate::names::Binding;

/// How the constants are found.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Fit")]
pub struct FitOptions {
    /// Minimise the squares of relative or of absolute errors
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub weights: WeightsName,

    /// Minimise the squares of the errors, or Huber's function, by which points far from the model count less
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub loss: LossName,

    /// The value or values that represent the repetitions of a point
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub aggregate: AggregateName,

    /// Where constants change: between levels, or in intervals. Default: levels; dynamic with --max-intervals or --no-join
    #[arg(long, value_enum, value_name = "RULE")]
    pub intervals: Option<IntervalsName>,

    /// Divide into intervals, at most so many. Default: 6
    #[arg(long, value_name = "COUNT",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=64))]
    pub max_intervals: Option<usize>,

    /// The papers' error threshold, for --intervals greedy: largest relative error accepted, such as 10% or 0.1
    #[arg(long, value_name = "SHARE", default_value_t = 0.10, value_parser = positive_share)]
    pub error_threshold: f64,

    /// Use a boundary at this value, such as N=1448; may be repeated. Then no others are searched
    #[arg(long = "break", value_name = "VAR=VALUE")]
    pub breaks: Vec<Binding>,

    /// The variable or expression along which intervals lie, such as N or 8*N*N; or several to choose from, such
    /// as N,P,N*P
    #[arg(long, value_name = "EXPRESSION")]
    pub axis: Option<String>,

    /// Bytes that an experiment touches, such as 8*N*N or, for one experiment, rows=8*N*N; may be repeated.
    /// Boundaries are compared with the sizes of caches
    #[arg(long = "working-set", value_name = "[NAME=]EXPRESSION")]
    pub working_sets: Vec<NamedExpression>,

    /// Divide into intervals, and do not join constants of neighbouring ones, even if they do not differ
    #[arg(long)]
    pub no_join: bool,

    /// Allow no negative constants
    #[arg(long)]
    pub non_negative: bool,

    /// Allow negative constants with levels, too: what they say is no cost
    #[arg(long, conflicts_with = "non_negative")]
    pub signed: bool,

    /// Exclude these points from the fit, such as N=4000 or N=1000,P=4, and report the error there; ranges
    /// too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub hold_out: Vec<String>,

    /// Predict by the formula alone, even if it does not fit the measured values around the prediction
    #[arg(long)]
    pub no_follow: bool,

    /// Keep outliers, or leave out spikes, points, or points=LIMIT (studentised residual)
    #[arg(long, value_name = "RULE", default_value = "keep", value_parser = outliers)]
    pub outliers: OutliersName,

    /// Constants of several experiments that have one value, such as f[1],g[1]; [1] is that constant of every
    /// experiment; may be repeated. A test says whether the data reject it
    #[arg(long, value_name = "CONSTANT,…")]
    pub share: Vec<String>,

    /// Confidence of all intervals
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.90)]
    pub confidence: f64,

    /// Fit the time (or observable) of a region with the regions inside it, or without them
    #[arg(long, value_name = "KIND", default_value = Time::Inclusive.name(),
          value_parser = PossibleValuesParser::new(Time::NAMES).try_map(|name| name.parse::<Time>()))]
    pub time: Time,

    /// Fit this instead of the time, such as page-faults; cll counters lists the names
    #[arg(long, value_name = "NAME", conflicts_with = "cpu_time")]
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

/// `--weights`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WeightsName {
    #[default]
    Relative,
    #[value(alias = "abs")]
    Absolute,
}

/// `--loss`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LossName {
    #[default]
    Squares,
    Huber,
}

/// `--aggregate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AggregateName {
    #[default]
    Median,
    #[value(alias = "min")]
    Minimum,
    Mean,
    All,
}

/// `--intervals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IntervalsName {
    /// No intervals: constants are costs with levels, and jump, rise or bend between them
    Levels,
    /// The best division, by dynamic programming; their number by BIC
    Dynamic,
    /// The papers' rule, with --error-threshold and --max-intervals
    Greedy,
    /// One set of constants everywhere
    None,
}

/// `--outliers`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum OutliersName {
    #[default]
    Keep,
    Spikes,
    Points(f64),
}

fn outliers(text: &str) -> Result<OutliersName, String> {
    match text.split_once('=') {
        None if text == "keep" => Ok(OutliersName::Keep),
        None if text == "spikes" => Ok(OutliersName::Spikes),
        None if text == "points" => Ok(OutliersName::Points(4.0)),
        Some(("points", limit)) => match limit.parse() {
            Ok(limit) if limit > 0.0 => Ok(OutliersName::Points(limit)),
            _ => Err(format!("`{limit}` is not a number above 0")),
        },
        _ => Err("it must be one of keep, spikes, points, points=LIMIT".into()),
    }
}

impl FitOptions {
    /// The options as `cll_fit` takes them.
    pub fn options(&self) -> Result<cll_fit::Options, String> {
        Ok(cll_fit::Options {
            weights: match self.weights {
                WeightsName::Relative => cll_fit::Weights::Relative,
                WeightsName::Absolute => cll_fit::Weights::Absolute,
            },
            loss: match self.loss {
                LossName::Squares => cll_fit::Loss::Squares,
                LossName::Huber => cll_fit::Loss::Huber,
            },
            aggregate: match self.aggregate {
                AggregateName::Median => cll_fit::Aggregate::Median,
                AggregateName::Minimum => cll_fit::Aggregate::Minimum,
                AggregateName::Mean => cll_fit::Aggregate::Mean,
                AggregateName::All => cll_fit::Aggregate::All,
            },
            intervals: self.intervals()?,
            axis: self.axis.clone(),
            join: !self.no_join,
            non_negative: self.non_negative,
            signed: self.signed,
            outliers: match self.outliers {
                OutliersName::Keep => cll_fit::Outliers::Keep,
                OutliersName::Spikes => cll_fit::Outliers::Spikes,
                OutliersName::Points(limit) => cll_fit::Outliers::Points { limit },
            },
            follow: !self.no_follow,
            confidence: self.confidence,
            runs: true,
        })
    }

    fn intervals(&self) -> Result<cll_fit::Intervals, String> {
        let max_intervals = self.max_intervals.unwrap_or(6);
        if let Some(first) = self.breaks.first() {
            if let Some(other) = self.breaks.iter().find(|other| other.name != first.name) {
                return Err(format!(
                    "--break is given for {} and for {}: boundaries lie along one variable",
                    first.name, other.name
                ));
            }
            return Ok(cll_fit::Intervals::ByHand {
                variable: first.name.clone(),
                breaks: self.breaks.iter().map(|binding| binding.value).collect(),
            });
        }
        // A choice about intervals asks for them.
        let is_asked = self.max_intervals.is_some() || self.no_join;
        let by_default = if is_asked { IntervalsName::Dynamic } else { IntervalsName::Levels };
        Ok(match self.intervals.unwrap_or(by_default) {
            IntervalsName::Levels => cll_fit::Intervals::levels(),
            IntervalsName::Dynamic => cll_fit::Intervals::Dynamic { max_intervals },
            IntervalsName::Greedy => {
                cll_fit::Intervals::Greedy { error_threshold: self.error_threshold, max_intervals }
            }
            IntervalsName::None => cll_fit::Intervals::None,
        })
    }
}
