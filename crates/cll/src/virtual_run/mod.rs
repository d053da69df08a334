//! Virtual processors: their options, and the prediction when they have ended.

mod costs;
mod interval;
mod prediction;
mod ranks;

use std::path::Path;

use cll_contract::{self as contract, Setting};
use cll_report::{virtual_notes, virtual_table};

use crate::cli::{Contended, VirtualOptions};
use crate::failure::Failure;
use crate::launch::Outcome;
use crate::terminal::Terminal;

use self::costs::Costs;
pub use self::ranks::VirtualRanks;

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
    ) -> Result<VirtualRun, Failure> {
        let read = |path: &std::path::PathBuf| Costs::read(path, processors.unwrap_or(1), terminal);
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

    /// Prints the prediction, from the trace of the run.
    pub fn report(&self, outcome: &Outcome, terminal: &mut Terminal) -> Result<(), Failure> {
        let keeps = self.options.contention == Some(Contended::AsRun);
        let Some(trace) = &outcome.trace else { return Ok(()) };
        let Some(prediction) = prediction::read(trace, self.costs.as_ref(), keeps)? else {
            return Ok(());
        };
        for note in
            virtual_notes(&prediction, self.options.machine.is_some(), self.options.alone.is_some())
        {
            terminal.note(&note);
        }
        if self.options.supersteps {
            let table = virtual_table(&prediction, &terminal.error_style());
            terminal.error_text(table.as_bytes());
        }
        if self.options.json {
            terminal.json_line(&prediction)?;
        }
        Ok(())
    }
}

/// How a path is shown.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
