//! The price of a log.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::Error;
use cll_machine::{Machine, Uncertain};
use cll_model::log::{LogError, Logged, gather, program};
use cll_model::{Program, Quantities, QuantityKind, Target};
use cll_result::obsp::{Prediction, Subject};
use cll_supersteps::{Log, StoredProcessor, stored};

use super::{ObspOptions, predict};
use crate::logs::{Source, superstep_log};
use crate::machine::load;
use crate::messages::Messages;
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit, bytes};

/// The logs of a run, with the computation time on the machine.
pub struct ReadLogs {
    logged: Logged,
    /// The program's file name and arguments.
    pub words: String,
    /// The engine on which it ran, if the machine's file has it.
    engine: Option<String>,
    /// Whether its processors were virtual.
    pub of_virtual_processors: bool,
    /// Notices.
    pub notes: Vec<String>,
}

impl ReadLogs {
    /// Reads the logs of one run.
    ///
    /// # Errors
    /// If they cannot be read, are not those of one run, or need more memory than is allowed.
    pub fn read(
        paths: &[PathBuf],
        options: &ObspOptions,
        machine: &Machine,
        messages: &dyn Messages,
    ) -> Result<ReadLogs, Error> {
        let mut logs = Vec::new();
        let mut files = Vec::new();
        match superstep_log(paths, messages)? {
            Some(file) => files.push((&paths[0], file)),
            None => {
                for path in paths {
                    files.push((
                        path,
                        File::open(path)
                            .map_err(|error| cll_files::Error::unreadable(path, error))?,
                    ));
                }
            }
        }
        fits(options.memory, &files)?;
        for (path, file) in files {
            let log = cll_supersteps::read(file)
                .map_err(|error| Error::content(format!("{}: {error}", path.display())))?;
            for damage in &log.damage {
                messages.warn(&format!("{}: {damage}", path.display()));
            }
            if log.is_empty() {
                return Err(Error::content(format!("{} has no supersteps", path.display()))
                    .advise("cll run --log PROGRAM logs the supersteps of a BSP or MPI program"));
            }
            logs.push(log);
        }
        let log = gather(logs).map_err(|error| wrong(paths, error))?;
        let mut logged = program(&log).map_err(|error| wrong(paths, error))?;
        let mut notes: Vec<String> = machine.reservation().into_iter().collect();
        notes.extend(logged.notes.iter().map(ToString::to_string));
        scale(&mut logged, options, machine, &log, messages, &mut notes)?;
        notes.extend(options.fewer_draws(logged.program.size()));
        let words = log.processors.first().map_or(String::new(), |processor| {
            let name = processor.process.program.rsplit('/').next().unwrap_or_default();
            format!("{name} {}", processor.process.args.join(" ")).trim_end().to_owned()
        });
        Ok(ReadLogs {
            logged,
            words,
            engine: engine(&log, machine),
            of_virtual_processors: log
                .processors
                .iter()
                .any(|processor| processor.virtually.is_some()),
            notes,
        })
    }

    /// The machine's costs.
    pub fn target<'a>(&'a self, options: &'a ObspOptions, machine: &'a Machine) -> Target<'a> {
        let mut target = options.target(machine, false);
        target.engine = target.engine.or(self.engine.as_deref());
        if self.of_virtual_processors {
            // Each has its own core.
            target.oversubscribed = Some(false);
            target.fetches = true;
        }
        target
    }

    /// The program, and what its times are made of.
    pub fn program(&self) -> (&Program, &Quantities) {
        (&self.logged.program, &self.logged.quantities)
    }

    /// The results of the models.
    ///
    /// # Errors
    /// If the machine's file has not the costs.
    pub fn price(
        &self,
        options: &ObspOptions,
        target: &Target<'_>,
        deep: bool,
    ) -> Result<Prediction, Error> {
        let subject = Subject {
            program: &self.logged.program,
            quantities: self.logged.quantities.clone(),
            values: &[],
            measured: Some((self.logged.total, &self.logged.measured)),
            of_virtual_processors: self.of_virtual_processors,
            notes: self.notes.clone(),
        };
        predict(subject, target, &options.draws(self.logged.program.size()), deep)
    }
}

/// Prices the logs of a run on a machine, with the default options.
///
/// # Errors
/// As [`ReadLogs::read`] and [`ReadLogs::price`].
pub fn price_logs(
    paths: &[PathBuf],
    machine: &Machine,
    messages: &dyn Messages,
) -> Result<Prediction, Error> {
    let options = ObspOptions::default();
    let read = ReadLogs::read(paths, &options, machine, messages)?;
    read.notes.iter().for_each(|note| messages.warn(note));
    let target = read.target(&options, machine);
    read.price(&options, &target, false)
}

/// Bytes for a superstep of a processor while it is priced: its record, its place in the log and in the program,
/// and the values of each model.
const SUPERSTEP_BYTES: u64 = 600;

