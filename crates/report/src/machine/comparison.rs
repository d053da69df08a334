//! Two machines beside each other.

use cll_machine::Difference;
use cll_result::MachineComparison;

use super::regimes::{in_unit, in_words};
use crate::Notation;
use crate::document::{Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table, escape};

/// Lists the differences beyond the intervals; with `all`, the equal values, too. The first line answers.
pub fn machine_comparison_text(comparison: &MachineComparison, all: bool, style: &Style) -> String {
    let values = &comparison.differences.values;
    let differing = values.iter().filter(|difference| difference.differs).count();
    let named = |name: &str, when: &str| match when {
        "" => name.to_owned(),
        when => format!("{name}, {when}"),
    };
    let head = match (values.len(), differing) {
        (0, _) => "the two machines have no value in common".to_owned(),
        (count, 0) => format!("none of {count} values differs beyond its interval"),
        (count, some) => {
            let known = values.iter().filter(|difference| difference.cause.is_some()).count();
            let known = match known {
                0 => String::new(),
                known => format!("; of {known} the cause is a regime of the machine"),
            };
            format!("{some} of {count} values differ beyond their intervals{known}")
        }
    };
    let mut section = Section::plain(head);
    let [first, second] = &comparison.when;
    section = section.line(escape(&format!("A: {}", named(&comparison.first, first))));
    section = section.line(escape(&format!("B: {}", named(&comparison.second, second))));
    let notation = style.notation();
    let mut table = columns();
    for difference in
        values.iter().filter(|difference| difference.cause.is_none() && (all || difference.differs))
    {
        table.row(row(difference, notation));
    }
    if !table.is_empty() {
        section = section.table(table);
    }
    section = seen_in_regimes(section, values, notation);
    let mut named: Vec<&String> = Vec::new();
    for cause in values.iter().filter_map(|difference| difference.cause.as_ref()) {
        if !named.contains(&cause) {
            named.push(cause);
        }
    }
    let (mut more, mut last) = (Vec::new(), section);
    for cause in named {
        let mut table = columns();
        values
            .iter()
            .filter(|difference| difference.cause.as_ref() == Some(cause))
            .for_each(|difference| table.row(row(difference, notation)));
        more.push(std::mem::replace(&mut last, Section::plain(escape(cause)).table(table)));
    }
    section = last;
    let unknown = values
        .iter()
        .filter(|difference| difference.differs && !difference.ratio.has_spread())
        .count();
    if unknown > 0 {
        section = section.line(format!(
            "{unknown} of those that differ have no interval in either file: nothing is known of their noise"
        ));
    }
    for (name, only) in
        [("A", &comparison.differences.only_first), ("B", &comparison.differences.only_second)]
    {
        if !only.is_empty() {
            section = section.line(escape(&format!("only {name} has: {}", shortened(only))));
        }
    }
    more.push(section);
    Document::new(more).text(style)
}

fn columns() -> Table {
    Table::new(vec![
        Column::left("").flexible(),
        Column::right("A"),
        Column::right("B"),
        Column::right("B/A"),
        Column::left("").joined(),
    ])
}

/// Names the values that agree, or differ, in spite of several regimes.
fn seen_in_regimes(section: Section, values: &[Difference], notation: Notation) -> Section {
    const MOST: usize = 6;
    let text_of = |difference: &Difference| {
        let sides = [("A", &difference.first_regimes), ("B", &difference.second_regimes)];
        let sides = sides.into_iter().filter(|(_, seen)| seen.len() > 1);
        let sides: Vec<String> = sides
            .map(|(name, seen)| format!("{name} in {}", in_words(seen, difference.unit, notation)))
            .collect();
        (!sides.is_empty()).then(|| format!("{}: {}", difference.what, sides.join("; ")))
    };
    let all: Vec<String> = values.iter().filter_map(text_of).collect();
    let shown = all.iter().take(MOST);
    let section = shown.fold(section, |section, line| section.line(escape(line)));
    match all.len().saturating_sub(MOST) {
        0 => section,
        more => section.line(format!("and {more} more values in several regimes")),
    }
}

fn row(difference: &Difference, notation: Notation) -> [Cell; 5] {
    let text = |value: f64| in_unit(value, difference.unit, notation);
    let range = if difference.ratio.has_spread() && difference.ratio.high.is_finite() {
        format!("({:.2} to {:.2})", difference.ratio.low, difference.ratio.high)
    } else {
        String::new()
    };
    [
        Cell::new(&difference.what),
        Cell::new(text(difference.first.value)),
        Cell::new(text(difference.second.value)),
        Cell::new(format!("{:.2}", difference.ratio.value)),
        Cell::new(range),
    ]
}

/// Some of many names.
fn shortened(names: &[String]) -> String {
    const MOST: usize = 6;
    let shown: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    let more = names.len().saturating_sub(MOST);
    match more {
        0 => shown.join("; "),
        more => format!("{}; and {more} more", shown.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_machine::{Level, Machine, Memory, Uncertain};

    fn machine(name: &str, latency: f64) -> Machine {
        let latency = Uncertain { value: latency, low: 0.99 * latency, high: 1.01 * latency };
        let size = Some(Uncertain::exact(49152.0));
        let level = Level { name: "L1".into(), size, latency };
        let memory = Memory { levels: vec![level], ..Memory::default() };
        Machine { name: name.into(), memory, ..Machine::default() }
    }

    #[test]
    fn the_first_line_answers() {
        let style = Style { width: 100, ..Style::default() };
        let text = |b: f64, all: bool| {
            let comparison = MachineComparison::new(&machine("a", 1e-9), &machine("b", b));
            machine_comparison_text(&comparison, all, &style)
        };
        assert!(text(1.01e-9, false).starts_with("none of 2 values differs"));
        let slower = text(2e-9, false);
        assert!(slower.starts_with("1 of 2 values differ"), "{slower}");
        assert!(slower.contains("L1, latency") && slower.contains("2.00"), "{slower}");
        assert!(!slower.contains("L1, size") && text(2e-9, true).contains("L1, size"));
        let other = MachineComparison::new(&machine("a", 1e-9), &Machine::default());
        let text = machine_comparison_text(&other, false, &style);
        assert!(text.starts_with("the two machines have no value in common"), "{text}");
        assert!(text.contains("only A has: L1, latency; L1, size"), "{text}");
    }
}
