//! Supersteps as rows and as JSON.

use std::io::{self, Write};

use csv::WriterBuilder;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::csv_names::csv_names;
use crate::exchange::Exchange;
use crate::{CommonClock, Processor, Share, Stored, StoredProcessor, Superstep};
use cll_trace::Damage;
use cll_trace::layout::TrafficRecord;
use cll_trace::meta;
use cll_units::{Bytes, ProcessorId, Seconds, SuperstepNumber};

/// A superstep on one processor, as it is written.
#[derive(Default, Serialize)]
struct SuperstepRow<'a> {
    machine: &'a str,
    superstep: SuperstepNumber,
    processor: u32,
    processors: u32,
    /// In the program.
    of_program: ProcessorId,
    ending: &'a str,
    file: &'a str,
    line: u32,
    start_s: Seconds,
    computation_s: Seconds,
    communication_s: Seconds,
    waiting_s: Seconds,
    requests: u64,
    bytes_sent: Bytes,
    bytes_received: Bytes,
    h_bytes: Bytes,
    /// Key of the machine of which this one is a part; empty if it is the machine of all processors.
    parent: &'a str,
    /// The superstep of the parent whose computation includes the times of this row.
    within: Option<u64>,
}

/// The same with the fields that only JSON has.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    row: SuperstepRow<'a>,
    path: &'a [(u32, u64)],
    partners: Vec<Partner>,
}

#[derive(Serialize)]
struct Partner {
    processor: u32,
    requests: u32,
    bytes_sent: u64,
    bytes_got: u64,
}

/// Version of the JSON.
const VERSION: u32 = 1;

/// The supersteps of a run, written record by record. One block of each processor is in memory.
pub struct LogExport<'a> {
    /// In ascending order of their numbers.
    processors: Vec<&'a StoredProcessor<'a>>,
    exchange: Exchange,
    clock: CommonClock,
    damage: Vec<Damage>,
}

impl<'a> LogExport<'a> {
    /// From the logs of the processes of a run. All records are read once.
    ///
    /// # Errors
    /// If a processor is in two of the logs, its number: then the logs are of different runs.
    pub fn new(logs: &'a [Stored<'a>]) -> Result<LogExport<'a>, ProcessorId> {
        let mut processors: Vec<&StoredProcessor<'_>> =
            logs.iter().flat_map(|log| &log.processors).collect();
        let origin_ns = processors.first().map_or(0, |first| first.first_ns);
        processors.sort_by_key(|processor| processor.tables.number);
        let twice = processors.windows(2).find(|p| p[0].tables.number == p[1].tables.number);
        if let Some(pair) = twice {
            return Err(pair[0].tables.number);
        }
        let exchange = Exchange::new(&processors);
        let clock = CommonClock::new(&processors, origin_ns);
        let damage = logs.iter().flat_map(|log| &log.damage).chain(&exchange.damage);
        let damage = damage.cloned().collect();
        Ok(LogExport { processors, exchange, clock, damage })
    }

    /// Returns the damage that was found in the records; what headers and tables say is in [`Stored::damage`].
    pub fn damage(&self) -> &[Damage] {
        &self.exchange.damage
    }

    /// Whether there is no superstep.
    pub fn is_empty(&self) -> bool {
        self.processors.iter().all(|processor| processor.records().peek().is_none())
    }

    /// Writes CSV, one row for each superstep on each processor, in ascending order of processors, below the names of
    /// the columns.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn csv(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(&csv_names::<SuperstepRow<'_>>()?)?;
        let mut out = WriterBuilder::new().has_headers(false).from_writer(out);
        self.each(|row, _, _| out.serialize(row).map_err(io::Error::from))?;
        out.flush()
    }

    /// Writes JSON: rows as in the CSV, each with its call path (module and offset, from the call outwards) and its
    /// partners; the modules; what is missing.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn json(&self, mut out: impl Write) -> io::Result<()> {
        let tables = || self.processors.iter().map(|processor| &processor.tables);
        let document = Json {
            version: VERSION,
            supersteps: Rows(self),
            modules: tables().flat_map(|tables| &tables.modules).collect(),
            machines: tables().flat_map(|tables| &tables.machines).collect(),
            damage: self.damage.iter().map(ToString::to_string).collect(),
        };
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)
    }

    /// Passes on every superstep with its processor and what that requested from others.
    fn each<E>(
        &self,
        mut take: impl FnMut(SuperstepRow<'_>, &[TrafficRecord], &[(u32, u64)]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (index, &processor) in self.processors.iter().enumerate() {
            let mut requested = self.exchange.requested(index);
            let mut records = processor.records();
            while let Some((record, number)) = records.peek() {
                records.advance(&record, number);
                let superstep = self.clock.superstep(index, processor, &record, number);
                let traffic = records.traffic(record.traffic).unwrap_or_default();
                let machine = processor.tables.machine(superstep.machine);
                let others = traffic
                    .iter()
                    .filter(|record| machine.is_some_and(|machine| machine.pid != record.partner));
                let own = others.fold(Share::default(), |sum, record| Share {
                    requests: sum.requests + u64::from(record.requests),
                    sent: sum.sent.saturating_add(Bytes(record.sent)),
                    received: sum.received.saturating_add(Bytes(record.got)),
                });
                let row = row(&processor.tables, machine, &superstep, requested.next(own));
                let path = processor.tables.point(&superstep).map_or(&[][..], |point| &point.path);
                take(row, traffic, path)?;
            }
        }
        Ok(())
    }
}

fn row<'a>(
    processor: &'a Processor,
    machine: Option<&'a meta::Machine>,
    superstep: &Superstep,
    share: Share,
) -> SuperstepRow<'a> {
    let point = processor.point(superstep);
    let part = machine.filter(|machine| machine.key != machine.parent);
    SuperstepRow {
        machine: machine.map_or("", |machine| machine.key.as_str()),
        superstep: superstep.number,
        processor: machine.map_or(processor.number.get(), |machine| machine.pid),
        processors: machine.map_or(0, |machine| machine.nprocs),
        of_program: processor.number,
        ending: superstep.ending.name(),
        file: point.map_or("", |point| point.file.as_str()),
        line: point.map_or(0, |point| point.line),
        start_s: superstep.start,
        computation_s: superstep.computation,
        communication_s: superstep.communication,
        waiting_s: superstep.waiting,
        requests: share.requests,
        bytes_sent: share.sent,
        bytes_received: share.received,
        h_bytes: share.h(),
        parent: part.map_or("", |part| part.parent.as_str()),
        within: part.map(|part| part.within),
    }
}

#[derive(Serialize)]
struct Json<'a> {
    version: u32,
    supersteps: Rows<'a>,
    modules: Vec<&'a meta::Module>,
    machines: Vec<&'a meta::Machine>,
    damage: Vec<String>,
}

/// All rows, made while they are written.
struct Rows<'a>(&'a LogExport<'a>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        self.0.each(|row, traffic, path| {
            let partners = traffic.iter().map(|record| Partner {
                processor: record.partner,
                requests: record.requests,
                bytes_sent: record.sent,
                bytes_got: record.got,
            });
            sequence.serialize_element(&Whole { row, path, partners: partners.collect() })
        })?;
        sequence.end()
    }
}
