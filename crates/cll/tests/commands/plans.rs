//! `cll plan`: what to measure next.

use crate::support::Place;

/// 1 ms + 2e-6 N log2(N)/P + 0.5 ms log2(P), five times with small deviations.
fn table() -> String {
    let mut text = "N,P,time\n".to_owned();
    let deviations = [0.97, 1.02, 1.0, 0.99, 1.03];
    for (row, (n, p)) in (10..13).flat_map(|n| (0..2).map(move |p| (n, p))).enumerate() {
        let (size, processors) = (2f64.powi(n), 2f64.powi(p));
        let seconds = 1e-3 + 2e-6 * size * f64::from(n) / processors + 5e-4 * f64::from(p);
        let seconds = seconds * (1.0 + 0.01 * ((row * 7 % 5) as f64 - 2.0));
        for k in 0..5 {
            text.push_str(&format!(
                "{size},{processors},{}\n",
                seconds * deviations[(k + row) % 5]
            ));
        }
    }
    text
}

fn fitted() -> Place {
    let place = Place::new();
    place.write("t.csv", table());
    let formula = "t[0] + t[1]*N*log2(N)/P + t[2]*log2(P)";
    place.cll(&["fit", "t.csv", "--formula", formula, "-o", "t.json"]).expect(0);
    place
}

#[test]
fn points_are_chosen_within_the_budget() {
    let place = fitted();
    let ask = ["plan", "t.json", "--predict", "N=2^21,P=32", "--vary", "P=1:32:*2"];
    let text = place.cll(&[&ask[..], &["--budget", "20core-s"]].concat()).expect(0);
    text.prints(&[
        "Measure next (about",
        "of core time",
        "runs",
        "why",
        "N = 2097152",
        "now",
        "after",
    ]);
    let json = |budget: &str| {
        place.cll(&[&ask[..], &["--budget", budget, "--json"]].concat()).expect(0).json()
    };
    let plan = json("20core-s");
    assert_eq!((&plan["format"], &plan["core_time"]), (&"cll-next".into(), &true.into()));
    let points = plan["points"].as_array().unwrap();
    let cost = |one: &serde_json::Value| one["cost_s"].as_f64().unwrap();
    let sum: f64 = points.iter().map(cost).sum();
    assert!(sum <= 20.0 * 1.0001 && (sum - cost(&plan)).abs() < 1e-9 * sum, "{sum}");
    assert!(points.iter().all(|one| one["runs"].as_u64().unwrap() >= 5), "{points:?}");
    let value = &plan["predictions"][0];
    let share = |name: &str| value[name].as_f64().unwrap();
    assert!(share("after") < share("now") && share("least") <= share("after"), "{value}");
    assert_eq!(plan["noise"][0]["kind"], "relative");
    // More time is worth something.
    let less = json("2core-s");
    assert!(1.02 * less["predictions"][0]["after"].as_f64().unwrap() >= share("after"));
}

