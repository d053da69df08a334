//! `cll machine`: files by hand, and the probe from end to end. What is measured here on a busy machine
//! is of no interest; that it is measured, kept, fitted and read again is.

use crate::support::Place;

pub const CLUSTER: &str = "\
cll-machine = 1
name = \"cluster\"

[origin]
source = \"table 2\"

[[classic]]
processors = 4
s = \"88 Mflop/s\"
g = \"31.5 flop/word\"
l = \"11759 flop\"
";

#[test]
fn published_machines_are_listed_and_shown() {
    let place = Place::new();
    place.cll(&["machine", "list"]).expect(0).prints(&["sgi-powerchallenge", "1,2,3,4"]);
    let list = place.cll(&["machine", "list", "--json"]).expect(0);
    let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!(list["format"], "cll-machines");
    for value in list["machines"].as_array().unwrap() {
        assert!(value["source"].as_str().unwrap().contains("Oxford BSP Toolset"));
        let name = value["name"].as_str().unwrap();
        let shown = place.cll(&["machine", "show", name, "--json"]).expect(0);
        let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
        assert_eq!(shown["machine"]["name"], value["machine"]);
        assert!(shown["machine"]["classic"][0]["l"]["value"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn what_is_wrong_in_a_file_is_shown_at_its_place() {
    let place = Place::new();
    place.write("right.toml", CLUSTER);
    place.write("wrong.toml", CLUSTER.replace("31.5 flop/word", "-31.5 flop/word"));
    place.cll(&["machine", "check", "right.toml"]).expect(0).prints(&["valid: 1 (s, g, l)"]);
    let checked = place.cll(&["machine", "check", "wrong.toml", "--json"]).expect(3);
    let checked: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
    let reported = &checked["files"][0]["diagnostics"][0];
    assert_eq!((reported["line"].as_u64(), reported["column"].as_u64()), (Some(10), Some(6)));
    assert_eq!((&reported["code"], &checked["files"][0]["right"]), (&"M008".into(), &false.into()));
    let later = CLUSTER.replace("cll-machine = 1", "cll-machine = 7\nquantum = true");
    place.write("later.toml", later);
    place.cll(&["machine", "show", "later.toml"]).expect(0).prints(&["31.5 op/word"]).says(&[
        "warning[M003]",
        "warning[M004]",
        "has no key quantum",
    ]);
    let toml = place.cll(&["machine", "show", "right.toml", "--toml"]).expect(0);
    assert_eq!(toml.out, CLUSTER);
}

#[test]
fn the_probe_measures_writes_and_is_read_again() {
    let place = Place::new();
    let probe = [
        "machine",
        "probe",
        "--bsp",
        "--out",
        "mine.toml",
        "--quick",
        "--largest",
        "2K",
        "--budget",
        "15",
        "--engine",
        "processes",
        "--engine",
        "threads",
        "--processors",
        "3",
        "--seed",
        "7",
        "--json",
        "--name",
        "the lab's",
    ];
    let done = place.cll(&probe).expect(0).says(&["written to mine.toml", "seed 7"]);
    let printed: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let shown = place.cll(&["machine", "show", "mine.toml", "--json"]).expect(0);
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(printed, shown, "what is in the file is what was printed");
    let machine = &shown["machine"];
    assert_eq!(machine["name"], "the lab's");
    let text = place.read("mine.toml");
    assert!(text.contains("samples = \"mine.csv\"") && text.contains("by = \"cll "), "{text}");

    let values_of = |table: &str, engine: &str, key: &str| -> Vec<String> {
        let entries = machine[table].as_array().unwrap().iter();
        let mut all: Vec<String> = entries
            .filter(|entry| entry["engine"] == engine)
            .map(|entry| entry[key].to_string())
            .collect();
        all.dedup();
        all
    };
    // What a busy machine has not let be measured is named; without its lines there are no classic parameters.
    let is_missing = |engine: &str, processors: &str| {
        let named = format!("on engine {engine} with {processors} ");
        let mut missing = machine["missing"].as_array().unwrap().iter();
        missing.any(|value| value.as_str().unwrap().contains(&named))
    };
    assert_eq!(values_of("empty", "threads", "processors"), ["1", "2", "3"]);
    let classic = values_of("classic", "processes", "processors");
    let cores = std::thread::available_parallelism().unwrap().get();
    for (index, processors) in ["2", "3"].into_iter().enumerate() {
        let measured = classic.iter().position(|text| text == processors);
        assert!(measured.is_some() || is_missing("processes", processors), "{processors}: {text}");
        if let (Some(measured_index), 2) = (measured, cores) {
            let expected = if index == 0 { "false" } else { "true" };
            assert_eq!(
                values_of("classic", "processes", "oversubscribed")[measured_index],
                expected
            );
        }
    }
    let lines = machine["communication"].as_array().unwrap();
    // Six patterns, two numbers of processors, both @; oblivious only where there are machine objects. What a busy
    // machine has not let be measured is named, for both @ at once.
    let count = |engine: &str, kind: &str| {
        let is =
            |one: &&serde_json::Value| one["engine"] == engine && one["synchronisation"] == kind;
        let named = format!(" ({kind}) on engine {engine} with ");
        let missing = machine["missing"].as_array().unwrap().iter();
        let missing = missing.filter(|value| value.as_str().unwrap().contains(&named)).count();
        lines.iter().filter(is).count() + 2 * missing
    };
    assert_eq!(count("processes", "barrier"), 24, "{text}");
    assert_eq!(count("threads", "barrier"), 24, "{text}");
    assert_eq!((count("processes", "oblivious"), count("threads", "oblivious")), (24, 0), "{text}");
    for line in lines {
        for piece in line["segments"].as_array().unwrap() {
            let number = |key: &str, of: &str| piece[key][of].as_f64().unwrap();
            for key in ["g", "l"] {
                let value = number(key, "value");
                assert!(number(key, "low") <= value && value <= number(key, "high"), "{line}");
                assert!(value >= 0.0, "{line}");
            }
            assert!(piece["from"].as_f64() <= piece["to"].as_f64(), "{line}");
        }
    }
    let csv = place.read("mine.csv");
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns));
    for part in [",shift,", ",total-exchange,", ",random,", ",empty,", "threads,3,", "oblivious"] {
        assert!(csv.contains(part), "{part}");
    }
    // Three rounds, each with the same sizes.
    let rounds: std::collections::BTreeSet<&str> =
        csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(rounds.len() >= 3, "{rounds:?}");
    place.cll(&["machine", "check", "mine.toml"]).expect(0);
}

#[test]
fn the_probe_replaces_no_table_that_it_has_not_made() {
    let place = Place::new();
    let files = [
        ("--bsp", "mine.csv", "round,engine,processors,"),
        ("--memory", "mine.memory.csv", "round,kind,name,"),
        ("--operations", "mine.memory.csv", "round,kind,name,"),
        ("--mpi", "mine.mpi.csv", "round,mpi,hosts,"),
    ];
    for (part, name, titles) in files {
        let probe = |force: &[&str]| {
            let words = ["machine", "probe", part, "--out", "mine.toml", "--quick", "--quiet"];
            // Where nothing is refused, the compiler fails next.
            place
                .cll_with(&[("CLL_CC", "false"), ("CLL_MPICC", "false")], &[&words, force].concat())
        };
        let table = "N,time\n1,4\n";
        place.write(name, table);
        let refused = format!("{name} is no file of samples of cll machine probe");
        probe(&[]).expect(2).says(&[&refused, "--out", "--force"]);
        assert!(!probe(&["--force"]).err.contains("would be replaced"), "{part}");
        assert_eq!(place.read(name), table, "nothing was measured");
        place.write(name, format!("{titles}\n"));
        assert!(!probe(&[]).err.contains("would be replaced"), "{part}");
        std::fs::remove_file(place.path(name)).unwrap();
    }
}

#[test]
fn a_compiler_that_fails_ends_the_probe() {
    let place = Place::new();
    let probe = ["machine", "probe", "--bsp", "--out", "a.toml", "--quick"];
    place.cll_with(&[("CLL_CC", "false")], &probe).expect(4);
    assert!(!place.exists("a.toml") && !place.exists("a.csv"));
}

#[test]
fn on_a_loaded_machine_nothing_is_written_or_a_file_that_says_so() {
    let place = Place::new();
    let cache = place.path("cache").to_string_lossy().into_owned();
    let probe = |loaded: &str| {
        let words = [
            "machine",
            "probe",
            "--bsp",
            "--out",
            "mine.toml",
            "--quick",
            "--largest",
            "64",
            "--budget",
            "1",
            "--engine",
            "processes",
            "--processors",
            "2",
        ];
        place.cll_with(&[("XDG_CACHE_HOME", &cache), ("CLL_LOADED", loaded)], &words)
    };
    probe("accept").expect(0);
    std::fs::remove_file(place.path("mine.toml")).unwrap();
    std::fs::remove_file(place.path("mine.csv")).unwrap();
    // The machine was once a thousand times as fast: something must be at work now.
    let mut known: serde_json::Value =
        serde_json::from_str(&place.read("cache/cll/regime.json")).unwrap();
    for entry in known["machines"].as_object_mut().unwrap().values_mut() {
        let chain = entry["known"]["chain"].as_f64().unwrap();
        entry["known"]["chain"] = (chain / 1000.0).into();
    }
    place.write("cache/cll/regime.json", known.to_string());
    probe("refuse").expect(8).says(&[
        "not measurable now",
        "the processor's clock was below its maximum",
        "nothing is written",
        "--loaded accept",
    ]);
    assert!(!place.exists("mine.toml") && !place.exists("mine.csv"));
    probe("accept").expect(0).says(&["the file says so"]).prints(&["NOT RELIABLE"]);
    assert!(place.read("mine.toml").contains("disturbed = ["));
}

#[test]
fn a_program_learns_the_parameters_of_its_machine() {
    let place = Place::new();
    place.write(
        "ask.c",
        "#include <bsp.h>\nint main(void)\n{\n    bsp_begin(bsp_nprocs());\n    if (bsp_pid() == 0) {\n        \
         printf(\"%.0f %.1f %.2f\\n\", bsp_s(), bsp_l(), bsp_g());\n        fflush(stdout);\n        \
         printf(\"%.1f\\n\", bsp_nhalf());\n    }\n    bsp_end();\n    return 0;\n}\n",
    );
    place.build("ask");
    let run = |machine: &str, count: &str| {
        place.cll_with(&[("CLL_MACHINE", machine)], &["run", "-n", count, "./ask"])
    };
    let never = place.cll(&["run", "-n", "2", "./ask"]);
    never.expect(1).says(&[" at ask.c:6: the parameters of this machine were never measured"]);
    run("sgi-powerchallenge", "4")
        .expect(1)
        .prints(&["74000000 1902.0 9.30"])
        .says(&["bsp_nhalf at ask.c:8: the machine file does not have this parameter"]);
    run("sgi-powerchallenge", "5")
        .expect(1)
        .says(&["no parameters for 5 processors", "1, 2, 3, 4"]);
    run("nowhere", "2").expect(3).says(&["no file and no published machine nowhere"]);
    let half = "
[[classic]]
engine = \"processes\"
processors = 2
s = \"1 Gop/s\"
g = \"1 ns/B\"
l = \"1 us\"
[[empty]]
processors = 2
L = \"1 us\"
[[communication]]
processors = 2
pattern = \"shift\"
calls = \"0.5 ns/B\"
max = [{ from = \"8 B\", to = \"1 MiB\", L = \"1.6 us\", g = \"0.5 ns/B\" }]
";
    let head = CLUSTER.split("\n[[classic]]").next().unwrap();
    place.write("half.toml", format!("{head}{half}"));
    // 0.6 us beyond an empty superstep, at 1 ns a byte: 600 bytes.
    run("half.toml", "2").expect(0).prints(&["1000000000 1000.0 4.00", "150.0"]);
}

#[test]
fn regimes_are_shown_and_agree_with_a_probe_that_saw_one_of_them() {
    let place = Place::new();
    let file = |l: &str, regimes: &str, neighbours: &str| {
        format!(
            "cll-machine = 4\nname = \"lab\"\n\n[origin]\nby = \"a test\"\n\n\
             [host]\nname = \"lab\"\ncpu = \"some\"\ncores = 2\n\n{regimes}\n\
             [[regime]]\nvalue = \"message between two processors\"\nseen = [{neighbours}]\n\n\
             [[empty]]\nengine = \"threads\"\nprocessors = 2\nL = \"{l}\"\n"
        )
    };
    let two = "[[regime]]\nvalue = \"empty superstep (barrier) of threads with 2 processors\"\n\
               seen = [{ at = \"65 ns\", share = \"0.4 x\" }, { at = \"218 ns\", share = \"0.6 x\" }]\n";
    let (near, far) =
        ("{ at = \"60 ns\", share = \"1 x\" }", "{ at = \"200 ns\", share = \"1 x\" }");
    place.write(
        "both.toml",
        file("218 [64, 220] ns", two, &format!("{near}, {far}").replace("\"1 x\"", "\"0.5 x\"")),
    );
    place.write("near.toml", file("65 [64, 66] ns", "", near));
    place.write("far.toml", file("218 [215, 220] ns", "", far));
    place.write("odd.toml", file("120 [119, 121] ns", "", far));
    place.cll(&["machine", "show", "both.toml"]).expect(0).prints(&[
        "two regimes: 65.0 ns (40 %) and 218 ns (60 %)",
        "message between two processors: two regimes: 60.0 ns (50 %) and 200 ns (50 %)",
    ]);
    let compared = |a: &str, b: &str| place.cll(&["machine", "compare", a, b]).expect(0);
    compared("both.toml", "near.toml")
        .prints(&["none of ", "A in two regimes: 65.0 ns (40 %) and 218 ns (60 %)"]);
    // In no regime, and what is between processors was as in one of the other's: nothing explains it.
    let odd = compared("both.toml", "odd.toml").prints(&["1 of "]);
    assert!(!odd.out.contains("the cause is"), "{}", odd.out);
    compared("near.toml", "far.toml").prints(&[
        "of 1 the cause is a regime of the machine",
        "a message between two of them took 60 ns in A, 200 ns in B",
    ]);
    let json =
        place.cll(&["machine", "compare", "near.toml", "far.toml", "--json"]).expect(0).json();
    assert!(json["values"][0]["cause"].as_str().unwrap().contains("another regime"), "{json}");
}
