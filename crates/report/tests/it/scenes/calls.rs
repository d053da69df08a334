//! A profile of MPI calls without supersteps: a wavefront on four ranks, for the tests of its page.

use cll_profile::{Column, Costs, Frame, Node, NodeKind, Profile, Source, Supersteps, Traffic};
use cll_result::{
    MpiCall, MpiCritical, MpiDelay, MpiDetail, MpiEfficiency, MpiPath, MpiRank, MpiSegment,
    MpiShare, MpiSpread, MpiStats, MpiTraffic, MpiWait, NodeWaits, ProfileSource,
};
use cll_units::{Bytes, Seconds};

use super::profiles::{Shown, ShownCalls, summary};

const RANKS: usize = 4;
const TEXT: &str = "int main(void)\n{\n\tsweep();\n\tMPI_Recv();\n\twork();\n\tMPI_Send();\n\tMPI_Allreduce();\n}\n";
/// A name that no browser may obey.
const EVIL: &str = "<img src=x onerror=alert(1)>\u{202e}";

/// A leaf: the call, its line, and by rank computation, communication, waiting, bytes.
type Leaf = (&'static str, u32, usize, [[f64; RANKS]; 4]);

/// The wavefront; the faster one waits half as long for its senders.
pub fn wavefront(faster: bool) -> Shown {
    let late = if faster { 0.5 } else { 1.0 };
    let frame = |function: &str| {
        let function = function.to_owned();
        NodeKind::Function(Frame { function, file: "wave.c".into(), ..Frame::default() })
    };
    let leaves: [Leaf; 3] = [
        (
            "MPI_Recv",
            4,
            2,
            [
                [0.0, 0.01, 0.01, 0.01],
                [0.0, 0.02, 0.02, 0.02],
                [0.0, late, 2.0 * late, 3.0 * late],
                [0.0, 8e6, 8e6, 8e6],
            ],
        ),
        (
            "MPI_Send",
            6,
            2,
            [
                [2.0, 2.0, 2.0, 2.5],
                [0.02, 0.02, 0.02, 0.0],
                [0.1, 0.0, 0.0, 0.0],
                [8e6, 8e6, 8e6, 0.0],
            ],
        ),
        ("MPI_Allreduce", 7, 1, [[0.0; RANKS], [1e-3; RANKS], [3.0, 2.0, 1.0, 0.0], [8.0; RANKS]]),
    ];
    let mut kinds = vec![
        (NodeKind::Program { name: "wave".into() }, None),
        (frame("main"), Some(0)),
        (frame("sweep"), Some(1)),
    ];
    let mut each = vec![[[0.0; RANKS]; 4]; 3 + leaves.len()];
    for (index, (call, line, parent, own)) in leaves.iter().enumerate() {
        let kind = NodeKind::Call { call: (*call).into(), file: "wave.c".into(), line: *line };
        kinds.push((kind, Some(*parent)));
        each[3 + index] = *own;
    }
    for index in (1..kinds.len()).rev() {
        let (own, parent) = (each[index], kinds[index].1.unwrap_or(0));
        for (sums, own) in each[parent].iter_mut().zip(own) {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }
    let calls = [36.0, 36.0, 24.0, 12.0, 12.0, 12.0];
    let nodes = kinds.iter().enumerate().map(|(index, (kind, parent))| Node {
        kind: kind.clone(),
        parent: *parent,
        children: (0..kinds.len()).filter(|&kind| kinds[kind].1 == Some(index)).collect(),
        costs: Costs {
            supersteps: calls[index],
            metrics: each[index].map(|metric_values| summary(&metric_values)),
            idle_at_barrier: 0.0,
        },
        each: each[index].map(Vec::from),
        last: Vec::new(),
    });
    let profile = Profile {
        source: Source::Calls { library: "Open\tMPI v4.1, more\nof it".into(), waiting: true },
        processors: RANKS as u32,
        elapsed: Seconds(5.0),
        h_unit: 1,
        nodes: nodes.collect(),
        notes: Vec::new(),
    };
    let waits = |kind, leaf: &dyn Fn(usize) -> bool| NodeWaits {
        kind,
        nodes: (0..kinds.len())
            .map(|index| {
                let below = |start: usize| {
                    let mut up = Some(start);
                    while let Some(node) = up {
                        if node == index {
                            return true;
                        }
                        up = kinds[node].1;
                    }
                    false
                };
                let sum = |rank: usize| {
                    (3..kinds.len())
                        .filter(|&kind| leaf(kind) && below(kind))
                        .map(|kind| each[kind][2][rank])
                        .sum::<f64>()
                };
                summary(&std::array::from_fn::<f64, RANKS, _>(sum))
            })
            .collect(),
    };
    let waits = vec![
        waits("late sender", &|leaf| leaf == 3),
        waits("late receiver", &|leaf| leaf == 4),
        waits("collective", &|leaf| leaf == 5),
    ];
    let stats = stats(late);
    let slice = Some(Seconds(0.01));
    let notes = vec!["no supersteps, so the page shows calls of MPI: a <b>wavefront</b>".into()];
    let source =
        ProfileSource { file: "wave.c".into(), text: Some(TEXT.to_owned()), note: String::new() };
    Shown {
        file: if faster { "after.0.dat" } else { "before.0.dat" },
        profile,
        supersteps: Some(slices()),
        sources: vec![source],
        calls: Some(ShownCalls { stats, waits, slice, notes }),
    }
}

/// 500 slices of 10 ms: a rank computes from its turn on, and waits before.
fn slices() -> Supersteps {
    let mut values: [Vec<f32>; 4] = Default::default();
    let columns = (0..500).map(|slice| {
        let computes = |rank: usize| (100 * rank..100 * rank + 200).contains(&slice);
        let time_when = |yes: bool| if yes { 0.009 } else { 0.0 };
        let each: [[f64; RANKS]; 4] = [
            std::array::from_fn(|rank| time_when(computes(rank))),
            [0.001; RANKS],
            std::array::from_fn(|rank| time_when(!computes(rank))),
            [1000.0; RANKS],
        ];
        for (to, own) in values.iter_mut().zip(&each) {
            to.extend(own.iter().map(|&value| value as f32));
        }
        let node = match slice {
            0..200 => 4,
            200..400 => 3,
            _ => 5,
        };
        Column {
            supersteps: 1,
            node: Some(node),
            metrics: each.map(|metric_values| summary(&metric_values)),
        }
    });
    let columns = columns.collect();
    let mut traffic = Traffic::new(RANKS);
    (1..RANKS).for_each(|rank| traffic.count(rank - 1, rank, 8_000_000));
    Supersteps { processors: RANKS, per_column: 1, columns, values, traffic }
}

fn stats(late: f64) -> MpiStats {
    let path = |call: &str, place: &str, time: f64, waiting: f64| MpiPath {
        call: call.into(),
        place: place.into(),
        path: vec!["sweep".into(), "main".into()],
        calls: 12,
        time: Seconds(time),
        waiting: Some(Seconds(waiting)),
        spread: MpiSpread {
            ranks: 4,
            most_rank: 3,
            most: Seconds(time / 2.0),
            least: Seconds(0.0),
            imbalance: 2.0,
        },
        ..MpiPath::default()
    };
    let rank = |rank: u32| MpiRank {
        rank,
        host: "host".into(),
        threads: 1,
        calls: 9,
        time: Seconds(5.0),
        thread: Seconds(5.0),
        mpi: Seconds(3.0),
        waiting: Some(Seconds(2.5)),
        finalized: true,
        ..MpiRank::default()
    };
    let wait = |kind, calls, time| MpiWait { kind, calls, time: Seconds(time) };
    MpiStats {
        library: "Open MPI v4.1".into(),
        ranks: RANKS as u32,
        calls: 36,
        one_clock: true,
        by_call: vec![MpiCall {
            call: "MPI_Recv".into(),
            calls: 12,
            time: Seconds(6.1),
            waiting: Some(Seconds(6.0)),
            ..MpiCall::default()
        }],
        by_rank: (0..4).map(rank).collect(),
        detail: MpiDetail {
            by_path: vec![
                path("MPI_Recv", "wave.c:4", 6.06, 6.0 * late),
                path("MPI_Allreduce", "wave.c:7", 6.0, 6.0),
                path("MPI_Send", "wave.c:6", 0.16, 0.1),
            ],
            segments: vec![MpiSegment {
                function: "sweep".into(),
                after: "MPI_Recv wave.c:4".into(),
                before: "MPI_Send wave.c:6".into(),
                times: 12,
                time: Seconds(8.5),
                critical: Seconds(5.0),
                ..MpiSegment::default()
            }],
            waits: vec![
                wait("late sender", 9, 6.0 * late),
                wait("collective", 9, 6.0),
                wait("late receiver", 1, 0.1),
            ],
            delays: vec![MpiDelay {
                rank: 0,
                doing: format!("computing in {EVIL}"),
                time: Seconds(6.0 * late),
                kind: "late sender",
                waits: "MPI_Recv wave.c:4".into(),
                ..MpiDelay::default()
            }],
            messages: (1..4)
                .map(|to| MpiTraffic { from: to - 1, to, messages: 12, bytes: Bytes(8_000_000) })
                .collect(),
            efficiency: Some(MpiEfficiency {
                runtime: Seconds(5.0),
                parallel: 0.425,
                load_balance: 0.85,
                serialisation: 0.51,
                transfer: 0.98,
                ..MpiEfficiency::default()
            }),
            critical: Some(MpiCritical {
                time: Seconds(5.0),
                changes: 3,
                mpi: Seconds(0.1),
                by_rank: vec![MpiShare { rank: 0, time: Seconds(2.0) }],
            }),
            ..MpiDetail::default()
        },
        ..MpiStats::new()
    }
}
