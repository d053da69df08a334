//! Constants that change at a boundary, while the formula is searched.
//!
//! If no formula explains the points as well as their repetitions do, the data may lie on two sides of a boundary, such
//! as the size of a cache: one formula, with other constants on each side. Each gap of each variable is tried with
//! the formulas that are probable for all points, for those below and for those above. The evidence of a formula
//! divided at a gap is that of one model with a constant for each term and side; a division has a prior of a tenth,
//! shared by all gaps. Their sum is compared with that of the undivided formulas, by the same equation. Without
//! repetitions the noise is not known: then the evidence alone says whether there is a boundary, and must be surer.

use cll_fit::Data;
use rayon::prelude::*;

use crate::observed::Observed;
use crate::options::Options;
use crate::result::{Division, NoFormula, Note, Search, SearchError};
use crate::search::{is_lacking, search_part, tried};
use crate::solution::{Solution, prior};
use crate::term::{Model, factor};
use crate::weighted::{Columns, Weighted};

/// Different values of the variable, and points, that each side must have.
const MIN_VALUES: usize = 3;
const MIN_POINTS: usize = 4;
/// Formulas of each search that are tried at a gap.
const STRUCTURES: usize = 8;
/// Prior of a division, shared by all gaps.
const DIVIDED: f64 = 0.1;
/// A division must be so many times as probable as none.
const ODDS: f64 = 10.0;
/// The same where the noise is not known: a formula that is nearly right looks like one that changes.
const ODDS_ALONE: f64 = 30.0;
/// There, gaps at which the formulas of all points are so much less probable when divided are not looked at, in
/// logarithms: most data have no boundary.
const SCREEN: f64 = 5.0;
/// Where the noise is not known, data of more variables are not divided: each gap is two searches.
const MAX_ALONE: usize = 2;
/// Parts are divided again so many times.
const DEPTH: usize = 2;

/// The largest number of points times boundaries. With more, evenly chosen boundaries are tried: each costs two
/// searches.
const MAX_TRIED: usize = 8000;
/// So many boundaries along a variable are tried in any case.
const MIN_GAPS: usize = 6;

/// Searches the formula of data.
///
/// # Errors
/// Data in which nothing varies, or with too few points.
pub fn search(data: &Data, options: &Options) -> Result<Search, SearchError> {
    let full_search = search_part(data, options, &[])?;
    if !may_change(data, &full_search) {
        return judged(full_search);
    }
    let (mut parts, divisions) = divided(data, &full_search, options);
    let Some(last) = parts.pop().filter(|_| !divisions.is_empty()) else {
        return judged(full_search);
    };
    // A part that no formula explains says nothing of the formula.
    let others: Vec<Data> =
        parts.into_iter().filter(|part| part.is_explained).map(|part| part.data).collect();
    let Ok(mut search) = search_part(&last.data, options, &others) else {
        return judged(full_search);
    };
    search.points = full_search.points;
    search.notes.extend(divisions.iter().cloned().map(Note::Divided));
    search.divisions = divisions;
    judged(search)
}

/// No formula, if the best one misses many points by more than half.
fn judged(search: Search) -> Result<Search, SearchError> {
    let Some(miss) = search.miss.clone() else { return Ok(search) };
    Err(SearchError::NoFormula(Box::new(NoFormula {
        tried: tried(&search),
        formula: search.candidates[0].formula.clone(),
        points: search.points,
        variables: search.variables,
        miss,
    })))
}

/// [`search`] without boundaries: for data of which only a part of the points is looked at, each boundary would be two
/// more searches for what the fit of all points sees better.
///
/// # Errors
/// As [`search`].
pub fn search_undivided(data: &Data, options: &Options) -> Result<Search, SearchError> {
    judged(search_part(data, options, &[])?)
}

/// Searches many data sets beside each other, on all cores.
pub fn search_all(data: &[Data], options: &Options) -> Vec<Result<Search, SearchError>> {
    data.par_iter().map(|data| search(data, options)).collect()
}

