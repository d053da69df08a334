//! `report` in MPI programs: what all processes recorded becomes one file at processor 0, or stays as it is.

use crate::mpi_calls::{MPIS, ready};
use crate::support::{Done, Place, run};

/// Takes as many samples as the second argument says; the last process does what the first says.
pub const RANKS: &str = r#"#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#pragma cll parallel MPI

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int me, p, i, is_last, n = atoi(argv[2]);
    volatile int work = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    is_last = me == p - 1;
    if (me > 0 || strcmp(how, "master"))
        for (i = 0; i < n * (me + 1); i++) {
#pragma cll step step[0] + step[1]*n
            work += i;
#pragma cll end step
        }
    if (!is_last || strcmp(how, "never")) {
#pragma cll report all
    }
    if (me == 0 && !strcmp(how, "full")) {
        struct rlimit most = { 4000000, 4000000 };
        setrlimit(RLIMIT_FSIZE, &most);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_last && !strcmp(how, "dies"))
        raise(SIGKILL);
    if (is_last && !strcmp(how, "open")) {
#pragma cll last last[0]
        MPI_Finalize();
#pragma cll end last
        return 0;
    }
    if (!strcmp(how, "twice"))
        exit(MPI_Finalize());
    return MPI_Finalize();
}
"#;

const OTHER: &str = "#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
";

const ROOT: [(&str, &str); 2] =
    [("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];

fn compiled(mpi: &str) -> Place {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let compiler = format!("mpicc.{mpi}");
    place.cll_with(&[("CLL_CC", &compiler)], &["cc", "-O2", "ranks.c", "-o", "ranks"]).expect(0);
    place
}

/// Three processes, without `cll run`.
fn mpirun(place: &Place, mpi: &str, words: &[&str]) -> Done {
    let mut command = place.command(format!("mpirun.{mpi}"));
    command.envs(ROOT).env("CLL_GATHER_WAIT", "2");
    if mpi == "openmpi" {
        command.arg("--oversubscribe");
    }
    run(command.args(["-n", "3"]).args(words))
}

/// The files of samples, and whatever else begins as they do.
fn files(place: &Place) -> Vec<String> {
    place.list(".").into_iter().filter(|name| name.contains(".cll.")).collect()
}

const THREE: [&str; 3] = ["ranks.cll.0.dat", "ranks.cll.1.dat", "ranks.cll.2.dat"];

fn exported(place: &Place, files: &[&str]) -> serde_json::Value {
    place.cll(&[&["export", "--format", "json"], files].concat()).expect(0).json()
}

#[test]
fn what_all_have_recorded_is_one_file_in_the_order_of_their_numbers() {
    if !ready("what_all_have_recorded") {
        return;
    }
    for mpi in MPIS {
        let place = compiled(mpi);
        // More than a piece of a megabyte from the last one.
        for (number, how) in ["all", "twice"].into_iter().enumerate() {
            let done = mpirun(&place, mpi, &["./ranks", how, "20000"]).expect(0);
            assert_eq!(done.err, "", "{mpi}");
            assert_eq!(files(&place), THREE[..=number]);
        }
        let trace = exported(&place, &[THREE[0]]);
        assert_eq!(trace["samples"], 120_000, "{mpi}");
        let processes = trace["processes"].as_array().unwrap();
        let numbers: Vec<_> = processes.iter().map(|one| &one["processor"]["number"]).collect();
        assert_eq!(numbers, [0, 1, 2]);
        assert!(trace["damage"].as_array().unwrap().is_empty(), "{}", trace["damage"]);
    }
}

#[test]
fn who_records_nothing_gathers_all_the_same() {
    if !ready("who_records_nothing") {
        return;
    }
    let place = compiled("mpich");
    mpirun(&place, "mpich", &["./ranks", "master", "10"]).expect(0);
    assert_eq!(files(&place), THREE[..1]);
    let trace = exported(&place, &[THREE[0]]);
    assert_eq!(trace["samples"], 50);
    let first = &trace["processes"].as_array().unwrap()[0];
    assert_eq!(first["processor"]["number"], 1);
}

#[test]
fn without_all_of_them_each_keeps_its_own_and_it_is_said_why() {
    if !ready("without_all_of_them") {
        return;
    }
    for mpi in MPIS {
        let place = compiled(mpi);
        for (how, n, code, samples, said) in [
            ("never", "10", 0, 60, "cll: processor 2 of 3 never came to `report`"),
            ("open", "10", 0, 61, "processor 2 of 3 called MPI_Finalize in a measured region"),
            ("full", "25000", 0, 150_000, "File too large; nothing is gathered"),
        ] {
            let done = mpirun(&place, mpi, &["./ranks", how, n]).expect(code);
            done.says(&[said, "cll fit and cll export"]);
            assert_eq!(files(&place), THREE, "{mpi} {how}");
            assert_eq!(exported(&place, &THREE)["samples"], samples, "{mpi} {how}");
            THREE.iter().for_each(|file| std::fs::remove_file(place.path(file)).unwrap());
        }
    }
}

#[test]
fn when_one_dies_the_files_of_all_are_merged_and_it_is_named() {
    if !ready("when_one_dies") {
        return;
    }
    for mpi in MPIS {
        let place = compiled(mpi);
        let done = mpirun(&place, mpi, &["./ranks", "dies", "10"]);
        assert_ne!(done.code, 0, "{done:?}");
        assert_eq!(files(&place), THREE, "{mpi}");
        let export = [&["export", "--format", "json"], &THREE[..]].concat();
        let done =
            place.cll(&export).expect(0).says(&["processor 2 (process ", "did not end by itself"]);
        assert_eq!(done.json()["samples"], 60);
    }
}

#[test]
fn beside_another_program_nobody_waits_for_ever() {
    if !ready("beside_another_program") {
        return;
    }
    for mpi in MPIS {
        let place = compiled(mpi);
        place.write("other.c", OTHER);
        run(place.command(format!("mpicc.{mpi}")).args(["other.c", "-o", "other"])).expect(0);
        let done = mpirun(&place, mpi, &["./ranks", "all", "10", ":", "-n", "1", "./other"]);
        done.expect(0).says(&["has waited for the others", "CLL_GATHER_WAIT"]);
        assert_eq!(files(&place), THREE, "{mpi}");
    }
}

#[test]
fn under_cll_run_there_is_one_file_and_the_log_has_the_program_s_calls_only() {
    if !ready("under_cll_run") {
        return;
    }
    for mpi in MPIS {
        let place = compiled(mpi);
        let launcher = format!("mpirun.{mpi}");
        let with = [&ROOT[..], &[("CLL_MPIRUN", launcher.as_str())]].concat();
        place.cll_with(&with, &["run", "-n", "2", "./ranks", "all", "10"]).expect(0);
        assert_eq!(files(&place), THREE[..1]);
        assert_eq!(exported(&place, &[THREE[0]])["samples"], 30);
        let log = ["run", "--log", "-o", "log", "-n", "2", "./ranks", "all", "10"];
        let done = place.cll_with(&with, &log).expect(0).says(&["MPI_Barrier"]);
        assert!(!done.err.contains("MPI_Comm_idup"), "{}", done.err);
    }
}
