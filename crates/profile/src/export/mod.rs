//! A profile for other programs.

mod callgrind;
mod csv;
mod extrap;
mod folded;
mod hatchet;
mod speedscope;
mod timeline;

pub use callgrind::callgrind;
pub use csv::csv;
pub use extrap::extrap;
pub use folded::folded;
pub use hatchet::hatchet;
pub use speedscope::speedscope;
pub use timeline::timeline;

use crate::metric::{Costs, Metric};
use crate::profile::{NodeKind, Profile};

/// One figure of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Maximum computation + maximum communication, seconds.
    Time,
    /// The maximum of a metric.
    Maximum(Metric),
}

impl Figure {
    /// All of them.
    pub const ALL: [Figure; 5] = [
        Figure::Time,
        Figure::Maximum(Metric::Computation),
        Figure::Maximum(Metric::Communication),
        Figure::Maximum(Metric::Idle),
        Figure::Maximum(Metric::HRelation),
    ];

    /// `time`, or the metric's name.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Time => "time",
            Figure::Maximum(metric) => metric.name(),
        }
    }

    /// The figure of this name; `h` is the h-relation.
    pub fn named(name: &str) -> Option<Figure> {
        let brief =
            |candidate: &Figure| matches!(candidate, Figure::Maximum(m) if m.brief() == name);
        Figure::ALL.into_iter().find(|figure| figure.name() == name || brief(figure))
    }

    /// Returns the figure for these costs: seconds, or units of the h-relation.
    pub fn value(self, costs: &Costs) -> f64 {
        match self {
            Figure::Time => costs.time(),
            Figure::Maximum(metric) => costs.summary(metric).maximum,
        }
    }

    /// In whole numbers: nanoseconds, or units of the h-relation.
    fn rounded(self, costs: &Costs) -> u64 {
        let value = self.value(costs).max(0.0);
        match self {
            Figure::Maximum(metric) if !metric.is_time() => value.round() as u64,
            _ => (value * 1e9).round() as u64,
        }
    }
}

/// The part of a node's costs that no child has. For a centre that is everything, for an interior node nothing. If
/// parts of a machine ran side by side, the children together have more than the node; then their values are reduced to
/// the node's.
fn own(profile: &Profile, node: usize, value_of: impl Fn(&Costs) -> u64) -> u64 {
    let children =
        profile.nodes[node].children.iter().map(|&child| value_of(&profile.nodes[child].costs));
    value_of(&profile.nodes[node].costs).saturating_sub(children.sum())
}

/// A name on one line, without characters that have a meaning in the formats.
fn plain(kind: &NodeKind) -> String {
    plain_text(&kind.label())
}

/// A text from outside on one line, of limited length, without control characters of terminals or formats.
fn plain_text(text: &str) -> String {
    const LONGEST: usize = 1000;
    let mut out: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() || is_hidden(c) { '\u{fffd}' } else { c })
        .collect();
    if out.trim().is_empty() {
        out = "?".to_owned();
    }
    out
}

/// The same for a file name; empty if it is unknown.
fn plain_file(file: &str) -> String {
    if file.is_empty() { String::new() } else { plain_text(file) }
}

/// Letters that change how others are shown.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}')
}
