//! Two profiles, or two sets of them, node by node.

mod align;
mod condition;
mod interval;
mod pair;
mod split_join;
mod union;

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::export::Figure;
use crate::metric::{Costs, Metric};
use crate::profile::{Profile, brief};

pub use condition::{Condition, Verdict};
pub use interval::Change;
pub use pair::Status;

use pair::Pair;
use union::{Union, same_files};

/// A node in both, or in one of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DiffRow {
    /// The label in the earlier profile; if the node is not there, that in the later one.
    #[serde(skip)]
    pub label: String,
    /// The row of the node above, by its place in the list.
    #[serde(skip)]
    pub above: Option<usize>,
    /// The label in the later profile, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// How it was matched.
    pub status: Status,
    /// Whether it was there before.
    #[serde(skip)]
    before: bool,
    /// The node in the first profile before, and in the first one after, that have it.
    #[serde(skip)]
    pub nodes: [Option<usize>; 2],
    /// Names of the functions that it was split into, joined with others into, or made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Supersteps.
    pub supersteps: Change,
    /// By [`Metric`], the maximum.
    pub metrics: [Change; 4],
    /// By [`Metric`], the average divided by the maximum.
    pub balance: [Change; 4],
    /// Maximum computation + maximum communication.
    pub time: Change,
}

impl DiffRow {
    /// Whether it was there before.
    pub fn is_before(&self) -> bool {
        self.before
    }

    /// The change of a figure.
    pub fn change(&self, figure: Figure) -> &Change {
        match figure {
            Figure::Time => &self.time,
            Figure::Maximum(metric) => &self.metrics[metric.index()],
        }
    }
}

/// The differences between two profiles of a program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Names of the programs.
    pub programs: [String; 2],
    /// How many processors they had.
    pub processors: [u32; 2],
    /// How many runs there are of each.
    pub runs: [usize; 2],
    /// The root first, each node after the one above it.
    #[serde(serialize_with = "rows")]
    #[schemars(with = "Vec<RowWithPath<'static>>")]
    pub rows: Vec<DiffRow>,
    /// The share of the time of both profiles that is in matched centres, 0 to 1.
    pub matched: f64,
}

impl Difference {
    /// Labels from the root to a row, outermost first; of more than [`LONGEST_PATH`] the first and the last.
    ///
    /// [`LONGEST_PATH`]: crate::LONGEST_PATH
    pub fn path(&self, row: usize) -> Vec<&str> {
        path(&self.rows, row)
    }

    /// The rows as a tree is printed, each with its depth: below each its children, by their labels.
    pub fn ordered(&self) -> Vec<(usize, &DiffRow)> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        let mut stack = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            match row.above {
                Some(above) => children[above].push(index),
                None => stack.push((0, index)),
            }
        }
        stack.reverse();
        let mut ordered = Vec::with_capacity(self.rows.len());
        while let Some((depth, index)) = stack.pop() {
            ordered.push((depth, &self.rows[index]));
            let below = &mut children[index];
            below.sort_by(|&a, &b| self.rows[b].label.cmp(&self.rows[a].label).then(b.cmp(&a)));
            stack.extend(below.iter().map(|&child| (depth + 1, child)));
        }
        ordered
    }
}

fn path(rows: &[DiffRow], row: usize) -> Vec<&str> {
    let above = std::iter::successors(Some(row), |&index| rows[index].above);
    let mut path: Vec<&str> = above.map(|index| rows[index].label.as_str()).collect();
    path.reverse();
    brief(path, "...")
}

/// A row as it is written.
#[derive(Serialize, JsonSchema)]
struct RowWithPath<'a> {
    /// Labels from the root to the row, outermost first.
    path: Vec<&'a str>,
    #[serde(flatten)]
    row: &'a DiffRow,
}

/// Writes each row with its path. Paths are made one at a time: all of them together would need memory that grows with
/// the square of the depth.
fn rows<S: Serializer>(rows: &[DiffRow], serializer: S) -> Result<S::Ok, S::Error> {
    let entries =
        rows.iter().enumerate().map(|(index, row)| RowWithPath { path: path(rows, index), row });
    serializer.collect_seq(entries)
}

/// If the matched share of the time is less than this, the profiles are too different to be compared.
pub const UNLIKE: f64 = 0.05;

