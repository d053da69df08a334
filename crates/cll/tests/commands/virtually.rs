//! `cll run --engine virtual`: many processors on few cores, and the time they would take.

use std::collections::{HashMap, HashSet};
use std::fs;

use cll_supersteps::{Ending, Log, Relation};
use serde_json::Value;

use crate::built;
use crate::parts_of_time::checked;
use crate::support::Place;

/// The clock of programs that include `steady_clock.h`.
pub const STEADY_CLOCK: &str = include_str!("../../../runtime/tests/c/steady_clock.h");

/// Phases of known time by the steady clock, in milliseconds: (superstep + processor) % 3 + 1; a put to the
/// next processor and a message to processor 0.
const PHASES: &str = r#"#include "steady_clock.h"
#include <bsp.h>
#include <stdlib.h>

int main(void)
{
    static char area[100000], from[100000];
    int p, s, i;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (i = 0; i < 4; i++) {
        compute(1e-3 * ((i + s) % 3 + 1));
        bsp_put((s + 1) % p, from, area, 0, 1000 * (s % 7 + 1));
        bsp_send(0, NULL, from, 10);
        bsp_sync();
    }
    bsp_end();
    return 0;
}
"#;

/// g and L of the tests: nanoseconds per byte and nanoseconds, at a barrier and obliviously.
const BARRIER: (f64, f64) = (2e-9, 1e-5);
const OBLIVIOUS: (f64, f64) = (1e-9, 3e-6);
/// Seconds that looks at the steady clock take in a phase, at the most.
pub const LOOKS: f64 = 20e-6;
const COSTS: &str = "max;b,1,0,2e-9,1e-5;o,1,0,1e-9,3e-6";

fn compiled(name: &str, source: &str, flags: &[&str]) -> Place {
    let place = Place::new();
    place.write("steady_clock.h", STEADY_CLOCK);
    place.write(&format!("{name}.c"), source);
    let file = format!("{name}.c");
    let line = [&["cc", "-O2", &file, "-o", name][..], flags].concat();
    built::by_cll(&place, &[], &line, &["steady_clock.h", &file], name);
    place
}

fn read(place: &Place, name: &str) -> Log {
    checked(cll_supersteps::read(fs::File::open(place.path(name)).unwrap()).unwrap())
}

fn ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

/// Checks each superstep of each processor against the recurrence, to the nanosecond; how many there were.
fn follows_the_recurrence(log: &Log) -> usize {
    let relation = Relation::new(log);
    // When each came to the end of a superstep; who sent something to whom.
    let mut came: HashMap<(&str, u64, u32), i64> = HashMap::new();
    let mut senders: HashMap<(&str, u64, u32), Vec<u32>> = HashMap::new();
    let mut h: HashMap<(&str, u64, u32), u64> = HashMap::new();
    for processor in &log.processors {
        for superstep in &processor.supersteps {
            let machine = processor.machine(superstep.machine).unwrap();
            let key = (machine.key.as_str(), superstep.number.get());
            came.insert(
                (key.0, key.1, machine.pid),
                ns((superstep.start + superstep.computation).get()),
            );
            let share = relation.share(&machine.key, superstep, machine.pid);
            h.insert((key.0, key.1, machine.pid), share.h().get());
            for traffic in processor.traffic(superstep).iter().filter(|t| t.sent > 0) {
                senders.entry((key.0, key.1, traffic.partner)).or_default().push(machine.pid);
            }
        }
    }
    let begins: Vec<i64> =
        log.processors.iter().map(|processor| ns(processor.supersteps[0].start.get())).collect();
    assert!(begins.iter().all(|begin| *begin == begins[0]), "all begin together: {begins:?}");
    let mut checked = 0;
    for processor in &log.processors {
        let mut before = begins[0];
        for superstep in &processor.supersteps {
            let machine = processor.machine(superstep.machine).unwrap();
            let (key, number) = (machine.key.as_str(), superstep.number.get());
            let own = ns((superstep.start + superstep.computation).get());
            assert!(own >= before, "no time passes backwards: {superstep:?}");
            let all: Vec<u32> = match superstep.ending {
                Ending::Sync => (0..machine.nprocs).collect(),
                Ending::End => vec![machine.pid],
                Ending::Oblivious => {
                    let others = senders.get(&(key, number, machine.pid));
                    others.into_iter().flatten().copied().chain([machine.pid]).collect()
                }
            };
            let latest = all.iter().map(|pid| came[&(key, number, *pid)]).max().unwrap();
            let largest = all.iter().map(|pid| h[&(key, number, *pid)]).max().unwrap();
            let cost = |(g, l): (f64, f64)| ns(g * largest as f64 + l);
            let cost = match superstep.ending {
                Ending::Sync => cost(BARRIER),
                Ending::Oblivious => cost(OBLIVIOUS),
                Ending::End => 0,
            };
            let end = ns(superstep.end().get());
            assert_eq!(end, latest + cost, "{superstep:?} of {key} on {}", processor.number);
            before = end;
            checked += 1;
        }
    }
    checked
}

