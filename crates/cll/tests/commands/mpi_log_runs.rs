//! Runs whose calls of MPI are logged: names of files, launchers, campaigns.

use crate::mpi_calls::{CALLS, OPEN_MPI, cll, compile, drawn, ready, with};
use crate::support::{Place, run};

/// The ranks of runs in a folder: `NAME.cll.RUN.RANK.dat`.
fn runs(place: &Place, folder: &str, name: &str) -> Vec<String> {
    let start = format!("{name}.cll.");
    let names = place.list(folder).into_iter();
    names.map(|file| file.replace(&start, "").replace(".dat", "")).collect()
}

#[test]
fn a_program_is_run_whatever_it_is_called() {
    if !ready("a_program_is_run_whatever") {
        return;
    }
    let place = Place::new();
    place.write("calls.c", CALLS);
    for mpi in drawn(0) {
        let name = format!("a={mpi}");
        compile(&place, &format!("mpicc.{mpi}"), "calls.c", &name);
        let program = format!("./{name}");
        let line = ["run", "-n", "2", "--log", "-o", mpi, &program, "b=c"];
        let done = cll(&place, &line).expect(0);
        assert_eq!(done.out, "", "{mpi}: nothing but the program has run");
        done.says(&["calls of MPI on 2 of 2 ranks", "a=", ".cll.0.*.dat"]);
        // Another run in the same folder does not mix with it.
        cll(&place, &line).expect(0).says(&["on 2 of 2 ranks", ".cll.1.*.dat"]);
        assert_eq!(runs(&place, mpi, &name), ["0.0", "0.1", "1.0", "1.1"], "{mpi}");
    }
}

#[test]
fn ranks_that_each_run_cll_make_one_log_of_the_run() {
    if !ready("ranks_that_each_run_cll") {
        return;
    }
    let place = Place::new();
    place.write("calls.c", CALLS);
    for mpi in drawn(1) {
        compile(&place, &format!("mpicc.{mpi}"), "calls.c", mpi);
        let launched = |options: &[&str]| {
            let mut command = place.command(format!("mpirun.{mpi}"));
            command.envs(OPEN_MPI);
            if mpi == "openmpi" {
                command.arg("--oversubscribe");
            }
            command.args(["-n", "3", crate::support::CLL, "run", "--log"]).args(options);
            run(command.arg(format!("./{mpi}")))
        };
        let folder = format!("joined-{mpi}");
        for number in 0..2 {
            let done = launched(&["-o", &folder]).expect(0);
            let name = format!("{mpi}.cll.{number}.*.dat");
            let done = done.says(&["calls of MPI on 3 of 3 ranks", "(3 files)", &name]);
            assert_eq!(done.err.matches("calls of MPI on").count(), 1, "{mpi}: {}", done.err);
        }
        let all = ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"];
        assert_eq!(runs(&place, &folder, mpi), all, "{mpi}");
        let done = launched(&["-n", "3"]);
        assert_ne!(done.code, 0, "{mpi}");
        done.says(&["-n 3: this cll run is process ", "of 3 of a launch"]);
        // Runs of several processes are compared as such, wherever their files lie.
        let file = |run: u32, rank: u32| format!("{folder}/{mpi}.cll.{run}.{rank}.dat");
        let logs_of = |run: u32| (0..3).map(|rank| file(run, rank)).collect::<Vec<_>>();
        let (before, after) = (logs_of(0), logs_of(1));
        let mut line = with(&["profile", "diff"], &before);
        line.push("--with");
        line.extend(after.iter().map(String::as_str));
        place.cll(&line).expect(0).prints(&["1 run before, 1 run after"]);
        let both: Vec<String> = logs_of(0).into_iter().chain(logs_of(1)).collect();
        place.cll(&with(&["profile", "diff"], &both)).expect(0).prints(&["1 run before"]);
        let line = ["profile", "diff", &folder, "--with", &folder];
        place.cll(&line).expect(0).prints(&["2 runs before, 2 runs after"]);
    }
}

#[test]
fn a_campaign_keeps_a_log_of_each_run() {
    if !ready("a_campaign_keeps_a_log") {
        return;
    }
    let place = Place::new();
    place.write("calls.c", CALLS);
    compile(&place, &format!("mpicc.{}", drawn(0)[0]), "calls.c", "calls");
    let plan = |program: &str| {
        format!(
            "cll-campaign = 1\nprogram = \"{program}\"\nprocessors = 2\nrounds = 2\nlog = true\n"
        )
    };
    place.write("plan.toml", plan("./calls"));
    cll(&place, &["campaign", "run", "plan.toml", "-q"]).expect(0);
    let folders = place.list("plan.campaign/logs");
    assert_eq!(folders.len(), 2, "{folders:?}");
    for run in folders {
        let folder = format!("plan.campaign/logs/{run}");
        assert_eq!(runs(&place, &folder, "calls"), [format!("{run}.0"), format!("{run}.1")]);
        place.cll(&["profile", "show", &folder]).expect(0);
    }
    place.write("none.toml", plan("/bin/true"));
    cll(&place, &["campaign", "run", "none.toml", "-q"])
        .expect(2)
        .says(&["log = true", "is not linked with MPI"]);
}
