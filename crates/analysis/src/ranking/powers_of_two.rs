//! Sizes that are all powers of two, at which rows and columns of matrices share few sets of the caches. Their times
//! grow faster than the work: those of a matrix product are then fitted by N^3 log2(N)^2.

use std::collections::BTreeSet;

use cll_formula::parse_quantity;
use cll_samples::totals;

use super::RankingInput;
use super::growth::miss;

/// The reason why a formula is doubtful, and the sizes that would tell.
#[derive(Clone, Debug, PartialEq)]
pub struct PowersOfTwo<'a> {
    /// The variable.
    pub variable: &'a str,
    /// Whether the formula has a logarithm beside a power of at least two; else it misses the times.
    pub by_logarithm: bool,
    /// Odd sizes between the measured ones.
    pub between: Vec<f64>,
    /// The measured ones and these, in order.
    pub all: Vec<f64>,
}

/// Fewer sizes say little.
const MIN_SIZES: usize = 4;
/// Smaller errors are no sign of it.
const MIN_MISS: f64 = 0.1;

/// A variable of which all sizes are powers of two, if that may be why the time of the region `first` has the formula
/// that it has.
pub fn powers_of_two<'a>(input: &'a RankingInput<'_>, first: &str) -> Option<PowersOfTwo<'a>> {
    let is_power = |value: f64| value >= 1.0 && value.log2().fract() == 0.0;
    let sizes = |index: usize| -> BTreeSet<u64> {
        let runs = input.runs.values().filter_map(|run| run.values.get(index));
        runs.map(|value| value.to_bits()).collect()
    };
    let (index, name) = input.variables.iter().enumerate().find(|(index, name)| {
        let sizes = sizes(*index);
        let are_powers = sizes.iter().all(|bits| is_power(f64::from_bits(*bits)));
        *name != "P" && sizes.len() >= MIN_SIZES && are_powers
    })?;
    let experiment = input.trace.experiments.iter().find(|experiment| experiment.name == first)?;
    let value = |run| Some(*input.runs.get(&run)?.values.get(index)?);
    let rows = totals(input.trace, experiment, input.observable)
        .into_iter()
        .filter_map(|(run, total)| Some((vec![value(run)?], total.exclusive)));
    let data = input.data(vec![name.clone()], rows);
    let search = cll_search::search(&data, input.options).ok()?;
    let terms = &search.candidates.first()?.terms;
    let by_logarithm = terms.iter().any(|term| is_square_with_logarithm(term));
    if !by_logarithm && miss(&data, &search).is_none_or(|miss| miss < MIN_MISS) {
        return None;
    }
    // Bits of positive numbers are in the order of the numbers.
    let known: Vec<f64> = sizes(index).into_iter().map(f64::from_bits).collect();
    let between = between(&known);
    let mut all: Vec<f64> = known.into_iter().chain(between.iter().copied()).collect();
    all.sort_by(f64::total_cmp);
    Some(PowersOfTwo { variable: name, by_logarithm, between, all })
}

/// The odd numbers nearest to the geometric means of neighbours.
fn between(sizes: &[f64]) -> Vec<f64> {
    let middle = |pair: &[f64]| 2.0 * (0.5 * ((pair[0] * pair[1]).sqrt() - 1.0)).round() + 1.0;
    let inside = |pair: &[f64]| Some(middle(pair)).filter(|m| pair[0] < *m && *m < pair[1]);
    sizes.windows(2).filter_map(inside).collect()
}

/// Whether a term of one variable grows at least with its square, and has a logarithm.
fn is_square_with_logarithm(term: &str) -> bool {
    const FAR: f64 = 1e12;
    let has_logarithm = term.contains("log");
    let quantity = parse_quantity(term).quantity.filter(|_| has_logarithm);
    quantity.is_some_and(|term| term.value(&[2.0 * FAR]) / term.value(&[FAR]) >= 4.0)
}
