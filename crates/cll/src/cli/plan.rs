//! Arguments of `cll plan`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::arguments::budget;
use crate::sampling::{Budget, Varied};

/// Say which points to measure next, for the narrowest prediction within a budget
///
/// MODEL has a formula and what was measured. This command chooses the points that, measured as well, make the
/// predictions of --predict narrow (without it: the constants). Some check the formula where nothing was measured, and
/// some lie in the gap of a boundary. If a search could not distinguish formulas, points that do are among them. What a
/// point costs is predicted by the model. With --out the points are a plan that `cll campaign run` runs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll plan matrix.cll --predict N=2^13 --budget 10m
  cll plan heat.json --predict N=2^21,P=32 --budget 10core-min --vary N=2^10:2^17:*2 --vary P=1:32:*2
  cll plan heat.json --predict N=2^21,P=32 --budget 2core-h --out next.toml -- ./heat {N}
  cll campaign run next.toml")]
pub struct PlanArgs {
    /// The model: model.json, or a folder written by cll model
    #[arg(value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: PathBuf,

    /// Plan for predictions at these values, such as N=3000 or N=2^21,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// The time that the points may take, such as 90, 10m, 2h, or of all processors together, 10core-min
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub budget: Budget,

    /// Values among which points are chosen; may be repeated. LO:HI without a step gives up to 17. Default: the
    /// measured range and, except of P, up to four times its largest value
    #[arg(long, value_name = "NAME=RANGE")]
    pub vary: Vec<Varied>,

    /// Runs of each point. Default: as many as the measured points have
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,

    /// Plan only for this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Write the points as a plan of a campaign
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,

    /// For --out: the program and its arguments; {NAME} is a value, {P} the number of processors
    #[arg(last = true, value_name = "PROGRAM ARGS", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}
