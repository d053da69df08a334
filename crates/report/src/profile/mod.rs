//! A profile as text: the run, then one of three views.

mod diff;
mod head;
pub(crate) mod headline;
mod processors;
mod tree;

use crate::Notation;
use crate::document::Document;
use crate::style::Style;
use crate::text::escape;

use cll_fit::Unit;
use cll_profile::critical::{Critical, Ranking};
use cll_profile::{Metric, Priced, Profile, Summary};
use cll_result::NodeWaits;

pub use diff::DifferenceView;

/// The input of a report.
#[derive(Debug)]
pub struct ProfileReport<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// The critical path that is shown.
    pub chosen: &'a Critical,
    /// Paths with a higher priority that are empty.
    pub empty: &'a [Ranking],
    /// Waiting of each node by kind; empty if the profile is not of calls.
    pub waits: &'a [NodeWaits],
    /// Communication on another machine, with its name.
    pub priced: Option<(&'a str, &'a Priced)>,
    /// Nodes with a smaller share of all are left out.
    pub hide_below: f64,
    /// How it looks.
    pub style: Style,
    /// Whether it is read on a terminal: names are shortened there.
    pub on_terminal: bool,
}

/// The view that is shown below the head of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileView {
    /// A line for each node, children below their callers.
    Tree,
    /// A line for each function, and below it the share of each caller.
    Graph,
    /// The values of each processor, at the root and at the end of the critical path.
    Processors,
}

/// Foreign text, not endless: of a very long one beginning and end.
pub fn shortened(text: &str) -> String {
    /// Letters that are shown at each end.
    const HALF: usize = 500;
    if text.len() <= 2 * HALF {
        return escape(text);
    }
    let begin = text.char_indices().nth(HALF).map_or(text.len(), |(offset, _)| offset);
    let end = text.char_indices().rev().nth(HALF - 1).map_or(0, |(offset, _)| offset);
    if begin < end {
        escape(&format!("{}...{}", &text[..begin], &text[end..]))
    } else {
        escape(text)
    }
}

/// A metric's value with its unit.
fn value(notation: Notation, metric: Metric, value: f64, h_unit: u32) -> String {
    let unit = match (metric.is_time(), h_unit) {
        (true, _) => Unit::Seconds,
        (false, 4) => Unit::Other("words".to_owned()),
        (false, _) => Unit::Other("B".to_owned()),
    };
    notation.quantity(value, &unit)
}

impl ProfileReport<'_> {
    /// As text: the run, and a view.
    pub fn text(&self, view: ProfileView) -> String {
        self.document(view).text(&self.style)
    }

    /// As a document.
    pub(crate) fn document(&self, view: ProfileView) -> Document {
        let mut sections = vec![self.head()];
        match view {
            ProfileView::Tree => sections.push(self.tree()),
            ProfileView::Graph => sections.push(self.graph()),
            ProfileView::Processors => sections.extend(self.processors()),
        }
        Document::new(sections)
    }

    fn notation(&self) -> Notation {
        self.style.notation()
    }

    fn value(&self, metric: Metric, amount: f64) -> String {
        value(self.notation(), metric, amount, self.profile.h_unit)
    }

    /// The name of a metric, in this profile.
    fn name(&self, metric: Metric) -> &'static str {
        match metric {
            Metric::HRelation if self.profile.is_by_calls() => "bytes",
            Metric::Idle if self.profile.is_by_calls() => "waiting",
            metric => metric.name(),
        }
    }

    /// A metric of the whole profile.
    fn root(&self, metric: Metric) -> &Summary {
        self.profile.root().costs.summary(metric)
    }

    /// `19.5 s (12% | 7%)`.
    fn summary(&self, metric: Metric, summary: &Summary) -> String {
        format!("{} {}", self.value(metric, summary.maximum), summary.balance())
    }
}
