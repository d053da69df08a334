//! `cll run --log` of programs that are not linked with MPI themselves: they load it, or start the program that is.

use crate::mpi_calls::{MPIS, OPEN_MPI, compile, drawn, ready, with};
use crate::support::{Done, Place};

/// A library that uses MPI, as the module of an interpreter does.
const MODULE: &str = r#"#include <mpi.h>
int use(void)
{
    int rank, size, x = 5, y = 0;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 3, &y, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&y, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return x != 5 * size;
}
"#;

const LOADER: &str = r#"#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    int (*use)(void) = module ? (int (*)(void))dlsym(module, "use") : 0;
    if (!use) {
        fprintf(stderr, "%s\n", dlerror());
        return 9;
    }
    return use();
}
"#;

fn logged(place: &Place, mpirun: Option<&str>, folder: &str, program: &[&str]) -> Done {
    let mut settings = OPEN_MPI.to_vec();
    settings.extend(mpirun.map(|name| ("CLL_MPIRUN", name)));
    place.cll_with(&settings, &[&["run", "-n", "2", "--log", "-o", folder], program].concat())
}

/// How often both ranks called it.
fn calls(place: &Place, folder: &str, name: &str) -> u64 {
    let files: Vec<String> =
        place.list(folder).iter().map(|name| format!("{folder}/{name}")).collect();
    let export = place.cll(&with(&["export", "--calls", "--format", "json"], &files)).expect(0);
    let export = export.json();
    let all = export["calls"].as_array().expect("a list").iter();
    all.filter(|value| value["call"] == format!("MPI_{name}")).count() as u64
}

#[test]
fn a_program_that_loads_its_mpi_is_logged() {
    if !ready("a_program_that_loads_its_mpi") {
        return;
    }
    let place = Place::new();
    place.write("module.c", MODULE);
    place.write("loader.c", LOADER);
    place.sh("gcc -o loader loader.c -ldl").expect(0);
    for mpi in drawn(0) {
        let library = format!("./{mpi}.so");
        place.sh(&format!("mpicc.{mpi} -g -fPIC -shared -o {library} module.c")).expect(0);
        let mpirun = format!("mpirun.{mpi}");
        logged(&place, Some(&mpirun), mpi, &["./loader", &library])
            .expect(0)
            .says(&["calls of MPI on 2 of 2 ranks", "MPI_Allreduce"]);
        assert_eq!(calls(&place, mpi, "Sendrecv"), 2, "{mpi}");
        place.cll(&["mpi", "stats", mpi]).expect(0).prints(&["MPI_Sendrecv module.c:8 use"]);
    }
    // Functions of one MPI cannot use the handles of another one.
    let mpi = drawn(0)[0];
    let other = MPIS.iter().find(|other| **other != mpi).expect("another one");
    let (mpirun, library) = (format!("mpirun.{other}"), format!("./{mpi}.so"));
    // The launcher may end before a rank has written why: then the rank is ended by SIGPIPE.
    let started = || logged(&place, Some(&mpirun), "other", &["./loader", &library]);
    let is_cut = |done: &Done| done.err.contains("SIGPIPE");
    let mut other = started();
    for _ in 0..4 {
        if !is_cut(&other) {
            break;
        }
        other = started();
    }
    assert_ne!(other.code, 0);
    other.says(&["has loaded another MPI than that of its launcher", "CLL_MPIRUN="]);
}

