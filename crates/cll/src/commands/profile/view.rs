//! `cll profile view`.

use std::path::PathBuf;
use std::sync::Arc;

use cll_analysis::profile::{self, Viewed};
use cll_analysis::profile_sources;
use cll_files::serve::{Server, Site, token};
use cll_profile::diff::{Difference, diff};
use cll_profile::{Profile, Supersteps};
use cll_report::{ProfilePage, profile_page};
use cll_result::{MpiStats, NodeWaits, PageCalls, PageMachine, PageProfile, ProfileSource};
use cll_units::Seconds;

use crate::cli::ProfileViewArgs;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;

/// The confidence of the interval of a difference; there is none between two runs.
const CONFIDENCE: f64 = 0.95;

/// Values of supersteps of each metric that a page holds, and one that is served.
const PAGE_ROOM: usize = 1 << 21;
const SERVED_ROOM: usize = 1 << 24;

/// A page that takes nothing.
struct Served {
    page: Arc<str>,
    token: String,
}

impl Site for Served {
    fn page(&self) -> Arc<str> {
        Arc::clone(&self.page)
    }

    fn token(&self) -> &str {
        &self.token
    }
}

/// A run with what its page needs.
struct PageRun {
    profile: Profile,
    supersteps: Option<Supersteps>,
    sources: Vec<ProfileSource>,
    machines: Vec<PageMachine>,
    calls: Option<Calls>,
}

struct Calls {
    stats: MpiStats,
    waits: Vec<NodeWaits>,
    slice: Option<Seconds>,
    notes: Vec<String>,
}

