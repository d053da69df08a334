//! Which run of a program a process belongs to, and on which engine it ran.

use std::collections::{BTreeSet, HashMap};

use crate::trace::{Process, Run, Trace};

/// Numbers the runs of processes ([`Process::run`]), in the order of their first processes.
///
/// Processes that a launcher or a BSP machine has started together have a job in common, whether they have written one
/// file or several. All others are of the same run if they are in the same trace and no run ended there between them.
pub(crate) fn number_runs(processes: &mut [Process]) {
    let mut known: HashMap<(String, u32, u32), u32> = HashMap::new();
    for process in processes {
        let key = match process.job() {
            Some(job) => (job.to_owned(), 0, 0),
            None => (String::new(), process.trace, process.run),
        };
        let next = known.len() as u32;
        process.run = *known.entry(key).or_insert(next);
    }
}

impl Process {
    /// Returns the job that all processes of the run have in common, if each may have written a file of its own.
    pub fn job(&self) -> Option<&str> {
        let job = self.processor.as_ref().map(|processor| processor.job.as_str());
        job.filter(|job| !job.is_empty())
    }

    /// The engine on which it was a processor of a BSP program, if it recorded that.
    pub fn engine(&self) -> Option<&str> {
        let engine = self.processor.as_ref().map(|processor| processor.engine.as_str());
        engine.filter(|engine| !engine.is_empty())
    }
}

impl Trace {
    /// The engine on which a process ran: what it recorded itself, or its launcher.
    pub fn engine_of<'a>(&'a self, process: &'a Process) -> Option<&'a str> {
        let by_launcher = || {
            let mut engines =
                self.runs.iter().filter(|run| run.trace == process.trace).filter_map(Run::engine);
            let first = engines.next()?;
            engines.all(|other| other == first).then_some(first)
        };
        process.engine().or_else(by_launcher)
    }

    /// The engines on which its processes ran, as far as known.
    pub fn engines(&self) -> BTreeSet<&str> {
        self.processes.iter().filter_map(|process| self.engine_of(process)).collect()
    }
}

impl Run {
    /// The engine that its launcher recorded.
    pub fn engine(&self) -> Option<&str> {
        Some(self.table.engine.as_str()).filter(|engine| !engine.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta;

    #[test]
    fn processes_are_of_one_run_by_their_job_or_by_their_file() {
        let process = |trace, run, job: &str| Process {
            trace,
            run,
            processor: Some(meta::Processor { job: job.to_owned(), ..meta::Processor::default() }),
            ..Process::default()
        };
        let mut processes = [
            process(0, 0, "a"),
            process(1, 0, ""),
            process(2, 0, "a"),
            process(1, 0, ""),
            process(1, 1, ""),
            process(3, 0, "b"),
            process(4, 0, ""),
        ];
        number_runs(&mut processes);
        assert_eq!(processes.map(|process| process.run), [0, 1, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_engine_is_what_the_process_or_its_launcher_recorded() {
        let run = |trace, engine: &str| Run {
            trace,
            table: meta::Run { engine: engine.to_owned(), ..meta::Run::default() },
        };
        let process = |trace, engine: &str| Process {
            trace,
            processor: Some(meta::Processor {
                engine: engine.to_owned(),
                ..meta::Processor::default()
            }),
            ..Process::default()
        };
        let runs = vec![run(1, "mpi"), run(2, "mpi"), run(2, "threads")];
        let processes = vec![process(0, "threads"), process(1, ""), process(2, "")];
        let trace = Trace { runs, processes, ..Trace::default() };
        let engines: Vec<Option<&str>> =
            trace.processes.iter().map(|process| trace.engine_of(process)).collect();
        assert_eq!(engines, [Some("threads"), Some("mpi"), None]);
        assert_eq!(trace.engines().into_iter().collect::<Vec<_>>(), ["mpi", "threads"]);
    }
}
