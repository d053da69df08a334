//! `model.json`, as `docs/formats/model.md` describes it.

use cll_fit::{Fit, SharedConstant};
use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change_cause::ChangeCause;
use crate::counters::{CounterModel, MissesModel};
use crate::doubt::{Doubt, DoubtKind, Doubts};
use crate::error::ModelError;
use crate::machine::Machine;
use crate::notice::Notice;
use crate::ranking::Ranking;
use crate::sampling::Sampling;
use crate::search::SearchModel;
use crate::suggestion::SuggestionModel;

/// First field of the file: what it is.
const FORMAT: &str = "cll-model";
/// It is increased when something is removed or changes its meaning.
const VERSION: u32 = 1;

/// Fitted experiments, with everything that is needed to use them later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFile {
    /// `cll-model`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// The program that wrote it: `cll 0.1.0`.
    pub tool: String,
    /// When: `2026-01-31T12:00:00Z`.
    pub created: String,
    /// The program that was measured; `None` for data from elsewhere.
    pub program: Option<ProgramModel>,
    /// The machine it was measured on; `None` if that is not known.
    pub machine: Option<Machine>,
    /// The clock of the times: `tsc`, `cntvct`, `mono`; empty if not known.
    pub clock: String,
    /// The seed of the order of the launches; `None` if `cll model` did not launch them.
    pub seed: Option<u64>,
    /// The runs, in their order.
    pub runs: Vec<RunModel>,
    /// The experiments, in order of appearance.
    pub experiments: Vec<ExperimentModel>,
    /// Warnings that concern all experiments.
    pub warnings: Vec<Notice>,
    /// How the samples were taken; `None` for tables and for traces that `cll model` did not take.
    #[serde(default)]
    pub sampling: Option<Sampling>,
    /// Constants that several experiments share, by request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<SharedConstant>,
    /// Where the program spends its time; `None` without `--auto`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// The origin of a predicted model; `None` if the model was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<PredictedModel>,
}

/// The origin of a predicted model. The machine of the model is then the one that it was predicted for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredictedModel {
    /// The file of the measured model.
    pub from: String,
    /// The machine on which that was measured.
    pub measured_on: String,
}

impl PredictedModel {
    /// That in words, for the machine that it was predicted for.
    pub fn text(&self, machine: &str) -> String {
        format!(
            "the model is predicted for {machine}, not measured there: from {}, measured on {}",
            self.from, self.measured_on
        )
    }
}

/// The program that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramModel {
    /// The name of the program.
    pub name: String,
    /// The translated sources of the program.
    pub sources: Vec<SourceModel>,
    /// `sequential`, `OpenMP`.
    pub model: String,
    /// How it was built; `None` if that was not done by `cll model`.
    pub compiled: Option<Compiled>,
}

/// A source of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceModel {
    /// The name of the file as it was given.
    pub file: String,
    /// CRC-32 of its bytes in hexadecimal; empty if not known.
    pub crc32: String,
}

/// How a program was built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compiled {
    /// The command that compiled and linked.
    pub command: String,
    /// The first line of the compiler's `--version`.
    pub version: String,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunModel {
    /// The trace's file name.
    pub trace: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// Number of processors that was requested.
    pub processors: Option<u32>,
    /// Order of the values of `cll for`, such as `shuffled 17`.
    pub order: String,
    /// The exit code of the run, if it ended normally.
    pub exit: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Whether it was ended because of `--timeout`.
    pub timed_out: bool,
    /// Wall time; `None` if it was not taken.
    #[serde(rename = "time_s", alias = "seconds")]
    pub wall: Option<Seconds>,
    /// The round it belongs to; `None` if it was not launched by `cll model`.
    #[serde(default)]
    pub round: Option<u32>,
    /// The observables recorded in it, if not all runs record the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<String>,
}

impl ExperimentModel {
    /// Where it is measured, or the column it is from; empty if that is not known.
    pub fn place(&self) -> String {
        match &self.column {
            Some(column) => column.to_string(),
            None => self.places.join(", "),
        }
    }
}

