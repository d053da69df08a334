//! `cll run --log`: the supersteps of a program, and what `cll export` shows of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use cll_supersteps::{Ending, Log, Relation};
use cll_units::Seconds;

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::parts_of_time::checked;
use crate::support::Place;

/// Every kind of request with sizes that are known, from two callers of one function; an argument lets a
/// processor be killed; another one is the number of supersteps of a put.
const REQUESTS: &str = r#"#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((noinline)) step(void)
{
    bsp_sync();
}

static void __attribute__((noinline)) twice(void)
{
    step();
    step();
}

int main(int argc, char **argv)
{
    static char area[100000], from[100000], to[100000];
    int p, s, i, tag = 4, rounds = argc > 2 ? atoi(argv[2]) : 3000;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(area, sizeof area);
    bsp_set_tagsize(&tag);
    step();
    for (i = 0; i < p; i++)
        bsp_put(i, from, area, 0, 10 * (s + 1));
    bsp_put((s + 1) % p, from, area, 2000, 40000);
    bsp_send((s + 1) % p, "tag", from, 100);
    bsp_send((s + 1) % p, "tag", from, 30000);
    step();
    bsp_get((s + 1) % p, area, 7, to, 1000);
    bsp_hpput((s + 1) % p, from, area, 1000, 50000);
    bsp_hpget((s + 2) % p, area, 60000, to + 1000, 20000);
    twice();
    if (argc > 1 && !strcmp(argv[1], "die") && s == 1)
        kill(getpid(), SIGKILL);
    for (i = 0; i < rounds; i++) {
        if (s == 0)
            bsp_put(1 + i % (p - 1), from, area, 0, 8);
        step();
    }
    bsp_end();
    return 0;
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("requests.c", REQUESTS);
    let line = ["cc", "-O2", "-Wall", "-Werror", "requests.c", "-o", "requests"];
    built::by_cll(&place, &[], &line, &["requests.c"], "requests");
    place
}

fn read(place: &Place, name: &str) -> Log {
    checked(cll_supersteps::read(fs::File::open(place.path(name)).unwrap()).unwrap())
}

/// Bytes out and in of each processor in a superstep.
fn bytes(log: &Log, number: u64) -> Vec<(u64, u64)> {
    let relation = Relation::new(log);
    let bytes_of = |processor: &cll_supersteps::Processor| {
        let superstep = &processor.supersteps[number as usize - 1];
        assert_eq!(superstep.number.get(), number);
        let share = relation.share("0", superstep, processor.number.get());
        (share.sent.get(), share.received.get())
    };
    log.processors.iter().map(bytes_of).collect()
}

fn check_whole(log: &Log, processors: u32, rounds: usize) {
    assert_eq!(log.damage, []);
    assert_eq!(log.processors.len(), processors as usize);
    for (number, processor) in (0..).zip(&log.processors) {
        assert_eq!(processor.number.get(), number);
        assert_eq!(processor.supersteps.len(), 4 + rounds + 1);
        let numbers: Vec<u64> =
            processor.supersteps.iter().map(|superstep| superstep.number.get()).collect();
        assert!(numbers.iter().copied().eq(1..=rounds as u64 + 5));
        let machine = &processor.machines[0];
        assert_eq!((machine.nprocs, machine.pid, machine.key.as_str()), (processors, number, "0"));
        let (last, rest) = processor.supersteps.split_last().unwrap();
        assert_eq!(last.ending, Ending::End);
        assert!(rest.iter().all(|step| step.ending == Ending::Sync));
        for superstep in &processor.supersteps {
            let parts = [superstep.computation, superstep.communication, superstep.waiting]
                .map(Seconds::get);
            assert!(parts.iter().all(|&part| (-1e-7..60.0).contains(&part)), "{parts:?}");
        }
        let ends = processor
            .supersteps
            .windows(2)
            .all(|pair| pair[0].end() <= pair[1].start + Seconds(1e-7));
        assert!(ends, "supersteps follow each other");
    }
}

/// Bytes and requests of the first supersteps of [`REQUESTS`] on 4 processors.
fn requests_are_counted(log: &Log, engine: &str) {
    // Puts of 10 (s + 1) to all; a put of 40000 and messages of 100 and 30000 with tags of 4 to the next. What a
    // processor sends to itself does not count.
    let puts = |s: u64| 10 * (s + 1);
    let next = 40_000 + 104 + 30_004;
    let all: u64 = (0..4).map(puts).sum();
    let expected: Vec<_> = (0..4).map(|s| (3 * puts(s) + next, all - puts(s) + next)).collect();
    // Tags of 4 bytes count from the superstep after the one that asked for them.
    assert_eq!(bytes(log, 2), expected, "{engine}");
    // 1000 got from the next, 50000 put to it, 20000 got from the one after it.
    let moved = 1000 + 50_000 + 20_000;
    assert_eq!(bytes(log, 3), [(moved, moved); 4], "{engine}");
    assert_eq!(bytes(log, 4), [(0, 0); 4]);
    assert_eq!(bytes(log, 5), [(8, 0), (0, 8), (0, 0), (0, 0)]);
    let third = &log.processors[2];
    let traffic: Vec<_> = third
        .traffic(&third.supersteps[2])
        .iter()
        .map(|record| (record.partner, record.requests, record.sent, record.got))
        .collect();
    assert_eq!(traffic, [(0, 1, 0, 20_000), (3, 2, 50_000, 1000)]);
}

