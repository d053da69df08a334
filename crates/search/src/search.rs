//! The search itself, from data to weighed candidates.

use cll_fit::Data;

use crate::candidates::{candidates, members};
use crate::factor::Factor;
use crate::given::{Given, data_variables, with_given_terms};
use crate::judge::miss;
use crate::left_out::left_out;
use crate::observed::Observed;
use crate::options::Options;
use crate::relevant::{Steepness, relevant, slope};
use crate::result::{Factors, Miss, Note, Search, SearchError};
use crate::solution::{Solution, Weighed};
use crate::task::{Lack, Other, Outcome, Task};
use crate::term::Model;
use crate::tie::distinctions;
use crate::weighted::{Columns, Weighted};

/// For so many of them sizes are left out.
const LEFT_OUT: usize = 12;
/// So many values of a number of processors hold simple factors only.
pub const FEW: usize = 4;
/// A smaller systematic error is taken if the data are more probable by this factor, as a logarithm.
const SURER: f64 = 1.0;

/// Whether no formula explains the points as well as repetitions do.
pub(crate) fn is_lacking(notes: &[Note]) -> bool {
    notes.iter().any(|note| matches!(note, Note::LackOfFit { .. }))
}

/// Searches the formula of data in which constants do not change; it has other constants in `others`, which weigh
/// formulas, too.
pub(crate) fn search_part(
    data: &Data,
    options: &Options,
    others: &[Data],
) -> Result<Search, SearchError> {
    let (data, given) = with_given_terms(data, options);
    let observed = usable(&data, options)?;
    let (variables, mut notes) = match &given {
        Some(_) => ((0..data.variables.len()).collect(), Vec::new()),
        None => relevant(&observed, &data.variables),
    };
    if variables.is_empty() {
        return Err(SearchError::NothingVaries);
    }
    if observed.left_out > 0 {
        notes.push(Note::LeftOut { points: observed.left_out });
    }
    let dictionary = factors(&observed, &data.variables, &variables, (options, &given));
    let columns = Columns::new(&observed, &dictionary, given.is_none());
    let variables: Vec<usize> =
        variables.into_iter().filter(|&v| !columns.factors[v].is_empty()).collect();
    if variables.is_empty() {
        return Err(SearchError::NoTerms);
    }

    let others: Vec<Other> = others
        .iter()
        .filter_map(|other| Other::new(&with_given_terms(other, options).0, &columns, options))
        .collect();
    let task = Task {
        others: &others,
        observed: &observed,
        columns: &columns,
        variables: &variables,
        options,
        given: given.is_some(),
    };
    let (outcome, surer) = surest(&task);
    let observed = surer.unwrap_or(observed);
    let Outcome { problem, models, mut solutions, lack, is_negative } = outcome;
    notes.extend(lack.map(|Lack { size, repetitions }| Note::LackOfFit { size, repetitions }));
    notes.extend(is_negative.then_some(Note::Negative));
    let miss = without_misses(&observed, &columns, &models, &mut solutions);
    let factors =
        Factors { factors: columns.factors.clone(), names: data.variables.clone(), given };
    if solutions.is_empty() {
        return Err(SearchError::Unsolvable);
    }
    let members = members(solutions, &models);
    let mut candidates = candidates(&members, &factors, observed.len());
    for candidate in candidates.iter_mut().take(LEFT_OUT) {
        candidate.left_out = left_out(
            &observed,
            &problem,
            &columns,
            &variables,
            &candidate.member.model,
            options.weights,
        );
    }
    let new_variance = new_variance(&members[0].solution, &problem, &observed);
    let mut search = Search {
        variables: data_variables(&data, &factors),
        candidates,
        members,
        ties: Vec::new(),
        divisions: Vec::new(),
        notes,
        points: observed.len(),
        weights: options.weights,
        confidence: options.confidence,
        columns: factors,
        new_variance,
        miss,
    };
    search.ties = distinctions(&search, &observed, &variables);
    Ok(search)
}

/// The observations, if there are enough for a search.
fn usable(data: &Data, options: &Options) -> Result<Observed, SearchError> {
    let observed = Observed::new(data, options);
    match observed.len() {
        0 => Err(SearchError::NothingUsable),
        points @ 1..3 => Err(SearchError::FewPoints { points }),
        _ => Ok(observed),
    }
}

