//! From samples and several axes to regions of validity: a tree of divisions of the points in two.
//!
//! Where no division along one axis is enough, the points are divided in two along the best axis,
//! and each part again (a model tree: Quinlan, *Learning with continuous classes*, 1992; Loh,
//! *Regression trees with unbiased variable selection*, 2002). The tree that is grown is pruned by
//! the same criterion as intervals along one axis, with constants joined that do not differ.

mod accept;
mod alternatives;
mod chosen_regions;
mod field;
mod greedy;
mod grow;
mod join;
mod search;
mod splits;
mod tree;

pub(crate) use chosen_regions::Regions;
pub(crate) use search::regions;
pub(crate) use splits::divisions_into_regions;
