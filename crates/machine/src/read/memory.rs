//! The costs of memory and operations in a machine's file.

use cll_diagnostic::Diagnostic;

use super::fields::{Fields, Messages, Quantities, is_empty_list};
use crate::machine::Machine;
use crate::memory::{
    Access, BandwidthCurve, BandwidthPoint, Contention, IndependentCurve, LatencyCurve,
    LatencyPoint, Level, LoadedCurve, LoadedPoint, Operation, Pages, Translation,
};
use crate::quantity::QuantityKind;
use crate::uncertain::Uncertain;

/// Reads all of them.
pub(super) fn memory(fields: &mut Fields<'_, '_>, machine: &mut Machine, messages: &mut Messages) {
    let memory = &mut machine.memory;
    each(fields, "level", "[[level]]", messages, |table, messages| {
        memory.levels.push(level(table, messages)?);
        Some(())
    });
    each(fields, "translation", "[[translation]]", messages, |table, messages| {
        memory.translation.push(translation(table, messages)?);
        Some(())
    });
    each(fields, "latency", "[[latency]]", messages, |table, messages| {
        memory.latency.push(latency(table, messages)?);
        Some(())
    });
    each(fields, "independent", "[[independent]]", messages, |table, messages| {
        memory.independent.push(independent(table, messages)?);
        Some(())
    });
    each(fields, "bandwidth", "[[bandwidth]]", messages, |table, messages| {
        memory.bandwidth.push(bandwidth(table, messages)?);
        Some(())
    });
    each(fields, "loaded", "[[loaded]]", messages, |table, messages| {
        memory.loaded.push(loaded(table, messages)?);
        Some(())
    });
    each(fields, "contention", "[[contention]]", messages, |table, messages| {
        memory.contention.push(contention(table, messages)?);
        Some(())
    });
    let operations = &mut machine.operations;
    each(fields, "operation", "[[operation]]", messages, |table, messages| {
        operations.push(operation(table, messages)?);
        Some(())
    });
    if let Some(mut table) = fields.table("process", "[process]", messages) {
        // One of both must be there.
        let mut time = |key| positive_if_there(&mut table, key, QuantityKind::Time, messages);
        (machine.process_start, machine.page_use) = (time("start"), time("page"));
        if machine.process_start.is_none() && machine.page_use.is_none() {
            table.need("start", messages);
        }
        table.end(messages);
    }
}

