//! Keeps what each superstep was like, in memory that does not grow with their number.
//! When it is full, every two neighbouring columns are added up. No time is lost, as by sampling, and the log is read
//! once.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::metric::{Metric, Summary};
use crate::supersteps::{Column, Supersteps, Traffic};

use super::cursor::{Cursor, Rows};
use super::relation::Relation;
use super::tree::NodeId;

/// Records the supersteps of one machine.
pub(super) struct Recorder {
    /// Processors of the program.
    processors: usize,
    /// Number in the program of the machine's first processor.
    first: usize,
    /// Columns that there may be.
    most: usize,
    /// Supersteps of a column.
    per_column: u64,
    columns: Vec<Column>,
    values: [Vec<f32>; 4],
    /// How often each processor had each set of partners.
    sets: HashMap<(u32, u32), u64, FxBuildHasher>,
    /// For each processor of the machine its last set, and for how many supersteps it has had it: they are counted
    /// together.
    repeated: Vec<(u32, u64)>,
    /// Room for the values of a superstep.
    superstep: [Vec<f32>; 4],
    traffic: Traffic,
}

/// A superstep, or several that were added up.
struct Piece<'a> {
    column: Column,
    /// By metric: one value for each processor of the program.
    values: [&'a [f32]; 4],
}

impl Recorder {
    /// For a machine of a program with `processors` processors, with at most `room` values of a metric.
    pub(super) fn new(processors: usize, first: usize, room: usize) -> Recorder {
        Recorder {
            processors,
            first,
            most: (room / processors.max(1)).clamp(2, 1 << 16),
            per_column: 1,
            columns: Vec::new(),
            values: Default::default(),
            sets: HashMap::default(),
            repeated: Vec::new(),
            superstep: Default::default(),
            traffic: Traffic::new(processors),
        }
    }

    /// A recorder of a part of the same program.
    pub(super) fn of_part(&self, first: usize) -> Recorder {
        Recorder::new(self.processors, first, self.most * self.processors)
    }

    /// Takes the superstep at a place of a window.
    pub(super) fn superstep(&mut self, node: NodeId, position: usize, rows: &[Rows], h: &Relation) {
        let mut values = std::mem::take(&mut self.superstep);
        for values in &mut values {
            values.clear();
            values.resize(self.processors, f32::NAN);
        }
        let mut summaries = [Summary::default(); 4];
        for metric in Metric::ALL {
            let index = metric.index();
            let own = &mut values[index][self.first..self.first + rows.len()];
            let summary = &mut summaries[index];
            if metric.is_time() {
                summary.minimum = f64::INFINITY;
                for (to, row) in own.iter_mut().zip(rows) {
                    let value = row.times[index][position];
                    *to = value as f32;
                    summary.maximum = summary.maximum.max(value);
                    summary.minimum = summary.minimum.min(value);
                    summary.average += value / rows.len() as f64;
                }
            } else {
                *summary = h.summary;
                own.iter_mut().zip(&h.each).for_each(|(to, value)| *to = *value as f32);
            }
        }
        let column = Column { supersteps: 1, node: Some(node), metrics: summaries };
        self.piece(&Piece { column, values: values.each_ref().map(Vec::as_slice) });
        self.superstep = values;
        self.repeated.resize(rows.len(), (0, 0));
        for (member, (row, (last, times))) in rows.iter().zip(&mut self.repeated).enumerate() {
            let set = row.sets[position];
            if *last != set && *times > 0 {
                *self.sets.entry((member as u32, *last)).or_default() += *times;
                *times = 0;
            }
            (*last, *times) = (set, *times + 1);
        }
    }

    /// Takes in what the recorder of a part has.
    pub(super) fn part(&mut self, part: Recorder) {
        for (index, column) in part.columns.iter().enumerate() {
            let range = index * self.processors..(index + 1) * self.processors;
            let values = part.values.each_ref().map(|values| &values[range.clone()]);
            self.piece(&Piece { column: column.clone(), values });
        }
        self.traffic.add(&part.traffic);
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        if let Some(last) = self.columns.last_mut().filter(|last| last.supersteps < self.per_column)
        {
            last.add(&piece.column);
            let from = (self.columns.len() - 1) * self.processors;
            for (values, more) in self.values.iter_mut().zip(piece.values) {
                add(&mut values[from..], more);
            }
            return;
        }
        if self.columns.len() == self.most {
            self.halve();
            return self.piece(piece);
        }
        self.columns.push(piece.column.clone());
        for (values, more) in self.values.iter_mut().zip(piece.values) {
            values.extend_from_slice(more);
        }
    }

