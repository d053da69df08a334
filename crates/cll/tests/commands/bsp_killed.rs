//! `cll run` that is killed, or reported to end, while a BSP program is in this or that state: all its
//! processors end with it, within a second.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::{CLL, Place, run, until};

/// Goes to the state that its argument names, and says so.
const STATES: &str = r#"#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *state;

static void reached(void)
{
    puts("there");
    fflush(stdout);
}

static void work(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

void spmd(void)
{
    int i, to;
    /* Of threads each has a variable of its own, and main is run by the first alone. */
    state = getenv("BSP_KILLED_STATE");
    bsp_begin(bsp_nprocs());
    to = (bsp_pid() + 1) % bsp_nprocs();
    bsp_push_reg(&i, sizeof i);
    bsp_sync();
    if (!strcmp(state, "deaf"))
        signal(SIGTERM, SIG_IGN);
    if (!strcmp(state, "alone"))
        signal(SIGHUP, SIG_IGN);
    if (bsp_pid() == 0)
        reached();
    if (!strcmp(state, "asleep") && bsp_pid() == 0)
        for (;;)
            pause();
    if (!strcmp(state, "busy") || !strcmp(state, "deaf"))
        work();
    for (i = 0;; i++) {
        bsp_put(to, &to, &i, 0, 0);
        bsp_send(to, NULL, &i, sizeof i);
        bsp_sync();
    }
}

int main(int argc, char **argv)
{
    state = argv[1];
    bsp_init(spmd, argc, argv);
    if (!strcmp(state, "before")) {
        reached();
        pause();
    }
    spmd();
    return 0;
}
"#;

const STATE_NAMES: [&str; 5] = ["before", "asleep", "busy", "alone", "syncing"];

/// On a machine that is busy otherwise a run may be late by itself.
const TRIES: usize = 3;

struct Launched {
    launcher: Child,
    mark: String,
}

impl Launched {
    fn new(place: &Place, state: &str) -> Launched {
        Launched::with(place, &["run", "-n", "3", "./states", state], &[])
    }

    fn with(place: &Place, words: &[&str], variables: &[(&str, &str)]) -> Launched {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let mut command = place.command(CLL);
        command.args(words).env("BSP_KILLED_MARK", &mark);
        command.env("BSP_KILLED_STATE", words.last().unwrap());
        command.envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut launcher = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(launcher.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "there\n", "{words:?}");
        Launched { launcher, mark }
    }

    /// All processes below the launcher, and itself.
    fn processes(&self) -> Vec<String> {
        let wanted = format!("BSP_KILLED_MARK={}", self.mark);
        let has_it = |pid: &String| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
        };
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| entry.file_name().into_string().ok()).filter(has_it).collect()
    }

    fn end_all(&self) {
        for process in self.processes() {
            let _ = Command::new("kill").args(["-KILL", &process]).status();
        }
    }

    /// They all end after the launcher is killed, whenever that is.
    fn end_after_kill(mut self) {
        assert!(self.processes().len() >= 2, "a launcher and a processor");
        self.launcher.kill().unwrap();
        self.launcher.wait().unwrap();
        until("all processes have ended", || self.processes().is_empty());
    }

    /// Whether all have ended a second after this signal to the launcher.
    fn ends_after(mut self, signal: &str) -> bool {
        // Before bsp_begin some may still have to be started.
        assert!(self.processes().len() >= 2, "a launcher and a processor");
        let pid = self.launcher.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let status = self.launcher.wait().unwrap();
        // A second, counted in looks: on a busy machine each comes later.
        let gone = (0..200).any(|_| {
            let gone = self.processes().is_empty();
            if !gone {
                std::thread::sleep(Duration::from_millis(5));
            }
            gone
        });
        self.end_all();
        let mut rest = String::new();
        self.launcher.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(!status.success() && rest.is_empty(), "{status:?} {rest}");
        gone
    }
}

impl Drop for Launched {
    /// A test that fails leaves nothing running.
    fn drop(&mut self) {
        self.end_all();
    }
}

fn ends_with_its_launcher(signal: &str, states: &[&str]) {
    let place = Place::new();
    place.write("states.c", STATES);
    let line = ["cc", "-O1", "states.c", "-o", "states"];
    built::by_cll(&place, &[], &line, &["states.c"], "states");
    for state in states {
        let mut tries = 0..TRIES;
        let in_time = tries.any(|_| Launched::new(&place, state).ends_after(signal));
        assert!(in_time, "{state}: not all had ended a second after {signal}");
    }
}

