//! The primitives of MPIs as text.

use std::fmt::Write as _;

use super::{line, quantity, segments, text};
use crate::message_passing::MessagePassing;
use crate::quantity::QuantityKind;

pub(super) fn message_passing(out: &mut String, all: &MessagePassing) {
    for library in &all.libraries {
        out.push_str("\n[[mpi]]\n");
        line(out, "name", &text(&library.name));
        line(out, "hosts", &library.hosts.to_string());
        for (key, size) in [("eager", library.eager), ("eager-outside", library.eager_outside)] {
            if let Some(size) = size {
                line(out, key, &quantity(QuantityKind::Size, size));
            }
        }
        if !library.start.is_empty() {
            out.push_str("start = [\n");
            for start in &library.start {
                let time = quantity(QuantityKind::Time, start.time);
                // Writing to a string cannot fail.
                let _ = writeln!(out, "  {{ processes = {}, time = {time} }},", start.processes);
            }
            out.push_str("]\n");
        }
    }
    for process in &all.messages {
        out.push_str("\n[[message]]\n");
        line(out, "mpi", &text(&process.mpi));
        line(out, "hosts", &process.hosts.to_string());
        line(out, "call", &text(process.call.name()));
        if let Some(partner) = process.partner {
            line(out, "partner", &text(partner.name()));
        }
        segments(out, "segments", &process.segments);
    }
    for segment in &all.collectives {
        out.push_str("\n[[collective]]\n");
        line(out, "mpi", &text(&segment.mpi));
        line(out, "hosts", &segment.hosts.to_string());
        line(out, "call", &text(segment.call.name()));
        line(out, "processes", &segment.processes.to_string());
        if segment.oversubscribed {
            line(out, "oversubscribed", "true");
        }
        segments(out, "segments", &segment.segments);
    }
}
