//! The steps of each rank of a run, with their times.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::Error;
use cll_calls::{Details, Flow, Item, Overview, Partner, Peer, Summary};
use cll_result::MpiUnrecorded;
use cll_supersteps::Processor;
use cll_trace::layout::call::{Class, Op};
use cll_trace::meta::Point;

use crate::logs::{Symbols, opener, path_name, surveys, unrecorded, unusable};

/// A launch of the program that was logged.
#[derive(Clone, Debug)]
pub struct MpiLaunch {
    /// The values of the variables.
    pub values: Vec<f64>,
    /// Ranks.
    pub processors: u32,
    /// The logs of its ranks.
    pub logs: Vec<PathBuf>,
    /// From the start of the launcher to its end, in seconds; logs do not say it.
    pub wall: Option<f64>,
}

/// A call path, in all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// `MPI_Send`.
    pub call: String,
    /// `heat.c:30`, or empty.
    pub place: String,
    /// Functions that lead to it, the innermost first.
    pub functions: Vec<String>,
}

/// Call paths with numbers that are the same in all runs.
#[derive(Default)]
pub(super) struct Sites {
    pub(super) list: Vec<Site>,
    numbers: HashMap<(Op, String), u32>,
    symbols: Symbols,
}

/// The steps of a rank.
#[derive(Clone, Debug, Default)]
pub(super) struct RankSteps {
    /// When it left `MPI_Init`, after the first one that did; seconds.
    pub(super) begin: f64,
    pub(super) steps: Vec<RunStep>,
    /// When it came to `MPI_Finalize`, in seconds after the first rank left `MPI_Init`.
    pub(super) end: f64,
}

#[derive(Clone, Debug)]
pub(super) enum RunStep {
    Call(Box<Passed>),
    Loop { passages: (u64, u64), body: Vec<RunStep> },
}

/// All passages of a call.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    pub(super) site: u32,
    pub(super) op: Op,
    pub(super) times: f64,
    /// The times of a passage: seconds before it, in it without waiting, waiting.
    pub(super) computed: f64,
    pub(super) called: f64,
    pub(super) waited: f64,
    /// The root of a collective: its rank in the communicator.
    pub(super) root: Option<u32>,
    pub(super) details: Details,
}

impl Passed {
    /// Bytes of a passage: the larger of what it sends and what it receives.
    pub(super) fn bytes(&self) -> f64 {
        self.details.sent.max(self.details.received) as f64 / self.times.max(1.0)
    }

    /// Whether messages are received of any rank.
    pub(super) fn is_any(&self) -> bool {
        self.details.from.contains(&Peer::Any)
    }
}

/// A run.
#[derive(Clone, Debug)]
pub(super) struct MeasuredRun {
    pub(super) values: Vec<f64>,
    pub(super) processors: u32,
    /// From the first end of `MPI_Init` to the last begin of `MPI_Finalize`, in seconds.
    pub(super) seconds: f64,
    /// Before and after that, in seconds, without what was computed to learn how wide the cores are; `None`: not known.
    pub(super) around: Option<f64>,
    pub(super) ranks: Vec<RankSteps>,
    pub(super) library: String,
    /// The least and the most time, in seconds, that the loop that fills the width of a core took on the ranks, at
    /// their begins and ends.
    pub(super) width: Option<(f64, f64)>,
    /// Calls that returned an error.
    pub(super) errors: u64,
    /// Calls that the logs only count, by function.
    pub(super) unrecorded: Vec<MpiUnrecorded>,
}

/// Reads the logs of a launch.
///
/// # Errors
/// If a log cannot be read, or the launch cannot be modelled.
pub(super) fn read(launch: &MpiLaunch, sites: &mut Sites) -> Result<MeasuredRun, Error> {
    let mut overviews = surveys(&launch.logs)?;
    let first = launch.logs.first().cloned().unwrap_or_default();
    let (summary, graph) = {
        let symbols = &mut sites.symbols;
        let mut names = |overview: &Overview, lane: u32, point: &Point| {
            path_name(&symbols.functions(&of_lane(overview, lane), point))
        };
        Summary::by_rank(&mut overviews, &mut opener(&launch.logs), &mut names)
            .map_err(|error| unusable(&first, &error))?
    };
    let refused = |why: String| Err(Error::content(format!("{}: {why}", first.display())));
    if let Some(rank) = summary.by_rank.iter().find(|rank| rank.threads > 1) {
        return refused(format!(
            "{} threads of rank {} call MPI; models are of programs in which one does",
            rank.threads, rank.rank
        ));
    }
    if let Some(missing) = summary.missing().first() {
        return refused(format!("the log of rank {missing} is missing"));
    }
    let number = |id: cll_calls::SiteId, sites: &mut Sites| {
        let site = summary.account.sites[id.0 as usize].site;
        let overview = &overviews[site.process];
        let place = overview.place(site.lane, site.point);
        (site.op, sites.number(overview, site.lane, site.op, place.map(|(point, _)| point)))
    };
    let mut ranks = vec![RankSteps::default(); summary.ranks as usize];
    for flow in &graph.flows {
        let rank = flow.threads.first().and_then(|thread| overviews[thread.process].rank());
        let Some((rank, _)) = rank else { continue };
        if let Some(rank_steps) = ranks.get_mut(rank as usize) {
            *rank_steps = of_rank(flow, &mut |id| number(id, sites));
        }
    }
    let first_s = ranks.iter().map(|rank| rank.begin).fold(f64::INFINITY, f64::min);
    for rank in &mut ranks {
        rank.begin -= first_s;
        rank.end -= first_s;
    }
    let seconds = ranks.iter().map(|rank| rank.end).fold(0.0, f64::max);
    let errors = ranks.iter().map(|rank| errors(&rank.steps)).sum();
    Ok(MeasuredRun {
        values: launch.values.clone(),
        processors: launch.processors,
        seconds,
        around: launch.wall.map(|wall| (wall - seconds - spent(&overviews)).max(0.0)),
        ranks,
        library: summary.library,
        width: width(&overviews),
        errors,
        unrecorded: unrecorded(&overviews).unwrap_or_default(),
    })
}

