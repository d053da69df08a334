//! `cll campaign`: many runs, kept in a database.

mod batch;
mod collect;
mod compare;
mod estimate;
mod lines;
mod local;
mod prepare;
mod runner;
mod status;
mod view;

use cll_campaign::{Budget, Plan};
use cll_diagnostic::counted;
use cll_report::plan_text;

use crate::cli::{
    CampaignArgs, CampaignCheckArgs, CampaignCommand, CampaignMergeArgs, CampaignResumeArgs,
    CampaignRunArgs,
};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use cll_campaign_db::{Campaign, CampaignDb, Environment};
use cll_counters::Observing;

use estimate::Consent;
use prepare::Prepared;

/// The limits of a call.
#[derive(Clone, Copy, Debug)]
struct Limits {
    budget: Option<Budget>,
    yes: bool,
    quiet: bool,
    mixed: bool,
}

/// Runs a command.
pub fn run(args: &CampaignArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.command {
        CampaignCommand::Check(args) => check(args, terminal),
        CampaignCommand::Run(args) => begin(args, terminal),
        CampaignCommand::Resume(args) => resume(args, terminal),
        CampaignCommand::Status(args) => status::run(args, terminal),
        CampaignCommand::Compare(args) => compare::run(args, terminal),
        CampaignCommand::Merge(args) => merge(args, terminal),
    }
}

fn check(args: &CampaignCheckArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut failed = false;
    for path in &args.plans {
        match prepare::read(path, terminal) {
            Ok((mut plan, home)) => {
                let prepared = Prepared::new(&plan, &home, terminal).and_then(|prepared| {
                    plan = prepared.divided(plan.clone())?;
                    Ok(())
                });
                let line = format!("{}: {}", path.display(), plan_text(&plan));
                terminal.line(line)?;
                failed |= prepared.is_err();
                prepared.or_else(|failure| print_failure(failure, terminal))?;
            }
            Err(Failure::Reported(Status::Input)) => failed = true,
            Err(failure) => return Err(failure),
        }
    }
    if failed { Err(Failure::Reported(Status::Input)) } else { Ok(0) }
}

fn print_failure(failure: Failure, terminal: &Terminal) -> Result<(), Failure> {
    match failure {
        Failure::Message { message, help, .. } => {
            terminal.complain(&message, &help);
            Ok(())
        }
        other => Err(other),
    }
}

fn begin(args: &CampaignRunArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (plan, home) = match &args.plan {
        Some(path) => prepare::read(path, terminal)?,
        None => prepare::by_options(args)?,
    };
    let prepared = Prepared::new(&plan, &home, terminal)?;
    let plan = prepared.divided(plan)?;
    let folder = args.output.clone().unwrap_or_else(|| prepare::folder(&plan.name));
    let limits =
        Limits { budget: args.budget, yes: args.yes, quiet: args.quiet, mixed: args.mixed };
    if cll_campaign_db::is_campaign_db(&folder) {
        let database = CampaignDb::resume(&folder)?;
        let campaign = database.campaign()?;
        if campaign.plan.without_limits() != plan.without_limits() || campaign.folder != home {
            return Err(Failure::usage(format!(
                "{} holds the runs of another plan",
                folder.display()
            ))
            .help("-o DIR begins another campaign; cll campaign resume continues that one"));
        }
        // Its rounds stay divided into groups as before.
        let counters = campaign.plan.counters;
        let campaign = Campaign { plan: Plan { counters, ..plan }, ..campaign };
        return go_on(database, &campaign, &prepared, limits, false, terminal);
    }
    let seed = args.seed.or(plan.seed).unwrap_or_else(|| u64::from(fastrand::u32(..)));
    if let Some(text) = Observing::in_groups(plan.counters.clone()).in_words() {
        terminal.note(&text);
    }
    // Reported before anything is created.
    let allowed = estimate::Allowed::new(&plan, limits);
    if let Consent::Asked(failure) =
        estimate::before(&plan, plan.runs(), &allowed, terminal, args.quiet)
    {
        return Err(failure);
    }
    let database = CampaignDb::create(&folder, &plan, &home, seed)?;
    let campaign = database.campaign()?;
    go_on(database, &campaign, &prepared, limits, false, terminal)
}

