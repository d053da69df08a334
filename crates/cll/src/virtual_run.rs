//! Virtual processors: their options, and the prediction when they have ended.

use std::path::{Path, PathBuf};

use cll_analysis::Error;
use cll_analysis::virtual_run::{Costs, RankCosts, of_rounds, virtual_prediction};
use cll_contract::{self as contract, Clock, Setting};
use cll_report::{virtual_notes, virtual_rank_notes, virtual_rank_table, virtual_table};
use cll_result::VirtualPrediction;

use crate::cli::{Contended, VirtualOptions};
use crate::failure::Failure;
use crate::files::{Kept, Output};
use crate::launch::Outcome;
use crate::terminal::Terminal;

/// How virtual processors run.
#[derive(Debug)]
pub struct VirtualRun {
    options: VirtualOptions,
    costs: Option<Costs>,
}

impl VirtualRun {
    /// The options for this number of processors.
    pub fn from_options(
        options: &VirtualOptions,
        processors: Option<u32>,
        terminal: &Terminal,
    ) -> Result<VirtualRun, Error> {
        let read = |path: &PathBuf| Costs::read(path, processors.unwrap_or(1), terminal);
        let costs = options.machine.as_ref().map(read).transpose()?;
        Ok(VirtualRun { options: options.clone(), costs })
    }

    /// Variables of the program's environment.
    pub fn environment(&self) -> Vec<Setting> {
        let mut all = vec![contract::LOG.set(true)];
        all.extend(self.environment_without_log());
        all
    }

    /// The same for programs whose log is not read.
    pub fn environment_without_log(&self) -> Vec<Setting> {
        let options = &self.options;
        let mut all = Vec::new();
        all.extend(options.cores.map(|cores| contract::CORES.set(cores)));
        all.extend(self.costs.as_ref().map(|costs| contract::COSTS.set(costs.table())));
        all.extend(options.alone.map(|every| contract::ALONE.set(every)));
        if let Some(Contended::Factor(factor)) = options.contention {
            all.push(contract::CONTENTION.set(factor));
        }
        all.extend(options.cache.map(|size| contract::CACHE.set(size)));
        all.extend(options.memory.map(|size| contract::MEMORY.set(size)));
        if options.overcommit {
            all.push(contract::OVERCOMMIT.set(true));
        }
        all
    }

    /// The name of the machine.
    pub fn machine(&self) -> String {
        self.costs.as_ref().map_or(String::new(), |costs| costs.name().to_owned())
    }

    /// How often the program is run.
    pub fn rounds(&self) -> u32 {
        self.options.rounds
    }

    /// The prediction from the trace of a run, if it has any.
    pub fn predict(&self, outcome: &Outcome) -> Result<Option<VirtualPrediction>, Error> {
        let keeps = self.options.contention == Some(Contended::AsRun);
        match &outcome.trace {
            Some(trace) => virtual_prediction(trace, self.costs.as_ref(), keeps),
            None => Ok(None),
        }
    }

    /// Prints the predictions of the runs as one.
    pub fn report(
        &self,
        predictions: Vec<VirtualPrediction>,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let options = &self.options;
        let Some(prediction) = of_rounds(predictions) else { return Ok(()) };
        for note in virtual_notes(&prediction, options.machine.is_some(), options.alone.is_some()) {
            terminal.note(&note);
        }
        let table = options.supersteps.then(|| virtual_table(&prediction, &terminal.error_style()));
        print(options, table, &prediction, terminal)
    }
}

/// How ranks of MPI run in turns.
#[derive(Debug)]
pub struct VirtualRanks {
    options: VirtualOptions,
    costs: RankCosts,
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
        let costs = RankCosts::read(options.machine.as_deref(), factor, terminal)?;
        Ok(VirtualRanks { options: options.clone(), costs })
    }

    /// Variables of the program's environment: ranks share this file.
    pub fn environment(&self, file: &Path) -> Result<Vec<Setting>, Failure> {
        Output::of_kind(file, Kept::Recording)?.write(b"")?;
        // The clock of a rank is its own, in nanoseconds.
        let mut all = vec![contract::TURNS.set(file), contract::CLOCK.set(Clock::Monotonic)];
        all.extend(self.options.cores.map(|cores| contract::CORES.set(cores)));
        all.extend(self.options.cache.map(|size| contract::CACHE.set(size)));
        Ok(all)
    }

    /// How often the program is run.
    pub fn rounds(&self) -> u32 {
        self.options.rounds
    }

    /// The prediction from the logs of a run, and how many phases began beside those that had a core.
    pub fn predict(&self, logs: &[PathBuf]) -> Result<(VirtualPrediction, u64), Error> {
        self.costs.predict(logs)
    }

    /// Prints the predictions of the runs as one.
    pub fn report(
        &self,
        predictions: Vec<(VirtualPrediction, u64)>,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let beside: u64 = predictions.iter().map(|(_, beside)| beside).sum();
        let predictions = predictions.into_iter().map(|(prediction, _)| prediction).collect();
        let Some(prediction) = of_rounds(predictions) else { return Ok(()) };
        virtual_rank_notes(&prediction).iter().for_each(|note| terminal.note(note));
        if beside > 0 {
            terminal.warn(&format!(
                "{beside} phases began beside those that had a core, since all of these slept or were gone: ranks \
                 wait for each other by other means than MPI, and their times are not those of separate cores"
            ));
        }
        let options = &self.options;
        let table =
            options.supersteps.then(|| virtual_rank_table(&prediction, &terminal.error_style()));
        print(options, table, &prediction, terminal)
    }
}

fn print(
    options: &VirtualOptions,
    table: Option<String>,
    prediction: &VirtualPrediction,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if let Some(table) = table {
        terminal.error_text(table.as_bytes());
    }
    if options.json {
        terminal.json_line(prediction)?;
    }
    Ok(())
}
