//! Supersteps of programs of MPI that are logged without being compiled again: recorded runs of both MPIs, and one on two
//! hosts.

use test_hosts::Plan;

use crate::mpi_calls::{MPIS, compile, drawn, ready, with};
use crate::mpi_hosts;
use crate::recorded::logs;
use crate::support::{Place, run};

#[test]
fn supersteps_of_an_unmodified_program_are_read_by_all_commands() {
    let place = Place::new();
    for mpi in MPIS {
        // Its pragmas say nothing to mpicc: one size, 20 steps, each of two exchanges of a number with the neighbours; a reduction at the end.
        let files = logs(&place, mpi, "heat");
        let line = with(&["export", "--supersteps", "--format", "json"], &files);
        let export = place.cll(&line).expect(0).json();
        let rows = export["supersteps"].as_array().expect("a list");
        assert_eq!(rows.len(), 3 * (20 * 2 + 2), "{mpi}");
        let bytes_of = |ending: &str| {
            let all = rows.iter().filter(|row| row["ending"] == ending);
            all.map(|row| row["h_bytes"].as_u64().expect("bytes")).collect::<Vec<_>>()
        };
        assert_eq!(bytes_of("oblivious"), vec![8; 3 * 40], "{mpi}");
        assert_eq!((bytes_of("sync"), bytes_of("end")), (vec![4; 3], vec![0; 3]), "{mpi}");
        let file = rows[0]["file"].as_str().expect("a file");
        assert!(file.ends_with("heat.c") && rows[0]["line"] != 0, "{}", rows[0]);
        let profile = place.cll(&with(&["profile", "show"], &files)).expect(0);
        profile.prints(&["main", "heat.c:"]);
        let line = with(&["obsp", "--machine", "sgi-origin-2000", "--json"], &files);
        let priced = place.cll(&line).expect(0).json();
        let supersteps =
            priced["predictions"][0]["account"]["supersteps"].as_array().expect("a list");
        assert_eq!(supersteps.len(), 42, "{mpi}");
    }
}

#[test]
fn h_of_collectives_is_that_of_any_algorithm() {
    let place = Place::new();
    for mpi in MPIS {
        let files = logs(&place, mpi, "calls");
        let line = with(&["export", "--supersteps", "--format", "csv"], &files);
        let rows = place.cll(&line).expect(0).out;
        let mut h: std::collections::BTreeMap<u64, Vec<u64>> = std::collections::BTreeMap::new();
        for row in rows.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let number = |index: usize| fields[index].parse::<u64>().expect("a number");
            h.entry(number(1)).or_default().push(number(15));
        }
        let h: Vec<Vec<u64>> = h.into_values().collect();
        assert!(h.iter().all(|relation| relation.len() == 4), "{mpi}: {h:?}");
        // The ring.
        assert_eq!(h[..10], vec![vec![800; 4]; 10], "{mpi}");
        // One sends to all others: 20, 40, 60 bytes.
        assert_eq!(h[10], [120, 20, 40, 60], "{mpi}");
        let rest = &h[11..];
        let expected = [
            vec![0; 4],
            // Two halves, each three times.
            vec![80; 4],
            vec![80; 4],
            vec![80; 4],
            // From one to all, and from all to all.
            vec![64; 4],
            vec![96; 4],
        ];
        assert_eq!(rest[..6], expected, "{mpi}");
        // A put of each to the first, whose own is none; persistent requests.
        assert!(rest.contains(&vec![72, 24, 24, 24]), "{mpi}: {rest:?}");
        assert_eq!(rest.iter().filter(|one| **one == vec![48; 4]).count(), 4, "{mpi}: {rest:?}");
    }
}

