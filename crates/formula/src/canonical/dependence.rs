//! Finds terms that are linearly dependent, so that no data can determine their constants.
//!
//! The terms are evaluated at many points. A rank-revealing decomposition of the matrix proposes a
//! relation between columns, and it is accepted only if it holds at other points, too. A relation
//! missed here is found by the fit; a wrong one would reject a good formula.

use cll_diagnostic::Diagnostic;

use super::factors::number;
use super::{Draft, points};
use crate::evaluate::Postfix;
use crate::print::text;
use crate::syntax::{Report, Syntax};
use crate::{Expression, codes};

/// If less than this share of a column's length remains, the column is a combination of others.
const PROPOSED: f64 = 1e-7;
/// Relative accuracy, to its largest summand, with which a relation must hold.
const HOLDS: f64 = 1e-7;
/// Longer formulas are not checked: it would take longer than a compiler should.
const LONGEST: usize = 50_000;

/// A term as a linear combination of others.
struct Dependence {
    term: usize,
    others: Vec<(usize, f64)>,
}

/// Reports terms that are linear combinations of others at all points.
pub(super) fn check(syntax: &Syntax, drafts: &[Draft], report: &mut Report) {
    let program = Postfix::new(drafts.iter().map(|draft| &draft.expression));
    if program.steps() > LONGEST {
        return;
    }
    let landmarks = landmarks(drafts);
    let rows = |seed: u64, count: usize| {
        let mut all = Vec::with_capacity(count);
        for values in points::points(syntax.variables.len(), &landmarks, seed, count) {
            let mut row = vec![0.0; drafts.len()];
            program.run(&values, |place, value| row[place] = value);
            all.push(row);
        }
        all
    };
    let few = drafts.len() + 4;
    let mut tried = rows(1, 4 * drafts.len() + 28);
    if tried.iter().filter(|row| usable(row)).count() < few {
        tried = rows(1, 16 * drafts.len() + 400);
        warn_undefined(syntax, drafts, &tried, report);
    }
    tried.retain(|row| usable(row));
    if tried.len() < few {
        return;
    }
    let relations = proposed(&tried);
    if relations.is_empty() {
        return;
    }
    let mut fresh = rows(2, 700);
    fresh.retain(|row| usable(row));
    for relation in relations {
        if let Some(relation) = believed(relation, &fresh) {
            report_dependence(syntax, drafts, &relation, report);
        }
    }
}

fn usable(row: &[f64]) -> bool {
    row.iter().all(|value| value.is_finite())
}

fn warn_undefined(syntax: &Syntax, drafts: &[Draft], rows: &[Vec<f64>], report: &mut Report) {
    for (place, draft) in drafts.iter().enumerate() {
        if rows.iter().all(|row| !row[place].is_finite()) {
            let term = text::expression(&draft.expression, &syntax.variables);
            report.push(
                Diagnostic::warning(
                    codes::UNDEFINED,
                    draft.span.clone(),
                    format!("`{term}` is not a finite number at any value that was tried"),
                )
                .help("logarithms and roots of negative numbers and quotients by 0 are not finite numbers"),
            );
        }
    }
}