#[test]
fn phases_take_what_they_take_and_the_rest_is_the_recurrence() {
    let place = compiled("phases", PHASES, &[]);
    let line = ["run", "-n", "5", "--engine", "virtual", "--log", "--json", "./phases"];
    let ran = place.cll_with(&[("CLL_COSTS", COSTS)], &line).expect(0);
    let log = read(&place, "phases.cll.0.log");
    assert_eq!(log.damage, []);
    assert_eq!(follows_the_recurrence(&log), 5 * 6);
    for processor in &log.processors {
        for (i, superstep) in (0..).zip(&processor.supersteps[1..5]) {
            let known = 1e-3 * f64::from((i + processor.number.get()) % 3 + 1);
            let took = superstep.computation.get();
            assert!((known..known + LOOKS).contains(&took), "{known}: {superstep:?}");
        }
        let reported = processor.virtually.as_ref().unwrap();
        assert_eq!((reported.phases, reported.asked), (6, 0));
        assert!(
            reported.memory > 100_000 && reported.wall_ns >= reported.computation_ns,
            "{reported:?}"
        );
    }
    // Processor p - 1 sends most of all to the next, and all to processor 0.
    let json: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!(json["supersteps"][1]["h_bytes"], 5040);
    assert_eq!(json["processors"], 5);
    let total = json["total_s"].as_f64().unwrap();
    let end =
        log.processors.iter().map(|processor| processor.supersteps.last().unwrap().end().get());
    let begin = log.processors[0].supersteps[0].start.get();
    assert!((total - (end.fold(0.0, f64::max) - begin)).abs() < 1e-9, "{json}");
    // The longest of each superstep: 3 ms.
    assert!((0.012..0.012 + 1e-3).contains(&total), "{json}");
    assert_eq!(log.engine, "virtual");
}

#[test]
fn parts_and_oblivious_supersteps_follow_the_recurrence_too() {
    let source = fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pub/fft.c"),
    );
    let place = compiled("fft", &source.unwrap(), &["-lm"]);
    for (run, (processors, cores)) in [("8", "2"), ("8", "1"), ("1", "1")].into_iter().enumerate() {
        let line = ["run", "-n", processors, "--engine", "virtual", "--cores", cores];
        let line = [&line[..], &["--log", "-o", "logs", "./fft", "512"]].concat();
        place.cll_with(&[("CLL_COSTS", COSTS)], &line).expect(0);
        let log = read(&place, &format!("logs/fft.cll.{run}.log"));
        let supersteps = follows_the_recurrence(&log);
        // bsp_sync and the end; a level is a part with its end, and an oblivious superstep.
        let wanted = if processors == "8" { 8 * (2 + 2 * 3) } else { 2 };
        assert_eq!(supersteps, wanted);
    }
}

