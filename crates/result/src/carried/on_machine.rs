//! A model on another machine, as it is written.

use cll_machine::Machine;
use schemars::JsonSchema;
use serde::Serialize;

use super::Carried;
use crate::doubt::Doubts;
use crate::model::{ModelFile, PredictedModel};
use crate::notice::Notice;

/// A model's times on another machine.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OnMachine {
    format: &'static str,
    version: u32,
    /// The model's file.
    pub model: String,
    /// The machine on which it was measured.
    pub here: String,
    /// The other one.
    pub there: String,
    /// By experiment.
    pub experiments: Vec<Carried>,
    /// Notes that concern all experiments.
    pub notes: Vec<String>,
    /// The doubts in the measured model.
    #[serde(flatten)]
    pub doubts: Doubts,
}

impl OnMachine {
    /// Without experiments yet. `now`: the present time, `2026-01-31T12:00:00Z`.
    pub fn new(model: String, here: &Machine, there: &Machine, now: &str) -> OnMachine {
        let mut notes: Vec<String> = [here, there].map(|machine| age(machine, now)).into();
        for machine in [here, there] {
            if machine.host.as_ref().is_none_or(|host| host.kernel.is_empty()) {
                notes.push(format!(
                    "{} does not say its kernel: what has changed since is not known",
                    machine.name
                ));
            }
            let disturbed = machine.origin.disturbed.iter();
            notes.extend(
                disturbed.map(|why| format!("{} was measured disturbed: {why}", machine.name)),
            );
        }
        OnMachine {
            format: "cll-on-machine",
            version: 1,
            model,
            here: here.name.clone(),
            there: there.name.clone(),
            experiments: Vec::new(),
            notes,
            doubts: Doubts::default(),
        }
    }
}

/// Why a machine is not the one that a model was measured on; `None` if it is, or if one of both does not say.
pub fn of_another_machine(model: &ModelFile, here: &Machine) -> Option<String> {
    let own = model.machine.as_ref()?;
    let host = here.host.as_ref()?;
    let differs = |own: &str, there: &str| !own.is_empty() && !there.is_empty() && own != there;
    let is_same_host = !host.name.is_empty() && host.name == own.host;
    if differs(&own.cpu, &host.cpu) && !is_same_host {
        return Some(format!(
            "the model was measured on {} ({}), and {} is {}",
            own.host, own.cpu, here.name, host.cpu
        ));
    }
    differs(&own.host, &host.name).then(|| {
        format!("the model was measured on {}, and {} is {}", own.host, here.name, host.name)
    })
}

impl OnMachine {
    /// The fitted experiments as a model of the other machine, marked as predicted. `None` if there are none.
    pub fn model(&self, source: &ModelFile, there: &Machine, now: &str) -> Option<ModelFile> {
        let mut model = ModelFile::new(now.to_owned());
        model.program.clone_from(&source.program);
        let host = there.host.as_ref();
        model.machine = Some(crate::machine::Machine {
            host: there.name.clone(),
            cpu: host.map(|host| host.cpu.clone()).unwrap_or_default(),
            processors: host.and_then(|host| host.cores).unwrap_or(0),
            caches: Vec::new(),
        });
        let predicted = PredictedModel { from: self.model.clone(), measured_on: self.here.clone() };
        model.warnings.push(Notice::new("predicted", predicted.text(&there.name)));
        model.predicted = Some(predicted);
        for time in &self.experiments {
            let Some(fit) = &time.fit else { continue };
            let Some(own) = source.experiments.iter().find(|own| own.name == time.name) else {
                continue;
            };
            let mut experiment = own.clone();
            experiment.samples = 0;
            experiment.formula = fit.formula.text().to_owned();
            experiment.variables.clone_from(&fit.recorded);
            experiment.warnings =
                time.notes.iter().map(|note| Notice::new("predicted", note)).collect();
            experiment.fit = Some(fit.clone());
            // Numbers that come from others are no better than these.
            experiment.doubts = source.doubts_of(own).into_iter().collect();
            (experiment.imbalance, experiment.sync) = (None, None);
            (experiment.search, experiment.suggestion) = (None, None);
            experiment.counters.clear();
            experiment.misses.clear();
            experiment.held_out.clear();
            model.experiments.push(experiment);
        }
        (!model.experiments.is_empty()).then_some(model)
    }
}

/// How old a machine's file is.
fn age(machine: &Machine, now: &str) -> String {
    let days = days(now).zip(days(&machine.origin.when)).map(|(now, then)| now - then);
    match (days, machine.origin.when.as_str()) {
        (Some(0), _) => format!("{} was measured today", machine.name),
        (Some(1), _) => format!("{} was measured a day ago", machine.name),
        (Some(days), _) if days > 0 => format!("{} was measured {days} days ago", machine.name),
        (_, "") => format!("{} does not say when it was measured", machine.name),
        (_, when) => format!("{} was measured {when}", machine.name),
    }
}

/// The number of a day, from a time that begins with `2026-01-31`.
fn days(time: &str) -> Option<i64> {
    let mut parts = time.get(..10)?.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Years begin in March, so that the day that is sometimes missing is the last one.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_days() {
        let between = |a: &str, b: &str| days(b).unwrap() - days(a).unwrap();
        assert_eq!(between("2024-02-28T10:00:00Z", "2024-03-01"), 2);
        assert_eq!(between("2025-12-31", "2026-01-01"), 1);
        assert_eq!(between("2000-01-01", "2001-01-01"), 366);
        assert!(days("1998").is_none() && days("").is_none() && days("of old times").is_none());
    }
}