/// The factors of each variable: of the given terms, or of the dictionary.
fn factors(
    observed: &Observed,
    names: &[String],
    variables: &[usize],
    (options, given): (&Options, &Given),
) -> Vec<Vec<Factor>> {
    if given.is_none() {
        return dictionary(observed, names, variables, options);
    }
    let linear = Factor::growing().into_iter().filter(|f| f.order() == (1.0, 0));
    vec![linear.collect(); names.len()]
}

/// The outcome with the systematic error by which the data are most probable, with the observations if it is not their
/// own.
fn surest(task: &Task) -> (Outcome, Option<Observed>) {
    let mut outcome = task.weighed();
    let mut evidence = outcome.evidence(task.observed) + SURER;
    let mut surest = None;
    for surer in task.observed.surer(task.options) {
        let other = Task { observed: &surer, ..*task }.weighed();
        let own = other.evidence(&surer);
        if own > evidence {
            (outcome, evidence) = (other, own);
            surest = Some(surer);
        }
    }
    (outcome, surest)
}

/// The variance of a new measurement with as many repetitions as a point typically has.
fn new_variance(best: &Solution, problem: &Weighted, observed: &Observed) -> f64 {
    let counts = cll_statistics::median(observed.count.iter().copied()).unwrap_or(1.0);
    let lack = problem.noise.dof == 0.0 && observed.dof > 0.0;
    if lack { best.variance } else { best.variance / counts }
}

/// Leaves out the formulas that miss many points by more than half; what the first one misses if all do.
fn without_misses(
    observed: &Observed,
    columns: &Columns,
    models: &[(f64, Model)],
    solutions: &mut Vec<Weighed>,
) -> Option<Miss> {
    let judge =
        |(solution, _, index): &Weighed| miss(observed, columns, &models[*index].1, solution);
    let first = judge(solutions.first()?);
    let is_said: Vec<bool> = solutions.iter().map(|solution| judge(solution).is_none()).collect();
    if is_said.contains(&true) {
        let mut flags = is_said.into_iter();
        solutions.retain(|_| flags.next().unwrap_or(false));
        return None;
    }
    first
}

/// The terms that were tried, in words: `powers up to n^6, logarithms, exponentials and n!`.
pub(crate) fn tried(search: &Search) -> String {
    if search.columns.given.is_some() {
        return "sums of the given terms".to_owned();
    }
    let all = || search.columns.factors.iter().flatten();
    let is_steep = all().any(|factor| matches!(factor, Factor::Exponential { .. }));
    let powers = all().map(|factor| factor.order().0).filter(|power| power.fract() == 0.0);
    let largest = powers.filter(|power| *power < 10.0).fold(0.0, f64::max);
    let falls = all().any(|factor| matches!(factor, Factor::Falling(_)));
    let mut words = vec![format!("powers up to {largest}"), "logarithms".to_owned()];
    if falls {
        words.push("their inverses".to_owned());
    }
    if is_steep {
        words.extend(["exponentials".to_owned(), "factorials".to_owned()]);
    }
    let last = words.pop().unwrap_or_default();
    format!("{} and {last}", words.join(", "))
}

/// The factors of each variable; none of those that are not among `variables`.
pub(crate) fn dictionary(
    observed: &Observed,
    names: &[String],
    variables: &[usize],
    options: &Options,
) -> Vec<Vec<Factor>> {
    let factors = |v: usize| {
        if !variables.contains(&v) {
            return Vec::new();
        }
        let counts_processors = options.processors.contains(&names[v]);
        if counts_processors && distinct(&observed.values[v]) <= FEW {
            Factor::few()
        } else if counts_processors || slope(observed, v) < 0.0 {
            Factor::scaling()
        } else {
            growing(observed, v)
        }
    };
    (0..names.len()).map(factors).collect()
}

/// Values that grow more than by this power of a variable have the factors of steep growth, too.
const STEEP: f64 = 3.2;

/// The factors of a variable along which values do not fall.
fn growing(observed: &Observed, variable: usize) -> Vec<Factor> {
    let steepness = Steepness::new(observed, variable);
    if steepness.power > STEEP { Factor::steep(Some(steepness.base)) } else { Factor::growing() }
}

fn distinct(values: &[f64]) -> usize {
    let mut all: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

#[cfg(test)]
mod tests;
