//! Measuring in rounds, each planned by what the rounds before have shown.

use crate::criterion::Criterion;
use crate::design::{Chosen, PlanError, Reason, plan};
use crate::fill::{Space, farthest};
use crate::problem::Problem;

/// The choice of points round by round.
#[derive(Clone, Debug)]
pub struct Adaptive {
    /// Half the width that predictions may have, as a share of them.
    pub precision: f64,
    /// The budget of all rounds together.
    pub budget: f64,
    /// Rounds of planning at most, the first points not counted.
    pub most_rounds: u32,
    /// Points of a round.
    pub points: usize,
    rounds: u32,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The part of the budget that was spent.
    pub spent: f64,
    /// Half the width of the widest prediction, as a share of it; `None`: it cannot be predicted yet.
    pub width: Option<f64>,
}

/// The next step.
#[derive(Clone, Debug, PartialEq)]
pub enum NextStep {
    /// Measure these points.
    Measure(Vec<Chosen>),
    /// Nothing more.
    End(Ending),
}

/// Why it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The predictions are narrow enough, and the formula was checked wherever that is affordable.
    Precise,
    /// The budget is spent, or does not allow another point.
    Budget,
    /// As many rounds were made as are allowed.
    Rounds,
    /// No point would make the predictions narrower.
    Hopeless,
}

/// A round that makes the standard deviation of a prediction smaller by less than this share does not help.
const LEAST_GAIN: f64 = 0.005;
/// Share of what is left of the budget that one round may take.
const ROUND_SHARE: f64 = 0.5;
/// Share of it for points that only check the formula.
const CHECK_SHARE: f64 = 0.2;
/// An interval is narrow by the formula, which is to be checked over the whole span: no affordable candidate may be
/// farther from a measured point than this share of the range of a variable (of several: times the root of their number).
const CHECKED: f64 = 0.15;

impl Adaptive {
    /// With these limits.
    pub fn new(precision: f64, budget: f64) -> Adaptive {
        Adaptive { precision, budget, most_rounds: 12, points: 3, rounds: 0 }
    }

    /// Rounds planned so far.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The first points, before anything is known: `count` of the candidates that are spread over the lower half of
    /// each range, from the smallest values on. Times grow with sizes, so these are the cheap ones.
    pub fn first(candidates: &[Vec<f64>], count: usize) -> Vec<usize> {
        let variables = candidates.first().map_or(0, Vec::len);
        let space = Space::over(variables, candidates.iter().map(|candidate| &candidate[..]));
        let mut by_height: Vec<(f64, usize)> =
            candidates.iter().enumerate().map(|(c, point)| (space.height(point), c)).collect();
        by_height.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // More than the lower half, if that has too few.
        let low = by_height.iter().filter(|(height, _)| *height <= 0.5 + 1e-9).count();
        by_height.truncate(low.max(count));
        let mut chosen: Vec<usize> = by_height.first().map(|(_, c)| *c).into_iter().collect();
        while chosen.len() < count.min(by_height.len()) {
            let distance = |c: usize| {
                let to =
                    chosen.iter().map(|&other| space.distance(&candidates[c], &candidates[other]));
                to.fold(f64::INFINITY, f64::min)
            };
            let rest = by_height.iter().map(|(_, c)| *c).filter(|c| !chosen.contains(c));
            let next = rest.map(|c| (distance(c), c)).max_by(|a, b| {
                // Of equals the first, which is the lowest.
                if (a.0 - b.0).abs() < 1e-9 { b.1.cmp(&a.1) } else { a.0.total_cmp(&b.0) }
            });
            let Some((_, next)) = next else { break };
            chosen.push(next);
        }
        chosen
    }

    /// Points where the formula was not checked, although that is affordable.
    fn checks(&self, problem: &Problem, left: f64) -> Vec<Chosen> {
        let criterion = Criterion::new(problem);
        let mut state = criterion.empty();
        let near = CHECKED * (problem.variables.len() as f64).sqrt();
        let mut chosen = Vec::new();
        while chosen.len() < self.points {
            let limit = CHECK_SHARE * left - state.cost;
            let Some(candidate) = farthest(&criterion, &state, limit, near) else { break };
            criterion.add(&mut state, candidate);
            let (runs, cost) = (problem.runs, problem.cost(candidate));
            chosen.push(Chosen { candidate, runs, cost, reason: Reason::Checks });
        }
        chosen
    }

    /// The next points. `problem` is that of everything measured so far; `None` if nothing can be planned from that
    /// (a formula has too few points).
    pub fn next(&mut self, progress: Progress, problem: Option<&Problem>) -> NextStep {
        let left = self.budget - progress.spent;
        if progress.width.is_some_and(|width| width <= self.precision) {
            let checks = problem.map_or_else(Vec::new, |problem| self.checks(problem, left));
            if checks.is_empty() || self.rounds >= self.most_rounds {
                return NextStep::End(Ending::Precise);
            }
            self.rounds += 1;
            return NextStep::Measure(checks);
        }
        if left <= 0.0 {
            return NextStep::End(Ending::Budget);
        }
        if self.rounds >= self.most_rounds {
            return NextStep::End(Ending::Rounds);
        }
        let Some(problem) = problem else { return NextStep::End(Ending::Hopeless) };
        self.rounds += 1;

        let problem = Problem { most: self.points, ..problem.clone() };
        let planned = match plan(&problem, ROUND_SHARE * left) {
            // Half of the rest is too little: all of it.
            Err(PlanError::TooSmall { .. }) => plan(&problem, left),
            planned => planned,
        };
        match planned {
            Err(PlanError::TooSmall { .. }) => NextStep::End(Ending::Budget),
            Err(PlanError::NothingHelps | PlanError::Nothing) => NextStep::End(Ending::Hopeless),
            Ok(design) => {
                let helps = |forecast: &crate::Forecast| {
                    forecast.now.is_none_or(|now| forecast.after <= now * (1.0 - LEAST_GAIN))
                };
                if design.forecasts.is_empty() || design.forecasts.iter().any(helps) {
                    NextStep::Measure(design.chosen)
                } else {
                    NextStep::End(Ending::Hopeless)
                }
            }
        }
    }
}
