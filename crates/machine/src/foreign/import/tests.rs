use super::*;
use crate::message_passing::{MessageCall, Partner};

fn read(text: &str) -> Imported {
    let defaults = ImportDefaults { mpi: "An MPI".into(), hosts: 1, processes: Some(4) };
    import(text.as_bytes(), "file", &defaults)
}

fn codes(text: &str) -> Vec<(&'static str, String)> {
    let code_of = |diagnostic: &Diagnostic| {
        (diagnostic.code, text[diagnostic.primary.span.clone()].to_owned())
    };
    read(text).diagnostics.iter().map(code_of).collect()
}

#[test]
fn tables_of_s_g_and_l_in_operations_and_in_seconds() {
    let text = "# Oxford\n p  s(Mflops)  l(flops) l(us)  g(flops/word) n1/2(words)\n 2 74 1132 15.3 10.2 8\n 4 74 1902 - 9.3 12\n";
    let machine = read(text).machine.unwrap();
    let [two, four] = &machine.classic[..] else { panic!("{machine:?}") };
    assert_eq!((two.processors, two.l.value), (2, 15.3e-6), "seconds come before operations");
    assert!((two.g.value - 10.2 / 4.0 / 74e6).abs() < 1e-18);
    assert!((four.l.value - 1902.0 / 74e6).abs() < 1e-15);
    let bench =
        "The bottom line for this BSP computer is:\np= 2, r= 86.1 Mflop/s, g= 3.1, l= 1020.3\n";
    let machine = read(bench).machine.unwrap();
    assert!((machine.classic[0].g.value - 3.1 / 8.0 / 86.1e6).abs() < 1e-18, "a word is a double");
    assert!(machine.origin.source.unwrap().contains("(s, g, l), file file"));
}

#[test]
fn a_wrong_row_is_shown_at_its_place() {
    assert_eq!(codes("p s g l\n2 74 x 5\n"), [("M021", "x".into())]);
    assert_eq!(codes("p s g l\n2 74 5\n"), [("M022", "2 74 5".into())]);
    assert_eq!(codes("p s g l\n2 - 5 5\n"), [("M022", "2 - 5 5".into())]);
    assert_eq!(codes("p s g l\n1.5 74 5 5\n"), [("M022", "1.5".into())]);
    assert_eq!(codes("p s g l\n2 74 -5 5\n"), [("M021", "-5".into())]);
    assert_eq!(codes("hello\nworld\n"), [("M020", "hello".into())]);
    assert_eq!(codes(""), [("M020", String::new())]);
    assert_eq!(read("p s g l\n2 74 x 5\n").machine, None);
}

/// Rows of `1.0 us + 0.5 ns/B`.
fn rows(line: impl Fn(u32, f64) -> String) -> String {
    (3..15).map(|k| 1u32 << k).map(|n| line(n, 1.0 + 0.0005 * f64::from(n))).collect()
}

#[test]
fn osu_latency_and_collectives_are_read_and_bandwidth_is_named() {
    let text = format!(
        "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n0 0.9\n{}",
        rows(|n, t| format!("{n} {t}\n"))
    );
    let machine = read(&text).machine.unwrap();
    let line = machine.message_passing.message("An MPI", 1, MessageCall::Total, None).unwrap();
    assert!((line.time(1000.0).value / 1.5e-6 - 1.0).abs() < 0.01);
    let head = "# OSU MPI Allreduce Latency Test v7\n# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations\n";
    let text = format!("{head}{}", rows(|n, t| format!("{n} 0.1 0.1 {t} 1000\n")));
    let machine = read(&text).machine.unwrap();
    let [line] = &machine.message_passing.collectives[..] else { panic!("{machine:?}") };
    assert_eq!((line.call, line.processes), (Collective::Allreduce, 4));
    assert!((line.time(1000.0).value / 1.5e-6 - 1.0).abs() < 0.01, "that of the slowest process");
    let barrier =
        read("# OSU MPI Barrier Latency Test v7\n# Avg Latency(us)\n 2.5\n").machine.unwrap();
    assert_eq!(barrier.message_passing.collectives[0].time(0.0).value, 2.5e-6);
    let unknown = import(
        text.as_bytes(),
        "f",
        &ImportDefaults { mpi: "m".into(), hosts: 1, processes: None },
    );
    assert_eq!(unknown.diagnostics[0].code, "M024");
    let bandwidth = "# OSU MPI Bandwidth Test v5\n# Size Bandwidth (MB/s)\n1 2.0\n2 4.0\n";
    let found: Vec<_> = codes(bandwidth).into_iter().map(|line| line.0).collect();
    assert_eq!(found, ["M023", "M022"]);
    // The last row was cut off.
    let cut = format!(
        "# OSU MPI Latency Test v5\n# Size Latency (us)\n{}64\n",
        rows(|n, t| format!("{n} {t}\n"))
    );
    assert_eq!(codes(&cut), [("M022", "64".into())]);
}

#[test]
fn sections_of_imb_are_read_with_their_processes() {
    let pingpong = rows(|n, t| format!("  {n}  1000  {t}  1.0\n"));
    let bcast = rows(|n, t| format!("  {n}  1000  0.1  {t}  0.5\n"));
    let text = format!(
        "# Benchmarking PingPong\n# #processes = 2\n#----\n  #bytes #repetitions  t[usec]   Mbytes/sec\n{pingpong}\n\
         # Benchmarking Bcast\n# #processes = 8\n# ( 2 additional processes waiting)\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n{bcast}\n\
         # Benchmarking Barrier\n# #processes = 8\n#repetitions t_min[usec] t_max[usec] t_avg[usec]\n 1000 2.0 3.0 2.5\n\n# All processes entering MPI_Finalize\n"
    );
    let machine = read(&text).machine.unwrap();
    let mpi = &machine.message_passing;
    assert!((mpi.messages[0].time(1000.0).value / 1.5e-6 - 1.0).abs() < 0.01);
    let found: Vec<_> = mpi.collectives.iter().map(|line| (line.call, line.processes)).collect();
    assert_eq!(found, [(Collective::Bcast, 8), (Collective::Barrier, 8)]);
    assert_eq!(mpi.collectives[1].time(0.0).value, 3e-6);
}

#[test]
fn tables_of_mpbench_and_netpipe() {
    let text = format!(
        "# LAM\nbytes,send_us,receive_us,model_us\n{}",
        rows(|n, t| format!("{n},{t},{},1\n", 2.0 * t))
    );
    let machine = read(&text).machine.unwrap();
    let time = |call, partner| {
        machine
            .message_passing
            .message("An MPI", 1, call, Some(partner))
            .unwrap()
            .time(1000.0)
            .value
    };
    assert!((time(MessageCall::Send, Partner::Posted) / 1.5e-6 - 1.0).abs() < 0.01);
    assert!((time(MessageCall::Receive, Partner::Late) / 3e-6 - 1.0).abs() < 0.01);
    let megabits = |n: u32, t: f64| 8.0 * f64::from(n) / (t * 1e-6) / 1_048_576.0;
    let text = rows(|n, t| format!("{n} {} {}\n", megabits(n, t), t * 1e-6));
    let imported = read(&text);
    assert_eq!(imported.writer, "NetPIPE");
    assert!(
        (imported.machine.unwrap().message_passing.messages[0].time(1000.0).value / 1.5e-6 - 1.0)
            .abs()
            < 0.01
    );
}
