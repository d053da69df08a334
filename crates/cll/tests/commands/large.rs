//! Reports on very long logs and very deep call paths: their memory is limited by the system while they run.

use cll_trace::layout::{
    BlockHeader, HEADER_SIZE, KIND_SUPERSTEPS, SuperstepRecord, TrafficRecord, meta_block, seal,
};
use cll_trace::meta::{Clock, Machine, Meta, Point, Process};

use crate::support::{Done, Place};

/// Records of a block.
const BLOCK: u32 = 20_000;

/// The log of a program whose processors end so many supersteps, at the end of a path of so many calls; each puts 8 bytes
/// to the next one. Computation takes `computed` nanoseconds, by processor and superstep.
fn log(
    processors: u32,
    supersteps: u32,
    depth: u64,
    computed: impl Fn(u32, u32) -> u64,
) -> Vec<u8> {
    let begin = 1_000_000;
    let mut out = Vec::new();
    for number in 0..processors {
        let header = BlockHeader {
            process: 100 + number,
            thread: number,
            mono_open: begin,
            ticks_open: begin,
            ..BlockHeader::default()
        };
        let process = Process {
            format: 2,
            program: "/p/program".into(),
            clock: Clock::Mono,
            pid: 100 + number,
            ..Process::default()
        };
        let path = (1..=depth).map(|depth_index| (0, depth_index)).collect();
        let metas = [
            Meta::Process(process),
            Meta::Machine(Machine {
                processor: number,
                key: "0".into(),
                parent: "0".into(),
                nprocs: processors,
                pid: number,
                ..Machine::default()
            }),
            Meta::Point(Point {
                processor: number,
                file: "a.c".into(),
                line: 7,
                path,
                ..Point::default()
            }),
        ];
        out.extend(meta_block(&metas, header));
        let partner = (number + 1) % processors;
        let mut payload = SuperstepRecord::head(1, 1).encode().to_vec();
        payload.extend(TrafficRecord { partner, requests: 1, sent: 8, got: 0 }.encode());
        let mut now = begin;
        for (sequence, first) in (0..).zip((0..supersteps).step_by(BLOCK as usize)) {
            for superstep in first..supersteps.min(first + BLOCK) {
                let entered = now + computed(number, superstep);
                let end = begin + 1000 * (u64::from(superstep) + 1);
                let record = SuperstepRecord {
                    start: now,
                    entered,
                    end,
                    number: superstep + 1,
                    traffic: 1,
                    ..Default::default()
                };
                payload.extend(record.encode());
                now = end;
            }
            let header = BlockHeader {
                kind: KIND_SUPERSTEPS,
                sequence,
                capacity: (HEADER_SIZE + payload.len()).next_multiple_of(8) as u32,
                used: payload.len() as u32,
                ..header
            };
            let mut block = header.encode().to_vec();
            block.append(&mut payload);
            block.resize(header.capacity as usize, 0);
            seal(&mut block, now, now);
            out.extend(block);
        }
    }
    out
}

/// Runs a line in which `cll` is the program with at most so many MiB of addresses.
fn limited(place: &Place, mebibytes: u32, line: &str) -> Done {
    let room = mebibytes << 10;
    // Each thread of the C library's allocator would reserve addresses that it does not use.
    place.sh(&format!("export MALLOC_ARENA_MAX=1; ulimit -v {room}; {line}"))
}

#[test]
fn a_long_log_is_exported_in_little_memory() {
    if !test_draw::is_drawn("a_long_log_is_exported_in_little_memory", 0, 3) {
        return;
    }
    let place = Place::new();
    // Whole in memory this takes 400 MB; 200 MB if the run of the tests is not full.
    let (supersteps, room) = if test_draw::is_full() { (400_000, 200) } else { (200_000, 140) };
    place.write("long.log", log(2, supersteps, 3, |number, _| 100 + u64::from(number)));
    let line = "cll export --supersteps long.log > long.csv";
    assert_eq!(limited(&place, room, line).expect(0).err, "");
    let text = place.read("long.csv");
    assert_eq!(text.lines().count() as u32, 2 * supersteps + 1);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with(&format!("0,{supersteps},1,2,1,sync,a.c,7,")), "{last}");
    assert!(last.ends_with(",1,8,8,8,,"), "{last}");
    let line = "cll export --supersteps --format json long.log | tail -n 5";
    limited(&place, room, line).expect(0).prints(&["\"damage\": []"]);
}

