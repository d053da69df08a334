//! `--adaptive`: which points the next rounds have.

use cll_plan::{Adaptive, Chosen, Ending, NextStep, Progress, Reason, combinations};
use cll_result::{AdaptiveRound, NextPoint, Stopped};
use cll_units::Seconds;

use crate::Error;
use crate::build::Sources;
use crate::evaluate::Evaluation;
use cll_analysis::Location;
use cll_analysis::planning::{PROCESSORS, PlanningInput};
use cll_sampling::{Budget, Grid, GridPoint, MIN_ROUNDS, SamplingProgress, SavedRounds, Variation};

/// The choice of points.
pub struct Guided<'a> {
    adaptive: Adaptive,
    /// The values among which it chooses; numbers of processors last.
    vary: Vec<Variation>,
    /// How many of these are arguments of the program.
    arguments: usize,
    asked: &'a [Location],
    budget: Budget,
    /// The round from which on nothing is chosen yet.
    until: u32,
}

impl<'a> Guided<'a> {
    /// For the candidates of a grid. The grid gets the first points, or those of an earlier call's rounds.
    ///
    /// # Errors
    /// If a variable is in no formula.
    pub fn new(
        sources: &Sources,
        variations: &[Variation],
        grid: &mut Grid,
        saved: &SavedRounds,
        asked: &'a [Location],
        limits: (f64, Budget),
    ) -> Result<Guided<'a>, Error> {
        let (precision, budget) = limits;
        if variations.is_empty() {
            return Err(Error::NothingVaried);
        }
        let (terms, variables) = sources.formulas();
        if let Some(variation) =
            variations.iter().find(|variation| !variables.contains(&variation.name))
        {
            return Err(Error::NotInFormulas(variation.name.clone()));
        }
        let mut vary = variations.to_vec();
        let counts: Vec<f64> = grid.processors.iter().flatten().map(|&n| f64::from(n)).collect();
        if !counts.is_empty() {
            let range = cll_sampling::Range::from_values(counts);
            vary.push(Variation { name: PROCESSORS.to_owned(), range });
        }
        let mut guided = Guided {
            adaptive: Adaptive::new(precision, budget.seconds),
            arguments: variations.len(),
            vary,
            asked,
            budget,
            until: saved.next_number(),
        };
        for run in saved.rounds.iter().flat_map(|round| &round.runs) {
            let (values, processors) = (run.values.clone(), run.description.processors);
            let is_known =
                |point: &GridPoint| point.values == values && point.processors == processors;
            if !grid.points.iter().any(is_known) {
                grid.points.push(GridPoint { values, processors, rounds: 0..0 });
            }
        }
        if grid.points.is_empty() {
            let all = guided.candidates();
            let count = (terms + 1 + guided.vary.len()).clamp(4, 12);
            for candidate in Adaptive::first(&all, count) {
                grid.points.push(guided.point(&all[candidate], MIN_ROUNDS));
            }
            guided.until += MIN_ROUNDS;
        }
        Ok(guided)
    }

    /// Whether all chosen points are measured.
    pub fn is_due(&self, saved: &SavedRounds) -> bool {
        saved.next_number() >= self.until
    }

    /// Chooses the points of the next rounds; or why there are none.
    ///
    /// # Errors
    /// If a formula has a variable whose values are not given.
    pub fn next(
        &mut self,
        evaluation: &Evaluation,
        progress: &SamplingProgress,
        saved: &mut SavedRounds,
        grid: &mut Grid,
    ) -> Result<Option<Stopped>, Error> {
        let all_runs = saved.runs();
        // A number of processors that no formula has is not varied by the plan.
        let has_processors = evaluation.experiments.iter().any(|experiment| {
            experiment
                .fit
                .as_ref()
                .is_some_and(|fit| fit.variables.iter().any(|name| name == PROCESSORS))
        });
        let vary = if has_processors { &self.vary[..] } else { &self.vary[..self.arguments] };
        let input = PlanningInput {
            experiments: &evaluation.experiments,
            runs: &all_runs,
            asked: self.asked,
            vary,
            budget: self.budget,
            repetitions: Some(MIN_ROUNDS),
        };
        let has_fit = evaluation.experiments.iter().any(|experiment| experiment.fit.is_some());
        let planning = if has_fit { Some(input.planning()?) } else { None };
        if let Some(planning) = &planning {
            self.check(planning)?;
        }
        let width = evaluation.widest.as_ref().map(|widest| widest.share);
        let progress = Progress {
            spent: progress.elapsed,
            width: width.filter(|_| evaluation.is_measurable()),
        };
        let problem = planning.as_ref().map(|planning| &planning.problem);
        let chosen = match self.adaptive.next(progress, problem) {
            NextStep::Measure(chosen) => chosen,
            NextStep::End(ending) => {
                return Ok(Some(match ending {
                    Ending::Precise => Stopped::Precise,
                    Ending::Budget => Stopped::Budget,
                    Ending::Rounds => Stopped::Planned,
                    Ending::Hopeless => Stopped::Hopeless,
                }));
            }
        };
        let Some(planning) = planning else { return Ok(Some(Stopped::Hopeless)) };
        let candidate = |entry: &Chosen| &planning.problem.candidates[entry.candidate].values;
        let first = saved.next_number();
        for choice in &chosen {
            let values = candidate(choice);
            let value = |variation: &Variation| {
                let index =
                    planning.problem.variables.iter().position(|own| *own == variation.name);
                index.map_or(variation.range.values()[0], |index| values[index])
            };
            let all: Vec<f64> = self.vary.iter().map(value).collect();
            let mut point = self.point(&all, choice.runs);
            point.rounds = first..first + choice.runs;
            grid.points.push(point);
            self.until = self.until.max(first + choice.runs);
        }
        let point = |entry: &Chosen| NextPoint {
            at: planning.problem.variables.iter().cloned().zip(candidate(entry).clone()).collect(),
            runs: entry.runs,
            cost: Seconds(entry.cost),
            reason: word(&entry.reason).to_owned(),
            why: String::new(),
        };
        saved.chosen.push(AdaptiveRound {
            round: first,
            width,
            spent: Seconds(progress.spent),
            points: chosen.iter().map(point).collect(),
        });
        Ok(None)
    }

    /// Every variable of the formulas must be one of the program's arguments, or have one value.
    fn check(&self, planning: &cll_analysis::planning::Planning) -> Result<(), Error> {
        let problem = &planning.problem;
        for (index, name) in problem.variables.iter().enumerate() {
            let first = problem.candidates.first().map(|candidate| candidate.values[index]);
            let varies =
                problem.candidates.iter().any(|candidate| Some(candidate.values[index]) != first);
            if varies && !self.vary.iter().any(|variation| variation.name == *name) {
                return Err(Error::ChosenByProgram(name.clone()));
            }
        }
        Ok(())
    }

    fn candidates(&self) -> Vec<Vec<f64>> {
        let values: Vec<Vec<f64>> =
            self.vary.iter().map(|variation| variation.range.values().to_vec()).collect();
        combinations(&values)
    }

    /// A point of the first rounds, from values of all variables.
    fn point(&self, values: &[f64], rounds: u32) -> GridPoint {
        GridPoint {
            values: values[..self.arguments].to_vec(),
            processors: values.get(self.arguments).map(|count| *count as u32),
            rounds: 0..rounds,
        }
    }
}

fn word(reason: &Reason) -> &'static str {
    match reason {
        Reason::Narrows => "narrows",
        Reason::Distinguishes => "distinguishes",
        Reason::Checks => "checks",
        Reason::Bisects { .. } => "bisects",
    }
}
