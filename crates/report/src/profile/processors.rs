//! The values of each processor of a profile.

use cll_profile::Metric;

use super::{ProfileReport, shortened};
use crate::document::Section;
use crate::text::{Cell, Column, Table};

/// Letters of the longest bar.
const BAR: f64 = 6.0;

impl ProfileReport<'_> {
    /// The values of each processor at the root and at the end of the critical path.
    pub(super) fn processors(&self) -> Vec<Section> {
        let end = self.chosen.path.last().copied().filter(|&index| index != 0);
        std::iter::once(0).chain(end).map(|index| self.at_node(index)).collect()
    }

    fn at_node(&self, index: usize) -> Section {
        let node = &self.profile.nodes[index];
        let largest =
            |metric: Metric| node.each[metric.index()].iter().copied().fold(0.0, f64::max);
        let mut columns = vec![Column::right("processor")];
        for metric in Metric::ALL {
            columns.push(Column::right(metric.name()));
            columns.push(Column::left("").joined());
        }
        columns.push(Column::right("last"));
        let mut table = Table::new(columns);
        for processor in 0..self.profile.processors as usize {
            let mut row = vec![Cell::new(processor.to_string())];
            for metric in Metric::ALL {
                let value = node.each[metric.index()][processor];
                row.push(Cell::new(self.value(metric, value)));
                row.push(Cell::new(self.bar(value, largest(metric))));
            }
            row.push(Cell::new(node.last[processor].to_string()));
            table.row(row);
        }
        let section = Section::plain(shortened(&node.kind.label())).table(table);
        let notes =
            Metric::ALL.into_iter().filter_map(|metric| self.note(index, metric, largest(metric)));
        notes.fold(section, Section::line)
    }

    /// If the processors' sums do not explain the maximum: why.
    fn note(&self, index: usize, metric: Metric, largest: f64) -> Option<String> {
        let maximum = self.profile.nodes[index].costs.summary(metric).maximum;
        if !self.profile.fits(index, metric) {
            return Some(format!(
                "{}: the processors' sums and the maximum, {}, contradict each other: they are not of the \
                 same supersteps, and which processor has most is not known",
                metric.name(),
                self.value(metric, maximum)
            ));
        }
        (largest < maximum * (1.0 - 1e-9)).then(|| {
            format!(
                "{}: the largest, {}, is less than the maximum, {}: it is not always the same \
                 processor that has most (R = {:.2})",
                metric.name(),
                self.value(metric, largest),
                self.value(metric, maximum),
                largest / maximum
            )
        })
    }

    fn bar(&self, value: f64, largest: f64) -> String {
        let share = if largest > 0.0 { (value / largest).clamp(0.0, 1.0) } else { 0.0 };
        self.style.glyph("█", "#").repeat((share * BAR).round() as usize)
    }
}
