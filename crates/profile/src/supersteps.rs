//! A run superstep by superstep, and who sent how much to whom.

use crate::metric::Summary;

/// The supersteps of a run in their order. Supersteps of a part of the machine stand before the superstep in which the
/// part ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Supersteps {
    /// Processors of the program.
    pub processors: usize,
    /// The largest number of supersteps that were added up to one column; 1 if each has its own.
    pub per_column: u64,
    /// A superstep, or several consecutive ones.
    pub columns: Vec<Column>,
    /// By [`Metric`]: for each column one value for each processor, seconds or bytes. NaN for processors that do not
    /// belong to the machine of the superstep.
    ///
    /// [`Metric`]: crate::Metric
    pub values: [Vec<f32>; 4],
    /// Bytes between processors.
    pub traffic: Traffic,
}

/// A superstep, or several consecutive ones that were added up.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// How many.
    pub supersteps: u64,
    /// The cost centre; none if they are of several centres.
    pub node: Option<usize>,
    /// By [`Metric`], sums over its supersteps.
    ///
    /// [`Metric`]: crate::Metric
    pub metrics: [Summary; 4],
}

impl Column {
    /// Adds another.
    pub(crate) fn add(&mut self, other: &Column) {
        self.supersteps += other.supersteps;
        self.node = self.node.filter(|node| other.node == Some(*node));
        self.metrics.iter_mut().zip(other.metrics).for_each(|(own, other)| *own += other);
    }
}

/// Bytes from each processor to each other one.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// Consecutive processors that are one row and one column; 1 if each has its own.
    pub group: usize,
    /// Rows, and columns.
    pub side: usize,
    /// Row after row: bytes from the processors of a row to those of a column.
    pub bytes: Vec<f64>,
}

impl Traffic {
    /// Rows that there are at most.
    const MOST: usize = 256;

    /// Nothing yet, between so many processors.
    pub fn new(processors: usize) -> Traffic {
        let group = processors.div_ceil(Traffic::MOST).max(1);
        let side = processors.div_ceil(group);
        Traffic { group, side, bytes: vec![0.0; side * side] }
    }

    /// Counts bytes.
    pub fn count(&mut self, from: usize, to: usize, bytes: u64) {
        self.bytes[from / self.group * self.side + to / self.group] += bytes as f64;
    }

    /// Adds that of a part of the same program.
    pub(crate) fn add(&mut self, other: &Traffic) {
        self.bytes.iter_mut().zip(&other.bytes).for_each(|(own, other)| *own += other);
    }
}