#[test]
fn a_log_that_is_too_long_to_be_priced_is_refused() {
    let place = Place::new();
    place.write("long.log", log(2, 5_000, 3, |_, _| 100));
    let line = ["obsp", "long.log", "--machine", "sgi-origin-2000"];
    place.cll(&line).expect(0);
    let less = [&line[..], &["--memory", "1M"]].concat();
    place.cll(&less).expect(7).says(&[
        "have 100",
        "supersteps of processors",
        "1 MiB are allowed",
        "--memory",
    ]);
}

#[test]
fn a_deep_path_is_compared_in_little_memory() {
    if !test_draw::is_drawn("a_deep_path_is_compared_in_little_memory", 1, 3) {
        return;
    }
    let place = Place::new();
    for (name, depth) in [("a.log", 10_000), ("b.log", 10_001)] {
        place.write(name, log(2, 10, depth, |_, superstep| 100 + u64::from(superstep)));
    }
    for line in [
        "cll profile diff a.log b.log",
        "cll profile diff a.log b.log --json",
        "cll profile show a.log",
        "cll profile show a.log --view graph",
        "cll profile export a.log --format csv",
        "cll profile export a.log --format extrap",
    ] {
        let done = limited(&place, 500, &format!("{line} > out.txt")).expect(0);
        assert!(!done.err.contains("memory"), "{done:?}");
        let size = place.bytes("out.txt").len();
        assert!((100_000..200_000_000).contains(&size), "{line}: {size} bytes");
    }
    let json = place.cll(&["profile", "diff", "a.log", "a.log", "--json"]).expect(0).json();
    let rows = json["difference"]["rows"].as_array().unwrap();
    let path = rows.last().unwrap()["path"].as_array().unwrap();
    assert_eq!((path.len(), path[50].as_str()), (101, Some("...")));
}

#[test]
fn where_the_h_relation_is_balanced_the_next_path_is_shown() {
    let place = Place::new();
    place.write("even.log", log(4, 10, 2, |number, _| 100 + u64::from(number)));
    place.cll(&["profile", "show", "even.log"]).expect(0).prints(&[
        "no imbalance in imbalance:h-relation",
        "critical path imbalance:computation",
        " > a.c:7",
    ]);
    place
        .cll(&["profile", "show", "even.log", "--path", "imbalance:h-relation"])
        .expect(0)
        .prints(&["critical path imbalance:h-relation", "empty"]);
}

#[test]
fn who_is_last_together_with_others_is_not_last() {
    let place = Place::new();
    // Two processors are the slowest together, but for the last superstep.
    let computed = |number: u32, superstep: u32| match (number, superstep) {
        (1, 9) => 300,
        (0 | 1, _) => 200,
        _ => 100,
    };
    place.write("ties.log", log(3, 10, 2, computed));
    let done = place.cll(&["profile", "show", "ties.log"]).expect(0);
    done.prints(&["last to finish computing: processor 1 1x\n"]);
}

#[test]
fn in_a_pipe_names_are_whole() {
    let place = Place::new();
    let name = format!("a_function_with_a_long_name_{}", "and_so_on_".repeat(40));
    place.write(
        "PROF.bsp",
        format!(
            "D today\nN a\nP 2\nA <16 of a.c {name},main, > with 10 SYNCS 2 1 0 COMP 2 1 0 COMM 0 0 0 COMPIDLE 8 6 4 \
             HREL 2,2,0,8,0;0,0,0,4,0;\nE 5\n"
        ),
    );
    for columns in ["40", "100"] {
        for line in [&["show", "PROF.bsp"][..], &["diff", "PROF.bsp", "PROF.bsp"]] {
            let line = [&["profile"], line].concat();
            let done = place.cll_with(&[("COLUMNS", columns)], &line).expect(0);
            assert!(done.out.contains(&name) && !done.out.contains('…'), "{}", done.out);
        }
    }
}

