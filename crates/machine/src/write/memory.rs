//! The costs of memory and operations as text.

use std::fmt::Write as _;

use super::{line, quantity, text};
use crate::machine::Machine;
use crate::quantity::QuantityKind;
use crate::uncertain::Uncertain;

pub(super) fn memory(out: &mut String, machine: &Machine) {
    let memory = &machine.memory;
    for one in &memory.levels {
        out.push_str("\n[[level]]\n");
        line(out, "name", &text(&one.name));
        if let Some(size) = one.size {
            line(out, "size", &quantity(QuantityKind::Size, size));
        }
        line(out, "latency", &quantity(QuantityKind::Time, one.latency));
    }
    for one in &memory.translation {
        out.push_str("\n[[translation]]\n");
        line(out, "reach", &quantity(QuantityKind::Size, one.reach));
        line(out, "page", &quantity(QuantityKind::Size, Uncertain::exact(one.page)));
        line(out, "cost", &quantity(QuantityKind::Time, one.cost));
    }
    for one in &memory.contention {
        out.push_str("\n[[contention]]\n");
        line(out, "level", &text(&one.level));
        line(out, "cores", &one.cores.to_string());
        line(out, "factor", &quantity(QuantityKind::Factor, one.factor));
    }
    for one in &machine.operations {
        out.push_str("\n[[operation]]\n");
        line(out, "name", &text(&one.name));
        if !one.operand.is_empty() {
            line(out, "operand", &text(&one.operand));
        }
        for (key, time) in [("latency", one.latency), ("each", one.each)] {
            if let Some(time) = time {
                line(out, key, &quantity(QuantityKind::Time, time));
            }
        }
    }
    if machine.process_start.is_some() || machine.page_use.is_some() {
        out.push_str("\n[process]\n");
        for (key, time) in [("start", machine.process_start), ("page", machine.page_use)] {
            if let Some(time) = time {
                line(out, key, &quantity(QuantityKind::Time, time));
            }
        }
    }
    curves(out, machine);
}

/// They are the longest part, and come last.
fn curves(out: &mut String, machine: &Machine) {
    let memory = &machine.memory;
    let size = |value| (QuantityKind::Size, Uncertain::exact(value));
    for one in &memory.loaded {
        out.push_str("\n[[loaded]]\n");
        line(out, "cores", &one.cores.to_string());
        let of =
            one.points.iter().map(|point| ((QuantityKind::Bandwidth, point.rate), point.latency));
        points(out, "rate", ("time", QuantityKind::Time), of);
    }
    for one in &memory.bandwidth {
        out.push_str("\n[[bandwidth]]\n");
        line(out, "access", &text(one.access.name()));
        line(out, "cores", &one.cores.to_string());
        let of = one.points.iter().map(|point| (size(point.size), point.rate));
        points(out, "size", ("rate", QuantityKind::Bandwidth), of);
    }
    for one in &memory.independent {
        out.push_str("\n[[independent]]\n");
        line(out, "access", &text(one.access.name()));
        line(out, "stride", &quantity(QuantityKind::Size, Uncertain::exact(one.stride)));
        line(out, "pages", &text(one.pages.name()));
        let of = one.points.iter().map(|point| (size(point.size), point.latency));
        points(out, "size", ("time", QuantityKind::Time), of);
    }
    for one in &memory.latency {
        out.push_str("\n[[latency]]\n");
        line(out, "stride", &quantity(QuantityKind::Size, Uncertain::exact(one.stride)));
        line(out, "pages", &text(one.pages.name()));
        let of = one.points.iter().map(|point| (size(point.size), point.latency));
        points(out, "size", ("time", QuantityKind::Time), of);
    }
}

fn points(
    out: &mut String,
    x: &str,
    (y, kind): (&str, QuantityKind),
    all: impl Iterator<Item = ((QuantityKind, Uncertain), Uncertain)>,
) {
    out.push_str("points = [\n");
    for ((x_kind, at), value) in all {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "  {{ {x} = {}, {y} = {} }},",
            quantity(x_kind, at),
            quantity(kind, value)
        );
    }
    out.push_str("]\n");
}
