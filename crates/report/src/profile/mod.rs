//! A profile as people read it in a terminal.

mod diff;
mod lines;

use std::collections::HashSet;
use std::fmt::Write;

use crate::Notation;
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

use cll_fit::Unit;
use cll_profile::critical::{Critical, Ranking};
use cll_profile::{
    Costs, Edge, Efficiency, Graph, Metric, NodeKind, Priced, Profile, Source, Summary,
};
use lines::{Label, Lines};

pub use diff::DifferenceView;

/// What a report is made of.
#[derive(Debug)]
pub struct ProfileReport<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// The critical path that is shown.
    pub chosen: &'a Critical,
    /// Paths that would have come first, and are empty.
    pub empty: &'a [Ranking],
    /// Communication on another machine, with its name.
    pub priced: Option<(&'a str, &'a Priced)>,
    /// Nodes with a smaller share of all are left out.
    pub hide_below: f64,
    /// How it looks.
    pub style: Style,
    /// Whether it is read on a terminal: names are shortened there.
    pub on_terminal: bool,
}

/// A line of a view.
#[derive(Default)]
struct Row<'a> {
    label: Label,
    /// None where only words are shown.
    costs: Option<&'a Costs>,
    priced: Option<f64>,
    rank: f64,
    on_path: bool,
}