#[test]
fn half_a_thousand_processors_start_and_end() {
    let place = compiled("phases", PHASES, &[]);
    let line = ["run", "-n", "512", "--engine", "virtual", "--json", "./phases"];
    let ran = place.cll(&line).expect(0);
    let json: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((&json["processors"], &json["complete"]), (&512.into(), &true.into()));
    assert_eq!(json["supersteps"].as_array().unwrap().len(), 6);
    assert!(!place.path("phases.cll.0.log").exists() && !place.path("phases.cll.0.dat").exists());
    assert!(ran.err.contains("512 virtual processors: "), "{}", ran.err);
    assert!(ran.err.contains("communication takes no time, since no machine was given"));
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_used() {
    // 4 MiB each, and a limit that is far below what this computer has.
    const LARGE: &str = "#include <bsp.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void)\n{\n\
        static char *area; bsp_begin(bsp_nprocs()); area = malloc(4 << 20);\n\
        memset(area, 1, 4 << 20); bsp_push_reg(area, 4 << 20); bsp_sync();\n\
        bsp_sync(); bsp_end(); return 0;\n}\n";
    let place = compiled("large", LARGE, &[]);
    let run = |options: &[&str]| {
        let line = ["run", "-n", "40", "--engine", "virtual", "--memory", "64M", "--json"];
        place.cll(&[&line[..], options, &["./large"]].concat())
    };
    let ran = run(&[]);
    // Processor 0 may be computing when another one finds out.
    assert!([1, 128 + 15, 128 + 9].contains(&ran.code), "{ran:?}");
    for message in ["40 processors need about", "MiB each", "64.0 MiB are allowed", "bsp_sync"] {
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    assert!(
        ran.err.contains("--overcommit") && ran.err.matches("cll: ").count() == 1,
        "{}",
        ran.err
    );
    run(&["--overcommit"]).expect(0);
    let line = ["run", "-n", "3", "--engine", "virtual", "--memory", "64M", "./large"];
    place.cll(&line).expect(0);
    let line = ["run", "-n", "3", "--engine", "virtual", "--memory", "much", "./large"];
    assert!(place.cll(&line).expect(2).err.contains("a size such as 500M or 16G"));
}

#[test]
fn phases_find_their_data_in_the_cache_where_that_would_hold_it() {
    // A megabyte of its own for each.
    const SWEEPS: &str = "#include <bsp.h>\n#include <string.h>\nint main(void)\n{\n\
        static char own[1 << 20]; int i; bsp_begin(bsp_nprocs());\n\
        for (i = 0; i < 9; i++) { memset(own, i, sizeof own); bsp_sync(); }\n\
        bsp_end(); return 0;\n}\n";
    let place = compiled("sweeps", SWEEPS, &[]);
    let run = |cache: &str| {
        let line =
            ["run", "-n", "4", "--engine", "virtual", "--cache", cache, "--json", "./sweeps"];
        place.cll(&line)
    };
    for (cache, restored) in [("1G", 40), ("0", 0), ("100K", 0)] {
        let ran = run(cache).expect(0);
        let json: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
        let real = &json["real"];
        assert_eq!((&real["phases"], &real["restored_phases"]), (&40.into(), &restored.into()));
        let says = ran
            .err
            .contains("40 of 40 phases began with the cache as other processors had left it");
        assert_eq!(says, cache == "100K", "{}", ran.err);
    }
    assert!(run("none").expect(2).err.contains("neither 0 nor a size such as 1M"));
    let wrong = [("CLL_ENGINE", "virtual"), ("CLL_CACHE", "2M")];
    let ran = place.cll_with(&wrong, &["run", "./sweeps"]).expect(1);
    assert!(ran.err.contains("CLL_CACHE=2M is not a number of bytes"), "{}", ran.err);
}

#[test]
fn a_program_that_reads_the_clock_gets_virtual_time() {
    const ASKS: &str = "#include <bsp.h>\n#include <unistd.h>\nint main(void)\n{\n\
        double before, after; bsp_begin(bsp_nprocs()); before = bsp_time(); bsp_sync();\n\
        if (bsp_pid() == 0) WORK;\n\
        bsp_sync(); after = bsp_time();\n\
        if (bsp_pid() == 1) printf(\"%.9f\\n\", after - before);\n\
        bsp_end(); return 0;\n}\n";
    let passed = |source: &str| -> f64 {
        let place = compiled("asks", source, &[]);
        let ran = place.cll(&["run", "-n", "3", "--engine", "virtual", "./asks"]).expect(0);
        assert!(ran.err.contains("the program read the clock 6 times"), "{}", ran.err);
        ran.out.trim_end().parse().unwrap_or_else(|_| panic!("{ran:?}"))
    };
    // A busy machine may wake who sleeps late.
    assert!(passed(&ASKS.replace("WORK", "usleep(20000)")) >= 0.019);
    let steady = ASKS
        .replace("WORK", "compute(0.02)")
        .replace("<bsp.h>", "<bsp.h>\n#include \"steady_clock.h\"");
    let steady = passed(&steady);
    assert!((0.02..0.02 + LOOKS).contains(&steady), "{steady}");
}

/// On which core each phase begins.
const CORES: &str = r#"#define _GNU_SOURCE
#include "steady_clock.h"
#include <bsp.h>
#include <sched.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    for (int i = 0; i < 30; i++) {
        printf("core %d\n", sched_getcpu());
        bsp_sync();
    }
    bsp_end();
    return 0;
}
"#;