#[test]
fn figures_that_contradict_each_other_say_nothing_of_who_has_most() {
    let place = Place::new();
    // The maximum of computation is 20 s, and the processors have 2 s in all.
    place.write(
        "PROF.bsp",
        "D today\nN a\nP 2\nA <16 of a.c main, > with 10 SYNCS 20 1 0 COMP 2 1 0 COMM 0 0 0 COMPIDLE 8 6 4 HREL \
         1,1,0,8,0;1,1,0,4,0;\nE 50\n",
    );
    let done = place.cll(&["profile", "show", "PROF.bsp", "--view", "processors"]).expect(0);
    done.prints(&["contradict each other"]);
}

#[test]
fn of_many_faults_the_first_are_shown_and_all_are_counted() {
    let place = Place::new();
    let faults: String = (0..20_000).map(|number| format!("#pragma cll bogus{number}\n")).collect();
    place.write("many.c", format!("int main(void)\n{{\n{faults}return 0;\n}}\n"));
    let done = place.cll(&["translate", "many.c"]).expect(3);
    assert_eq!(done.err.matches("error[").count(), 50, "{}", done.err);
    done.says(&["errors; the first 50 are shown"]);
    let json = place.cll(&["translate", "--json", "many.c"]).expect(3).json();
    assert!(json["files"][0]["diagnostics"].as_array().unwrap().len() >= 20_000);
}

#[test]
fn more_processors_than_the_system_grants_are_refused() {
    let place = Place::new();
    place.write(
        "p.c",
        "#include <bsp.h>\nint main(void) { bsp_begin(bsp_nprocs()); bsp_end(); return 0; }\n",
    );
    place.cll(&["cc", "p.c", "-o", "p"]).expect(0);
    let done = place.cll(&["run", "-n", "1000000", "./p"]).expect(7);
    done.says(&["1000000 processors cannot be started here", "--engine virtual"]);
    assert_eq!(place.list("."), ["p", "p.c"]);
}

#[test]
fn plots_of_long_names_have_short_file_names() {
    let place = Place::new();
    place.write("t.csv", "N,time\n1,2\n2,3\n3,4.1\n4,5\n5,6\n6,7.1\n");
    let long = "n".repeat(10_000);
    let formulas = [format!("{long}[0] + {long}[1]*N"), format!("{long}m[0] + {long}m[1]*N")];
    place
        .cll(&[
            "fit",
            "t.csv",
            "--formula",
            &formulas[0],
            "--formula",
            &formulas[1],
            "-o",
            "m.json",
        ])
        .expect(0);
    place.cll(&["plot", "m.json", "--svg", "p.svg"]).expect(0);
    let plots = place.list(".").into_iter().filter(|name| name.ends_with(".svg")).count();
    assert_eq!(plots, 2, "one for each, though both begin alike");
}

/// If each notice on a column were compared with each other one, this would take minutes.
#[test]
fn a_table_of_many_columns_is_fitted() {
    const COLUMNS: usize = 50_000;
    let place = Place::new();
    let mut text = String::from("N,time");
    text.extend((0..COLUMNS).map(|column| format!(",word{column}")));
    for n in 1..=4 {
        text += &format!("\n{n},{}", 3 * n);
        text += &",abc".repeat(COLUMNS);
    }
    place.write("wide.csv", text + "\n");
    let done = place.cll(&["fit", "wide.csv", "--formula", "f[0]*N", "--json"]).expect(0);
    let answer = done.json();
    let interval = &answer["experiments"][0]["fit"]["intervals"][0];
    let constant = interval["constants"][0]["value"].as_f64().unwrap();
    assert!((constant - 3.0).abs() < 1e-9, "{interval}");
}
