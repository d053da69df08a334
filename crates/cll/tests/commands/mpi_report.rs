//! `report` in MPI programs: what all processes recorded becomes one file at processor 0, or stays as it is.

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
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
    if (is_last && !strcmp(how, "cut")) {
        struct rlimit most = { 300000, 300000 };
        setrlimit(RLIMIT_FSIZE, &most);
    }
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

fn compiled(mpi: &str) -> Place {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    let compiler = format!("mpicc.{mpi}");
    let line = ["cc", "-O2", "ranks.c", "-o", "ranks"];
    built::by_cll(&place, &[("CLL_CC", &compiler)], &line, &["ranks.c"], "ranks");
    place
}

/// Three processes, without `cll run`.
fn mpirun(place: &Place, mpi: &str, words: &[&str]) -> Done {
    let mut command = place.command(format!("mpirun.{mpi}"));
    command.envs(OPEN_MPI).env("CLL_GATHER_WAIT", "2");
    if mpi == "openmpi" {
        command.arg("--oversubscribe");
    }
    run(command.args(["-n", "3"]).args(words))
}

/// The files of samples, and whatever else begins as they do.
fn files(place: &Place) -> Vec<String> {
    place.list(".").into_iter().filter(|name| name.contains(".cll.")).collect()
}

/// The files of processes that keep their own.
const THREE: [&str; 3] = ["ranks.cll.0.0.dat", "ranks.cll.0.1.dat", "ranks.cll.0.2.dat"];

/// The files of runs that were gathered.
const WHOLE: [&str; 2] = ["ranks.cll.0.dat", "ranks.cll.1.dat"];

fn exported(place: &Place, files: &[&str]) -> serde_json::Value {
    place.cll(&[&["export", "--format", "json"], files].concat()).expect(0).json()
}

#[test]
fn what_all_have_recorded_is_one_file_in_the_order_of_their_numbers() {
    if !ready("what_all_have_recorded") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi);
        // More than a piece of a megabyte from the last one.
        for (number, how) in ["all", "twice"].into_iter().enumerate() {
            let done = mpirun(&place, mpi, &["./ranks", how, "20000"]).expect(0);
            assert_eq!(done.err, "", "{mpi}");
            assert_eq!(files(&place), WHOLE[..=number]);
        }
        let trace = exported(&place, &[WHOLE[0]]);
        assert_eq!(trace["samples"], 120_000, "{mpi}");
        let processes = trace["processes"].as_array().unwrap();
        let numbers: Vec<_> =
            processes.iter().map(|process| &process["processor"]["number"]).collect();
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
    assert_eq!(files(&place), WHOLE[..1]);
    let trace = exported(&place, &[WHOLE[0]]);
    assert_eq!(trace["samples"], 50);
    let first = &trace["processes"].as_array().unwrap()[0];
    assert_eq!(first["processor"]["number"], 1);
}