#[test]
fn as_many_cores_are_used_as_there_are_turns() {
    let place = compiled("cores", CORES, &[]);
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for cores in 1..=all.min(3) {
        let count = cores.to_string();
        let line = ["run", "-n", "6", "--engine", "virtual", "--cores", &count, "./cores"];
        let done = place.cll(&line).expect(0);
        let of_phases: Vec<&str> = done.out.lines().filter(|l| l.starts_with("core ")).collect();
        assert_eq!(of_phases.len(), 6 * 30);
        let used: HashSet<&str> = of_phases.into_iter().collect();
        assert!(used.len() <= cores, "{cores}: {used:?}");
    }
}

#[test]
fn who_waits_for_something_else_does_not_stop_the_others() {
    // Processor 0 has the only turn and waits for what processor 1 does.
    const PIPE: &str = "#include <bsp.h>\n#include <unistd.h>\nstatic int ends[2];\nstatic void part(void)\n{\n\
        char c; bsp_begin(bsp_nprocs());\n\
        if (bsp_pid() == 0) { if (read(ends[0], &c, 1) != 1) bsp_abort(\"no\\n\"); }\n\
        if (bsp_pid() == 1) { if (write(ends[1], \"x\", 1) != 1) bsp_abort(\"no\\n\"); }\n\
        bsp_sync(); if (bsp_pid() == 0) puts(\"read\"); bsp_end();\n}\n\
        int main(int argc, char **argv) { if (pipe(ends)) return 1; bsp_init(part, argc, argv); part(); \
        return 0; }\n";
    let place = compiled("pipe", PIPE, &[]);
    let line = ["run", "-n", "2", "--engine", "virtual", "--cores", "1", "./pipe"];
    assert_eq!(place.cll(&line).expect(0).out, "read\n");
}

#[test]
fn options_are_of_virtual_processors_alone() {
    let place = compiled("phases", PHASES, &[]);
    for option in [&["--cores", "1"][..], &["--overcommit"], &["--supersteps"], &["--json"]] {
        let line = [&["run", "-n", "2"][..], option, &["./phases"]].concat();
        let ran = place.cll(&line).expect(2);
        assert!(
            ran.err.contains(&format!("{} is for virtual processors only", option[0])),
            "{}",
            ran.err
        );
    }
    let ran =
        place.cll_with(&[("CLL_ENGINE", "virtual"), ("CLL_CORES", "none")], &["run", "./phases"]);
    assert!(ran.expect(1).err.contains("CLL_CORES=none is not a number of cores"));
    let ran =
        place.cll_with(&[("CLL_ENGINE", "virtual"), ("CLL_COSTS", "free")], &["run", "./phases"]);
    assert!(ran.expect(1).err.contains("CLL_COSTS=free is not a table of costs"));
}