/// A part of the data in which constants are the same.
pub(crate) struct DivisionPart {
    pub(crate) data: Data,
    /// Whether it needs no other boundary: the formulas explain its points.
    pub(crate) is_explained: bool,
}

/// The parts of data that `full_search` does not explain, the one with the largest values last, and the boundaries between
/// them; no boundary if none is probable.
pub(crate) fn divided(
    data: &Data,
    full_search: &Search,
    options: &Options,
) -> (Vec<DivisionPart>, Vec<Division>) {
    let mut parts = Vec::new();
    let mut divisions = Vec::new();
    divide(data, full_search, options, DEPTH, &mut parts, &mut divisions);
    (parts, divisions)
}

fn divide(
    data: &Data,
    full_search: &Search,
    options: &Options,
    depth: usize,
    parts: &mut Vec<DivisionPart>,
    divisions: &mut Vec<Division>,
) {
    let may_change = depth > 0 && may_change(data, full_search);
    let sides = if may_change { boundary(data, full_search, options) } else { None };
    let Some(Sides { division, below, above }) = sides else {
        let is_explained = !is_lacking(&full_search.notes);
        parts.push(DivisionPart { data: data.clone(), is_explained });
        return;
    };
    let (low, high) = (below.data, above.data);
    divide(&low, &below.search, options, depth - 1, parts, divisions);
    divisions.push(division);
    divide(&high, &above.search, options, depth - 1, parts, divisions);
}

/// Whether constants may change: repetitions do not explain how far formulas are from the points. Without repetitions
/// only the evidence can say that.
fn may_change(data: &Data, full_search: &Search) -> bool {
    is_lacking(&full_search.notes)
        || (is_alone(data) && searched(data, full_search).count() <= MAX_ALONE)
}

/// The data's variables that the search has looked at.
fn searched(data: &Data, full_search: &Search) -> impl Iterator<Item = usize> {
    let all = 0..data.variables.len();
    let is_given = full_search.columns.given.is_some();
    let is_searched: Vec<bool> = all
        .clone()
        .map(|v| is_given || full_search.columns.factors.get(v).is_some_and(|f| !f.is_empty()))
        .collect();
    all.filter(move |&v| is_searched[v])
}

/// Whether no point was measured twice, so that the noise is not known.
fn is_alone(data: &Data) -> bool {
    data.points.iter().all(|point| point.observations.len() < 2)
}

struct DivisionSide {
    data: Data,
    search: Search,
}

struct Sides {
    division: Division,
    below: DivisionSide,
    above: DivisionSide,
}

