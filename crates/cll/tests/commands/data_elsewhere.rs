//! `cll fit` on tables that other programs wrote.

use crate::support::Place;

const FORMULA: [&str; 2] = ["--formula", "f[0] + f[1]*N"];

/// t = 2 + 3 N in some unit, six sizes.
fn rows(header: &str, row: impl Fn(u32, u32) -> String) -> String {
    let rows = (1..=6).map(|k| row(1000 * k, 2 + 3 * 1000 * k) + "\n");
    format!("{header}\n{}", rows.collect::<String>())
}

fn fit(place: &Place, file: &str, options: &[&str]) -> serde_json::Value {
    let all = [&["fit", file, "--json"], &FORMULA[..], options].concat();
    place.cll(&all).expect(0).json()
}

fn slope(value: &serde_json::Value) -> f64 {
    value["experiments"][0]["fit"]["intervals"][0]["constants"][1]["value"].as_f64().unwrap()
}

#[test]
fn units_in_headers_are_read_and_the_column_is_said() {
    let place = Place::new();
    place.write("ms.csv", rows("N,walltime [ms],nodes", |n, t| format!("{n},{t},{}", n / 1000)));
    let value = fit(&place, "ms.csv", &[]);
    assert!((slope(&value) / 3e-3 - 1.0).abs() < 1e-6, "{value}");
    assert_eq!(
        value["experiments"][0]["column"],
        serde_json::json!({ "file": "ms.csv", "name": "walltime [ms]", "unit": "ms" })
    );
    place.cll(&[&["fit", "ms.csv"], &FORMULA[..]].concat()).expect(0).prints(&[
        "ms.csv: column walltime [ms], in ms",
        "3.0",
        "ms*N",
    ]);
    let nodes = fit(&place, "ms.csv", &["--column", "nodes", "--unit", "nodes"]);
    assert_eq!(nodes["experiments"][0]["observable"], "nodes");
    place.write("plain.csv", rows("N,cost", |n, t| format!("{n},{t}")));
    place
        .cll(&[&["fit", "plain.csv"], &FORMULA[..]].concat())
        .expect(0)
        .prints(&["column cost, taken as seconds"]);
    assert!((slope(&fit(&place, "plain.csv", &["--unit", "us"])) / 3e-6 - 1.0).abs() < 1e-6);
}

#[test]
fn other_programs_ways_of_writing_are_read() {
    let place = Place::new();
    place.write("comma.csv", rows("N;time", |n, t| format!("{n};{},{}", t / 10, t % 10)));
    assert!((slope(&fit(&place, "comma.csv", &[])) / 0.3 - 1.0).abs() < 1e-6);
    place
        .cll(&[&["fit", "comma.csv", "--details"], &FORMULA[..]].concat())
        .prints(&["numbers have decimal commas: `300,2`"]);
    let text = format!("\u{FEFF}{}", rows("N\ttime", |n, t| format!("{n}\t{t}")));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("utf16.csv", utf16);
    assert!((slope(&fit(&place, "utf16.csv", &[])) / 3.0 - 1.0).abs() < 1e-6);
    place.write("host.csv", rows("host,\"problem size\",t_us", |n, t| format!("a{n},{n},{t}")));
    let formula = ["--formula", "f[0] + f[1]*problem_size"];
    let done = place.cll(&[&["fit", "host.csv"], &formula[..]].concat()).expect(0);
    done.prints(&["! column `host` has text", "µs*problem_size"]);
    let done = place.cll(&[&["fit", "host.csv", "--details"], &formula[..]].concat()).expect(0);
    done.prints(&[
        "column `problem size` is problem_size in formulas",
        "column `host` has text",
        "µs*problem_size",
    ]);
}

#[test]
fn regions_and_metrics_of_extrap_keep_their_names() {
    let place = Place::new();
    let data = |factor: u32| (1..=6).map(|k| format!("DATA {}\n", factor * k)).collect::<String>();
    let text = format!(
        "PARAMETER N\nPOINTS 1 2 3 4 5 6\nREGION main/solve\nMETRIC time\n{}METRIC bytes\n{}REGION io\nMETRIC time\n{}",
        data(3),
        data(8),
        data(5)
    );
    place.write("extrap.txt", text);
    let answer = fit(&place, "extrap.txt", &["-o", "model.json"]);
    let seen: Vec<_> = answer["experiments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| (value["name"].as_str().unwrap(), value["unit"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [("main/solve:time", "s"), ("main/solve:bytes", "bytes"), ("io:time", "s")]);
    let done = place.cll(&[&["fit", "extrap.txt"], &FORMULA[..]].concat()).expect(0);
    done.prints(&["main/solve:time", "main/solve:bytes", "io:time"]);
    place.cll(&["plot", "model.json", "--svg", "all.svg"]).expect(0);
    let names = ["main_solve_time", "main_solve_bytes", "io_time"];
    let drawn = names.map(|name| place.read(&format!("all-{name}.svg")));
    assert!(drawn[0] != drawn[1] && drawn[0].contains("main/solve"));
}

#[test]
fn plots_of_names_that_files_cannot_distinguish_do_not_replace_each_other() {
    let place = Place::new();
    let region = |name: &str, factor: u32| {
        let data = (1..=6).map(|k| format!("DATA {}\n", factor * k)).collect::<String>();
        format!("REGION {name}\nMETRIC time\n{data}")
    };
    let text = format!("PARAMETER N\nPOINTS 1 2 3 4 5 6\n{}{}", region("a/b", 3), region("a_b", 8));
    place.write("extrap.txt", text);
    fit(&place, "extrap.txt", &["-o", "model.json"]);
    place.cll(&["plot", "model.json", "--svg", "all.svg"]).expect(0);
    assert!(place.read("all-a_b.svg").contains("a/b"));
    assert!(place.read("all-a_b-2.svg").contains("a_b"));
}

#[test]
fn a_folder_of_criterion_is_read_by_its_newest_samples() {
    let place = Place::new();
    for n in [64, 128, 256, 512] {
        for (age, factor) in [("new", 2), ("base", 900)] {
            let folder = format!("target/criterion/sort/quick/{n}/{age}");
            place.sh(&format!("mkdir -p {folder}")).expect(0);
            let id = format!(
                r#"{{"group_id":"sort","function_id":"quick","value_str":"{n}","throughput":null,"full_id":"sort/quick/{n}"}}"#
            );
            place.write(&format!("{folder}/benchmark.json"), id);
            let sample = format!(
                r#"{{"sampling_mode":"Flat","iters":[10.0,10.0],"times":[{0}.0,{0}.0]}}"#,
                10 * factor * n
            );
            place.write(&format!("{folder}/sample.json"), sample);
        }
    }
    let value = fit(&place, "target/criterion", &[]);
    assert!((slope(&value) / 2e-9 - 1.0).abs() < 1e-6, "{value}");
    assert_eq!(value["experiments"][0]["name"], "sort/quick");
    place.sh("mkdir empty").expect(0);
    place
        .cll(&[&["fit", "empty"], &FORMULA[..]].concat())
        .expect(3)
        .says(&["there is no trace (*.dat) in empty"]);
}