#[test]
fn programs_behind_scripts_and_other_programs_are_logged() {
    if !ready("programs_behind_scripts") {
        return;
    }
    let place = Place::new();
    place.write("work.c", format!("{MODULE}int main(void) {{ return use(); }}\n"));
    for mpi in MPIS {
        compile(&place, &format!("mpicc.{mpi}"), "work.c", &format!("work-{mpi}"));
    }
    // It does not become its program.
    place.write("with", "#!/bin/sh\nSETTING=1\n\"$@\"\nexit $?\n");
    place.write("alone", "#!/bin/sh\nuname > /dev/null\nexec ./work-openmpi\n");
    place.sh("chmod +x with alone && ln -s work-mpich link").expect(0);
    for mpi in drawn(1) {
        let folder = format!("with-{mpi}");
        let done = logged(&place, None, &folder, &["./with", &format!("./work-{mpi}")]).expect(0);
        done.says(&["calls of MPI on 2 of 2 ranks", &format!("{folder}/work-")]);
        assert_eq!(calls(&place, &folder, "Allreduce"), 2, "{folder}");
    }
    for (folder, mpirun, program) in [
        ("by-script", Some("mpirun.openmpi"), &["./alone"][..]),
        ("by-env", None, &["env", "A=b", "./work-mpich"]),
        ("by-link", None, &["./link"]),
    ] {
        let done = logged(&place, mpirun, folder, program).expect(0);
        done.says(&["calls of MPI on 2 of 2 ranks", &format!("{folder}/work-")]);
        assert_eq!(calls(&place, folder, "Allreduce"), 2, "{folder}");
    }
    // The launcher starts cll run.
    let cll = env!("CARGO_BIN_EXE_cll");
    for mpi in drawn(0) {
        place
            .sh(&format!(
                "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; \
                 mpirun.{mpi} -n 2 {cll} run --log -o inner-{mpi} ./with ./work-{mpi}"
            ))
            .expect(0)
            .says(&["calls of MPI on 2 of 2 ranks"]);
        assert_eq!(calls(&place, &format!("inner-{mpi}"), "Allreduce"), 2, "{mpi}");
    }
}

/// Rank 0 starts three processes of the same program, and exchanges numbers with them.
const STARTS: &str = include_str!("../recorded/sources/starts.c");

/// Debian's MPICH 4.0 cannot start processes.
#[test]
fn processes_that_the_program_starts_are_logged() {
    if !ready("processes_that_the_program_starts") {
        return;
    }
    let place = Place::new();
    place.write("starts.c", STARTS);
    compile(&place, "mpicc.openmpi", "starts.c", "starts");
    logged(&place, None, "logs", &["./starts"]).expect(0).says(&[
        "calls of MPI on 2 of 2 ranks",
        "processes that the program has started have logged their calls, too (3 files)",
    ]);
    // The logs of both are one run: rank 3 is the second one that was started.
    let shown = place.cll(&["mpi", "stats", "logs"]).expect(0);
    shown.prints(&["ranks 0-1: starts, ranks 2-4: starts (started by the program)"]);
    assert_eq!(calls(&place, "logs", "Comm_spawn"), 2);
    // Both ranks waited for the start of the others, who begin late.
    let stats = place.cll(&["mpi", "stats", "--json", "logs"]).expect(0).json();
    let waits = stats["waits"].as_array().expect("a list");
    let spawn = waits.iter().find(|wait| wait["kind"] == "spawn").expect("waits");
    assert_eq!(spawn["calls"], 2);
    assert!(spawn["time_s"].as_f64().expect("seconds") > 0.6, "{spawn}");
    assert_eq!((&stats["ranks"], &stats["unreceived"]), (&5.into(), &0.into()));
    let sent: Vec<(u64, u64)> = (stats["messages"].as_array().expect("a list").iter())
        .map(|stat| (stat["from"].as_u64().expect("a rank"), stat["to"].as_u64().expect("a rank")))
        .collect();
    assert_eq!(sent, [(0, 3), (3, 0)]);
    let graph = place.cll(&["mpi", "graph", "--json", "logs"]).expect(0).json();
    assert_eq!(graph["messages"].as_array().map(Vec::len), Some(2));
    let page = place.cll(&["profile", "view", "-o", "page.html", "logs"]).expect(0);
    page.says(&["there are processes outside of MPI_COMM_WORLD"]);
    let all = place.list("logs");
    assert_eq!(all.len(), 5, "{all:?}");
    let of_started: Vec<String> = all[2..].iter().map(|name| format!("logs/{name}")).collect();
    let line = ["mpi", "stats", "--json", &of_started[0], &of_started[1], &of_started[2]];
    let stats = place.cll(&line).expect(0).json();
    assert_eq!(stats["ranks"], 3);
    let calls_of = |name: &str| {
        let all = stats["by_call"].as_array().expect("a list");
        let entry = all.iter().find(|value| value["call"] == name);
        entry.map_or(0, |value| value["calls"].as_u64().expect("a number"))
    };
    assert_eq!((calls_of("MPI_Recv"), calls_of("MPI_Send"), calls_of("MPI_Barrier")), (1, 1, 3));
}
