//! `cll run` that is killed, or told to end, while a BSP program is in this or that state: all its
//! processors end with it, within a second.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::support::{CLL, Place};

/// Goes to the state that its argument names, and says so.
const STATES: &str = r#"#include <bsp.h>
#include <signal.h>
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
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let mut command = place.command(CLL);
        command.args(["run", "-n", "3", "./states", state]).env("BSP_KILLED_MARK", &mark);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut launcher = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(launcher.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "there\n", "{state}");
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

    /// Whether all have ended a second after this signal to the launcher.
    fn ends_after(mut self, signal: &str) -> bool {
        // Before bsp_begin some may still have to be started.
        assert!(self.processes().len() >= 2, "a launcher and a processor");
        let pid = self.launcher.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let begin = Instant::now();
        let status = self.launcher.wait().unwrap();
        let gone = loop {
            if self.processes().is_empty() {
                break true;
            }
            if begin.elapsed() > Duration::from_secs(1) {
                break false;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
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
    place.cll(&["cc", "-O1", "states.c", "-o", "states"]).expect(0);
    for state in states {
        let mut tries = 0..TRIES;
        let in_time = tries.any(|_| Launched::new(&place, state).ends_after(signal));
        assert!(in_time, "{state}: not all had ended a second after {signal}");
    }
}

#[test]
fn killed() {
    ends_with_its_launcher("-KILL", &STATE_NAMES);
    // A program that does not listen when it is told to end does not outlive its launcher.
    ends_with_its_launcher("-KILL", &["deaf"]);
}

#[test]
fn told_to_end() {
    ends_with_its_launcher("-TERM", &STATE_NAMES);
}

#[test]
fn interrupted() {
    ends_with_its_launcher("-INT", &STATE_NAMES);
}
