//! The chosen regions.

use super::field::Field;
use super::tree::Tree;
use crate::input::NamedAxis;
use crate::solve::Segments;

/// A division into regions, with its points and constants.
pub(crate) struct Regions {
    pub(crate) tree: Tree,
    /// For each region its points, by their places in the field.
    pub(crate) members: Vec<Vec<usize>>,
    pub(crate) field: Field,
    /// The best division along one axis, with its constants and its criterion.
    pub(crate) one: Option<(Tree, Segments, f64)>,
}

impl Regions {
    /// Smallest and largest value in a region of the axis that was divided first.
    pub(crate) fn reach(&self, region: usize) -> (f64, f64) {
        let axis = self.tree.split_at(&[]).map_or(0, |split| split.axis);
        let values =
            self.members[region].iter().map(|&point| self.field.point(point).coordinates[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    }

    /// The region that contains these values of the recorded variables.
    pub(crate) fn region_of(&self, axes: &[NamedAxis], values: &[f64]) -> usize {
        self.tree.region(&|axis| axes[axis].axis.value(values))
    }
}
