//! What virtual processors took, as a log tells it.

use std::fs::File;
use std::path::Path;

use cll_fit::Unit;
use cll_model::Interval;
use cll_report::{Cell, Column, Notation, Style, Table};
use cll_supersteps::{Contention, Course, Log};
use serde::Serialize;

use crate::failure::{Failure, unreadable};

use super::costs::Costs;
use super::interval::by_model;

/// Version of the JSON.
const VERSION: u32 = 1;

/// The time of a program on virtual processors.
#[derive(Debug, Serialize)]
pub struct Prediction {
    version: u32,
    processors: u32,
    /// Processors of the computer that computed at a time.
    cores: u32,
    /// The machine whose communication counts.
    machine: Option<String>,
    substitutions: Vec<String>,
    /// Whether all processors came to their end.
    complete: bool,
    #[serde(flatten)]
    course: Course,
    /// The same by OBSP*, with g and L by pattern, and where it lies; `None` if neither a machine was given nor
    /// contention seen.
    model: Option<Interval>,
    /// Whether phases are as long in the model as they are alone.
    model_without_contention: bool,
    /// What processors that compute at a time cost each other, if that was looked at.
    contention: Option<Contention>,
    /// What it took here.
    real: Real,
    /// Times that the program asked for the time.
    asked_for_time: u64,
}

/// What the run took.
#[derive(Debug, Default, Serialize)]
struct Real {
    /// Seconds from the first begin to the last end.
    run_s: f64,
    /// Seconds of all phases, as they count.
    phases_s: f64,
    /// Seconds of all phases from begin to end.
    phases_wall_s: f64,
    phases: u64,
    /// Phases that began with the cache as a core of its own would have it.
    restored_phases: u64,
    /// Bytes of cache that a core was taken to have by itself.
    cache_bytes: u64,
    /// Bytes of the processor that has most of its own.
    memory_bytes: u64,
}

impl Prediction {
    /// From the log of a run; nothing, if no superstep has ended.
    ///
    /// What phases cost each other stays in the time of the model if it `keeps` that.
    pub fn read(
        trace: &Path,
        costs: Option<&Costs>,
        keeps: bool,
    ) -> Result<Option<Prediction>, Failure> {
        let file = File::open(trace).map_err(|error| unreadable(trace, &error))?;
        let log = cll_supersteps::read(file)
            .map_err(|error| Failure::input(format!("{}: {error}", trace.display())))?;
        Ok((!log.is_empty()).then(|| Prediction::of(&log, costs, keeps)))
    }

    fn of(log: &Log, costs: Option<&Costs>, keeps: bool) -> Prediction {
        let told = || log.processors.iter().filter_map(|one| one.virtually.as_ref());
        let seconds = |ns: u64| ns as f64 * 1e-9;
        let nprocs =
            log.processors.iter().flat_map(|one| &one.machines).map(|one| one.nprocs).max();
        let processors = nprocs.unwrap_or(0);
        let contention = Contention::of(log);
        Prediction {
            version: VERSION,
            processors,
            cores: told().map(|one| one.cores).max().unwrap_or(0),
            machine: costs.map(|costs| costs.name().to_owned()),
            substitutions: costs.map_or(Vec::new(), |costs| costs.substitutions.clone()),
            complete: told().count() == processors as usize,
            course: Course::of(log),
            model: by_model(log, costs, contention.as_ref(), keeps),
            model_without_contention: contention.is_some() && !keeps,
            contention,
            real: Real {
                run_s: seconds(told().map(|one| one.run_ns).max().unwrap_or(0)),
                phases_s: seconds(told().map(|one| one.computation_ns).sum()),
                phases_wall_s: seconds(told().map(|one| one.wall_ns).sum()),
                phases: told().map(|one| one.phases).sum(),
                restored_phases: told().map(|one| one.restored).sum(),
                cache_bytes: told().map(|one| one.cache).max().unwrap_or(0),
                memory_bytes: told().map(|one| one.memory).max().unwrap_or(0),
            },
            asked_for_time: told().map(|one| one.asked).sum(),
        }
    }

