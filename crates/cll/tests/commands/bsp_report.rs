//! `report` in BSP programs on the MPI engine: what all processors recorded becomes one file, or stays as it is.

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::{Done, Place, run};

/// Each processor takes as many samples as the second argument says, times its number from 1; the last one does what
/// the first says. At most 3 processors.
const BSPLIB: &str = r#"#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#pragma cll parallel BSP

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int i, is_last, n = atoi(argv[2]);
    volatile int work = 0;
    (void)argc;
    bsp_begin(3);
    is_last = bsp_pid() == bsp_nprocs() - 1;
    for (i = 0; i < n * (bsp_pid() + 1); i++) {
#pragma cll step step[0] + step[1]*n
        work += i;
#pragma cll end step
    }
    if (strcmp(how, "after") && (!is_last || strcmp(how, "never"))) {
#pragma cll report all
    }
    if (bsp_pid() == 0 && !strcmp(how, "full")) {
        struct rlimit most = { 4000000, 4000000 };
        setrlimit(RLIMIT_FSIZE, &most);
    }
    bsp_sync();
    if (is_last && !strcmp(how, "dies"))
        raise(SIGKILL);
    if (is_last && !strcmp(how, "early"))
        exit(0);
    if (is_last && !strcmp(how, "open")) {
#pragma cll last last[0]
        bsp_end();
#pragma cll end last
        return 0;
    }
    bsp_end();
    if (!strcmp(how, "after")) {
#pragma cll report all
    }
    return 0;
}
"#;

/// The replacements that make a program of PUB.
const IN_PUB: [(&str, &str); 8] = [
    ("bsp.h", "pub.h"),
    ("#pragma cll parallel BSP", "static t_bsp all;\n#pragma cll parallel PUB all"),
    ("    (void)argc;\n", "    bsplib_saveargs(&argc, &argv);\n"),
    ("bsp_begin(3)", "bsplib_init(BSPLIB_STDPARAMS, &all)"),
    ("bsp_end()", "bsplib_done()"),
    ("bsp_sync()", "bsp_sync(&all)"),
    ("bsp_pid()", "bsp_pid(&all)"),
    ("bsp_nprocs()", "bsp_nprocs(&all)"),
];

/// The program with each library; if not everything runs, with the one that falls to the `nth` case.
fn programs(nth: usize) -> Vec<(&'static str, String)> {
    let in_pub = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
    let machine = IN_PUB.iter().fold(BSPLIB.to_owned(), in_pub);
    let mut both = vec![("BSPlib", BSPLIB.to_owned()), ("PUB", machine)];
    if !test_draw::is_full() {
        both.swap_remove((nth + test_draw::drawn_below(2)) % 2);
    }
    both
}

fn compiled(source: &str) -> Place {
    let place = Place::new();
    place.write("ranks.c", source);
    let line = ["cc", "-O2", "-Wall", "-Werror", "ranks.c", "-o", "ranks"];
    built::by_cll(&place, &[], &line, &["ranks.c"], "ranks");
    place
}

/// So many processes, without `cll run`.
fn mpirun(place: &Place, mpi: &str, processes: &str, words: &[&str]) -> Done {
    let mut command = place.command(format!("mpirun.{mpi}"));
    command.envs(OPEN_MPI);
    if mpi == "openmpi" {
        command.arg("--oversubscribe");
    }
    run(command.args(["-n", processes, "./ranks"]).args(words))
}

fn files(place: &Place) -> Vec<String> {
    place.list(".").into_iter().filter(|name| name.contains(".cll.")).collect()
}

/// The files of processors that keep their own.
const THREE: [&str; 3] = ["ranks.cll.0.0.dat", "ranks.cll.0.1.dat", "ranks.cll.0.2.dat"];

fn exported(place: &Place, files: &[&str]) -> serde_json::Value {
    place.cll(&[&["export", "--format", "json"], files].concat()).expect(0).json()
}

