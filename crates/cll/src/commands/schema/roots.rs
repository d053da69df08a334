//! The values that commands print as JSON, each with its name, its format and the commands.

use cll_machine::Schedulers;
use cll_result::obsp;
use cll_result::{
    CampaignStatus, Comparison, Curves, DifferenceJson, Gains, KnownCounters, MachineComparison,
    MachineJson, Machines, ModelFile, ModelJson, MpiDiff, MpiGraph, MpiModel, MpiStats, NextPoints,
    OnMachine, Predictions, ProfileJson, VirtualPrediction, WhatIf, Why,
};
use cll_samples::export::TraceJson;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::commands::llac::StatementJson;
use crate::commands::machine::CheckedMachines;
use crate::commands::plot::PlotsJson;
use crate::commands::translate::TranslateJson;
use crate::commands::upsilon::{CheckedFiles, UpsilonJson};

/// A value that is printed as JSON.
pub struct Root {
    /// The name of the schema and of its file.
    pub name: &'static str,
    /// The field `format`; empty if the value has none.
    format: &'static str,
    /// The field `version`; 0 if the value has none.
    version: u32,
    /// The commands that print it, with the option that makes them do so if `--json` alone does not; or a file.
    commands: &'static [&'static str],
    type_schema: fn() -> Schema,
}

/// All of them, in the order of the commands.
pub const ROOTS: &[Root] = &[
    root::<TranslateJson>("translate", "", 1, &["cll translate"]),
    root::<VirtualPrediction>("run", "", 1, &["cll run --engine virtual"]),
    root::<ModelJson<'static>>("fit", "cll-model", 1, &["cll fit", "cll model", "cll show"]),
    root::<ModelFile>("model-file", "cll-model", 1, &["the file model.json"]),
    root::<CampaignStatus>("campaign-status", "cll-campaign-status", 1, &["cll campaign status"]),
    root::<Comparison>("campaign-compare", "cll-campaign-compare", 1, &["cll campaign compare"]),
    root::<Predictions<'static>>("predict", "cll-predictions", 1, &["cll predict"]),
    root::<OnMachine>("on-machine", "cll-on-machine", 1, &["cll predict --machine"]),
    root::<Curves>("curves", "cll-curves", 1, &["cll predict --curves", "cll obsp --curves"]),
    root::<NextPoints>("plan", "cll-next", 1, &["cll plan"]),
    root::<PlotsJson>("plot", "cll-plots", 1, &["cll plot"]),
    root::<StatementJson<'static>>("llac", "", 0, &["cll llac, each line"]),
    root::<obsp::Predictions<'static>>("obsp", "cll-obsp", 1, &["cll obsp"]),
    root::<Gains>("gains", "cll-gains", 1, &["cll obsp --against"]),
    root::<ProfileJson<'static>>(
        "profile-show",
        "cll-profile",
        1,
        &["cll profile show", "cll profile export --format json"],
    ),
    root::<DifferenceJson<'static>>("profile-diff", "cll-profile-diff", 1, &["cll profile diff"]),
    root::<MpiStats>("mpi-stats", "cll-mpi-stats", 1, &["cll mpi stats"]),
    root::<MpiDiff>("mpi-diff", "cll-mpi-diff", 1, &["cll mpi diff"]),
    root::<MpiGraph>("mpi-graph", "cll-mpi-graph", 1, &["cll mpi graph"]),
    root::<MpiModel>("mpi-model", "cll-mpi-model", 1, &["cll mpi model"]),
    root::<TraceJson<'static>>(
        "trace",
        "cll-trace",
        cll_samples::export::JSON_VERSION,
        &["cll export --format json"],
    ),
    root::<KnownCounters>("counters", "cll-counters", 1, &["cll counters"]),
    root::<MachineJson<'static>>(
        "machine",
        "cll-machine",
        1,
        &["cll machine show", "cll machine probe", "cll machine import"],
    ),
    root::<Schedulers>(
        "bsp-architecture",
        "cll-bsp-architecture",
        1,
        &["cll machine export --to bsp"],
    ),
    root::<Machines>("machine-list", "cll-machines", 1, &["cll machine list"]),
    root::<MachineComparison>(
        "machine-compare",
        "cll-machine-comparison",
        1,
        &["cll machine compare"],
    ),
    root::<CheckedMachines>("machine-check", "cll-machine-check", 1, &["cll machine check"]),
    root::<UpsilonJson>(
        "upsilon",
        "cll-upsilon",
        1,
        &["cll upsilon show", "cll upsilon propose", "cll upsilon import"],
    ),
    root::<CheckedFiles>("upsilon-check", "cll-upsilon-check", 1, &["cll upsilon check"]),
    root::<Why>("why", "cll-why", 1, &["cll why"]),
    root::<WhatIf>("what-if", "cll-what-if", 1, &["cll what-if"]),
];