/// Refuses logs that need too much memory: the evaluation passes over all supersteps many times.
fn fits(memory: u64, files: &[(&PathBuf, File)]) -> Result<(), Error> {
    let mut count = 0;
    for (path, file) in files {
        let source = file.try_clone().and_then(Source::new);
        let source = source.map_err(|error| cll_files::Error::unreadable(path, error))?;
        // An error is reported when the log is read.
        let Ok(log) = stored(&source) else { continue };
        count += log.processors.iter().map(StoredProcessor::max_supersteps).sum::<u64>();
    }
    let needed = count.saturating_mul(SUPERSTEP_BYTES);
    if needed <= memory {
        return Ok(());
    }
    let mebibytes =
        |size: u64| bytes(size as f64, BytesUnit::Only(BinaryUnit::Mib), BytesDigits::Up);
    Err(Error::system(format!(
        "these logs have {count} supersteps of processors, which need about {} of memory for pricing; \
         {} are allowed",
        mebibytes(needed),
        mebibytes(memory)
    ))
    .advise(format!("--memory {}M allows that, if the system has it", needed.div_ceil(1 << 20)))
    .advise("cll profile show breaks their time down in constant memory"))
}

/// The engine on which the program ran, if the machine's file has it.
fn engine(log: &Log, machine: &Machine) -> Option<String> {
    machine.engines().into_iter().find(|known| *known == log.engine).map(str::to_owned)
}

fn wrong(paths: &[PathBuf], error: LogError) -> Error {
    let name = |path: &Path| path.display().to_string();
    match &error {
        LogError::Twice { .. } | LogError::Programs { .. } | LogError::Runs { .. } => {
            Error::request(error.to_string())
                .advise("give one run: its log, or the logs of all its processes")
                .advise("--curves P compares runs on several numbers of processors")
        }
        LogError::Missing { .. } => Error::data(format!("{}: {error}", name(&paths[0])))
            .advise("give the logs of all processes of the run together"),
        _ => Error::content(format!("{}: {error}", name(&paths[0]))),
    }
}

/// Scales computation to the target, if the files of both machines have their rates.
fn scale(
    logged: &mut Logged,
    options: &ObspOptions,
    machine: &Machine,
    log: &Log,
    messages: &dyn Messages,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let Some(source) = &options.measured_on else {
        let cpu = log.processors.first().map_or("", |processor| processor.process.cpu.as_str());
        let other = machine.host.as_ref().map_or("", |host| host.cpu.as_str());
        if machine.origin.source.is_some() {
            notes.push(format!(
                "computation is as measured{}, not scaled to {}: --measured-on MACHINE \
                 scales it by the rates of both machines",
                if cpu.is_empty() { String::new() } else { format!(" on {cpu}") },
                machine.name
            ));
        } else if !cpu.is_empty() && !other.is_empty() && cpu != other {
            notes.push(format!(
                "computation was measured on {cpu}, and {} is {other}: --measured-on MACHINE scales it by \
                 the rates of both machines",
                machine.name
            ));
        }
        return Ok(());
    };
    let source = load(source, messages)?;
    let processors = logged.program.processors();
    let ran = engine(log, &source);
    let from = Target { engine: ran.as_deref(), ..options.target(&source, false) };
    let to = options.target(machine, false);
    let to = Target {
        engine: to.engine.or(ran.as_deref().filter(|ran| machine.engines().contains(ran))),
        ..to
    };
    let exchanged = logged.exchange_requests(&from, &to);
    if !exchanged.map_err(|missing| Error::content(missing.to_string()))? {
        notes.push(format!(
            "the time of requests (the copies of bsp_put) is that of {}: it is not known for both machines",
            source.name
        ));
    }
    if source.name == machine.name && source.host == machine.host {
        // Only the engine differs.
        return Ok(());
    }
    let rate = |machine: &Machine, engine: Option<&str>| {
        let classic = machine.classic(engine, processors).ok();
        classic.and_then(|classic| classic.rate)
    };
    match (rate(&source, None), rate(machine, options.engine.as_deref())) {
        (Some(from), Some(to)) if from.value > 0.0 && to.value > 0.0 => {
            let value = Uncertain {
                value: from.value / to.value,
                low: from.low / to.high,
                high: from.high / to.low,
            };
            logged.rescale(format!("{} by {}", source.name, machine.name), value);
            notes.push(format!(
                "computation is {:.3} times that of {}, by the operations per second of both machines",
                value.value, source.name
            ));
        }
        (from, _) => {
            let silent = if from.is_none() { &source } else { machine };
            notes.push(format!(
                "computation is as measured: the operations per second of {} are not known",
                silent.name
            ));
        }
    }
    debug_assert_eq!(logged.quantities.all()[logged.scale.index()].kind, QuantityKind::Computation);
    Ok(())
}
