//! The points in the order of every axis, for sums of squares of any part of them.

use std::collections::{HashMap, HashSet};

use crate::input::{NamedAxis, Samples};
use crate::numerics::{Triangle, non_negative};
use crate::solve::OrderedPoints;

/// The points with their rows and their values on the axes.
pub(crate) struct Field {
    columns: usize,
    points: Vec<FieldPoint>,
    /// For each axis the points in its order.
    orders: Vec<Vec<usize>>,
    bounded: bool,
    /// Rows of the problem, and the sum of squares of repetitions about their means.
    pub(crate) rows: usize,
    pure: f64,
    pub(crate) resolution: f64,
}

pub(crate) struct FieldPoint {
    /// Index among the samples.
    pub(crate) sample: usize,
    pub(crate) tuple: usize,
    /// The values of the point on the axes.
    pub(crate) coordinates: Vec<f64>,
    /// Scaled terms and observation, times the root of the number of repetitions.
    row: Vec<f64>,
}

impl FieldPoint {
    /// Returns the scaled terms and the observation of the point.
    pub(crate) fn terms_and_observation(&self) -> (&[f64], f64) {
        let columns = self.row.len() - 1;
        (&self.row[..columns], self.row[columns])
    }
}

/// A division in two, and the sum of squares of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) axis: usize,
    /// First value on the upper side.
    pub(crate) from: f64,
    pub(crate) rss: f64,
}