#[test]
fn what_all_processors_have_recorded_is_one_file() {
    if !ready("what_all_processors_have_recorded") {
        return;
    }
    for (model, source) in programs(0) {
        let place = compiled(&source);
        for (run, mpi) in drawn(0).into_iter().enumerate() {
            // More than a piece of a megabyte from the last one.
            let done = mpirun(&place, mpi, "3", &["all", "20000"]).expect(0);
            assert_eq!(done.err, "", "{model} {mpi}");
            let gathered = format!("ranks.cll.{run}.dat");
            assert_eq!(files(&place).len(), run + 1, "{model} {mpi}");
            let trace = exported(&place, &[&gathered]);
            assert_eq!(trace["samples"], 120_000, "{model} {mpi}");
            let processes = trace["processes"].as_array().unwrap();
            let numbers: Vec<_> =
                processes.iter().map(|process| &process["processor"]["number"]).collect();
            assert_eq!(numbers, [0, 1, 2], "{model} {mpi}");
            assert!(trace["damage"].as_array().unwrap().is_empty(), "{}", trace["damage"]);
        }
    }
}

#[test]
fn processes_that_are_no_processors_are_not_missed() {
    if !ready("processes_that_are_no_processors") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(BSPLIB);
        let done = mpirun(&place, mpi, "5", &["all", "10"]).expect(0);
        assert_eq!(done.err, "", "{mpi}");
        assert_eq!(files(&place), ["ranks.cll.0.dat"], "{mpi}");
        assert_eq!(exported(&place, &["ranks.cll.0.dat"])["samples"], 60, "{mpi}");
    }
}

#[test]
fn without_all_processors_each_keeps_its_own_and_it_is_said_why() {
    if !ready("without_all_processors") {
        return;
    }
    for (model, source) in programs(1) {
        for mpi in drawn(0) {
            let place = compiled(&source);
            // In bsp_end all processors but the first end, and with them the region.
            let last = if model == "PUB" { 61 } else { 60 };
            for (how, n, samples, message) in [
                ("never", "10", 60, "cll: processor 2 of 3 never came to `report`"),
                (
                    "open",
                    "10",
                    last,
                    "processor 2 of 3 ended the parallel part in a measured region",
                ),
                ("full", "25000", 150_000, "File too large; nothing is gathered"),
                ("after", "10", 60, "`report` comes after the end of the parallel part"),
            ] {
                let done = mpirun(&place, mpi, "3", &[how, n]).expect(0);
                done.says(&[message, "cll fit and cll export"]);
                assert_eq!(files(&place), THREE, "{model} {mpi} {how}");
                assert_eq!(exported(&place, &THREE)["samples"], samples, "{model} {mpi} {how}");
                THREE.iter().for_each(|file| std::fs::remove_file(place.path(file)).unwrap());
            }
        }
    }
}

#[test]
fn when_a_processor_ends_early_the_files_of_all_remain() {
    if !ready("when_a_processor_ends_early") {
        return;
    }
    for (model, source) in programs(2) {
        for mpi in drawn(1) {
            for how in ["dies", "early"] {
                let place = compiled(&source);
                let done = mpirun(&place, mpi, "3", &[how, "10"]);
                assert_ne!(done.code, 0, "{model} {mpi} {how}: {done:?}");
                assert_eq!(files(&place), THREE, "{model} {mpi} {how}");
                assert_eq!(exported(&place, &THREE)["samples"], 60, "{model} {mpi} {how}");
            }
        }
    }
}

#[test]
fn under_cll_run_there_is_one_file_as_before() {
    if !ready("under_cll_run_there_is_one_file") {
        return;
    }
    let place = compiled(BSPLIB);
    place.cll(&["run", "-n", "3", "./ranks", "all", "10"]).expect(0);
    assert_eq!(files(&place), ["ranks.cll.0.dat"]);
    assert_eq!(exported(&place, &["ranks.cll.0.dat"])["samples"], 60);
}
