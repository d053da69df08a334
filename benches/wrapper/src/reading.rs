//! Measures how long reading a log takes: a million messages to a folded graph, 4·10^7 calls to statistics.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};

use super::mpis;

/// Messages and calls of the log, the command, and what is asked of it: seconds and bytes of memory.
const GOALS: [(&str, &str, &str, f64, u64); 2] =
    [("1000000", "0", "graph", 2.0, u64::MAX), ("0", "40000000", "stats", 20.0, 200_000_000)];

/// Makes each log, reads it and removes it.
pub fn measure(cll: &Path, mpi: &str) -> Result<()> {
    let place = tempfile::tempdir()?;
    let program = place.path().join("many");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("many.c");
    mpis::compile(&mut Command::new(format!("mpicc.{mpi}")), &source, &program)?;
    println!("{mpi}:");
    for (messages, calls, what, seconds, memory) in GOALS {
        let folder = place.path().join("log");
        let mut log = Command::new(cll);
        log.args(["run", "-n", "2", "--log", "-o"]).arg(&folder).arg(&program);
        log.args([messages, calls]).env("CLL_MPIRUN", format!("mpirun.{mpi}"));
        log.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        let output = log.output()?;
        ensure!(output.status.success(), "{log:?}: {}", String::from_utf8_lossy(&output.stderr));
        let before = children()?;
        let begun = Instant::now();
        let mut read = Command::new(cll);
        read.args(["mpi", what, "--json"]).arg(&folder);
        let mut child = read.stdout(Stdio::null()).spawn()?;
        let mut most = 0;
        let status = loop {
            most = memory_of(child.id()).unwrap_or(0).max(most);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        ensure!(status.success(), "{read:?}: {status}");
        let goal = match memory {
            u64::MAX => format!("{seconds} s"),
            memory => format!("{seconds} s, {} MB", memory / 1_000_000),
        };
        println!(
            "  {messages} messages, {calls} other calls: cll mpi {what} {:.2} s ({:.2} s of processor time), {:.0} MB; \
             goal {goal}",
            begun.elapsed().as_secs_f64(),
            children()? - before,
            most as f64 / 1e6
        );
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

/// Seconds of processor time of all processes that have ended.
fn children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// The largest memory of a process so far, bytes.
fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
