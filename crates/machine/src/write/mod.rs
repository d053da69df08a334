//! A machine as its file.

mod memory;
mod message_passing;

use std::fmt::Write as _;

use crate::communication::{Classic, Empty, Line, Segment, Synchronisation};
use crate::machine::{Host, Machine, Origin};
use crate::quantity::{self, QuantityKind};
use crate::read::{KEY, MEMORY_VERSION, MPI_VERSION, REGIMES_VERSION, SUPERSTEPS_VERSION, VERSION};
use crate::regimes::Regimes;
use crate::uncertain::Uncertain;

/// The text of a machine's file; [`crate::read`] gives the same machine again.
pub fn write(machine: &Machine) -> String {
    let has_kernel = machine
        .host
        .as_ref()
        .is_some_and(|host| !host.kernel.is_empty() || !host.microcode.is_empty());
    let version = match machine.has_more_than_supersteps() {
        _ if machine.has_independent_costs() => VERSION,
        _ if !machine.regimes.is_empty() => REGIMES_VERSION,
        _ if has_kernel => MPI_VERSION,
        false => SUPERSTEPS_VERSION,
        true if machine.message_passing.is_empty() => MEMORY_VERSION,
        true => MPI_VERSION,
    };
    let mut out = format!("{KEY} = {version}\n\n");
    line(&mut out, "name", &text(&machine.name));
    if !machine.about.is_empty() {
        line(&mut out, "about", &prose(&machine.about));
    }
    if let Some(combine) = machine.combine {
        line(&mut out, "combine", &text(combine.name()));
    }
    if !machine.missing.is_empty() {
        line(&mut out, "missing", &list(&machine.missing));
    }
    origin(&mut out, &machine.origin);
    if let Some(host) = &machine.host {
        self::host(&mut out, host);
    }
    machine.regimes.iter().for_each(|regime| regimes(&mut out, regime));
    machine.classic.iter().for_each(|entry| classic(&mut out, entry));
    machine.empty.iter().for_each(|entry| empty(&mut out, entry));
    let mut lines = &machine.communication[..];
    while let Some(first) = lines.first() {
        // One table has both @.
        let count = lines
            .iter()
            .enumerate()
            .take_while(|(index, line)| {
                is_same(first, line)
                    && lines[..*index].iter().all(|other| other.combine < line.combine)
            })
            .count()
            .max(1);
        communication(&mut out, &lines[..count]);
        lines = &lines[count..];
    }
    message_passing::message_passing(&mut out, &machine.message_passing);
    memory::memory(&mut out, machine);
    out
}

fn origin(out: &mut String, origin: &Origin) {
    out.push_str("\n[origin]\n");
    for (key, value) in [("when", &origin.when), ("by", &origin.by)] {
        if !value.is_empty() {
            line(out, key, &text(value));
        }
    }
    if !origin.how.is_empty() {
        line(out, "how", &prose(&origin.how));
    }
    for (key, value) in [("samples", &origin.samples), ("source", &origin.source)] {
        if let Some(value) = value {
            line(out, key, &text(value));
        }
    }
    if !origin.disturbed.is_empty() {
        line(out, "disturbed", &list(&origin.disturbed));
    }
}

fn host(out: &mut String, host: &Host) {
    out.push_str("\n[host]\n");
    for (key, value) in [("name", &host.name), ("cpu", &host.cpu)] {
        if !value.is_empty() {
            line(out, key, &text(value));
        }
    }
    if let Some(cores) = host.cores {
        line(out, "cores", &cores.to_string());
    }
    for (key, value) in [("kernel", &host.kernel), ("microcode", &host.microcode)] {
        if !value.is_empty() {
            line(out, key, &text(value));
        }
    }
    if !host.caches.is_empty() {
        let caches = host.caches.iter().map(|cache| {
            let size = quantity::write(QuantityKind::Size, Uncertain::exact(cache.bytes.as_f64()));
            format!("{{ name = {}, size = {} }}", text(&cache.name), text(&size))
        });
        line(out, "caches", &format!("[{}]", caches.collect::<Vec<_>>().join(", ")));
    }
}

fn regimes(out: &mut String, regimes: &Regimes) {
    out.push_str("\n[[regime]]\n");
    line(out, "value", &text(&regimes.what));
    let seen = regimes.seen.iter().map(|seen| {
        let value = quantity(regimes.kind(), Uncertain::exact(seen.at));
        let share = quantity(QuantityKind::Factor, Uncertain::exact(seen.share));
        format!("{{ at = {value}, share = {share} }}")
    });
    line(out, "seen", &format!("[{}]", seen.collect::<Vec<_>>().join(", ")));
}

