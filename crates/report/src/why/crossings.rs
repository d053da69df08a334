//! Reuse distances that pass a level of memory.

use cll_result::{WhyCause, WhyExperiment};

use super::words::{MOST, WIDE, at_lines, number};
use crate::Notation;
use crate::document::Block;
use crate::machine::memory::about;
use crate::style::Role;
use crate::text::{Cell, Column, Table, escape};

/// How far beyond the sizes that were followed a crossing is shown, as a ratio.
const FAR: f64 = 8.0;

/// The crossings that are shown, by size: those at sizes that were followed or not far beyond.
pub(super) fn near(experiment: &WhyExperiment) -> Vec<&WhyCause> {
    let mut shown: Vec<&WhyCause> =
        experiment.crossings.iter().filter(|cause| is_near(cause, experiment)).take(MOST).collect();
    shown.sort_by(|a, b| a.at.total_cmp(&b.at));
    shown
}

/// A table of reuse distances that pass a level of memory.
pub(super) fn crossings(shown: &[&WhyCause], program: &str, notation: Notation) -> Vec<Block> {
    let mut table = Table::new(vec![
        Column::left("array"),
        Column::right("line").flexible(),
        Column::left("bytes between uses").flexible(),
        Column::left("leaves"),
        Column::left("at"),
        Column::right("accesses"),
    ]);
    for cause in shown {
        table.row([
            Cell::new(array(&cause.array)).role(Role::Value),
            Cell::new(lines(cause, program)),
            Cell::new(notation.text(&cause.distance)),
            Cell::new(level_of(cause)),
            Cell::new(place(cause)),
            Cell::new(notation.percent(cause.share)),
        ]);
    }
    let mut blocks = vec![Block::table(table, "Reuse distances that pass a level")];
    if shown.iter().any(|cause| range_of(cause).is_some()) {
        let text = "a range: misses begin at the first size; from the second one on half of these accesses miss";
        blocks.push(Block::line(text));
    }
    if shown.iter().any(|cause| !cause.measured) {
        blocks.push(Block::line("* beyond the sizes that were followed: from the formula"));
    }
    blocks
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
pub(super) fn sentence(cause: &WhyCause) -> String {
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

/// `a[]`; what is no name stays.
pub(crate) fn array(name: &str) -> String {
    let name = escape(name);
    if name.contains(' ') { name } else { format!("{name}[]") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
