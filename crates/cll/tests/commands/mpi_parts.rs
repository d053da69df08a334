//! Communicators of some processes as machine objects: recorded runs of programs of both MPIs.

use std::collections::BTreeMap;

use crate::mpi_calls::{MPIS, with};
use crate::recorded::logs;
use crate::support::Place;

/// A machine's supersteps: of each its ending, and h by process.
type Supersteps = BTreeMap<u64, (String, Vec<(u64, u64)>)>;
type Machines = BTreeMap<String, Supersteps>;

fn machines(place: &Place, files: &[String]) -> Machines {
    let line = with(&["export", "--supersteps", "--format", "json"], files);
    let export = place.cll(&line).expect(0).json();
    let mut all = Machines::new();
    for row in export["supersteps"].as_array().expect("a list") {
        let number = |name: &str| row[name].as_u64().expect("a number");
        let machine = all.entry(row["machine"].as_str().expect("a key").to_owned()).or_default();
        let ending = row["ending"].as_str().expect("a word").to_owned();
        let superstep = machine.entry(number("superstep")).or_insert((ending.clone(), vec![]));
        assert_eq!(superstep.0, ending, "{row}");
        superstep.1.push((number("of_program"), number("h_bytes")));
    }
    all
}

fn endings(machine: &Supersteps) -> Vec<&str> {
    machine.values().map(|pair| pair.0.as_str()).collect()
}

#[test]
fn rows_of_a_grid_are_machines_and_columns_supersteps_of_all() {
    let place = Place::new();
    for mpi in MPIS {
        let files = logs(&place, mpi, "grid");
        let all = machines(&place, &files);
        // Two rows in each of 4 rounds: a reduction, halos, the end. Columns end supersteps of all.
        assert_eq!(all.len(), 1 + 2 * 4, "{mpi}");
        let column = all["0"].values().filter(|pair| pair.1.iter().all(|h| h.1 == 16)).count();
        assert_eq!(column, 4, "{mpi}: {:?}", all["0"]);
        let empty = all["0"]
            .values()
            .filter(|pair| pair.0 == "oblivious" && pair.1.iter().any(|h| h.1 == 0));
        assert_eq!(empty.count(), 0, "{mpi}: {:?}", all["0"]);
        for (key, row) in all.iter().filter(|pair| pair.0 != "0") {
            assert_eq!(endings(row), ["sync", "oblivious", "end"], "{mpi}: {key}");
            let of: Vec<u64> = row[&1].1.iter().map(|pair| pair.0).collect();
            assert!([[0, 1, 2], [3, 4, 5]].contains(&[of[0], of[1], of[2]]), "{mpi}: {of:?}");
            let h = |number: u64| row[&number].1.iter().map(|pair| pair.1).collect::<Vec<_>>();
            assert_eq!((h(1), h(2), h(3)), (vec![24; 3], vec![32; 3], vec![0; 3]), "{mpi}");
        }
        let line = with(&["obsp", "--machine", "sgi-origin-2000", "--json"], &files);
        let done = place.cll(&line).expect(0);
        let priced = done.says(&["3 communicators are not neighbours", "grid.c:16"]).json();
        let account = &priced["predictions"][0]["account"];
        let objects = account["objects"].as_array().expect("a list");
        let object_count =
            |name: &str| objects.iter().filter(|object| object["name"] == name).count();
        assert_eq!(
            (object_count("all"), object_count("processors 0-2"), object_count("processors 3-5")),
            (1, 4, 4),
            "{mpi}"
        );
        // To people, what the same processors did in all of their stays together is one row.
        let shown = place
            .cll(&with(&["obsp", "--details", "--machine", "sgi-origin-2000"], &files))
            .expect(0);
        let rows = |name: &str| shown.out.lines().filter(|line| line.contains(name)).count();
        assert_eq!((rows("processors 0-2"), rows("processors 3-5")), (1, 1), "{mpi}");
        place.cll(&with(&["profile", "show"], &files)).expect(0).prints(&[
            "main",
            "grid.c:14",
            "grid.c:16",
        ]);
    }
}

#[test]
fn a_solver_on_half_of_the_processes_gives_the_others_no_supersteps() {
    let place = Place::new();
    for mpi in MPIS {
        let files = logs(&place, mpi, "half");
        let all = machines(&place, &files);
        assert_eq!(endings(&all["0"]), ["sync", "oblivious", "end"], "{mpi}");
        assert_eq!(all.len(), 2, "{mpi}: one part of all steps");
        let half = all.iter().find(|pair| pair.0 != "0").expect("a part").1;
        // A step is two exchanges and two reductions; before them is one more.
        let steps = (half.len() - 2) / 4;
        assert!(steps > 5 && half.len() == 4 * steps + 2, "{mpi}: {}", half.len());
        let ending_count = |ending: &str| half.values().filter(|pair| pair.0 == ending).count();
        assert_eq!(
            (ending_count("sync"), ending_count("oblivious")),
            (2 * steps + 1, 2 * steps),
            "{mpi}"
        );
        assert!(half.values().all(|entry| entry.1.len() == 2), "{mpi}");
        let shown = place.cll(&with(&["profile", "show"], &files)).expect(0);
        shown.prints(&["solve", "dot"]);
        let line = with(&["obsp", "--details", "--machine", "sgi-origin-2000"], &files);
        place.cll(&line).expect(0).prints(&["processors 0-1"]);
    }
}