fn width(overviews: &[Overview]) -> Option<(f64, f64)> {
    let all = overviews.iter().flat_map(|overview| &overview.widths).map(|(width, _)| width.get());
    all.fold(None, |known, value| {
        let (least, most) = known.unwrap_or((value, value));
        Some((f64::min(least, value), f64::max(most, value)))
    })
}

/// How long ranks have computed for this, those that did longest; seconds.
fn spent(overviews: &[Overview]) -> f64 {
    let time_of = |overview: &Overview| overview.widths.iter().map(|(_, spent)| spent.get()).sum();
    overviews.iter().map(time_of).fold(0.0, f64::max)
}

fn errors(steps: &[RunStep]) -> u64 {
    let errors_of = |step: &RunStep| match step {
        RunStep::Call(passed) => passed.details.errors,
        RunStep::Loop { body, .. } => errors(body),
    };
    steps.iter().map(errors_of).sum()
}

fn of_lane(overview: &Overview, lane: u32) -> Processor {
    let modules = overview.lanes.get(&lane).map_or(Vec::new(), |lane| lane.modules.clone());
    Processor { modules, ..Processor::default() }
}

impl Sites {
    fn number(&mut self, overview: &Overview, lane: u32, op: Op, point: Option<&Point>) -> u32 {
        let processor = of_lane(overview, lane);
        let frames = point.map_or(Vec::new(), |point| self.symbols.functions(&processor, point));
        let name = match path_name(&frames) {
            name if name.is_empty() => address(&processor, point),
            name => name,
        };
        let next = self.list.len() as u32;
        let number = *self.numbers.entry((op, name)).or_insert(next);
        if number == next {
            let main = frames.iter().position(|frame| frame.function == "main");
            let functions = frames
                .iter()
                .take(main.map_or(frames.len(), |main| main + 1))
                .map(|frame| frame.function.clone());
            let place = frames.first().map_or(String::new(), |frame| match frame.file.as_str() {
                "" => String::new(),
                file => format!("{}:{}", file.rsplit('/').next().unwrap_or(file), frame.line),
            });
            let call = format!("MPI_{}", op.name());
            self.list.push(Site { call, place, functions: functions.collect() });
        }
        number
    }
}

/// A path by its addresses, for programs without symbols.
fn address(processor: &Processor, point: Option<&Point>) -> String {
    let path = point.map_or(&[][..], |point| &point.path);
    let location_text = |&(id, offset): &(u32, u64)| {
        let module = processor.modules.iter().find(|module| module.id == id);
        format!("{} {offset:#x}", module.map_or("", |module| module.path.as_str()))
    };
    path.iter().map(location_text).collect::<Vec<_>>().join("\n")
}

/// From `MPI_Init` to `MPI_Finalize`.
fn of_rank(flow: &Flow, number: &mut dyn FnMut(cll_calls::SiteId) -> (Op, u32)) -> RankSteps {
    let mut rank = RankSteps::default();
    for step in steps(&flow.items, number) {
        let life = match &step {
            RunStep::Call(passed) if passed.op.class() == Class::Life => Some(passed.clone()),
            _ => None,
        };
        let began = |passed: &Passed| passed.details.began.get();
        match life {
            Some(passed) if passed.op.begins_mpi() => {
                rank = RankSteps::default();
                rank.begin = began(&passed) + passed.called + passed.waited;
                rank.end = rank.begin;
            }
            Some(mut passed) if passed.op == Op::Finalize => {
                rank.end = began(&passed);
                (passed.called, passed.waited) = (0.0, 0.0);
                rank.steps.push(RunStep::Call(passed));
                break;
            }
            Some(_) => {}
            None => rank.steps.push(step),
        }
    }
    rank
}

fn steps(items: &[Item], number: &mut dyn FnMut(cll_calls::SiteId) -> (Op, u32)) -> Vec<RunStep> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        all.push(match item {
            Item::Loop(loop_item) => {
                RunStep::Loop { passages: loop_item.passages, body: steps(&loop_item.body, number) }
            }
            Item::Call(node) => {
                let (op, site) = number(node.site);
                let times = node.times.max(1) as f64;
                let root = node.partners.iter().find_map(|partner| match partner {
                    Partner::Root(root) => Some(*root),
                    _ => None,
                });
                RunStep::Call(Box::new(Passed {
                    site,
                    op,
                    times,
                    computed: node.computed.get() / times,
                    called: (node.time - node.waiting).get().max(0.0) / times,
                    waited: node.waiting.get() / times,
                    root,
                    details: node.details.as_deref().cloned().unwrap_or_default(),
                }))
            }
        });
    }
    all
}
