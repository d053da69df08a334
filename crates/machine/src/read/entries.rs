//! The entries of a machine's file: (s, g, l), empty supersteps, lines of segments.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use cll_diagnostic::Diagnostic;

use super::fields::{Fields, Messages, Quantities, is_empty_list};
use crate::communication::{Classic, Combine, Empty, Line, Pattern, Segment, Synchronisation};
use crate::machine::Machine;
use crate::quantity::QuantityKind;
use crate::uncertain::Uncertain;

/// Reads all of them.
pub(super) fn entries(fields: &mut Fields<'_, '_>, machine: &mut Machine, messages: &mut Messages) {
    let mut seen: HashMap<String, Range<usize>> = HashMap::new();
    let mut once =
        |key: String, place: &Range<usize>, messages: &mut Messages| match seen.entry(key) {
            Entry::Occupied(first) => messages.push(
                Diagnostic::error("M013", place.clone(), format!("{} is here twice", first.key()))
                    .also(first.get().clone(), "first here"),
            ),
            Entry::Vacant(entry) => {
                entry.insert(place.clone());
            }
        };
    for mut table in fields.tables("classic", "[[classic]]", messages) {
        let place = table.place.clone();
        if let Some(classic) = classic(&mut table, messages) {
            let head = named(classic.engine.as_deref(), classic.processors, classic.oversubscribed);
            once(format!("(s, g, l) of {head}"), &place, messages);
            machine.classic.push(classic);
        }
        table.end(messages);
    }
    for mut table in fields.tables("empty", "[[empty]]", messages) {
        let place = table.place.clone();
        if let Some(empty) = empty(&mut table, messages) {
            let head = named(empty.engine.as_deref(), empty.processors, empty.oversubscribed);
            let kind = empty.synchronisation.name();
            once(format!("the empty superstep ({kind}) of {head}"), &place, messages);
            machine.empty.push(empty);
        }
        table.end(messages);
    }
    for mut table in fields.tables("communication", "[[communication]]", messages) {
        let place = table.place.clone();
        if let Some(lines) = lines(&mut table, messages) {
            if let Some(line) = lines.first() {
                let head = named(line.engine.as_deref(), line.processors, line.oversubscribed);
                let (pattern, kind) = (line.pattern.name(), line.synchronisation.name());
                once(format!("{pattern} ({kind}) of {head}"), &place, messages);
            }
            machine.communication.extend(lines);
        }
        table.end(messages);
    }
    let supersteps = (machine.classic.len(), machine.empty.len(), machine.communication.len());
    if supersteps == (0, 0, 0) && !machine.has_more_than_supersteps() {
        let any = messages.diagnostics.iter().any(Diagnostic::is_error);
        if !any && !messages.later {
            messages.push(
                Diagnostic::error("M005", fields.place.clone(), "the machine has no numbers")
                    .help("there are [[classic]], [[empty]] and [[communication]], [[level]] and [[operation]], [[message]]"),
            );
        }
    }
}

fn named(engine: Option<&str>, processors: u32, oversubscribed: bool) -> String {
    let engine = engine.map_or(String::new(), |name| format!("engine {name} with "));
    let shared = if oversubscribed { ", oversubscribed" } else { "" };
    format!("{engine}{processors} processors{shared}")
}

/// The fields that all entries have.
struct EntryHead {
    engine: Option<String>,
    processors: u32,
    oversubscribed: bool,
}

