//! From samples and an axis to intervals of validity: where the constants change, and what else the data allow.
//!
//! The rows of the problem are sorted by the axis ([`OrderedPoints`](crate::solve::OrderedPoints)). A
//! [`Division`](crate::solve::Division) lists the distinct values at which a new interval starts. Continuity is not
//! required: at a break a constant may jump.

mod alternatives;
mod bootstrap;
mod candidate;
mod chosen_division;
mod constant_values;
mod criterion;
mod divisions;
mod dynamic;
mod gradual_changes;
mod greedy;
mod joins;
mod left_out;

pub(crate) use candidate::{Candidate, LEVEL, differs};
pub(crate) use chosen_division::Fitted;
pub(crate) use constant_values::{Uncertainty, constant_values};
pub(crate) use criterion::{criterion, criterion_of};
pub(crate) use divisions::{Context, Divisions, alternative, divisions_along_axis, middle};
pub(crate) use dynamic::{candidates, dynamic};
pub(crate) use joins::Joins;
pub(crate) use left_out::left_out_blocks;
