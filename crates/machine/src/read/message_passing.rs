//! The primitives of MPIs in a machine's file.

use cll_diagnostic::Diagnostic;

use super::entries::segments;
use super::fields::{Fields, Messages, Quantities};
use super::memory::{each, positive};
use crate::communication::Segment;
use crate::machine::Machine;
use crate::message_passing::{
    Collective, CollectiveLine, MessageCall, MessageLine, MessagePassing, MpiLibrary, Partner,
    ProcessStart,
};
use crate::quantity::QuantityKind;

/// Reads all of them.
pub(super) fn message_passing(
    fields: &mut Fields<'_, '_>,
    machine: &mut Machine,
    messages: &mut Messages,
) {
    let all = &mut machine.message_passing;
    each(fields, "mpi", "[[mpi]]", messages, |table, messages| {
        let library = library(table, all, messages)?;
        all.libraries.push(library);
        Some(())
    });
    each(fields, "message", "[[message]]", messages, |table, messages| {
        let message = message(table, all, messages)?;
        all.messages.push(message);
        Some(())
    });
    each(fields, "collective", "[[collective]]", messages, |table, messages| {
        let collective = collective(table, messages)?;
        all.collectives.push(collective);
        Some(())
    });
}

/// An MPI, which is no other one of the file.
fn library(
    table: &mut Fields<'_, '_>,
    known: &MessagePassing,
    messages: &mut Messages,
) -> Option<MpiLibrary> {
    table.need("name", messages);
    let name = table.text("name", messages);
    let hosts = hosts(table, messages);
    let mut size = |key| Some(table.quantity_if_there(key, &[QuantityKind::Size], messages)?.1);
    let (eager, eager_outside) = (size("eager"), size("eager-outside"));
    let mut start: Vec<ProcessStart> = Vec::new();
    for mut fields in table.tables("start", "a start", messages) {
        fields.need("processes", messages);
        let processes = fields.integer_from("processes", 1, messages);
        let time = positive(&mut fields, "time", QuantityKind::Time, messages);
        fields.end(messages);
        start.extend(processes.zip(time).map(|(processes, time)| ProcessStart { processes, time }));
    }
    let (name, hosts) = (name?, hosts?);
    if known.library(&name, hosts).is_some() {
        twice(&format!("{name} on {hosts} hosts"), table, messages);
        return None;
    }
    Some(MpiLibrary { name, hosts, eager, eager_outside, start })
}

/// The times of a call for messages, which has no other line.
fn message(
    table: &mut Fields<'_, '_>,
    known: &MessagePassing,
    messages: &mut Messages,
) -> Option<MessageLine> {
    let mpi = mpi(table, messages);
    let hosts = hosts(table, messages);
    table.need("call", messages);
    let call = table.word("call", &MessageCall::ALL, MessageCall::name, messages);
    let place = table.take("partner").map(toml::Spanned::span);
    let partner = table.word("partner", &Partner::ALL, Partner::name, messages);
    let segments = line(table, messages);
    if place.is_some() && partner.is_none() {
        return None;
    }
    let (mpi, hosts, call, segments) = (mpi?, hosts?, call?, segments?);
    let is_whole = call <= MessageCall::Reception;
    match place {
        Some(place) if is_whole => {
            let text = format!("{} has no partner: it is of both processes", call.name());
            messages.error("M012", place, text);
            return None;
        }
        None if !is_whole => {
            table.need("partner", messages);
            return None;
        }
        _ => {}
    }
    if known.message(&mpi, hosts, call, partner).is_some() {
        twice(&format!("{} of {mpi}", call.name()), table, messages);
        return None;
    }
    Some(MessageLine { mpi, hosts, call, partner, segments })
}

/// The times of a collective.
fn collective(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<CollectiveLine> {
    let mpi = mpi(table, messages);
    let hosts = hosts(table, messages);
    table.need("call", messages);
    let call = table.word("call", &Collective::ALL, Collective::name, messages);
    table.need("processes", messages);
    let processes = table.integer_from("processes", 1, messages);
    let oversubscribed = table.flag("oversubscribed", messages).unwrap_or(false);
    let segments = line(table, messages);
    Some(CollectiveLine {
        mpi: mpi?,
        hosts: hosts?,
        call: call?,
        processes: processes?,
        oversubscribed,
        segments: segments?,
    })
}

fn mpi(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<String> {
    table.need("mpi", messages)?;
    table.text("mpi", messages)
}

/// One host if the field is missing.
fn hosts(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<u32> {
    match table.take("hosts") {
        None => Some(1),
        Some(_) => table.integer_from("hosts", 1, messages),
    }
}

/// The line of a message or a collective; files of older versions call its segments `pieces`.
fn line(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Vec<Segment>> {
    let key = if table.take("pieces").is_some() { "pieces" } else { "segments" };
    table.need(key, messages)?;
    segments(table, key, messages)
}

fn twice(what: &str, table: &Fields<'_, '_>, messages: &mut Messages) {
    messages.push(
        Diagnostic::error("M013", table.place.clone(), format!("{what} is here twice"))
            .help("a table has an MPI, hosts, a call and a partner that no other one has together"),
    );
}