fn resume(args: &CampaignResumeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let database = CampaignDb::resume(&args.book)?;
    let campaign = database.campaign()?;
    let prepared = Prepared::new(&campaign.plan, &campaign.folder, terminal)?;
    let limits =
        Limits { budget: args.budget, yes: args.yes, quiet: args.quiet, mixed: args.mixed };
    go_on(database, &campaign, &prepared, limits, args.retry, terminal)
}

/// Makes the remaining runs.
fn go_on(
    mut database: CampaignDb,
    campaign: &Campaign,
    prepared: &Prepared,
    limits: Limits,
    retry: bool,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    runner::end_strays(&campaign.key);
    let (cut, gone) = database.recover(campaign)?;
    let counts = database.counts()?;
    if counts.ended() > 0 && !limits.quiet {
        terminal.note(&format!(
            "continuing {}: {} of {} made",
            database.folder().display(),
            counts.ended(),
            counted(counts.all() as usize, "run is", "runs are")
        ));
    }
    for (count, alone, together) in [
        (cut, "run was cut off and is made again", "runs were cut off and are made again"),
        (
            gone,
            "run has lost its trace and is made again",
            "runs have lost their traces and are made again",
        ),
    ] {
        if count > 0 {
            terminal.note(&counted(count as usize, alone, together));
        }
    }
    let waits = retry || database.waiting(campaign)?.iter().any(|run| run.job.is_none());
    if waits {
        same_program(&database, campaign, prepared, limits, terminal)?;
    }
    if retry {
        let count = database.retry(campaign)?;
        terminal.note(&counted(
            count as usize,
            "run that had failed is made again",
            "runs that had failed are made again",
        ));
    }
    let interrupted = match prepared.system() {
        None => local::make(&database, campaign, prepared, limits, terminal)?,
        Some(system) => batch::make(&mut database, campaign, prepared, system, limits, terminal)?,
    };
    status::after(&database, interrupted, limits.quiet, terminal)
}

/// Checks that the remaining runs would be of the same program as those that are made, run in the same way.
///
/// # Errors
/// If they would not, and --mixed is not given.
fn same_program(
    database: &CampaignDb,
    campaign: &Campaign,
    prepared: &Prepared,
    limits: Limits,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let environments = database.environments_of_done(Some(campaign))?;
    let Some((before, _)) = environments.last() else { return Ok(()) };
    if before.identity.is_none() && !limits.quiet {
        terminal.note(
            "an older cll has begun the campaign and did not record the program's libraries, the \
             launcher's version and the variables: the program alone is compared",
        );
    }
    let launcher = match (prepared.system(), &prepared.mpirun) {
        (Some(system), _) => system.name().to_owned(),
        (None, Some(mpirun)) => mpirun.line(),
        (None, None) => String::new(),
    };
    let plan = &campaign.plan;
    let now = Environment::read(
        &prepared.program,
        &prepared.instrumented,
        &before.scheduler,
        &launcher,
        &plan.environment,
        prepared.identity(plan),
    );
    let differs = now.is_other(before);
    if differs.is_empty() {
        return Ok(());
    }
    let text = format!(
        "the remaining runs would not match those in {}: {}",
        database.folder().display(),
        differs.join("; ")
    );
    if limits.mixed {
        terminal.warn(&text);
        return Ok(());
    }
    Err(Failure::usage(text)
        .help("cll campaign run with -o DIR begins another campaign")
        .help("--mixed makes them anyway; cll fit then needs --mixed, too"))
}

fn merge(args: &CampaignMergeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let databases: Result<Vec<CampaignDb>, cll_campaign_db::Error> =
        args.databases.iter().map(|path| CampaignDb::open(path)).collect();
    let twice = cll_campaign_db::merge(&args.output, &databases?)?;
    for name in twice {
        terminal.note(&format!("campaign {name} is in two of the databases: it is merged once"));
    }
    let counts = CampaignDb::open(&args.output)?.counts()?;
    let all = counted(counts.all() as usize, "run", "runs");
    terminal.line(format!("{}: {all}", args.output.display()))?;
    Ok(0)
}