impl Field {
    /// `None` if a value of an axis is not finite.
    pub(crate) fn new(
        ordered: &OrderedPoints,
        samples: &Samples,
        axes: &[NamedAxis],
    ) -> Option<Field> {
        let columns = ordered.columns();
        let mut sums: Vec<Option<(f64, Vec<f64>)>> = vec![None; samples.points.len()];
        let mut pure = 0.0;
        for row in 0..ordered.len() {
            let numbers = ordered.row(row);
            match &mut sums[ordered.point(row)] {
                Some((count, mean)) => {
                    // Welford's update: the terms of repetitions are equal.
                    *count += 1.0;
                    let off = numbers[columns] - mean[columns];
                    mean[columns] += off / *count;
                    pure += off * (numbers[columns] - mean[columns]);
                }
                empty => *empty = Some((1.0, numbers.to_vec())),
            }
        }
        let mut points = Vec::new();
        for (sample, sums) in sums.into_iter().enumerate() {
            let Some((count, mut row)) = sums else { continue };
            row.iter_mut().for_each(|x| *x *= count.sqrt());
            let values = &samples.points[sample].values;
            let at: Vec<f64> = axes.iter().map(|axis| axis.axis.value(values) + 0.0).collect();
            if at.iter().any(|v| !v.is_finite()) {
                return None;
            }
            points.push(FieldPoint {
                sample,
                tuple: samples.points[sample].tuple,
                coordinates: at,
                row,
            });
        }
        let orders = (0..axes.len())
            .map(|axis| {
                let mut order: Vec<usize> = (0..points.len()).collect();
                order.sort_by(|&a, &b| {
                    points[a].coordinates[axis].total_cmp(&points[b].coordinates[axis])
                });
                order
            })
            .collect();
        Some(Field {
            columns,
            points,
            orders,
            bounded: ordered.is_bounded(),
            rows: ordered.len(),
            pure,
            resolution: ordered.resolution(),
        })
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn axes(&self) -> usize {
        self.orders.len()
    }

    pub(crate) fn is_bounded(&self) -> bool {
        self.bounded
    }

    /// Sum of squares that no division changes.
    pub(crate) fn pure(&self) -> f64 {
        self.pure
    }

    pub(crate) fn point(&self, point: usize) -> &FieldPoint {
        &self.points[point]
    }

    /// The place of each sample among the points.
    pub(crate) fn places(&self) -> HashMap<usize, usize> {
        self.points.iter().enumerate().map(|(place, point)| (point.sample, place)).collect()
    }

    /// All points, in the order of the first axis.
    pub(crate) fn all(&self) -> Vec<usize> {
        self.orders[0].clone()
    }

    /// The points below and from a value of an axis on.
    pub(crate) fn halves(
        &self,
        members: &[usize],
        axis: usize,
        from: f64,
    ) -> (Vec<usize>, Vec<usize>) {
        members.iter().partition(|&&point| self.points[point].coordinates[axis] < from)
    }

    /// The triangular factor of some points.
    pub(crate) fn triangle(&self, members: &[usize]) -> Triangle {
        let mut triangle = Triangle::new(self.columns);
        members.iter().for_each(|&point| triangle.append(&self.points[point].row));
        triangle
    }

    /// Sum of squared residuals of a region; infinite if its points do not determine the constants.
    pub(crate) fn rss(&self, members: &[usize]) -> f64 {
        let mut tuples: Vec<usize> = members.iter().map(|&p| self.points[p].tuple).collect();
        tuples.sort_unstable();
        tuples.dedup();
        if tuples.len() >= self.columns + 2 {
            self.cost(&self.triangle(members), &mut vec![0.0; self.columns])
        } else {
            f64::INFINITY
        }
    }

    fn cost(&self, triangle: &Triangle, work: &mut [f64]) -> f64 {
        if !triangle.full_rank() {
            return f64::INFINITY;
        }
        if self.bounded {
            triangle.solution(work);
            if work.iter().any(|&c| c < 0.0) {
                return non_negative(triangle, self.columns, work);
            }
        }
        triangle.rss()
    }

    /// Every division of these points along an axis that leaves enough on both sides: two more
    /// points than constants, at two values of the axis or more.
    pub(crate) fn cuts(&self, members: &[usize], axis: usize) -> Vec<Cut> {
        let mut own = vec![false; self.points.len()];
        members.iter().for_each(|&point| own[point] = true);
        let order: Vec<usize> =
            self.orders[axis].iter().copied().filter(|&point| own[point]).collect();
        // First point of each value of the axis.
        let value_at = |k: usize| self.points[order[k]].coordinates[axis];
        let mut starts: Vec<usize> =
            (0..order.len()).filter(|&k| k == 0 || value_at(k) != value_at(k - 1)).collect();
        let values = starts.len();
        starts.push(order.len());
        if values < 4 {
            return Vec::new();
        }
        let below = self.costs(&order, starts.windows(2).map(|w| (w[0], w[1])));
        let above = self.costs(&order, starts.windows(2).rev().map(|w| (w[0], w[1])));
        (2..values - 1)
            .map(|b| Cut {
                axis,
                from: value_at(starts[b]),
                rss: below[b - 1] + above[values - b - 1],
            })
            .filter(|cut| cut.rss.is_finite())
            .collect()
    }

    /// The cost of the first value, of the first two, … in the order of `values`.
    fn costs(&self, order: &[usize], values: impl Iterator<Item = (usize, usize)>) -> Vec<f64> {
        let mut triangle = Triangle::new(self.columns);
        let mut work = vec![0.0; self.columns];
        let mut tuples = HashSet::new();
        values
            .map(|(from, to)| {
                for &point in &order[from..to] {
                    triangle.append(&self.points[point].row);
                    tuples.insert(self.points[point].tuple);
                }
                if tuples.len() >= self.columns + 2 {
                    self.cost(&triangle, &mut work)
                } else {
                    f64::INFINITY
                }
            })
            .collect()
    }

    /// The smallest sum of squares of a division of these points in two.
    pub(crate) fn best_cut(&self, members: &[usize]) -> Option<Cut> {
        if members.len() < 2 * (self.columns + 2) {
            return None;
        }
        let cuts = (0..self.axes()).flat_map(|axis| self.cuts(members, axis));
        cuts.min_by(|a, b| a.rss.total_cmp(&b.rss))
    }
}
