//! Arguments of `cll campaign`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};

use super::arguments::duration;
use super::batch::BatchOptions;
use crate::sampling::{Processors, Variation};

/// Run a program over parameters and processors, keep a book of every run, go on after a stop
///
/// A plan says which program is run for which values of its parameters, on how many processors, how
/// often. Rounds are interleaved over all combinations and shuffled, so that what drifts on the machine
/// does not look like growth. Every run is in the book when it has ended, however this command ends:
/// `cll campaign resume` goes on from there. The book is one SQLite file, the traces lie beside it;
/// `cll fit NAME.campaign` fits them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll campaign check heat.toml
  cll campaign run heat.toml --budget 2h
  cll campaign resume heat.campaign
  cll campaign status heat.campaign --runs
  cll campaign compare monday.campaign tuesday.campaign")]
pub struct CampaignArgs {
    /// What to do
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

/// Check plans, and say how many runs they are and what they may take
#[derive(Debug, Args)]
pub struct CampaignCheckArgs {
    /// The plans
    #[arg(required = true, value_name = "PLAN.toml", value_hint = ValueHint::FilePath)]
    pub plans: Vec<PathBuf>,
}

/// Begin a campaign, or go on with it
///
/// A plan that will take more than an hour is not begun unless --yes or a budget says that this is
/// known. What it will take is told by its `expect`, else by its first runs.
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

    /// Values of a parameter, {NAME} in the program's arguments; may be repeated. {P} there is the number of
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

    /// How often every combination is run. Default: 5
    #[arg(long, value_name = "COUNT", help_heading = "In place of a plan",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Record these with each sample; more than can be recorded at once are in rounds of their own
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "In place of a plan")]
    pub counters: Vec<String>,

    /// End a run after this time. Default: 10m
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "In place of a plan")]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub batch: BatchOptions,

    /// What the campaign is called. Default: the program's name
    #[arg(long, value_name = "NAME", help_heading = "In place of a plan")]
    pub name: Option<String>,

    /// The folder of the book. Default: NAME.campaign
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    /// Begin no run after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// Begin the shuffling with this number
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Go on however long it takes
    #[arg(short, long)]
    pub yes: bool,

    /// Make runs also if the program, or what runs it, has changed since the others
    #[arg(long)]
    pub mixed: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,

    /// The program and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}

/// Go on with a campaign that was stopped
#[derive(Debug, Args)]
pub struct CampaignResumeArgs {
    /// The book
    #[arg(value_name = "BOOK.campaign", value_hint = ValueHint::DirPath)]
    pub book: PathBuf,

    /// Make runs again that failed, took too long, or were skipped for that
    #[arg(long)]
    pub retry: bool,

    /// Begin no run after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    /// Go on however long it takes
    #[arg(short, long)]
    pub yes: bool,

    /// Make runs also if the program, or what runs it, has changed since the others
    #[arg(long)]
    pub mixed: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Tell how far a campaign is, and what failed
#[derive(Debug, Args)]
pub struct CampaignStatusArgs {
    /// The book
    #[arg(value_name = "BOOK.campaign", value_hint = ValueHint::DirPath)]
    pub book: PathBuf,

    /// List every run
    #[arg(long)]
    pub runs: bool,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Tell what has changed between two campaigns of one plan
///
/// For each experiment and point that both have: by what factor the second took longer, with its 90 %
/// interval, and what differs in their environments.
#[derive(Debug, Args)]
pub struct CampaignCompareArgs {
    /// The earlier book
    #[arg(value_name = "BEFORE.campaign", value_hint = ValueHint::DirPath)]
    pub before: PathBuf,

    /// The later one
    #[arg(value_name = "AFTER.campaign", value_hint = ValueHint::DirPath)]
    pub after: PathBuf,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Make one book of several
#[derive(Debug, Args)]
pub struct CampaignMergeArgs {
    /// The books
    #[arg(required = true, num_args = 2.., value_name = "BOOK.campaign",
          value_hint = ValueHint::DirPath)]
    pub books: Vec<PathBuf>,

    /// The folder of the new book
    #[arg(short, long, required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
}
