//! The plan itself.

use std::fmt;

use crate::criterion::{Criterion, CriterionState};
use crate::cross;
use crate::exchange::{Limits, count, optimise};
use crate::fill::{NEAR, bisecting, farthest};
use crate::problem::Problem;

/// A chosen point.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Index of the candidate.
    pub candidate: usize,
    /// How often it is to be run.
    pub runs: u32,
    /// The part of the budget that these runs take.
    pub cost: f64,
    /// Why it was chosen.
    pub reason: Reason,
}

/// Why a point was chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It makes the predictions (without targets: the constants) narrower.
    Narrows,
    /// The possible formulas differ there.
    Distinguishes,
    /// No measurement is near: there it would be seen if the formula is wrong.
    Checks,
    /// It lies in the gap in which constants change.
    Bisects {
        /// Index of the subject.
        subject: usize,
        /// Index of the gap.
        gap: usize,
    },
}

/// A prediction before and after the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Index of the subject.
    pub subject: usize,
    /// Index of the target.
    pub target: usize,
    /// The expected value, averaged over the formulas.
    pub value: f64,
    /// Standard deviation of the prediction as a share of it, by what was measured. `None`: the data do not determine it.
    pub now: Option<f64>,
    /// The same after the plan.
    pub after: f64,
}

/// The points to measure next.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The points, cheapest first.
    pub chosen: Vec<Chosen>,
    /// The part of the budget that all of them take.
    pub cost: f64,
    /// The predictions at the targets.
    pub forecasts: Vec<Forecast>,
    /// Whether the points are those of the best cross.
    pub is_cross: bool,
    /// Whether more points would be affordable than are planned at a time.
    pub is_full: bool,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// There is no candidate or no subject.
    Nothing,
    /// The budget does not allow one point.
    TooSmall {
        /// The smallest budget that allows a point that helps.
        needed: f64,
    },
    /// No point makes anything more certain.
    NothingHelps,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Nothing => f.write_str("there is nothing to choose from"),
            PlanError::TooSmall { needed } => {
                write!(
                    f,
                    "the budget is too small for one point: the smallest that helps is {needed}"
                )
            }
            PlanError::NothingHelps => f.write_str("no point makes the predictions more certain"),
        }
    }
}

impl std::error::Error for PlanError {}

/// A relative variance above this means that the measured points do not determine the prediction.
const UNDETERMINED: f64 = 25.0;
/// How often a point is chosen at most, each time with all its runs.
const TIMES: u32 = 3;
/// Share of the budget for a point in the gap of a boundary, at most.
const BISECT: f64 = 0.25;

/// Chooses points within the budget.
///
/// # Errors
/// [`PlanError`], if not one point is affordable or helps.
pub fn plan(problem: &Problem, budget: f64) -> Result<Design, PlanError> {
    if problem.candidates.is_empty() || problem.subjects.is_empty() {
        return Err(PlanError::Nothing);
    }
    let criterion = Criterion::new(problem);
    let empty = criterion.empty();
    affordable(&criterion, &empty, budget)?;
    let (filled, reasons) = with_checks(&criterion, &empty, budget);
    let cross = cross::best(&criterion, budget);
    let (state, reasons, is_cross) = if filled.value <= cross.value {
        (filled, reasons, false)
    } else {
        // Checks cost too much here.
        let core = optimise(&criterion, &empty, &limits(problem, budget));
        if core.value <= cross.value {
            (core, Vec::new(), false)
        } else {
            // From there exchanges can only improve.
            let better = optimise(&criterion, &cross, &limits(problem, budget));
            (better, Vec::new(), true)
        }
    };
    let pruned = pruned(&criterion, state, &reasons, cross.value);
    // What that leaves is better spent on the points that matter, also more than once.
    let state = optimise(&criterion, &pruned, &Limits { times: TIMES, ..limits(problem, budget) });
    if count(&state) == 0 {
        return Err(PlanError::NothingHelps);
    }
    Ok(design(&criterion, &state, &reasons, is_cross, budget))
}

/// The relative variance of predictions at the targets (without targets: of the constants), summed, with these
/// candidates measured besides what was measured already. Plans are compared by it.
pub fn variance(problem: &Problem, candidates: &[usize]) -> f64 {
    Criterion::new(problem).state_of(candidates.iter().copied()).value
}

fn limits(problem: &Problem, budget: f64) -> Limits {
    Limits { budget, most: problem.most, times: 1 }
}

fn affordable(
    criterion: &Criterion<'_>,
    empty: &CriterionState,
    budget: f64,
) -> Result<(), PlanError> {
    let problem = criterion.problem;
    let all = 0..problem.candidates.len();
    if all.clone().any(|candidate| problem.cost(candidate) <= budget) {
        return Ok(());
    }
    // The cheapest of those that help at least a tenth as much as the best.
    let gains: Vec<f64> = all.map(|c| empty.value - criterion.with(empty, c)).collect();
    let most = gains.iter().copied().fold(0.0, f64::max);
    let helps = (0..gains.len()).filter(|&c| gains[c] >= 0.1 * most);
    let needed = helps.map(|c| problem.cost(c)).fold(f64::INFINITY, f64::min);
    Err(PlanError::TooSmall { needed })
}

