//! `cll run`: whatever becomes of the program, what it recorded is kept.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{CLL, Place, from_output, skip, until, with_enough_time};

/// Records, and then does what its argument says.
const ENDS: &str = r#"#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void measure(int N)
{
    volatile double s = 0;
    int i;
#pragma cll part part[0] + part[1]*N
    for (i = 0; i < N; i++)
        s += i;
#pragma cll end part
}

static volatile sig_atomic_t caught;
static void catch(int signal) { caught += signal; }

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int k;
    if (!strcmp(how, "never")) return 0;
    if (!strcmp(how, "catch")) signal(SIGTERM, catch);
    for (k = 1; k <= 10; k++) measure(100 * k);
    if (!strcmp(how, "exit")) exit(3);
    if (!strcmp(how, "_exit")) _exit(4);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "crash")) raise(SIGSEGV);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "fork")) {
        if (fork() == 0) { measure(5); _exit(0); }
        sleep(1);
    }
    if (!strcmp(how, "leave")) {
        if (fork() == 0) { measure(7); usleep(300000); measure(8); _exit(0); }
        _exit(0);
    }
    if (!strcmp(how, "many")) for (k = 0; k < 200000; k++) measure(2);
    if (!strcmp(how, "hang")) {
        puts("hangs");
        fflush(stdout);
        if (fork() == 0) { for (;;) pause(); }
        for (;;) pause();
    }
    if (!strcmp(how, "catch")) {
        puts("ready");
        fflush(stdout);
        while (!caught) pause();
        printf("caught %d\n", (int)caught);
        usleep(100000);
        return caught == SIGTERM ? 9 : 1;
    }
    if (!strcmp(how, "cat")) while ((k = getchar()) != EOF) putchar(k);
    return 0;
}
"#;

/// With a program that ends as its argument says.
pub fn place() -> Place {
    let place = Place::new();
    place.write("ends.c", ENDS);
    place.build("ends");
    place
}

/// Number of samples in a trace.
pub fn samples(place: &Place, trace: &str) -> usize {
    let done = place.cll(&["export", trace]).expect(0);
    done.out.lines().count() - 1
}

#[test]
fn what_was_recorded_is_kept_however_the_program_ends() {
    let place = place();
    for (number, (how, code)) in
        [("", 0), ("exit", 3), ("_exit", 4), ("abort", 134), ("crash", 139), ("kill", 137)]
            .into_iter()
            .enumerate()
    {
        let done = place.cll(&["run", "./ends", how]).expect(code);
        let trace = format!("ends.cll.{number}.dat");
        assert!(done.err.contains(&trace), "{}", done.err);
        assert_eq!(samples(&place, &trace), 10, "{how}");
        if code > 128 {
            done.says(&["signal", "SIG", "kept"]);
        }
    }
}

#[test]
fn forked_processes_record_too() {
    let place = place();
    place.cll(&["run", "./ends", "fork"]).expect(0);
    assert_eq!(samples(&place, "ends.cll.0.dat"), 11);
}

#[test]
fn a_process_that_stays_behind_is_waited_for() {
    let place = place();
    place.cll(&["run", "./ends", "leave"]).expect(0);
    assert_eq!(samples(&place, "ends.cll.0.dat"), 12);
}

#[test]
fn many_samples_are_taken_away_while_it_runs() {
    let place = place();
    place.cll(&["run", "./ends", "many"]).expect(0);
    assert_eq!(samples(&place, "ends.cll.0.dat"), 200_010);
}

#[test]
fn input_and_output_are_the_programs() {
    let place = place();
    let done = place.cll_fed(&["run", "./ends", "cat"], b"one\ntwo\n").expect(0);
    assert_eq!(done.out, "one\ntwo\n");
}

#[test]
fn traces_are_numbered_and_go_where_they_are_asked_to() {
    let place = place();
    place.cll(&["run", "./ends"]).expect(0);
    place.cll(&["run", "./ends"]).expect(0);
    place.cll(&["run", "-o", "x/y", "./ends"]).expect(0);
    place.cll_with(&[("CLL_OUT", "z")], &["run", "./ends"]).expect(0);
    for name in ["ends.cll.0.dat", "ends.cll.1.dat", "x/y/ends.cll.0.dat", "z/ends.cll.0.dat"] {
        assert!(place.exists(name), "{name}");
    }
}

#[test]
fn time_that_is_up_ends_the_program_and_its_children() {
    let place = place();
    // It and its child wait for ever by themselves; before that it records.
    let done = with_enough_time(
        |limit| {
            place.sh("rm -f ends.cll.*").expect(0);
            let done = place.cll(&["run", "--timeout", limit, "./ends", "hang"]).expect(124);
            done.says(&["took too long"])
        },
        |_| place.exists("ends.cll.0.dat") && samples(&place, "ends.cll.0.dat") == 10,
    );
    done.says(&["kept"]);
    assert_eq!(samples(&place, "ends.cll.0.dat"), 10);
    let own = place.path("ends").canonicalize().unwrap();
    until("no process is left", || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        !processes
            .into_iter()
            .any(|p| fs::read_link(p.path().join("exe")).is_ok_and(|exe| exe == own))
    });
    let json = place.cll(&["export", "ends.cll.0.dat", "--format", "json"]).expect(0).json();
    assert_eq!(json["runs"][0]["timeout"], true, "{}", json["runs"]);
}

