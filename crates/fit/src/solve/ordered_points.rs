//! The rows of a least-squares problem, in the order of an axis.

use crate::numerics::{Triangle, non_negative};

/// Rows sorted and grouped by the distinct values of the axis.
#[derive(Clone)]
pub(crate) struct OrderedPoints {
    columns: usize,
    /// `columns + 1` numbers for each row: weighted terms, with columns scaled to length 1, and the
    /// weighted observation.
    rows: Vec<f64>,
    /// Index of the point of each row.
    points: Vec<usize>,
    values: Vec<f64>,
    /// First row of each value, then the number of rows.
    starts: Vec<usize>,
    /// Number of distinct tuples of the formula's variables before each value, then of all.
    tuples: Vec<usize>,
    scale: Vec<f64>,
    size: f64,
    non_negative: bool,
    /// Number of axes to choose from, including this one.
    axes: usize,
}

/// A row before sorting.
pub(crate) struct OrderedRow {
    pub(crate) axis: f64,
    pub(crate) point: usize,
    pub(crate) tuple: usize,
    /// Weighted terms, `columns` numbers, and the weighted observation.
    pub(crate) row: Vec<f64>,
}

impl OrderedPoints {
    pub(crate) fn new(
        columns: usize,
        mut source: Vec<OrderedRow>,
        non_negative: bool,
    ) -> OrderedPoints {
        source.sort_by(|a, b| a.axis.total_cmp(&b.axis).then(a.tuple.cmp(&b.tuple)));
        let scale: Vec<f64> = (0..columns)
            .map(|j| {
                let largest = source.iter().fold(0.0, |m: f64, r| m.max(r.row[j].abs()));
                if largest == 0.0 {
                    return 1.0;
                }
                let sum: f64 = source.iter().map(|r| (r.row[j] / largest).powi(2)).sum();
                largest * sum.sqrt()
            })
            .collect();
        let mut ordered = OrderedPoints {
            columns,
            rows: Vec::with_capacity(source.len() * (columns + 1)),
            points: Vec::with_capacity(source.len()),
            values: Vec::new(),
            starts: Vec::new(),
            tuples: vec![0],
            scale,
            size: 0.0,
            non_negative,
            axes: 1,
        };
        let mut before: Option<usize> = None;
        let mut tuples = 0;
        for (i, row) in source.iter().enumerate() {
            if ordered.values.last() != Some(&row.axis) {
                if i > 0 {
                    ordered.tuples.push(tuples);
                }
                ordered.values.push(row.axis);
                ordered.starts.push(i);
                before = None;
            }
            if before != Some(row.tuple) {
                tuples += 1;
                before = Some(row.tuple);
            }
            ordered.points.push(row.point);
            ordered.rows.extend(row.row[..columns].iter().zip(&ordered.scale).map(|(x, s)| x / s));
            ordered.rows.push(row.row[columns]);
        }
        ordered.tuples.push(tuples);
        ordered.starts.push(source.len());
        let squares: f64 = source.iter().map(|r| r.row[columns].powi(2)).sum();
        ordered.size = (squares / source.len().max(1) as f64).sqrt();
        ordered
    }

    /// The same rows, for a choice among this many axes.
    pub(crate) fn among(mut self, axes: usize) -> OrderedPoints {
        self.axes = axes.max(1);
        self
    }

    /// Number of axes to choose from.
    pub(crate) fn axes(&self) -> usize {
        self.axes
    }

    /// The same rows with `by(row)` added to each observation.
    pub(crate) fn disturbed(&self, mut by: impl FnMut(usize) -> f64) -> OrderedPoints {
        let mut ordered = self.clone();
        let width = self.columns + 1;
        for (row, numbers) in ordered.rows.chunks_exact_mut(width).enumerate() {
            numbers[self.columns] += by(row);
        }
        ordered
    }

    /// Whether negative constants are forbidden.
    pub(crate) fn is_bounded(&self) -> bool {
        self.non_negative
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The distinct values of the axis, ascending.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The factor that each column was divided by.
    pub(crate) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Index of a row's point.
    pub(crate) fn point(&self, row: usize) -> usize {
        self.points[row]
    }

    /// Rows of the values `from..to`.
    pub(crate) fn row_range(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        self.starts[from]..self.starts[to]
    }

    /// A row: scaled terms and observation.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        let width = self.columns + 1;
        &self.rows[row * width..(row + 1) * width]
    }

    /// Residuals below this are rounding errors, not noise.
    pub(crate) fn resolution(&self) -> f64 {
        (1e-10 * self.size).max(f64::MIN_POSITIVE.sqrt())
    }

    /// Number of distinct points among the values `from..to`.
    pub(crate) fn distinct(&self, from: usize, to: usize) -> usize {
        self.tuples[to] - self.tuples[from]
    }

    /// Whether `from..to` has enough points for an interval: two more than constants, at two or
    /// more values of the axis.
    pub(crate) fn enough(&self, from: usize, to: usize) -> bool {
        to >= from + 2 && self.distinct(from, to) >= self.columns + 2
    }

    /// Appends the rows of the values `from..to`.
    pub(crate) fn append(&self, triangle: &mut Triangle, from: usize, to: usize) {
        for row in self.row_range(from, to) {
            triangle.append(self.row(row));
        }
    }

    /// The triangular factor of the values `from..to`.
    pub(crate) fn triangle(&self, from: usize, to: usize) -> Triangle {
        let mut triangle = Triangle::new(self.columns);
        self.append(&mut triangle, from, to);
        triangle
    }

    /// Sum of squared residuals of an interval with this factor; infinite when it does not
    /// determine every constant.
    pub(crate) fn cost(&self, triangle: &Triangle, work: &mut [f64]) -> f64 {
        if !triangle.full_rank() {
            return f64::INFINITY;
        }
        if self.non_negative {
            triangle.solution(work);
            if work.iter().any(|&c| c < 0.0) {
                return non_negative(triangle, self.columns, work);
            }
        }
        triangle.rss()
    }

    /// For each value `b` strictly inside `from..to` the sum of squared residuals of `from..b` and
    /// `b..to` together; infinite if a side has too few points. Takes two passes over the rows.
    pub(crate) fn splits(&self, from: usize, to: usize) -> Vec<(usize, f64)> {
        let mut work = vec![0.0; self.columns];
        let mut triangle = Triangle::new(self.columns);
        let mut costs = Vec::with_capacity(to.saturating_sub(from + 1));
        for b in from + 1..to {
            self.append(&mut triangle, b - 1, b);
            let cost =
                if self.enough(from, b) { self.cost(&triangle, &mut work) } else { f64::INFINITY };
            costs.push((b, cost));
        }
        triangle.clear();
        for (b, cost) in costs.iter_mut().rev() {
            self.append(&mut triangle, *b, *b + 1);
            *cost += if self.enough(*b, to) && cost.is_finite() {
                self.cost(&triangle, &mut work)
            } else {
                f64::INFINITY
            };
        }
        costs
    }
}
