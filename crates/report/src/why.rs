//! Why constants change.

use cll_fit::LevelChange;
use cll_result::{Why, WhyBoundary, WhyCause, WhyExperiment, WhyLimit, WhyMessages, WhyTlb};

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::machine::memory::about;
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, escape};

/// Crossings of an experiment that are shown.
const MOST: usize = 8;
/// Causes of a boundary that are shown.
const CAUSES: usize = 3;
/// How far beyond the sizes that were followed a crossing is shown, as a ratio.
const FAR: f64 = 8.0;
/// Half of the accesses miss so much beyond the first size, as a ratio: then both are shown.
const WIDE: f64 = 1.1;

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
    let tlb = |one: &WhyTlb| {
        format!("{} {} of {} pages", escape(&one.name), about(one.bytes), about(one.page))
    };
    levels.extend(why.translation.iter().map(tlb));
    let limit = |one: &WhyLimit| {
        format!("{} of {} {}", escape(&one.limit), escape(&one.mpi), size(one.bytes))
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
    let mut shown: Vec<&WhyCause> =
        experiment.crossings.iter().filter(|cause| is_near(cause, experiment)).take(MOST).collect();
    shown.sort_by(|a, b| a.at.total_cmp(&b.at));
    if !shown.is_empty() {
        if !blocks.is_empty() {
            blocks.push(Block::Space);
        }
        let mut table = Table::new(vec![
            Column::left("array"),
            Column::right("line").flexible(),
            Column::left("bytes between uses").flexible(),
            Column::left("leaves"),
            Column::left("at"),
            Column::right("accesses"),
        ]);
        for cause in &shown {
            table.row([
                Cell::new(array(&cause.array)).role(Role::Value),
                Cell::new(lines(cause, program)),
                Cell::new(notation.text(&cause.distance)),
                Cell::new(level_of(cause)),
                Cell::new(place(cause)),
                Cell::new(notation.percent(cause.share)),
            ]);
        }
        blocks.push(Block::table(table, "Reuse distances that pass a level"));
        if shown.iter().any(|cause| range_of(cause).is_some()) {
            let text = "a range: misses begin at the first size; from the second one on half of these accesses miss";
            blocks.push(Block::line(text));
        }
        if shown.iter().any(|cause| !cause.measured) {
            blocks.push(Block::line("* beyond the sizes that were followed: from the formula"));
        }
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

/// A table of the messages that pass a limit.
fn passed(experiment: &WhyExperiment, program: &str, notation: Notation) -> Vec<Block> {
    let mut table = Table::new(vec![
        Column::left("call"),
        Column::right("line").flexible(),
        Column::right("processes"),
        Column::left("bytes"),
        Column::left("passes").flexible(),
        Column::left("at"),
    ]);
    let all = alike(&experiment.messages);
    let shown: Vec<&(&WhyMessages, String)> = all.iter().take(MOST).collect();
    for (passing, processes) in shown.iter().copied() {
        table.row([
            Cell::new(escape(&passing.call)).role(Role::Value),
            Cell::new(at_lines(&passing.file, &[passing.line], program)),
            Cell::new(processes.as_str()),
            Cell::new(notation.text(&passing.size)),
            Cell::new(format!("{}, {}", escape(&passing.limit.limit), size(passing.limit.bytes))),
            Cell::new(place_of(passing)),
        ]);
    }
    let mut blocks = vec![Block::table(table, "Messages that pass a limit of MPI")];
    if shown.iter().any(|(messages, _)| !messages.measured) {
        blocks.push(Block::line("* beyond the sizes that were followed: from the formula"));
    }
    let more = all.len() - shown.len();
    if more > 0 {
        let text = format!("{more} others, of fewer messages, are in --json");
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    blocks
}

/// Those that differ by the number of processes alone, with these numbers: `2, 4`.
fn alike(all: &[WhyMessages]) -> Vec<(&WhyMessages, String)> {
    let mut found: Vec<(&WhyMessages, Vec<u32>)> = Vec::new();
    for messages in all {
        let is_same = |known: &&mut (&WhyMessages, Vec<u32>)| {
            let known = known.0;
            (&known.call, &known.file, known.line, &known.size, &known.limit)
                == (&messages.call, &messages.file, messages.line, &messages.size, &messages.limit)
                && place_of(known) == place_of(messages)
        };
        match found.iter_mut().find(is_same) {
            Some((_, processes)) => processes.push(messages.processes),
            None => found.push((messages, vec![messages.processes])),
        }
    }
    let listed = |(messages, mut processes): (_, Vec<u32>)| {
        processes.sort_unstable();
        let words: Vec<String> = processes.iter().map(u32::to_string).collect();
        (messages, words.join(", "))
    };
    found.into_iter().map(listed).collect()
}

/// `MPI_Send (8*N bytes) passes the eager limit of Open MPI v4.1.4 (4,040 B) at N = 505 with 2 processes; heat.c:53`.
fn sending(messages: &WhyMessages, processes: &str, notation: Notation) -> String {
    let size_of = match messages.size.as_str() {
        "" => String::new(),
        text => format!(" ({} bytes)", escape(text)),
    };
    let step = messages.limit.step.map_or(String::new(), |seconds| {
        let more = if seconds < 0.0 { "less" } else { "more" };
        let time = notation.quantity(seconds.abs(), &cll_fit::Unit::Seconds);
        format!(", {time} {more} for each")
    });
    format!(
        "{}{size_of} passes the {} of {} ({}) at {} with {processes} processes{step}; {}",
        escape(&messages.call),
        escape(&messages.limit.limit),
        escape(&messages.limit.mpi),
        size(messages.limit.bytes),
        place_of(messages),
        at_lines(&messages.file, &[messages.line], "")
    )
}

/// `N = 505`, or `N = 505 to 1,010` until all messages of the line are larger.
fn place_of(messages: &WhyMessages) -> String {
    let mark = if messages.measured { "" } else { "*" };
    let to = messages.all.filter(|all| *all > WIDE * messages.at);
    let to = to.map_or(String::new(), |all| format!(" to {}", number(all)));
    format!("{} = {}{to}{mark}", escape(&messages.variable), number(messages.at))
}

/// Exact where limits are known to the byte.
fn size(bytes: f64) -> String {
    match bytes {
        small if small < 100_000.0 => format!("{} B", grouped(small.round())),
        large => about(large),
    }
}

fn range(experiment: &WhyExperiment) -> String {
    let [name] = &experiment.variables[..] else { return String::new() };
    let values = experiment.sizes.iter().map(|values| values[0]);
    let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max));
    format!(", {} = {} to {}", escape(name), number(low), number(high))
}

/// Whether it is at sizes that were followed, or not far beyond.
fn is_near(cause: &WhyCause, experiment: &WhyExperiment) -> bool {
    let Some(variable) = experiment.variables.iter().position(|name| *name == cause.variable)
    else {
        return false;
    };
    let values = experiment.sizes.iter().filter_map(|values| values.get(variable)).copied();
    cause.measured || cause.at <= FAR * values.fold(0.0, f64::max)
}

/// `a[] (16*N bytes between uses) leaves L2 (1.25 MiB) at N = 78,000; matrix.c:23`.
fn sentence(cause: &WhyCause) -> String {
    let (of_pages, level) = match cause.page {
        None => (String::new(), format!("{} ({})", escape(&cause.level), about(cause.bytes))),
        Some(page) => (
            " of pages".to_owned(),
            format!(
                "the reach of the {} ({} of {} pages)",
                escape(&cause.level),
                about(cause.bytes),
                about(page)
            ),
        ),
    };
    format!(
        "{} ({} bytes{of_pages} between uses) leaves {level} at {}; {}",
        array(&cause.array),
        escape(&cause.distance),
        place(cause),
        lines(cause, "")
    )
}

/// `N = 78,000`, or `N = 500 to 1,200`; with a mark if it was not followed until there.
fn place(cause: &WhyCause) -> String {
    let mark = if cause.measured { "" } else { "*" };
    let to = range_of(cause).map_or(String::new(), |half| format!(" to {}", number(half)));
    format!("{} = {}{to}{mark}", escape(&cause.variable), number(cause.at))
}

/// The end of the range, if there is one.
fn range_of(cause: &WhyCause) -> Option<f64> {
    cause.half.filter(|half| *half > WIDE * cause.at)
}

/// `L2`; `TLB, 4 KiB pages`.
fn level_of(cause: &WhyCause) -> String {
    match cause.page {
        None => escape(&cause.level),
        Some(page) => format!("{}, {} pages", escape(&cause.level), about(page)),
    }
}

/// `matrix.c:23, 25`; without the file if it is the program's.
fn lines(cause: &WhyCause, program: &str) -> String {
    at_lines(&cause.file, &cause.lines, program)
}

fn at_lines(file: &str, lines: &[u32], program: &str) -> String {
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    if file == program {
        lines.join(", ")
    } else {
        format!("{}:{}", escape(file), lines.join(", "))
    }
}

/// `a[]`; what is no name stays.
pub(crate) fn array(name: &str) -> String {
    let name = escape(name);
    if name.contains(' ') { name } else { format!("{name}[]") }
}

/// Three digits, with commas between thousands.
fn number(value: f64) -> String {
    let rounded = match value.abs() {
        large if large >= 1000.0 => {
            let unit = 10f64.powf(large.log10().floor() - 2.0);
            (value / unit).round() * unit
        }
        large if large >= 100.0 || value.fract() == 0.0 => value.round(),
        small => {
            let decimals = (2.0 - small.log10().floor()).clamp(0.0, 9.0) as usize;
            let text = format!("{value:.decimals$}");
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
    };
    grouped(rounded)
}

/// A whole number, with commas between thousands.
fn grouped(rounded: f64) -> String {
    let digits = format!("{:.0}", rounded.abs());
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if rounded < 0.0 { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(number(78_123.4), "78,100");
        assert_eq!(number(486.4), "486");
        assert_eq!(number(1_234_567.0), "1,230,000");
        assert_eq!(number(12.34), "12.3");
        assert_eq!(number(0.012_34), "0.0123");
        assert_eq!(number(25.0), "25");
    }

    #[test]
    fn a_cause_is_a_sentence() {
        let cause = WhyCause {
            array: "a".into(),
            file: "matrix.c".into(),
            line: 23,
            lines: vec![23],
            distance: "16*N".into(),
            level: "L2".into(),
            bytes: 1.25 * 1_048_576.0,
            page: None,
            variable: "N".into(),
            at: 78_012.0,
            half: Some(78_012.0),
            measured: true,
            share: 0.5,
            weight: 1.0,
        };
        assert_eq!(
            sentence(&cause),
            "a[] (16*N bytes between uses) leaves L2 (1.25 MiB) at N = 78,000; matrix.c:23"
        );
        let page = Some(4096.0);
        let paged = WhyCause { level: "TLB".into(), bytes: 262_144.0, page, ..cause.clone() };
        assert_eq!(
            sentence(&paged),
            "a[] (16*N bytes of pages between uses) leaves the reach of the TLB (256 KiB of 4 KiB pages) at \
             N = 78,000; matrix.c:23"
        );
        let spread = WhyCause { half: Some(150_000.0), measured: false, ..cause };
        assert_eq!(place(&spread), "N = 78,000 to 150,000*");
    }
}
