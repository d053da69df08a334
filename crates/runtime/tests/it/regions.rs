//! Tests what is recorded of a program that runs to its end.

use std::time::Instant;

use crate::support::launcher::Launcher;
use crate::support::{Build, compile, compile_with, count, finish, printed, run, samples, seconds};
use cll_trace::Trace;
use cll_trace::meta::Clock;

#[test]
fn samples_of_nested_regions_and_of_those_left_by_a_return() {
    let program = compile("nested");
    let output = program.run_well(&["5000"]);
    let trace = program.trace();
    assert_eq!((samples(&trace, "f"), samples(&trace, "g")), (5000, 10_000));
    let f = trace.experiments.iter().find(|experiment| experiment.name == "f").unwrap();
    assert_eq!(f.left, printed(&output));
    assert_eq!((f.left, f.variables.join(" ")), (2500, "N P".to_owned()));
    let cell = &f.cells[0];
    assert_eq!((f.cells.len(), &cell.values[..]), (1, &[5000.0, 1.0][..]));
    // A region takes as long as those in it and more, and none takes a second.
    let inside: f64 = seconds(&trace, "g").iter().sum();
    let (inclusive, exclusive): (f64, f64) =
        (cell.inclusive.iter().sum(), cell.exclusive().iter().sum());
    assert!((inclusive - exclusive - inside).abs() < 1e-9 * inclusive, "{inclusive} {exclusive}");
    assert!(exclusive > 0.0 && inclusive < 60.0);
}

#[test]
fn the_process_is_described() {
    let program = compile("nested");
    let mut command = program.command();
    command
        .args(["7", "a \"quoted\"", ""])
        .env("CLL_ORDER", "shuffled:12")
        .env("CLL_CLOCK", "mono");
    assert!(run(&mut command).status.success());
    let trace = program.trace();
    let process = &trace.processes[0];
    let table = &process.table;
    assert_eq!(table.args, ["7", "a \"quoted\"", ""]);
    assert!(table.program.ends_with("/nested"), "{}", table.program);
    assert_eq!(table.cwd, program.folder.path().canonicalize().unwrap().to_str().unwrap());
    assert_eq!(
        (table.clock, &table.order[..], &table.gate[..]),
        (Clock::Mono, "shuffled 12", "on")
    );
    assert_eq!((table.pid, table.parent_pid), (process.pid, std::process::id()));
    assert!(!table.host.is_empty() && table.processors == 1 && table.start_unix_ns > 1 << 60);
    assert_eq!(process.units[0].places.len(), 3);
    assert_eq!(process.end.as_ref().unwrap().dropped, 0);
    assert_eq!(samples(&trace, "f"), 7);
}

/// Regions that sleep are as long as the sleep, or longer on a loaded machine; and shorter than the run around
/// them.
#[test]
fn both_clocks_agree_with_wall_time() {
    /// The possible error of a clock, which the process compares with the system's at its begin and end.
    const OFF: f64 = 0.02;
    let program = compile("scenes");
    for clock in ["tsc", "mono"] {
        let mut command = program.command();
        let began = Instant::now();
        run(command.args(["sleeps", "4", "100"]).env("CLL_CLOCK", clock));
        let wall = began.elapsed().as_secs_f64();
        let trace = program.traces().pop().unwrap();
        let times = seconds(&trace, "f");
        assert_eq!(times.len(), 4, "{clock}");
        assert!(times.iter().all(|time| *time >= 0.1 * (1.0 - OFF)), "{clock}: {times:?}");
        let total: f64 = times.iter().sum();
        assert!(total <= wall * (1.0 + OFF), "{clock}: {total} of {wall}");
        // Two readings of a clock are at least some nanoseconds apart.
        run(program.command().args(["plain", "300000"]).env("CLL_CLOCK", clock));
        let trace = program.traces().pop().unwrap();
        assert_eq!(samples(&trace, "f"), 300_000, "{clock}");
        let total: f64 = seconds(&trace, "f").iter().sum();
        assert!(total >= 1e-3, "{clock}: {total}");
    }
}

#[test]
fn the_gate() {
    let program = compile("scenes");
    let count = |trace: &Trace| ["f", "g", "h"].map(|name| samples(trace, name));
    program.run_well(&["gate"]);
    assert_eq!(count(&program.trace()), [20, 1, 0]);
    // Closed by the environment, opened by the program.
    assert!(run(program.command().arg("gate").env("CLL_GATE", "off")).status.success());
    let traces = program.traces();
    assert_eq!((count(&traces[1]), &traces[1].processes[0].table.gate[..]), ([10, 0, 0], "off"));
    // Nothing measured: no file.
    run(program.command().args(["plain", "9"]).env("CLL_GATE", "off"));
    assert_eq!(program.traces().len(), 2);
    let mut command = program.command();
    run(command.arg("gate").env("CLL_CLOCK", "mono"));
    assert_eq!(count(&program.traces()[2]), [20, 1, 0]);
}

