//! Probes of memory and operations from end to end, and the chase under simulated caches. What a busy machine measures is of no
//! interest; that it is measured, kept, evaluated, read again and compared is.

use cll_machine::{LatencyPoint, Uncertain, levels};

use crate::support::Place;

/// A cache of sets with the least recently used line replaced.
struct Cache {
    sets: Vec<Vec<u32>>,
    ways: usize,
}

impl Cache {
    fn new(sets: usize, ways: usize) -> Cache {
        Cache { sets: vec![Vec::new(); sets], ways }
    }

    fn bytes(&self) -> f64 {
        (64 * self.sets.len() * self.ways) as f64
    }

    /// Whether the line was there.
    fn access(&mut self, line: u32) -> bool {
        let count = self.sets.len();
        let set = &mut self.sets[line as usize % count];
        let position = set.iter().position(|number| *number == line);
        match position {
            Some(position) => {
                set.remove(position);
            }
            None if set.len() == self.ways => {
                set.remove(0);
            }
            None => {}
        }
        set.push(line);
        position.is_some()
    }
}

/// The latency of a chase over these offsets when each has been visited once.
fn latency(offsets: &[u32], shapes: &[(usize, usize)]) -> f64 {
    const NS: [f64; 4] = [1.2, 4.5, 30.0, 100.0];
    let mut caches: Vec<Cache> =
        shapes.iter().map(|(sets, ways)| Cache::new(*sets, *ways)).collect();
    let mut total = 0.0;
    for lap in 0..2 {
        for offset in offsets {
            let line = offset / 64;
            // Each cache that misses is filled.
            let hit =
                caches.iter_mut().position(|cache| cache.access(line)).unwrap_or(shapes.len());
            total += if lap == 1 { NS[hit] } else { 0.0 };
        }
    }
    total / offsets.len() as f64
}

#[test]
fn the_chase_finds_simulated_caches_of_odd_sizes() {
    let place = Place::new();
    let probes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../probes");
    for name in ["memory.c", "analyzer.h"] {
        place.write(name, std::fs::read(format!("{probes}/{name}")).unwrap());
    }
    place.sh("cc -O2 memory.c -o memory").expect(0);
    // The addresses of the chase at each working set, up to 3 MiB.
    let sizes: Vec<u64> =
        (0..39).map(|k| (64.0 * 2f64.powf(f64::from(k) / 4.0)).round() as u64 * 64).collect();
    let chases: Vec<Vec<u32>> = sizes
        .iter()
        .map(|bytes| {
            let seed = bytes.to_string();
            let output =
                place.command("./memory").args([&seed, "addresses", "64", &seed]).output().unwrap();
            assert!(output.status.success());
            let words = output.stdout.chunks_exact(4);
            words.map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
        })
        .collect();
    for (bytes, chase) in sizes.iter().zip(&chases) {
        let mut lines: Vec<u32> = chase.iter().map(|offset| offset / 64).collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len() as u64, bytes / 64, "one cycle through every line");
    }
    // Sizes that are no powers of two, and ways that are odd.
    for shapes in
        [[(64, 11), (512, 7)], [(96, 5), (1024, 6)], [(37, 8), (700, 9)], [(128, 6), (1000, 5)]]
    {
        let point = |(bytes, chase): (&u64, &Vec<u32>)| LatencyPoint {
            size: *bytes as f64,
            latency: Uncertain::exact(1e-9 * latency(chase, &shapes)),
        };
        let points: Vec<LatencyPoint> = sizes.iter().zip(&chases).map(point).collect();
        let levels = levels(&points);
        assert_eq!(levels.len(), 3, "{shapes:?}: {levels:#?}");
        for ((sets, ways), level) in shapes.into_iter().zip(&levels) {
            let (size, truth) = (level.size.unwrap().value, Cache::new(sets, ways).bytes());
            assert!((size / truth - 1.0).abs() <= 0.1, "{shapes:?}: {size} in place of {truth}");
        }
    }
}

