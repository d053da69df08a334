//! The JSON that commands print is as its schema says: `docs/formats/schemas`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Place;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/schemas")
}

/// The schema of this name.
fn schema(name: &str) -> Value {
    let file = folder().join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap()
}

/// The name of the schema of what commands print in this format. The file `model.json` has a schema of its own.
fn name_of(format: &str) -> String {
    let title = format!("\"title\": \"{format}, version ");
    let names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|file| std::fs::read_to_string(file).unwrap().contains(&title))
        .map(|file| file.file_name().unwrap().to_string_lossy().replace(".schema.json", ""))
        .filter(|name| name != "model-file")
        .collect();
    assert_eq!(names.len(), 1, "schemas of {format}: {names:?}");
    names.into_iter().next().unwrap()
}

/// The faults of a value: the place and the reason of each.
fn faults(name: &str, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema(name)).unwrap();
    validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// Fails the test if a value is not as the schema of this name says.
#[track_caller]
pub fn check(name: &str, value: &Value) {
    let faults = faults(name, value);
    assert!(faults.is_empty(), "{name}.schema.json: {faults:#?}");
}

/// Fails the test if a value is not as the schema of its format says.
#[track_caller]
pub fn check_format(format: &str, value: &Value) {
    check(&name_of(format), value);
}

#[test]
fn a_fault_is_found_at_its_place() {
    let place = Place::new();
    place.write("t.csv", "N,time_s\n10,1\n20,2\n30,3\n");
    let fitted = place.cll(&["fit", "t.csv", "--formula", "t[0]*N", "--json"]).expect(0).json();
    assert_eq!(faults("fit", &fitted), [""; 0]);
    let mut wrong = fitted;
    wrong["experiments"][0]["name"] = 12.into();
    wrong["version"] = 99.into();
    let told = faults("fit", &wrong).join("\n");
    assert!(told.contains("/experiments/0/name: ") && told.contains("/version: "), "{told}");
}

#[test]
fn the_schema_of_a_command_is_printed() {
    let place = Place::new();
    let listed = place.cll(&["schema"]).expect(0);
    for line in listed.out.lines() {
        let name = line.split_whitespace().next().unwrap();
        assert_eq!(place.cll(&["schema", name]).expect(0).json(), schema(name));
    }
    assert_eq!(listed.out.lines().count(), std::fs::read_dir(folder()).unwrap().count());
    place.cll(&["schema", "fits"]).expect(2).says(&["there is no schema fits", "fit"]);
}
