//! `group f by N, run`, `group f by N, run to max`, `group f by N to q90 = quantile(time, 0.9)`.

use std::collections::HashMap;
use std::sync::Arc;

use super::Phrase;
use super::aggregate::{AggregateTarget, sample_rows, target};
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::builtin::{Statistic, aggregate};
use crate::evaluate::groups::{Groups, bits, of_rows};
use crate::evaluate::{Evaluator, Scope, Wrong, error, names_in};
use crate::samples::{Frame, Group, Level, Samples};
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, Span};
use crate::value::{Cells, Column, Table, Value};

impl Evaluator<'_> {
    /// Groups of samples or of a table's rows: a table with the statistics of each, or samples with one for each.
    pub(super) fn group(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let known = [ClauseWord::By, ClauseWord::To];
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &known)?;
        let source = only(phrase.verb, phrase.arguments, "samples or a table", phrase.span)?;
        let by = clauses.get(ClauseWord::By).map_or(&[][..], |clause| &clause.items);
        let to = target(clauses.get(ClauseWord::To))?;
        match (self.value(source, scope)?, to) {
            (Value::Samples(samples), None) => {
                let keys = self.keys(&samples, by, scope)?;
                self.step(samples.rows() as u64 / 100, phrase.span)?;
                Ok(Value::Table(Arc::new(summarised(&samples, keys))))
            }
            (Value::Samples(samples), Some(AggregateTarget::Statistic(statistic))) => {
                self.step(samples.rows() as u64 / 100, phrase.span)?;
                self.reduced(&samples, by, statistic, scope, phrase.span)
            }
            (Value::Samples(samples), Some(AggregateTarget::Values(items))) => {
                let names: Vec<&str> =
                    by.iter().chain(items).flat_map(|item| names_in(&item.value)).collect();
                let needed = names.iter().copied().chain([samples.result.as_str()]);
                let table = sample_rows(&samples, &needed.collect::<Vec<_>>());
                self.valued(&table, by, items, "samples", scope)
            }
            (Value::Table(table), Some(AggregateTarget::Values(items))) => {
                self.valued(&table, by, items, "rows", scope)
            }
            (Value::Table(table), to) => {
                let keys = self.key_cells(&table, by, scope)?;
                let groups = Groups::new(&keys, table.rows());
                let mut result = groups.key_columns(&keys);
                result = result.numbers("rows", Column::plain(groups.counts()));
                for (name, cells) in table.columns() {
                    let Cells::Numbers(column) = cells else { continue };
                    if keys.iter().any(|(known, _)| known == name) {
                        continue;
                    }
                    let (statistic, name) = match to {
                        Some(AggregateTarget::Statistic((word, statistic))) => {
                            (statistic, format!("{word}_{name}"))
                        }
                        _ => (Statistic::Median, name.clone()),
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
                Err(error("L151", &source.span, message).into())
            }
        }
    }

    /// Groups with values made of their columns.
    fn valued(
        &mut self,
        table: &Table,
        by: &[Argument],
        items: &[Argument],
        counts: &str,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        let keys = self.key_cells(table, by, scope)?;
        let groups = Groups::new(&keys, table.rows());
        let result = groups.key_columns(&keys).numbers(counts, Column::plain(groups.counts()));
        let value_columns = self.value_columns(table, &groups.rows(), items, scope)?;
        let result =
            value_columns.into_iter().fold(result, |table, (name, cells)| table.with(name, cells));
        Ok(Value::Table(Arc::new(result)))
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
                let position = *index.entry(key).or_insert_with(|| {
                    all.push((origin, Vec::new()));
                    all.len() - 1
                });
                all[position].1.push(group.cell.inclusive[k]);
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

/// Statistics of the times of each group.
fn summarised(samples: &Samples, keys: Keys) -> Table {
    let Keys { level, columns } = keys;
    // Groups of points need no keys for each sample.
    let (groups, values): (Groups, Vec<Vec<f64>>) = match level {
        Level::Rows => {
            let groups = Groups::new(&columns, samples.rows());
            let mut all = vec![Vec::new(); groups.first.len()];
            let times = samples.groups.iter().flat_map(|group| &group.cell.inclusive);
            for (time, group) in times.zip(&groups.row_groups) {
                all[*group].push(*time);
            }
            (groups, all)
        }
        Level::Groups => {
            let groups = Groups::new(&columns, samples.groups.len());
            let mut all = vec![Vec::new(); groups.first.len()];
            for (cell, group) in samples.groups.iter().zip(&groups.row_groups) {
                all[*group].extend_from_slice(&cell.cell.inclusive);
            }
            (groups, all)
        }
    };
    let mut table = groups.key_columns(&columns);
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

fn origins(group: &Group) -> impl Iterator<Item = u32> + '_ {
    let stretches = group.cell.stretches.iter();
    stretches.flat_map(|stretch| std::iter::repeat_n(stretch.origin, stretch.count as usize))
}
