//! Why constants change.

mod crossings;
mod messages;
mod words;

use cll_fit::LevelChange;
use cll_result::{Why, WhyBoundary, WhyExperiment, WhyLimit, WhyTlb};

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::machine::memory::about;
use crate::style::{Role, Style};
use crate::text::escape;

pub(crate) use crossings::array;
use crossings::{crossings, near, sentence};
use messages::{alike, passed, sending};
use words::{number, size};

/// Causes of a boundary that are shown.
const CAUSES: usize = 3;

/// Each experiment: the boundaries of its model with their causes, and where distances pass levels.
pub fn why_text(why: &Why, style: &Style) -> String {
    let mut sections = vec![head(why, style.notation())];
    let program = why.program.rsplit('/').next().unwrap_or_default();
    sections.extend(
        why.experiments.iter().map(|why_experiment| experiment(why_experiment, program, style)),
    );
    Document::new(sections).text(style)
}

fn head(why: &Why, notation: Notation) -> Section {
    let levels =
        why.levels.iter().map(|level| format!("{} {}", escape(&level.name), about(level.bytes)));
    let mut levels: Vec<String> = levels.collect();
    let tlb = |entry: &WhyTlb| {
        format!("{} {} of {} pages", escape(&entry.name), about(entry.bytes), about(entry.page))
    };
    levels.extend(why.translation.iter().map(tlb));
    let limit = |entry: &WhyLimit| {
        format!("{} of {} {}", escape(&entry.limit), escape(&entry.mpi), size(entry.bytes))
    };
    levels.extend(why.limits.iter().filter(|limit| limit.is_eager()).map(limit));
    let source = if why.is_measured { "measured" } else { "as the system says" };
    let mut section = Section::plain(format!(
        "{} on {}: {} ({source})",
        escape(&why.program),
        escape(&why.machine),
        levels.join(", ")
    ));
    for run in &why.runs {
        let mut arguments = match run.arguments.as_str() {
            "" => String::new(),
            words => format!(" with {}", escape(words)),
        };
        if let Some(processes) = run.processes {
            arguments += &format!(", {processes} processes");
        }
        let lines = match (run.one_line_of, run.processes) {
            (None, _) => "messages counted".to_owned(),
            (Some(1), None) => "all cache lines followed".to_owned(),
            (Some(1), _) => "messages counted, all cache lines of process 0 followed".to_owned(),
            (Some(rate), _) => format!("sampled: one cache line of {rate} followed"),
        };
        let end = if run.whole { "" } else { ", until the time was up" };
        let seconds = notation.quantity(run.seconds, &cll_fit::Unit::Seconds);
        let slower = run.slower.map_or(String::new(), |times| {
            format!(", {} times as long as the program alone", number(times))
        });
        section = section.line(format!("run{arguments}: {lines}, {seconds}{slower}{end}"));
    }
    section
}

fn experiment(experiment: &WhyExperiment, program: &str, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = Vec::new();
    for boundary in &experiment.boundaries {
        blocks.push(Block::paragraph(changing(boundary, notation), Role::Plain));
        if boundary.causes.is_empty() && boundary.messages.is_empty() {
            blocks.push(Block::line("  no cause found"));
        }
        for cause in boundary.causes.iter().take(CAUSES) {
            blocks.push(Block::line(format!("  {}", sentence(cause))));
        }
        for (passing, processes) in alike(&boundary.messages).iter().take(CAUSES) {
            blocks.push(Block::line(format!("  {}", sending(passing, processes, notation))));
        }
    }
    let shown = near(experiment);
    if !shown.is_empty() {
        if !blocks.is_empty() {
            blocks.push(Block::Space);
        }
        blocks.extend(crossings(&shown, program, notation));
    }
    if !experiment.messages.is_empty() {
        if !blocks.is_empty() {
            blocks.push(Block::Space);
        }
        blocks.extend(passed(experiment, program, notation));
    }
    let more = experiment.crossings.len() - shown.len();
    if more > 0 {
        let text =
            format!("{more} others, with less weight or at much larger sizes, are in --json");
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    let notes =
        experiment.notes.iter().map(|note| Block::paragraph(notation.text(note), Role::Caution));
    blocks.extend(notes);
    if experiment.crossings.is_empty()
        && experiment.messages.is_empty()
        && experiment.notes.is_empty()
    {
        let text = if experiment.distances.is_empty() {
            "nothing that was followed passes a limit of this machine"
        } else {
            "no reuse distance that matters passes a level of this machine"
        };
        blocks.push(Block::paragraph(text, Role::Plain));
    }
    let sizes = match experiment.sizes.len() {
        0 => String::new(),
        1 => ", followed at 1 size".to_owned(),
        number => format!(", followed at {number} sizes{}", range(experiment)),
    };
    Section::new(
        &escape(&experiment.name),
        format!("{}{sizes}", escape(&experiment.formula)),
        blocks,
    )
}

/// `boundary of the model, N = 381 to 969:`, or `f[2] (N*N) rises from 300 ps to 1.4 ns, N = 381 to 969:`
fn changing(boundary: &WhyBoundary, notation: Notation) -> String {
    let variable = escape(&boundary.variable);
    let place = format!("{variable} = {} to {}", number(boundary.low), number(boundary.high));
    let Some(change) = &boundary.change else {
        return format!("boundary of the model, {place}:");
    };
    let level = |value: Option<f64>| {
        value.map_or("a level that is not determined".to_owned(), |value| {
            notation.rounded(value, 3, &change.unit)
        })
    };
    let falls = change.before.zip(change.after).is_some_and(|(before, after)| after < before);
    let verb = match (&change.change, falls) {
        (LevelChange::Jump { .. }, false) => "jumps",
        (LevelChange::Jump { .. }, true) => "drops",
        (_, false) => "rises",
        (_, true) => "falls",
    };
    let beyond = match change.change {
        LevelChange::Kink { .. } => " for what is beyond",
        LevelChange::Jump { .. } | LevelChange::Rise { .. } => "",
    };
    format!(
        "{} ({}) {verb} from {} to {}{beyond}, {place}:",
        escape(&change.constant),
        notation.text(&change.term),
        level(change.before),
        level(change.after)
    )
}

fn range(experiment: &WhyExperiment) -> String {
    let [name] = &experiment.variables[..] else { return String::new() };
    let values = experiment.sizes.iter().map(|values| values[0]);
    let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max));
    format!(", {} = {} to {}", escape(name), number(low), number(high))
}
