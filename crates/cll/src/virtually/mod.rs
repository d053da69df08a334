//! Virtual processors: what they are told, and what is told of them when they have ended.

mod costs;
mod interval;
mod prediction;

use std::ffi::OsString;
use std::path::Path;

use crate::cli::{Contended, VirtualOptions};
use crate::failure::Failure;
use crate::launch::Outcome;
use crate::terminal::Terminal;

use self::costs::Costs;
use self::prediction::Prediction;

/// How virtual processors run.
#[derive(Debug)]
pub struct Virtual {
    options: VirtualOptions,
    costs: Option<Costs>,
}

impl Virtual {
    /// What the options ask for, for so many processors.
    pub fn of(
        options: &VirtualOptions,
        processors: Option<u32>,
        terminal: &Terminal,
    ) -> Result<Virtual, Failure> {
        let read = |path: &std::path::PathBuf| Costs::read(path, processors.unwrap_or(1), terminal);
        let costs = options.machine.as_ref().map(read).transpose()?;
        Ok(Virtual { options: options.clone(), costs })
    }

    /// Variables of the program's environment.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut all = vec![("CLL_LOG", "1".into())];
        all.extend(self.options.cores.map(|cores| ("CLL_CORES", cores.to_string().into())));
        all.extend(self.costs.as_ref().map(|costs| ("CLL_COSTS", costs.table().into())));
        all.extend(self.options.alone.map(|every| ("CLL_ALONE", every.to_string().into())));
        if let Some(Contended::Factor(factor)) = self.options.contention {
            all.push(("CLL_CONTENTION", factor.to_string().into()));
        }
        all.extend(self.options.cache.map(|size| ("CLL_CACHE", size.to_string().into())));
        all.extend(self.options.memory.map(|size| ("CLL_MEMORY", size.to_string().into())));
        if self.options.overcommit {
            all.push(("CLL_OVERCOMMIT", "1".into()));
        }
        all
    }

    /// The same for who reads no log.
    pub fn environment_without_log(&self) -> Vec<(&'static str, OsString)> {
        self.environment().into_iter().filter(|(name, _)| *name != "CLL_LOG").collect()
    }

    /// The name of the machine.
    pub fn machine(&self) -> String {
        self.costs.as_ref().map_or(String::new(), |costs| costs.name().to_owned())
    }

    /// Tells what was predicted, from the trace of the run.
    pub fn tell(&self, outcome: &Outcome, terminal: &mut Terminal) -> Result<(), Failure> {
        let keeps = self.options.contention == Some(Contended::AsRun);
        let Some(trace) = &outcome.trace else { return Ok(()) };
        let Some(prediction) = Prediction::read(trace, self.costs.as_ref(), keeps)? else {
            return Ok(());
        };
        for note in prediction.notes(self.options.machine.is_some(), self.options.alone.is_some()) {
            terminal.note(&note);
        }
        if self.options.supersteps {
            let table = prediction.table(&terminal.style());
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
