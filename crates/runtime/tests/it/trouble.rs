//! Disks without room, folders without permission, launchers that stop: one message, and the program continues.

use std::fs;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use cll_trace::{Cause, Damage};

use crate::support::launcher::Launcher;
use crate::support::{Program, compile, finish, printed, run, samples};

/// One line on standard error with all of `words`, and the program as always.
fn reported_once(output: &Output, words: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(message.lines().count(), 1, "{message}");
    for word in words.iter().chain(&["cll: ", "the program continues"]) {
        assert!(message.contains(word), "no {word:?} in {message}");
    }
    assert!(output.status.success(), "{:?}", output.status);
}

#[test]
fn a_folder_that_is_not_there() {
    let program = compile("scenes");
    let output = run(program.command().args(["plain", "100000"]).env("CLL_OUT", "no/where"));
    reported_once(&output, &["cannot create", "no/where/scenes.cll.0.dat", "CLL_OUT"]);
    assert_eq!(printed(&output), 100_000);
    // A file in place of the folder: the same error as for a folder without permission, also for root.
    fs::write(program.folder.path().join("file"), "").unwrap();
    let output = run(program.command().args(["plain", "10"]).env("CLL_OUT", "file"));
    reported_once(&output, &["cannot create", "Not a directory"]);
}

#[test]
fn a_limit_of_the_program_is_no_signal() {
    let program = compile("scenes");
    let output = run(program.command().args(["limited", "150000", "20000"]));
    reported_once(&output, &["cannot write", "scenes.cll.0.dat", "File too large"]);
    let path = program.folder.path().join("scenes.cll.0.dat");
    assert!(path.metadata().unwrap().len() <= 150_000);
    let trace = cll_trace::read(fs::File::open(path).unwrap()).unwrap();
    assert!(samples(&trace, "f") > 1000, "what was recorded until then is there");
    // Not even one block.
    let output = run(program.command().args(["limited", "100", "20000"]));
    reported_once(&output, &["cannot write"]);
}

#[test]
fn a_trace_without_a_launcher_has_a_limit() {
    let program = compile("scenes");
    let output = run(program.command().args(["plain", "100000"]).env("CLL_LIMIT", "1000000"));
    reported_once(&output, &["scenes.cll.0.dat", "1000000 bytes", "CLL_LIMIT"]);
    assert_eq!(printed(&output), 100_000);
    let path = program.folder.path().join("scenes.cll.0.dat");
    let size = path.metadata().unwrap().len();
    assert!((800_000..1_010_000).contains(&size), "{size}");
    let trace = cll_trace::read(fs::File::open(path).unwrap()).unwrap();
    let recorded = samples(&trace, "f");
    assert!(recorded > 20_000 && recorded < 60_000, "{recorded}");
    // It is complete as far as it goes, and says that samples are missing.
    let is_dropped = |damage: &Damage| matches!(damage.cause, Cause::Dropped { .. });
    assert!(trace.damage.len() == 1 && is_dropped(&trace.damage[0]), "{:?}", trace.damage);
    // None, and one that is no number.
    let output = run(program.command().args(["plain", "1000"]).env("CLL_LIMIT", "0"));
    assert!(output.stderr.is_empty(), "{output:?}");
    let output = run(program.command().args(["plain", "1000"]).env("CLL_LIMIT", "much"));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("CLL_LIMIT must be a number of bytes"), "{message}");
}

/// A separate disk with `size` bytes, if this user may have one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new(size: usize) -> Option<Disk> {
        let folder = tempfile::tempdir().unwrap();
        let target = std::ffi::CString::new(folder.path().to_str().unwrap()).unwrap();
        let options = std::ffi::CString::new(format!("size={size}")).unwrap();
        let kind = c"tmpfs".as_ptr();
        // SAFETY: all are strings of C.
        let mounted =
            unsafe { libc::mount(kind, target.as_ptr(), kind, 0, options.as_ptr().cast()) };
        (mounted == 0).then_some(Disk(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let target = std::ffi::CString::new(self.0.path().to_str().unwrap()).unwrap();
        // SAFETY: a string of C.
        unsafe { libc::umount(target.as_ptr()) };
    }
}