fn head(out: &mut String, table: &str, engine: Option<&str>, processors: u32, shared: bool) {
    let _ = writeln!(out, "\n[[{table}]]");
    if let Some(engine) = engine {
        line(out, "engine", &text(engine));
    }
    line(out, "processors", &processors.to_string());
    if shared {
        line(out, "oversubscribed", "true");
    }
}

fn classic(out: &mut String, classic: &Classic) {
    head(out, "classic", classic.engine.as_deref(), classic.processors, classic.oversubscribed);
    if let Some(rate) = classic.rate {
        line(out, "s", &quantity(QuantityKind::Rate, rate));
    }
    // Also in the units of the literature, as a comment.
    let beside = |value: f64, unit: &str| {
        let Some(rate) = classic.rate else { return String::new() };
        format!("  # {} {unit}", short(value * rate.value))
    };
    let g =
        quantity(QuantityKind::TimePerByte, classic.g) + &beside(4.0 * classic.g.value, "op/word");
    line(out, "g", &g);
    line(out, "l", &(quantity(QuantityKind::Time, classic.l) + &beside(classic.l.value, "op")));
    if let Some(calls) = classic.calls {
        line(out, "calls", &quantity(QuantityKind::TimePerByte, calls));
    }
}

fn empty(out: &mut String, empty: &Empty) {
    head(out, "empty", empty.engine.as_deref(), empty.processors, empty.oversubscribed);
    synchronisation(out, empty.synchronisation);
    line(out, "L", &quantity(QuantityKind::Time, empty.l));
}

fn synchronisation(out: &mut String, synchronisation: Synchronisation) {
    line(out, "synchronisation", &text(synchronisation.name()));
}

/// Whether both are in one table of the file.
fn is_same(a: &Line, b: &Line) -> bool {
    (&a.engine, a.processors, a.oversubscribed, a.synchronisation, a.pattern, a.calls, a.fetch)
        == (
            &b.engine,
            b.processors,
            b.oversubscribed,
            b.synchronisation,
            b.pattern,
            b.calls,
            b.fetch,
        )
}

fn communication(out: &mut String, lines: &[Line]) {
    let first = &lines[0];
    head(out, "communication", first.engine.as_deref(), first.processors, first.oversubscribed);
    synchronisation(out, first.synchronisation);
    line(out, "pattern", &text(first.pattern.name()));
    if let Some(calls) = first.calls {
        line(out, "calls", &quantity(QuantityKind::TimePerByte, calls));
    }
    if let Some(fetch) = first.fetch {
        line(out, "fetch", &quantity(QuantityKind::TimePerByte, fetch));
    }
    for line in lines {
        segments(out, line.combine.name(), &line.segments);
    }
}

fn segments(out: &mut String, key: &str, segments: &[Segment]) {
    let _ = writeln!(out, "{key} = [");
    for Segment { from, to, g, l } in segments {
        let size = |value: f64| quantity(QuantityKind::Size, Uncertain::exact(value));
        let _ = writeln!(
            out,
            "  {{ from = {}, to = {}, L = {}, g = {} }},",
            size(*from),
            size(*to),
            quantity(QuantityKind::Time, *l),
            quantity(QuantityKind::TimePerByte, *g)
        );
    }
    out.push_str("]\n");
}

fn quantity(kind: QuantityKind, value: Uncertain) -> String {
    text(&quantity::write(kind, value))
}

/// Three digits.
fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 0.1 => format!("{v:.2}"),
        v => format!("{v:.2e}"),
    }
}

fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

fn text(value: &str) -> String {
    toml::Value::from(value).to_string()
}

fn list(values: &[String]) -> String {
    match values {
        [only] => format!("[{}]", text(only)),
        _ => {
            let lines: Vec<String> =
                values.iter().map(|value| format!("  {},\n", text(value))).collect();
            format!("[\n{}]", lines.concat())
        }
    }
}

/// Text of several lines is written unchanged, between three quotation marks.
fn prose(value: &str) -> String {
    let plain = |c: char| c == '\n' || (!c.is_control() && c != '\\' && c != '"');
    if value.contains('\n') && value.chars().all(plain) {
        format!("\"\"\"\n{value}\n\"\"\"")
    } else {
        text(value)
    }
}
