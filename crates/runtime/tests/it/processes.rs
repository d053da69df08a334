//! Forks, exec, and every way for a process to end.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::launcher::Launcher;
use crate::support::{Program, compile, finish, list, run, samples, wait_until};
use cll_trace::{Cause, Trace};

#[test]
fn a_child_has_a_trace_of_its_own_without_the_regions_of_its_parent() {
    let program = compile("scenes");
    program.run_well(&["forks"]);
    let traces = program.traces();
    assert_eq!(traces.len(), 2);
    let [parent, child] = [&traces[0], &traces[1]];
    assert_eq!((samples(parent, "f"), samples(parent, "g")), (40, 1));
    assert_eq!((samples(child, "f"), samples(child, "g")), (21, 0));
    let tables = [parent, child].map(|trace| &trace.processes[0].table);
    assert_eq!(tables[1].parent_pid, tables[0].pid);
    assert!(tables[1].start_unix_ns > tables[0].start_unix_ns);
    // The child's are no longer inside g.
    let program = compile("scenes");
    let mut launcher = Launcher::new(16);
    run(launcher.serve(program.command().arg("forks")));
    let trace = launcher.trace();
    assert_eq!((trace.processes.len(), samples(&trace, "f"), samples(&trace, "g")), (2, 61, 1));
    let inside = crate::support::count(&launcher.bytes, |sample| sample.parent.is_some());
    assert_eq!(inside, 30);
}

#[test]
fn vfork_and_exec() {
    let program = compile("scenes");
    program.run_well(&["vforks"]);
    let traces = program.traces();
    let counts: Vec<_> = traces.iter().map(|t| (samples(t, "f"), samples(t, "g"))).collect();
    assert_eq!(counts, [(10, 1), (7, 0)]);
    let traces_of = |program: &Program| -> Vec<u64> {
        let read =
            |path: &std::path::PathBuf| cll_trace::read(fs::File::open(path).unwrap()).unwrap();
        let mut counts: Vec<u64> = list(program.folder.path())
            .iter()
            .filter(|path| path.extension().is_some())
            .map(|path| samples(&read(path), "f"))
            .collect();
        counts.sort_unstable();
        counts
    };
    let program = compile("scenes");
    assert!(run(program.command().args(["exec", "11", "22"])).status.success());
    assert_eq!(traces_of(&program), [11, 22]);
    // The launcher's memory remains for the next program, which finds what was left open.
    let mut launcher = Launcher::new(8);
    let program = compile("scenes");
    let output = run(launcher.serve(program.command().args(["exec", "11", "22"])));
    assert!(output.status.success() && output.stderr.is_empty());
    launcher.collect(true);
    let trace = cll_trace::read(launcher.bytes.as_slice()).unwrap();
    assert_eq!(samples(&trace, "f"), 33);
}

/// Samples of f; checks that nothing is missing but the last records.
fn kept(trace: &Trace) -> u64 {
    for damage in &trace.damage {
        let harmless = matches!(damage.cause, Cause::NoEnd { .. }) || damage.lost.get() == 0;
        assert!(harmless, "{damage:?}");
    }
    samples(trace, "f")
}

fn count(file: &Path) -> u64 {
    let bytes = fs::read(file).unwrap_or_default();
    bytes.first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

#[test]
fn every_end_keeps_what_was_recorded() {
    for (how, code, signal) in
        [("return", Some(0), None), ("_exit", Some(3), None), ("abort", None, Some(6))]
    {
        let program = compile("scenes");
        let counted = program.folder.path().join("count");
        let output = program.run(&["dying", how, counted.to_str().unwrap()]);
        assert_eq!((output.status.code(), output.status.signal()), (code, signal), "{how}");
        let file = fs::File::open(program.folder.path().join("scenes.cll.0.dat")).unwrap();
        assert_eq!((kept(&cll_trace::read(file).unwrap()), count(&counted)), (12_345, 12_345));
    }
}

#[test]
fn killed_at_any_moment_everything_before_is_there() {
    let program = compile("scenes");
    let counted = program.folder.path().join("count");
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..30 {
        let launched = round % 2 == 0;
        let mut launcher = Launcher::new(256);
        let mut command = program.command();
        command.args(["dying", "killed", counted.to_str().unwrap()]).stdout(Stdio::null());
        if launched {
            launcher.serve(&mut command);
        }
        let _ = fs::remove_file(&counted);
        let mut child = command.spawn().unwrap();
        wait_until("the first sample", || {
            launcher.collect(false);
            count(&counted) > 0
        });
        let until = std::time::Instant::now() + Duration::from_micros(random.u64(0..8000));
        while std::time::Instant::now() < until {
            launcher.collect(false);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let recorded = count(&counted);
        let samples = if launched {
            launcher.collect(true);
            kept(&cll_trace::read(launcher.bytes.as_slice()).unwrap())
        } else {
            let path = program.folder.path().join("scenes.cll.0.dat");
            let trace = cll_trace::read(fs::File::open(&path).unwrap()).unwrap();
            fs::remove_file(path).unwrap();
            kept(&trace)
        };
        // The kill may come between a record and the count.
        assert!((recorded..=recorded + 1).contains(&samples), "{samples} of {recorded}");
    }
}

#[test]
fn a_pipeline_is_undisturbed() {
    let program = compile("scenes");
    let script = format!("echo 5 | {0} plain 3 | cat; exit 4", program.path.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(program.folder.path());
    let output = finish(
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(),
    );
    assert_eq!(
        (output.status.code(), &output.stdout[..], &output.stderr[..]),
        (Some(4), &b"3\n"[..], &b""[..])
    );
    assert_eq!(samples(&program.trace(), "f"), 3);
}
