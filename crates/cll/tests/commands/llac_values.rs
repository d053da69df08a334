//! `cll llac` with files: the same answers as those of the other commands.

use serde_json::Value;

use crate::obsp::{PROGRAM, machine};
use crate::support::Place;

/// Rows of `f[0] + f[1]*N*log(N)` with 1 % noise of known sign, three times each.
fn table() -> String {
    let mut text = String::from("N,time_s\n");
    for (k, n) in [64, 128, 256, 512, 1024, 2048, 4096, 8192].into_iter().enumerate() {
        for (j, off) in [1.0, 1.01, 0.99].into_iter().enumerate() {
            let off = if (k + j) % 2 == 0 { off } else { 2.0 - off };
            let n = f64::from(n);
            text.push_str(&format!("{n},{}\n", (1e-6 + 2e-9 * n * n.ln()) * off));
        }
    }
    text
}

/// The values that statements show, as JSON.
#[track_caller]
fn shown(place: &Place, files: &[&str], statements: &str) -> Vec<Value> {
    let mut line = vec!["llac", "--json"];
    line.extend(files);
    line.extend(["-e", statements]);
    let done = place.cll(&line).expect(0);
    done.out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["value"].clone())
        .collect()
}

#[test]
fn a_fit_is_that_of_the_command() {
    let place = Place::new();
    place.write("times.csv", table());
    let formula = "times[0]+times[1]*N*log(N)";
    let line = ["fit", "times.csv", "--formula", formula, "--predict", "N=2^20", "--json"];
    let by_command: Value = serde_json::from_str(&place.cll(&line).expect(0).out).unwrap();
    let statements = "m = fit times as f[0]+f[1]*N*log(N); m; predict m at N = 2^20; m(N = 2^20)";
    let all = shown(&place, &["times.csv"], statements);
    let [model, predicted, called] = &all[..] else { panic!("{all:?}") };
    let fit = |value: &Value| value["experiments"][0]["fit"]["constants"].clone();
    assert_eq!(fit(&model["model"]), fit(&by_command));
    let value = |value: &Value| value["predictions"][0].clone();
    assert_eq!(value(&predicted["predictions"]), value(&by_command));
    assert_eq!(called["value"], by_command["predictions"][0]["value"]);
    assert_eq!(called["unit"], "s");
}

#[test]
fn a_model_is_opened_and_planned_for() {
    let place = Place::new();
    place.write("times.csv", table());
    let line = ["fit", "times.csv", "--formula", "f[0]+f[1]*N*log(N)", "--output", "m.json"];
    place.cll(&line).expect(0);
    let line = ["plan", "m.json", "--predict", "N=2^14", "--budget", "2s", "--json"];
    let by_command: Value = serde_json::from_str(&place.cll(&line).expect(0).out).unwrap();
    let all = shown(&place, &["m.json"], "plan m at N = 2^14 with budget = \"2s\"; m[1]");
    assert_eq!(all[0]["content"]["points"], by_command["points"]);
    assert!((all[1]["value"].as_f64().unwrap() / 2e-9 - 1.0).abs() < 0.02, "{all:?}");
    let done = place.cll(&["llac", "m.json", "-e", "plan m at N = 2^14"]).expect(3);
    done.says(&["`plan` needs a budget", "budget = \"10m\""]);
}

#[test]
fn samples_of_a_trace_know_where_they_come_from() {
    let place = Place::new();
    let source = "#include \"cll.h\"\nint main(int argc, char **argv) {\n    int N = argc * 8, i;\n    volatile double s = 0;\n\
                  #pragma cll f f[0]+f[1]*N\n    for (i = 0; i < N; i++) s += i;\n#pragma cll end f\n    return 0;\n}\n";
    place.write("prog.c", source);
    place.cll(&["cc", "prog.c", "-o", "prog"]).expect(0);
    for arguments in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        let mut line = vec!["run", "./prog"];
        line.extend(arguments);
        place.cll(&line).expect(0);
    }
    let traces = ["prog.cll.0.dat", "prog.cll.1.dat", "prog.cll.2.dat"];
    let statements = "count(f); unique(f.N); group f by run; unique(f.file); unique(f.place); count(f where N > 16)";
    let all = shown(&place, &traces, statements);
    assert_eq!(all[0]["value"], 3.0);
    assert_eq!(all[1]["values"], serde_json::json!([16.0, 24.0, 32.0]));
    assert_eq!(all[2]["rows"], 3);
    assert_eq!(all[3]["values"].as_array().unwrap().len(), 3);
    assert_eq!(all[4]["values"][0]["value"], "prog.c:5");
    assert_eq!(all[5]["value"], 2.0);
    // Two files apart.
    let apart =
        "a = open \"prog.cll.0.dat\"; b = open \"prog.cll.1.dat\"; c = merge a.f, b.f; count(c)";
    assert_eq!(shown(&place, &[], apart)[0]["value"], 2.0);
}

