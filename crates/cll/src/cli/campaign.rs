//! Arguments of `cll campaign`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};

use super::arguments::{budget, duration};
use super::batch::BatchOptions;
use crate::sampling::{Budget, Processors, Variation};

/// Run a program over parameters and processors, and keep every run in a database
///
/// A plan names a program, the values of its parameters, the numbers of processors and the number of
/// rounds. Each round runs all combinations in shuffled order, so that slow changes of the machine do
/// not look like growth. Each run is in the database as soon as it has ended. If this command is
/// stopped, `cll campaign resume` continues. The database is one SQLite file in the folder NAME.campaign, with
/// the traces in the same folder; `cll fit NAME.campaign` fits them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll campaign check heat.toml
  cll campaign run heat.toml --budget 2h
  cll campaign resume heat.campaign
  cll campaign status heat.campaign --runs
  cll campaign compare monday.campaign tuesday.campaign")]
pub struct CampaignArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: CampaignCommand,
}

/// `cll campaign …`.
#[derive(Debug, Subcommand)]
pub enum CampaignCommand {
    Check(CampaignCheckArgs),
    Run(Box<CampaignRunArgs>),
    Resume(CampaignResumeArgs),
    Status(CampaignStatusArgs),
    Compare(CampaignCompareArgs),
    Merge(CampaignMergeArgs),
}

/// Check plans, and print their number of runs and their longest time
#[derive(Debug, Args)]
pub struct CampaignCheckArgs {
    /// The plans
    #[arg(required = true, value_name = "PLAN.toml", value_hint = ValueHint::FilePath)]
    pub plans: Vec<PathBuf>,
}

/// Begin a campaign, or continue it
///
/// A campaign of more than an hour needs --yes or --budget. Its time is estimated from the plan's
/// `expect`, else from its first runs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll campaign run heat.toml
  cll campaign run heat.toml --budget 2h
  cll campaign run --vary N=1000:8000:*2 -n 1:4:*2 --rounds 9 -- ./heat {N}
  cll fit heat.campaign --predict N=16000,P=8")]
pub struct CampaignRunArgs {
    /// The plan; without it the options below make one
    #[arg(value_name = "PLAN.toml", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["vary", "processors", "rounds", "timeout", "name", "command",
                                "launcher", "counters"])]
    pub plan: Option<PathBuf>,

    /// Values of a parameter, {NAME} in the program's arguments; may be repeated. {P} is the number of
    /// processors, {P:3d} a grid of them
    #[arg(long, value_name = "NAME=RANGE", help_heading = "In place of a plan")]
    pub vary: Vec<Variation>,

    /// Numbers of processors, such as 1,2,4 or 1:8:*2
    #[arg(
        short = 'n',
        long = "processors",
        value_name = "RANGE",
        help_heading = "In place of a plan"
    )]
    pub processors: Option<Processors>,

    /// Number of runs of each combination. Default: 5
    #[arg(long, value_name = "COUNT", help_heading = "In place of a plan",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Record these with each sample; counters that cannot be recorded together are recorded in separate rounds
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "In place of a plan")]
    pub counters: Vec<String>,

    /// End a run after this time. Default: 10m
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "In place of a plan")]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub batch: BatchOptions,

    /// The campaign's name. Default: the program's name
    #[arg(long, value_name = "NAME", help_heading = "In place of a plan")]
    pub name: Option<String>,

    /// The campaign's folder. Default: NAME.campaign
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    /// Start no run after this time, elapsed or of all processors together (2core-h)
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub budget: Option<Budget>,

    /// Seed of the shuffled order
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Continue however long it takes
    #[arg(short, long)]
    pub yes: bool,

    /// Make runs even if the program, or its launcher or environment, has changed since the others
    #[arg(long)]
    pub mixed: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,

    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}

/// Continue a campaign that was stopped
#[derive(Debug, Args)]
pub struct CampaignResumeArgs {
    /// The campaign's folder
    #[arg(value_name = "BOOK.campaign", value_hint = ValueHint::DirPath)]
    pub book: PathBuf,

    /// Repeat runs that failed, took too long, or were skipped for such a reason
    #[arg(long)]
    pub retry: bool,

    /// Start no run after this time, elapsed or of all processors together (2core-h)
    #[arg(long, value_name = "TIME", value_parser = budget)]
    pub budget: Option<Budget>,

    /// Continue however long it takes
    #[arg(short, long)]
    pub yes: bool,

    /// Make runs even if the program, or its launcher or environment, has changed since the others
    #[arg(long)]
    pub mixed: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Show a campaign's progress and failures
#[derive(Debug, Args)]
pub struct CampaignStatusArgs {
    /// The campaign's folder
    #[arg(value_name = "BOOK.campaign", value_hint = ValueHint::DirPath)]
    pub book: PathBuf,

    /// List every run
    #[arg(long)]
    pub runs: bool,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Compare two campaigns of one plan
///
/// Prints the ratio of the second time to the first, with its 90 % interval, for each experiment and point
/// that both campaigns have. Also prints the differences between their environments.
#[derive(Debug, Args)]
pub struct CampaignCompareArgs {
    /// The earlier campaign
    #[arg(value_name = "BEFORE.campaign", value_hint = ValueHint::DirPath)]
    pub before: PathBuf,

    /// The later campaign
    #[arg(value_name = "AFTER.campaign", value_hint = ValueHint::DirPath)]
    pub after: PathBuf,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Merge several campaigns into one
#[derive(Debug, Args)]
pub struct CampaignMergeArgs {
    /// The campaigns' folders
    #[arg(required = true, num_args = 2.., value_name = "BOOK.campaign",
          value_hint = ValueHint::DirPath)]
    pub databases: Vec<PathBuf>,

    /// The folder of the new campaign
    #[arg(short, long, required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
}
