//! Points that may be measured next.

use cll_analysis::Error;
use cll_analysis::planning::{PlanningInput, candidates};
use cll_analysis::{DataSource, ReadData, fit_model, locations};
use cll_campaign::{Budget, Varied};
use cll_import::ImportOptions;
use cll_result::{ModelFile, RunModel};
use cll_units::Seconds;

use crate::support::{line, message, parts, request};

/// t = 1 ms + 2 µs N/P, each five times.
fn model(unit: &str) -> ModelFile {
    let mut text = format!("N,P,{unit}\n");
    for (n, p) in [1000, 2000, 4000].into_iter().flat_map(|n| [1, 2, 4].map(|p| (n, p))) {
        for off in [0.99, 1.0, 1.01, 1.005, 0.995] {
            text += &format!("{n},{p},{}\n", (1e-3 + 2e-6 * f64::from(n) / f64::from(p)) * off);
        }
    }
    let options = ImportOptions {
        result: Some(unit.to_owned()),
        unit: Some(unit.to_owned()).filter(|unit| unit != "s"),
        ..ImportOptions::default()
    };
    let source = DataSource::of_csv("t", text.as_bytes(), &options).unwrap();
    fit_model(ReadData::of(source), &request(&["f[0] + f[1]*N/P"])).unwrap()
}

fn vary(texts: &[&str]) -> Result<Vec<cll_campaign::Variation>, cll_analysis::Error> {
    let varied: Vec<Varied> = texts.iter().map(|text| text.parse().unwrap()).collect();
    candidates(&varied)
}

struct Asked<'a> {
    model: &'a ModelFile,
    predict: &'a str,
    vary: &'a [&'a str],
    runs: &'a [RunModel],
}

impl Asked<'_> {
    fn planning(&self) -> Result<cll_analysis::planning::Planning, cll_analysis::Error> {
        let asked =
            if self.predict.is_empty() { Vec::new() } else { locations(self.predict).unwrap() };
        let input = PlanningInput {
            experiments: &self.model.experiments,
            runs: self.runs,
            asked: &asked,
            vary: &vary(self.vary).unwrap(),
            budget: Budget { seconds: 10.0, is_core_time: true },
            repetitions: None,
        };
        input.planning()
    }
}

#[test]
fn candidates_have_the_cost_of_their_runs() {
    let model = model("s");
    let asked = Asked {
        model: &model,
        predict: "N=16000,P=8",
        vary: &["P=1:8:*2", "N=1000,8000"],
        runs: &[],
    };
    let planning = asked.planning().unwrap();
    let problem = &planning.problem;
    assert_eq!(
        (problem.variables.as_slice(), problem.candidates.len()),
        (&["N".to_owned(), "P".to_owned()][..], 8)
    );
    assert_eq!((planning.targets.as_slice(), problem.runs), (&[vec![16000.0, 8.0]][..], 5));
    for candidate in &problem.candidates {
        let (n, p) = (candidate.values[0], candidate.values[1]);
        // Core time: that of all processors; and what the program does besides.
        let cost = (1e-3 + 2e-6 * n / p) * p;
        assert!((1.0..1.3).contains(&(candidate.cost / cost)), "{candidate:?} {cost}");
    }
    assert!(planning.notes.is_empty(), "{:?}", planning.notes);
}

#[test]
fn without_values_they_are_measured_ones_and_more() {
    let model = model("s");
    let planning =
        Asked { model: &model, predict: "N=16000,P=4", vary: &[], runs: &[] }.planning().unwrap();
    let mut sizes: Vec<f64> =
        planning.problem.candidates.iter().map(|candidate| candidate.values[0]).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    assert_eq!(sizes, [1000.0, 1414.0, 2000.0, 2828.0, 4000.0, 8000.0, 16000.0]);
    let mut processors: Vec<f64> =
        planning.problem.candidates.iter().map(|candidate| candidate.values[1]).collect();
    processors.sort_by(f64::total_cmp);
    processors.dedup();
    assert_eq!(processors, [1.0, 2.0, 4.0], "no others");
    assert_eq!(
        planning.notes[0].text,
        "points are chosen from N = 1000 to 16000, P = 1 to 4; --vary gives others"
    );
}

#[test]
fn what_cannot_be_planned_is_told() {
    let model = model("s");
    let refusal = |predict: &str, vary: &[&str]| {
        parts(Asked { model: &model, predict, vary, runs: &[] }.planning())
    };
    let (error, text, _) = refusal("M=3", &[]);
    assert!(matches!(error, Error::Request(_)), "{error:?}");
    assert!(text.starts_with("no experiment has a variable M: "), "{text}");
    let (_, text, help) = refusal("N=3", &[]);
    assert_eq!(text, "--predict N=3: a value of P is missing");
    assert_eq!(help, ["such as --predict N=3,P=…"]);
    assert!(refusal("", &["K=1:4"]).1.starts_with("--vary K: no formula has a variable K: "));
    assert_eq!(message(vary(&["N=1:4", "N=2:8"])), "--vary N is given twice");
    let empty = ModelFile::new(String::new());
    let (error, text, _) =
        parts(Asked { model: &empty, predict: "", vary: &[], runs: &[] }.planning());
    assert!(matches!(error, Error::Data(_)), "{error:?}");
    assert_eq!(text, "the model has no fitted experiment to plan for");
    let source = DataSource::of_csv("t", line().as_bytes(), &ImportOptions::default()).unwrap();
    let constant = fit_model(ReadData::of(source), &request(&["f[0]"])).unwrap();
    let (_, text, _) =
        parts(Asked { model: &constant, predict: "", vary: &[], runs: &[] }.planning());
    assert_eq!(text, "no formula has a variable: there is nothing to choose");
}

/// A model of counts does not say what a run takes; the runs so far may.
#[test]
fn the_length_of_a_run_must_be_known() {
    let model = model("misses");
    let asked = Asked { model: &model, predict: "N=8000,P=1", vary: &[], runs: &[] };
    let (error, text, _) = parts(asked.planning());
    assert!(matches!(error, Error::Data(_)), "{error:?}");
    assert_eq!(text, "the model is in misses, and nothing says how long a run takes");
    let runs = [0.5, 1.5].map(|wall| RunModel { wall: Some(Seconds(wall)), ..RunModel::default() });
    let planning = Asked { runs: &runs, ..asked }.planning().unwrap();
    assert!(planning.notes.iter().any(|note| note.code == "cost"), "{:?}", planning.notes);
    assert!(
        planning.problem.candidates.iter().all(|candidate| candidate.cost >= 0.9),
        "{:?}",
        planning.problem.candidates
    );
}
