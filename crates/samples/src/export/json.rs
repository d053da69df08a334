use std::borrow::Cow;
use std::io::Write;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use cll_trace::clock::{Calibration, CalibrationSource};
use cll_trace::meta;
use cll_trace::{Cell, Experiment, Observed, Place, Process, Run, Series, Start, Stretch, Trace};
use cll_units::{Bytes, Seconds};

use super::ExportError;

/// Version of the JSON document. It grows when something is removed or changes its meaning.
pub const JSON_VERSION: u32 = 1;

/// Writes a trace with all its samples as one JSON document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(trace: &Trace, out: impl Write) -> Result<(), ExportError> {
    let document = TraceJson {
        format: "cll-trace",
        version: JSON_VERSION,
        samples: trace.samples,
        processes: trace.processes.iter().map(ProcessEntry::new).collect(),
        runs: trace.runs.iter().map(RunEntry::new).collect(),
        report: &trace.report,
        experiments: trace.experiments.iter().map(ExperimentEntry::new).collect(),
        warnings: trace.warnings.iter().map(ToString::to_string).collect(),
        damage: trace.damage.iter().map(DamageEntry::new).collect(),
    };
    let mut out = std::io::BufWriter::new(out);
    serde_json::to_writer(&mut out, &document).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// A trace with all its samples.
#[derive(Serialize, JsonSchema)]
pub struct TraceJson<'a> {
    format: &'static str,
    version: u32,
    samples: u64,
    processes: Vec<ProcessEntry<'a>>,
    runs: Vec<RunEntry<'a>>,
    report: &'a [String],
    experiments: Vec<ExperimentEntry<'a>>,
    warnings: Vec<String>,
    damage: Vec<DamageEntry>,
}

#[derive(Serialize, JsonSchema)]
struct ProcessEntry<'a> {
    trace: u32,
    #[serde(flatten)]
    table: &'a meta::Process,
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<&'a meta::Processor>,
    ended: bool,
    threads: u32,
    samples: u64,
    waited_ns: u64,
    calibration: CalibrationEntry,
    units: Vec<UnitEntry<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sync: &'a [meta::Sync],
    #[serde(skip_serializing_if = "Option::is_none")]
    observables: Option<&'a meta::Observables>,
}

#[derive(Serialize, JsonSchema)]
struct CalibrationEntry {
    source: &'static str,
    tick_s: Seconds,
    uncertainty: Number,
    baseline_ns: u64,
}

#[derive(Serialize, JsonSchema)]
struct UnitEntry<'a> {
    file: &'a str,
    compiler: &'a str,
    model: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct RunEntry<'a> {
    trace: u32,
    #[serde(flatten)]
    table: &'a meta::Run,
}

#[derive(Serialize, JsonSchema)]
struct ExperimentEntry<'a> {
    name: &'a str,
    formula: &'a str,
    variables: &'a [String],
    observables: Vec<ObservedEntry<'a>>,
    samples: u64,
    left: u64,
    switched: u64,
    barrier: u64,
    window: u64,
    late: u64,
    negative: u64,
    exclusive_uncertain: u64,
    places: Vec<PlaceEntry<'a>>,
    cells: Vec<CellEntry<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ObservedEntry<'a> {
    name: &'a str,
    unit: &'a str,
    additive: bool,
}

#[derive(Serialize, JsonSchema)]
struct SeriesEntry<'a> {
    inclusive: Numbers<'a>,
    exclusive: Numbers<'a>,
}

#[derive(Serialize, JsonSchema)]
struct PlaceEntry<'a> {
    file: &'a str,
    line: u32,
    end_line: u32,
    function: &'a str,
    model: &'a str,
    every: u32,
    samples: u64,
}

#[derive(Serialize, JsonSchema)]
struct CellEntry<'a> {
    values: Numbers<'a>,
    inclusive_s: Numbers<'a>,
    exclusive_s: Numbers<'a>,
    observed: Vec<SeriesEntry<'a>>,
    origins: Vec<OriginEntry>,
}

#[derive(Serialize, JsonSchema)]
struct OriginEntry {
    count: u32,
    process: u32,
    thread: u32,
    place: u32,
    left: bool,
    switched: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sync: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct DamageEntry {
    trace: u32,
    offset: Option<u64>,
    lost_bytes: Bytes,
    what: String,
}

/// A number, or a string if JSON has no number for it: `"NaN"`, `"inf"`, `"-inf"`.
struct Number(f64);

struct Numbers<'a>(&'a [f64]);

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, or a string where JSON has no number.",
            "anyOf": [{ "type": "number" }, { "enum": ["NaN", "inf", "-inf"] }]
        })
    }
}

