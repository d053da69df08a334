//! The probe of MPIs from end to end, and machines of and for other programs. What a busy machine measures is of no interest,
//! but eager limits are found on any.

use test_draw::is_drawn;
use test_hosts::Plan;

use crate::mpi_calls::{OPEN_MPI, cll, drawn, ready};
use crate::mpi_hosts;
use crate::support::{Place, have, run};

const PROBE: [&str; 10] =
    ["machine", "probe", "--mpi", "--quick", "--budget", "2", "--loaded", "accept", "--seed", "3"];

/// The messages of a machine as JSON with this call.
fn lines<'a>(
    machine: &'a serde_json::Value,
    table: &str,
    call: &str,
) -> Vec<&'a serde_json::Value> {
    let all = machine["message_passing"][table].as_array().unwrap();
    all.iter().filter(|value| value["call"] == call).collect()
}

#[test]
fn both_mpis_are_measured_and_their_eager_limits_found() {
    let place = Place::new();
    if !ready("probe of MPIs") {
        return;
    }
    // Both are measured by one command; one of them takes half of its time.
    let mpis = drawn(0);
    let own = format!("mpicc.{}", mpis[0]);
    let only = [("CLL_MPICC", own.as_str())];
    let only = if mpis.len() == 2 { &[][..] } else { &only };
    let variables = [&OPEN_MPI[..], only].concat();
    let line = [&PROBE[..], &["--json", "--out", "a.toml"]].concat();
    let known = [("openmpi", "Open MPI", 4040.0), ("mpich", "MPICH", 8255.0)];
    let known: Vec<(&str, &str, f64)> =
        known.into_iter().filter(|(mpi, ..)| mpis.contains(mpi)).collect();
    let limit = |machine: &serde_json::Value, name: &str| {
        let libraries = machine["message_passing"]["libraries"].as_array().unwrap();
        let own =
            libraries.iter().find(|library| library["name"].as_str().unwrap().starts_with(name));
        own.unwrap()["eager"]["value"].as_f64()
    };
    let done = place.cll_with(&variables, &line).expect(0);
    let done = done.says(&["the samples are in a.mpi.csv"]);
    let probed = done.json();
    let machine = &probed["machine"];
    for &(_, name, value) in &known {
        let limit = limit(machine, name).unwrap_or_else(|| panic!("{name}: {machine}"));
        assert!((limit - value).abs() <= 100.0, "{name}: {limit}");
    }
    let shown = cll(&place, &["machine", "show", "a.toml", "--json"]).expect(0).json();
    assert_eq!(probed, shown, "what is in the file is what was printed");
    let machine = &shown["machine"];
    let libraries = machine["message_passing"]["libraries"].as_array().unwrap();
    assert_eq!(libraries.len(), mpis.len(), "{libraries:?}");
    let names: Vec<&str> = known.iter().map(|&(_, name, _)| name).collect();
    for name in &names {
        let value =
            libraries.iter().find(|library| library["name"].as_str().unwrap().starts_with(name));
        let starts = value.unwrap()["start"].as_array().unwrap();
        assert!(starts.iter().any(|start| start["processes"] == 2), "{libraries:?}");
    }
    let raw = place.read("a.mpi.csv");
    assert!(raw.starts_with("round,mpi,hosts,processes,call,partner,bytes,value,"));
    let rounds: Vec<&str> = raw.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(["0", "1", "2"].iter().all(|round| rounds.contains(round)), "three launches at least");
    // On a busy machine a launch ends before it has measured everything. What it has measured is in the file.
    let calls = [
        ("receive", "late", "total"),
        ("isend", "posted", "emission"),
        ("irecv", "early", "reception"),
        ("send", "late", "send"),
        ("bsend", "posted", "bsend"),
        ("ssend", "posted", "ssend"),
        ("rsend", "posted", "rsend"),
    ];
    for (call, partner, name) in calls {
        for &mpi in &names {
            let sizes = |round: &str| sizes(&raw, round, mpi, call, partner);
            if ["0", "1", "2"].iter().all(|round| sizes(round) >= 4) {
                let values = lines(machine, "messages", name);
                let is_of_mpi =
                    |entry: &&serde_json::Value| entry["mpi"].as_str().unwrap().starts_with(mpi);
                assert!(values.into_iter().any(|one| is_of_mpi(&one)), "{call} of {mpi}");
            }
        }
    }
    // Each part of the time of a message is in the file, or is named as missing.
    let missing: Vec<&str> =
        machine["missing"].as_array().unwrap().iter().filter_map(|value| value.as_str()).collect();
    let parts = [("emission", "t_e"), ("transit", "t_t"), ("reception", "t_r"), ("total", "whole")];
    let mut printed = vec!["eager limit: a send does not wait up to"];
    let collectives = machine["message_passing"]["collectives"].as_array();
    if collectives.is_some_and(|all| !all.is_empty()) {
        printed.push("collectives");
    }
    for (call, symbol) in parts {
        let values = lines(machine, "messages", call);
        for &mpi in &names {
            let is_known =
                values.iter().any(|value| value["mpi"].as_str().unwrap().starts_with(mpi));
            let is_named = |entry: &&&str| entry.starts_with(mpi) && entry.contains(symbol);
            assert_ne!(
                is_known,
                missing.iter().any(|one| is_named(&one)),
                "{call} of {mpi}: {missing:?}"
            );
        }
        if !values.is_empty() {
            printed.push(symbol);
        }
    }
    cll(&place, &["machine", "show", "a.toml"]).expect(0).prints(&printed);
    cll(&place, &["machine", "check", "a.toml"]).expect(0).prints(&["a.toml: valid"]);
    cll(&place, &["machine", "compare", "a.toml", "a.toml"]).expect(0).prints(&["none of "]);
}

