//! Values made of the columns of each group, and wide tables of them.

use std::sync::Arc;

use super::Phrase;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::builtin::{Statistic, aggregate};
use crate::evaluate::groups::{Groups, column_of, of_rows};
use crate::evaluate::{Evaluator, Scope, Wrong, error, names_in};
use crate::samples::{Frame, Level, Samples};
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, Clause, ExprKind, Span};
use crate::value::{Cells, Table, Value};

/// The statistics that a group may be put together to.
const STATISTICS: &[(&str, Statistic)] = &[
    ("max", Statistic::Greatest),
    ("min", Statistic::Least),
    ("median", Statistic::Median),
    ("mean", Statistic::Mean),
    ("sum", Statistic::Sum),
];

/// The value that each group is put together to.
pub(super) enum AggregateTarget<'a> {
    /// A statistic of each column.
    Statistic((&'static str, Statistic)),
    /// Values made of its columns.
    Values(&'a [Argument]),
}

/// The values that the clause `to` asks for.
pub(super) fn target<'a>(clause: Option<&'a Clause>) -> Result<Option<AggregateTarget<'a>>, Wrong> {
    let Some(clause) = clause else { return Ok(None) };
    let [Argument { name: None, value }] = &clause.items[..] else {
        return Ok(Some(AggregateTarget::Values(&clause.items)));
    };
    let (ExprKind::Name(word) | ExprKind::Text(word)) = &value.kind else {
        return Ok(Some(AggregateTarget::Values(&clause.items)));
    };
    let known = STATISTICS.iter().find(|(known, _)| known == word);
    known.map(|statistic| Some(AggregateTarget::Statistic(*statistic))).ok_or_else(|| {
        let known: Vec<&str> = STATISTICS.iter().map(|(known, _)| *known).collect();
        let message = format!("`to` takes one of {}", known.join(", "));
        let wrong = error("L163", &value.span, message);
        wrong.help("or a value made of columns, such as `to q90 = quantile(time, 0.9)`").into()
    })
}

