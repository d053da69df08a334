//! The report of `cll mpi model`: predictions first, then what they are made of.

use cll_report::{Style, mpi_model_text};
use cll_result::{
    MpiModel, MpiModelErrors, MpiModelLoop, MpiModelPoint, MpiModelPrediction, MpiModelPrimitive,
    MpiModelRank, MpiModelSegment, MpiModelShare, MpiModelStart,
};
use cll_units::Seconds;
use expect_test::expect;

use crate::scenes::{kept, matrix};

fn style() -> Style {
    Style { width: 120, color: false, unicode: true }
}

fn point(n: f64, measured: f64, predicted: f64, rounds: u32) -> MpiModelPoint {
    MpiModelPoint {
        values: vec![n],
        processors: 2,
        measured: Seconds(measured),
        predicted: Some(Seconds(predicted)),
        error: Some((measured - predicted) / measured),
        runs: 1,
        rounds,
        spread: (rounds > 1).then_some(0.125),
        ..MpiModelPoint::default()
    }
}

fn share(what: &str, time: f64) -> MpiModelShare {
    MpiModelShare { what: what.to_owned(), is_segment: true, time: Seconds(time) }
}

/// A pipeline of two ranks.
fn model() -> MpiModel {
    let segment = |number: u32, before: &str, share: f64| MpiModelSegment {
        number,
        ranks: "rank 0".to_owned(),
        before: before.to_owned(),
        time: Seconds(2e-3),
        share,
        ..MpiModelSegment::default()
    };
    let work = MpiModelSegment {
        fit: Some(kept("matrix", matrix)),
        ..segment(2, "MPI_Send pipe.c:16", 0.6)
    };
    let call = |call: &str, bytes: &str, is_exact, share| MpiModelPrimitive {
        call: call.to_owned(),
        ranks: "rank 0".to_owned(),
        bytes: bytes.to_owned(),
        is_exact,
        time: Seconds(5e-6),
        share,
        is_of_machine: !is_exact,
        ..MpiModelPrimitive::default()
    };
    MpiModel {
        program: "pipe".to_owned(),
        library: "Open MPI v4.1.4, package: Debian".to_owned(),
        variables: vec!["n".to_owned()],
        made: 14,
        runs: 4,
        rounds: 5,
        segments: vec![segment(1, "MPI_Irecv pipe.c:21", 0.01), work],
        primitives: vec![
            call("MPI_Send pipe.c:16", "8*n^2", true, 0.02),
            call("MPI_Isend pipe.c:22", "8*n", false, 0.1),
        ],
        loops: vec![MpiModelLoop {
            ranks: "rank 0".to_owned(),
            call: "MPI_Send pipe.c:16".to_owned(),
            passages: "n".to_owned(),
            is_exact: true,
        }],
        start: vec![MpiModelStart {
            processes: 2,
            time: Seconds(0.5),
            low: Seconds(0.4),
            high: Seconds(0.7),
        }],
        rendezvous_bytes: Some(4096.0),
        fitted: vec![point(8.0, 0.018, 0.02, 3), point(16.0, 0.04, 0.036, 5)],
        held_out: vec![point(20.0, 0.05, 0.045, 3)],
        errors: MpiModelErrors { is_held_out: true, mean: 0.1, median: 0.1, largest: 0.1 },
        predictions: vec![
            MpiModelPrediction {
                values: vec![48.0],
                processors: 2,
                time: Some(Seconds(0.1)),
                low: Seconds(0.09),
                high: Seconds(0.12),
                master: Seconds(0.097),
                k: Seconds(0.003),
                start: Some(Seconds(0.5)),
                is_outside: true,
                unsure: vec!["segment II, rank 0".to_owned()],
                path: vec![share("segment II, rank 0", 0.08), share("MPI_Recv pipe.c:18", 0.02)],
                ranks: [0.001, 0.09]
                    .into_iter()
                    .zip(0..)
                    .map(|(waiting, rank)| MpiModelRank {
                        rank,
                        waiting: Seconds(waiting),
                        ..MpiModelRank::default()
                    })
                    .collect(),
                changed: Some(Seconds(0.06)),
                unmatched: 3,
                ..MpiModelPrediction::default()
            },
            MpiModelPrediction {
                values: vec![12.0],
                processors: 4,
                why: "all runs had 2 processes".to_owned(),
                ..MpiModelPrediction::default()
            },
        ],
        notes: vec!["1 of 14 runs make other calls and are left out".to_owned()],
        ..MpiModel::new()
    }
}

