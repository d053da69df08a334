//! The measurements that may follow, from fitted experiments.

use cll_campaign::Budget;
use cll_fit::{Fit, Unit};
use cll_formula::Formula;
use cll_plan::{Candidate, Problem, Rival, RunCost, Subject, combinations, subject};
use cll_result::{ExperimentModel, Notice, RunModel};

use crate::Error;
use crate::Location;
use cll_campaign::Variation;
use cll_diagnostic::suggestion;

/// The number of processors among the variables.
pub const PROCESSORS: &str = "P";
/// Combinations from which points are chosen, at most.
const MAX_CANDIDATES: usize = 3000;
/// Measured values of a variable that are candidates, at most.
const MAX_MEASURED: usize = 9;
/// Other formulas that are considered, ...
const MAX_RIVALS: usize = 5;
/// ... if their weight is at least this share of that of the first.
const LEAST_WEIGHT: f64 = 0.05;
/// Points of a plan, at most.
const MAX_POINTS: usize = 40;
/// Share of the budget for points where no measurement is near.
const FILL: f64 = 0.2;
/// Runs of a point if the data do not say.
const RUNS: u32 = 5;

/// A problem, and which experiments and targets it is of.
#[derive(Debug)]
pub struct Planning {
    /// For `cll_plan`.
    pub problem: Problem,
    /// The index of the experiment of each subject.
    pub experiments: Vec<usize>,
    /// The values at which is predicted, of the problem's variables.
    pub targets: Vec<Vec<f64>>,
    /// Notes that users should know.
    pub notes: Vec<Notice>,
}

/// The input of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanningInput<'a> {
    /// The experiments; those without a fit are left out.
    pub experiments: &'a [ExperimentModel],
    /// The runs so far, whose times show what a run takes.
    pub runs: &'a [RunModel],
    /// The predictions to make narrow.
    pub asked: &'a [Location],
    /// Values among which points are chosen.
    pub vary: &'a [Variation],
    /// Whose time it counts.
    pub budget: Budget,
    /// Runs of each point; `None`: as many as the measured ones have.
    pub repetitions: Option<u32>,
}