#[test]
fn bytes_are_those_that_were_asked_for_on_every_engine() {
    let place = place();
    let line = ["cc", "--engine", "threads", "-O2", "requests.c", "-o", "requests"];
    place.cll(&line).expect(0);
    for (run, engine) in ["processes", "threads"].into_iter().enumerate() {
        let line = ["run", "-n", "4", "--engine", engine, "--log", "./requests"];
        let name = format!("requests.cll.{run}.log");
        place.cll(&line).expect(0).says(&[&format!("recorded in {name}")]);
        let log = read(&place, &name);
        check_whole(&log, 4, 3000);
        requests_are_counted(&log, engine);
        // The sets of 3000 supersteps are three.
        assert!(log.processors[0].traffic.len() <= 8, "{}", log.processors[0].traffic.len());
    }
}

/// Engines that send large data as separate messages count them as the others do.
#[test]
fn bytes_are_those_that_were_asked_for_on_mpi() {
    if !ready("bytes_are_those_that_were_asked_for_on_mpi") {
        return;
    }
    let place = place();
    for (run, mpi) in drawn(0).into_iter().enumerate() {
        let (launcher, compiler) = (format!("mpirun.{mpi}"), format!("mpicc.{mpi}"));
        let variables = [("CLL_MPIRUN", launcher.as_str()), ("CLL_MPICC", compiler.as_str())];
        let line = ["run", "-n", "4", "--engine", "mpi", "--log", "./requests", "run", "100"];
        place.cll_with(&[&OPEN_MPI[..], &variables[..]].concat(), &line).expect(0);
        let logs = (0..4).map(|rank| read(&place, &format!("requests.cll.{run}.{rank}.dat")));
        let log = Log::gather(logs).unwrap();
        check_whole(&log, 4, 100);
        requests_are_counted(&log, mpi);
    }
}

#[test]
fn a_point_is_a_call_with_the_path_to_it() {
    let place = place();
    place.cll(&["run", "-n", "2", "--log", "./requests"]).expect(0);
    let log = read(&place, "requests.cll.0.log");
    // Nobody named an engine: it is recorded anyway.
    assert_eq!(log.engine, "processes");
    let processor = &log.processors[1];
    let line =
        |text: &str| REQUESTS.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let points: Vec<u32> =
        processor.supersteps.iter().map(|superstep| superstep.point.expect("a point")).collect();
    // step() from three places of main, and twice from twice().
    assert_eq!(processor.points.len(), 6, "{:?}", processor.points);
    assert_eq!(points[..5], [0, 1, 2, 3, 4]);
    assert!(points[4..3004].iter().all(|&point| point == 4));
    let paths: BTreeSet<_> = processor.points.iter().map(|point| point.path.clone()).collect();
    assert_eq!(paths.len(), 6);
    for point in &processor.points[..5] {
        assert_eq!((point.file.as_str(), point.line), ("requests.c", line("bsp_sync();")));
    }
    assert_eq!(processor.points[5].line, line("bsp_end();"));
    let deeper = processor.points[2].path.len();
    assert_eq!(deeper, processor.points[0].path.len() + 1, "by way of twice()");
    let program = &processor.modules[0];
    assert!(program.path.ends_with("/requests"), "{program:?}");
    assert!(program.build.len() >= 16, "{program:?}");
}

#[test]
fn the_log_of_a_killed_processor_is_kept() {
    let place = place();
    let done = place.cll(&["run", "-n", "3", "--log", "./requests", "die"]);
    assert_ne!(done.code, 0);
    let log = read(&place, "requests.cll.0.log");
    let counts: Vec<usize> =
        log.processors.iter().map(|processor| processor.supersteps.len()).collect();
    assert_eq!(counts, [4, 4, 4]);
    assert_eq!(bytes(&log, 2).len(), 3);
}

#[test]
fn without_a_launcher_each_process_has_a_file() {
    let place = place();
    let mut command = place.command(place.path("requests"));
    crate::support::run(command.envs([("CLL_LOG", "1"), ("CLL_NPROCS", "2")])).expect(0);
    let files: Vec<String> =
        place.list(".").into_iter().filter(|name| name.starts_with("requests.cll.")).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let mut numbers = BTreeMap::new();
    for name in files {
        let log = read(&place, &name);
        assert_eq!(log.damage, []);
        assert_eq!(log.processors.len(), 1);
        numbers.insert(log.processors[0].number.get(), log.processors[0].supersteps.len());
    }
    assert_eq!(numbers, BTreeMap::from([(0, 3005), (1, 3005)]));
}