/// A column of a table of other programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnModel {
    /// The table's file as it was given.
    pub file: String,
    /// The column's header, or the metric's name.
    pub name: String,
    /// The unit of its numbers in the file; `None` if neither file nor user names one.
    pub unit: Option<String>,
}

impl std::fmt::Display for ColumnModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ColumnModel { file, name, unit } = self;
        match unit {
            Some(unit) => write!(f, "{file}: column {name}, in {unit}"),
            None => write!(f, "{file}: column {name}, taken as seconds"),
        }
    }
}

/// An experiment and its fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentModel {
    /// The name of the experiment.
    pub name: String,
    /// The formula as text.
    pub formula: String,
    /// Where it is measured: `matrix.c:12`; empty for data from elsewhere.
    pub places: Vec<String>,
    /// The variables that were recorded with each sample.
    pub variables: Vec<String>,
    /// The quantity that was fitted: `time`, or the name of an observable.
    #[serde(default = "time")]
    pub observable: String,
    /// Unit of what was measured: `s`.
    pub unit: String,
    /// Which time it is: `inclusive`, `exclusive`; empty for data from elsewhere.
    pub time: String,
    /// The column of a table that was fitted; `None` for samples of a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<ColumnModel>,
    /// Number of samples.
    pub samples: u64,
    /// Bytes that it touches, as an expression over the variables; `None` if not known.
    #[serde(default)]
    pub working_set: Option<String>,
    /// How much the processors' times differ; `None` for a single processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imbalance: Option<ImbalanceModel>,
    /// How the processors began together; `None` if that is not in the samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<SyncModel>,
    /// The counters that were recorded beside the time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<CounterModel>,
    /// Misses per access, if both were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<MissesModel>,
    /// Points that were excluded from the fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<HeldOutModel>,
    /// The search that found the formula; `None` if the formula was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchModel>,
    /// The formula that is suggested in place of this one (`--suggest`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<SuggestionModel>,
    /// The fit; `None` if there can be none.
    pub fit: Option<Fit>,
    /// Why constants change, as `cll why --keep` has seen it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<ChangeCause>,
    /// Why there is none.
    pub failure: Option<String>,
    /// Warnings about the fit and its data.
    pub warnings: Vec<Notice>,
    /// Doubts that the rest of the file does not have, since the experiment is from another one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// How much the times of a parallel program's processors differ. The slowest of each passage is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImbalanceModel {
    /// The largest number of processors in one passage.
    pub processors: u32,
    /// Number of passages with several processors.
    pub passages: u64,
    /// The time of the slowest divided by the mean, each summed over all passages.
    pub slowest: f64,
    /// The same for the fastest.
    pub fastest: f64,
}

/// How the processors of a parallel program began the samples together (`sync`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SyncModel {
    /// Number of samples that began after a barrier.
    pub barrier: u64,
    /// Number of samples for which the processes agreed on a time to begin.
    pub window: u64,
    /// The number of samples with an agreed time that began later than that.
    pub late: u64,
    /// Samples of passages that were left out, since one began late.
    pub left_out: u64,
    /// The possible difference between the processes' clocks, nanoseconds; 0: all have the same clock.
    pub within_ns: u64,
}

/// A point that the fit has not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeldOutModel {
    /// Values of the recorded variables, in their order.
    pub values: Vec<f64>,
    /// The aggregate of its repetitions, in the experiment's unit.
    pub measured: f64,
}

/// The observable that was fitted if the field is missing.
fn time() -> String {
    "time".to_owned()
}

