//! The search itself, from data to weighed candidates.

use cll_fit::Data;

use crate::factor::Factor;
use crate::judge::miss;
use crate::left_out::left_out;
use crate::observed::Observed;
use crate::options::{Dictionary, Options};
use crate::relevant::{Steepness, relevant, slope};
use crate::result::{Candidate, Factors, Member, Miss, Note, Search, SearchError};
use crate::solution::{Solution, Weighed};
use crate::task::{Lack, Other, Outcome, Task};
use crate::term::Model;
use crate::tie::distinctions;
use crate::weighted::Columns;

/// The most probable of the solved models are kept, until they have this weight together...
const KEPT: f64 = 0.9999;
/// ...at most so many...
const MAX_KEPT: usize = 400;
/// ...and so many are listed.
const MAX_CANDIDATES: usize = 40;
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
    let observed = Observed::new(&data, options);
    if observed.len() == 0 {
        return Err(SearchError::NothingUsable);
    }
    if observed.len() < 3 {
        return Err(SearchError::FewPoints { points: observed.len() });
    }
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
    let dictionary = match &given {
        Some(_) => {
            let linear = Factor::growing().into_iter().filter(|f| f.order() == (1.0, 0));
            vec![linear.collect(); data.variables.len()]
        }
        None => dictionary(&observed, &data.variables, &variables, options),
    };
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
    let mut outcome = task.weighed();
    let mut evidence = outcome.evidence(&observed) + SURER;
    let mut surest = None;
    for surer in observed.surer(options) {
        let other = Task { observed: &surer, ..task }.weighed();
        let own = other.evidence(&surer);
        if own > evidence {
            (outcome, evidence) = (other, own);
            surest = Some(surer);
        }
    }
    let observed = surest.unwrap_or(observed);
    let Outcome { problem, models, mut solutions, lack, is_negative } = outcome;
    if let Some(Lack { size, repetitions }) = lack {
        notes.push(Note::LackOfFit { size, repetitions });
    }
    if is_negative {
        notes.push(Note::Negative);
    }
    let miss = without_misses(&observed, &columns, &models, &mut solutions);
    let factors =
        Factors { factors: columns.factors.clone(), names: data.variables.clone(), given };
    if solutions.is_empty() {
        return Err(SearchError::Unsolvable);
    }
    let top = solutions.first().map_or(0.0, |s| s.1);
    let all: f64 = solutions.iter().map(|s| (s.1 - top).exp()).sum();
    let members = solutions.into_iter().map(|(solution, evidence, index)| Member {
        weight: (evidence - top).exp() / all,
        model: models[index].1.clone(),
        solution,
    });
    let members = kept(members.collect());
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
                aicc: aicc(&member.solution, observed.len()),
                akaike: None,
                left_out: None,
                member: member.clone(),
            }
        })
        .collect();
    akaike(&mut candidates);
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
    // The typical number of repetitions of a point.
    let counts = cll_statistics::median(observed.count.iter().copied()).unwrap_or(1.0);
    let best = &members[0].solution;
    let lack = problem.noise.dof == 0.0 && observed.dof > 0.0;
    let new_variance = if lack { best.variance } else { best.variance / counts };
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
        let mut said = is_said.into_iter();
        solutions.retain(|_| said.next().unwrap_or(false));
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

/// The most probable of models, best first, with weights that sum to 1.
fn kept(mut members: Vec<Member>) -> Vec<Member> {
    let mut sum = 0.0;
    let is_needed = |member: &&Member| {
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

/// With a given dictionary each of its terms is a variable of its own.
type Given = Option<Vec<(cll_formula::Quantity, Vec<usize>)>>;

fn with_given_terms<'a>(data: &'a Data, options: &Options) -> (std::borrow::Cow<'a, Data>, Given) {
    let Dictionary::Given(terms) = &options.dictionary else {
        return (std::borrow::Cow::Borrowed(data), None);
    };
    let terms: Vec<(cll_formula::Quantity, Vec<usize>)> = terms
        .iter()
        .filter_map(|term| {
            let at: Option<Vec<usize>> =
                term.variables().iter().map(|v| data.variable(&v.name)).collect();
            Some((term.clone(), at?))
        })
        .collect();
    let mut by_terms = Data::new(terms.iter().map(|(term, _)| term.text().to_owned()).collect());
    by_terms.unit = data.unit.clone();
    for point in &data.points {
        let values = terms.iter().map(|(term, at)| {
            let own: Vec<f64> = at.iter().map(|&v| point.values[v]).collect();
            term.value(&own)
        });
        by_terms.points.push(cll_fit::Point { values: values.collect(), ..point.clone() });
    }
    (std::borrow::Cow::Owned(by_terms), Some(terms))
}

fn data_variables(data: &Data, factors: &Factors) -> Vec<String> {
    match &factors.given {
        None => data.variables.clone(),
        Some(terms) => {
            let mut names: Vec<(usize, String)> = terms
                .iter()
                .flat_map(|(term, at)| {
                    at.iter().copied().zip(term.variables().iter().map(|v| v.name.clone()))
                })
                .collect();
            names.sort();
            names.dedup();
            names.into_iter().map(|(_, name)| name).collect()
        }
    }
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

#[cfg(test)]
mod tests;