/// L and g of the processes engine with two processors and with four.
const MACHINE: &str = r#"cll-machine = 1
name = "two and four"

[origin]
how = "thought up"
by = "hand"

[[communication]]
engine = "processes"
processors = 2
pattern = "random"
max = [{ from = "8 B", to = "1 MiB", L = "1 ms", g = "10 ns/B" }]

[[communication]]
engine = "processes"
processors = 4
pattern = "random"
max = [{ from = "8 B", to = "1 MiB", L = "2 ms", g = "10 ns/B" }]
"#;

#[test]
fn communication_takes_what_it_takes_on_the_machine() {
    let place = compiled("phases", PHASES, &[]);
    place.write("two.toml", MACHINE);
    let run = |processors: &str| -> Value {
        let line =
            ["run", "-n", processors, "--engine", "virtual", "--machine", "two.toml", "--json"];
        let ran = place.cll(&[&line[..], &["./phases"]].concat()).expect(0);
        assert!(ran.err.contains("communication as on the machine two and four"), "{}", ran.err);
        // Only barriers were measured; the program has no others.
        serde_json::from_str(ran.out.lines().last().unwrap()).unwrap()
    };
    for (processors, l) in [("2", 1e-3), ("4", 2e-3)] {
        let json = run(processors);
        for (index, step) in json["supersteps"].as_array().unwrap().iter().enumerate() {
            let h = step["h_bytes"].as_f64().unwrap();
            let took = step["communication_s"].as_f64().unwrap();
            let wanted = if index == 5 { 0.0 } else { l + 10e-9 * h };
            assert!((took - wanted).abs() < 1e-8, "{step}");
        }
        assert_eq!(json["machine"], "two and four");
        // With one pattern and no spread the model says what the clock says.
        let (total, model) = (json["total_s"].as_f64().unwrap(), &json["model"]);
        for name in ["value_s", "low_s", "high_s"] {
            assert!((model[name].as_f64().unwrap() - total).abs() < 1e-6, "{total} {model}");
        }
    }
    place.write("wrong.toml", MACHINE.replace("1 ms", "-1 ms"));
    let line = ["run", "-n", "2", "--engine", "virtual", "--machine", "wrong.toml", "./phases"];
    assert!(place.cll(&line).expect(3).err.contains("wrong.toml:12:"));
    let line = ["run", "-n", "2", "--engine", "virtual", "--machine", "nowhere", "./phases"];
    assert!(place.cll(&line).expect(3).err.contains("no file and no published machine"));
}

/// Phases of a millisecond, half as quick while others compute.
const CONTENDED: &str = r#"#include <bsp.h>
#include <sys/mman.h>
#include <time.h>

static int *computing;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void part(void)
{
    bsp_begin(bsp_nprocs());
    for (int i = 0; i < 40; i++) {
        double before = processor_seconds(), done = 0;
        __atomic_add_fetch(computing, 1, __ATOMIC_SEQ_CST);
        while (done < 1e-3) {
            double now = processor_seconds();
            done += (now - before) / (__atomic_load_n(computing, __ATOMIC_SEQ_CST) > 1 ? 2 : 1);
            before = now;
        }
        __atomic_sub_fetch(computing, 1, __ATOMIC_SEQ_CST);
        bsp_sync();
    }
    bsp_end();
}

int main(int argc, char **argv)
{
    computing = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bsp_init(part, argc, argv);
    part();
    return 0;
}
"#;

