//! Several models as one, for a page that shows all of their experiments.

use crate::doubt::Doubts;
use crate::model::ModelFile;

impl ModelFile {
    /// The experiments of all models, each with the model's label before its name: `before.cll: sort`. The machine is
    /// kept if it is the same for all. What belongs to one model only is not in it: program, runs, sampling, ranking.
    /// Doubts go with the experiments.
    pub fn together(models: Vec<(String, ModelFile)>) -> ModelFile {
        let mut models = models.into_iter();
        let Some((label, first)) = models.next() else { return ModelFile::new(String::new()) };
        let mut out = ModelFile {
            format: first.format.clone(),
            version: first.version,
            tool: first.tool.clone(),
            machine: first.machine.clone(),
            ..ModelFile::new(String::new())
        };
        for (label, model) in std::iter::once((label, first)).chain(models) {
            if model.machine != out.machine {
                out.machine = None;
            }
            let doubts: Vec<Doubts> =
                model.experiments.iter().map(|experiment| model.doubts_of(experiment)).collect();
            for mut notice in model.warnings {
                notice.text = format!("{label}: {}", notice.text);
                out.warnings.push(notice);
            }
            for (mut experiment, doubts) in model.experiments.into_iter().zip(doubts) {
                experiment.doubts = doubts.into_iter().collect();
                experiment.name = if experiment.name.is_empty() {
                    label.clone()
                } else {
                    format!("{label}: {}", experiment.name)
                };
                out.experiments.push(experiment);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::model::ExperimentModel;
    use crate::notice::Notice;

    fn model(names: &[&str], host: &str) -> ModelFile {
        let experiment_of = |name: &&str| -> ExperimentModel {
            serde_json::from_value(serde_json::json!({
                "name": name, "formula": "f[0]", "places": [], "variables": [], "unit": "s",
                "time": "inclusive", "samples": 0, "fit": null, "failure": null, "warnings": [],
            }))
            .unwrap()
        };
        ModelFile {
            machine: Some(Machine { host: host.to_owned(), ..Machine::default() }),
            experiments: names.iter().map(experiment_of).collect(),
            warnings: vec![Notice::new("few", "few points")],
            ..ModelFile::new(String::new())
        }
    }

    #[test]
    fn names_say_of_which_model_they_are() {
        let models = |host: &str| {
            vec![("a".into(), model(&["f", ""], "x")), ("b".into(), model(&["f"], host))]
        };
        let all = ModelFile::together(models("x"));
        let names: Vec<&str> =
            all.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        assert_eq!(names, ["a: f", "a", "b: f"]);
        assert_eq!(all.machine.map(|machine| machine.host).as_deref(), Some("x"));
        assert_eq!(all.warnings[1].text, "b: few points");
        assert_eq!(ModelFile::together(models("y")).machine, None);
    }
}