#[test]
fn programs_without_supersteps_are_reported_why() {
    let place = Place::new();
    let files = logs(&place, "openmpi", "turns");
    let line = with(&["obsp", "--machine", "sgi-origin-2000"], &files);
    place.cll(&line).expect(6).says(&[
        "have no supersteps",
        "MPI_Recv at",
        "turns.c:11",
        "task farm",
    ]);
    // A profile has them by calls.
    let line = with(&["profile", "show"], &files);
    place
        .cll(&line)
        .expect(0)
        .says(&["no supersteps, so the profile is of calls of MPI", "turns.c:11"])
        .prints(&["MPI_Recv turns.c:19", "waits: late sender", "bytes"]);
    let json = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(json["profile"]["source"]["source"], "calls");
    let late = json["waits"].as_array().expect("a list").iter();
    let late = late.clone().find(|value| value["kind"] == "late sender").expect("the kind");
    assert_eq!(
        late["nodes"].as_array().map(Vec::len),
        json["profile"]["nodes"].as_array().map(Vec::len)
    );
    assert!(late["nodes"][0]["maximum"].as_f64() > Some(0.0), "{late}");
    let line =
        [&["profile", "diff"][..], &with(&[], &files), &["--with"], &with(&[], &files)].concat();
    let diff = place.cll(&line).expect(0);
    diff.prints(&["MPI_Recv turns.c:19", "the whole: bytes"]);
    let folded = place.cll(&with(&["profile", "export", "--format", "folded"], &files)).expect(0);
    folded.prints(&["main;MPI_Recv turns.c:19 "]);
    place
        .cll(&with(&["profile", "export", "--format", "chrome"], &files))
        .expect(2)
        .says(&["cll mpi export LOG... --format chrome --out FILE"]);
    place
        .cll(&with(&["profile", "show", "--as-on", "sgi-origin-2000"], &files))
        .expect(2)
        .says(&["cll mpi model predicts"]);
    // One file of several: the rest is asked for.
    place
        .cll(&["obsp", "--machine", "sgi-origin-2000", &files[0]])
        .expect(6)
        .says(&["no log of rank"]);
    let twice = [files[0].as_str(), files[0].as_str()];
    place
        .cll(&[&["profile", "show"], &twice[..]].concat())
        .expect(2)
        .says(&["in two of these logs"]);
    // A rank that was killed before it recorded anything leaves a file all the same.
    let last = files.last().expect("a file");
    place.write(last, "");
    let empty = format!("{last}: the file is empty");
    let obsp = ["obsp", "--machine", "sgi-origin-2000"];
    for command in [&["profile", "show"][..], &obsp, &["export", "--supersteps"]] {
        place.cll(&with(command, &files)).expect(3).says(&[&empty, "cll export --calls"]);
    }
    for command in [
        &["export", "--calls"][..],
        &["mpi", "stats"],
        &["mpi", "graph"],
        &["profile", "show", "--calls"],
    ] {
        place.cll(&with(command, &files)).expect(0).says(&[&empty, "it is left out"]);
    }
}

/// Exchanges between all pairs and reductions, on two hosts.
const TALK: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, i, mine = 0, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 100; i++) {
        MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"#;

/// Seconds by which the second host's clock is ahead.
const AHEAD: u32 = 5000;

#[test]
fn clocks_of_two_hosts_are_related_by_what_went_between_them() {
    let test = "clocks_of_two_hosts_are_related";
    if !ready(test) {
        return;
    }
    let plan = Plan { ahead_s: AHEAD, ..Plan::default() };
    let Some(hosts) = mpi_hosts::hosts(test, &plan) else { return };
    let place = Place::new();
    place.write("talk.c", TALK);
    for mpi in drawn(0) {
        // A name that `env` would take for a variable.
        let program = format!("talk={mpi}");
        compile(&place, &format!("mpicc.{mpi}"), "talk.c", &program);
        let mut run_there = mpi_hosts::cll(&hosts, &place, &place.path("."), mpi);
        run_there.args(["run", "-n", "2", "--log", "-o", &format!("out-{mpi}")]);
        run_there.arg(format!("./{program}"));
        run(&mut run_there).expect(0).says(&["several hosts"]);
        let folder = format!("out-{mpi}");
        let files: Vec<String> =
            place.list(&folder).iter().map(|name| format!("{folder}/{name}")).collect();
        let line = with(&["export", "--supersteps", "--format", "json"], &files);
        let done = place.cll(&line).expect(0);
        let done = done.says(&[&format!("times on {} were related", hosts.name(1)), "to within"]);
        let export = done.json();
        let rows = export["supersteps"].as_array().expect("a list");
        assert_eq!(rows.len(), 2 * 201, "{mpi}");
        // Who receives has not received before it was sent, and nobody leaves a reduction before all came.
        let span_of = |rank: u64, number: u64| {
            let is = |row: &&serde_json::Value| {
                row["of_program"] == rank && row["superstep"] == number && row["ending"] == "sync"
            };
            let row = rows.iter().find(is)?;
            let number = |name: &str| row[name].as_f64().expect("seconds");
            let came = number("start_s") + number("computation_s");
            Some((came, came + number("communication_s") + number("waiting_s")))
        };
        let mut met = 0;
        for number in 1..=200 {
            let (Some(pair), Some(other)) = (span_of(0, number), span_of(1, number)) else {
                continue;
            };
            let late = pair.0.max(other.0) - pair.1.min(other.1);
            assert!(late < 1e-6, "{mpi}, {number}: {pair:?} {other:?}");
            met += 1;
        }
        assert_eq!(met, 100, "{mpi}");
    }
}
