//! The costs of memory and operations as text.

use std::fmt::Write as _;

use super::{line, quantity, text};
use crate::machine::Machine;
use crate::quantity::QuantityKind;
use crate::uncertain::Uncertain;

pub(super) fn memory(out: &mut String, machine: &Machine) {
    let memory = &machine.memory;
    for level in &memory.levels {
        out.push_str("\n[[level]]\n");
        line(out, "name", &text(&level.name));
        if let Some(size) = level.size {
            line(out, "size", &quantity(QuantityKind::Size, size));
        }
        line(out, "latency", &quantity(QuantityKind::Time, level.latency));
    }
    for translation in &memory.translation {
        out.push_str("\n[[translation]]\n");
        line(out, "reach", &quantity(QuantityKind::Size, translation.reach));
        line(out, "page", &quantity(QuantityKind::Size, Uncertain::exact(translation.page)));
        line(out, "cost", &quantity(QuantityKind::Time, translation.cost));
    }
    for contention in &memory.contention {
        out.push_str("\n[[contention]]\n");
        line(out, "level", &text(&contention.level));
        line(out, "cores", &contention.cores.to_string());
        line(out, "factor", &quantity(QuantityKind::Factor, contention.factor));
    }
    for operation in &machine.operations {
        out.push_str("\n[[operation]]\n");
        line(out, "name", &text(&operation.name));
        if !operation.operand.is_empty() {
            line(out, "operand", &text(&operation.operand));
        }
        for (key, time) in [("latency", operation.latency), ("each", operation.each)] {
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
    for curve in &memory.loaded {
        out.push_str("\n[[loaded]]\n");
        line(out, "cores", &curve.cores.to_string());
        let pairs =
            curve.points.iter().map(|point| ((QuantityKind::Bandwidth, point.rate), point.latency));
        points(out, "rate", ("time", QuantityKind::Time), pairs);
    }
    for curve in &memory.bandwidth {
        out.push_str("\n[[bandwidth]]\n");
        line(out, "access", &text(curve.access.name()));
        line(out, "cores", &curve.cores.to_string());
        let pairs = curve.points.iter().map(|point| (size(point.size), point.rate));
        points(out, "size", ("rate", QuantityKind::Bandwidth), pairs);
    }
    for curve in &memory.independent {
        out.push_str("\n[[independent]]\n");
        line(out, "access", &text(curve.access.name()));
        line(out, "stride", &quantity(QuantityKind::Size, Uncertain::exact(curve.stride)));
        line(out, "pages", &text(curve.pages.name()));
        let pairs = curve.points.iter().map(|point| (size(point.size), point.latency));
        points(out, "size", ("time", QuantityKind::Time), pairs);
    }
    for curve in &memory.latency {
        out.push_str("\n[[latency]]\n");
        line(out, "stride", &quantity(QuantityKind::Size, Uncertain::exact(curve.stride)));
        line(out, "pages", &text(curve.pages.name()));
        let pairs = curve.points.iter().map(|point| (size(point.size), point.latency));
        points(out, "size", ("time", QuantityKind::Time), pairs);
    }
}

fn points(
    out: &mut String,
    x: &str,
    (y, kind): (&str, QuantityKind),
    all: impl Iterator<Item = ((QuantityKind, Uncertain), Uncertain)>,
) {
    out.push_str("points = [\n");
    for ((x_kind, position), value) in all {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "  {{ {x} = {}, {y} = {} }},",
            quantity(x_kind, position),
            quantity(kind, value)
        );
    }
    out.push_str("]\n");
}