impl ModelFile {
    /// A model without experiments.
    pub fn new(created: String) -> ModelFile {
        ModelFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            tool: concat!("cll ", env!("CARGO_PKG_VERSION")).to_owned(),
            created,
            program: None,
            machine: None,
            clock: String::new(),
            seed: None,
            runs: Vec::new(),
            experiments: Vec::new(),
            warnings: Vec::new(),
            sampling: None,
            shared: Vec::new(),
            ranking: None,
            predicted: None,
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it is no model that this version knows.
    pub fn parse(bytes: &[u8]) -> Result<ModelFile, ModelError> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
            version: Option<u32>,
        }
        if bytes.windows(4).take(1).any(|start| start == b"CLL1") {
            return Err(ModelError::Trace);
        }
        let head: Head = serde_json::from_slice(bytes)
            .map_err(|error| ModelError::NoModel(error.to_string()))?;
        if head.format.as_deref() != Some(FORMAT) {
            return Err(ModelError::NoModel("its format is not \"cll-model\"".to_owned()));
        }
        match head.version {
            Some(VERSION) => {}
            Some(version) if version > VERSION => {
                return Err(ModelError::Newer { version, known: VERSION });
            }
            _ => return Err(ModelError::NoModel("it has no version".to_owned())),
        }
        serde_json::from_slice(bytes).map_err(ModelError::Damaged)
    }

    /// As it is kept: JSON that ends with a new line.
    ///
    /// # Errors
    /// If JSON does not know it.
    pub fn to_json(&self) -> Result<Vec<u8>, ModelError> {
        let mut text = serde_json::to_vec_pretty(self).map_err(ModelError::Unwritable)?;
        text.push(b'\n');
        Ok(text)
    }

    /// The doubts in the numbers of an experiment: the only place where that is decided.
    pub fn doubts_of(&self, experiment: &ExperimentModel) -> Doubts {
        let mut doubts = Doubts::new(experiment.doubts.iter().cloned());
        doubts.extend(self.own_doubts());
        doubts
    }

    /// The doubts in any of its numbers.
    pub fn doubts(&self) -> Doubts {
        let mut doubts = Doubts::new(self.own_doubts());
        doubts.extend(
            self.experiments.iter().flat_map(|experiment| experiment.doubts.iter().cloned()),
        );
        doubts
    }

    /// The doubts that concern all experiments.
    fn own_doubts(&self) -> impl Iterator<Item = Doubt> {
        let predicted = self.predicted.as_ref().map(|predicted| {
            let machine =
                self.machine.as_ref().map_or("another machine", |machine| machine.host.as_str());
            Doubt { kind: DoubtKind::Predicted, text: predicted.text(machine) }
        });
        self.sampling.as_ref().and_then(Sampling::doubt).into_iter().chain(predicted)
    }

    /// Whether numbers of it are not reliable.
    pub fn is_not_measurable(&self) -> bool {
        !self.doubts().is_measurable()
    }

    /// A sentence to print before its numbers, if they are not reliable.
    pub fn reservation(&self) -> Option<String> {
        self.doubts().reservation()
    }

    /// Whether any experiment has a fit.
    pub fn has_fit(&self) -> bool {
        self.experiments.iter().any(|experiment| experiment.fit.is_some())
    }

    /// Whether any region of the ranking has a formula.
    pub fn has_ranked_formula(&self) -> bool {
        let spots = self.ranking.iter().flat_map(|ranking| &ranking.spots);
        spots.into_iter().any(|spot| spot.time.formula.is_some())
    }

    /// The subject: the measured program, or the source of the data.
    pub fn name(&self) -> String {
        let program = self.program.as_ref().map(|program| program.name.as_str());
        match (program.filter(|name| !name.is_empty()), &self.experiments[..]) {
            (Some(name), _) => name.to_owned(),
            (None, [experiment]) if !experiment.name.is_empty() => experiment.name.clone(),
            _ => "Data".to_owned(),
        }
    }

    /// Name and bytes of each cache of the machine.
    pub fn caches(&self) -> Vec<(String, Bytes)> {
        self.machine.as_ref().map(Machine::sizes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ModelFile::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_model_is_reported() {
        assert!(message("CLL1....").contains("this is a trace"));
        assert!(message("[1, 2]").contains("no model"));
        assert!(message("{}").contains("no model"));
        assert!(message("{\"format\":\"cll-model\",\"version\":9}").contains("newer"));
        assert!(message("{\"format\":\"cll-model\",\"version\":1}").contains("damaged"));
    }

    #[test]
    fn a_model_comes_back() {
        let model = ModelFile::new("2026-01-31T12:00:00Z".into());
        let text = serde_json::to_vec(&model).unwrap();
        assert_eq!(ModelFile::parse(&text).unwrap(), model);
    }
}