impl PlanningInput<'_> {
    /// The problem.
    ///
    /// # Errors
    /// A variable that does not exist or has no value, or runs of unknown length.
    pub fn planning(&self) -> Result<Planning, Error> {
        let fitted: Vec<(usize, &ExperimentModel, &Fit)> = self
            .experiments
            .iter()
            .enumerate()
            .filter_map(|(index, experiment)| Some((index, experiment, experiment.fit.as_ref()?)))
            .collect();
        if fitted.is_empty() {
            return Err(Error::data("the model has no fitted experiment to plan for"));
        }
        let fits: Vec<&Fit> = fitted.iter().map(|(_, _, fit)| *fit).collect();
        let variables = self.variables(&fits)?;
        let targets = self.targets(&variables, &fits)?;
        let mut notes = Vec::new();
        let values = self.values(&variables, &fits, &targets, &mut notes);
        let candidates = thinned(combinations(&values), &mut notes);
        let cost = self.costs(&variables, &candidates, &fits, &mut notes)?;
        let mut subjects: Vec<Subject> = Vec::new();
        let mut experiments = Vec::new();
        for (index, experiment, fit) in &fitted {
            let rivals = rivals(experiment);
            let rivals: Vec<Rival<'_>> = rivals
                .iter()
                .map(|(weight, formula, constants)| Rival { weight: *weight, formula, constants })
                .collect();
            match subject(fit, &rivals, &variables, &candidates, &targets) {
                Some(subject) => {
                    subjects.push(subject);
                    experiments.push(*index);
                }
                None => notes.push(Notice::new(
                    "not-planned",
                    format!(
                        "{} is left out: its formula needs other variables, or has no value at some point",
                        experiment.name
                    ),
                )),
            }
        }
        if subjects.is_empty() {
            let text = notes.last().map(|note| note.text.clone()).unwrap_or_default();
            return Err(Error::data(text)
                .advise("-e NAME chooses one experiment; --vary gives every variable its values"));
        }
        let counts =
            fits.iter().flat_map(|fit| &fit.residuals).map(|residual| residual.spread.count as f64);
        let runs = cll_statistics::median(counts).map_or(RUNS, |count| count.round() as u32);
        let problem = Problem {
            candidates: candidates
                .into_iter()
                .zip(cost)
                .map(|(values, cost)| Candidate { values, cost })
                .collect(),
            variables,
            subjects,
            runs: self.repetitions.unwrap_or(runs.clamp(1, 2 * RUNS)),
            most: MAX_POINTS,
            fill: FILL,
        };
        Ok(Planning { problem, experiments, targets, notes })
    }

    /// The variables of the formulas.
    fn variables(&self, fits: &[&Fit]) -> Result<Vec<String>, Error> {
        let mut all: Vec<String> = Vec::new();
        for name in fits.iter().flat_map(|fit| &fit.variables) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        let known: Vec<&str> = all.iter().map(String::as_str).collect();
        let unknown = self.vary.iter().find(|variation| !all.contains(&variation.name));
        if let Some(unknown) = unknown {
            let name = &unknown.name;
            return Err(Error::request(format!(
                "--vary {name}: no formula has a variable {name}: {}",
                suggestion(name, &known)
            )));
        }
        if all.is_empty() {
            Err(Error::data("no formula has a variable: there is nothing to choose"))
        } else {
            Ok(all)
        }
    }

    fn targets(&self, variables: &[String], fits: &[&Fit]) -> Result<Vec<Vec<f64>>, Error> {
        let known: Vec<&str> = variables.iter().map(String::as_str).collect();
        let values_at = |at: &Location| -> Result<Vec<f64>, Error> {
            let mut values = at.values().iter();
            if let Some((name, _)) = values.find(|(name, _)| !variables.contains(name)) {
                return Err(Error::request(format!(
                    "no experiment has a variable {name}: {}",
                    suggestion(name, &known)
                )));
            }
            let value = |name: &String| {
                let given = at.values().iter().find(|(other, _)| other == name);
                given.map(|(_, value)| *value).or_else(|| only(fits, name)).ok_or_else(|| {
                    Error::request(format!("--predict {at}: a value of {name} is missing"))
                        .advise(format!("such as --predict {at},{name}=…"))
                })
            };
            variables.iter().map(value).collect()
        };
        self.asked.iter().map(values_at).collect()
    }

    /// The values of each variable among which is chosen.
    fn values(
        &self,
        variables: &[String],
        fits: &[&Fit],
        targets: &[Vec<f64>],
        notes: &mut Vec<Notice>,
    ) -> Vec<Vec<f64>> {
        let mut by_default = Vec::new();
        let values = variables.iter().enumerate().map(|(index, name)| {
            if let Some(given) = self.vary.iter().find(|variation| variation.name == *name) {
                return given.range.values().to_vec();
            }
            let farthest =
                targets.iter().map(|target| target[index]).fold(f64::NEG_INFINITY, f64::max);
            let values = measured_and_more(fits, name, farthest);
            if let [.., high] = values[..]
                && values.len() > 1
            {
                by_default.push(format!("{name} = {} to {high}", values[0]));
            }
            values
        });
        let values: Vec<Vec<f64>> = values.collect();
        if !by_default.is_empty() {
            let text =
                format!("points are chosen from {}; --vary gives others", by_default.join(", "));
            notes.push(Notice::new("candidates", text));
        }
        values
    }

    /// Returns the time of a run at each candidate.
    fn costs(
        &self,
        variables: &[String],
        candidates: &[Vec<f64>],
        fits: &[&Fit],
        notes: &mut Vec<Notice>,
    ) -> Result<Vec<f64>, Error> {
        let walls: Vec<f64> =
            self.runs.iter().filter_map(|run| run.wall).map(|wall| wall.get()).collect();
        let cost = RunCost::new(fits, &walls, self.budget.is_core_time);
        let timed: Vec<&&Fit> = fits.iter().filter(|fit| fit.unit == Unit::Seconds).collect();
        let mean = walls.iter().sum::<f64>() / walls.len() as f64;
        if timed.is_empty() {
            if walls.is_empty() {
                return Err(Error::data(format!(
                    "the model is in {}, and nothing says how long a run takes",
                    fits[0].unit
                ))
                .advise("a model of times has that; so have models that cll model has measured"));
            }
            let text =
                "the cost of a run is the mean of the runs so far: the model is not of times";
            notes.push(Notice::new("cost", text.to_owned()));
        }
        let processors = variables.iter().position(|name| name == PROCESSORS);
        let cost_at = |values: &Vec<f64>| {
            let own = |fit: &&Fit| {
                let own: Option<Vec<f64>> = fit
                    .variables
                    .iter()
                    .map(|name| Some(values[variables.iter().position(|other| other == name)?]))
                    .collect();
                fit.estimate(&own?).ok().map(|prediction| prediction.value)
            };
            let times: Vec<Option<f64>> = if timed.is_empty() {
                vec![Some(mean)]
            } else {
                timed.iter().map(|fit| own(fit)).collect()
            };
            let count = processors.map_or(1.0, |index| values[index]);
            // Where no constant is determined, any point is as good.
            cost.run_cost(&times, count).unwrap_or(cost.least.max(f64::MIN_POSITIVE))
        };
        Ok(candidates.iter().map(cost_at).collect())
    }
}

