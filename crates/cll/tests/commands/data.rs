//! `cll fit`, `cll predict`, `cll plot`, `cll export` on data whose truth is known.

use crate::output_files::TRACE;
use crate::support::Place;

/// t = 2e-6 + 3e-9 N with a small alternating error, five repetitions.
fn line() -> String {
    let mut text = String::from("N,time\n");
    for size in 1..=20 {
        let n = f64::from(size) * 1000.0;
        for repetition in 0..5 {
            let error = 1.0 + 0.002 * f64::from((size * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", (2e-6 + 3e-9 * n) * error);
        }
    }
    text
}

pub fn fitted() -> Place {
    let place = Place::new();
    place.write("line.csv", line());
    place.cll(&["fit", "line.csv", "--formula", "f[0] + f[1]*N", "-o", "model.json"]).expect(0);
    place
}

#[test]
fn a_table_is_fitted() {
    let place = Place::new();
    place.write("line.csv", line());
    let done = place
        .cll(&["fit", "line.csv", "--formula", "f[0] + f[1]*N", "--predict", "N=15500"])
        .expect(0);
    done.prints(&["t = 2.0", "20 sizes", "ns*N", "N = 15500", "48.", "inside the data"]);
    let answer = place
        .cll(&["fit", "line.csv", "--formula", "f[0] + f[1]*N", "--json", "--predict", "N=15500"])
        .json();
    let slope = &answer["experiments"][0]["fit"]["intervals"][0]["constants"][1]["value"];
    assert!((slope.as_f64().unwrap() / 3e-9 - 1.0).abs() < 0.01, "{slope}");
    let value = answer["predictions"][0]["value"].as_f64().unwrap();
    assert!((value / 4.85e-5 - 1.0).abs() < 0.01, "{value}");
    assert_eq!(answer["predictions"][0]["domain"]["where"], "inside");
}

#[test]
fn tables_come_in_many_forms() {
    let place = Place::new();
    let other = line().replace("N,time", "size;n/a").replace(',', ";");
    let other = other.replacen("size;n/a", "size;cycles", 1);
    place.write("other.csv", other);
    let formula = ["--formula", "f[0] + f[1]*size"];
    let unit = ["--unit", "cycles"];
    place
        .cll(&[&["fit", "other.csv"], &formula[..], &unit[..]].concat())
        .expect(0)
        .prints(&["cycles"]);
    place
        .cll_fed(&[&["fit", "-"], &["--formula", "f[0]+f[1]*N"][..]].concat(), line().as_bytes())
        .expect(0);
    place.write(
        "extrap.txt",
        "PARAMETER N\nPOINTS 10 20 40 80 160\nREGION walk\nMETRIC time\nDATA 10 10.1\nDATA 20 20.1\nDATA 40 40.2\nDATA 80 80\nDATA 160 161\n",
    );
    place.cll(&["fit", "extrap.txt", "--formula", "walk[0]*N"]).expect(0).prints(&["5 sizes"]);
}

#[test]
fn several_formulas_are_several_experiments() {
    let place = Place::new();
    place.write("line.csv", line());
    let done = place
        .cll(&["fit", "line.csv", "--formula", "a[0]*N", "--formula", "b[0] + b[1]*N", "--json"])
        .expect(0);
    let names: Vec<_> =
        done.json()["experiments"].as_array().unwrap().iter().map(|e| e["name"].clone()).collect();
    assert_eq!(names, ["a", "b"]);
    let done = place
        .cll(&["fit", "line.csv", "--formula", "a[0]*N", "--formula", "b[0]", "-e", "b", "--json"])
        .expect(0);
    assert_eq!(done.json()["experiments"].as_array().unwrap().len(), 1);
}

#[test]
fn choices_of_the_fit() {
    let place = Place::new();
    place.write("line.csv", line());
    let fit = |options: &[&str]| {
        place.cll(&[&["fit", "line.csv", "--formula", "f[0] + f[1]*N", "--json"], options].concat())
    };
    let options = |arguments: &[&str]| {
        fit(arguments).expect(0).json()["experiments"][0]["fit"]["options"].clone()
    };
    assert_eq!(
        options(&["--intervals", "greedy", "--error-threshold", "0.05"])["intervals"]["error_threshold"],
        0.05
    );
    assert_eq!(options(&["--outliers", "points=3"])["outliers"]["limit"], 3.0);
    assert_eq!(options(&["--outliers", "spikes"])["outliers"]["outliers"], "spikes");
    assert_eq!(options(&["--non-negative"])["non_negative"], true);
    assert_eq!(options(&["--no-join"])["join"], false);
    assert_eq!(options(&["--max-intervals", "2"])["intervals"]["max_intervals"], 2);
    assert_eq!(options(&["--axis", "8*N"])["axis"], "8*N");
    fit(&["--break", "N=5000", "--break", "N=9000"]).expect(0);
    fit(&["--points"]).expect(0);
    place
        .cll(&["fit", "line.csv", "--formula", "f[0] + f[1]*N", "--points"])
        .expect(0)
        .prints(&["measured", "20000"]);
}

#[test]
fn a_model_predicts() {
    let place = fitted();
    place
        .cll(&["predict", "model.json", "--at", "N=2000:8000:*2"])
        .expect(0)
        .prints(&["2000", "4000", "8000", "µs"]);
    let answer = place
        .cll(&["predict", "model.json", "--at", "N=40000", "--at", "N=5000", "--json"])
        .expect(0)
        .json();
    assert_eq!((&answer["format"], &answer["version"]), (&"cll-predictions".into(), &1.into()));
    let value = &answer["predictions"][0];
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "assumed",
            "at",
            "confidence",
            "domain",
            "error",
            "experiment",
            "follows",
            "high",
            "low",
            "measurable",
            "repetitions",
            "run_high",
            "run_low",
            "unit",
            "value",
            "warnings"
        ]
    );
    assert_eq!(value["follows"], false);
    assert_eq!(value["at"]["N"], 40000.0);
    assert_eq!(value["domain"]["where"], "beyond");
    assert_eq!(value["warnings"][0]["code"], "beyond");
    assert!(
        value["low"].as_f64() < value["value"].as_f64()
            && value["value"].as_f64() < value["high"].as_f64()
    );
}