#[test]
fn a_log_has_supersteps_nodes_and_costs() {
    let place = Place::new();
    place.write("swap.c", PROGRAM);
    place.write("slow.toml", machine("100 Mop/s"));
    place.cll(&["cc", "-O2", "swap.c", "-o", "swap"]).expect(0);
    place.cll(&["run", "-n", "4", "--log", "./swap"]).expect(0);
    let log = std::fs::read_dir(place.path("."))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .find(|name| name.ends_with(".log"))
        .unwrap();
    let line = ["obsp", &log, "--machine", "slow.toml", "--json"];
    let by_command: Value = serde_json::from_str(&place.cll(&line).expect(0).out).unwrap();
    let statements = "max(swap.supersteps.processor); count(swap.nodes); cost swap on \"slow.toml\"; \
                      cost swap on slow; slow(P = 4, h = 1000)";
    let all = shown(&place, &[&log, "slow.toml"], statements);
    assert_eq!(all[0]["value"], 3.0);
    assert!(all[1]["value"].as_f64().unwrap() >= 3.0, "{all:?}");
    let column = |value: &Value, name: &str| {
        let columns = value["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()["values"].clone()
    };
    let expected: Vec<Value> = by_command["predictions"][0]["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| model["value_s"].clone())
        .collect();
    assert_eq!(column(&all[2], "value"), Value::Array(expected));
    assert_eq!(column(&all[3], "value"), column(&all[2], "value"));
    // 1 ms and 1 µs for each byte.
    assert!((all[4]["value"].as_f64().unwrap() - 2e-3).abs() < 1e-9, "{all:?}");
    place.cll(&["llac", &log, "-e", "cost swap"]).expect(3).says(&["on which machine?"]);
    place.cll(&["llac", &log, "-e", "swap(P = 3)"]).expect(3).says(&["on which machine?"]);
}

#[test]
fn a_program_in_formulas_is_a_function() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    let example =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/obsp/broadcast_one.obsp.toml");
    let folder = std::path::Path::new(example).parent().unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        place
            .write(&entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap());
    }
    let line = [
        "obsp",
        "broadcast_one.obsp.toml",
        "--machine",
        "slow.toml",
        "--predict",
        "N=1000,P=4",
        "--json",
    ];
    let by_command: Value = serde_json::from_str(&place.cll(&line).expect(0).out).unwrap();
    let statements = "t = cost broadcast_one on \"slow.toml\" at N = 1000, P = 4; t; \
                      b = cost broadcast_one on \"slow.toml\"; b(N = 1000, P = 4); broadcast_one";
    let all = shown(&place, &["broadcast_one.obsp.toml"], statements);
    let models = by_command["predictions"][0]["models"].as_array().unwrap();
    let star =
        models.iter().find(|model| model["model"] == "obsp-star" || model["model"] == "obsp*");
    let star = star.or_else(|| models.last()).unwrap();
    let called = all[1]["value"].as_f64().unwrap();
    assert!((called / star["value_s"].as_f64().unwrap() - 1.0).abs() < 1e-12, "{all:?} {models:?}");
    assert_eq!(all[2]["kind"], "program");
}

#[test]
fn files_that_are_none_of_these_say_so() {
    let place = Place::new();
    place.write("a.txt", "nothing of use\n");
    place.write("m.json", "{\"format\": \"cll-model\", \"version\": 99}");
    place.write("bad.toml", "cll-machine = 1\nname = 3\n");
    place.write("cut.obsp.toml", "[[superstep]\n");
    for (file, says) in [
        ("a.txt", "a.txt"),
        ("m.json", "newer"),
        ("bad.toml", "bad.toml:1"),
        ("cut.obsp.toml", "cut.obsp.toml:1"),
        ("none.dat", "no such file"),
        (".", "."),
    ] {
        let done = place.cll(&["llac", "-e", &format!("open \"{file}\"")]).expect(3);
        done.says(&["error[L180]", says]);
    }
}

#[test]
fn bytes_of_other_formats_are_refused() {
    let place = Place::new();
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0, 255, 13, 10].repeat(200)].concat();
    let files: [(&str, &[u8]); 5] = [
        ("picture.dat", &png),
        ("zip.csv", b"PK\x03\x04\0\0\0\0rest"),
        ("elf.json", b"\x7fELF\x02\x01\x01\0\0\0\0"),
        ("empty.dat", b""),
        ("zeros.log", &[0; 4096]),
    ];
    for (file, content) in files {
        std::fs::write(place.path(file), content).unwrap();
        let done = place.cll(&["llac", "-e", &format!("open \"{file}\"")]).expect(3);
        done.says(&["error[L180]", file]);
        place.cll(&["llac", file, "-e", "1"]).expect(3).says(&[file]);
    }
}