fn head(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<EntryHead> {
    let engine = table.text("engine", messages);
    let oversubscribed = table.flag("oversubscribed", messages).unwrap_or(false);
    table.need("processors", messages)?;
    let processors = table.integer_from("processors", 1, messages)?;
    Some(EntryHead { engine, processors, oversubscribed })
}

fn classic(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Classic> {
    let head = head(table, messages);
    let s = table.take("s").map(toml::Spanned::span);
    let rate = table.quantity_if_there("s", &[QuantityKind::Rate], messages).map(|(_, rate)| rate);
    let g = table.quantity(
        "g",
        &[QuantityKind::TimePerByte, QuantityKind::OperationsPerByte],
        messages,
    );
    let l = table.quantity("l", &[QuantityKind::Time, QuantityKind::Operations], messages);
    let calls = table.quantity_if_there("calls", &[QuantityKind::TimePerByte], messages);
    if let (Some(place), Some(rate)) = (s, rate)
        && rate.low <= 0.0
    {
        messages.error("M008", place, "s cannot be 0: operations would take for ever");
        return None;
    }
    let mut in_seconds = |quantity: Option<(QuantityKind, Uncertain)>, key: &str| {
        let (kind, value) = quantity?;
        if matches!(kind, QuantityKind::Time | QuantityKind::TimePerByte) {
            return Some(value);
        }
        let Some(rate) = rate else {
            messages.push(
                Diagnostic::error("M014", table.place.clone(), format!("{key} is in operations, and s is not given"))
                    .help("s = \"… Mop/s\" says how long an operation takes; or give g in ns/B and l in us"),
            );
            return None;
        };
        // In the literature g and l are multiples of 1/s. The spread of s must not be added to theirs.
        Some(Uncertain {
            value: value.value / rate.value,
            low: value.low / rate.value,
            high: value.high / rate.value,
        })
    };
    let (g, l) = (in_seconds(g, "g"), in_seconds(l, "l"));
    let EntryHead { engine, processors, oversubscribed } = head?;
    let calls = calls.map(|(_, calls)| calls);
    Some(Classic { engine, processors, oversubscribed, rate, g: g?, l: l?, calls })
}

fn empty(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Empty> {
    let head = head(table, messages);
    let synchronisation = synchronisation(table, messages);
    let l = table.quantity("L", &[QuantityKind::Time], messages);
    let EntryHead { engine, processors, oversubscribed } = head?;
    Some(Empty { engine, processors, oversubscribed, synchronisation: synchronisation?, l: l?.1 })
}

/// A barrier if the field is missing.
fn synchronisation(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Synchronisation> {
    match table.take("synchronisation") {
        None => Some(Synchronisation::Barrier),
        Some(_) => {
            let (all, name) = (&Synchronisation::ALL, Synchronisation::name);
            table.word("synchronisation", all, name, messages)
        }
    }
}

fn lines(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Vec<Line>> {
    let head = head(table, messages);
    let synchronisation = synchronisation(table, messages);
    table.need("pattern", messages);
    let pattern = table.word("pattern", &Pattern::ALL, Pattern::name, messages);
    let calls = table.quantity_if_there("calls", &[QuantityKind::TimePerByte], messages);
    let calls = calls.map(|(_, calls)| calls);
    let fetch = table.quantity_if_there("fetch", &[QuantityKind::TimePerByte], messages);
    let fetch = fetch.map(|(_, fetch)| fetch);
    let mut pieces = Vec::new();
    for combine in Combine::ALL {
        if let Some(segments) = segments(table, combine.name(), messages) {
            pieces.push((combine, segments));
        }
    }
    if table.take("max").is_none() && table.take("sum").is_none() {
        messages.push(
            Diagnostic::error("M005", table.place.clone(), "[[communication]] has no segments")
                .help("max = [{ from = \"8 B\", to = \"4 KiB\", L = \"1.2 us\", g = \"0.3 ns/B\" }]; sum for @ = +"),
        );
    }
    let (head, synchronisation, pattern) = (head?, synchronisation?, pattern?);
    let line = |(combine, segments): (Combine, Vec<Segment>)| Line {
        engine: head.engine.clone(),
        processors: head.processors,
        oversubscribed: head.oversubscribed,
        synchronisation,
        pattern,
        combine,
        segments,
        calls,
        fetch,
    };
    Some(pieces.into_iter().map(line).collect())
}

/// The segments of this name; `None` if there are no valid ones.
pub(super) fn segments(
    table: &mut Fields<'_, '_>,
    key: &'static str,
    messages: &mut Messages,
) -> Option<Vec<Segment>> {
    let list = table.take(key)?;
    let mut found: Vec<(Segment, Range<usize>)> = Vec::new();
    let tables = table.tables(key, "a segment", messages);
    for mut segment in tables {
        let place = segment.place.clone();
        let from = segment.quantity("from", &[QuantityKind::Size], messages);
        let to = segment.quantity("to", &[QuantityKind::Size], messages);
        let l = segment.quantity("L", &[QuantityKind::Time], messages);
        let g = segment.quantity("g", &[QuantityKind::TimePerByte], messages);
        segment.end(messages);
        let (Some((_, from)), Some((_, to)), Some((_, l)), Some((_, g))) = (from, to, l, g) else {
            continue;
        };
        let (from, to) = (from.value, to.value);
        if from > to {
            messages.push(
                Diagnostic::error(
                    "M010",
                    place,
                    format!("the segment begins at {from} B and ends at {to} B"),
                )
                .help("from is the smaller one"),
            );
            continue;
        }
        found.push((Segment { from, to, g, l }, place));
    }
    if is_empty_list(list) {
        messages.error("M005", list.span(), format!("{key} has no segments"));
    }
    found.sort_by(|a, b| a.0.from.total_cmp(&b.0.from));
    for pair in found.windows(2) {
        let (lower, upper) = (&pair[0], &pair[1]);
        if upper.0.from <= lower.0.to {
            messages.push(
                Diagnostic::error(
                    "M011",
                    upper.1.clone(),
                    format!(
                        "segments overlap: this one begins at {} B, the one before ends at {} B",
                        upper.0.from, lower.0.to
                    ),
                )
                .also(lower.1.clone(), "the one before")
                .help("each size that was measured belongs to one segment"),
            );
        }
    }
    (!found.is_empty()).then(|| found.into_iter().map(|(segment, _)| segment).collect())
}