#[test]
fn deep_recursion() {
    let program = compile("scenes");
    program.run_well(&["recursion", "100000"]);
    let trace = program.trace();
    assert_eq!(samples(&trace, "f"), 100_000);
    let f = &trace.experiments[0];
    // Each has another N; the time of one includes that of the one below.
    assert_eq!(f.cells.len(), 100_000);
    let cell_of = |n: f64| f.cells.iter().find(|cell| cell.values[0] == n).unwrap();
    assert!(cell_of(100_000.0).inclusive[0] > cell_of(50_000.0).inclusive[0]);
    // The exclusive time of one is the time that the one below does not take.
    for n in [2.0, 50_000.0, 100_000.0] {
        let (own, below) = (cell_of(n).exclusive()[0], cell_of(n - 1.0).inclusive[0]);
        let inclusive = cell_of(n).inclusive[0];
        assert!(
            (inclusive - below - own).abs() < 1e-9 * inclusive,
            "{n}: {inclusive} {below} {own}"
        );
    }
}

#[test]
fn jumps_out_of_regions_do_not_shift_what_follows() {
    let program = compile("scenes");
    let output = program.run_well(&["jumps", "1001"]);
    let trace = program.trace();
    assert_eq!(samples(&trace, "f"), printed(&output));
    // The frames that longjmp passed over were never closed.
    assert_eq!((samples(&trace, "g"), samples(&trace, "h")), (0, 0));
    let bytes = std::fs::read(program.folder.path().join("scenes.cll.0.dat")).unwrap();
    let outermost = count(&bytes, |sample| sample.depth == 0 && sample.parent.is_none());
    assert_eq!(outermost, printed(&output));
}

#[test]
fn loops_hand_out_their_values_in_the_order_that_is_asked_for() {
    let program = compile("scenes");
    let values = |order: &str| -> Vec<f64> {
        let output = run(program.command().arg("loops").env("CLL_ORDER", order));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("1048576 values") && message.lines().count() == 1, "{message}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().take(18).map(|line| line.parse().unwrap()).collect()
    };
    let inner = |n: f64| [n + 0.5, n + 1.0, n + 1.5];
    let ascending: Vec<f64> =
        [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().flat_map(inner).collect();
    assert_eq!(values(""), ascending);
    assert_eq!(values("ascending"), ascending);
    let descending: Vec<f64> =
        [32.0, 16.0, 8.0, 4.0, 2.0, 1.0].into_iter().flat_map(inner).collect();
    assert_eq!(values("descending"), descending);
    let shuffled = values("shuffled:5");
    assert_eq!(shuffled, values("shuffled:5"));
    assert_ne!(shuffled, values("shuffled:6"));
    let mut sorted = shuffled.clone();
    sorted.sort_by(f64::total_cmp);
    let mut wanted = ascending.clone();
    wanted.sort_by(f64::total_cmp);
    assert_eq!(sorted, wanted);
    // The inner loop is `ordered`.
    assert!(shuffled.chunks(3).all(|three| three[0] < three[1] && three[1] < three[2]));
}

#[test]
fn reports_are_recorded_once() {
    let program = compile("scenes");
    program.run_well(&["reports"]);
    let trace = program.trace();
    assert_eq!(samples(&trace, "f"), 3);
    let bytes = std::fs::read(program.folder.path().join("scenes.cll.0.dat")).unwrap();
    let count = |text: &str| bytes.windows(text.len()).filter(|w| *w == text.as_bytes()).count();
    assert_eq!(count("\"report\",\"names\":[\"f\",\"g\"]"), 1);
    assert_eq!(count("\"report\",\"names\":[]"), 1);
}

#[test]
fn compiled_without_optimisation_it_is_the_same() {
    let build = Build { flags: &["-O0", "-fPIC", "-pthread"], ..Build::default() };
    let program = compile_with("nested.c", "nested", build);
    program.run_well(&["3000"]);
    let trace = program.trace();
    assert_eq!((samples(&trace, "f"), samples(&trace, "g")), (3000, 6000));
}

#[test]
fn a_launcher_takes_blocks_away_and_nothing_is_lost() {
    let program = compile("scenes");
    for slots in [3, 64] {
        let mut launcher = Launcher::new(slots);
        let mut command = program.command();
        launcher.serve(command.args(["threads", "2000", "2"]));
        let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let waiting = std::thread::spawn(move || finish(child));
        while !waiting.is_finished() {
            launcher.collect(false);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(waiting.join().unwrap().status.success());
        assert_eq!(samples(&launcher.trace(), "f"), 6000);
        assert!(program.traces().is_empty(), "with a launcher there is no file");
    }
}