/// The most probable boundary.
fn boundary(data: &Data, full_search: &Search, options: &Options) -> Option<Sides> {
    let observed = Observed::new(data, options);
    // Repetitions do not explain the points, so the residuals say what the noise is.
    let problem = Weighted::new(&observed, observed.y.clone(), options.weights, true);
    let points: Vec<Vec<f64>> =
        (0..observed.len()).map(|i| observed.values.iter().map(|v| v[i]).collect()).collect();
    let one_side = vec![false; observed.len()];
    let undivided =
        log_sum(structures(full_search).filter_map(|model| {
            evidence(full_search, model, &points, &observed, &problem, &one_side)
        }));
    let mut gaps = Vec::new();
    let variables = searched(data, full_search).count().max(1);
    let most = (MAX_TRIED / (points.len() * variables)).max(MIN_GAPS);
    for variable in searched(data, full_search) {
        let mut values = observed.values[variable].clone();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let between = MIN_VALUES..(values.len() + 1).saturating_sub(MIN_VALUES);
        let tried = between.len().min(most);
        gaps.extend((0..tried).map(|k| {
            let middle = between.start + (2 * k + 1) * between.len() / (2 * tried);
            (variable, values[middle - 1], values[middle])
        }));
    }
    let is_alone = is_alone(data);
    let share = (DIVIDED / (1.0 - DIVIDED) / gaps.len().max(1) as f64).ln();
    let mut best: Option<(f64, Sides)> = None;
    let mut all = Vec::new();
    for (variable, last, first) in gaps {
        let is_above: Vec<bool> = observed.values[variable].iter().map(|v| *v >= first).collect();
        let above = is_above.iter().filter(|above| **above).count();
        if above < MIN_POINTS || is_above.len() - above < MIN_POINTS {
            continue;
        }
        let evidences = |search: &Search| -> Vec<f64> {
            let all = structures(search).filter_map(|model| {
                evidence(search, model, &points, &observed, &problem, &is_above)
            });
            all.collect()
        };
        let by_whole = log_sum(evidences(full_search)) + share;
        if is_alone && by_whole < undivided - SCREEN {
            continue;
        }
        let side = |above: bool| {
            let mut part = data.clone();
            part.points.retain(|point| (point.values[variable] >= first) == above);
            let search = search_part(&part, options, &[]).ok()?;
            Some(DivisionSide { data: part, search })
        };
        let (Some(low), Some(high)) = (side(false), side(true)) else { continue };
        // The same formula may be in several lists: the largest sum stands for it.
        let sum = [&low.search, &high.search]
            .into_iter()
            .map(|search| log_sum(evidences(search)) + share)
            .fold(by_whole, f64::max);
        all.push(sum);
        if best.as_ref().is_none_or(|(known, _)| sum > *known) {
            let variable = data.variables[variable].clone();
            let division = Division { variable, below: last, above: first };
            best = Some((sum, Sides { division, below: low, above: high }));
        }
    }
    let odds = if is_alone { ODDS_ALONE } else { ODDS };
    (log_sum(all) - undivided > odds.ln()).then_some(best?.1)
}

fn structures(search: &Search) -> impl Iterator<Item = &Model> {
    search.members.iter().take(STRUCTURES).map(|member| &member.model)
}

/// ln of the evidence of a formula with own constants for the points that are above, with the prior of the formula.
fn evidence(
    search: &Search,
    model: &Model,
    points: &[Vec<f64>],
    observed: &Observed,
    problem: &Weighted,
    is_above: &[bool],
) -> Option<f64> {
    let rows: Vec<Vec<f64>> =
        points.iter().map(|point| search.columns.values(model, point)).collect();
    let largest = |above: bool| {
        let side = (0..points.len()).filter(|&i| is_above[i] == above);
        side.max_by(|&a, &b| observed.y[a].total_cmp(&observed.y[b]))
    };
    let top = largest(true).or_else(|| largest(false))?;
    let mut columns = Vec::new();
    for above in [false, true] {
        let Some(corner) = largest(above) else { continue };
        // A term matters on its side as it would at the far corner.
        let scale = observed.y[top] / observed.y[corner];
        columns.extend(rows[corner].iter().enumerate().map(|(term, at_corner)| {
            let sides = rows.iter().zip(is_above);
            let column = sides.map(|(row, is)| if *is == above { row[term] } else { 0.0 });
            (column.collect::<Vec<f64>>(), scale * at_corner)
        }));
    }
    if columns.iter().any(|(column, _)| column.iter().any(|v| !v.is_finite())) {
        return None;
    }
    let count = columns.len();
    let mut own = Columns::none();
    let variable = own.add(columns);
    let divided = Model::new(false, (0..count).map(|k| vec![factor(variable, k)]).collect());
    let price = prior(
        model,
        &Columns::from_factors(&search.columns.factors, search.columns.given.is_none()),
    );
    let evidence = Solution::new(problem, &own, &divided, price)?.evidence;
    evidence.is_finite().then_some(evidence)
}

/// ln Σ exp.
fn log_sum(all: impl IntoIterator<Item = f64>) -> f64 {
    let all: Vec<f64> = all.into_iter().collect();
    let top = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top.is_finite() { top + all.iter().map(|v| (v - top).exp()).sum::<f64>().ln() } else { top }
}