/// The value of a variable that has only one in all data.
fn only(fits: &[&Fit], name: &str) -> Option<f64> {
    let mut ranges = fits.iter().flat_map(|fit| &fit.domain).filter(|range| range.variable == name);
    let first = ranges.next()?;
    (first.distinct == 1 && ranges.all(|range| range.low == first.low && range.distinct == 1))
        .then_some(first.low)
}

/// The measured values of a variable, values between them and, unless it counts processors, up to four times the
/// largest, but not beyond what is predicted.
fn measured_and_more(fits: &[&Fit], name: &str, farthest: f64) -> Vec<f64> {
    let values = fits.iter().flat_map(|fit| {
        let column = fit.recorded.iter().position(|other| other == name);
        fit.residuals.iter().filter_map(move |residual| residual.values.get(column?).copied())
    });
    let mut measured = cll_statistics::sorted(values);
    measured.dedup();
    if name == PROCESSORS || measured.len() < 2 {
        return measured;
    }
    let last = measured.len() - 1;
    if last >= MAX_MEASURED {
        measured = (0..MAX_MEASURED).map(|k| measured[k * last / (MAX_MEASURED - 1)]).collect();
    }
    let are_integers = measured.iter().all(|value| value.fract() == 0.0);
    let positive = measured[0] > 0.0;
    let (low, high) = (measured[0], measured[measured.len() - 1]);
    let middle = |pair: &[f64]| {
        let middle = if positive { (pair[0] * pair[1]).sqrt() } else { 0.5 * (pair[0] + pair[1]) };
        if are_integers { middle.round() } else { middle }
    };
    let mut all = measured.clone();
    all.extend(measured.windows(2).map(middle));
    let beyond = [2.0, 4.0]
        .map(|factor| if positive { factor * high } else { high + factor * (high - low) });
    all.extend(beyond.into_iter().filter(|value| *value <= farthest.max(high)));
    let mut all = cll_statistics::sorted(all);
    all.dedup();
    all
}

fn thinned(all: Vec<Vec<f64>>, notes: &mut Vec<Notice>) -> Vec<Vec<f64>> {
    if all.len() <= MAX_CANDIDATES {
        return all;
    }
    let step = all.len().div_ceil(MAX_CANDIDATES);
    let text = format!("of {} combinations every {step}th may be chosen", all.len());
    notes.push(Notice::new("candidates", text));
    all.into_iter().step_by(step).collect()
}

/// The formulas of a search that may be right, besides the one that was fitted, with their weights.
fn rivals(experiment: &ExperimentModel) -> Vec<(f64, Formula, Vec<f64>)> {
    let Some(search) = &experiment.search else { return Vec::new() };
    let Some(first) = search.candidates.first() else { return Vec::new() };
    let kept = search.candidates.iter().skip(1).take(MAX_RIVALS);
    let plausible =
        kept.filter(|other| other.weight >= LEAST_WEIGHT * first.weight).filter_map(|other| {
            let formula = cll_formula::parse(&experiment.name, &other.formula).formula?;
            let fits = formula.terms().len() == other.constants.len();
            fits.then(|| (other.weight, formula, other.constants.clone()))
        });
    let found: Vec<(f64, Formula, Vec<f64>)> = plausible.collect();
    let all = first.weight + found.iter().map(|(weight, ..)| weight).sum::<f64>();
    found.into_iter().map(|(weight, f, c)| (weight / all, f, c)).collect()
}

/// The candidates of a command line: spans have up to 17 values.
pub fn candidates(vary: &[cll_campaign::Varied]) -> Result<Vec<Variation>, Error> {
    let mut all: Vec<Variation> = Vec::new();
    for varied in vary {
        if all.iter().any(|other| other.name == varied.name) {
            return Err(Error::request(format!("--vary {} is given twice", varied.name)));
        }
        all.push(varied.candidates());
    }
    Ok(all)
}