/// How many sizes of a call a round has measured.
fn sizes(raw: &str, round: &str, mpi: &str, call: &str, partner: &str) -> usize {
    let rows = raw.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let matching = rows.filter(|row| {
        row[0] == round && row[1].starts_with(mpi) && (row[4], row[5]) == (call, partner)
    });
    let mut sizes: Vec<&str> = matching.map(|row| row[6]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.len()
}

/// Sends messages to and fro in SimGrid; prints bytes and the simulated one-way time in nanoseconds.
const PING: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int me, sizes[] = { 64, 1024, 65536, 524288 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    char *data = calloc(524288, 1);
    for (int k = 0; k < 4; k++) {
        double begin = MPI_Wtime();
        for (int turn = 0; turn < 10; turn++) {
            if (me == 0) MPI_Send(data, sizes[k], MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, sizes[k], MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (me == 1) MPI_Send(data, sizes[k], MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
        if (me == 0) printf("%d %.0f\n", sizes[k], (MPI_Wtime() - begin) * 1e9 / 20);
    }
    MPI_Finalize();
    return 0;
}
"#;

/// A machine with an eager limit of 4040 bytes.
const MACHINE: &str = r#"cll-machine = 3
name = "two"
[origin]
by = "hand"
[[mpi]]
name = "Open MPI 4"
eager = "4040 B"
[[message]]
mpi = "Open MPI 4"
call = "total"
pieces = [
  { from = "8 B", to = "4 KiB", L = "300 ns", g = "500 ps/B" },
  { from = "5 KiB", to = "64 KiB", L = "1 us", g = "100 ps/B" },
  { from = "65 KiB", to = "1 MiB", L = "3 us", g = "80 ps/B" },
]
[[message]]
mpi = "Open MPI 4"
call = "emission"
pieces = [{ from = "8 B", to = "1 MiB", L = "50 ns", g = "100 ps/B" }]
[[message]]
mpi = "Open MPI 4"
call = "transit"
pieces = [{ from = "8 B", to = "1 MiB", L = "200 ns", g = "300 ps/B" }]
[[message]]
mpi = "Open MPI 4"
call = "reception"
pieces = [{ from = "8 B", to = "1 MiB", L = "50 ns", g = "100 ps/B" }]
"#;

/// SimGrid reads the platform, and its messages take as long as those of the machine.
#[test]
fn a_platform_is_read_by_simgrid() {
    let place = Place::new();
    place.write("a.toml", MACHINE);
    let export =
        ["machine", "export", "a.toml", "--to", "simgrid", "--out", "p.xml", "--mpi", "Open"];
    place.cll(&export).expect(3).says(&["the machine has no s", "--speed"]);
    place.cll(&[&export[..], &["--speed", "1e9"]].concat()).expect(0);
    if !have("smpirun", "platform of SimGrid") {
        return;
    }
    place.write("ping.c", PING);
    place.write("hosts", "process-0\nprocess-1\n");
    place.sh("smpicc -O1 ping.c -o ping").expect(0);
    let line = "smpirun -np 2 -platform p.xml -hostfile hosts --cfg=smpi/simulate-computation:no ./ping 2>&1";
    let simulated = place.sh(line).expect(0).out;
    let machine = cll_machine::read(MACHINE.as_bytes()).machine.unwrap();
    let total = &machine.message_passing.messages[0];
    let mut seen = 0;
    for row in simulated.lines() {
        let numbers: Vec<f64> = row.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [bytes, ns] = numbers[..] else { continue };
        let ratio = ns * 1e-9 / total.time(bytes).value;
        assert!((0.9..1.1).contains(&ratio), "{bytes} bytes: {ratio}\n{simulated}");
        seen += 1;
    }
    assert_eq!(seen, 4, "{simulated}");
}

#[test]
fn messages_between_hosts_are_measured_apart() {
    let test = "messages_between_hosts_are_measured_apart";
    if !is_drawn(test, 0, 3) || !ready("probe between hosts") {
        return;
    }
    let Some(hosts) = mpi_hosts::hosts("probe between hosts", &Plan::default()) else { return };
    let place = Place::new();
    let mut command = mpi_hosts::cll(&hosts, &place, &place.path("."), "openmpi");
    command.args(PROBE).args(["--out", "a.toml", "-n", "3"]).env("CLL_MPICC", "mpicc.openmpi");
    run(&mut command).expect(0);
    let machine = cll_machine::read(&place.bytes("a.toml")).machine.unwrap();
    let found: Vec<u32> =
        machine.message_passing.libraries.iter().map(|library| library.hosts).collect();
    assert_eq!(found, [1, 2]);
    // The quickest message of 8 bytes: one precedes every measurement of two processes, whatever it is of.
    let raw = place.read("a.mpi.csv");
    let quickest = |hosts: &str| {
        let rows = raw.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let times =
            rows.filter(|row| row[2] == hosts).filter_map(|row| row[12].parse::<f64>().ok());
        times.filter(|ns| *ns > 0.0).fold(f64::INFINITY, f64::min)
    };
    let (within, between) = (quickest("1"), quickest("2"));
    assert!(within < between && between.is_finite(), "{within} ns inside, {between} ns between");
}

#[test]
fn an_mpi_that_is_not_there_is_said() {
    let place = Place::new();
    let words = ["machine", "probe", "--mpi", "--out", "a.toml"];
    let done = place.cll_with(&[("CLL_MPICC", "no-mpicc")], &words).expect(2);
    done.says(&["CLL_MPICC=no-mpicc: there is no such program", "libopenmpi-dev"]);
    assert!(!place.exists("a.toml"));
    place
        .cll(&[&words[..], &["--engine", "mpi"]].concat())
        .expect(2)
        .says(&["--engine is of supersteps"]);
}

#[test]
fn what_other_programs_have_printed_is_imported() {
    let place = Place::new();
    let import =
        |words: &[&str]| place.cll(&[&["machine", "import", "--out", "a.toml"], words].concat());
    let rows: String =
        (3..15).map(|k| format!("{} {}\n", 1 << k, 1.0 + 0.0005 * f64::from(1 << k))).collect();
    place.write("latency", format!("# OSU MPI Latency Test v5.6\n# Size Latency (us)\n{rows}"));
    place.write(
        "reduce",
        format!("# OSU MPI Allreduce Latency Test v5.6\n# Size Avg Latency(us)\n{rows}"),
    );
    place.write("table", "p s(Mflops) g(flops/word) l(flops)\n2 74 10.2 1132\n");
    import(&["latency", "reduce", "table", "--processes", "4", "--mpi", "Open MPI 5"]).expect(0);
    let text = place.read("a.toml");
    assert!(text.contains("the OSU micro-benchmarks, file latency"), "{text}");
    place.cll(&["machine", "show", "a.toml"]).expect(0).prints(&[
        "Open MPI 5",
        "allreduce",
        "74 Mop/s",
    ]);
    import(&["reduce"]).expect(3).says(&["M024", "--processes N"]);
    import(&["latency", "latency"])
        .expect(3)
        .says(&["latency: total of MPI was in an earlier file"]);
    place.write("bad", "p s g l\n2 74 ten 5\n");
    import(&["bad"]).expect(3).says(&["bad:2:6", "\"ten\" is not a number"]);
    place.write("unknown", "hello\n");
    import(&["unknown"]).expect(3).says(&["none of the formats"]);
    import(&["missing"]).expect(3).says(&["missing"]);
    // Real output, if the program is there.
    if ready("NetPIPE") && have("NPopenmpi", "NetPIPE") {
        let root = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
        place
            .sh(&format!("{root} mpirun.openmpi -n 2 NPopenmpi -u 65536 -n 5 -o np.out"))
            .expect(0);
        import(&["np.out"]).expect(0).prints(&["1 time of messages"]);
    }
}

#[test]
fn machines_are_exported_for_schedulers() {
    let place = Place::new();
    let export = |words: &[&str]| place.cll(&[&["machine", "export"], words].concat());
    let json = export(&["sgi-powerchallenge", "--to", "bsp"]).expect(0).json();
    assert_eq!(
        (&json["format"], &json["entries"][1]["processors"]),
        (&"cll-bsp-architecture".into(), &2.into())
    );
    export(&["sgi-powerchallenge", "--to", "arch", "--out", "p.arch"]).expect(0);
    assert!(place.read("p.arch").contains("\n4 "));
    export(&["sgi-powerchallenge", "--to", "arch", "-n", "9"])
        .expect(3)
        .says(&["for 9 processors"]);
    export(&["sgi-powerchallenge", "--to", "simgrid"])
        .expect(3)
        .says(&["no times of messages", "--mpi"]);
    export(&["nowhere", "--to", "bsp"]).expect(3).says(&["nowhere"]);
}

#[test]
fn a_machine_file_of_this_computer_says_how_old_it_is() {
    let place = Place::new();
    let probe =
        ["machine", "probe", "--operations", "--quick", "--budget", "1", "--out", "a.toml", "-q"];
    place.cll(&probe).expect(0);
    let text = place.read("a.toml");
    let fresh = place.cll(&["machine", "show", "a.toml"]).expect(0);
    assert!(!fresh.err.contains("days ago"), "{}", fresh.err);
    let kernel = text.lines().find(|line| line.starts_with("kernel = ")).unwrap();
    place.write("b.toml", text.replace(kernel, "kernel = \"2.4.0\""));
    place.cll(&["machine", "show", "b.toml"]).expect(0).says(&[
        "was measured here 0 days ago",
        "kernel 2.4.0 is now",
        "measures again",
    ]);
    let when = text.lines().find(|line| line.starts_with("when = ")).unwrap();
    place.write("c.toml", text.replace(when, "when = \"2020-01-31T12:00:00Z\""));
    place.cll(&["machine", "show", "c.toml"]).expect(0).says(&["days ago"]);
    // Of another computer nothing is known.
    let name = text.lines().skip_while(|line| *line != "[host]").nth(1).unwrap();
    place.write(
        "d.toml",
        text.replace(kernel, "kernel = \"2.4.0\"").replace(name, "name = \"elsewhere\""),
    );
    let other = place.cll(&["machine", "show", "d.toml"]).expect(0);
    assert!(!other.err.contains("days ago"), "{}", other.err);
}