#[test]
fn what_phases_cost_each_other_is_no_part_of_the_model() {
    let place = compiled("contended", CONTENDED, &[]);
    let run = |options: &[&str]| -> (Value, String) {
        let line =
            ["run", "-n", "4", "--engine", "virtual", "--cores", "2", "--alone", "4", "--json"];
        let ran = place.cll(&[&line[..], options, &["./contended"]].concat()).expect(0);
        (serde_json::from_str(ran.out.lines().last().unwrap()).unwrap(), ran.err)
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let (json, message) = run(&[]);
    let (total, model) = (number(&json["total_s"]), number(&json["model"]["value_s"]));
    let factor = number(&json["contention"]["factor"]);
    // Phases alone are as they were, those that were not are shorter by the factor.
    let (first, other) = (total, total / factor);
    assert!(first.min(other) * 0.999 < model && model < first.max(other) * 1.001, "{json}");
    assert!((model > total) == (factor < 1.0), "{json}");
    assert_eq!(json["model_without_contention"], true);
    assert!(message.contains("by OBSP*, with phases as long as they are alone: "), "{message}");
    assert!(message.contains("--contention as-run leaves it in"), "{message}");

    let (json, message) = run(&["--contention", "as-run"]);
    assert_eq!(json["model_without_contention"], false);
    let (total, model) = (number(&json["total_s"]), number(&json["model"]["value_s"]));
    assert!((model / total - 1.0).abs() < 1e-3, "{json}");
    assert!(!message.contains("as-run"), "{message}");
    let line = ["run", "-n", "2", "--engine", "virtual", "--contention", "much", "./contended"];
    assert!(
        place
            .cll(&line)
            .expect(2)
            .err
            .contains("neither a number above 0, such as 1.2, nor as-run")
    );
}

#[test]
fn phases_are_run_alone_and_multiplied_where_that_is_asked_for() {
    let place = compiled("phases", PHASES, &[]);
    let run = |options: &[&str]| -> (Value, String) {
        let line = ["run", "-n", "5", "--engine", "virtual", "--cores", "2", "--json"];
        let ran = place.cll(&[&line[..], options, &["./phases"]].concat()).expect(0);
        (serde_json::from_str(ran.out.lines().last().unwrap()).unwrap(), ran.err)
    };
    let (json, message) = run(&["--alone", "2"]);
    // Two of the four phases of each processor that end at the same place.
    assert_eq!(
        (&json["contention"]["phases"], &json["contention"]["cores"]),
        (&10.into(), &2.into())
    );
    let factor = |name: &str| json["contention"][name].as_f64().unwrap();
    assert!(factor("low") <= factor("factor") && factor("factor") <= factor("high"), "{json}");
    assert!(
        message.contains("contention: phases took ") && message.contains("2 at a time as alone")
    );
    let (json, message) = run(&["--alone", "100"]);
    assert!(json["model"].is_null() && json["model_without_contention"] == false);
    assert!(json["contention"].is_null() && message.contains("too few phases"), "{message}");
    // The longest phases of each superstep take 3 ms.
    let (json, _) = run(&["--contention", "4"]);
    assert!((0.048..0.048 + 1e-3).contains(&json["total_s"].as_f64().unwrap()), "{json}");
}

/// The run in the middle is shown where there are several, with the interval in which another one lies.
#[test]
fn rounds_of_a_bsp_program() {
    let place = compiled("phases", PHASES, &[]);
    let once = place.cll(&["run", "-n", "3", "--engine", "virtual", "./phases"]).expect(0);
    once.says(&["computation was measured once", "--rounds 5 repeats"]);
    let line = ["run", "-n", "3", "--engine", "virtual", "--rounds", "4", "--json", "./phases"];
    let done = place.cll(&line).expect(0).says(&["4 runs took"]);
    let found: Value = serde_json::from_str(done.out.lines().last().unwrap()).unwrap();
    let times = found["rounds"]["times_s"].as_array().unwrap();
    assert_eq!(times.len(), 4);
    assert_eq!(times[1], found["total_s"]);
    let round_value = |name: &str| found["rounds"][name].as_f64().unwrap();
    assert!(round_value("low_s") <= times[0].as_f64().unwrap(), "{found}");
    assert!(round_value("high_s") >= times[3].as_f64().unwrap(), "{found}");
    assert_eq!(round_value("confidence"), 0.9);
}