/// Writes the page, or serves it.
pub fn run(args: &ProfileViewArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let Runs { shown: runs, more } = Runs::from_args(args)?;
    let path = args.output.clone().unwrap_or_else(|| runs[0][0].with_extension("html"));
    let output = match (&args.output, args.serve) {
        (_, true) => None,
        (Some(path), false) => {
            Some(Output::apart_from(path, &[&args.files[..], &args.with].concat())?)
        }
        (None, false) => Some(Output::derived_page(&path, args.force)?),
    };
    let mut as_on = None;
    let mut shown_runs = Vec::new();
    for viewed in read(args, &runs, terminal)? {
        let by_calls = matches!(viewed, Viewed::Calls(_));
        let (profile, supersteps, calls) = parts(viewed);
        let on = super::on(&args.on, &profile, terminal)?;
        let mut machines =
            if by_calls { Vec::new() } else { PageMachine::published(profile.processors) };
        if let Some(on) = on {
            machines.retain(|machine| machine.name != on.name);
            machines.insert(0, PageMachine::new(on.name.clone(), &on.costs, on.notes));
            as_on = Some(on.name);
        }
        let sources = profile_sources(&profile, files::folder(&runs[shown_runs.len()][0]));
        shown_runs.push(PageRun { profile, supersteps, sources, machines, calls });
    }
    // Both in one unit of the h-relation, as `diff` has it.
    if let [first, other] = &shown_runs[..]
        && first.profile.h_unit != other.profile.h_unit
    {
        shown_runs.iter_mut().for_each(|run| run.profile = run.profile.clone().in_words());
    }
    let difference = difference(&shown_runs, &more, terminal)?;
    let names: Vec<String> = runs.iter().map(|run| files::base(&run[0])).collect();
    let calls: Vec<Option<PageCalls<'_>>> =
        shown_runs.iter().map(|run| run.calls.as_ref().map(of_page)).collect();
    let profiles: Vec<PageProfile<'_>> = (shown_runs.iter().zip(&names).zip(&calls))
        .map(|((run, file), calls)| PageProfile {
            file,
            profile: &run.profile,
            supersteps: run.supersteps.as_ref(),
            sources: &run.sources,
            machines: &run.machines,
            calls: calls.as_ref(),
        })
        .collect();
    let html = profile_page(&ProfilePage {
        profiles: &profiles,
        difference: difference.as_ref(),
        as_on: as_on.as_deref(),
        tool: concat!("cll ", env!("CARGO_PKG_VERSION")),
    });
    if args.serve {
        let server = Server::bind(args.port)?;
        let site = Served { page: html.into(), token: token()? };
        terminal.note(&format!("the page is {} until Ctrl-C", server.address(&site)));
        server.run(&site);
        return Ok(0);
    }
    if let Some(output) = output {
        output.write(html.as_bytes())?;
    }
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// The difference of two runs, with further runs of each side; `None` if one run is shown.
fn difference(
    found: &[PageRun],
    more: &[Vec<Vec<PathBuf>>; 2],
    terminal: &Terminal,
) -> Result<Option<Difference>, Failure> {
    match found {
        [before, after] => {
            let mut sides = [vec![before.profile.clone()], vec![after.profile.clone()]];
            for (side, runs) in sides.iter_mut().zip(more) {
                for run in runs {
                    let by_calls = side[0].is_by_calls();
                    let mut profile = profile::profile(run, by_calls, terminal)?;
                    if profile.h_unit != side[0].h_unit {
                        profile = profile.in_words();
                    }
                    side.push(profile);
                }
            }
            let [before, after] = sides;
            Ok(Some(diff(&before, &after, CONFIDENCE)))
        }
        _ => Ok(None),
    }
}

/// Logs, grouped by run.
struct Runs {
    /// The one that is shown, or the two.
    shown: Vec<Vec<PathBuf>>,
    /// Further runs of each side, only for the intervals of the difference.
    more: [Vec<Vec<PathBuf>>; 2],
}

impl Runs {
    fn from_args(args: &ProfileViewArgs) -> Result<Runs, Failure> {
        let mut before = profile::runs(&args.files)?;
        if args.with.is_empty() {
            if before.len() > 2 {
                let count = before.len();
                let wrong = format!("one run is shown, or two are compared: {count} are given");
                let help = "to compare several runs: cll profile view BEFORE... --with AFTER...";
                return Err(Failure::usage(wrong).help(help));
            }
            return Ok(Runs { shown: before, more: Default::default() });
        }
        let mut after = profile::runs(&args.with)?;
        let more = [before.split_off(1), after.split_off(1)];
        Ok(Runs { shown: [before, after].concat(), more })
    }
}

/// The runs; if one of two has no supersteps, both by calls.
fn read(
    args: &ProfileViewArgs,
    runs: &[Vec<PathBuf>],
    terminal: &Terminal,
) -> Result<Vec<Viewed>, Failure> {
    let room = if args.serve { SERVED_ROOM } else { PAGE_ROOM };
    let view_of = |run: &Vec<PathBuf>, by_calls| profile::viewed(run, room, by_calls, terminal);
    let mut vieweds = Vec::new();
    for run in runs {
        vieweds.push(view_of(run, args.calls)?);
    }
    let by_calls = |view: &Viewed| matches!(view, Viewed::Calls(_));
    if vieweds.iter().any(by_calls) {
        for (viewed, run) in vieweds.iter_mut().zip(runs) {
            match viewed {
                Viewed::Calls(_) => {}
                Viewed::Supersteps(_, _, Some(_)) => *viewed = view_of(run, true)?,
                Viewed::Supersteps(_, _, None) => {
                    let wrong = "one run has calls of MPI without supersteps, the other one has supersteps only";
                    return Err(Failure::usage(wrong).help("runs of the same kind are compared"));
                }
            }
        }
    }
    Ok(vieweds)
}

fn parts(viewed: Viewed) -> (Profile, Option<Supersteps>, Option<Calls>) {
    match viewed {
        Viewed::Supersteps(profile, supersteps, stats) => {
            let calls = stats.map(|stats| Calls {
                stats: *stats,
                waits: Vec::new(),
                slice: None,
                notes: Vec::new(),
            });
            (*profile, supersteps, calls)
        }
        Viewed::Calls(profile) => {
            let calls = Calls {
                stats: profile.stats,
                waits: profile.waits,
                slice: Some(profile.width),
                notes: profile.notes,
            };
            (profile.profile, Some(profile.slices), Some(calls))
        }
    }
}

fn of_page(calls: &Calls) -> PageCalls<'_> {
    PageCalls { stats: &calls.stats, waits: &calls.waits, slice: calls.slice, notes: &calls.notes }
}
