//! Why constants change.

use cll_result::{Why, WhyCause, WhyExperiment};

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
    sections.extend(why.experiments.iter().map(|one| experiment(one, program, style)));
    Document::new(sections).text(style)
}

fn head(why: &Why, notation: Notation) -> Section {
    let levels = why.levels.iter().map(|one| format!("{} {}", escape(&one.name), about(one.bytes)));
    let levels: Vec<String> = levels.collect();
    let source = if why.is_measured { "measured" } else { "as the system says" };
    let mut section = Section::plain(format!(
        "{} on {}: {} ({source})",
        escape(&why.program),
        escape(&why.machine),
        levels.join(", ")
    ));
    for run in &why.runs {
        let arguments = match run.arguments.as_str() {
            "" => String::new(),
            words => format!(" with {}", escape(words)),
        };
        let lines = match run.one_line_of {
            1 => "all cache lines followed".to_owned(),
            rate => format!("sampled: one cache line of {rate} followed"),
        };
        let end = if run.whole { "" } else { ", until the time was up" };
        let seconds = notation.quantity(run.seconds, &cll_fit::Unit::Seconds);
        section = section.line(format!("run{arguments}: {lines}, {seconds}{end}"));
    }
    section
}

fn experiment(one: &WhyExperiment, program: &str, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = Vec::new();
    for boundary in &one.boundaries {
        let variable = escape(&boundary.variable);
        let (low, high) = (number(boundary.low), number(boundary.high));
        let text = format!("boundary of the model, {variable} = {low} to {high}:");
        blocks.push(Block::paragraph(text, Role::Plain));
        if boundary.causes.is_empty() {
            blocks.push(Block::line("  no cause found"));
        }
        for cause in boundary.causes.iter().take(CAUSES) {
            blocks.push(Block::line(format!("  {}", sentence(cause))));
        }
    }
    let mut shown: Vec<&WhyCause> =
        one.crossings.iter().filter(|cause| is_near(cause, one)).take(MOST).collect();
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
                Cell::new(escape(&cause.level)),
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
    let more = one.crossings.len() - shown.len();
    if more > 0 {
        let text =
            format!("{more} others, with less weight or at much larger sizes, are in --json");
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    let notes = one.notes.iter().map(|note| Block::paragraph(notation.text(note), Role::Caution));
    blocks.extend(notes);
    if one.crossings.is_empty() && one.notes.is_empty() {
        blocks.push(Block::paragraph(
            "no reuse distance that matters passes a level of this machine",
            Role::Plain,
        ));
    }
    let sizes = match one.sizes.len() {
        0 => String::new(),
        1 => ", followed at 1 size".to_owned(),
        number => format!(", followed at {number} sizes{}", range(one)),
    };
    Section::new(&escape(&one.name), format!("{}{sizes}", escape(&one.formula)), blocks)
}

fn range(one: &WhyExperiment) -> String {
    let [name] = &one.variables[..] else { return String::new() };
    let values = one.sizes.iter().map(|values| values[0]);
    let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max));
    format!(", {} = {} to {}", escape(name), number(low), number(high))
}

/// Whether it is at sizes that were followed, or not far beyond.
fn is_near(cause: &WhyCause, one: &WhyExperiment) -> bool {
    let Some(variable) = one.variables.iter().position(|name| *name == cause.variable) else {
        return false;
    };
    let values = one.sizes.iter().filter_map(|values| values.get(variable)).copied();
    cause.measured || cause.at <= FAR * values.fold(0.0, f64::max)
}

/// `a[] (16*N bytes between uses) leaves L2 (1.25 MiB) at N = 78,000; matrix.c:23`.
fn sentence(cause: &WhyCause) -> String {
    format!(
        "{} ({} bytes between uses) leaves {} ({}) at {}; {}",
        array(&cause.array),
        escape(&cause.distance),
        escape(&cause.level),
        about(cause.bytes),
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

/// `matrix.c:23, 25`; without the file if it is the program's.
fn lines(cause: &WhyCause, program: &str) -> String {
    let lines: Vec<String> = cause.lines.iter().map(u32::to_string).collect();
    match cause.file == program {
        true => lines.join(", "),
        false => format!("{}:{}", escape(&cause.file), lines.join(", ")),
    }
}

/// `a[]`; what is no name stays.
fn array(name: &str) -> String {
    let name = escape(name);
    match name.contains(' ') {
        true => name,
        false => format!("{name}[]"),
    }
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
        let spread = WhyCause { half: Some(150_000.0), measured: false, ..cause };
        assert_eq!(place(&spread), "N = 78,000 to 150,000*");
    }
}
