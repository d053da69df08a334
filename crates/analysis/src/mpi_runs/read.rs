//! The logs of launches as runs of a model.

use std::path::PathBuf;

use crate::Error;
use cll_calls::{Flow, Item, Overview, Partner, Summary};
use cll_mpi_model::{MeasuredRun, MpiRunTime, MpiRuns, Passed, RankSteps, RunStep, Site, Sites};
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

/// Reads the logs of launches, one after the other.
#[derive(Default)]
pub struct MpiReader {
    sites: Sites,
    symbols: Symbols,
    runs: Vec<MeasuredRun>,
}

impl MpiReader {
    /// Reads the logs of a launch.
    ///
    /// # Errors
    /// If a log cannot be read, or the launch cannot be modelled.
    pub fn read(&mut self, launch: &MpiLaunch) -> Result<MpiRunTime, Error> {
        let run = self.run(launch)?;
        let time = MpiRunTime { seconds: run.seconds, width: run.width };
        self.runs.push(run);
        Ok(time)
    }

    /// All runs that were read.
    pub fn into_runs(self) -> MpiRuns {
        MpiRuns { sites: self.sites, runs: self.runs }
    }

    /// The run of a launch.
    pub(super) fn run(&mut self, launch: &MpiLaunch) -> Result<MeasuredRun, Error> {
        let mut overviews = surveys(&launch.logs)?;
        let first = launch.logs.first().cloned().unwrap_or_default();
        let (summary, graph) = {
            let symbols = &mut self.symbols;
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
        let number = |id: cll_calls::SiteId, reader: &mut MpiReader| {
            let site = summary.account.sites[id.0 as usize].site;
            let overview = &overviews[site.process];
            let place = overview.place(site.lane, site.point);
            (site.op, reader.number(overview, site.lane, site.op, place.map(|(point, _)| point)))
        };
        let mut ranks = vec![RankSteps::default(); summary.ranks as usize];
        for flow in &graph.flows {
            let rank = flow.threads.first().and_then(|thread| overviews[thread.process].rank());
            let Some((rank, _)) = rank else { continue };
            if let Some(rank_steps) = ranks.get_mut(rank as usize) {
                *rank_steps = of_rank(flow, &mut |id| number(id, self));
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

    /// The number of a call path.
    fn number(&mut self, overview: &Overview, lane: u32, op: Op, point: Option<&Point>) -> u32 {
        let processor = of_lane(overview, lane);
        let frames = point.map_or(Vec::new(), |point| self.symbols.functions(&processor, point));
        let name = match path_name(&frames) {
            name if name.is_empty() => address(&processor, point),
            name => name,
        };
        self.sites.number(op, name, || {
            let main = frames.iter().position(|frame| frame.function == "main");
            let functions = frames
                .iter()
                .take(main.map_or(frames.len(), |main| main + 1))
                .map(|frame| frame.function.clone());
            let place = frames.first().map_or(String::new(), |frame| match frame.file.as_str() {
                "" => String::new(),
                file => format!("{}:{}", file.rsplit('/').next().unwrap_or(file), frame.line),
            });
            Site { call: format!("MPI_{}", op.name()), place, functions: functions.collect() }
        })
    }
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