#[test]
fn supersteps_are_exported() {
    let place = place();
    place.cll(&["run", "-n", "2", "--log", "./requests"]).expect(0);
    let csv = place.cll(&["export", "requests.cll.0.log"]).expect(0).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 3005);
    assert_eq!(
        lines[0],
        "machine,superstep,processor,processors,of_program,ending,file,line,start_s,computation_s,\
         communication_s,waiting_s,requests,bytes_sent,bytes_received,h_bytes,parent,within"
    );
    assert!(lines[2].starts_with("0,2,0,2,0,sync,requests.c,"), "{}", lines[2]);
    assert!(lines[2].ends_with(",4,70118,70128,70128,,"), "{}", lines[2]);
    let json = place.cll(&["export", "requests.cll.0.log", "--format", "json"]).expect(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["supersteps"].as_array().unwrap().len(), 2 * 3005);
    assert_eq!(json["supersteps"][1]["partners"][1]["bytes_sent"], 70118);
    assert_eq!(json["supersteps"][1]["h_bytes"], 70128);
}

/// Figure 5 of the CALL paper: at each level a partition, the half as computation of the parent's first
/// superstep, which ends obliviously with one message each way; then a trailing superstep.
#[test]
fn machine_objects_have_supersteps_of_their_own() {
    let place = Place::new();
    let fft = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pub/fft.c");
    place.cll(&["cc", "-O2", fft, "-o", "fft", "-lm"]).expect(0);
    place.cll(&["run", "-n", "4", "--log", "./fft", "1024"]).expect(0).prints(&["right"]);
    let log = read(&place, "fft.cll.0.log");
    let relation = Relation::new(&log);
    assert_eq!((log.damage.len(), log.processors.len()), (0, 4));
    for processor in &log.processors {
        let row_of = |step: &cll_supersteps::Superstep| {
            let machine = processor.machine(step.machine).unwrap();
            let share = relation.share(&machine.key, step, machine.pid);
            (machine.nprocs, step.number.get(), step.ending, share.sent.get(), share.received.get())
        };
        let all: Vec<_> = processor.supersteps.iter().map(row_of).collect();
        // 256 and 512 complex numbers of 16 bytes.
        let expected = [
            (4, 1, Ending::Sync, 0, 0),
            (1, 1, Ending::End, 0, 0),
            (2, 1, Ending::Oblivious, 4096, 4096),
            (2, 2, Ending::End, 0, 0),
            (4, 2, Ending::Oblivious, 8192, 8192),
            (4, 3, Ending::End, 0, 0),
        ];
        assert_eq!(all, expected);
        let machines: Vec<_> = processor
            .machines
            .iter()
            .map(|machine| (machine.nprocs, machine.first, machine.pid, machine.within))
            .collect();
        let number = processor.number.get();
        let expected = [(4, 0, number, 0), (2, number / 2 * 2, number % 2, 2), (1, number, 0, 1)];
        let by_nprocs = |nprocs| machines.iter().find(|machine| machine.0 == nprocs).copied();
        assert_eq!([4, 2, 1].map(|nprocs| by_nprocs(nprocs).unwrap()), expected);
        let find = |nprocs| processor.machines.iter().find(|machine| machine.nprocs == nprocs);
        assert_eq!(find(2).unwrap().parent, find(4).unwrap().key);
        assert_eq!(find(1).unwrap().parent, find(2).unwrap().key);
        // The half is computation of the superstep of the parent in which it was.
        let times = |nprocs, number| {
            let here = |step: &&cll_supersteps::Superstep| {
                processor.machine(step.machine).unwrap().nprocs == nprocs
                    && step.number.get() == number
            };
            *processor.supersteps.iter().find(here).unwrap()
        };
        let (outer, half) = (times(4, 2), times(2, 1));
        let within = half.computation + half.communication + half.waiting;
        assert!(outer.computation >= within, "{:?} {within:?}", outer.computation);
        // The partners end at different lines of the program.
        let line = |superstep| processor.point(superstep).unwrap().line;
        assert_eq!(line(&outer) == 82, number < 2, "{}", line(&outer));
    }
}

#[test]
fn what_is_no_log_is_reported() {
    let place = Place::new();
    place.write(
        "one.c",
        "int main(void)\n{\n#pragma cll x x[0]\n    ;\n#pragma cll end x\n    return 0;\n}\n",
    );
    place.build("one");
    place
        .cll(&["run", "--log", "./one"])
        .expect(2)
        .says(&["--log: ./one is not a BSP program", "supersteps"]);
    place.cll(&["run", "./one"]).expect(0);
    place
        .cll(&["export", "--supersteps", "one.cll.0.dat"])
        .says(&["there are no supersteps", "cll run --log"]);
}
