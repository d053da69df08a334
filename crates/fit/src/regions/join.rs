//! Constants of regions that do not differ get one value.

use super::field::Field;
use crate::intervals::{Joins, LEVEL, criterion_of, differs};
use crate::numerics::{Triangle, non_negative};
use crate::solve::Segments;

/// Regions with joined constants.
pub(crate) struct Joined {
    pub(crate) segments: Segments,
    /// The criterion.
    pub(crate) score: f64,
    /// Sum of squared residuals.
    pub(crate) rss: f64,
}

/// The criterion; each division chooses among the axes again.
pub(crate) fn score(field: &Field, rss: f64, parameters: usize, regions: usize) -> f64 {
    let breaks = regions - 1;
    let choice = 2.0 * breaks as f64 * (field.axes() as f64).ln();
    criterion_of((field.rows, field.resolution), rss, parameters, breaks) + choice
}

/// A lower bound of the criterion, whatever is joined.
pub(crate) fn bound(field: &Field, rss: f64, regions: usize) -> f64 {
    // One constant with two values may be what all divisions are for.
    score(field, rss, field.columns() + usize::from(regions > 1), regions)
}

impl Joined {
    /// Backward elimination as for intervals, but between any two regions: the constants of the
    /// regions that differ least are joined, until the F test is significant. `None` if a region
    /// does not determine its constants.
    pub(crate) fn new(field: &Field, members: &[Vec<usize>], join: bool) -> Option<Joined> {
        let columns = field.columns();
        let factors: Vec<Triangle> = members.iter().map(|member| field.triangle(member)).collect();
        if factors.iter().any(|factor| !factor.full_rank()) {
            return None;
        }
        // For each constant the groups of regions with one value.
        let mut groups: Vec<Vec<Vec<usize>>> =
            vec![(0..members.len()).map(|region| vec![region]).collect(); columns];
        if join && columns > 1 {
            merge(field, &factors, &mut groups)?;
        }
        let segments = Segments::grouped(members.len(), &groups);
        let rss = field.pure() + rss(&factors, &segments, columns, field.is_bounded());
        let score = score(field, rss, segments.parameters(), members.len());
        Some(Joined { segments, score, rss })
    }
}

/// Joins groups while no F test is significant.
fn merge(field: &Field, factors: &[Triangle], groups: &mut [Vec<Vec<usize>>]) -> Option<()> {
    let columns = field.columns();
    let mut joins = Joins::new(factors, columns)?;
    let mut rss: f64 = field.pure() + factors.iter().map(Triangle::rss).sum::<f64>();
    // Constants of any two regions are compared: the level is for all of them together.
    let level = LEVEL / (columns * (factors.len() - 1)).max(1) as f64;
    let floor = field.rows as f64 * field.resolution * field.resolution;
    loop {
        let mut best: Option<(f64, usize, usize, usize)> = None;
        for (constant, own) in groups.iter().enumerate() {
            for a in 0..own.len() {
                for b in a + 1..own.len() {
                    let sides = [own[a][0], own[b][0]].map(|region| region * columns + constant);
                    let cost = joins.cost_between(sides[0], sides[1]);
                    if best.is_none_or(|best| cost < best.0) {
                        best = Some((cost, constant, a, b));
                    }
                }
            }
        }
        let Some((cost, constant, a, b)) = best else { return Some(()) };
        let parameters: usize = groups.iter().map(Vec::len).sum();
        if differs(rss.max(floor), (rss + cost).max(floor), field.rows, parameters, level) {
            return Some(());
        }
        let own = &mut groups[constant];
        joins.join_between(own[a][0] * columns + constant, own[b][0] * columns + constant);
        let other = own.remove(b);
        own[a].extend(other);
        own[a].sort_unstable();
        rss += cost;
    }
}

/// Sum of squared residuals with these segments.
fn rss(factors: &[Triangle], segments: &Segments, columns: usize, bounded: bool) -> f64 {
    let parameters = segments.parameters();
    let mut triangle = Triangle::new(parameters);
    let mut row = vec![0.0; parameters + 1];
    for (region, factor) in factors.iter().enumerate() {
        for k in 0..=columns {
            let source = factor.factor_row(k);
            segments.expand(region, source, &mut row[..parameters]);
            row[parameters] = source[columns];
            triangle.append(&row);
        }
    }
    if bounded {
        non_negative(&triangle, parameters, &mut vec![0.0; parameters])
    } else {
        triangle.rss()
    }
}