/// A level of memory.
fn level(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Level> {
    table.need("name", messages);
    let name = table.text("name", messages);
    let size = positive_if_there(table, "size", QuantityKind::Size, messages);
    let latency = positive(table, "latency", QuantityKind::Time, messages);
    Some(Level { name: name?, size, latency: latency? })
}

/// What page tables cost beyond a reach.
fn translation(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Translation> {
    let reach = positive(table, "reach", QuantityKind::Size, messages);
    let page = positive(table, "page", QuantityKind::Size, messages);
    let cost = table.quantity("cost", &[QuantityKind::Time], messages);
    let (page, cost) = (page?.value, cost?.1);
    Some(Translation { reach: reach?, page, cost })
}

/// Latencies by size.
fn latency(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<LatencyCurve> {
    let stride = positive(table, "stride", QuantityKind::Size, messages);
    table.need("pages", messages);
    let pages = table.word("pages", &Pages::ALL, Pages::name, messages);
    let points =
        points(table, ("size", QuantityKind::Size), ("time", QuantityKind::Time), messages);
    let point = |(size, latency): (Uncertain, _)| LatencyPoint { size: size.value, latency };
    let points = points?.into_iter().map(point).collect();
    Some(LatencyCurve { stride: stride?.value, pages: pages?, points })
}

/// Times of independent accesses by size.
fn independent(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<IndependentCurve> {
    table.need("access", messages);
    let access = table.word("access", &Access::ALL, Access::name, messages);
    let stride = positive(table, "stride", QuantityKind::Size, messages);
    table.need("pages", messages);
    let pages = table.word("pages", &Pages::ALL, Pages::name, messages);
    let points =
        points(table, ("size", QuantityKind::Size), ("time", QuantityKind::Time), messages);
    let point = |(size, latency): (Uncertain, _)| LatencyPoint { size: size.value, latency };
    let points = points?.into_iter().map(point).collect();
    let (access, stride, pages) = (access?, stride?.value, pages?);
    Some(IndependentCurve { access, stride, pages, points })
}

/// Bandwidths by size.
fn bandwidth(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<BandwidthCurve> {
    table.need("access", messages);
    let access = table.word("access", &Access::ALL, Access::name, messages);
    table.need("cores", messages);
    let cores = table.integer_from("cores", 1, messages);
    let points =
        points(table, ("size", QuantityKind::Size), ("rate", QuantityKind::Bandwidth), messages);
    let point = |(size, rate): (Uncertain, _)| BandwidthPoint { size: size.value, rate };
    let points = points?.into_iter().map(point).collect();
    Some(BandwidthCurve { access: access?, cores: cores?, points })
}

/// Latencies by the rate of other cores.
fn loaded(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<LoadedCurve> {
    table.need("cores", messages);
    let cores = table.integer_from("cores", 1, messages);
    let points =
        points(table, ("rate", QuantityKind::Bandwidth), ("time", QuantityKind::Time), messages);
    let point = |(rate, latency)| LoadedPoint { rate, latency };
    let points = points?.into_iter().map(point).collect();
    Some(LoadedCurve { cores: cores?, points })
}

/// By how much cores slow each other down.
fn contention(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Contention> {
    table.need("level", messages);
    let level = table.text("level", messages);
    table.need("cores", messages);
    let cores = table.integer_from("cores", 1, messages);
    let factor = positive(table, "factor", QuantityKind::Factor, messages);
    Some(Contention { level: level?, cores: cores?, factor: factor? })
}

/// The cost of an operation.
fn operation(table: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<Operation> {
    table.need("name", messages);
    let name = table.text("name", messages);
    let operand = table.text("operand", messages).unwrap_or_default();
    let mut time = |key| Some(table.quantity_if_there(key, &[QuantityKind::Time], messages)?.1);
    let (latency, each) = (time("latency"), time("each"));
    // What is no time has its message already.
    if ["latency", "each"].into_iter().all(|key| table.take(key).is_none()) {
        let text = "[[operation]] has neither latency nor each";
        messages.error("M005", table.place.clone(), text);
        return None;
    }
    Some(Operation { name: name?, operand, latency, each })
}

/// Reads the tables of a list. What is wrong with one has been said by the time that it is `None`.
pub(super) fn each<'a, 'i>(
    fields: &mut Fields<'a, 'i>,
    key: &'static str,
    what: &'static str,
    messages: &mut Messages,
    mut read: impl FnMut(&mut Fields<'a, 'i>, &mut Messages) -> Option<()>,
) {
    for mut table in fields.tables(key, what, messages) {
        let _ = read(&mut table, messages);
        table.end(messages);
    }
}

/// A quantity above 0.
pub(super) fn positive(
    table: &mut Fields<'_, '_>,
    key: &'static str,
    kind: QuantityKind,
    messages: &mut Messages,
) -> Option<Uncertain> {
    table.need(key, messages)?;
    positive_if_there(table, key, kind, messages)
}

fn positive_if_there(
    table: &mut Fields<'_, '_>,
    key: &'static str,
    kind: QuantityKind,
    messages: &mut Messages,
) -> Option<Uncertain> {
    let place = table.take(key)?.span();
    let (_, value) = table.quantity_if_there(key, &[kind], messages)?;
    if value.value <= 0.0 {
        messages.error("M008", place, format!("{key} cannot be 0"));
        return None;
    }
    Some(value)
}

/// The points of a curve, each with two quantities, ascending by the first.
fn points(
    table: &mut Fields<'_, '_>,
    (x, x_kind): (&'static str, QuantityKind),
    (y, y_kind): (&'static str, QuantityKind),
    messages: &mut Messages,
) -> Option<Vec<(Uncertain, Uncertain)>> {
    let list = table.need("points", messages)?;
    let tables = table.tables("points", "a point", messages);
    let mut found: Vec<(Uncertain, Uncertain)> = Vec::new();
    let mut wrong = false;
    for mut point in tables {
        let place = point.place.clone();
        let position = match x_kind {
            // The others read nothing in the first point of a curve under load.
            QuantityKind::Bandwidth => Some(point.quantity(x, &[x_kind], messages)).flatten(),
            _ => positive(&mut point, x, x_kind, messages).map(|value| (x_kind, value)),
        };
        let value = positive(&mut point, y, y_kind, messages);
        point.end(messages);
        let (Some((_, position)), Some(value)) = (position, value) else {
            wrong = true;
            continue;
        };
        if found.last().is_some_and(|(last, _)| last.value >= position.value) {
            messages.push(
                Diagnostic::error("M011", place, format!("the points do not ascend by {x}"))
                    .help("each is larger than the one before"),
            );
            wrong = true;
            continue;
        }
        found.push((position, value));
    }
    if is_empty_list(list) {
        messages.error("M005", list.span(), "a curve has at least one point");
    }
    (!found.is_empty() && !wrong).then_some(found)
}
