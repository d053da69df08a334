//! Defines the record that is kept of a model.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arguments::User;
use crate::load::Kind;
use crate::programs::Program;
use crate::stop::now;
use crate::tool::{Made, Predicted, Tool};
use crate::works::Works;

/// One call of `cll model`, and what the model predicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub user: User,
    pub kind: Kind,
    pub program: Program,
    /// The number of the trial or occasion, from 1 on.
    pub number: usize,
    /// Seconds since 1970.
    pub started: f64,
    pub seconds: f64,
    pub exit: i32,
    /// `quiet`, `disturbed`, `not-measurable`; empty if there is no model.
    pub state: String,
    /// Why it is not quiet.
    pub reasons: Vec<String>,
    pub rounds: usize,
    pub used: usize,
    pub canary_known: bool,
    pub scheduler: String,
    /// The messages of `cll model`, where it ended with neither 0 nor 8.
    pub failure: Option<String>,
    /// Also of a model that gives no answer: the numbers that it holds back.
    pub predictions: Vec<Predicted>,
}

impl Record {
    /// Samples a program, predicts, and keeps the model under a name beside the record.
    pub fn make(
        works: &Works,
        tool: &Tool,
        (user, kind, program, number): (User, Kind, Program, usize),
        budget: f64,
        sizes: &[u64],
    ) -> Result<Record> {
        let started = now();
        let made = tool.model(
            program,
            &program.fitted(),
            &["--loaded", "refuse", "--budget", &budget.to_string()],
        )?;
        let predictions = match made.model.pointer("/experiments/0/fit") {
            Some(fit) if !fit.is_null() => tool.predict(sizes)?,
            _ => Vec::new(),
        };
        let (state, reasons) = verdict(&made.model);
        let sampling = &made.model["sampling"];
        let rounds: &[Value] = sampling["rounds"].as_array().map_or(&[], Vec::as_slice);
        let record = Record {
            user,
            kind,
            program,
            number,
            started,
            seconds: made.seconds,
            exit: made.exit,
            state,
            reasons,
            rounds: rounds.len(),
            used: rounds.iter().filter(|round| round["used"] == true).count(),
            canary_known: sampling["canary_known"] == true,
            scheduler: sampling["scheduler"].as_str().unwrap_or_default().to_owned(),
            failure: failure(&made),
            predictions,
        };
        works.copy(&format!("{}.model", record.name()), &made.file)?;
        Ok(record)
    }

    /// Where it is kept.
    pub fn name(&self) -> String {
        name(self.user, self.kind, self.program, self.number)
    }

    /// Whether the model gives an answer.
    pub fn is_answer(&self) -> bool {
        self.exit == 0
    }

    /// Whether it has numbers that `cll model` does not take for an answer.
    pub fn is_held_back(&self) -> bool {
        self.exit == 8
    }

    /// Describes the result in words.
    pub fn words(&self) -> String {
        let Record { exit, state, used, rounds, seconds, .. } = self;
        let what = match (exit, &self.failure) {
            (0, _) => state.clone(),
            (8, _) => "no answer".to_owned(),
            (_, Some(failure)) => {
                let first = failure.lines().next().unwrap_or_default();
                return format!("FAILED, exit code {exit}: {first}");
            }
            (_, None) => return format!("FAILED, exit code {exit}"),
        };
        let why = if self.reasons.is_empty() { "" } else { ": " };
        format!(
            "{what}, {used} of {rounds} rounds in {seconds:.1} s{why}{}",
            self.reasons.join("; ")
        )
    }
}

/// Where such a record is kept.
pub fn name(user: User, kind: Kind, program: Program, number: usize) -> String {
    format!("models/{}/{}/{}-{number}", user.name(), kind.name(), program.name())
}

/// A model's own verdict on the machine: the state, and its reasons.
pub fn verdict(model: &Value) -> (String, Vec<String>) {
    let verdict = &model["sampling"]["verdict"];
    let reasons = verdict["reasons"].as_array().into_iter().flatten();
    (
        verdict["state"].as_str().unwrap_or_default().to_owned(),
        reasons.filter_map(|reason| Some(reason["text"].as_str()?.to_owned())).collect(),
    )
}

fn failure(made: &Made) -> Option<String> {
    (!matches!(made.exit, 0 | 8)).then(|| made.messages.clone())
}