    /// Makes one column of every two.
    fn halve(&mut self) {
        let width = self.processors;
        let pairs = self.columns.chunks(2).map(|pair| {
            let mut column = pair[0].clone();
            pair[1..].iter().for_each(|other| column.add(other));
            column
        });
        self.columns = pairs.collect();
        for values in &mut self.values {
            for index in 0..self.columns.len() {
                let from = 2 * index * width;
                let first = values[from..from + width].to_vec();
                let other = values.get(from + width..from + 2 * width).map(<[f32]>::to_vec);
                let to = &mut values[index * width..(index + 1) * width];
                to.copy_from_slice(&first);
                add(to, &other.unwrap_or_default());
            }
            values.truncate(self.columns.len() * width);
        }
        self.per_column *= 2;
    }

    /// Adds up who sent how much to whom, once the machine has ended.
    pub(super) fn settle(&mut self, cursors: &[Cursor<'_>]) {
        for (member, (set, times)) in self.repeated.drain(..).enumerate() {
            *self.sets.entry((member as u32, set)).or_default() += times;
        }
        for ((member, set), times) in self.sets.drain() {
            let own = self.first + member as usize;
            let Some(traffic) = cursors[member as usize].records.traffic(set) else { continue };
            for entry in traffic {
                let partner = entry.partner as usize;
                if partner >= cursors.len() || partner == member as usize {
                    continue;
                }
                self.traffic.count(own, self.first + partner, entry.sent * times);
                self.traffic.count(self.first + partner, own, entry.got * times);
            }
        }
    }

    /// Returns the supersteps that were recorded.
    pub(super) fn finish(self) -> Supersteps {
        Supersteps {
            processors: self.processors,
            per_column: self.columns.iter().map(|column| column.supersteps).max().unwrap_or(1),
            columns: self.columns,
            values: self.values,
            traffic: self.traffic,
        }
    }
}

/// Adds values; NaN is none.
fn add(to: &mut [f32], more: &[f32]) {
    for (to, &more) in to.iter_mut().zip(more) {
        if to.is_nan() {
            *to = more;
        } else if !more.is_nan() {
            *to += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[f64]) -> Vec<Rows> {
        let row = |&value: &f64| Rows {
            paths: vec![0],
            sets: vec![0],
            times: [vec![value], vec![2.0 * value], vec![0.0]],
        };
        values.iter().map(row).collect()
    }

    fn relation(processors: usize) -> Relation {
        Relation {
            each: vec![8.0; processors],
            summary: Summary { maximum: 8.0, average: 8.0, minimum: 8.0 },
        }
    }

    #[test]
    fn supersteps_beyond_the_room_are_added_up_and_nothing_is_lost() {
        let mut recorder = Recorder::new(2, 0, 8);
        for step in 0..37 {
            let node = if step < 20 { 3 } else { 5 };
            recorder.superstep(node, 0, &rows(&[1.0, f64::from(step)]), &relation(2));
        }
        let supersteps = recorder.finish();
        assert!(supersteps.columns.len() <= 4 && supersteps.per_column == 16, "{supersteps:?}");
        assert_eq!(supersteps.columns.iter().map(|column| column.supersteps).sum::<u64>(), 37);
        let sum = |metric: usize, i: usize| -> f32 {
            supersteps.values[metric].iter().skip(i).step_by(2).sum()
        };
        assert_eq!((sum(0, 0), sum(0, 1), sum(1, 0), sum(3, 1)), (37.0, 666.0, 74.0, 296.0));
        assert_eq!(supersteps.columns[0].node, Some(3));
        assert_eq!(supersteps.columns[1].node, None, "supersteps of two centres");
        assert_eq!(supersteps.columns[2].node, Some(5));
    }

    #[test]
    fn a_part_has_no_values_of_other_processors() {
        let mut recorder = Recorder::new(3, 0, 300);
        let mut part = recorder.of_part(1);
        part.superstep(7, 0, &rows(&[4.0, 2.0]), &relation(2));
        recorder.part(part);
        recorder.superstep(1, 0, &rows(&[1.0, 1.0, 1.0]), &relation(3));
        let supersteps = recorder.finish();
        assert!(supersteps.values[0][0].is_nan());
        assert_eq!(&supersteps.values[0][1..], [4.0, 2.0, 1.0, 1.0, 1.0]);
        let [computation, ..] = supersteps.columns[0].metrics;
        assert_eq!(
            (computation.maximum, computation.average, computation.minimum),
            (4.0, 3.0, 2.0)
        );
    }
}
