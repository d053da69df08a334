//! The JSON of `--json`.

use std::path::Path;

use cll_fit::Segment;
use cll_result::ExperimentModel;
use cll_upsilon::{Disagreement, ExperimentSets, Moved};
use schemars::JsonSchema;
use serde::Serialize;

use super::SourceSets;

/// Υ sets with what is known of them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UpsilonJson {
    format: &'static str,
    version: u32,
    /// The source.
    source: String,
    /// The checksum of the source.
    crc32: String,
    /// The Υ file; `None` if the sets were only proposed.
    file: Option<String>,
    experiments: Vec<ExperimentJson>,
    /// Statements that stand elsewhere in this version of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moved: Vec<MovedJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExperimentJson {
    #[serde(flatten)]
    experiment: ExperimentSets,
    /// The values of each constant in a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValuesJson>,
    /// Lines for which counts say something else than nesting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagreements: Vec<DisagreementJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ValuesJson {
    constant: String,
    term: String,
    unit: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DisagreementJson {
    line: usize,
    nesting: Vec<String>,
    counts: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MovedJson {
    text: String,
    from: usize,
    to: usize,
}

impl MovedJson {
    pub(super) fn new(moved: &Moved) -> MovedJson {
        MovedJson { text: moved.text.clone(), from: moved.from, to: moved.to }
    }
}

impl UpsilonJson {
    /// Makes the JSON of sets, with the values of a model's experiments.
    pub fn new(upsilon: &SourceSets, models: &[ExperimentModel]) -> UpsilonJson {
        UpsilonJson::with_counts(upsilon, models, &[])
    }

    /// The same, with what counts say of each experiment.
    pub(super) fn with_counts(
        upsilon: &SourceSets,
        models: &[ExperimentModel],
        disagreements: &[(String, Vec<Disagreement>)],
    ) -> UpsilonJson {
        let name = |path: &Path| path.display().to_string();
        let experiments = upsilon.sets.experiments.iter().map(|experiment| {
            let same = |candidate: &&ExperimentModel| {
                candidate.name == experiment.name && candidate.formula == experiment.formula
            };
            let values = models.iter().find(same).into_iter().flat_map(|model| {
                let constants = model.fit.iter().flat_map(|fit| &fit.constants);
                constants.map(|constant| ValuesJson {
                    constant: constant.constant.clone(),
                    term: constant.term.clone(),
                    unit: model.unit.clone(),
                    segments: constant.segments.clone(),
                })
            });
            let of_it = disagreements.iter().filter(|(name, _)| *name == experiment.name);
            ExperimentJson {
                experiment: experiment.clone(),
                values: values.collect(),
                disagreements: of_it
                    .flat_map(|(_, all)| all)
                    .map(|disagreement| DisagreementJson {
                        line: disagreement.line,
                        nesting: disagreement.nesting.clone(),
                        counts: disagreement.counts.clone(),
                    })
                    .collect(),
            }
        });
        UpsilonJson {
            format: "cll-upsilon",
            version: 1,
            source: name(&upsilon.source),
            crc32: upsilon.sets.crc32.clone(),
            file: upsilon.file.as_deref().map(name),
            experiments: experiments.collect(),
            moved: upsilon.moved.iter().map(MovedJson::new).collect(),
        }
    }
}
