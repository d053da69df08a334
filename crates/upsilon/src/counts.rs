//! Confirms and corrects proposals by counts of instructions by line.

use std::collections::{BTreeMap, BTreeSet};

use cll_formula::Formula;

use crate::growth::{INSTRUCTIONS, Terms};
use crate::sets::{By, ExperimentSets, Statement};

/// The instructions of one passage of a region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passage {
    /// The values of the formula's variables, in its order.
    pub values: Vec<f64>,
    /// Instructions of each line of the source.
    pub lines: BTreeMap<usize, u64>,
}

/// A program passes a region with too few different values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the program passes {experiment} with {number} different values of its variables: at least {needed} are needed"
)]
pub struct FewValues {
    /// The experiment.
    pub experiment: String,
    /// Number of different values.
    pub number: usize,
    /// The number that is needed.
    pub needed: usize,
}

/// A line for which counts say something else than nesting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The line.
    pub line: usize,
    /// The constants by nesting.
    pub nesting: Vec<String>,
    /// The constants by counts.
    pub counts: Vec<String>,
}

/// The result of comparing the proposal for an experiment with counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of lines that are confirmed.
    pub confirmed: usize,
    /// Lines that were corrected.
    pub disagreements: Vec<Disagreement>,
    /// Lines whose counts follow no term of the formula.
    pub unclear: Vec<usize>,
}

/// Compares the proposal with counts of passages at different values.
///
/// All instructions of a line are counted together: the statement of the line that grows fastest is compared, and the
/// others of the line stay as they are. Where both differ, the counts are right, since they are of the program that
/// ran; `experiment` then has their constants.
///
/// # Errors
/// If there are too few different values.
pub fn confirm(
    experiment: &mut ExperimentSets,
    formula: &Formula,
    passages: &[Passage],
) -> Result<Checked, FewValues> {
    let means = means(passages);
    if means.len() < formula.terms().len() + 1 {
        return Err(FewValues {
            experiment: experiment.name.clone(),
            number: means.len(),
            needed: formula.terms().len() + 1,
        });
    }
    let terms = Terms::new(formula, means.iter().map(|(values, _)| values.clone()).collect());
    let mut checked = Checked::default();
    let lines: BTreeSet<usize> =
        experiment.statements.iter().map(|statement| statement.line).collect();
    for line in lines {
        let counts: Vec<f64> =
            means.iter().map(|(_, lines)| lines.get(&line).copied().unwrap_or(0.0)).collect();
        if counts.iter().all(|count| *count == 0.0) {
            continue;
        }
        let count = terms.matching(&counts, INSTRUCTIONS).or_else(|| terms.nearest(&counts));
        let Some(count) = count else {
            checked.unclear.push(line);
            continue;
        };
        let names: Vec<String> = count
            .leading
            .iter()
            .map(|term| formula.terms()[*term].constant_name().to_owned())
            .collect();
        correct(experiment, line, names, &terms, &mut checked);
    }
    Ok(checked)
}

/// The mean of the passages with equal values.
fn means(passages: &[Passage]) -> Vec<(Vec<f64>, BTreeMap<usize, f64>)> {
    let mut found: Vec<(Vec<f64>, BTreeMap<usize, f64>, f64)> = Vec::new();
    for passage in passages {
        let index = found.iter().position(|(values, ..)| *values == passage.values);
        let index = index.unwrap_or_else(|| {
            found.push((passage.values.clone(), BTreeMap::new(), 0.0));
            found.len() - 1
        });
        let (_, lines, number) = &mut found[index];
        *number += 1.0;
        for (line, count) in &passage.lines {
            *lines.entry(*line).or_default() += *count as f64;
        }
    }
    let mean = |(values, mut lines, number): (Vec<f64>, BTreeMap<usize, f64>, f64)| {
        lines.values_mut().for_each(|count| *count /= number);
        (values, lines)
    };
    found.into_iter().map(mean).collect()
}

/// Compares one line.
fn correct(
    experiment: &mut ExperimentSets,
    line: usize,
    names: Vec<String>,
    terms: &Terms<'_>,
    checked: &mut Checked,
) {
    let on_line: Vec<usize> = (0..experiment.statements.len())
        .filter(|&index| experiment.statements[index].line == line)
        .collect();
    // The constants that no other statement of the line outgrows.
    let proposed: BTreeSet<String> =
        on_line.iter().flat_map(|&index| experiment.statements[index].constants.clone()).collect();
    let fastest = terms.fastest(&proposed);
    let mut sorted = names.clone();
    sorted.sort();
    let has_unknown =
        on_line.iter().any(|&index| experiment.statements[index].constants.is_empty());
    if fastest == sorted && !has_unknown {
        checked.confirmed += 1;
        for &index in &on_line {
            let statement = &mut experiment.statements[index];
            if statement.by == By::Nesting && same(&statement.constants, &sorted) {
                statement.by = By::Both;
            }
        }
        return;
    }
    // What has no constant yet gets that of the counts; else the statements that grow fastest are corrected.
    let mut is_corrected = false;
    for &index in &on_line {
        let statement = &mut experiment.statements[index];
        let is_wrong = !has_unknown && same(&statement.constants, &fastest);
        if statement.by == By::Hand || !(statement.constants.is_empty() || is_wrong) {
            continue;
        }
        is_corrected |= is_wrong;
        adopt(statement, &names);
    }
    if is_corrected {
        checked.disagreements.push(Disagreement { line, nesting: fastest, counts: names });
    }
}

fn same(constants: &[String], sorted: &[String]) -> bool {
    let mut constants = constants.to_vec();
    constants.sort();
    constants == sorted
}

fn adopt(statement: &mut Statement, names: &[String]) {
    statement.note = if statement.constants.is_empty() {
        String::new()
    } else {
        format!("by nesting: {}", statement.constants.join(", "))
    };
    statement.times = String::new();
    statement.constants = names.to_vec();
    statement.by = By::Counts;
}
