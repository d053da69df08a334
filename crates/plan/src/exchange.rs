//! The search of points within a budget: greedy by gain for the cost, then exchanges (Fedorov, *Theory of Optimal
//! Experiments*, 1972).

use crate::criterion::{Criterion, CriterionState};

/// Exponents of the cost by which gains are divided: the best of the results is taken.
const COST_POWERS: [f64; 3] = [0.0, 0.5, 1.0];
/// Gains below this share of the criterion do not count.
const LEAST_GAIN: f64 = 1e-7;
/// Passes over all chosen points.
const MAX_SWEEPS: usize = 12;

/// The limits of a choice.
pub(crate) struct Limits {
    /// The budget of all points.
    pub(crate) budget: f64,
    /// Number of points, at most.
    pub(crate) most: usize,
    /// How often a candidate may be chosen.
    pub(crate) times: u32,
}

impl Limits {
    fn allows(&self, criterion: &Criterion<'_>, state: &CriterionState, candidate: usize) -> bool {
        state.chosen[candidate] < self.times
            && count(state) < self.most
            && state.cost + criterion.problem.cost(candidate) <= self.budget * (1.0 + 1e-9)
    }
}

/// The number of chosen points.
pub(crate) fn count(state: &CriterionState) -> usize {
    state.chosen.iter().map(|&times| times as usize).sum()
}

/// The best set found that contains the points of `start`.
pub(crate) fn optimise(
    criterion: &Criterion<'_>,
    start: &CriterionState,
    limits: &Limits,
) -> CriterionState {
    let states = COST_POWERS.map(|power| {
        let mut state = start.clone();
        fill(criterion, &mut state, limits, power);
        exchange(criterion, start, &mut state, limits, power);
        state
    });
    let best = states.into_iter().min_by(|a, b| a.value.total_cmp(&b.value));
    best.unwrap_or_else(|| start.clone())
}

/// Adds the candidate with the largest gain for its cost, until none is affordable or helps.
fn fill(criterion: &Criterion<'_>, state: &mut CriterionState, limits: &Limits, power: f64) {
    let cheapest = (0..state.chosen.len())
        .map(|c| criterion.problem.cost(c))
        .filter(|cost| *cost > 0.0)
        .fold(f64::INFINITY, f64::min);
    loop {
        let gain = |candidate: usize| {
            let gain = state.value - criterion.with(state, candidate);
            let cost = criterion.problem.cost(candidate).max(cheapest.min(1.0)) / cheapest;
            (gain > LEAST_GAIN * state.value).then(|| (gain / cost.powf(power), candidate))
        };
        let allowed = (0..state.chosen.len()).filter(|&c| limits.allows(criterion, state, c));
        let best = allowed.filter_map(gain).max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((_, candidate)) => criterion.add(state, candidate),
            None => return,
        }
    }
}

/// Replaces chosen points by others while that helps; what becomes free is used again.
fn exchange(
    criterion: &Criterion<'_>,
    start: &CriterionState,
    state: &mut CriterionState,
    limits: &Limits,
    power: f64,
) {
    for _ in 0..MAX_SWEEPS {
        let mut is_better = false;
        for out in 0..state.chosen.len() {
            if state.chosen[out] <= start.chosen[out] {
                continue;
            }
            let mut without = state.clone();
            criterion.remove(&mut without, out);
            let others = (0..state.chosen.len())
                .filter(|&other| other != out && limits.allows(criterion, &without, other));
            let best = others
                .map(|other| (criterion.with(&without, other), other))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((value, other)) = best else { continue };
            if value < state.value * (1.0 - LEAST_GAIN) {
                criterion.add(&mut without, other);
                fill(criterion, &mut without, limits, power);
                *state = without;
                is_better = true;
            }
        }
        if !is_better {
            return;
        }
    }
}
