//! The head of every view of a profile: the run, its efficiency, its metrics, its critical path.

use cll_fit::Unit;
use cll_profile::headline::headline;
use cll_profile::{Efficiency, Metric, Source};

use super::headline::sentence;
use super::{ProfileReport, shortened};
use crate::document::{Block, Section};
use crate::style::Role;
use crate::text::{Cell, Column, Table};

/// Stragglers that are named.
const MAX_STRAGGLERS: usize = 4;
/// Nodes of a long critical path that are named at each of its ends.
const MAX_PATH_ENDS: usize = 20;

impl ProfileReport<'_> {
    /// The section before every view.
    pub(super) fn head(&self) -> Section {
        let (profile, notation) = (self.profile, self.notation());
        let seconds = notation.quantity(profile.elapsed.get(), &Unit::Seconds);
        let efficiency = Efficiency::new(profile);
        let mut blocks = vec![Block::at_margin(format!(
            "{}: P = {}, {seconds}, {}",
            shortened(profile.name()),
            profile.processors,
            self.origin()
        ))];
        let most = headline(profile).map(|most| sentence(profile, &most, notation));
        blocks.extend(most.map(|text| Block::paragraph(text, Role::Plain)));
        blocks.extend([
            Block::at_margin(format!(
                "parallel efficiency {} = load balance {} x communication efficiency {}",
                notation.percent(efficiency.parallel),
                notation.percent(efficiency.load_balance),
                notation.percent(efficiency.communication)
            )),
            Block::table(self.metrics(), "Metrics"),
        ]);
        blocks.extend(self.idle().into_iter().map(Block::at_margin));
        blocks.extend(self.stragglers().map(Block::at_margin));
        blocks.extend(self.path());
        blocks.extend(self.priced.map(|(machine, priced)| {
            Block::at_margin(format!(
                "communication as on {}: g = {} per byte, l = {}: {} in all, in place of {} measured",
                shortened(machine),
                notation.quantity(priced.g.value, &Unit::Seconds),
                notation.quantity(priced.l.value, &Unit::Seconds),
                notation.quantity(priced.nodes[0].value, &Unit::Seconds),
                notation.quantity(priced.measured.get(), &Unit::Seconds),
            ))
        }));
        Section::untitled(blocks)
    }

    /// The engine, or the profile that was converted.
    fn origin(&self) -> String {
        match &self.profile.source {
            Source::Log { engine, virtually, .. } => match (engine.as_str(), virtually) {
                (_, true) => "virtual processors: times are virtual".to_owned(),
                ("", _) => "engine not recorded".to_owned(),
                (engine, _) => format!("engine {engine}"),
            },
            Source::Oxford { date, architecture, .. } => {
                format!("Oxford BSP Toolset on {}, {}", shortened(architecture), shortened(date))
            }
            Source::Calls { library, .. } => format!("calls of {}", shortened(library)),
        }
    }

    /// The maximum, average and minimum of each metric, and R.
    fn metrics(&self) -> Table {
        let mut table = Table::new(vec![
            Column::left(""),
            Column::right("maximum"),
            Column::left("(avg% | min%)"),
            Column::right("R"),
        ]);
        for metric in Metric::ALL {
            let summary = self.root(metric);
            table.row([
                Cell::new(self.name(metric)),
                Cell::new(self.value(metric, summary.maximum)),
                Cell::new(summary.balance()),
                Cell::new(if self.profile.fits(0, metric) {
                    format!("{:.2}", self.profile.steadiness(0, metric))
                } else {
                    "-".to_owned()
                }),
            ]);
        }
        table
    }

    /// How long processors waited, and why.
    fn idle(&self) -> Vec<String> {
        let Source::Log { engine, .. } = &self.profile.source else { return Vec::new() };
        let idle = self.root(Metric::Idle);
        let average = idle.average;
        if average <= 0.0 {
            return Vec::new();
        }
        let share = (self.profile.root().costs.idle_at_barrier / average).clamp(0.0, 1.0);
        let rest = match engine.as_str() {
            "mpi" => "for communication, also of the superstep before (the engine passes messages)",
            _ => "within communication",
        };
        let mut lines = vec![format!(
            "waiting on average {}: {} for the slowest computation, {} {rest}",
            self.value(Metric::Idle, average),
            self.notation().percent(share),
            self.notation().percent(1.0 - share)
        )];
        let elapsed = self.profile.elapsed.get();
        if idle.maximum > elapsed {
            lines.push(format!(
                "the maximum of idle, {}, is a sum over supersteps that different processors were in at the same time: \
                 it can be more than the run took, {}; a processor waited {} on average",
                self.value(Metric::Idle, idle.maximum),
                self.value(Metric::Idle, elapsed),
                self.value(Metric::Idle, average)
            ));
        }
        lines
    }

    /// The processors that alone were the last, most often first.
    fn stragglers(&self) -> Option<String> {
        let last = &self.profile.root().last;
        if last.iter().all(|count| *count == 0) {
            return None;
        }
        let mut order: Vec<usize> =
            (0..last.len()).filter(|&processor| last[processor] > 0).collect();
        order.sort_by_key(|&processor| (std::cmp::Reverse(last[processor]), processor));
        let text_of = |&processor: &usize| format!("processor {processor} {}x", last[processor]);
        let shown: Vec<String> = order.iter().take(MAX_STRAGGLERS).map(text_of).collect();
        let more = match order.len().saturating_sub(MAX_STRAGGLERS) {
            0 => String::new(),
            more => format!(", {more} others less often"),
        };
        Some(format!("last to finish computing: {}{more}", shown.join(", ")))
    }

    /// The critical path; of a long one the first and the last nodes.
    fn path(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let empty: Vec<String> = self.empty.iter().map(|ranking| ranking.name()).collect();
        if !empty.is_empty() {
            blocks.push(Block::at_margin(format!(
                "no imbalance in {}: the critical path shown is the next that is not empty",
                empty.join(", ")
            )));
        }
        let ranking = self.chosen.ranking;
        let title = format!("critical path {} ({}):", ranking.name(), ranking.words());
        if self.chosen.is_empty() {
            blocks.push(Block::at_margin(format!("{title} empty, no node has a rank above 0")));
            return blocks;
        }
        let name = |&node: &usize| shortened(&self.profile.nodes[node].kind.label());
        let path = &self.chosen.path;
        let shown = if path.len() > 2 * MAX_PATH_ENDS {
            let left = format!("({} more)", path.len() - 2 * MAX_PATH_ENDS);
            let (first, last) = (&path[..MAX_PATH_ENDS], &path[path.len() - MAX_PATH_ENDS..]);
            first.iter().map(name).chain([left]).chain(last.iter().map(name)).collect()
        } else {
            path.iter().map(name).collect::<Vec<String>>()
        };
        blocks.push(Block::at_margin(title));
        blocks.push(Block::line(shown.join(" > ")));
        blocks
    }
}