impl Evaluator<'_> {
    /// A column for each of these values, made of the columns of each group.
    pub(super) fn value_columns(
        &mut self,
        table: &Table,
        rows: &[Vec<usize>],
        items: &[Argument],
        scope: &Scope<'_>,
    ) -> Result<Vec<(String, Cells)>, Wrong> {
        let mut columns = Vec::new();
        for item in items {
            let span = &item.value.span;
            let mut values = Vec::with_capacity(rows.len());
            for rows in rows {
                self.step(1 + rows.len() as u64 / 100, span)?;
                let part = table.select_rows(rows);
                let inside = Scope { frame: Some(&part), ..*scope };
                let before = std::mem::replace(&mut self.is_group, true);
                let value = self.value(&item.value, &inside);
                self.is_group = before;
                let value = value?;
                if !matches!(value, Value::Number(_) | Value::Text(_) | Value::Bool(_)) {
                    let message =
                        format!("a group has one value here, and this gives {}", value.a_kind());
                    let help = "such as `to q90 = quantile(time, 0.9)`";
                    return Err(error("L152", span, message).help(help).into());
                }
                values.push(value);
            }
            let column = column_of(&values).ok_or_else(|| {
                error("L152", span, "the values of the groups are not of one kind and unit")
            })?;
            columns.push((self.key_name(item, scope), column));
        }
        Ok(columns)
    }

    /// The name of a column: that which is given, or how it is written.
    pub(super) fn key_name(&self, item: &Argument, scope: &Scope<'_>) -> String {
        match (&item.name, &item.value.kind) {
            (Some(name), _) => name.text.clone(),
            (None, ExprKind::Name(name)) => name.clone(),
            (None, _) => self.as_written(&item.value, scope),
        }
    }

    /// A row for each value of the columns in `by`, and a column for each of those in `for`.
    pub(super) fn pivot(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let known = [ClauseWord::By, ClauseWord::For, ClauseWord::To];
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &known)?;
        let expr = only(phrase.verb, phrase.arguments, "samples or a table", phrase.span)?;
        let value = self.value(expr, scope)?;
        let by = clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items);
        let across = clauses.get(ClauseWord::For).map_or(&[][..], |clause| &clause.items);
        if by.is_empty() || across.is_empty() {
            let wrong = error("L161", phrase.span, "which values make the rows and the columns?");
            return Err(wrong.help("such as `pivot f by N for P`").into());
        }
        let to = clauses.get(ClauseWord::To);
        let mut names: Vec<&str> = Vec::new();
        let items = by.iter().chain(across).chain(to.iter().flat_map(|clause| &clause.items));
        items.for_each(|item| names.extend(names_in(&item.value)));
        let (table, result) = self.rows_of(&value, &names, &expr.span)?;
        let keys = self.key_cells(&table, by, scope)?;
        let heads = self.key_cells(&table, across, scope)?;
        self.step(table.rows() as u64 / 100, phrase.span)?;

        let (lines, columns) =
            (Groups::new(&keys, table.rows()), Groups::new(&heads, table.rows()));
        const MOST: usize = 1000;
        if columns.first.len() > MOST {
            let message =
                format!("this would be {} columns, more than {MOST}", columns.first.len());
            return Err(error("L166", phrase.span, message).into());
        }
        let mut cells = vec![vec![Vec::new(); columns.first.len()]; lines.first.len()];
        for row in 0..table.rows() {
            cells[lines.row_groups[row]][columns.row_groups[row]].push(row);
        }
        let asked = target(to)?.unwrap_or(AggregateTarget::Statistic(STATISTICS[2]));
        let mut wide = lines.key_columns(&keys);
        for (k, first) in columns.first.iter().enumerate() {
            let name = heading(&heads, *first);
            let filled: Vec<usize> =
                (0..cells.len()).filter(|line| !cells[*line][k].is_empty()).collect();
            let rows: Vec<Vec<usize>> = filled.iter().map(|line| cells[*line][k].clone()).collect();
            let column = match &asked {
                AggregateTarget::Values(items) => {
                    let [item] = items else {
                        let wrong = error("L161", phrase.span, "`to` of a pivot takes one value");
                        return Err(wrong.into());
                    };
                    let value_columns =
                        self.value_columns(&table, &rows, std::slice::from_ref(item), scope)?;
                    value_columns.into_iter().next().map(|(_, cells)| cells)
                }
                AggregateTarget::Statistic((_, statistic)) => {
                    let Some(Cells::Numbers(column)) =
                        result.as_ref().and_then(|r| table.column(r))
                    else {
                        let wrong = error("L161", &expr.span, "which column stands in the cells?");
                        return Err(wrong.help("such as `to median(time)`").into());
                    };
                    let values = rows.iter().map(|rows| {
                        let values: Vec<f64> = rows.iter().map(|row| column.values[*row]).collect();
                        aggregate(*statistic, &values).unwrap_or(f64::NAN)
                    });
                    let unit = column.unit.clone();
                    Some(Cells::Numbers(crate::value::Column { values: values.collect(), unit }))
                }
            };
            if let Some(column) = column {
                wide = wide.with(name, column.spread(&filled, lines.first.len()));
            }
        }
        Ok(Value::Table(Arc::new(wide)))
    }

    /// The rows in the order of columns or expressions.
    pub(super) fn order(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::By])?;
        let expr = only(phrase.verb, phrase.arguments, "a table", phrase.span)?;
        let value = self.value(expr, scope)?;
        let by = clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items);
        if by.is_empty() {
            let wrong = error("L161", phrase.span, "in the order of which column?");
            return Err(wrong.help("such as `order t by -median`").into());
        }
        let Some(table) = crate::display::as_table(&value).filter(|_| !is_single(&value)) else {
            let message = format!("`order` takes a table, not {}", value.a_kind());
            return Err(error("L151", &expr.span, message).into());
        };
        let keys = self.key_cells(&table, by, scope)?;
        self.step(table.rows() as u64 / 100, phrase.span)?;
        let mut order: Vec<usize> = (0..table.rows()).collect();
        order.sort_by(|&a, &b| {
            let compared =
                keys.iter().map(|(_, cells)| crate::evaluate::groups::compare(cells, a, b));
            compared.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        Ok(Value::Table(Arc::new(table.select_rows(&order))))
    }

    /// Columns or expressions of a table.
    pub(super) fn key_cells(
        &mut self,
        table: &Table,
        items: &[Argument],
        scope: &Scope<'_>,
    ) -> Result<Vec<(String, Cells)>, Wrong> {
        let mut keys = Vec::new();
        for item in items {
            let inside = Scope { frame: Some(table), ..*scope };
            let value = self.value(&item.value, &inside)?;
            let cells = of_rows(&value, table.rows(), &item.value.span)?;
            keys.push((self.key_name(item, scope), cells));
        }
        Ok(keys)
    }

    /// The rows of samples or of a table, and the column that was measured.
    fn rows_of(
        &mut self,
        value: &Value,
        names: &[&str],
        span: &Span,
    ) -> Result<(Table, Option<String>), Wrong> {
        match value {
            Value::Samples(samples) => {
                let result = samples.result.clone();
                let needed: Vec<&str> = names.iter().copied().chain([result.as_str()]).collect();
                Ok((sample_rows(samples, &needed), Some(result)))
            }
            other => match crate::display::as_table(other).filter(|_| !is_single(other)) {
                Some(table) => {
                    let result = Samples::of_table(&table, None).ok().map(|samples| samples.result);
                    Ok((table, result))
                }
                None => {
                    let message = format!("this takes samples or a table, not {}", other.a_kind());
                    Err(error("L151", span, message).into())
                }
            },
        }
    }
}

/// Whether a value is a table of one number, or of nothing else than numbers.
pub(super) fn is_single(value: &Value) -> bool {
    matches!(
        value,
        Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Function(_) | Value::Model(_)
    )
}

/// Samples as rows, with these columns.
pub(super) fn sample_rows(samples: &Samples, names: &[&str]) -> Table {
    let frame = Frame { samples, level: Level::Rows };
    names.iter().fold(Table::new(), |table, name| match frame.column(name) {
        Some(cells) => table.with(*name, cells),
        None => table,
    })
}

/// The name of a wide table's column: `P=4`, or a word alone.
fn heading(heads: &[(String, Cells)], row: usize) -> String {
    let words = heads.iter().map(|(name, cells)| match cells {
        Cells::Numbers(column) => format!("{name}={}", column.values[row]),
        Cells::Words(words) => words.word(row).to_owned(),
        Cells::Truths(truths) => format!("{name}={}", truths[row]),
    });
    words.collect::<Vec<_>>().join(", ")
}