#[test]
fn a_full_disk() {
    let Some(disk) = Disk::new(1 << 20) else {
        println!("skipped: no right to mount a small disk");
        return;
    };
    let program = compile("scenes");
    let output = run(program.command().args(["plain", "100000"]).env("CLL_OUT", disk.0.path()));
    reported_once(&output, &["cannot write", "No space left on device"]);
    assert_eq!(printed(&output), 100_000);
    let trace = fs::File::open(disk.0.path().join("scenes.cll.0.dat")).unwrap();
    let recorded = samples(&cll_trace::read(trace).unwrap(), "f");
    assert!(recorded > 20_000 && recorded < 100_000, "{recorded}");
}

#[test]
fn the_file_is_taken_away_or_its_descriptor_closed() {
    let program = compile("scenes");
    let output = program.run_well(&["closing", "50000"]);
    assert_eq!(samples(&program.trace(), "f"), printed(&output));
    // Deleted while the program runs: the trace is gone, the program is not.
    let program = compile("scenes");
    let mut command = program.command();
    let counted = program.folder.path().join("count");
    command.args(["dying", "killed", counted.to_str().unwrap()]).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let path = program.folder.path().join("scenes.cll.0.dat");
    crate::support::wait_until("the trace", || path.exists());
    fs::remove_file(&path).unwrap();
    // It continues for many blocks.
    let finished = || u64::from_le_bytes(fs::read(&counted).unwrap()[..8].try_into().unwrap());
    let until_then = finished();
    crate::support::wait_until("more samples", || finished() > until_then + 20_000);
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    assert!(finish(child).stderr.is_empty());
}

#[test]
fn what_the_program_sees_of_itself_does_not_change() {
    let program = compile("scenes");
    assert_eq!(printed(&program.run_well(&["unharmed"])), 0);
    let mut command = program.command();
    let output = run(command.arg("unharmed").env("CLL_CLOCK", "mono"));
    assert_eq!(printed(&output), 0);
}

#[test]
fn the_trace_is_where_the_program_was_started() {
    let program = compile("scenes");
    program.run_well(&["changing"]);
    assert_eq!(samples(&program.trace(), "f"), 4);
    fs::create_dir(program.folder.path().join("out")).unwrap();
    assert!(run(program.command().arg("changing").env("CLL_OUT", "out")).status.success());
    let traces = crate::support::traces(&program.folder.path().join("out"));
    assert_eq!(samples(&traces[0], "f"), 4);
}

fn served(program: &Program, launcher: &Launcher, args: &[&str]) -> std::process::Child {
    let mut command = program.command();
    launcher.serve(command.args(args)).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Whether the first thread of a process sleeps.
fn sleeps(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('S'))
}