#[test]
fn two_experiments_of_one_name_are_two_values() {
    let place = Place::new();
    for (name, formula) in [("one", "f[0]+f[1]*N"), ("two", "f[0]+f[1]*N^2")] {
        let source = format!(
            "int main(void)\n{{\n    static volatile double s;\n    int N, i;\n    for (N = 100; N < 3000; N *= 2) {{\n\
             #pragma cll f {formula}\n        for (i = 0; i < N; i++)\n            s += i;\n#pragma cll end f\n    }}\n    \
             return 0;\n}}\n"
        );
        place.write(&format!("{name}.c"), &source);
        place.cll(&["cc", &format!("{name}.c"), "-o", name]).expect(0);
        place.cll(&["run", &format!("./{name}")]).expect(0);
    }
    let files = ["one.cll.0.dat", "two.cll.0.dat"];
    let line =
        [&["llac"], &files[..], &["-e", "[count(f), count(f_2)]; (fit f_2).formula"]].concat();
    let done =
        place.cll(&line).expect(0).says(&["experiment f has 2 formulas", "one.c:6", "two.c:6"]);
    done.prints(&["5\n5\n", "f[0] + f[1]*N^2"]);
}

#[test]
fn a_saved_session_gives_the_same() {
    let place = Place::new();
    place.write("times.csv", table());
    let statements = "big = times where N > 100; m = fit big as f[0]+f[1]*N*log(N); phi(N) = m(N = N) + 1 us; \
                      phi(N = 4096); save \"s.llac\"";
    let first = place.cll(&["llac", "times.csv", "-e", statements]).expect(0);
    let again = place.cll(&["llac", "-f", "s.llac"]).expect(0);
    assert_eq!(first.out, again.out);
    assert!(again.out.contains("µs") || again.out.contains("us"), "{}", again.out);
}

#[test]
fn a_table_that_does_not_say_what_was_measured_stays_a_table() {
    let place = Place::new();
    place.write("room.csv", "run,temp,label\n0,40,warm\n1,55,hot\n");
    place.write(
        "sql.csv",
        "machine,procs,slow_s,fast_ms,gain_percent\na,1,4,800,80\nb,2,2,500,75\n",
    );
    place.write("both.csv", "N,host,time_ms\n1,x,2\n2,y,4\n2,x,5\n");
    let all = shown(
        &place,
        &[],
        "open \"room.csv\"; room where temp > 50; open \"both.csv\"; count(both where host == \"x\"); \
         open \"sql.csv\" by machine with column = fast_ms; max(b.fast_ms)",
    );
    assert_eq!(all[0]["kind"], "table");
    assert_eq!(all[0]["columns"][2]["values"][0], "hot");
    assert_eq!(all[1]["value"], 2.0);
    assert_eq!((all[2]["value"].as_f64(), all[2]["unit"].as_str()), (Some(0.5), Some("s")));
    let done = place.cll(&["llac", "-e", "open \"room.csv\""]).expect(0);
    done.says(&["room is a table", "with column = temp"]);
    // A unit that is given makes samples.
    let done = place.cll(&["llac", "-e", "open \"room.csv\" with column = temp, unit = K; room"]);
    done.expect(0).prints(&["room", "2 at 2 points"]);
    place.write("two.csv", "not a table\n1\n");
    let done = place.cll(&["llac", "-e", "open \"two.csv\" as table"]).expect(3);
    done.says(&["two.csv is no table in CSV"]);
    let done = place.cll(&["llac", "-e", "open \"room.csv\" with columns = temp"]).expect(3);
    done.says(&["`open` has no option `columns`", "did you mean column?"]);
}

#[test]
fn a_saved_model_is_opened_and_predicted_with() {
    let place = Place::new();
    place.write("times.csv", table());
    let statements = "m = fit times as f[0]+f[1]*N*log(N); save m into \"m.json\"; m(N = 2^14)";
    let before = shown(&place, &["times.csv"], statements);
    let after = shown(&place, &["m.json"], "m(N = 2^14)");
    assert_eq!(before.last(), after.last());
    place.cll(&["predict", "m.json", "--at", "N=2^14"]).expect(0);
    let done = place.cll(&["llac", "-e", "save \"m.json\""]).expect(3);
    done.says(&["save m into \"m.json\""]);
}