/// Compares two sets of profiles; neither is empty. If both have several profiles, differences have intervals with this
/// confidence.
pub fn diff(before: &[Profile], after: &[Profile], confidence: f64) -> Difference {
    let (old, mut new) = (Union::new(before), Union::new(after));
    same_files(&old, &mut new);
    let pairs = align::align(&old, &new);
    let costs = |union: &Union, node: Option<usize>| match node {
        Some(node) => union.nodes[node].costs.clone(),
        None => vec![Costs::default(); union.runs],
    };
    let places = Places::new(&pairs);
    let rows = pairs.iter().map(|pair| {
        let (a, b) = (costs(&old, pair.before), costs(&new, pair.after));
        let change = |value_of: &dyn Fn(&Costs) -> f64| {
            let values = |costs: &[Costs]| costs.iter().map(value_of).collect::<Vec<_>>();
            Change::new(&values(&a), &values(&b), confidence)
        };
        let label = |union: &Union, node| union.label(node);
        let before = pair.before.map(|node| label(&old, node));
        let after = pair.after.map(|node| label(&new, node));
        DiffRow {
            label: before.clone().or_else(|| after.clone()).unwrap_or_default(),
            above: places.above(&old, &new, pair),
            now: after.filter(|after| before.as_ref().is_some_and(|before| before != after)),
            status: pair.status,
            before: pair.before.is_some(),
            nodes: [
                pair.before.and_then(|node| old.nodes[node].first),
                pair.after.and_then(|node| new.nodes[node].first),
            ],
            with: pair.with.clone(),
            supersteps: change(&|costs| costs.supersteps),
            metrics: Metric::ALL.map(|metric| change(&|costs| costs.summary(metric).maximum)),
            balance: Metric::ALL
                .map(|metric| change(&|costs| costs.summary(metric).average_percent() / 100.0)),
            time: change(&Costs::time),
        }
    });
    let rows = rows.collect();
    let matched = matched(&old, &new, &pairs);
    let first = |set: &[Profile]| {
        set.first().map(|profile| (profile.name().to_owned(), profile.processors))
    };
    let (a, b) = (first(before).unwrap_or_default(), first(after).unwrap_or_default());
    Difference {
        programs: [a.0, b.0],
        processors: [a.1, b.1],
        runs: [before.len(), after.len()],
        rows,
        matched,
    }
}

/// The rows of the nodes of both sides.
struct Places {
    before: HashMap<usize, usize>,
    after: HashMap<usize, usize>,
}

impl Places {
    fn new(pairs: &[Pair]) -> Places {
        let row_by_node = |node: &dyn Fn(&Pair) -> Option<usize>| {
            let known = pairs.iter().enumerate();
            known.filter_map(|(row, pair)| Some((node(pair)?, row))).collect()
        };
        Places { before: row_by_node(&|pair| pair.before), after: row_by_node(&|pair| pair.after) }
    }

    /// The row above: that of the earlier profile; for a new node that of the later one.
    fn above(&self, old: &Union, new: &Union, pair: &Pair) -> Option<usize> {
        match (pair.before, pair.after) {
            (Some(node), _) => self.before.get(&old.nodes[node].parent?).copied(),
            (None, node) => self.after.get(&new.nodes[node?].parent?).copied(),
        }
    }
}

/// The share of both sides' time in centres that have a counterpart.
fn matched(old: &Union, new: &Union, pairs: &[Pair]) -> f64 {
    let time = |union: &Union, node: usize| {
        let node = &union.nodes[node];
        let centre = node.kind.is_centre() && !matches!(node.kind, crate::NodeKind::Start);
        if centre { node.costs.iter().map(Costs::time).sum::<f64>() } else { 0.0 }
    };
    let all = |union: &Union| (0..union.nodes.len()).map(|index| time(union, index)).sum::<f64>();
    let both = pairs.iter().filter_map(|pair| Some((pair.before?, pair.after?)));
    let (a, b) = both.fold((0.0, 0.0), |(a, b), (x, y)| (a + time(old, x), b + time(new, y)));
    let share = |part: f64, whole: f64| if whole == 0.0 { 1.0 } else { part / whole };
    share(a, all(old)).min(share(b, all(new)))
}
