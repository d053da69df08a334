//! The Chrome export: every arrow begins and ends inside of slices of the right threads.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::mpi_calls::{MPIS, cll, compile, ready};
use crate::recorded::logs_in;
use crate::support::Place;

/// Messages by all means: blocking, with requests, persistent, probed, polled for; ROUNDS of them by two processes.
const MEANS: &str = include_str!("../recorded/sources/means.c");

/// A slice: begin, end and name.
type Slice = (f64, f64, String);

/// A thread: process and number.
type Lane = (u64, u64);

/// The slices of each thread, in order. They must not overlap, except those of calls that poll.
fn slices(events: &[Value]) -> BTreeMap<Lane, Vec<Slice>> {
    let mut all: BTreeMap<Lane, Vec<Slice>> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X" || event["ph"] == "B") {
        let begin = event["ts"].as_f64().expect("a time");
        let end = event["dur"].as_f64().map_or(f64::MAX, |time| begin + time);
        let name = event["name"].as_str().expect("a name").to_owned();
        all.entry(lane(event)).or_default().push((begin, end, name));
    }
    for of_thread in all.values_mut() {
        of_thread.sort_by(|slice, other| slice.0.total_cmp(&other.0));
    }
    all
}

fn lane(event: &Value) -> Lane {
    (event["pid"].as_u64().expect("a process"), event["tid"].as_u64().expect("a thread"))
}

/// The end of an arrow: its time, thread and call.
type End = (f64, Lane, String);

/// An arrow: the thread and the call at which it begins, those at which it ends.
type Arrow = [(Lane, String); 2];

/// The arrows of a trace, after a check of each: both ends are inside of one slice. Times are thousandths of microseconds,
/// so half of one is the room for rounding.
pub fn arrows(trace: &str) -> Vec<Arrow> {
    let trace: Value = serde_json::from_str(trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let slices = slices(events);
    let mut ends: BTreeMap<u64, [Option<End>; 2]> = BTreeMap::new();
    for event in events {
        let side = match event["ph"].as_str() {
            Some("s") => 0,
            Some("f") => 1,
            _ => continue,
        };
        assert!(side == 0 || event["bp"] == "e", "{event}");
        let time = event["ts"].as_f64().expect("a time");
        let of_thread = &slices[&lane(event)];
        let after = of_thread.partition_point(|slice| slice.0 < time + 0.0005);
        let around = after.checked_sub(1).map(|before| &of_thread[before]);
        let (begin, end, name) = around.unwrap_or_else(|| panic!("before all slices: {event}"));
        assert!(
            time > begin - 0.0005 && time < end - 0.0005,
            "{event} is not inside of {name} from {begin} to {end}"
        );
        let id = event["id"].as_u64().expect("a number");
        let known = &mut ends.entry(id).or_default()[side];
        assert!(known.is_none(), "{event} is there twice");
        *known = Some((time, lane(event), name.clone()));
    }
    let both = ends.into_values().map(|ends| {
        let [Some(begin), Some(end)] = ends else { panic!("an arrow has one end: {ends:?}") };
        assert!(begin.0 <= end.0, "{begin:?} {end:?}");
        [(begin.1, begin.2), (end.1, end.2)]
    });
    both.collect()
}

/// The arrows of a logged run.
pub fn exported(place: &Place, folder: &str) -> (String, Vec<Arrow>) {
    let line = ["mpi", "export", "--format", "chrome", "--out", "trace.json", folder];
    place.cll(&line).expect(0);
    let trace = place.read("trace.json");
    let arrows = arrows(&trace);
    (trace, arrows)
}

#[test]
fn an_arrow_leads_from_the_call_that_sends_to_the_one_that_has_received() {
    // A long run is no recording.
    let is_long = test_draw::is_full() && ready("an_arrow_leads_from_the_call");
    let rounds = if is_long { 12_500 } else { 40 };
    for mpi in MPIS {
        let place = Place::new();
        if is_long {
            place.write("means.c", MEANS);
            compile(&place, &format!("mpicc.{mpi}"), "means.c", "means");
            let line = ["run", "-n", "2", "--log", "-o", "log", "./means", &rounds.to_string()];
            cll(&place, &line).expect(0);
        } else {
            logs_in(&place, mpi, "means", "log");
        }
        let (_, arrows) = exported(&place, "log");
        assert_eq!(arrows.len(), 8 * rounds, "{mpi}");
        let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for [from, to] in &arrows {
            assert_ne!(from.0, to.0, "{mpi}");
            *kinds.entry((&from.1, &to.1)).or_default() += 1;
        }
        let wanted = [
            (("MPI_Isend", "MPI_Testall"), 2 * rounds),
            (("MPI_Send", "MPI_Recv"), rounds),
            (("MPI_Sendrecv", "MPI_Sendrecv"), 2 * rounds),
            (("MPI_Ssend", "MPI_Recv"), rounds),
            (("MPI_Startall", "MPI_Waitall"), 2 * rounds),
        ];
        assert_eq!(kinds, BTreeMap::from(wanted), "{mpi}");
    }
}

#[test]
fn arrows_lead_to_the_threads_that_receive() {
    for mpi in MPIS {
        let place = Place::new();
        logs_in(&place, mpi, "threads", "log");
        let (trace, arrows) = exported(&place, "log");
        assert_eq!(trace.matches("\"thread_name\"").count(), 4, "{mpi}");
        // 20 there and 20 back, of each of two pairs of threads.
        let mut pairs: BTreeMap<(Lane, Lane), usize> = BTreeMap::new();
        for [from, to] in &arrows {
            assert_eq!((from.1.as_str(), to.1.as_str()), ("MPI_Send", "MPI_Recv"), "{mpi}");
            *pairs.entry((from.0, to.0)).or_default() += 1;
        }
        assert_eq!(pairs.len(), 4, "{mpi}: {pairs:?}");
        assert!(pairs.values().all(|&count| count == 20), "{mpi}: {pairs:?}");
        for &(from, to) in pairs.keys() {
            assert!(from.0 != to.0 && pairs.contains_key(&(to, from)), "{mpi}: {pairs:?}");
        }
    }
}

/// Debian's MPICH 4.0 cannot start processes.
#[test]
fn arrows_lead_to_processes_that_the_program_has_started() {
    let place = Place::new();
    logs_in(&place, "openmpi", "starts", "log");
    let (trace, arrows) = exported(&place, "log");
    let ends: Vec<(u64, u64)> = arrows.iter().map(|[from, to]| (from.0.0, to.0.0)).collect();
    assert_eq!(ends, [(0, 3), (3, 0)]);
    for name in ["rank 0 (starts-openmpi)", "rank 4 (starts-openmpi)"] {
        assert!(trace.contains(name), "{name}");
    }
}