#[test]
fn a_signal_reaches_the_program_once_and_the_trace_is_written() {
    let place = place();
    let child = place
        .command(CLL)
        .args(["run", "./ends", "catch"])
        .stdout(Stdio::from(fs::File::create(place.path("out")).unwrap()))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the program is ready", || place.read("out").contains("ready"));
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let done = from_output(&child.wait_with_output().unwrap()).expect(9);
    assert!(place.read("out").contains("caught 15\n"), "{}", place.read("out"));
    assert_eq!(samples(&place, "ends.cll.0.dat"), 10, "{}", done.err);
}

#[test]
fn a_killed_launcher_harms_nobody() {
    let place = place();
    let mut child = place
        .command(CLL)
        .args(["run", "./ends", "many"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("it records", || {
        fs::metadata(place.path("ends.cll.0.dat")).is_ok_and(|file| file.len() > 16 << 10)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let done = place.cll(&["export", "ends.cll.0.dat"]).expect(0);
    assert!(done.out.lines().count() > 100);
}

#[test]
fn an_experiment_that_was_never_reached_is_named() {
    let place = place();
    let done = place.cll(&["run", "./ends", "never"]).expect(0);
    done.says(&["nothing was recorded", "part (ends.c:11)"]);
    assert!(!place.exists("ends.cll.0.dat"));
}

#[test]
fn without_the_launcher_the_program_writes_its_trace() {
    let place = place();
    let done = crate::support::run(place.command(place.path("ends")).arg("kill"));
    assert_eq!(done.signal, Some(9));
    assert_eq!(samples(&place, "ends.cll.0.dat"), 10);
}

#[test]
fn programs_that_cannot_be_run_are_refused_with_the_reason() {
    let place = place();
    // Each reason: in the tests of the crate `launch`.
    place.cll(&["run", "./end"]).expect(3).says(&["no such file", "did you mean ./ends?"]);
    place.cll(&["run", "ends"]).expect(3).says(&["PATH", "./ends"]);
    place.cll(&["run", "-n", "2", "./ends"]).expect(2).says(&["is sequential", "OpenMP"]);
    place.cll(&["run", "-n", "0", "./ends"]).expect(2);
    place.cll(&["run"]).expect(2);
}

#[test]
fn openmp_runs_with_the_threads_that_are_asked_for() {
    let place = Place::new();
    place.write(
        "omp.c",
        "#include <stdio.h>\n#include <omp.h>\n#pragma cll parallel OpenMP\nint main(void)\n{\n    int N = 1000, i;\n    \
         double s = 0;\n#pragma cll sum sum[0] + sum[1]*N/P\n#pragma omp parallel for reduction(+:s)\n    for (i = 0; i < N; \
         i++) s += i;\n#pragma cll end sum\n    printf(\"%d threads\\n\", omp_get_max_threads());\n    return 0;\n}\n",
    );
    place.cll(&["cc", "-fopenmp", "omp.c", "-o", "omp"]).expect(0);
    place.cll(&["run", "-n", "3", "./omp"]).expect(0).prints(&["3 threads"]);
    let done = place.cll(&["export", "omp.cll.0.dat"]).expect(0);
    assert!(done.out.lines().nth(1).unwrap().contains("1000,3"), "{}", done.out);
}

#[test]
fn a_full_disk_loses_nothing_that_was_recorded_before() {
    const NAME: &str = "a_full_disk_loses_nothing_that_was_recorded_before";
    let place = place();
    fs::create_dir(place.path("small")).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
        .arg(place.path("small"))
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        skip(NAME, "a file system of its own cannot be mounted");
        return;
    }
    let done = place.cll(&["run", "-o", "small", "./ends", "many"]);
    let kept = place.path("kept.dat");
    fs::copy(place.path("small/ends.cll.0.dat"), &kept).unwrap();
    Command::new("umount").arg(place.path("small")).status().unwrap();
    done.expect(7).says(&["could not be written", "no space left", "the program continues"]);
    let done = place.cll(&["export", "kept.dat"]).expect(0);
    assert!(done.out.lines().count() > 1000, "{}", done.err);
    assert!(!done.err.contains("checksum") && !done.err.contains("ends within"), "{}", done.err);
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_before_the_program_runs() {
    let place = place();
    place.write("file", "");
    place.cll(&["run", "-o", "file/x", "./ends", "exit"]).expect(7).says(&["file/x"]);
}