#[test]
fn variables_that_are_missing_or_unknown_are_reported() {
    let place = Place::new();
    place.write("one.csv", "N,P,time\n1,4,3\n2,4,5\n3,4,7.1\n4,4,9\n");
    place.cll(&["fit", "one.csv", "--formula", "f[0] + f[1]*N/P", "-o", "one.json"]).expect(0);
    let value = place.cll(&["predict", "one.json", "--at", "N=5", "--json"]).expect(0).json();
    assert_eq!(
        value["predictions"][0]["assumed"],
        serde_json::json!(["P"]),
        "it had one value only"
    );
}

#[test]
fn plots_on_the_terminal_and_as_svg() {
    let place = fitted();
    place.cll(&["plot", "model.json"]).expect(0).prints(&["f", "N"]);
    place.cll(&["plot", "model.json", "--svg", "f.svg"]).expect(0);
    assert!(place.read("f.svg").contains("<svg"));
    place.cll(&["plot", "model.json", "--x", "N", "--log"]).expect(0);
    place.cll(&["plot", "model.json", "--linear"]).expect(0);
    let value = place.cll(&["plot", "model.json", "--json"]).expect(0).json();
    assert_eq!((&value["format"], &value["version"]), (&"cll-plots".into(), &1.into()));
    assert_eq!(value["plots"][0]["series"][0]["points"].as_array().unwrap().len(), 20);
}

#[test]
fn traces_are_fitted_drawn_and_exported() {
    let place = Place::with_walk();
    place.build("walk");
    for size in ["1000", "2000", "4000", "8000", "16000", "32000"] {
        place.cll(&["run", "./walk", size]).expect(0);
    }
    let traces: Vec<String> = (0..6).map(|k| format!("walk.cll.{k}.dat")).collect();
    let with = |before: &[&str], after: &[&str]| {
        let mut all: Vec<&str> = before.to_vec();
        all.extend(traces.iter().map(String::as_str));
        all.extend(after);
        place.cll(&all)
    };
    with(&["fit"], &["-o", "walk.json"]).expect(0).prints(&["walk.c:8", "6 sizes"]);
    with(&["fit"], &["--time", "exclusive"]).expect(0);
    with(&["fit"], &["--formula", "walk[0]*N"]).expect(0).prints(&["ns*N"]);
    let both = ["--formula", "walk[0]*N", "--formula", "wall[0]*N"];
    with(&["fit"], &both).expect(2).says(&["did you mean walk"]);
    with(&["fit"], &["-e", "wall"]).expect(3).says(&["did you mean walk"]);
    with(&["fit"], &["--unit", "cycles"]).expect(2);
    place.cll(&["predict", "walk.json", "--at", "N=3000"]).expect(0);
    with(&["plot"], &[]).expect(0);
    let csv = with(&["export"], &[]).expect(0).out;
    assert_eq!(csv.lines().count(), 31);
    with(&["export"], &["--format", "extrap", "-o", "walk.txt"]).expect(0);
    assert!(place.read("walk.txt").contains("PARAMETER N"));
    with(&["export"], &["--format", "json", "-o", "walk.export.json"]).expect(0);
    with(&["export"], &["--format", "extrap", "-e", "none"]).expect(3);
    let folder = place.cll(&["export", "."]).expect(0).out;
    assert_eq!(folder.lines().count(), 31, "a folder stands for its traces");
}

#[test]
fn damage_is_reported_with_the_file_it_is_in() {
    let place = Place::new();
    place.write("p.cll.0.dat", TRACE);
    let mut damaged = TRACE.to_vec();
    damaged[TRACE.len() / 2] ^= 0x55;
    place.write("p.cll.1.dat", &damaged);
    let done = place.cll(&["fit", "."]);
    assert!(done.out.contains("p.cll.1.dat: at byte"), "{}{}", done.out, done.err);
}
