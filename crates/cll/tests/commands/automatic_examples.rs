//! The examples with their pragmas removed: `--auto` finds what the annotations say. Instructions are counted in a
//! simulation in place of times, so that nothing depends on a clock.

mod parallel;

use serde_json::Value;

use crate::support::{Place, have};

/// An example with its size as the program's argument.
struct Example {
    /// The sources of the example, from the project's root; of a document the file in it.
    sources: &'static [&'static str],
    /// The replacements in the sources: the size is an argument, and memory is for the sizes measured here.
    replaced: &'static [(&'static str, &'static str)],
    options: &'static [&'static str],
    sizes: &'static str,
    /// The annotated experiment that is dominant, and its term that grows most.
    annotated: (&'static str, &'static str),
    /// The function that it is in, or that it encloses.
    function: &'static str,
    /// The variable of this name there, and the terms of which one is to be found.
    term: (&'static str, &'static [&'static str]),
    /// By how much the ratio of both predictions may change up to 16 times the largest size.
    apart: f64,
    /// Whether that function takes most of the program; else most of what the annotations name. Programs that check
    /// their results execute more instructions for that.
    is_most: bool,
    /// How often that function's region is passed in a passage of the annotated one.
    passages: f64,
    /// A text about the program's own results, if its output is not the same in each run.
    says: Option<&'static str>,
}

const SEQUENTIAL: Example = Example {
    sources: &[],
    replaced: &[],
    options: &[],
    sizes: "",
    annotated: ("", ""),
    function: "",
    term: ("", &[]),
    apart: 0.1,
    is_most: true,
    passages: 1.0,
    says: None,
};

/// Open MPI asks for these where root starts it.
const ROOT: [(&str, &str); 2] =
    [("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];

const MAIN: (&str, &str) = ("int main(void)", "int main(int argc, char **argv)");

#[test]
fn matrix_init() {
    check(
        0,
        &Example {
            sources: &["examples/matrix_init/matrix_init.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 3600", "LARGEST = 260"),
                ("N = 1001", "N = atoi(argv[argc - 1])"),
            ],
            options: &[],
            // From 2 kB on, the C library sets the memory of a row by other instructions.
            sizes: "N=41:250:*1.35",
            annotated: ("columns", "N*N"),
            function: "by_columns",
            term: ("N", &["N^2"]),
            apart: 0.1,
            is_most: false,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn matrix_product() {
    check(
        1,
        &Example {
            sources: &["examples/matrix_product/matrix_product.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 640", "LARGEST = 120"),
                ("N = 301", "N = atoi(argv[argc - 1])"),
            ],
            options: &[],
            sizes: "N=15:115:*1.4",
            annotated: ("product", "N*N*N"),
            function: "product",
            term: ("N", &["N^3"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn quicksort() {
    check(
        2,
        &Example {
            sources: &["examples/quicksort/quicksort.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 1500000", "LARGEST = 40000"),
                ("VOLUME = 200000", "VOLUME = 0"),
                ("N = 100000", "N = atoi(argv[argc - 1])"),
            ],
            options: &[],
            sizes: "N=500:33000:*2",
            annotated: ("sort", "N*log(N)"),
            function: "quicksort",
            term: ("n", &["n*log2(n)"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn pointer_chase() {
    check(
        3,
        &Example {
            sources: &["examples/pointer_chase/pointer_chase.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 600000", "LARGEST = 33000"),
                ("N = 10000", "N = atoi(argv[argc - 1])"),
            ],
            options: &[],
            sizes: "N=500:33000:*2",
            annotated: ("walk", "N"),
            function: "walk",
            term: ("N", &["N"]),
            apart: 0.1,
            is_most: false,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn fft() {
    check(
        4,
        &Example {
            sources: &["examples/fft/sequential.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 262144", "LARGEST = 8192"),
                ("VOLUME = 20000", "VOLUME = 0"),
                ("N = 4096", "N = atoi(argv[argc - 1])"),
            ],
            options: &["--libs=-lm"],
            sizes: "N=64:8192:*2",
            annotated: ("G", "N*log(N)"),
            function: "seqDandCFFT",
            term: ("N", &["N*log2(N)"]),
            // The annotated formula has no linear term, although the calls of the recursion take as much as ten levels.
            apart: 0.2,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn sieve() {
    check(
        5,
        &Example {
            sources: &["examples/sieve/sieve.c"],
            replaced: &[],
            options: &[],
            sizes: "N=2000:128000:*2",
            annotated: ("sieve", "N*log(log(N))"),
            function: "sieve",
            // The logarithm of a logarithm is no term that is searched: it lies between these.
            term: ("N", &["N", "N*log2(N)"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn a_program_of_several_files() {
    check(
        6,
        &Example {
            sources: &[
                "examples/nbody/main.c",
                "examples/nbody/forces.c",
                "examples/nbody/bodies.c",
            ],
            replaced: &[],
            options: &["--libs=-lm"],
            sizes: "N=20:160:*1.35",
            annotated: ("attract", "n*(n - 1)"),
            function: "attract",
            term: ("n", &["n^2"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn the_guide() {
    check(
        7,
        &Example {
            sources: &["docs/guide.md: pairs.c"],
            replaced: &[MAIN, ("N = LARGEST, i", "N = atoi(argv[argc - 1]), i")],
            options: &[],
            sizes: "N=60:600:*1.4",
            annotated: ("pairs", "N*N"),
            function: "close_pairs",
            term: ("N", &["N^2"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

/// The text of a source.
fn text(source: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let read = |path: &str| std::fs::read_to_string(format!("{root}{path}")).unwrap();
    let Some((document, name)) = source.split_once(": ") else { return read(source) };
    let document = read(document);
    let begin = format!("```c {name}\n");
    let start = document.find(&begin).expect("the file is in the document") + begin.len();
    document[start..].split("```").next().unwrap().to_owned()
}

/// The text without lines that begin with one of these, and without those that continue them.
fn without(text: &str, begins: &[&str]) -> String {
    let mut is_gone = false;
    let mut continues = false;
    let mut kept = String::new();
    for line in text.lines() {
        is_gone = (continues && is_gone)
            || begins.iter().any(|begin| line.trim_start().starts_with(begin));
        continues = line.ends_with('\\');
        if !is_gone {
            kept += line;
            kept += "\n";
        }
    }
    kept
}

/// One example in four, by the seed: a simulation takes a hundred times as long as the program.
fn check(nth: usize, example: &Example) {
    let test = format!("automatic_examples: {}", example.annotated.0);
    if !test_draw::is_drawn(&test, nth, 4) || !have("valgrind", &test) {
        return;
    }
    let place = Place::new();
    let mut names = Vec::new();
    for source in example.sources {
        let mut text = text(source);
        for (from, to) in example.replaced {
            assert!(text.contains(from), "{source}: {from}");
            text = text.replace(from, to);
        }
        let name = source.rsplit(['/', ' ']).next().unwrap();
        // The size is an argument; the number of processors an option.
        let loops = ["#pragma cll for", "#pragma cll end for"];
        place.write(&format!("annotated/{name}"), without(&text, &loops));
        let bare = without(&text, &["#pragma cll"]);
        let is_pragma = |line: &str| line.trim_start().starts_with("#pragma cll");
        assert!(!bare.lines().any(is_pragma), "{source}: {bare}");
        place.write(&format!("bare/{name}"), bare);
        names.push(name);
    }
    if example.sources.len() > 1 {
        for folder in ["annotated", "bare"] {
            place.write(&format!("{folder}/bodies.h"), text("examples/nbody/bodies.h"));
        }
    }
    let files = |folder: &str| -> Vec<String> {
        names.iter().map(|name| format!("{folder}/{name}")).collect()
    };
    let measured = |folder: &str, more: &[&str]| -> Value {
        let files = files(folder);
        let output = format!("{folder}.cll");
        let mut line = vec!["model"];
        line.extend(files.iter().map(String::as_str));
        line.extend(more);
        line.extend(example.options);
        line.extend(["--simulate-caches", "--loaded", "accept", "--seed", "7", "-q", "--json"]);
        line.extend(["-o", &output, "--vary", example.sizes, "--", "{N}"]);
        place.cll_with(&ROOT, &line).expect(0).json()
    };
    let annotated = measured("annotated", &[]);
    let answer = measured("bare", &["--auto"]);
    // It does what it did.
    let largest = answer["ranking"]["at"][0][1].as_f64().unwrap() as u32;
    let log = place.read("bare.cll/output.log");
    match example.says {
        Some(words) => assert!(log.contains(words) && !log.contains("WRONG"), "{log}"),
        None => {
            let plain = format!("gcc -fopenmp {} -o plain -lm", files("annotated").join(" "));
            place.sh(&format!("{plain} && ./plain {largest} > plain.txt")).expect(0);
            assert!(log.contains(&place.read("plain.txt")), "{log}");
        }
    }

    let values = annotated["experiments"].as_array().unwrap().iter();
    let dominant =
        values.max_by(|a, b| measured_at_most(a).total_cmp(&measured_at_most(b))).unwrap();
    let (name, term) = example.annotated;
    assert_eq!(dominant["name"], name);
    assert!(dominant["formula"].as_str().unwrap().ends_with(term), "{}", dominant["formula"]);

    // The dominant region is in the same function.
    let ranking = &answer["ranking"];
    assert_eq!(ranking["observable"], "sim::Ir", "{ranking}");
    let spots = ranking["spots"].as_array().unwrap();
    let is_in = |spot: &&Value| {
        let name = spot["name"].as_str().unwrap();
        name == example.function || name.starts_with(&format!("{}_loop", example.function))
    };
    let first = if example.is_most { spots.first() } else { spots.iter().find(is_in) };
    let first = first.filter(is_in).unwrap_or_else(|| panic!("{ranking}"));
    if !example.is_most {
        let regions: Vec<&str> = spots.iter().filter_map(|spot| spot["name"].as_str()).collect();
        assert!(regions.len() > 1, "{regions:?}");
    }

    // So is its growth: both predictions keep their ratio far beyond the data.
    let region = first["name"].as_str().unwrap();
    let (variable, terms) = example.term;
    let all = answer["experiments"].as_array().unwrap();
    let values = all.iter().find(|value| value["name"] == region).expect("it has a formula");
    let formula = values["formula"].as_str().unwrap_or_else(|| panic!("{values}"));
    assert!(terms.contains(&leading(formula).as_str()), "{formula}");
    let own = annotated["experiments"].as_array().unwrap();
    let own = own.iter().find(|value| value["name"] == name).unwrap();
    let own = own["variables"][0].as_str().unwrap().to_owned();
    let ratio = |size: u32| {
        example.passages * predicted(&place, "bare.cll", region, &format!("{variable}={size}"))
            / predicted(&place, "annotated.cll", name, &format!("{own}={size}"))
    };
    let (near, far) = (ratio(largest), ratio(16 * largest));
    assert!((far / near - 1.0).abs() < example.apart, "{near} {far}: {formula}");
    assert!((0.5..2.0).contains(&near), "{near}: not the same work");
}

/// The largest median number of instructions.
fn measured_at_most(experiment: &Value) -> f64 {
    let counters = experiment["counters"].as_array().unwrap().iter();
    let counted = counters.filter(|counter| counter["name"] == "sim::Ir");
    let points = counted.flat_map(|value| value["points"].as_array().unwrap());
    points.filter_map(|point| point["median"].as_f64()).fold(0.0, f64::max)
}

/// The term of a formula that grows most: the last one, without its constant.
fn leading(formula: &str) -> String {
    let last = formula.rsplit(" + ").next().unwrap();
    last.split_once("]*").map_or("1", |(_, term)| term).to_owned()
}

fn predicted(place: &Place, model: &str, experiment: &str, values: &str) -> f64 {
    let line = ["predict", model, "--experiment", experiment, "--at", values, "--json"];
    let answer = place.cll(&line).expect(0).json();
    let all = answer["predictions"].as_array().unwrap();
    let prediction = all.iter().find(|value| value["experiment"] == experiment);
    prediction.and_then(|value| value["value"].as_f64()).unwrap_or_else(|| panic!("{answer}"))
}