#[test]
fn a_plan_stops_where_nothing_is_gained() {
    let place = Place::new();
    let mut text = "N,time\n".to_owned();
    for (row, size) in (1000..5000).step_by(100).enumerate() {
        for k in 0..5 {
            let deviation = ((row * 7 + k * 3) % 11) as f64 - 5.0;
            let seconds = (1e-3 + 1e-6 * f64::from(size)) * (1.0 + 0.003 * deviation);
            text.push_str(&format!("{size},{seconds}\n"));
        }
    }
    place.write("u.csv", text);
    place.cll(&["fit", "u.csv", "--formula", "u[0] + u[1]*N", "-o", "u.json"]).expect(0);
    let ask = |point: &str, more: &[&str]| {
        place.cll(&[&["plan", "u.json", "--budget", "20s", "--predict", point], more].concat())
    };
    // In the middle of 40 points what remains is the noise.
    let value = ask("N=3050", &["--json"]).expect(0).json();
    assert_eq!(value["points"].as_array().map(Vec::len), Some(0), "{value}");
    assert_eq!(value["cost_s"], 0.0);
    let codes = |value: &serde_json::Value| -> Vec<String> {
        let notes = value["notes"].as_array().unwrap().iter();
        notes.map(|note| note["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(codes(&value).contains(&"nothing-gained".to_owned()), "{value}");
    let done = ask("N=3050", &["--out", "next.toml"]).expect(0);
    done.prints(&["Measure nothing more", "more points gain nothing"])
        .says(&["no plan is written"]);
    assert!(!place.path("next.toml").exists());
    // Beyond them a part of the budget does.
    let doe = ask("N=20000", &["--json"]).expect(0).json();
    assert!(codes(&doe).contains(&"enough".to_owned()), "{doe}");
    let cost = doe["cost_s"].as_f64().unwrap();
    assert!(cost > 0.0 && cost < 5.0, "{cost}");
}

#[test]
fn the_plan_is_one_of_a_campaign() {
    let place = fitted();
    place.write("heat", "#!/bin/sh\necho $* >> told\n");
    assert_eq!(place.sh("chmod +x heat").code, 0);
    let ask = ["plan", "t.json", "--predict", "N=2^20,P=1", "--budget", "5", "--vary", "P=1"];
    let ask = [&ask[..], &["--out", "next.toml"]].concat();
    let line = [&ask[..], &["--runs", "2", "--", "./heat", "{N}", "-p{P}"]].concat();
    place.cll(&line).expect(0);
    let text = place.read("next.toml");
    assert!(text.contains("[[points]] # makes the prediction narrower"), "{text}");
    place.cll(&["campaign", "check", "next.toml"]).expect(0).prints(&["each with its own rounds"]);
    place.cll(&["campaign", "run", "next.toml", "-q"]).expect(0);
    let calls = place.read("told");
    let points = text.matches("[[points]]").count();
    let mut lines: Vec<&str> = calls.lines().collect();
    lines.sort_unstable();
    let all = lines.len();
    lines.dedup();
    assert_eq!(lines.len(), points, "{calls}");
    assert!(all >= 2 * points && lines.iter().all(|line| line.contains(" -p")), "{calls}");
    // Without a program the plan has a guess, and says so.
    place.cll(&ask).expect(0).says(&["the plan runs ./", "after `--`"]);
}

#[test]
fn formulas_that_a_search_could_not_distinguish_are_told_apart() {
    let place = Place::new();
    let mut text = "N,time\n".to_owned();
    for n in 4..8 {
        let size = 2f64.powi(n);
        for deviation in [0.97, 1.02, 1.0, 0.99, 1.03] {
            text.push_str(&format!("{size},{}\n", (50.0 + size * f64::from(n)) * 1e-4 * deviation));
        }
    }
    place.write("t.csv", text);
    place.cll(&["fit", "t.csv", "--search", "-o", "t.json"]).expect(0);
    let ask = ["plan", "t.json", "--predict", "N=2^16", "--budget", "60", "--json"];
    let value = place.cll(&ask).expect(0).json();
    let points = value["points"].as_array().unwrap();
    let distinguishing: Vec<f64> = points
        .iter()
        .filter(|point| point["reason"] == "distinguishes")
        .map(|point| point["at"][0][1].as_f64().unwrap())
        .collect();
    assert!(distinguishing.iter().any(|n| *n > 128.0), "{points:?}");
}

#[test]
fn a_boundary_is_bisected() {
    let place = Place::new();
    let mut text = "N,time\n".to_owned();
    for n in [64.0, 128.0, 256.0, 512.0, 1024.0, 8192.0, 16384.0, 32768.0, 65536.0] {
        let each = if n > 3000.0 { 3e-6 } else { 1e-6 };
        for deviation in [0.99, 1.01, 1.0, 1.005, 0.995] {
            text.push_str(&format!("{n},{}\n", n * each * deviation));
        }
    }
    place.write("t.csv", text);
    place.cll(&["fit", "t.csv", "--formula", "f[0]*N", "-o", "t.json"]).expect(0);
    let done = place.cll(&["plan", "t.json", "--budget", "10"]).expect(0);
    done.prints(&[
        "constants of f change between N = 1024 and 8192",
        "makes the constants certain",
    ]);
}

#[test]
fn what_cannot_be_planned_is_reported() {
    let place = fitted();
    let plan = |more: &[&str]| place.cll(&[&["plan", "t.json"], more].concat());
    let target = "N=2^21,P=32";
    let small = plan(&["--predict", target, "--budget", "1ms"]).expect(2);
    let small = small.says(&["too small for one point", "the smallest that helps is --budget "]);
    let word = small.err.split("--budget ").nth(2).unwrap().split_whitespace().next().unwrap();
    plan(&["--predict", target, "--budget", word]).expect(0);
    plan(&["--budget", "10core"]).expect(2).says(&["core-min"]);
    plan(&["--predict", target]).expect(2).says(&["--budget"]);
    plan(&["--predict", "M=3", "--budget", "9"])
        .expect(2)
        .says(&["no experiment has a variable M"]);
    plan(&["--predict", "N=3", "--budget", "9"]).expect(2).says(&["a value of P is missing"]);
    plan(&["--predict", "N=2^x,P=1", "--budget", "9"]).expect(2).says(&["`x` is not a number"]);
    plan(&["--vary", "K=1:4", "--budget", "9"]).expect(2).says(&["no formula has a variable K"]);
    let twice = ["--vary", "N=1:4", "--vary", "N=2:8", "--budget", "9"];
    plan(&twice).expect(2).says(&["--vary N is given twice"]);
    plan(&["--budget", "9", "--", "./heat"]).expect(2).says(&["--out"]);
    let unused = ["--budget", "9", "--out", "next.toml", "--", "./heat", "{P}"];
    plan(&unused).expect(2).says(&["{N} is not in the program's arguments"]);
    plan(&["--budget", "9", "--out", "t.json"]).expect(2);
    place.cll(&["plan", "none.json", "--budget", "9"]).expect(3);
    place.write("c.csv", "N,misses\n1,10\n2,20\n3,30\n4,41\n");
    place
        .cll(&["fit", "c.csv", "--formula", "f[0]*N", "--unit", "misses", "-o", "c.json"])
        .expect(0);
    place.cll(&["plan", "c.json", "--budget", "9"]).expect(6).says(&["how long a run takes"]);
}
