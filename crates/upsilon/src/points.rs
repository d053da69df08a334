//! The values of variables at which statements are counted: powers of two, which programs that halve and double
//! divide without rest, and some others where those are too few.

use cll_formula::{Formula, VariableKind};

use crate::program::SourceProgram;
use crate::region::Region;
use crate::run::Count;
use crate::value::Value;

/// The value that `sizeof` is taken as: it does not change.
const SIZE: i64 = 16;
/// The largest power of two of a single variable.
const MAX_POWER: u32 = 16;
/// Values of each of several variables.
const LEVELS: u32 = 4;

/// The counts of all pieces for some values of the formula's variables.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// Values in the order of the formula's variables.
    pub values: Vec<f64>,
    pub counts: Vec<Count>,
}

/// Counts at as many points as a formula needs. Empty if even the smallest takes too long.
pub(crate) fn counted(program: &SourceProgram, region: &Region, formula: &Formula) -> Vec<Counted> {
    let counteds = points(program, region, formula, false);
    if counteds.is_empty() { points(program, region, formula, true) } else { counteds }
}

fn points(
    program: &SourceProgram,
    region: &Region,
    formula: &Formula,
    lenient: bool,
) -> Vec<Counted> {
    let variables = formula.variables();
    let ids: Vec<Option<usize>> =
        variables.iter().map(|variable| program.names.find(&variable.name)).collect();
    let count_at = |values: &[i64]| {
        let known: Vec<(usize, Value)> = ids
            .iter()
            .zip(values)
            .filter_map(|(id, value)| id.map(|id| (id, Value::Int(*value))))
            .collect();
        let counts = region.count(program, &known, lenient)?;
        Some(Counted { values: values.iter().map(|value| *value as f64).collect(), counts })
    };
    let is_size = |index: usize| variables[index].kind == VariableKind::Size;
    let varied: Vec<usize> = (0..variables.len()).filter(|index| !is_size(*index)).collect();
    let with = |chosen: &[i64]| -> Vec<i64> {
        let mut values = vec![SIZE; variables.len()];
        varied.iter().zip(chosen).for_each(|(index, value)| values[*index] = *value);
        values
    };
    match varied.len() {
        0 => count_at(&with(&[])).into_iter().collect(),
        1 => along(|value| count_at(&with(&[value])), formula.terms().len()),
        _ => {
            let small: Vec<bool> = varied.iter().map(|index| divides(formula, *index)).collect();
            grid(|chosen| count_at(&with(chosen)), &small)
        }
    }
}

/// One variable: powers of two, until counting takes too long.
fn along(count_at: impl Fn(i64) -> Option<Counted>, terms: usize) -> Vec<Counted> {
    let mut found: Vec<Counted> = (3..=MAX_POWER).map_while(|power| count_at(1 << power)).collect();
    let last = found.last().map_or(8, |last| last.values[0] as i64);
    if found.len() < terms + 3 {
        let more = [12, 24, 48, 96, 192].into_iter().take_while(|value| *value < last * 2);
        found.extend(more.map_while(&count_at));
    }
    if found.len() < terms + 2 {
        let more = [2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15].into_iter();
        found.extend(more.take_while(|value| *value < last * 2).map_while(&count_at));
    }
    found.sort_by(|a, b| a.values[0].total_cmp(&b.values[0]));
    found
}

/// Several variables: all combinations of some powers of two, as large as counting allows.
fn grid(count_at: impl Fn(&[i64]) -> Option<Counted>, small: &[bool]) -> Vec<Counted> {
    let levels = match small.len() {
        2 | 3 => LEVELS,
        4 => 3,
        _ => 2,
    };
    let mut best = Vec::new();
    for start in [4, 3, 2, 1] {
        let value = |place: usize, level: u32| {
            if small[place] { 1i64 << level } else { 1i64 << (start + level) }
        };
        let all = (levels as usize).saturating_pow(small.len() as u32).min(256);
        let (mut counteds, mut failed) = (Vec::new(), 0);
        for number in 0..all {
            let mut rest = number;
            let chosen: Vec<i64> = (0..small.len())
                .map(|place| {
                    let level = rest % levels as usize;
                    rest /= levels as usize;
                    value(place, level as u32)
                })
                .collect();
            match count_at(&chosen) {
                Some(counted) => counteds.push(counted),
                None => failed += 1,
            }
            if failed * 5 > all {
                break;
            }
        }
        if failed * 5 <= all {
            return counteds;
        }
        if counteds.len() > best.len() {
            best = counteds;
        }
    }
    best
}

/// Whether a term becomes smaller with the variable, as with the number of processors.
fn divides(formula: &Formula, variable: usize) -> bool {
    let mut values = vec![64.0; formula.variables().len()];
    let count = formula.terms().len();
    let (mut low, mut high) = (vec![0.0; count], vec![0.0; count]);
    values[variable] = 4.0;
    formula.terms_at(&values, &mut low);
    values[variable] = 8.0;
    formula.terms_at(&values, &mut high);
    low.iter().zip(&high).any(|(low, high)| low > high)
}
