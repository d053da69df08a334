//! `group f by N, run` and `group f by N, run to max`.

use std::collections::HashMap;
use std::sync::Arc;

use super::Phrase;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::builtin::{Statistic, aggregate, numbers};
use crate::evaluate::columns::cells;
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::samples::{Frame, Group, Level, Samples};
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, Expr, ExprKind, Span};
use crate::value::{Cells, Column, Table, Value};

/// The statistics that a group may be put together to.
const STATISTICS: &[(&str, Statistic)] = &[
    ("max", Statistic::Greatest),
    ("min", Statistic::Least),
    ("median", Statistic::Median),
    ("mean", Statistic::Mean),
    ("sum", Statistic::Sum),
];

impl Evaluator<'_> {
    /// Groups of samples or of a table's rows: a table with the statistics of each, or samples with one for each.
    pub(super) fn group(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let known = [ClauseWord::By, ClauseWord::To];
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &known)?;
        let of = only(phrase.verb, phrase.arguments, "samples or a table", phrase.span)?;
        let by = clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items);
        let to = clauses.one(ClauseWord::To)?.map(statistic).transpose()?;
        match (self.value(of, scope)?, to) {
            (Value::Samples(samples), None) => {
                let keys = self.keys(&samples, by, scope)?;
                self.step(samples.rows() as u64 / 100, phrase.span)?;
                Ok(Value::Table(Arc::new(summarised(&samples, keys))))
            }
            (Value::Samples(samples), Some(statistic)) => {
                self.step(samples.rows() as u64 / 100, phrase.span)?;
                self.reduced(&samples, by, statistic, scope, phrase.span)
            }
            (Value::Table(table), to) => {
                let mut keys = Vec::new();
                for item in by {
                    let inside = Scope { frame: Some(&*table), ..*scope };
                    let value = self.value(&item.value, &inside)?;
                    keys.push((
                        self.key_name(item, scope),
                        of_rows(&value, table.rows(), &item.value.span)?,
                    ));
                }
                let groups = groups(&keys, table.rows());
                let mut result = key_columns(&keys, &groups.first);
                result = result.numbers("rows", Column::plain(groups.counts()));
                for (name, cells) in table.columns() {
                    let Cells::Numbers(column) = cells else { continue };
                    if keys.iter().any(|(known, _)| known == name) {
                        continue;
                    }
                    let (statistic, name) = match to {
                        Some((word, statistic)) => (statistic, format!("{word}_{name}")),
                        None => (Statistic::Median, name.clone()),
                    };
                    let values = groups.each(&column.values, |values| {
                        aggregate(statistic, values).unwrap_or(f64::NAN)
                    });
                    result = result
                        .numbers(name, Column { values: values.into(), unit: column.unit.clone() });
                }
                Ok(Value::Table(Arc::new(result)))
            }
            (other, _) => {
                let message = format!("`group` takes samples or a table, not {}", other.a_kind());
                Err(error("L151", &of.span, message).into())
            }
        }
    }

    /// The columns by which samples are grouped, with one value for each sample or for each point.
    fn keys(
        &mut self,
        samples: &Samples,
        by: &[Argument],
        scope: &Scope<'_>,
    ) -> Result<Keys, Wrong> {
        let names = by.iter().flat_map(|item| crate::evaluate::names_in(&item.value));
        let level = samples.level_of(names);
        let frame = Frame { samples, level };
        let mut columns = Vec::new();
        for item in by {
            let inside = Scope { frame: Some(&frame), ..*scope };
            let value = self.value(&item.value, &inside)?;
            columns.push((
                self.key_name(item, scope),
                of_rows(&value, frame.len(), &item.value.span)?,
            ));
        }
        Ok(Keys { level, columns })
    }

    fn key_name(&self, item: &Argument, scope: &Scope<'_>) -> String {
        match (&item.name, &item.value.kind) {
            (Some(name), _) => name.text.clone(),
            (None, ExprKind::Name(name)) => name.clone(),
            (None, _) => self.as_written(&item.value, scope),
        }
    }

    /// Samples with one for each group: the statistic of its times. Grouped by what a sample has, such as its run, the
    /// samples keep their variables.
    fn reduced(
        &mut self,
        samples: &Samples,
        by: &[Argument],
        statistic: (&str, Statistic),
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        // Samples of different values are never put together.
        let Keys { level, columns } = self.keys(samples, by, scope)?;
        let rows = Keys { level, columns: columns.clone() }.by_row(samples);
        let mut groups_of = Vec::with_capacity(samples.groups.len());
        let mut first = 0;
        for group in &samples.groups {
            let here = first..first + group.len();
            first = here.end;
            let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
            let mut all: Vec<(u32, Vec<f64>)> = Vec::new();
            let mut origins = origins(group);
            for (k, row) in here.enumerate() {
                let origin = origins.next().unwrap_or(0);
                if group.marks.as_ref().is_some_and(|marks| marks[k]) {
                    continue;
                }
                let key: Vec<u64> = rows.iter().map(|column| column[row]).collect();
                let at = *index.entry(key).or_insert_with(|| {
                    all.push((origin, Vec::new()));
                    all.len() - 1
                });
                all[at].1.push(group.cell.inclusive[k]);
            }
            let mut cell = cll_trace::Cell::new(Vec::new());
            for (origin, values) in all {
                let Some(value) = aggregate(statistic.1, &values) else { continue };
                cell.push(value, value, origin);
            }
            if !cell.inclusive.is_empty() {
                let (values, cell) = (group.values.clone(), Arc::new(cell));
                groups_of.push(Group { values, cell, marks: None });
            }
        }
        if groups_of.is_empty() {
            return Err(error("L139", span, "no samples are left").into());
        }
        let by: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let mut reduced = Samples { groups: groups_of, observables: Vec::new(), ..samples.clone() };
        let change = format!(
            "{} = {}({}) by {}",
            samples.result,
            statistic.0,
            samples.result,
            by.join(", ")
        );
        reduced.changes.push(change.trim_end_matches(" by ").to_owned());
        Ok(Value::samples(reduced))
    }
}