/// Points in gaps, then the core, then points where no measurement is near, then what the rest of the budget allows.
fn with_checks(
    criterion: &Criterion<'_>,
    empty: &CriterionState,
    budget: f64,
) -> (CriterionState, Vec<(usize, Reason)>) {
    let problem = criterion.problem;
    let mut reasons: Vec<(usize, Reason)> = Vec::new();
    let mut state = empty.clone();
    for (subject, experiment) in problem.subjects.iter().enumerate() {
        for (gap, interval) in experiment.gaps.iter().enumerate() {
            let rest = (budget - state.cost).min(BISECT * budget);
            let number = bisecting(problem, interval, rest);
            let has_room = count(&state) + 1 < problem.most.max(2);
            if let Some(candidate) = number.filter(|&c| has_room && state.chosen[c] == 0) {
                criterion.add(&mut state, candidate);
                reasons.push((candidate, Reason::Bisects { subject, gap }));
            }
        }
    }
    let for_checks = problem.fill * budget;
    let core = (budget - for_checks).max(state.cost);
    let most = problem.most - (problem.fill * problem.most as f64).floor() as usize;
    state = optimise(criterion, &state, &Limits { most, ..limits(problem, core) });
    let before = state.cost;
    while count(&state) < problem.most && problem.fill > 0.0 {
        let rest = (budget - state.cost).min(for_checks - (state.cost - before));
        // Each check may take half of what is left for them, so that there is one after it.
        let number = farthest(criterion, &state, 0.5 * rest, NEAR)
            .or_else(|| farthest(criterion, &state, rest, NEAR));
        let Some(candidate) = number else { break };
        criterion.add(&mut state, candidate);
        reasons.push((candidate, Reason::Checks));
    }
    state = optimise(criterion, &state, &limits(problem, budget));
    (state, reasons)
}

/// A point whose absence makes the criterion worse by at most this share is left out, ...
const NEGLIGIBLE: f64 = 1e-3;
/// ... if all that are left out make it worse by at most this share.
const ALL_NEGLIGIBLE: f64 = 5e-3;

/// Without points that hardly matter, as long as the best cross is not better.
fn pruned(
    criterion: &Criterion<'_>,
    mut state: CriterionState,
    reasons: &[(usize, Reason)],
    cross: f64,
) -> CriterionState {
    let most = (state.value * (1.0 + ALL_NEGLIGIBLE)).min(cross.max(state.value));
    loop {
        let free = (0..state.chosen.len())
            .filter(|&c| state.chosen[c] > 0 && !reasons.iter().any(|(other, _)| *other == c));
        let without = free.map(|candidate| {
            let mut without = state.clone();
            criterion.remove(&mut without, candidate);
            without
        });
        let best = without.min_by(|a, b| a.value.total_cmp(&b.value));
        match best {
            Some(next) if next.value <= (state.value * (1.0 + NEGLIGIBLE)).min(most) => {
                state = next
            }
            _ => return state,
        }
    }
}

/// Which part of the criterion each chosen point makes smaller, in the order of their gains.
fn by_gain(criterion: &Criterion<'_>, state: &CriterionState) -> Vec<(usize, Reason)> {
    let mut rest: Vec<usize> = (0..state.chosen.len()).filter(|&c| state.chosen[c] > 0).collect();
    let mut so_far = criterion.empty();
    let mut gains = Vec::new();
    while let Some(index) = (0..rest.len()).min_by(|&a, &b| {
        criterion.with(&so_far, rest[a]).total_cmp(&criterion.with(&so_far, rest[b]))
    }) {
        let candidate = rest.swap_remove(index);
        let (variance, difference) = criterion.parts(&so_far);
        criterion.add(&mut so_far, candidate);
        let (narrower, nearer) = criterion.parts(&so_far);
        gains.push((
            candidate,
            if difference > nearer && difference - nearer > variance - narrower {
                Reason::Distinguishes
            } else {
                Reason::Narrows
            },
        ));
    }
    gains
}

fn design(
    criterion: &Criterion<'_>,
    state: &CriterionState,
    reasons: &[(usize, Reason)],
    is_cross: bool,
    budget: f64,
) -> Design {
    let problem = criterion.problem;
    let gains = by_gain(criterion, state);
    let reason = |candidate: usize| {
        let given = reasons.iter().chain(&gains).find(|(other, _)| *other == candidate);
        given.map_or(Reason::Narrows, |(_, reason)| reason.clone())
    };
    let chosen = (0..state.chosen.len()).filter(|&c| state.chosen[c] > 0).map(|candidate| {
        let times = state.chosen[candidate];
        Chosen {
            candidate,
            runs: times * problem.runs,
            cost: f64::from(times) * problem.cost(candidate),
            reason: reason(candidate),
        }
    });
    let mut chosen: Vec<Chosen> = chosen.collect();
    chosen.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let before = criterion.relative_variances(&criterion.empty());
    let after = criterion.relative_variances(state);
    let mut forecasts = Vec::new();
    for (subject, (now, then)) in before.iter().zip(&after).enumerate() {
        for (target, (now, then)) in now.iter().zip(then).enumerate() {
            let beliefs = &problem.subjects[subject].beliefs;
            let whole: f64 = beliefs.iter().map(|belief| belief.weight).sum();
            let value = beliefs.iter().map(|belief| belief.weight * belief.targets[target].1);
            forecasts.push(Forecast {
                subject,
                target,
                value: value.sum::<f64>() / whole,
                now: (*now < UNDETERMINED).then(|| now.sqrt()),
                after: then.sqrt(),
            });
        }
    }
    let cheapest = (0..state.chosen.len()).filter(|&c| state.chosen[c] == 0);
    let cheapest = cheapest.map(|c| problem.cost(c)).fold(f64::INFINITY, f64::min);
    let is_full = count(state) >= problem.most && state.cost + cheapest <= budget;
    Design { chosen, cost: state.cost, forecasts, is_cross, is_full }
}