const fn root<T: JsonSchema>(
    name: &'static str,
    format: &'static str,
    version: u32,
    commands: &'static [&'static str],
) -> Root {
    Root { name, format, version, commands, type_schema: of_type::<T> }
}

/// The schema of a type as it is written. A reader of an older version has a default for what it lacks; a writer leaves
/// out only what the type says.
fn of_type<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

impl Root {
    /// The schema, with its format and version.
    pub fn schema(&self) -> Schema {
        let mut schema = (self.type_schema)();
        schema.insert("title".to_owned(), self.title().into());
        if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            if !self.format.is_empty() {
                fields.insert("format".to_owned(), json!({ "const": self.format }));
            }
            if self.version > 0 {
                fields.insert("version".to_owned(), json!({ "const": self.version }));
            }
        }
        schema
    }

    /// The format and its version, or the name for values that do not say their format.
    pub fn title(&self) -> String {
        let name = if self.format.is_empty() { self.name } else { self.format };
        match self.version {
            0 => name.to_owned(),
            version => format!("{name}, version {version}"),
        }
    }

    /// What prints it, in words.
    pub fn printed_by(&self) -> String {
        self.commands.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use expect_test::expect_file;

    use super::*;
    use crate::cli::definition;

    /// The commands that have an option `--json`, with their names.
    fn commands_with_json(command: &clap::Command, above: &str, commands: &mut Vec<String>) {
        let name = format!("{above}{}", command.get_name());
        if command.get_arguments().any(|argument| argument.get_long() == Some("json")) {
            commands.push(name.clone());
        }
        for inner in command.get_subcommands() {
            commands_with_json(inner, &format!("{name} "), commands);
        }
    }

    #[test]
    fn every_command_with_json_has_a_schema() {
        let mut commands = Vec::new();
        commands_with_json(&definition(), "", &mut commands);
        assert!(commands.len() > 20, "{commands:?}");
        let known: Vec<&str> = ROOTS.iter().flat_map(|root| root.commands).copied().collect();
        // An option or a remark may follow the command.
        let words_of = |known: &'static str| known.split([',']).next()?.split(" --").next();
        let lacking: Vec<&String> = commands
            .iter()
            .filter(|command| !known.iter().any(|known| words_of(known) == Some(command.as_str())))
            .collect();
        assert!(
            lacking.is_empty(),
            "no schema for {lacking:?}: add the type that it prints to ROOTS in {}",
            file!()
        );
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<&str> = ROOTS.iter().map(|root| root.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROOTS.len());
    }

    #[test]
    fn documents_have_the_schemas() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/schemas");
        for root in ROOTS {
            let schema = root.schema();
            jsonschema::meta::validate(schema.as_value())
                .unwrap_or_else(|error| panic!("{}: {error}", root.name));
            let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
            expect_file![folder.join(format!("{}.schema.json", root.name))].assert_eq(&text);
        }
        let files = std::fs::read_dir(&folder).unwrap();
        assert_eq!(files.count(), ROOTS.len(), "{} has a file too many", folder.display());
    }

    #[test]
    fn format_and_version_are_fields_that_are_always_there() {
        for root in ROOTS {
            let schema = root.schema();
            let required = schema.get("required").and_then(Value::as_array);
            let is_required =
                |name: &str| required.is_some_and(|all| all.iter().any(|field| field == name));
            assert_eq!(is_required("format"), !root.format.is_empty(), "{}", root.name);
            assert_eq!(is_required("version"), root.version > 0, "{}", root.name);
        }
    }
}
