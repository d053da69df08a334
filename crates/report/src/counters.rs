//! The counters that are known, as text.

use cll_result::{KnownCounter, KnownCounters};

use crate::document::{Block, Document, Section};
use crate::style::Style;
use crate::text::{Cell, Column, Table};

/// A section for each source: counters that are available, and the others with the reason.
pub fn counters_text(known: &KnownCounters, style: &Style) -> String {
    let sections = SECTIONS.into_iter().map(|(source, title)| {
        let own = known.counters.iter().filter(|counter| counter.source == source);
        let (there, missing): (Vec<&KnownCounter>, Vec<&KnownCounter>) =
            own.partition(|counter| counter.available);
        let mut table = Table::new(vec![Column::left(""), Column::left("").flexible()]);
        for counter in &there {
            table.row([
                Cell::new(&counter.name),
                Cell::new(format!("{} [{}]", counter.about, counter.unit)),
            ]);
        }
        let mut blocks = vec![Block::table(table, title)];
        for (why, names) in by_reason(&missing) {
            let verb = if there.is_empty() && names.len() > 1 { "none of them" } else { "not" };
            blocks.push(Block::line(format!("{verb} here: {why}")));
            let lines = names.chunks(5).map(|names| names.join("  "));
            blocks.extend(lines.map(|text| Block::Line { indent: 4, text }));
        }
        Section { blocks, ..Section::plain(title) }
    });
    let papi = Section::plain("By PAPI (papi::NAME, or PAPI_… and …:::… as they are)");
    let papi = papi.line(match &known.papi {
        Some(path) => format!("{path}; papi_avail and papi_native_avail list its events"),
        None => "not here: libpapi.so is not installed; Debian's package is libpapi-dev".to_owned(),
    });
    Document::new(sections.chain([papi])).text(style)
}

const SECTIONS: [(&str, &str); 4] = [
    ("system", "Kept by the kernel of every thread"),
    ("kernel", "Events that the kernel counts"),
    (
        "processor",
        "Events that the processor counts, in the program's own code (also rUUEE: by number)",
    ),
    ("simulation", "By a simulation (--simulate-caches)"),
];

/// Names by the reason why they are missing.
fn by_reason<'a>(missing: &[&'a KnownCounter]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for counter in missing {
        let why = counter.why_not.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&counter.name),
            None => reasons.push((why, vec![&counter.name])),
        }
    }
    reasons
}