#[test]
fn predictions_come_first_then_what_they_are_made_of() {
    expect![[r#"
        pipe: the 4 quickest of 14 runs in 3 to 5 rounds, Open MPI v4.1.4
          errors at held-out points: mean 10 %, median 10 %, largest 10 %
          more than 3 rounds where the two quickest runs differed, with how much they differ now: n=16 P=2: 5 (12 %)
          note: 1 of 14 runs make other calls and are left out

        n=48 P=2: 100 ms (90 %: 90.0 ms to 120 ms; outside of what was run)
          with start and end of the processes (500 ms): 600 ms
          sum of the segments of rank 0: 97.0 ms, k = 3.00 ms
          with the changes: 60.0 ms
          the interval is wide since several formulas explain the runs of these parts and differ here (more values of the variables would tell them apart): segment II, rank 0
          not reliable: 3 calls wait for something that no rank does in the model, since the passages of some loops do not follow from the variables
          rank 1 waits most: 90 % of its time
          Longest path           time  share
          ──────────────────  ───────  ─────
          segment II, rank 0  80.0 ms   80 %
          MPI_Recv pipe.c:18  20.0 ms   20 %

        n=12 P=4: not known: all runs had 2 processes

        Held-out points
                    measured    model    error
          ────────  ────────  ───────  ───────
          n=20 P=2   50.0 ms  45.0 ms  +10.0 %

        Segments
          Segment  ranks   before               time of a passage                                          of a rank's time
          ───────  ──────  ───────────────────  ─────────────────────────────────────────────────────────  ────────────────
          I        rank 0  MPI_Irecv pipe.c:21  2.00 ms                                                               1.0 %
          II       rank 0  MPI_Send pipe.c:16   1.12 µs + 4.5 ns*N + 1.901 ns*N*N (2 intervals, the last)              60 %

        Calls
          Call                 ranks   bytes      time without waiting  of a rank's time
          ───────────────────  ──────  ─────────  ────────────────────  ────────────────
          MPI_Isend pipe.c:22  rank 0  about 8*n  5.00 µs (machine)                 10 %
          MPI_Send pipe.c:16   rank 0  8*n^2      5.00 µs                          2.0 %
          sends of 4096 bytes and more wait for their receivers

        Loops
          rank 0, from MPI_Send pipe.c:16: n passages

        start and end of 2 processes: 500 ms (400 ms to 700 ms)
    "#]].assert_eq(&mpi_model_text(&model(), &style()));
}

#[test]
fn without_points_calls_and_loops_their_parts_are_missing() {
    let least = MpiModel {
        program: "pipe\u{1b}[2J".to_owned(),
        made: 1,
        runs: 1,
        rounds: 1,
        fitted: vec![MpiModelPoint { error: None, ..point(8.0, 0.02, 0.02, 1) }],
        ..MpiModel::new()
    };
    let text = mpi_model_text(&least, &style());
    assert!(!text.contains('\u{1b}') && text.contains(": 1 run in 1 round"), "{text}");
    for part in ["errors at", "Held-out points", "Calls", "Loops", "more than", "waits most"] {
        assert!(!text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_has_small_shares_is_counted() {
    let mut many = model();
    let small = many.segments[0].clone();
    many.segments.extend((3..20).map(|number| MpiModelSegment { number, ..small.clone() }));
    let text = mpi_model_text(&many, &style());
    assert!(text.contains("… and 9 with smaller shares (--json has all)"), "{text}");
    // The largest is among those that are shown, in the order of their numbers.
    let rows: Vec<&str> =
        text.lines().filter(|line| line.contains("MPI_Irecv pipe.c:21")).collect();
    assert_eq!(rows.len(), 9, "{text}");
    assert!(text.contains("MPI_Send pipe.c:16"), "{text}");
    let ascii = Style { unicode: false, ..style() };
    let text = mpi_model_text(&many, &ascii);
    assert!(text.is_ascii() && text.contains("... and 9 with"), "{text}");
    // Of many points with more rounds a few are named.
    many.fitted = (0..12).map(|k| point(f64::from(k), 1.0, 1.0, 2 + u32::from(k > 0))).collect();
    many.held_out.clear();
    let text = mpi_model_text(&many, &ascii);
    assert!(text.contains("; 3 others") && text.contains("2 to 5 rounds"), "{text}");
}
