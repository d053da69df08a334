//! The primitives of MPIs as text.

use std::fmt::Write as _;

use super::{line, pieces, quantity, text};
use crate::message_passing::MessagePassing;
use crate::quantity::QuantityKind;

pub(super) fn message_passing(out: &mut String, all: &MessagePassing) {
    for one in &all.libraries {
        out.push_str("\n[[mpi]]\n");
        line(out, "name", &text(&one.name));
        line(out, "hosts", &one.hosts.to_string());
        for (key, size) in [("eager", one.eager), ("eager-outside", one.eager_outside)] {
            if let Some(size) = size {
                line(out, key, &quantity(QuantityKind::Size, size));
            }
        }
        if !one.start.is_empty() {
            out.push_str("start = [\n");
            for start in &one.start {
                let time = quantity(QuantityKind::Time, start.time);
                // Writing to a string cannot fail.
                let _ = writeln!(out, "  {{ processes = {}, time = {time} }},", start.processes);
            }
            out.push_str("]\n");
        }
    }
    for one in &all.messages {
        out.push_str("\n[[message]]\n");
        line(out, "mpi", &text(&one.mpi));
        line(out, "hosts", &one.hosts.to_string());
        line(out, "call", &text(one.call.name()));
        if let Some(partner) = one.partner {
            line(out, "partner", &text(partner.name()));
        }
        pieces(out, "pieces", &one.segments);
    }
    for one in &all.collectives {
        out.push_str("\n[[collective]]\n");
        line(out, "mpi", &text(&one.mpi));
        line(out, "hosts", &one.hosts.to_string());
        line(out, "call", &text(one.call.name()));
        line(out, "processes", &one.processes.to_string());
        if one.oversubscribed {
            line(out, "oversubscribed", "true");
        }
        pieces(out, "pieces", &one.segments);
    }
}