#[test]
fn a_program_waits_for_a_launcher_that_is_slow_and_says_so_in_the_trace() {
    let program = compile("scenes");
    const SLOW: Duration = Duration::from_millis(20);
    let mut launcher = Launcher::new(2);
    let child = served(&program, &launcher, &["plain", "20000"]);
    let pid = child.id();
    let waiting = std::thread::spawn(move || finish(child));
    let mut seen_to_wait = 0;
    while !waiting.is_finished() {
        // With all blocks full it sleeps only while it waits for one.
        if launcher.full() == 2 && sleeps(pid) {
            std::thread::sleep(SLOW);
            seen_to_wait += 1;
            launcher.collect(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = waiting.join().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let trace = launcher.trace();
    assert_eq!(samples(&trace, "f"), 20_000);
    let process = &trace.processes[0];
    assert!(seen_to_wait > 3 && process.waits >= seen_to_wait, "{seen_to_wait}: {}", process.waits);
    let slept = seen_to_wait * SLOW.as_nanos() as u64;
    assert!(process.waited_ns >= slept, "{slept}: {}", process.waited_ns);
    // The waiting is in no region; that a region is interrupted for so long on a busy machine is rare.
    let longest = crate::support::seconds(&trace, "f").into_iter().fold(0.0, f64::max);
    let mut longer: Vec<f64> = crate::support::seconds(&trace, "f");
    longer.retain(|&time| time >= SLOW.as_secs_f64());
    assert!((longer.len() as u64) < process.waits / 2, "{} of {longest}", longer.len());
}

#[test]
fn a_launcher_that_has_stopped_does_not_stop_the_program() {
    let program = compile("scenes");
    let mut launcher = Launcher::new(4);
    let began = Instant::now();
    let output = finish(served(&program, &launcher, &["plain", "100000"]));
    reported_once(&output, &["the launcher no longer takes away"]);
    assert_eq!(printed(&output), 100_000);
    // It sleeps for some seconds at least before it gives up.
    assert!(began.elapsed() > Duration::from_secs(4));
    launcher.collect(true);
    let trace = cll_trace::read(launcher.bytes.as_slice()).unwrap();
    assert!(samples(&trace, "f") > 1500);
}

#[test]
fn more_threads_than_slots_drop_and_count() {
    let program = compile("scenes");
    let mut launcher = Launcher::new(8);
    let child = served(&program, &launcher, &["threads", "200", "50"]);
    let waiting = std::thread::spawn(move || finish(child));
    while !waiting.is_finished() {
        launcher.collect(false);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = waiting.join().unwrap();
    assert_eq!(printed(&output), 600);
    launcher.collect(true);
    let trace = cll_trace::read(launcher.bytes.as_slice()).unwrap();
    let dropped = trace.processes[0].end.as_ref().unwrap().dropped;
    assert_eq!(samples(&trace, "f") + dropped, 600);
}

/// Once samples were dropped no thread waits for a block again, but the end of the trace does.
#[test]
fn the_end_is_written_after_samples_were_dropped_by_a_launcher_that_is_slow() {
    let program = compile("scenes");
    let mut launcher = Launcher::new(8);
    let child = served(&program, &launcher, &["crowd", "40"]);
    let waiting = std::thread::spawn(move || finish(child));
    // A thread gives its block away when it ends, which is when all 40 have had theirs or none.
    crate::support::wait_until("the end of a thread", || launcher.full() > 0);
    while !waiting.is_finished() {
        std::thread::sleep(Duration::from_millis(40));
        launcher.collect(false);
    }
    let output = waiting.join().unwrap();
    assert_eq!(printed(&output), 40);
    launcher.collect(true);
    let trace = cll_trace::read(launcher.bytes.as_slice()).unwrap();
    let dropped = trace.processes[0].end.as_ref().unwrap().dropped;
    assert!(dropped >= 32, "{dropped}");
    assert_eq!(samples(&trace, "f") + dropped, 40);
}

#[test]
fn a_descriptor_that_is_no_launchers() {
    let program = compile("scenes");
    for number in ["0", "77", "x", ""] {
        let output = run(program.command().args(["plain", "5"]).env("CLL_SHM_FD", number));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("cannot be used") && message.lines().count() == 1, "{message}");
        assert_eq!(printed(&output), 5);
    }
    assert_eq!(program.traces().len(), 4);
}

#[test]
fn a_program_whose_malloc_is_measured() {
    let program = compile("own_malloc");
    for clock in ["tsc", "mono"] {
        let mut command = program.command();
        let output = run(command.env("CLL_CLOCK", clock));
        assert!(output.status.success() && output.stderr.is_empty());
        let path = program.folder.path().join("own_malloc.cll.0.dat");
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        let own = crate::support::count(&bytes, |sample| sample.values.first() == Some(&4711.0));
        assert_eq!(own, 5000, "{clock}: those that the library asks for are dropped");
    }
}
