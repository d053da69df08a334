//! Local search: models of any number of variables and terms, from given ones by small changes.

use std::collections::HashSet;

use crate::evidence::MAX_CONSTANTS;
use crate::pursuit::{Terms, pursued};
use crate::solution::{Solution, prior};
use crate::term::{Model, factor};
use crate::weigh::NEGLIGIBLE;
use crate::weighted::{Columns, Weighted};

/// The limits of a local search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Models that are changed in each round, the best ones.
    pub(crate) width: usize,
    /// Rounds at most...
    pub(crate) rounds: usize,
    /// ...and after so many that find no better model another such one is the last.
    pub(crate) patience: usize,
    /// Most terms beside the constant.
    pub(crate) terms: usize,
    /// Whether terms may be products.
    pub(crate) products: bool,
    /// Whether constants may be negative.
    pub(crate) either_sign: bool,
}

/// Factors that are as near in the order of growth are tried in the place of one.
const NEIGHBOURS: usize = 4;

/// Changes the best of `models` until nothing better is found; all models whose evidence is not negligible, best
/// first. `variables` are the indices of those that may stand in a term.
pub(crate) fn improve(
    problem: &Weighted,
    columns: &Columns,
    variables: &[usize],
    models: Vec<(f64, Model)>,
    bounds: Bounds,
) -> Vec<(f64, Model)> {
    let mut seen: HashSet<Model> = models.iter().map(|(_, model)| model.clone()).collect();
    let mut best = models;
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut changed: HashSet<Model> = HashSet::new();
    let mut waited = 0;
    for _ in 0..bounds.rounds {
        let before = best.first().map_or(f64::NEG_INFINITY, |(evidence, _)| *evidence);
        let from: Vec<Model> =
            best.iter().take(bounds.width).map(|(_, model)| model.clone()).collect();
        let from: Vec<Model> =
            from.into_iter().filter(|model| changed.insert(model.clone())).collect();
        if from.is_empty() {
            break;
        }
        for model in from {
            let terms =
                Terms { variables, products: bounds.products, either_sign: bounds.either_sign };
            let all = changes(&model, columns, variables, bounds.products);
            for next in all.into_iter().chain(pursued(problem, columns, &model, &terms)) {
                let many = next.terms.len() > bounds.terms || next.constants() > MAX_CONSTANTS;
                if many || !seen.insert(next.clone()) {
                    continue;
                }
                let price = prior(&next, columns);
                let Some(solution) = Solution::new(problem, columns, &next, price) else {
                    continue;
                };
                let evidence =
                    if bounds.either_sign { solution.signless } else { solution.evidence };
                if evidence.is_finite() {
                    best.push((evidence, next));
                }
            }
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        let top = best[0].0;
        // Some that are not so good are kept as a way to better ones.
        let kept = best.iter().take_while(|(evidence, _)| *evidence > top - NEGLIGIBLE).count();
        best.truncate(kept.max(bounds.width.min(best.len())));
        waited = if top > before + 1e-9 { 0 } else { waited + 1 };
        if waited > bounds.patience {
            break;
        }
    }
    let top = best.first().map_or(0.0, |(evidence, _)| *evidence);
    best.retain(|(evidence, _)| *evidence > top - NEGLIGIBLE);
    best
}

/// All models that differ from one in a term, a factor or the constant.
fn changes(model: &Model, columns: &Columns, variables: &[usize], products: bool) -> Vec<Model> {
    let mut all = vec![Model::new(!model.constant, model.terms.clone())];
    let with = |terms: Vec<Vec<(u16, u16)>>| Model::new(model.constant, terms);
    for &v in variables {
        for k in 0..columns.factors[v].len() {
            let mut terms = model.terms.clone();
            terms.push(vec![factor(v, k)]);
            all.push(with(terms));
        }
    }
    for (t, term) in model.terms.iter().enumerate() {
        let mut fewer = model.terms.clone();
        fewer.remove(t);
        all.push(with(fewer));
        for &v in variables.iter().filter(|&&v| products && term.iter().all(|f| f.0 as usize != v))
        {
            for k in 0..columns.factors[v].len() {
                let mut larger = term.clone();
                larger.push(factor(v, k));
                larger.sort_unstable();
                let mut replaced = model.terms.clone();
                replaced[t] = larger.clone();
                all.push(with(replaced));
                let mut added = model.terms.clone();
                added.push(larger);
                all.push(with(added));
            }
        }
        for (f, &(v, k)) in term.iter().enumerate() {
            let k = k as usize;
            let count = columns.factors[v as usize].len();
            for other in k.saturating_sub(NEIGHBOURS)..(k + NEIGHBOURS + 1).min(count) {
                if other != k {
                    let mut terms = model.terms.clone();
                    terms[t][f] = (v, other as u16);
                    all.push(with(terms));
                }
            }
            if term.len() > 1 {
                let mut terms = model.terms.clone();
                terms[t].remove(f);
                all.push(with(terms));
            }
        }
    }
    // A term twice is none.
    all.retain(|m| m.constants() > 0 && m.terms.windows(2).all(|pair| pair[0] != pair[1]));
    all
}
