//! A profile as a tree of calls, and as a graph of functions.

use std::collections::HashSet;

use cll_fit::Unit;
use cll_profile::{Costs, Edge, Graph, Metric, NodeKind};
use cll_result::NodeWaits;

use super::{ProfileReport, shortened};
use crate::document::{Block, Section};
use crate::text::{Label, TreeTable};

/// A line of a view.
#[derive(Default)]
struct TreeRow<'a> {
    label: Label,
    /// `None` if only the label is shown.
    costs: Option<&'a Costs>,
    priced: Option<f64>,
    rank: f64,
    on_path: bool,
}

impl ProfileReport<'_> {
    /// A line for each node, children below their callers.
    pub(super) fn tree(&self) -> Section {
        let profile = self.profile;
        let mut rows = Vec::new();
        let mut hidden = 0;
        let mut stack = vec![(0, 0, String::new(), String::new())];
        let on_path: HashSet<usize> = self.chosen.path.iter().copied().collect();
        let (branch, corner, line) = if self.style.unicode {
            ("├─ ", "└─ ", "│  ")
        } else {
            ("|- ", "`- ", "|  ")
        };
        while let Some((index, level, lead, below)) = stack.pop() {
            let node = &profile.nodes[index];
            let mut label = shortened(&node.kind.label());
            if let NodeKind::Function(frame) = &node.kind {
                if frame.inlined {
                    label.push_str(" (inlined)");
                }
                if frame.tail_called {
                    label.push_str(" (left by a tail call)");
                }
            }
            let priced = self.priced.map(|(_, priced)| priced.nodes[index].value);
            let label = Label::at_level(level, lead, label);
            let on_path = on_path.contains(&index);
            let (costs, rank) = (Some(&node.costs), self.chosen.ranks[index]);
            rows.push(TreeRow { label, costs, priced, rank, on_path });
            if matches!(node.kind, NodeKind::Call { .. }) {
                rows.extend(self.waits_of(index).map(|text| TreeRow {
                    label: Label::at_level(level + 1, format!("{below}   "), text),
                    ..TreeRow::default()
                }));
            }
            let mut shown: Vec<usize> = node.children.clone();
            shown.retain(|&child| self.is_shown(&profile.nodes[child].costs));
            hidden += node.children.len() - shown.len();
            shown.sort_by(|&a, &b| self.chosen.ranks[b].total_cmp(&self.chosen.ranks[a]));
            let last = shown.last().copied();
            for child in shown.into_iter().rev() {
                let is_last = Some(child) == last;
                let lead = format!("{below}{}", if is_last { corner } else { branch });
                let below = if Label::is_indented(level + 1) {
                    format!("{below}{}", if is_last { "   " } else { line })
                } else {
                    below.clone()
                };
                stack.push((child, level + 1, lead, below));
            }
        }
        self.view("call tree", &rows, hidden)
    }

    /// Describes the waits of a call, longest first: times are those of the rank that waits longest.
    fn waits_of(&self, index: usize) -> Option<String> {
        let wait_of = |waits: &NodeWaits| Some((waits.kind, waits.nodes.get(index)?.maximum));
        let mut all: Vec<(&str, f64)> = self.waits.iter().filter_map(wait_of).collect();
        all.retain(|&(_, most)| most > 0.0);
        all.sort_by(|first, other| other.1.total_cmp(&first.1));
        let text_of = |&(kind, most): &(&str, f64)| {
            format!("{kind} {}", self.notation().quantity(most, &Unit::Seconds))
        };
        let all: Vec<String> = all.iter().map(text_of).collect();
        (!all.is_empty()).then(|| format!("waits: {}", all.join(", ")))
    }

    /// A line for each function, and below it the share of each caller.
    pub(super) fn graph(&self) -> Section {
        let graph = Graph::new(self.profile);
        let costs: Vec<Costs> = graph.nodes.iter().map(|node| node.costs).collect();
        let ranks = self.chosen.ranking.ranks(&costs);
        let path: HashSet<usize> = self.chosen.path.iter().copied().collect();
        let on_path = |numbers: &[usize]| numbers.iter().any(|index| path.contains(index));
        let metric = self.metric();
        let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
        order.retain(|&index| self.is_shown(&graph.nodes[index].costs));
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let mut callers: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
        graph.edges.iter().for_each(|edge| callers[edge.to].push(edge));
        let mut rows = Vec::new();
        for &index in &order {
            let node = &graph.nodes[index];
            let again = if node.recursive { " (recursive)" } else { "" };
            let label = Label::plain(format!("{}{again}", shortened(&node.kind.label())));
            let priced = self.priced.map(|(_, priced)| {
                node.tree_nodes.iter().map(|&number| priced.nodes[number].value).fold(0.0, f64::max)
            });
            let (costs, rank, on_path) =
                (Some(&node.costs), ranks[index], on_path(&node.tree_nodes));
            rows.push(TreeRow { label, costs, priced, rank, on_path });
            for edge in &callers[index] {
                let share = self.notation().percent(edge.shares[metric.index()]);
                let caller = shortened(&graph.nodes[edge.from].kind.label());
                let label = format!("   from {caller}: {share} of {}", metric.name());
                let label = Label::plain(label);
                rows.push(TreeRow { label, ..TreeRow::default() });
            }
        }
        self.view("call graph", &rows, graph.nodes.len() - order.len())
    }

    /// All four metrics if there is room for them, else that of the critical path; `hidden` nodes were left out.
    fn view(&self, title: &str, rows: &[TreeRow<'_>], hidden: usize) -> Section {
        let wide = self.table(title, rows, &Metric::ALL);
        let (tree, has_all) = if wide.fits(self.style.width) {
            (wide, true)
        } else {
            (self.table(title, rows, &[self.metric()]), false)
        };
        let mut blocks = vec![
            Block::Tree { tree, on_terminal: self.on_terminal },
            Block::Space,
            Block::at_margin(
                "* the critical path; time is maximum computation + maximum communication",
            ),
        ];
        if !has_all {
            blocks.push(Block::line("a wider terminal and --json have all four metrics"));
        }
        if hidden > 0 {
            let hidden = self.notation().count(hidden, "node is", "nodes are");
            let text = format!("{hidden} left out with what is below (--hide-below)");
            blocks.push(Block::at_margin(text));
        }
        Section::untitled(blocks)
    }

    fn table(&self, title: &str, rows: &[TreeRow<'_>], metrics: &[Metric]) -> TreeTable {
        let mut table = TreeTable::new(title);
        table.column(if self.profile.is_by_calls() { "calls" } else { "supersteps" });
        for &metric in metrics {
            table.column(self.name(metric));
        }
        table.column("time");
        if self.priced.is_some() {
            table.column("g*h + l");
        }
        table.column("rank");
        for row in rows {
            table.row(row.label.clone(), self.cells(row, metrics));
        }
        table
    }

    fn cells(&self, row: &TreeRow<'_>, metrics: &[Metric]) -> Vec<String> {
        let Some(costs) = row.costs else { return Vec::new() };
        let seconds = |value: f64| self.notation().quantity(value, &Unit::Seconds);
        let mut cells = vec![self.notation().number(costs.supersteps)];
        cells.extend(metrics.iter().map(|&metric| self.summary(metric, costs.summary(metric))));
        cells.push(seconds(costs.time()));
        cells.extend(row.priced.map(seconds));
        cells.push(format!("{}{}", rank(row.rank), if row.on_path { "*" } else { " " }));
        cells
    }

    fn is_shown(&self, costs: &Costs) -> bool {
        let root = &self.profile.root().costs;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let h = |costs: &Costs| costs.summary(Metric::HRelation).maximum;
        let largest = share(costs.time(), root.time())
            .max(share(h(costs), h(root)))
            .max(share(costs.supersteps, root.supersteps));
        largest >= self.hide_below
    }

    /// The metric of the critical path.
    fn metric(&self) -> Metric {
        self.chosen.ranking.metric().unwrap_or(Metric::Computation)
    }
}

/// Two significant digits; a rank near 1 has two places, too.
fn rank(rank: f64) -> String {
    if rank == 0.0 || rank >= 0.0995 {
        return format!("{rank:.2}");
    }
    let power = rank.log10().floor() as i32;
    // Rounding may reach the next power: 0.00996 is 0.010.
    let power = if rank >= 0.995 * 10f64.powi(power + 1) { power + 1 } else { power };
    match power {
        -7.. => format!("{rank:.*}", (1 - power) as usize),
        _ => format!("{rank:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn small_ranks_are_not_zero() {
        let cases = [
            (1.0, "1.00"),
            (0.1, "0.10"),
            (0.0996, "0.10"),
            (0.012_34, "0.012"),
            (0.000_996, "0.0010"),
            (3.4e-6, "0.0000034"),
            (3.4e-9, "3.4e-9"),
            (0.0, "0.00"),
        ];
        for (value, text) in cases {
            assert_eq!(rank(value), text);
        }
    }
}