#[test]
fn without_all_of_them_each_keeps_its_own_and_it_is_said_why() {
    if !ready("without_all_of_them") {
        return;
    }
    for mpi in drawn(1) {
        let place = compiled(mpi);
        for (how, n, code, samples, message) in [
            ("never", "10", 0, 60, "cll: processor 2 of 3 never came to `report`"),
            ("open", "10", 0, 61, "processor 2 of 3 called MPI_Finalize in a measured region"),
            ("full", "25000", 0, 150_000, "File too large; nothing is gathered"),
        ] {
            let done = mpirun(&place, mpi, &["./ranks", how, n]).expect(code);
            done.says(&[message, "cll fit and cll export"]);
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
    for mpi in drawn(0) {
        let place = compiled(mpi);
        let done = mpirun(&place, mpi, &["./ranks", "dies", "10"]);
        assert_ne!(done.code, 0, "{done:?}");
        assert_eq!(files(&place), THREE, "{mpi}");
        let export = [&["export", "--format", "json"], &THREE[..]].concat();
        let done =
            place.cll(&export).expect(0).says(&["processor 2 (process ", "did not end normally"]);
        assert_eq!(done.json()["samples"], 60);
    }
}

#[test]
fn beside_another_program_nobody_waits_for_ever() {
    if !ready("beside_another_program") {
        return;
    }
    for mpi in drawn(1) {
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
    for mpi in drawn(0) {
        let place = compiled(mpi);
        let launcher = format!("mpirun.{mpi}");
        let with = [&OPEN_MPI[..], &[("CLL_MPIRUN", launcher.as_str())]].concat();
        place.cll_with(&with, &["run", "-n", "2", "./ranks", "all", "10"]).expect(0);
        assert_eq!(files(&place), WHOLE[..1]);
        assert_eq!(exported(&place, &[WHOLE[0]])["samples"], 30);
        let log = ["run", "--log", "-o", "log", "-n", "2", "./ranks", "all", "10"];
        let done = place.cll_with(&with, &log).expect(0).says(&["MPI_Barrier"]);
        assert!(!done.err.contains("MPI_Comm_idup"), "{}", done.err);
    }
}

#[test]
fn a_process_whose_file_reached_its_limit_is_told_when_the_run_ends() {
    if !ready("a_process_whose_file_reached_its_limit") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi);
        let launcher = format!("mpirun.{mpi}");
        let with = [&OPEN_MPI[..], &[("CLL_MPIRUN", launcher.as_str())]].concat();
        let cut = place.cll_with(&with, &["run", "-n", "2", "./ranks", "cut", "25000"]).expect(0);
        cut.says(&["recorded in ranks.cll.0.dat", "samples of 1 process are lost", "ulimit -f"]);
        let complete = place.cll_with(&with, &["run", "-n", "2", "./ranks", "all", "10"]).expect(0);
        assert!(!complete.err.contains("lost"), "{}", complete.err);
    }
}

/// A program with a source that does not include mpi.h itself.
const APART: [(&str, &str); 2] = [
    (
        "apart.c",
        "#pragma cll parallel MPI
static volatile int sink;
void work(int n)
{
    int i;
#pragma cll sync work work[0] + work[1]*n/P + work[2]*pid
    for (i = 0; i < 1000 * n; i++)
        sink += i;
#pragma cll end work
}
void done(void)
{
#pragma cll report all
}
",
    ),
    (
        "main.c",
        "#include <mpi.h>
void work(int n);
void done(void);
int main(int argc, char **argv)
{
    int n;
    work(9);
    MPI_Init(&argc, &argv);
    for (n = 1; n < 4; n++)
        work(n);
    done();
    return MPI_Finalize();
}
",
    ),
];

#[test]
fn a_source_without_mpi_h_has_the_processes_of_the_world() {
    if !ready("a_source_without_mpi_h") {
        return;
    }
    for mpi in drawn(1) {
        let place = Place::new();
        APART.iter().for_each(|(name, text)| place.write(name, text));
        let line = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "ranks", "main.c", "apart.c"];
        place.cll_with(&[("CLL_CC", &format!("mpicc.{mpi}"))], &line).expect(0);
        mpirun(&place, mpi, &["./ranks"]).expect(0);
        assert_eq!(files(&place), WHOLE[..1], "{mpi}: gathered");
        let trace = exported(&place, &[WHOLE[0]]);
        assert_eq!(trace["samples"], 12, "{mpi}");
        let work = &trace["experiments"][0];
        let names: Vec<&str> =
            work["variables"].as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
        let index_of = |name: &str| names.iter().position(|text| *text == name).unwrap();
        let mut seen: Vec<(u64, u64, u64)> = Vec::new();
        for cell in work["cells"].as_array().unwrap() {
            let value = |name: &str| cell["values"][index_of(name)].as_f64().unwrap() as u64;
            let times = cell["inclusive_s"].as_array().unwrap();
            seen.extend(times.iter().map(|_| (value("n"), value("P"), value("pid"))));
        }
        seen.sort_unstable();
        let samples_of = |n: u64| (0..3).map(move |pid| (n, 3, pid));
        let expected =
            samples_of(1).chain(samples_of(2)).chain(samples_of(3)).chain([(9, 1, 0); 3]);
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{mpi}");
    }
}

#[test]
fn where_there_is_no_mpi_h_that_is_said() {
    let place = Place::new();
    place.write(APART[0].0, APART[0].1);
    let done = place.cll_with(&[("CLL_CC", "gcc")], &["cc", "-c", "apart.c"]);
    assert_ne!(done.code, 0, "{done:?}");
    done.says(&["mpi.h is not included here", "CLL_CC=mpicc"]);
}

#[test]
fn processes_that_are_each_alone_are_reported() {
    if !ready("processes_that_are_each_alone") {
        return;
    }
    let place = Place::new();
    let (name, text) = APART[0];
    place.write(name, text.replace("#pragma cll report all", "").replace(" + work[2]*pid", ""));
    let (name, text) = APART[1];
    place.write(name, text.replace("    work(9);\n", ""));
    let line = ["cc", "-O2", "-o", "ranks", "main.c", "apart.c"];
    place.cll_with(&[("CLL_CC", "mpicc.mpich")], &line).expect(0);
    // The launcher of the other MPI.
    mpirun(&place, "openmpi", &["./ranks"]).expect(0);
    let names = files(&place);
    assert_eq!(names, THREE);
    let reported = "experiment work has P = 1 at most, and 3 processes were started";
    let line = [&["fit", "--json"][..], &THREE].concat();
    place.cll(&line).prints(&[reported]);
}