#[test]
fn killed() {
    ends_with_its_launcher("-KILL", &STATE_NAMES);
    // A program that does not listen when it is reported to end does not outlive its launcher.
    ends_with_its_launcher("-KILL", &["deaf"]);
}

#[test]
fn reported_to_end() {
    ends_with_its_launcher("-TERM", &STATE_NAMES);
}

#[test]
fn interrupted() {
    ends_with_its_launcher("-INT", &STATE_NAMES);
}

fn states(options: &[&str]) -> Place {
    let place = Place::new();
    place.write("states.c", STATES);
    place.cll(&[&["cc", "-O1", "states.c", "-o", "states"], options].concat()).expect(0);
    place
}

#[test]
fn killed_on_threads() {
    let place = states(&["--engine", "threads"]);
    for state in STATE_NAMES.iter().chain(&["deaf"]) {
        let words = ["run", "-n", "3", "--engine", "threads", "./states", state];
        Launched::with(&place, &words, &[]).end_after_kill();
    }
}

#[test]
fn killed_on_mpi() {
    if !ready("killed_on_mpi") {
        return;
    }
    let place = states(&[]);
    for mpi in drawn(0) {
        let (launcher, compiler) = (format!("mpirun.{mpi}"), format!("mpicc.{mpi}"));
        let variables = [("CLL_MPIRUN", launcher.as_str()), ("CLL_MPICC", compiler.as_str())];
        for state in ["asleep", "busy", "deaf", "syncing"] {
            let words = ["run", "-n", "3", "--engine", "mpi", "./states", state];
            Launched::with(&place, &words, &[&OPEN_MPI[..], &variables[..]].concat())
                .end_after_kill();
        }
    }
}

#[test]
fn a_program_of_mpi_ends_with_its_launcher_too() {
    if !ready("a_program_of_mpi_ends_with_its_launcher_too") {
        return;
    }
    let place = Place::new();
    place.write(
        "ranks.c",
        "#include <mpi.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char **argv)\n{\n    int me;\n    \
         MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &me);\n    MPI_Barrier(MPI_COMM_WORLD);\n    if (me \
         == 0) {\n        puts(\"there\");\n        fflush(stdout);\n    }\n    for (;;) pause();\n}\n",
    );
    for mpi in drawn(1) {
        place.sh(&format!("mpicc.{mpi} ranks.c -o ranks.{mpi}")).expect(0);
        let program = format!("./ranks.{mpi}");
        let words = ["run", "-n", "2", "--log", &program];
        Launched::with(&place, &words, &OPEN_MPI).end_after_kill();
    }
}

/// Processor 0 is the process that is started, whose parent knows first how it has ended.
const FIRST: &str = r#"#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int way = atoi(argv[1]);
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 0) {
        if (way == 0)
            _exit(3);
        signal(way, SIG_DFL);
        raise(way);
    }
    bsp_sync();
    bsp_end();
    return 0;
}
"#;

#[test]
fn how_processor_0_has_ended_is_said() {
    let place = Place::new();
    place.write("first.c", FIRST);
    place.cll(&["cc", "-O1", "first.c", "-o", "first"]).expect(0);
    let ways = [
        ("9", 137, "was killed by signal 9"),
        ("11", 139, "was killed by signal 11"),
        ("0", 3, "ended with status 3 before bsp_end"),
    ];
    for (way, code, words) in ways {
        for _ in 0..5 {
            let done = place.cll(&["run", "-n", "3", "./first", way]).expect(code);
            let unknown = "was killed, crashed or called _exit before bsp_end";
            assert!(done.err.contains("processor 0 of 3"), "{}", done.err);
            // Of `_exit` systems before Linux 6.15 do not tell more.
            assert!(
                done.err.contains(words) || way == "0" && done.err.contains(unknown),
                "{}",
                done.err
            );
            // Without us, whoever started it may have taken its status already.
            let mut command = place.command(place.path("first"));
            let done = run(command.arg(way).env("CLL_NPROCS", "3"));
            assert!(done.err.contains("processor 0 of 3"), "{}", done.err);
            assert!(done.err.contains(words) || done.err.contains(unknown), "{}", done.err);
        }
    }
}
