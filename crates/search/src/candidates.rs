//! The most probable formulas with their weights.

use crate::result::{AveragedModel, Candidate, Factors};
use crate::solution::{Solution, Weighed};
use crate::term::Model;

/// The most probable of the solved models are kept, until they have this weight together...
const KEPT: f64 = 0.9999;
/// ...at most so many...
const MAX_KEPT: usize = 400;
/// ...and so many are listed.
const MAX_CANDIDATES: usize = 40;

/// The most probable of the solved models, best first, with weights that sum to 1.
pub(crate) fn members(solutions: Vec<Weighed>, models: &[(f64, Model)]) -> Vec<AveragedModel> {
    let top = solutions.first().map_or(0.0, |s| s.1);
    let all: f64 = solutions.iter().map(|s| (s.1 - top).exp()).sum();
    let members = solutions.into_iter().map(|(solution, evidence, index)| AveragedModel {
        weight: (evidence - top).exp() / all,
        model: models[index].1.clone(),
        solution,
    });
    kept(members.collect())
}

/// The formulas that are listed, with what weighs them against each other.
pub(crate) fn candidates(
    members: &[AveragedModel],
    factors: &Factors,
    points: usize,
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = members
        .iter()
        .take(MAX_CANDIDATES)
        .map(|member| {
            let terms = factors.texts(&member.model);
            Candidate {
                formula: formula(&terms),
                terms,
                constants: member.solution.constants.clone(),
                errors: member.solution.errors(),
                weight: member.weight,
                evidence: (member.weight / members[0].weight).ln(),
                aicc: aicc(&member.solution, points),
                akaike: None,
                left_out: None,
                member: member.clone(),
            }
        })
        .collect();
    akaike(&mut candidates);
    candidates
}

/// The most probable of models, best first, with weights that sum to 1.
fn kept(mut members: Vec<AveragedModel>) -> Vec<AveragedModel> {
    let mut sum = 0.0;
    let is_needed = |member: &&AveragedModel| {
        let is_needed = sum < KEPT;
        sum += member.weight;
        is_needed
    };
    let count = members.iter().take_while(is_needed).count().min(MAX_KEPT);
    members.truncate(count.max(1));
    let all: f64 = members.iter().map(|member| member.weight).sum();
    members.iter_mut().for_each(|member| member.weight /= all);
    members
}

/// `f[0] + f[1]*N*log2(N)`; no constant term: `f[0]*N`.
fn formula(terms: &[String]) -> String {
    let terms = terms.iter().enumerate().map(|(k, term)| match term.as_str() {
        "1" => format!("f[{k}]"),
        term => match term.strip_prefix("1/") {
            Some(below) => format!("f[{k}]/{below}"),
            None => format!("f[{k}]*{term}"),
        },
    });
    terms.collect::<Vec<_>>().join(" + ")
}

fn aicc(solution: &Solution, n: usize) -> Option<f64> {
    let (n, k) = (n as f64, solution.constants.len() as f64 + 1.0);
    let left = n - k - 1.0;
    (left > 0.0).then(|| {
        n * (solution.rss.max(f64::MIN_POSITIVE) / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / left
    })
}

fn akaike(candidates: &mut [Candidate]) {
    let best = candidates.iter().filter_map(|c| c.aicc).fold(f64::INFINITY, f64::min);
    let all: f64 =
        candidates.iter().filter_map(|c| c.aicc).map(|a| (-0.5 * (a - best)).exp()).sum();
    for candidate in candidates {
        candidate.akaike = candidate.aicc.map(|a| (-0.5 * (a - best)).exp() / all);
    }
}
