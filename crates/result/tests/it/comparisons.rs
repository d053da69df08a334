//! Models of one program compared.

use cll_fit::CompareOptions;
use cll_result::{Compiled, ModelComparison, ModelFile};

use crate::support::{experiment, full_model, line};

fn model(names: &[&str]) -> ModelFile {
    let mut model = full_model();
    let fit = line("f[0] + f[1]*N", &[]);
    model.experiments = names.iter().map(|name| experiment(name, Some(fit.clone()))).collect();
    model
}

#[test]
fn experiments_are_compared_by_name_and_the_others_are_listed() {
    let (old, mut new) = (model(&["f", "gone", "nothing"]), model(&["f", "new", "nothing"]));
    new.experiments[2].fit = None;
    let comparison = ModelComparison::new(&old, &new, &CompareOptions::default());
    let names: Vec<&str> =
        comparison.experiments.iter().map(|comparison| comparison.experiment.as_str()).collect();
    assert_eq!(names, ["f"]);
    assert_eq!(comparison.gone, ["gone", "nothing"]);
    assert_eq!(comparison.added, ["new", "nothing"]);
    assert!(!comparison.slower && !comparison.is_empty() && comparison.differs.is_empty());
    assert!(ModelComparison::new(&old, &model(&["other"]), &CompareOptions::default()).is_empty());
}

#[test]
fn other_observables_are_not_compared() {
    let (old, mut new) = (model(&["f"]), model(&["f"]));
    new.experiments[0].observable = "cycles".to_owned();
    let comparison = ModelComparison::new(&old, &new, &CompareOptions::default());
    assert_eq!(
        comparison.experiments[0].failure.as_deref(),
        Some("the old model is of time, the new one of cycles")
    );
    assert!(comparison.experiments[0].comparison.is_none() && comparison.is_empty());
}

/// Only what both know can differ.
#[test]
fn another_machine_or_compiler_is_told() {
    let (old, mut new) = (model(&["f"]), model(&["f"]));
    new.machine.as_mut().unwrap().host = "node8".to_owned();
    new.program.as_mut().unwrap().compiled =
        Some(Compiled { command: "gcc -O3".to_owned(), version: "gcc 12".to_owned() });
    let json =
        serde_json::to_value(ModelComparison::new(&old, &new, &CompareOptions::default())).unwrap();
    assert_eq!(
        json["differs"],
        serde_json::json!([
            { "what": "machine", "old": "node7: a processor", "new": "node8: a processor" },
            { "what": "compiler", "old": "gcc 12; gcc -O2", "new": "gcc 12; gcc -O3" },
        ])
    );
    assert_eq!((&json["format"], &json["version"]), (&"cll-model-compare".into(), &1.into()));
    new.machine = None;
    new.program = None;
    assert!(ModelComparison::new(&old, &new, &CompareOptions::default()).differs.is_empty());
}
