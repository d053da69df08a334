//! Ranks of MPI that compute in turns: options, environment, and the prediction when they have ended.

use std::path::{Path, PathBuf};

use cll_analysis::logs::{opener, surveys, unusable};
use cll_calls::{LeftOut, Overview};
use cll_contract::{self as contract, Clock, Setting};
use cll_machine::Machine;
use cll_model::Interval;
use cll_model::messages::{CostEnd, Free, MessageCosts, NoTime, OfLogs, Primitives, of_logs};
use cll_report::{virtual_rank_notes, virtual_rank_table};
use cll_result::{VirtualPrediction, VirtualRun};
use cll_supersteps::{RunSummary, TimeShares};
use cll_units::{Bytes, ProcessorId, Seconds};

use crate::cli::{Contended, VirtualOptions};
use crate::failure::Failure;
use crate::files::Output;
use crate::machine::load;
use crate::terminal::Terminal;

/// The confidence of the intervals in a machine's file.
const CONFIDENCE: f64 = 0.95;

/// How ranks run in turns.
#[derive(Debug)]
pub struct VirtualRanks {
    options: VirtualOptions,
    machine: Option<Machine>,
    factor: f64,
}

impl VirtualRanks {
    /// From the options of `cll run`.
    pub fn from_options(
        options: &VirtualOptions,
        terminal: &Terminal,
    ) -> Result<VirtualRanks, Failure> {
        let (refused, factor) = match options.contention {
            Some(Contended::AsRun) => (Some("--contention as-run"), 1.0),
            Some(Contended::Factor(factor)) => (None, factor),
            None => (None, 1.0),
        };
        let refused = refused
            .or(options.alone.map(|_| "--alone"))
            .or(options.memory.map(|_| "--memory"))
            .or(options.overcommit.then_some("--overcommit"));
        if let Some(option) = refused {
            return Err(Failure::usage(format!("{option} is for BSP programs only")));
        }
        let read = |path: &PathBuf| load(path, terminal);
        let machine = options.machine.as_ref().map(read).transpose()?;
        if let Some(machine) = &machine {
            Primitives::of(machine, "").map_err(|none| {
                Failure::input(none.to_string())
                    .help("cll machine probe --mpi measures the times of messages here")
            })?;
        }
        Ok(VirtualRanks { options: options.clone(), machine, factor })
    }

    /// Variables of the program's environment: ranks share this file.
    pub fn environment(&self, file: &Path) -> Result<Vec<Setting>, Failure> {
        Output::apart_from(file, &[])?.write(b"")?;
        // The clock of a rank is its own, in nanoseconds.
        let mut all = vec![contract::TURNS.set(file), contract::CLOCK.set(Clock::Monotonic)];
        all.extend(self.options.cores.map(|cores| contract::CORES.set(cores)));
        all.extend(self.options.cache.map(|size| contract::CACHE.set(size)));
        Ok(all)
    }

    /// Prints the prediction, from the logs of the run.
    pub fn report(&self, logs: &[PathBuf], terminal: &mut Terminal) -> Result<(), Failure> {
        let overviews = surveys(logs)?;
        let prediction = self.prediction(logs, &overviews)?;
        virtual_rank_notes(&prediction).iter().for_each(|note| terminal.note(note));
        let beside: u64 =
            overviews.iter().filter_map(|one| Some(one.virtually.as_ref()?.extra)).sum();
        if beside > 0 {
            terminal.warn(&format!(
                "{beside} phases began beside those that had a core, since all of these slept or were gone: ranks \
                 wait for each other by other means than MPI, and their times are not those of separate cores"
            ));
        }
        if self.options.supersteps {
            let table = virtual_rank_table(&prediction, &terminal.error_style());
            terminal.error_text(table.as_bytes());
        }
        if self.options.json {
            terminal.json_line(&prediction)?;
        }
        Ok(())
    }

    fn prediction(
        &self,
        logs: &[PathBuf],
        overviews: &[Overview],
    ) -> Result<VirtualPrediction, Failure> {
        let time = |costs: &dyn MessageCosts| {
            of_logs(overviews, opener(logs), costs, self.factor).map_err(|error| match error {
                NoTime::Log(error) => unusable(&logs[0], &error),
                error => Failure::input(format!("there is no time on separate cores: {error}")),
            })
        };
        let Some(machine) = &self.machine else {
            return Ok(prediction_from(overviews, &time(&Free)?));
        };
        let library = overviews.iter().find_map(|one| one.mpi.as_ref());
        let library = library.map_or("", |mpi| mpi.library.as_str());
        let mut primitives =
            Primitives::of(machine, library).map_err(|none| Failure::input(none.to_string()))?;
        let mut at = |end: CostEnd| {
            primitives.end = end;
            let of = time(&primitives)?;
            Ok::<_, Failure>((of.evaluated.last().end, of, primitives.substitutions()))
        };
        let (value, of, substitutions) = at(CostEnd::Value)?;
        let (low, high) = (at(CostEnd::Low)?.0, at(CostEnd::High)?.0);
        let model = Interval { value, low, high, confidence: CONFIDENCE };
        Ok(VirtualPrediction {
            machine: Some(machine.name.clone()),
            model: of.evaluated.complete.then_some(model),
            substitutions: machine.reservation().into_iter().chain(substitutions).collect(),
            ..prediction_from(overviews, &of)
        })
    }
}

fn prediction_from(overviews: &[Overview], of: &OfLogs) -> VirtualPrediction {
    let own = || overviews.iter().filter_map(|one| one.virtually.as_ref());
    let seconds = |ns: u64| Seconds(ns as f64 * 1e-9);
    let last = of.evaluated.last();
    VirtualPrediction {
        processors: of.evaluated.ranks.len() as u32,
        cores: own().map(|one| one.cores).max().unwrap_or(0),
        complete: of.evaluated.complete && overviews.iter().all(|one| one.ended),
        summary: RunSummary {
            total: last.end,
            last: TimeShares {
                processor: ProcessorId(last.rank),
                computation: last.computation,
                communication: last.communication,
                waiting: last.waiting,
            },
            supersteps: Vec::new(),
        },
        real: VirtualRun {
            run: seconds(own().map(|one| one.run_ns).max().unwrap_or(0)),
            phase_time: seconds(own().map(|one| one.computation_ns).sum()),
            phase_wall_time: seconds(own().map(|one| one.wall_ns).sum()),
            phases: own().map(|one| one.phases).sum(),
            restored_phases: own().map(|one| one.restored).sum(),
            cache: Bytes(own().map(|one| one.cache).max().unwrap_or(0)),
            memory: Bytes(own().map(|one| one.memory).max().unwrap_or(0)),
        },
        asked_for_time: own().map(|one| one.asked).sum(),
        ranks: of.evaluated.ranks.clone(),
        left_out: left_out(&of.left_out),
        ..VirtualPrediction::new()
    }
}

fn left_out(of: &LeftOut) -> Vec<String> {
    let known = [
        (of.one_sided, "one-sided accesses"),
        (of.outside, "messages to other programs"),
        (of.collectives, "collectives of neighbours or of two groups"),
    ];
    let there = known.into_iter().filter(|one| one.0 > 0);
    there.map(|(count, what)| format!("{count} {what}")).collect()
}