#[test]
fn memory_and_operations_are_measured_written_and_compared() {
    let place = Place::new();
    let probe = |out: &str| {
        let words = ["machine", "probe", "--memory", "--operations", "--quick", "--budget", "8"];
        place.cll(
            &[&words[..], &["--loaded", "accept", "--seed", "3", "--json", "--out", out]].concat(),
        )
    };
    let done = probe("a.toml").expect(0).says(&["the samples are in a.memory.csv", "seed 3"]);
    let printed = done.json();
    let shown = place.cll(&["machine", "show", "a.toml", "--json"]).expect(0).json();
    assert_eq!(printed, shown, "what is in the file is what was printed");
    let machine = &shown["machine"];
    let list = |value: &serde_json::Value| value.as_array().unwrap().clone();
    assert!(!list(&machine["memory"]["levels"]).is_empty());
    assert!(machine["process_start"]["value"].as_f64().unwrap() > 0.0);
    let operations = list(&machine["operations"]);
    let named = |name: &str, operand: &str| {
        let mut entries = operations.iter();
        entries.find(|value| value["name"] == name && value["operand"] == operand).unwrap()
    };
    for (name, operand) in [("add", "double"), ("sqrt", "single"), ("divide", "integer")] {
        let value = named(name, operand);
        assert!(value["latency"]["value"].as_f64().unwrap() > 0.0, "{value}");
    }
    // Eight independent ones cannot take longer than one after the other, whatever else runs.
    let divide = named("divide", "double");
    let value = |key: &str| divide[key]["value"].as_f64().unwrap();
    assert!(value("each") <= value("latency"), "{divide}");
    let raw = place.read("a.memory.csv");
    assert!(raw.starts_with("round,kind,name,stride_bytes,bytes,cores,time_s,wall_s,cpu_s,"));
    let rounds: Vec<&str> = raw.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(["0", "1", "2"].iter().all(|round| rounds.contains(round)), "three launches at least");
    assert!(!place.exists("a.csv"), "no supersteps were measured");
    place
        .cll(&["machine", "show", "a.toml"])
        .expect(0)
        .prints(&["levels found by the latency", "operations"]);
    place.cll(&["machine", "check", "a.toml"]).expect(0).prints(&[" of memory; ", "14 operations"]);

    // The same machine, with one value that is another.
    let text = place.read("a.toml");
    place.cll(&["machine", "compare", "a.toml", "a.toml"]).expect(0).prints(&["none of "]);
    let line = text.lines().find(|line| line.starts_with("start = ")).unwrap();
    place.write("b.toml", text.replace(line, "start = \"1000 [999, 1001] s\""));
    let compared = place.cll(&["machine", "compare", "a.toml", "b.toml"]).expect(0);
    compared.prints(&["1 of ", "start of a process"]);
    let json = place.cll(&["machine", "compare", "a.toml", "b.toml", "--json"]).expect(0).json();
    assert_eq!(
        (&json["format"], &json["values"][0]["differs"]),
        (&"cll-machine-comparison".into(), &true.into())
    );
}

#[test]
fn one_core_and_little_memory_are_said() {
    let place = Place::new();
    // Under its limit the program has no room for 64 MiB, and goes on with what it has room for.
    let probes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../probes");
    for name in ["memory.c", "analyzer.h"] {
        place.write(name, std::fs::read(format!("{probes}/{name}")).unwrap());
    }
    place.sh("cc -O2 memory.c -o memory").expect(0);
    place.sh("ulimit -v 40000; ./memory 1 20 large:64:67108864 large:64:4096").expect(0).prints(&[
        "missing no memory for a working set of 67108864 bytes",
        "latency large 64 4096 1 ",
        "\nend",
    ]);
    place.sh("./memory 1 20 large:7:4096").expect(2);
    if !crate::support::have("taskset", "one core") {
        return;
    }
    let probe = "taskset -c 0 cll machine probe --memory --quick --budget 4 --loaded accept --out first.toml --quiet";
    place.sh(probe).expect(0).prints(&["latency under load: there is one core"]);
    let text = place.read("first.toml");
    assert!(!text.contains("[[contention]]") && !text.contains("[[loaded]]"), "{text}");
}

#[test]
fn a_probe_that_makes_no_sense_is_refused() {
    let place = Place::new();
    let probe =
        |words: &[&str]| place.cll(&[&["machine", "probe", "--memory", "--out"], words].concat());
    probe(&["a.toml", "--engine", "mpi"])
        .expect(2)
        .says(&["--engine is of supersteps", "--bsp measures them"]);
    probe(&["a.toml", "--largest", "64K"]).expect(2).says(&["--largest is of supersteps"]);
    // Its raw samples would have the name of the machine's file.
    probe(&["no/a.toml"]).expect(7).says(&["there is no folder no"]);
    place.cll(&["machine", "compare", "nowhere", "sgi-origin-2000"]).expect(3).says(&["nowhere"]);
    place
        .cll(&["machine", "compare", "sgi-powerchallenge", "sgi-origin-2000"])
        .expect(0)
        .prints(&["A: SGI PowerChallenge", "B: SGI Origin 2000"]);
}

#[test]
fn machines_of_the_project_and_the_user_have_names() {
    let place = Place::new();
    let file = |name: &str| crate::machines::CLUSTER.replace("\"cluster\"", &format!("\"{name}\""));
    let data = place.path("data").display().to_string();
    let cll = |words: &[&str]| place.cll_with(&[("XDG_DATA_HOME", &data)], words);
    cll(&["machine", "show", "mine"]).expect(3);
    place.write("data/cll/machines/mine.toml", file("of the user"));
    place.write("data/cll/machines/bad.toml", "cll-machine = 1\n");
    cll(&["machine", "show", "mine"]).expect(0).prints(&["of the user"]);
    place.write(".cll/machines/mine.toml", file("of the project"));
    cll(&["machine", "show", "mine"]).expect(0).prints(&["of the project"]);
    cll(&["machine", "list"]).expect(0).prints(&[
        "of the project",
        "sgi-origin-2000",
        "(its file is wrong)",
    ]);
    let listed = cll(&["machine", "list", "--json"]).expect(0).json();
    let places: Vec<&str> = listed["machines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["place"].as_str().unwrap())
        .collect();
    assert_eq!((places.len(), &places[..2]), (5, &["project", "user"][..]));
    cll(&["machine", "show", "bad"]).expect(3).says(&["bad.toml"]);
    cll(&["machine", "show", "min"]).expect(3).says(&["did you mean mine?"]);
    // A file of this name comes first.
    place.write("mine", file("in the folder"));
    cll(&["machine", "show", "mine"]).expect(0).prints(&["in the folder"]);
}
