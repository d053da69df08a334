//! Runs tests one after the other, each in a separate process with one thread: machines of processes need that,
//! and a crash or a hang is one failed test.
//!
//! It understands the arguments that cargo test and nextest pass to a test binary.

use std::io::{Write, stdout};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// The name of a test, and a function that panics if the test fails.
pub type Test = (&'static str, fn());

/// Longer than any test here takes on a loaded machine.
const LONGEST: Duration = Duration::from_secs(600);

/// The tests of these modules that the command line asks for; the process ends with what came of them.
pub fn main(modules: &[(&str, &[&[Test]])]) -> ! {
    let tests: Vec<(String, fn())> = modules
        .iter()
        .flat_map(|(module, lists)| {
            lists
                .iter()
                .copied()
                .flatten()
                .map(move |(name, test)| (format!("{module}::{name}"), *test))
        })
        .collect();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--list") {
        if !has("--ignored") {
            tests.iter().for_each(|(name, _)| println!("{name}: test"));
        }
        std::process::exit(0);
    }
    let filters: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |name: &str| {
        let fits = |filter: &&String| {
            if has("--exact") { name == filter.as_str() } else { name.contains(filter.as_str()) }
        };
        filters.is_empty() || filters.iter().any(fits)
    };
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
        let outcome = run(*test);
        println!("test {name} ... {}", outcome.as_ref().map_or_else(|why| why.as_str(), |()| "ok"));
        *(if outcome.is_ok() { &mut passed } else { &mut failed }) += 1;
    }
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {result}. {passed} passed; {failed} failed; 0 ignored; 0 measured");
    std::process::exit(i32::from(failed > 0))
}

/// Runs a function that panics if it fails, in a separate process.
pub fn run(test: impl FnOnce() + std::panic::UnwindSafe) -> Result<(), String> {
    let _ = stdout().flush();
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        -1 => Err(format!("FAILED: fork: {}", std::io::Error::last_os_error())),
        0 => {
            // Processes that it started and left behind are found and ended by their group. SAFETY: plain
            // calls.
            unsafe { libc::setpgid(0, 0) };
            let failed = catch_unwind(test).is_err();
            let _ = stdout().flush();
            // SAFETY: ends this process.
            unsafe { libc::_exit(i32::from(failed)) }
        }
        child => wait_for(child),
    }
}

fn wait_for(child: libc::pid_t) -> Result<(), String> {
    let begin = Instant::now();
    let mut status = 0;
    // SAFETY: our child.
    while unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == 0 {
        if begin.elapsed() > LONGEST {
            // SAFETY: the group of our child, which was not waited for.
            unsafe {
                libc::kill(-child, libc::SIGKILL);
                libc::waitpid(child, &raw mut status, 0);
            }
            return Err(format!("FAILED: it took longer than {LONGEST:?}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let left_behind = || is_anybody_in(child);
    // Killed processes may take a moment to end, longer on a loaded machine.
    while left_behind() && begin.elapsed() <= LONGEST {
        std::thread::sleep(Duration::from_millis(1));
    }
    if left_behind() {
        // SAFETY: as above.
        unsafe { libc::kill(-child, libc::SIGKILL) };
        return Err("FAILED: it left processes behind".to_owned());
    }
    match (libc::WIFEXITED(status), libc::WEXITSTATUS(status)) {
        (true, 0) => Ok(()),
        (true, _) => Err("FAILED".to_owned()),
        _ => Err(format!("FAILED: killed by signal {}", libc::WTERMSIG(status))),
    }
}

/// Whether there is a process in a group, except those that only nobody has waited for.
fn is_anybody_in(group: libc::pid_t) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats =
        processes.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    stats.into_iter().any(|stat| {
        // After the name, which may have any characters: state, parent, group.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let its_group = fields.get(2).and_then(|group| group.parse().ok());
        its_group == Some(group) && fields[0] != "Z"
    })
}
