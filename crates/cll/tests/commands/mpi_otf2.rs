//! `cll mpi export --format otf2`: archives that the tools of OTF2 read.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::mpi_calls::with;
use crate::recorded::logs;
use crate::support::{Place, have, run};

/// How often each event is in an archive, and the definitions. Nothing may be said on standard error.
fn printed(place: &Place, folder: &str) -> (BTreeMap<String, usize>, String, String) {
    let anchor = format!("{folder}/traces.otf2");
    let print = |option: &[&str]| {
        let mut command = place.command("otf2-print");
        let done = run(command.args(option).arg(&anchor)).expect(0);
        assert_eq!(done.err, "", "{folder}");
        done.out
    };
    let events = print(&[]);
    let mut counts = BTreeMap::new();
    for line in events.lines() {
        let name = line.split_whitespace().next().unwrap_or("");
        if name.len() > 3 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_') {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    (counts, events, print(&["--show-global-defs"]))
}

/// The calls of the logs, by name, without unsuccessful polls; and rows of all.
fn calls(place: &Place, files: &[String]) -> (BTreeMap<String, usize>, usize) {
    let export: Value =
        place.cll(&with(&["export", "--calls", "--format", "json"], files)).expect(0).json();
    let rows = export["calls"].as_array().expect("a list");
    let mut counts = BTreeMap::new();
    for row in rows.iter().filter(|row| row["unsuccessful"] == 0) {
        let name = row["call"].as_str().expect("a name");
        *counts.entry(name.trim_start_matches("MPI_").to_owned()).or_default() += 1;
    }
    (counts, rows.len())
}

#[test]
fn an_archive_has_every_call_and_both_sides_of_every_message() {
    let test = "an_archive_has_every_call";
    if !have("otf2-print", test) || !have("otf2-config", test) {
        return;
    }
    let place = Place::new();
    for (mpi, name) in [("openmpi", "calls"), ("mpich", "groups")] {
        let files = logs(&place, mpi, name);
        let line = ["mpi", "export", "--format", "otf2", "--out", mpi];
        assert_eq!(place.cll(&with(&line, &files)).expect(0).out, "");
        let (events, text, definitions) = printed(&place, mpi);
        let count = |name: &str| events.get(name).copied().unwrap_or(0);
        let (call_counts, rows) = calls(&place, &files);
        let calls_made = |name: &str| call_counts.get(name).copied().unwrap_or(0);
        let threads = definitions.lines().filter(|line| line.starts_with("LOCATION ")).count();
        assert_eq!((count("ENTER"), count("LEAVE")), (rows + threads, rows + threads), "{mpi}");
        let (sent, received) =
            (count("MPI_SEND") + count("MPI_ISEND"), count("MPI_RECV") + count("MPI_IRECV"));
        assert_eq!(sent, received, "{mpi}: {events:?}");
        assert_eq!(count("MPI_ISEND"), count("MPI_ISEND_COMPLETE"), "{mpi}");
        assert_eq!(count("MPI_COLLECTIVE_BEGIN"), count("MPI_COLLECTIVE_END"), "{mpi}");
        assert_eq!(count("RMA_COLLECTIVE_BEGIN"), count("RMA_COLLECTIVE_END"), "{mpi}");
        let has = |words: &[&str]| {
            let lines = definitions.lines().chain(text.lines());
            lines.into_iter().filter(|line| words.iter().all(|word| line.contains(word))).count()
        };
        // The file and the line of a call.
        let region_count = has(&["REGION ", "\"MPI_Comm_split\"", &format!("{name}.c")]);
        assert_eq!(region_count, 1, "{definitions}");
        assert_eq!(has(&["COMM ", "\"MPI_COMM_WORLD\"", "Parent: UNDEFINED"]), 1, "{definitions}");
        if name == "calls" {
            // A ring with requests, sends to all others, persistent requests.
            assert_eq!(count("MPI_ISEND"), 4 * 10 + 4 * 4);
            assert_eq!((count("MPI_SEND"), count("MPI_IRECV")), (3, 4 * 14));
            let together =
                ["Allreduce", "Bcast", "Alltoall", "Barrier", "Comm_split"].map(calls_made);
            assert_eq!(count("MPI_COLLECTIVE_END"), together.iter().sum::<usize>());
            assert_eq!(has(&["MPI_SEND", "Receiver: 3", "Tag: 3", "Length: 60"]), 1, "{text}");
            assert_eq!(has(&["MPI_RECV", "Sender: 0", "Tag: 3", "Length: 60"]), 1, "{text}");
            assert_eq!(
                has(&["MPI_COLLECTIVE_END", "BCAST", "Sent: 64", "Received: 0"]),
                1,
                "{text}"
            );
            assert_eq!((count("RMA_PUT"), count("RMA_OP_COMPLETE_REMOTE")), (4, 4));
            assert_eq!(has(&["RMA_WIN ", "\"MPI_COMM_WORLD\""]), 1, "{definitions}");
        } else {
            assert_eq!(threads, 8, "{definitions}");
            assert_eq!(has(&["INTER_COMM ", "MPI_Intercomm_create"]), 1, "{definitions}");
            assert_eq!(has(&["COLLECTIVE_END", "BCAST", "Root: SELF"]), 1, "{text}");
            assert_eq!(count("NON_BLOCKING_COLLECTIVE_REQUEST"), 4);
            assert_eq!(count("NON_BLOCKING_COLLECTIVE_COMPLETE"), 4);
            assert_eq!((count("MPI_REQUEST_CANCELLED"), count("RMA_ATOMIC")), (4, 4));
            // Each of the four: to the other group, in its second thread; one to the process that polls.
            assert_eq!(sent, 4 * 2 + 1, "{events:?}");
            assert!(
                has(&["COMM ", "MPI_Comm_dup", "Parent: \"MPI_COMM_SELF"]) == 4,
                "{definitions}"
            );
            assert!(has(&["ADDITIONAL ATTRIBUTES", "unsuccessful polls"]) >= 1, "{text}");
        }
    }
}

#[test]
fn why_there_is_no_archive_is_said() {
    let test = "why_there_is_no_archive";
    if !have("otf2-config", test) || !have("otf2-print", test) {
        return;
    }
    let place = Place::new();
    let files = logs(&place, "mpich", "calls-of-two");
    let export = |out: &str| -> Vec<String> {
        let line = ["mpi", "export", "--format", "otf2", "--out", out];
        with(&line, &files).into_iter().map(str::to_owned).collect()
    };
    let cll_to = |variables: &[(&str, &str)], out: &str| {
        let words = export(out);
        place.cll_with(variables, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // The archive of a part of the logs has all ranks.
    let rank = place.cll(&["mpi", "export", "--format", "otf2", "--out", "part", &files[1]]);
    rank.expect(0);
    let (events, _, definitions) = printed(&place, "part");
    assert!(definitions.contains("MPI Rank 0 (no log)") && events["ENTER"] > 20, "{definitions}");
    // Nothing is replaced.
    cll_to(&[], "part").expect(7).says(&["cannot write part: it exists already", "a new one"]);
    cll_to(&[], "no/such").expect(7).says(&["cannot write no/such"]);
    // Files may have one block: as a disk that is full.
    let program = env!("CARGO_BIN_EXE_cll");
    let words = export("full").join(" ");
    let done = place.sh(&format!("ulimit -f 1; {program} {words}"));
    done.expect(7).says(&["cannot write full: "]);
    assert!(!place.exists("full"));
    // Without the library, without a compiler, with one that does not compile.
    std::fs::create_dir(place.path("bin")).unwrap();
    let bin = place.path("bin").display().to_string();
    let path = [("PATH", bin.as_str()), ("CC", "")];
    cll_to(&path, "a").expect(7).says(&["there is no otf2-config in PATH", "libotf2-trace-dev"]);
    symlink("/usr/bin/otf2-config", place.path("bin/otf2-config")).unwrap();
    cll_to(&path, "a").expect(7).says(&["there is no C compiler", "install gcc"]);
    let cache = place.path("cache").display().to_string();
    let broken = [("CC", "false"), ("XDG_CACHE_HOME", cache.as_str())];
    cll_to(&broken, "a").expect(7).says(&["cannot compile the program that writes OTF2"]);
    assert!(!place.exists("a"));
    assert!(!place.list(".").iter().any(|name| name.starts_with(".cll-")));
    // An unknown path of a log.
    place.cll(&["mpi", "export", "--format", "otf2", "--out", "a", "none"]).expect(3);
}