/// Foreign text, not endless: of a very long one beginning and end.
pub fn shortened(text: &str) -> String {
    /// Letters that are shown at each end.
    const HALF: usize = 500;
    if text.len() <= 2 * HALF {
        return escape(text);
    }
    let begin = text.char_indices().nth(HALF).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().rev().nth(HALF - 1).map_or(0, |(at, _)| at);
    match begin < end {
        true => escape(&format!("{}...{}", &text[..begin], &text[end..])),
        false => escape(text),
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
    fn notation(&self) -> Notation {
        self.style.notation()
    }

    fn value(&self, metric: Metric, of: f64) -> String {
        value(self.notation(), metric, of, self.profile.h_unit)
    }

    /// `19.5 s (12% | 7%)`.
    fn summary(&self, metric: Metric, summary: &Summary) -> String {
        format!("{} {}", self.value(metric, summary.maximum), summary.balance())
    }

    /// What stands above every view.
    pub fn head(&self) -> String {
        let (profile, notation) = (self.profile, self.notation());
        let mut out = String::new();
        let seconds = notation.quantity(profile.elapsed.get(), &Unit::Seconds);
        let origin = match &profile.source {
            Source::Log { engine, virtually, .. } => match (engine.as_str(), virtually) {
                (_, true) => "virtual processors: times are virtual".to_owned(),
                ("", _) => "engine not recorded".to_owned(),
                (engine, _) => format!("engine {engine}"),
            },
            Source::Oxford { date, architecture, .. } => {
                format!("Oxford BSP Toolset on {}, {}", shortened(architecture), shortened(date))
            }
        };
        let _ = writeln!(
            out,
            "{}: P = {}, {seconds}, {origin}",
            shortened(profile.name()),
            profile.processors
        );
        let pop = Efficiency::new(profile);
        let _ = writeln!(
            out,
            "parallel efficiency {} = load balance {} x communication efficiency {}",
            notation.percent(pop.parallel),
            notation.percent(pop.load_balance),
            notation.percent(pop.communication)
        );
        let root = &profile.root().costs;
        let mut table = Table::new(vec![
            Column::left(""),
            Column::right("maximum"),
            Column::left("(avg% | min%)"),
            Column::right("R"),
        ]);
        for metric in Metric::ALL {
            let summary = root.of(metric);
            table.row([
                Cell::new(metric.name()),
                Cell::new(self.value(metric, summary.maximum)),
                Cell::new(summary.balance()),
                Cell::new(match profile.fits(0, metric) {
                    true => format!("{:.2}", profile.steadiness(0, metric)),
                    false => "-".to_owned(),
                }),
            ]);
        }
        out.push_str(&table.render(&self.style, 2));
        self.idle(&mut out);
        self.stragglers(&mut out);
        self.path(&mut out);
        if let Some((machine, priced)) = self.priced {
            let _ = writeln!(
                out,
                "communication as on {}: g = {} per byte, l = {}: {} in all, measured {}",
                shortened(machine),
                notation.quantity(priced.g.value, &Unit::Seconds),
                notation.quantity(priced.l.value, &Unit::Seconds),
                notation.quantity(priced.nodes[0].value, &Unit::Seconds),
                self.value(Metric::Communication, root.of(Metric::Communication).maximum),
            );
        }
        out.push('\n');
        out
    }

    /// The critical path; of a long one the first and the last nodes.
    fn path(&self, out: &mut String) {
        const SHOWN: usize = 20;
        let empty: Vec<String> = self.empty.iter().map(|one| one.name()).collect();
        if !empty.is_empty() {
            let _ = writeln!(
                out,
                "no imbalance in {}: the critical path shown is the next that is not empty",
                empty.join(", ")
            );
        }
        let name = |&at: &usize| shortened(&self.profile.nodes[at].kind.label());
        let path = &self.chosen.path;
        let shown = match path.len() > 2 * SHOWN {
            true => {
                let left = format!("({} more)", path.len() - 2 * SHOWN);
                let (first, last) = (&path[..SHOWN], &path[path.len() - SHOWN..]);
                first.iter().map(name).chain([left]).chain(last.iter().map(name)).collect()
            }
            false => path.iter().map(name).collect::<Vec<String>>(),
        };
        let ranking = self.chosen.ranking;
        let _ = write!(out, "critical path {} ({}):", ranking.name(), ranking.words());
        let _ = match self.chosen.is_empty() {
            true => writeln!(out, " empty, no node has a rank above 0"),
            false => writeln!(out, "\n  {}", shown.join(" > ")),
        };
    }

    fn idle(&self, out: &mut String) {
        let Source::Log { engine, .. } = &self.profile.source else { return };
        let root = &self.profile.root().costs;
        let average = root.of(Metric::Idle).average;
        if average <= 0.0 {
            return;
        }
        let share = (root.idle_at_barrier / average).clamp(0.0, 1.0);
        let rest = match engine.as_str() {
            "mpi" => "for communication, also of the superstep before (the engine passes messages)",
            _ => "within communication",
        };
        let _ = writeln!(
            out,
            "waiting on average {}: {} for the slowest computation, {} {rest}",
            self.value(Metric::Idle, average),
            self.notation().percent(share),
            self.notation().percent(1.0 - share)
        );
        let (maximum, elapsed) = (root.of(Metric::Idle).maximum, self.profile.elapsed.get());
        if maximum > elapsed {
            let _ = writeln!(
                out,
                "the maximum of idle, {}, is a sum over supersteps that different processors were in at the same time: \
                 it can be more than the run took, {}; a processor waited {} on average",
                self.value(Metric::Idle, maximum),
                self.value(Metric::Idle, elapsed),
                self.value(Metric::Idle, average)
            );
        }
    }

    /// Who alone was the last, most often first.
    fn stragglers(&self, out: &mut String) {
        const SHOWN: usize = 4;
        let last = &self.profile.root().last;
        let all: u64 = last.iter().sum();
        if all == 0 {
            return;
        }
        let mut order: Vec<usize> = (0..last.len()).filter(|&at| last[at] > 0).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(last[at]), at));
        let one = |&at: &usize| format!("processor {at} {}x", last[at]);
        let shown: Vec<String> = order.iter().take(SHOWN).map(one).collect();
        let more = match order.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(", {more} others less often"),
        };
        let _ = writeln!(out, "last to finish computing: {}{more}", shown.join(", "));
    }

    fn is_shown(&self, costs: &Costs) -> bool {
        let root = &self.profile.root().costs;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let h = |costs: &Costs| costs.of(Metric::HRelation).maximum;
        let largest = share(costs.time(), root.time())
            .max(share(h(costs), h(root)))
            .max(share(costs.supersteps, root.supersteps));
        largest >= self.hide_below
    }

    /// The metric of the critical path.
    fn metric(&self) -> Metric {
        match self.chosen.ranking {
            Ranking::Absolute(metric)
            | Ranking::Imbalance(metric)
            | Ranking::Relative(metric)
            | Ranking::Weighted(metric) => metric,
            Ranking::Synchronisation => Metric::Computation,
        }
    }

    /// All four metrics if there is room for them, else that of the critical path.
    fn rendered(&self, title: &str, rows: &[Row<'_>]) -> String {
        let lines = |metrics: &[Metric]| {
            let mut lines = Lines::new(title);
            lines.column("supersteps");
            for metric in metrics {
                lines.column(metric.name());
            }
            lines.column("time");
            if self.priced.is_some() {
                lines.column("g*h + l");
            }
            lines.column("rank");
            for row in rows {
                lines.row(row.label.clone(), self.cells(row, metrics));
            }
            lines
        };
        let wide = lines(&Metric::ALL);
        let (lines, all) = match wide.fits(self.style.width) {
            true => (wide, true),
            false => (lines(&[self.metric()]), false),
        };
        let mut out = lines.render(&self.style, self.on_terminal);
        out.push_str("\n* the critical path; time is maximum computation + maximum communication");
        if !all {
            out.push_str("\n  a wider terminal and --json have all four metrics");
        }
        out.push('\n');
        out
    }

    fn cells(&self, row: &Row<'_>, metrics: &[Metric]) -> Vec<String> {
        let Some(costs) = row.costs else { return Vec::new() };
        let seconds = |value: f64| self.notation().quantity(value, &Unit::Seconds);
        let mut cells = vec![self.notation().number(costs.supersteps)];
        cells.extend(metrics.iter().map(|&metric| self.summary(metric, costs.of(metric))));
        cells.push(seconds(costs.time()));
        cells.extend(row.priced.map(seconds));
        cells.push(format!("{:.2}{}", row.rank, if row.on_path { "*" } else { " " }));
        cells
    }

    /// A line for each node, children below their callers.
    pub fn tree(&self) -> String {
        let profile = self.profile;
        let mut rows = Vec::new();
        let mut hidden = 0;
        let mut stack = vec![(0, 0, String::new(), String::new())];
        let on_path: HashSet<usize> = self.chosen.path.iter().copied().collect();
        let (branch, corner, line) = match self.style.unicode {
            true => ("├─ ", "└─ ", "│  "),
            false => ("|- ", "`- ", "|  "),
        };
        while let Some((at, level, lead, below)) = stack.pop() {
            let node = &profile.nodes[at];
            let mut label = shortened(&node.kind.label());
            if let NodeKind::Function(frame) = &node.kind {
                if frame.inlined {
                    label.push_str(" (inlined)");
                }
                if frame.tail_called {
                    label.push_str(" (left by a tail call)");
                }
            }
            let priced = self.priced.map(|(_, priced)| priced.nodes[at].value);
            let label = Label::at(level, lead, label);
            let on_path = on_path.contains(&at);
            let (costs, rank) = (Some(&node.costs), self.chosen.ranks[at]);
            rows.push(Row { label, costs, priced, rank, on_path });
            let mut shown: Vec<usize> = node.children.clone();
            shown.retain(|&child| self.is_shown(&profile.nodes[child].costs));
            hidden += node.children.len() - shown.len();
            shown.sort_by(|&a, &b| self.chosen.ranks[b].total_cmp(&self.chosen.ranks[a]));
            let last = shown.last().copied();
            for child in shown.into_iter().rev() {
                let is_last = Some(child) == last;
                let lead = format!("{below}{}", if is_last { corner } else { branch });
                let below = match Label::is_indented(level + 1) {
                    true => format!("{below}{}", if is_last { "   " } else { line }),
                    false => below.clone(),
                };
                stack.push((child, level + 1, lead, below));
            }
        }
        let mut out = self.rendered("call tree", &rows);
        self.hidden(&mut out, hidden);
        out
    }

    fn hidden(&self, out: &mut String, hidden: usize) {
        if hidden > 0 {
            let hidden = self.notation().count(hidden, "node is", "nodes are");
            let _ = writeln!(out, "{hidden} left out with what is below (--hide-below)");
        }
    }

    /// A line for each function, and below it the share of each caller.
    pub fn graph(&self) -> String {
        let graph = Graph::new(self.profile);
        let costs: Vec<Costs> = graph.nodes.iter().map(|node| node.costs).collect();
        let ranks = self.chosen.ranking.ranks(&costs);
        let path: HashSet<usize> = self.chosen.path.iter().copied().collect();
        let on_path = |of: &[usize]| of.iter().any(|at| path.contains(at));
        let metric = self.metric();
        let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
        order.retain(|&at| self.is_shown(&graph.nodes[at].costs));
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let mut callers: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
        graph.edges.iter().for_each(|edge| callers[edge.to].push(edge));
        let mut rows = Vec::new();
        for &at in &order {
            let node = &graph.nodes[at];
            let again = if node.recursive { " (recursive)" } else { "" };
            let label = Label::plain(format!("{}{again}", shortened(&node.kind.label())));
            let priced = self.priced.map(|(_, priced)| {
                node.of.iter().map(|&one| priced.nodes[one].value).fold(0.0, f64::max)
            });
            let (costs, rank, on_path) = (Some(&node.costs), ranks[at], on_path(&node.of));
            rows.push(Row { label, costs, priced, rank, on_path });
            for edge in &callers[at] {
                let share = self.notation().percent(edge.shares[metric.index()]);
                let caller = shortened(&graph.nodes[edge.from].kind.label());
                let label = format!("   from {caller}: {share} of {}", metric.name());
                let label = Label::plain(label);
                rows.push(Row { label, ..Row::default() });
            }
        }
        let mut out = self.rendered("call graph", &rows);
        self.hidden(&mut out, graph.nodes.len() - order.len());
        out
    }

    /// What each processor has, of the node at the end of the critical path and of all.
    pub fn processors(&self) -> String {
        let profile = self.profile;
        let mut out = String::new();
        let mut nodes = vec![0];
        nodes.extend(self.chosen.path.last().copied().filter(|&at| at != 0));
        for at in nodes {
            let node = &profile.nodes[at];
            let _ = writeln!(out, "{}", shortened(&node.kind.label()));
            let mut columns = vec![Column::right("processor")];
            for metric in Metric::ALL {
                columns.push(Column::right(metric.name()));
                columns.push(Column::left("").joined());
            }
            columns.push(Column::right("last"));
            let mut table = Table::new(columns);
            for processor in 0..profile.processors as usize {
                let mut row = vec![Cell::new(processor.to_string())];
                for metric in Metric::ALL {
                    let each = &node.each[metric.index()];
                    let largest = each.iter().copied().fold(0.0, f64::max);
                    row.push(Cell::new(self.value(metric, each[processor])));
                    row.push(Cell::new(self.bar(each[processor], largest)));
                }
                row.push(Cell::new(node.last[processor].to_string()));
                table.row(row);
            }
            out.push_str(&table.render(&self.style, 2));
            for metric in Metric::ALL {
                let largest = node.each[metric.index()].iter().copied().fold(0.0, f64::max);
                let maximum = node.costs.of(metric).maximum;
                if !profile.fits(at, metric) {
                    let _ = writeln!(
                        out,
                        "  {}: the processors' sums and the maximum, {}, contradict each other: they are not of the \
                         same supersteps, and nothing can be said of who has most",
                        metric.name(),
                        self.value(metric, maximum)
                    );
                } else if largest < maximum * (1.0 - 1e-9) {
                    let _ = writeln!(
                        out,
                        "  {}: the largest, {}, is less than the maximum, {}: it is not always the same \
                         processor that has most (R = {:.2})",
                        metric.name(),
                        self.value(metric, largest),
                        self.value(metric, maximum),
                        largest / maximum
                    );
                }
            }
            out.push('\n');
        }
        out
    }

    fn bar(&self, value: f64, largest: f64) -> String {
        const LENGTH: f64 = 6.0;
        let share = if largest > 0.0 { (value / largest).clamp(0.0, 1.0) } else { 0.0 };
        let mark = if self.style.unicode { "█" } else { "#" };
        mark.repeat((share * LENGTH).round() as usize)
    }
}
