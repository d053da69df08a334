//! Stacks with a number, for flame graphs.

use std::fmt::Write;

use super::{Figure, own, plain};
use crate::profile::Profile;

/// Writes a line for each node that has costs of its own (not those of its children): functions outermost first,
/// separated by `;`, then the costs in whole nanoseconds or units of the h-relation.
pub fn folded(profile: &Profile, figure: Figure) -> String {
    let mut out = String::new();
    for index in 0..profile.nodes.len() {
        let count = own(profile, index, |costs| figure.rounded(costs));
        if count == 0 {
            continue;
        }
        let stack: Vec<String> = profile
            .path(index)
            .iter()
            .map(|&ancestor| plain(&profile.nodes[ancestor].kind).replace(';', ","))
            .collect();
        let _ = writeln!(out, "{} {count}", stack.join(";"));
    }
    out
}