impl JsonSchema for Numbers<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<Number>>()
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|&value| list.serialize_element(&Number(value)))?;
        list.end()
    }
}

impl<'a> ProcessEntry<'a> {
    fn new(process: &'a Process) -> Self {
        let Calibration { tick, uncertainty, baseline_ns, source, .. } = process.calibration;
        let unit = |unit: &'a meta::Unit| UnitEntry {
            file: &unit.file,
            compiler: &unit.compiler,
            model: &unit.model,
        };
        ProcessEntry {
            trace: process.trace,
            table: &process.table,
            processor: process.processor.as_ref(),
            ended: process.end.is_some(),
            threads: process.threads,
            samples: process.samples,
            waited_ns: process.waited_ns,
            calibration: CalibrationEntry {
                source: match source {
                    CalibrationSource::Exact => "exact",
                    CalibrationSource::Measured => "measured",
                    CalibrationSource::Machine => "machine",
                    CalibrationSource::Nominal => "nominal",
                    CalibrationSource::Unknown => "unknown",
                },
                tick_s: tick,
                uncertainty: Number(uncertainty),
                baseline_ns,
            },
            units: process.units.iter().map(unit).collect(),
            sync: &process.sync,
            observables: process.observables.as_ref(),
        }
    }
}

impl<'a> RunEntry<'a> {
    fn new(run: &'a Run) -> Self {
        RunEntry { trace: run.trace, table: &run.table }
    }
}

impl<'a> ExperimentEntry<'a> {
    fn new(experiment: &'a Experiment) -> Self {
        ExperimentEntry {
            name: &experiment.name,
            formula: &experiment.formula,
            variables: &experiment.variables,
            observables: experiment.observables.iter().map(ObservedEntry::new).collect(),
            samples: experiment.samples(),
            left: experiment.left,
            switched: experiment.switched,
            barrier: experiment.starts.barrier,
            window: experiment.starts.window + experiment.starts.late,
            late: experiment.starts.late,
            negative: experiment.negative,
            exclusive_uncertain: experiment.exclusive_uncertain,
            places: experiment.places.iter().map(PlaceEntry::new).collect(),
            cells: experiment.cells.iter().map(|cell| CellEntry::new(cell, experiment)).collect(),
        }
    }
}

impl<'a> PlaceEntry<'a> {
    fn new(place: &'a Place) -> Self {
        PlaceEntry {
            file: &place.file,
            line: place.line,
            end_line: place.end_line,
            function: &place.function,
            model: &place.model,
            every: place.every,
            samples: place.samples,
        }
    }
}

impl<'a> CellEntry<'a> {
    fn new(cell: &'a Cell, experiment: &Experiment) -> Self {
        let origin = |stretch: &Stretch| {
            let origin = experiment.origins.get(stretch.origin as usize)?;
            Some(OriginEntry {
                count: stretch.count,
                process: origin.process,
                thread: origin.thread,
                place: origin.place,
                left: origin.left,
                switched: origin.switched,
                sync: match origin.start {
                    Start::Own => None,
                    Start::Barrier => Some("barrier"),
                    Start::Window => Some("window"),
                    Start::Late => Some("late"),
                },
            })
        };
        CellEntry {
            values: Numbers(&cell.values),
            inclusive_s: Numbers(&cell.inclusive),
            exclusive_s: Numbers(cell.exclusive()),
            observed: cell.observed.iter().map(SeriesEntry::new).collect(),
            origins: cell.stretches.iter().filter_map(origin).collect(),
        }
    }
}

impl<'a> ObservedEntry<'a> {
    fn new(observed: &'a Observed) -> Self {
        let Observed { name, unit, additive } = observed;
        ObservedEntry { name, unit, additive: *additive }
    }
}

impl<'a> SeriesEntry<'a> {
    fn new(series: &'a Series) -> Self {
        SeriesEntry { inclusive: Numbers(&series.inclusive), exclusive: Numbers(&series.exclusive) }
    }
}

impl DamageEntry {
    fn new(damage: &cll_trace::Damage) -> Self {
        DamageEntry {
            trace: damage.trace,
            offset: damage.offset,
            lost_bytes: damage.lost,
            what: damage.cause.to_string(),
        }
    }
}