/// Columns by which rows are grouped.
struct Keys {
    level: Level,
    columns: Vec<(String, Cells)>,
}

impl Keys {
    /// For each column the bits of each sample's key.
    fn by_row(&self, samples: &Samples) -> Vec<Vec<u64>> {
        let bits = self.columns.iter().map(|(_, cells)| bits(cells));
        match self.level {
            Level::Rows => bits.collect(),
            Level::Groups => bits
                .map(|column| {
                    let each = samples.groups.iter().zip(column);
                    each.flat_map(|(group, bits)| std::iter::repeat_n(bits, group.len())).collect()
                })
                .collect(),
        }
    }
}

/// Rows put into groups of equal keys.
struct Groups {
    /// For each group the first row.
    first: Vec<usize>,
    /// For each row its group.
    of: Vec<usize>,
}

impl Groups {
    fn counts(&self) -> Vec<f64> {
        let mut counts = vec![0.0; self.first.len()];
        self.of.iter().for_each(|group| counts[*group] += 1.0);
        counts
    }

    /// A number for the values of each group.
    fn each(&self, values: &[f64], of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut all: Vec<Vec<f64>> = vec![Vec::new(); self.first.len()];
        for (value, group) in values.iter().zip(&self.of) {
            all[*group].push(*value);
        }
        all.iter().map(|values| of(values)).collect()
    }
}