    /// What a person wants to know.
    pub fn notes(&self, has_machine: bool, looked_alone: bool) -> Vec<String> {
        let time = |seconds: f64| Notation::Unicode.quantity(seconds, &Unit::Seconds);
        let bytes =
            |size: u64| Notation::Unicode.quantity(size as f64, &Unit::Other("bytes".to_owned()));
        let Prediction { processors, cores, course, real, .. } = self;
        let (last, on) = (&course.last, if *cores == 1 { "core" } else { "cores" });
        let mut notes = vec![format!(
            "{processors} virtual processors: {}, on processor {}, the last: {} of computation, {} of \
             communication, {} of waiting",
            time(course.total_s),
            last.processor,
            time(last.computation_s),
            time(last.communication_s),
            time(last.waiting_s),
        )];
        if let Some(Interval { value_s, low_s, high_s, confidence }) = self.model {
            let how = match (has_machine, self.model_without_contention) {
                (true, false) => "with g and L by the pattern of each superstep",
                (true, true) => {
                    "with g and L by the pattern of each superstep, and phases as long as they are alone"
                }
                (false, _) => "with phases as long as they are alone",
            };
            notes.push(format!(
                "by OBSP*, {how}: {} [{}, {}] ({:.0} %)",
                time(value_s),
                time(low_s),
                time(high_s),
                100.0 * confidence
            ));
        }
        match &self.machine {
            Some(name) => notes.push(format!("communication as on the machine {name}")),
            None if !has_machine => notes.push(
                "communication takes no time, since no machine was given (--machine MACHINE)"
                    .to_owned(),
            ),
            None => {}
        }
        notes.extend(self.substitutions.iter().map(|one| format!("the machine: {one}")));
        if self.complete {
            notes.push(format!(
                "here it took {} on {cores} {on}: {} phases of {} in all; {} of memory each at most",
                time(real.run_s),
                real.phases,
                time(real.phases_s),
                bytes(real.memory_bytes),
            ));
        } else {
            notes.push(
                "not all processors came to their end: this is what they took until then"
                    .to_owned(),
            );
        }
        let Real { phases, restored_phases, cache_bytes, .. } = *real;
        if cache_bytes > 0 && restored_phases < phases {
            notes.push(format!(
                "{} of {phases} phases began with the cache as other processors had left it, since the memory of \
                 their own is more than the {} that a core has by itself: these may be overestimated",
                phases - restored_phases,
                bytes(cache_bytes),
            ));
        }
        if let Some(Contention { cores, factor, low, high, phases }) = self.contention {
            notes.push(format!(
                "contention: phases took {factor:.3} [{low:.3}, {high:.3}] times as long {cores} at a time as \
                 alone ({phases} of them){}",
                match self.model_without_contention {
                    true => "; the time by OBSP* is without that, --contention as-run leaves it in",
                    false => "",
                }
            ));
        } else if looked_alone {
            notes.push(
                "contention: too few phases that are alike were run alone to tell".to_owned(),
            );
        }
        if self.asked_for_time > 0 {
            let times = if self.asked_for_time == 1 { "time" } else { "times" };
            notes.push(format!(
                "the program asked for the time {} {times} and was told virtual time; what it does by that, \
                 or by another clock, may be otherwise on another machine",
                self.asked_for_time
            ));
        }
        notes
    }

    /// Superstep by superstep.
    pub fn table(&self, style: &Style) -> String {
        let notation = if style.unicode { Notation::Unicode } else { Notation::Ascii };
        let time = |seconds: f64| Cell::new(notation.quantity(seconds, &Unit::Seconds));
        let unit = Unit::Other("bytes".to_owned());
        let bytes = |size: u64| Cell::new(notation.quantity(size as f64, &unit));
        let mut table = Table::new(vec![
            Column::left("processors"),
            Column::right("step"),
            Column::left("at").flexible(),
            Column::right("computation"),
            Column::right("h"),
            Column::right("comm."),
            Column::right("waiting"),
            Column::right("end"),
        ]);
        for step in &self.course.supersteps {
            let name = step.file.rsplit('/').next().unwrap_or_default();
            let at = match step.line {
                0 => String::new(),
                line => format!("{name}:{line}"),
            };
            let end = step.first + step.nprocs.max(1) - 1;
            table.row([
                Cell::new(format!("{}-{end}", step.first)),
                Cell::new(step.superstep.to_string()),
                Cell::new(at),
                time(step.computation_s),
                bytes(step.h_bytes),
                time(step.communication_s),
                time(step.waiting_s),
                time(step.end_s),
            ]);
        }
        table.render(style, 0)
    }
}
