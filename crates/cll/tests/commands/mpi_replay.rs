//! `smpirun -replay` of an exported recording takes as long as the longest path with the same parameters.

use std::fs::File;
use std::path::PathBuf;

use cll_calls::Overview;
use cll_model::messages::{Free, Primitives, of_logs};

use crate::recorded::logs_in;
use crate::support::{Place, have, run};

/// A machine whose messages are dear beside the computation. Above the eager limit SimGrid has the link
/// only; with the same link below it, all factors of latency and bandwidth are 1.
const MACHINE: &str = r#"cll-machine = 3
name = "dear messages"
[origin]
by = "hand"
[[mpi]]
name = "MPICH 4"
eager = "4040 B"
[[message]]
mpi = "MPICH 4"
call = "total"
pieces = [{ from = "8 B", to = "1 MiB", L = "100 us", g = "7 ns/B" }]
[[message]]
mpi = "MPICH 4"
call = "emission"
pieces = [
  { from = "8 B", to = "4040 B", L = "8 us", g = "1 ns/B" },
  { from = "4041 B", to = "1 MiB", L = "1 ps", g = "0 s/B" },
]
[[message]]
mpi = "MPICH 4"
call = "transit"
pieces = [{ from = "8 B", to = "1 MiB", L = "100 us", g = "7 ns/B" }]
[[message]]
mpi = "MPICH 4"
call = "reception"
pieces = [
  { from = "8 B", to = "4040 B", L = "12 us", g = "2 ns/B" },
  { from = "4041 B", to = "1 MiB", L = "1 ps", g = "0 s/B" },
]
"#;

#[test]
fn a_replay_takes_as_long_as_the_longest_path() {
    let test = "a_replay_takes_as_long";
    if !have("smpirun", test) {
        return;
    }
    let place = Place::new();
    place.write("machine.toml", MACHINE);
    let line = "machine export machine.toml --to simgrid --speed 1e9 --out platform.xml -n 4";
    place.cll(&line.split(' ').collect::<Vec<_>>()).expect(0);
    let platform = place.read("platform.xml");
    for factor in ["lat-factor", "bw-factor"] {
        let line = platform.lines().find(|line| line.contains(factor)).expect("its line");
        let values = line.split('"').nth(3).expect("its value").split(';');
        let all: Vec<&str> = values.filter_map(|text| text.split(':').nth(1)).collect();
        assert!(all.iter().all(|entry| entry.parse() == Ok(1.0)), "{line}");
    }
    place.write("hosts", "process-0\nprocess-1\nprocess-2\nprocess-3\n");
    let machine = cll_machine::read(&place.bytes("machine.toml")).machine.unwrap();
    let mut wrong = Vec::new();
    let programs =
        ["blocking", "non-blocking", "pipeline", "matrix", "farm", "collectives", "uneven"];
    for program in programs {
        logs_in(&place, "mpich", &format!("replayed-{program}"), program);
        let trace = format!("{program}.tit");
        place.cll(&["mpi", "export", program, "--format", "simgrid", "--out", &trace]).expect(0);
        place.write("list", format!("{trace}\n"));
        let mut command = place.command("smpirun");
        let words =
            ["-np", "4", "-platform", "platform.xml", "-hostfile", "hosts", "-replay", "list"];
        let done = run(command.args(words).arg("--log=root.fmt:%m%n")).expect(0);
        let output = [done.out.as_str(), done.err.as_str()].concat();
        let time = output.lines().find_map(|line| line.strip_prefix("Simulation time "));
        let time = time.unwrap_or_else(|| panic!("{output}"));
        let replayed: f64 = time.trim().parse().expect("seconds");
        let files: Vec<PathBuf> =
            place.list(program).iter().map(|name| place.path(program).join(name)).collect();
        let mut open = |index: usize| {
            let file = File::open(&files[index]).map_err(cll_trace::TraceError::Io)?;
            Ok(Box::new(file) as Box<dyn cll_calls::Input>)
        };
        let mut logs: Vec<Overview> = (0..files.len())
            .map(|position| Overview::read(open(position).unwrap()).unwrap())
            .collect();
        cll_calls::relate(&mut logs);
        let costs = Primitives::new(&machine, "MPICH").unwrap();
        let own = of_logs(&logs, &mut open, &costs, 1.0).unwrap();
        assert!(own.evaluated.complete && own.left_out.all() == 0, "{program}");
        let own = own.evaluated.last().end.get();
        let free = of_logs(&logs, &mut open, &Free, 1.0).unwrap().evaluated.last().end.get();
        println!("{program}: {own:.6} s, replayed {replayed:.6} s, {free:.6} s without messages");
        // Else the comparison would say nothing of messages.
        assert!(own > 1.02 * free, "{program}: {own} s, {free} s without messages");
        if (replayed - own).abs() > 0.02 * own {
            wrong.push(format!("{program}: {own} s, replayed {replayed} s"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