/// The values of the numbers in the terms: near them `min` and `max` may change.
fn landmarks(drafts: &[Draft]) -> Vec<f64> {
    let mut values = Vec::new();
    drafts.iter().for_each(|draft| {
        collect(&draft.expression, &mut values);
    });
    values.retain(|value: &f64| value.is_finite() && *value != 0.0 && value.abs() != 1.0);
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// Adds the values of the largest parts without variables; `true` if `expression` is such a part.
fn collect(expression: &Expression, values: &mut Vec<f64>) -> bool {
    let parts: Vec<&Expression> = match expression {
        Expression::Number(_) => return true,
        Expression::Variable(_) => return false,
        Expression::Negated(a) => vec![a],
        Expression::Sum(parts) | Expression::Product(parts) => {
            parts.iter().map(|(_, part)| part).collect()
        }
        Expression::Remainder(a, b) | Expression::Power(a, b) => vec![a, b],
        Expression::Call(_, arguments) => arguments.iter().collect(),
    };
    let numeric: Vec<bool> = parts.iter().map(|part| collect(part, values)).collect();
    if numeric.iter().all(|numeric| *numeric) {
        return true;
    }
    for (part, _) in parts.iter().zip(&numeric).filter(|(_, numeric)| **numeric) {
        values.push(number(part));
    }
    false
}

/// Relations by modified Gram-Schmidt with column pivoting, columns and rows scaled.
fn proposed(rows: &[Vec<f64>]) -> Vec<Dependence> {
    let terms = rows[0].len();
    let row_scale: Vec<f64> = rows
        .iter()
        .map(|row| {
            row.iter().fold(0.0_f64, |most, value| most.max(value.abs())).max(f64::MIN_POSITIVE)
        })
        .collect();
    let mut columns: Vec<Vec<f64>> = (0..terms)
        .map(|term| rows.iter().zip(&row_scale).map(|(row, scale)| row[term] / scale).collect())
        .collect();
    let column_scale: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    for (column, scale) in columns.iter_mut().zip(&column_scale) {
        if *scale > 0.0 {
            column.iter_mut().for_each(|value| *value /= scale);
        }
    }
    let mut order: Vec<usize> = (0..terms).collect();
    // Coordinates of each column in the basis found so far.
    let mut coordinates: Vec<Vec<f64>> = vec![Vec::new(); terms];
    let mut rank = 0;
    while rank < terms {
        // If columns are equal, the first one in the text is kept, so that the later one is reported.
        let lengths: Vec<f64> = order.iter().map(|term| norm(&columns[*term])).collect();
        let most = lengths[rank..].iter().fold(0.0_f64, |most, length| most.max(*length));
        if most <= PROPOSED {
            break;
        }
        let Some(pivot) = (rank..terms)
            .filter(|index| lengths[*index] >= 0.9 * most)
            .min_by_key(|index| order[*index])
        else {
            break;
        };
        order.swap(rank, pivot);
        let chosen = order[rank];
        let length = norm(&columns[chosen]);
        let direction: Vec<f64> = columns[chosen].iter().map(|value| value / length).collect();
        coordinates[chosen].push(length);
        for term in &order[rank + 1..] {
            let column = &mut columns[*term];
            let mut along = 0.0;
            // The second pass removes what rounding left of the first.
            for _ in 0..2 {
                let part: f64 = column.iter().zip(&direction).map(|(a, b)| a * b).sum();
                column.iter_mut().zip(&direction).for_each(|(value, unit)| *value -= part * unit);
                along += part;
            }
            coordinates[*term].push(along);
        }
        rank += 1;
    }
    let basis = &order[..rank];
    let mut relations: Vec<Dependence> = order[rank..]
        .iter()
        .map(|term| {
            let mut solution = coordinates[*term].clone();
            for level in (0..rank).rev() {
                solution[level] /= coordinates[basis[level]][level];
                let value = solution[level];
                (0..level)
                    .for_each(|above| solution[above] -= coordinates[basis[level]][above] * value);
            }
            let others = basis
                .iter()
                .zip(solution)
                .map(|(other, value)| (*other, value * column_scale[*term] / column_scale[*other]));
            Dependence { term: *term, others: others.collect() }
        })
        .collect();
    relations.sort_by_key(|relation| relation.term);
    relations
}

fn norm(column: &[f64]) -> f64 {
    column.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// The relation without the terms that have no part in it, if it holds at every row.
fn believed(mut relation: Dependence, rows: &[Vec<f64>]) -> Option<Dependence> {
    let largest = |row: &[f64], relation: &Dependence| {
        relation.others.iter().fold(row[relation.term].abs(), |most, (other, factor)| {
            most.max((row[*other] * factor).abs())
        })
    };
    let takes_part = |(other, factor): &(usize, f64)| {
        rows.iter().any(|row| (row[*other] * factor).abs() > HOLDS * largest(row, &relation))
    };
    let mut others: Vec<(usize, f64)> =
        relation.others.iter().copied().filter(takes_part).collect();
    others.sort_by_key(|(other, _)| *other);
    relation.others = others;
    let holds = rows.iter().all(|row| {
        let sum: f64 = relation.others.iter().map(|(other, factor)| row[*other] * factor).sum();
        (sum - row[relation.term]).abs() <= HOLDS * largest(row, &relation)
    });
    holds.then_some(relation)
}

fn report_dependence(
    syntax: &Syntax,
    drafts: &[Draft],
    relation: &Dependence,
    report: &mut Report,
) {
    let name = |term: usize| format!("{}[{}]", syntax.experiment, drafts[term].constant);
    let expression = |term: usize| {
        format!("`{}`", text::expression(&drafts[term].expression, &syntax.variables))
    };
    let draft = &drafts[relation.term];
    let own = expression(relation.term);
    let Some(((last, factor), front)) = relation.others.split_last() else {
        report.push(
            Diagnostic::error(
                codes::DEPENDENT,
                draft.span.clone(),
                format!("the term of {} is zero for every value", name(relation.term)),
            )
            .help("remove it: no data can determine its constant"),
        );
        return;
    };
    let names: Vec<String> =
        front.iter().map(|(other, _)| name(*other)).chain([name(*last)]).collect();
    let message = format!(
        "the terms of {} and {} are linearly dependent for every value",
        names.join(", "),
        name(relation.term)
    );
    let rule = if front.is_empty() {
        let other = expression(*last);
        match *factor {
            _ if other == own => format!("the expression of both is {own}"),
            factor if (factor - 1.0).abs() < 1e-9 => format!("{own} is {other} for every value"),
            factor => format!("{own} is {} times {other}", text::factor(factor)),
        }
    } else {
        let combination: Vec<String> = relation
            .others
            .iter()
            .map(|(other, factor)| {
                format!("{} times {}", text::factor(*factor), expression(*other))
            })
            .collect();
        format!("{own} is {}", combination.join(" plus "))
    };
    let mut diagnostic = Diagnostic::error(codes::DEPENDENT, draft.span.clone(), message);
    for (other, _) in &relation.others {
        diagnostic = diagnostic.also(drafts[*other].span.clone(), "depends on this");
    }
    report.push(
        diagnostic
            .help(rule)
            .help("no data can determine these constants separately: remove one of the terms"),
    );
}
