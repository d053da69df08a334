//! The words of a graph.

use cll_diagnostic::counted;
use cll_fit::Unit;
use cll_result::{GraphCall, GraphFlow, GraphLoop, GraphSegment, GraphStep, MpiGraph, roman};
use cll_units::Seconds;

use crate::Notation;
use crate::style::Style;

/// Ranks that are named one by one.
const RANKS: usize = 6;

pub(super) fn seconds(time: Seconds, notation: Notation) -> String {
    notation.quantity(time.get(), &Unit::Seconds)
}

/// `heat: 4 ranks in 3 flows, 20 calls in 1.2 s`.
pub(super) fn title(graph: &MpiGraph, notation: Notation) -> String {
    let flows = if graph.flows.len() == 1 { "flow" } else { "flows" };
    let ranks = counted(graph.ranks as usize, "rank", "ranks");
    let calls = counted(graph.calls as usize, "call", "calls");
    if graph.is_tasks {
        let tasks: usize = graph.flows.iter().map(|flow| count(&flow.steps)).sum();
        let time = match graph.runtime {
            _ if graph.is_source && !graph.is_measured => ", not run".to_owned(),
            None => String::new(),
            Some(time) => format!(" in {}", seconds(time, notation)),
        };
        return format!(
            "{}, tasks: {ranks}, {} {flows}, {}{time}",
            crate::text::escape(&graph.program),
            graph.flows.len(),
            counted(tasks, "task", "tasks")
        );
    }
    if graph.is_source {
        let run = match (graph.is_measured, graph.runtime) {
            (false, _) => ", not run".to_owned(),
            (true, None) => ", with a run".to_owned(),
            (true, Some(time)) => format!(", with a run of {}", seconds(time, notation)),
        };
        return format!(
            "{}{run}: {ranks}, {} {flows}, {calls} in the source",
            crate::text::escape(&graph.program),
            graph.flows.len()
        );
    }
    let time =
        graph.runtime.map_or(String::new(), |time| format!(" in {}", seconds(time, notation)));
    format!(
        "{}: {ranks}, {} {flows}, {calls}{time}",
        crate::text::escape(&graph.program),
        graph.flows.len()
    )
}

/// `rank 0`, `ranks 1-3`, `ranks 0, 2, 5, thread 1`.
pub(super) fn name(flow: &GraphFlow) -> String {
    let text = ranks(&flow.ranks);
    match flow.thread {
        Some(thread) => format!("{text}, thread {thread}"),
        None => text,
    }
}

/// `ranks 1-3`.
pub(super) fn ranks(ranks: &[u32]) -> String {
    let is_stretch = ranks.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match ranks {
        [number] => format!("rank {number}"),
        [first, .., last] if is_stretch => format!("ranks {first}-{last}"),
        all => {
            let shown: Vec<String> = all.iter().take(RANKS).map(u32::to_string).collect();
            let more = if all.len() > RANKS {
                format!(" and {} others", all.len() - RANKS)
            } else {
                String::new()
            };
            format!("ranks {}{more}", shown.join(", "))
        }
    }
}

/// `III  1.2 ms  main heat.c:10 → heat.c:20`.
pub(super) fn segment(graph_segment: &GraphSegment, notation: Notation) -> String {
    let time =
        graph_segment.time.map_or(String::new(), |time| format!("{}  ", seconds(time, notation)));
    let operations = match graph_segment.operations.as_str() {
        "" => String::new(),
        some => format!(", {some} operations"),
    };
    format!("{}  {time}{}{operations}", roman(graph_segment.number), place(graph_segment))
}

/// `main heat.c:10-20`.
pub(super) fn place(segment: &GraphSegment) -> String {
    format!("{} {}", segment.function, range(&segment.from, &segment.to)).trim().to_owned()
}

/// `heat.c:10-20`.
pub(super) fn range(from: &str, to: &str) -> String {
    let file = |place: &str| place.rsplit_once(':').map(|(file, _)| file.to_owned());
    let is_same = file(from).is_some() && file(from) == file(to);
    match (from.is_empty() || from == to, is_same) {
        (true, _) => to.to_owned(),
        (false, true) => {
            let line = to.rsplit_once(':').map_or("", |(_, line)| line);
            format!("{from}-{line}")
        }
        (false, false) => format!("{from} - {to}"),
    }
}

/// `MPI_Send to rank 1, heat.c:20, 1.2 ms (waiting 1 ms)`.
pub(super) fn calls(call: &GraphCall, notation: Notation) -> String {
    let mut text = call.call.clone();
    if !call.partners.is_empty() {
        text.push_str(&format!(" {}", call.partners));
    }
    if !call.place.is_empty() {
        text.push_str(&format!(", {}", call.place));
    }
    if let Some(time) = call.time {
        text.push_str(&format!(", {}", seconds(time, notation)));
    }
    if let Some(waiting) = call.waiting.filter(|&waiting| waiting > Seconds::ZERO) {
        text.push_str(&format!(" (waiting {})", seconds(waiting, notation)));
    }
    if call.open > 0 {
        text.push_str(&format!(", {} did not return", call.open));
    }
    text
}

/// `8 B`, `8 B to 2 KB`; `None`: it moves none.
pub(super) fn bytes(call: &GraphCall, notation: Notation) -> Option<String> {
    let (least, most) = (call.least_bytes.get(), call.most_bytes.get());
    let measured = match (least == most, most) {
        (_, 0) => None,
        (true, most) => Some(notation.bytes(most)),
        (false, most) => Some(format!("{} to {}", notation.bytes(least), notation.bytes(most))),
    };
    match (call.size.as_str(), measured) {
        ("", measured) => measured,
        (size, Some(measured)) if call.is_measured => {
            Some(format!("{size} (measured: {measured})"))
        }
        (size, _) => Some(size.to_owned()),
    }
}

pub(super) fn times(times: u64, style: &Style) -> String {
    match times {
        0 | 1 => String::new(),
        times => format!("  {}{times}", style.glyph("×", "x")),
    }
}

/// `loop of 20 passages`, `loop of 3 to 7 passages: for (…)`, `if (…)`.
pub(super) fn loop_count(graph_loop: &GraphLoop) -> String {
    let head =
        if graph_loop.head.is_empty() { String::new() } else { format!(": {}", graph_loop.head) };
    let head = if graph_loop.is_measured { format!(" (measured){head}") } else { head };
    match (graph_loop.is_choice, graph_loop.is_known, graph_loop.least == graph_loop.most) {
        (true, ..) if graph_loop.is_measured => {
            format!(
                "{} (measured: {} of {} times)",
                graph_loop.head, graph_loop.least, graph_loop.most
            )
        }
        (true, ..) => graph_loop.head.clone(),
        (_, false, _) => format!("loop{head}"),
        (_, _, true) => format!("loop of {} passages{head}", graph_loop.most),
        (_, _, false) => {
            format!("loop of {} to {} passages{head}", graph_loop.least, graph_loop.most)
        }
    }
}

/// The number of tasks in steps.
fn count(steps: &[GraphStep]) -> usize {
    let tasks_in = |step: &GraphStep| match step {
        GraphStep::Task(_) => 1,
        GraphStep::Loop(graph_loop) => count(&graph_loop.steps),
        _ => 0,
    };
    steps.iter().map(tasks_in).sum()
}