/// Groups in the order of their keys.
fn groups(keys: &[(String, Cells)], rows: usize) -> Groups {
    let bits: Vec<Vec<u64>> = keys.iter().map(|(_, cells)| bits(cells)).collect();
    let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
    let (mut first, mut of) = (Vec::new(), Vec::with_capacity(rows));
    for row in 0..rows {
        let key: Vec<u64> = bits.iter().map(|column| column[row]).collect();
        let group = *index.entry(key).or_insert_with(|| {
            first.push(row);
            first.len() - 1
        });
        of.push(group);
    }
    // Ascending keys.
    let mut order: Vec<usize> = (0..first.len()).collect();
    order.sort_by(|&a, &b| {
        let compared = keys.iter().map(|(_, cells)| compare(cells, first[a], first[b]));
        compared.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
    Groups {
        first: order.iter().map(|old| first[*old]).collect(),
        of: of.into_iter().map(|group| place[group]).collect(),
    }
}

fn compare(cells: &Cells, a: usize, b: usize) -> std::cmp::Ordering {
    match cells {
        Cells::Numbers(column) => column.values[a].total_cmp(&column.values[b]),
        Cells::Words(words) => words.word(a).cmp(words.word(b)),
        Cells::Truths(truths) => truths[a].cmp(&truths[b]),
    }
}

fn key_columns(keys: &[(String, Cells)], first: &[usize]) -> Table {
    let mut table = Table::new();
    for (name, cells) in keys {
        let cells = match cells {
            Cells::Numbers(column) => Cells::Numbers(Column {
                values: first.iter().map(|row| column.values[*row]).collect(),
                unit: column.unit.clone(),
            }),
            Cells::Words(words) => Cells::Words(crate::value::Words {
                known: Arc::clone(&words.known),
                codes: first.iter().map(|row| words.codes[*row]).collect(),
            }),
            Cells::Truths(truths) => Cells::Truths(first.iter().map(|row| truths[*row]).collect()),
        };
        table = table.with(name.clone(), cells);
    }
    table
}

/// Statistics of the times of each group.
fn summarised(samples: &Samples, keys: Keys) -> Table {
    let Keys { level, columns } = keys;
    // Groups of points need no keys for each sample.
    let (groups, values): (Groups, Vec<Vec<f64>>) = match level {
        Level::Rows => {
            let groups = groups(&columns, samples.rows());
            let mut all = vec![Vec::new(); groups.first.len()];
            let times = samples.groups.iter().flat_map(|group| &group.cell.inclusive);
            for (time, group) in times.zip(&groups.of) {
                all[*group].push(*time);
            }
            (groups, all)
        }
        Level::Groups => {
            let groups = groups(&columns, samples.groups.len());
            let mut all = vec![Vec::new(); groups.first.len()];
            for (cell, group) in samples.groups.iter().zip(&groups.of) {
                all[*group].extend_from_slice(&cell.cell.inclusive);
            }
            (groups, all)
        }
    };
    let mut table = key_columns(&columns, &groups.first);
    let counts: Vec<f64> = values.iter().map(|values| values.len() as f64).collect();
    table = table.numbers("samples", Column::plain(counts));
    let statistics = [
        ("median", Statistic::Median),
        ("mean", Statistic::Mean),
        ("min", Statistic::Least),
        ("max", Statistic::Greatest),
        ("deviation", Statistic::Deviation),
    ];
    for (name, statistic) in statistics {
        let all = values.iter().map(|values| aggregate(statistic, values).unwrap_or(f64::NAN));
        let unit = samples.unit.clone();
        table = table.numbers(name, Column { values: all.collect(), unit });
    }
    table
}

/// Equal bits are equal keys.
fn bits(cells: &Cells) -> Vec<u64> {
    match cells {
        Cells::Numbers(column) => {
            column.values.iter().map(|value| (value + 0.0).to_bits()).collect()
        }
        Cells::Words(words) => words.codes.iter().map(|code| u64::from(*code)).collect(),
        Cells::Truths(truths) => truths.iter().map(|truth| u64::from(*truth)).collect(),
    }
}

fn of_rows(value: &Value, rows: usize, span: &Span) -> Result<Cells, Wrong> {
    cells(value, rows).ok_or_else(|| {
        let what = numbers(value)
            .map_or_else(|| value.a_kind().to_string(), |(all, _)| format!("{} values", all.len()));
        error("L152", span, format!("this has {what}, and there are {rows} rows")).into()
    })
}

fn origins(group: &Group) -> impl Iterator<Item = u32> + '_ {
    let stretches = group.cell.stretches.iter();
    stretches.flat_map(|stretch| std::iter::repeat_n(stretch.origin, stretch.count as usize))
}

fn statistic(word: &Expr) -> Result<(&'static str, Statistic), Wrong> {
    let name = match &word.kind {
        ExprKind::Name(name) | ExprKind::Text(name) => name.as_str(),
        _ => "",
    };
    let found = STATISTICS.iter().find(|(known, _)| *known == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = STATISTICS.iter().map(|(known, _)| *known).collect();
        let message = format!("`to` takes one of {}", known.join(", "));
        error("L163", &word.span, message).into()
    })
}
