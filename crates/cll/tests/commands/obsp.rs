//! `cll obsp`: recorded logs and descriptions priced by machines.

use std::fs;

use crate::recorded::log;
use crate::support::Place;

/// Two supersteps of known traffic, one of them oblivious, and a part.
pub const PROGRAM: &str = include_str!("../recorded/sources/swap.c");

/// g = 1 µs a byte, l = 1 ms, whatever p; 100 million operations a second.
pub fn machine(rate: &str) -> String {
    let classic = |p| {
        format!("[[classic]]\nprocessors = {p}\ns = \"{rate}\"\ng = \"1 us/B\"\nl = \"1 ms\"\n")
    };
    let origin = "[origin]\nhow = \"by hand\"\nsource = \"a test\"\n";
    format!("cll-machine = 1\nname = \"slow\"\n{origin}{}{}{}", classic(1), classic(2), classic(4))
}

/// The log of a recorded run of it.
fn logged(name: &str) -> Place {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    log(&place, "processes", name, "swap.cll.0.log");
    place
}

#[test]
fn a_log_is_priced_by_every_model() {
    let place = logged("swap");
    let line = ["obsp", "swap.cll.0.log", "--machine", "slow.toml"];
    let short = place.cll(&line).expect(0).prints(&[
        "measured",
        "OBSP*",
        "Breakdown of the OBSP* time",
        "only (s, g, l) is known",
        "! look first at the supersteps that end at swap.c:",
        "sensitivity: --details",
    ]);
    assert!(!short.out.contains("The critical path"), "{}", short.out);
    place.cll(&[&line[..], &["--details"]].concat()).expect(0).prints(&[
        "measured",
        "BSP",
        "OBSP*",
        "shift, 39",
        "gather, 1.46",
        "processors 0-1",
        "The critical path",
        "only (s, g, l) is known",
    ]);
    let json = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(json["format"], "cll-obsp");
    let prediction = &json["predictions"][0];
    let account = &prediction["account"];
    let seconds = |value: &serde_json::Value| value.as_f64().unwrap();
    // 40000 B by the swap, 1000 B in the part, 1500 B to processor 0 at the end; three supersteps of 1 ms.
    let models = prediction["models"].as_array().unwrap();
    let time = |name: &str| {
        let model = models.iter().find(|model| model["model"] == name).unwrap();
        seconds(&model["value_s"])
    };
    let communicated = 40_000e-6 + 1_000e-6 + 1_500e-6 + 3.0 * 1e-3;
    let processors = account["processors"].as_array().unwrap();
    for parts in processors {
        let g = seconds(&parts["communication_s"]) + seconds(&parts["synchronisation_s"]);
        assert!((g - communicated).abs() < 1e-9, "{parts}");
        let all = g + seconds(&parts["computation_s"]) + seconds(&parts["waiting_s"]);
        assert!((all - time("obsp-star")).abs() < 1e-9, "{parts}");
    }
    assert!(time("bsp") >= time("obsp") && time("obsp") >= communicated);
    assert_eq!(time("obsp"), time("obsp-star"), "the machine has but one g and l");
    let objects = account["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 3);
    let patterns: Vec<&str> = (account["supersteps"].as_array().unwrap().iter())
        .map(|row| row["pattern"].as_str().unwrap())
        .collect();
    assert_eq!(patterns.iter().filter(|&&pattern| pattern == "shift").count(), 3, "{patterns:?}");
    assert!(patterns.contains(&"gather"));
    // The error is by the measured time.
    let measured = seconds(&prediction["measured_s"]);
    let error = seconds(&models[2]["error"]);
    assert!((error - (measured - time("obsp-star")) / measured).abs() < 1e-12);
    // h as the sum of both directions.
    let sum = place.cll(&[&line[..], &["--json", "--at", "sum"]].concat()).expect(0).json();
    assert_eq!(sum["at"], "sum");
    let first = &sum["predictions"][0]["account"]["supersteps"];
    let h: Vec<f64> =
        first.as_array().unwrap().iter().map(|row| seconds(&row["h_bytes"])).collect();
    assert!(h.contains(&80_000.0) && h.contains(&2000.0) && h.contains(&1500.0), "{h:?}");
}

#[test]
fn computation_is_scaled_if_both_machines_have_rates() {
    let place = logged("swap");
    place.write("quick.toml", machine("400 Mop/s").replace("\"slow\"", "\"quick\""));
    let line = ["obsp", "swap.cll.0.log", "--json", "--machine", "quick.toml"];
    let computed = |done: crate::support::Done| {
        let json = done.json();
        let parts = &json["predictions"][0]["account"]["processors"][1];
        parts["computation_s"].as_f64().unwrap()
    };
    let plain = place.cll(&line).expect(0).says(&["computation is as measured"]);
    let scaled = place.cll(&[&line[..], &["--measured-on", "slow.toml"]].concat());
    let scaled = scaled.expect(0).says(&["computation is 0.250 times that of slow"]);
    let (plain, scaled) = (computed(plain), computed(scaled));
    assert!((scaled / plain - 0.25).abs() < 1e-9, "{plain} {scaled}");
    // The same machine, perhaps another engine: nothing to scale.
    let same = ["obsp", "swap.cll.0.log", "--machine", "slow.toml", "--measured-on", "slow.toml"];
    let same = place.cll(&same).expect(0);
    assert!(!same.err.contains("times that of"), "{}", same.err);
    let mute = machine("1 op/s").replace("s = \"1 op/s\"\n", "");
    place.write("mute.toml", mute.replace("\"slow\"", "\"mute\""));
    place
        .cll(&[&line[..], &["--measured-on", "mute.toml"]].concat())
        .says(&["the operations per second of mute are not known"]);
}

#[test]
fn logs_that_are_no_whole_run_are_reported() {
    let place = logged("swap");
    let options = ["--machine", "slow.toml"];
    let obsp = |files: &[&str]| place.cll(&[&["obsp"], files, &options].concat());
    obsp(&["swap.cll.0.log", "swap.cll.0.log"])
        .expect(2)
        .says(&["processor 0 is in two of these logs"]);
    log(&place, "processes", "swap-of-two", "swap.cll.1.log");
    obsp(&["swap.cll.0.log", "swap.cll.1.log"]).expect(2).says(&[
        "different runs",
        "4 processors",
        "another 2",
    ]);
    log(&place, "processes", "swap-more", "swap.cll.2.log");
    obsp(&["swap.cll.1.log", "swap.cll.2.log"])
        .expect(2)
        .says(&["different programs", "swap more"]);
    place.write("swap.c", "int main(void) { return 0; }\n");
    obsp(&["swap.c"]).expect(3);
    obsp(&["swap.cll.0.log", "--engine", "mpi"]).expect(0);
    obsp(&["swap.cll.0.log", "--predict", "N=3"]).expect(2).says(&["for descriptions in formulas"]);
    obsp(&["swap.cll.0.log", "--curves", "P=1:8"]).expect(2).says(&["use --curves P"]);
    let sizes = ["--curves", "P", "--isoefficiency", "0.5", "--sizes", "N=1:8"];
    obsp(&[&["swap.cll.0.log"], &sizes[..]].concat()).expect(2).says(&["descriptions in formulas"]);
    obsp(&["swap.cll.0.log", "--confidence", "90"]).expect(2).says(&["above 0 and below 1"]);
    // Cut anywhere, it is reported what is missing; without the last processor's blocks, who.
    let supersteps = |name: &str| {
        let log = cll_supersteps::read(&place.bytes(name)[..]).unwrap_or_default();
        log.processors.iter().map(|processor| processor.supersteps.len()).sum::<usize>()
    };
    let complete = place.bytes("swap.cll.0.log");
    let mut codes = Vec::new();
    for part in 1..40 {
        fs::write(place.path("cut.log"), &complete[..complete.len() * part / 40]).unwrap();
        let done = obsp(&["cut.log"]);
        // Only a cut between two blocks behind the last superstep need not be reported.
        let reported = done.err.contains("cut.log");
        assert!(reported || supersteps("cut.log") == supersteps("swap.cll.0.log"), "{}", done.err);
        match done.code {
            0 | 3 => {}
            6 => assert!(done.err.contains("there is no log of"), "{}", done.err),
            other => panic!("{other}: {}", done.err),
        }
        codes.push(done.code);
    }
    assert!(codes.contains(&3) && codes.contains(&6), "{codes:?}");
}

#[test]
fn logs_of_several_runs_are_curves() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    // Three runs of two processors, so that there is one in the middle; the last has another size.
    for run in 0..4 {
        log(&place, "virtual", &format!("shares-{run}"), &format!("shares.cll.{run}.log"));
    }
    log(&place, "processes", "shares-small", "shares.cll.4.log");
    let logs: Vec<String> = (0..5).map(|run| format!("shares.cll.{run}.log")).collect();
    let logs: Vec<&str> = logs.iter().map(String::as_str).collect();
    let curves = ["--machine", "slow.toml", "--curves", "P"];
    let obsp =
        |files: &[&str], more: &[&str]| place.cll(&[&["obsp"], files, &curves[..], more].concat());

    let done = obsp(&logs, &["--json"]).expect(0);
    let answer: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((&answer["format"], &answer["variable"]), (&"cll-curves".into(), &"P".into()));
    let kinds: Vec<(&str, &str)> = (answer["curves"].as_array().expect("curves").iter())
        .map(|curve| (curve["name"].as_str().unwrap(), curve["kind"].as_str().unwrap()))
        .collect();
    let (large, small) = ("shares 4000000", "shares 5000");
    let expected = [(large, "virtual"), (large, "OBSP*"), (small, "measured"), (small, "OBSP*")];
    assert_eq!(kinds, expected);
    for curve in 0..2 {
        let points = answer["curves"][curve]["points"].as_array().expect("points");
        let number = |point: &serde_json::Value, name: &str| point[name].as_f64().unwrap();
        let at: Vec<f64> = points.iter().map(|point| number(point, "at")).collect();
        assert_eq!(at, [1.0, 2.0, 4.0]);
        let runs: Vec<f64> = points.iter().map(|point| number(point, "runs")).collect();
        assert_eq!(runs, [1.0, 2.0, 1.0]);
        let value = number(&points[0], "time_s");
        for point in points {
            let (p, time) = (number(point, "at"), number(point, "time_s"));
            let scaling = &point["scaling"];
            let near = |name: &str, right: f64| {
                assert!((number(scaling, name) - right).abs() < 1e-9 * right.abs(), "{name} {p}");
            };
            near("speed_up", value / time);
            near("efficiency", value / time / p);
            match p {
                1.0 => assert!(scaling["serial_fraction"].is_null()),
                _ => near("serial_fraction", (time / value - 1.0 / p) / (1.0 - 1.0 / p)),
            }
        }
    }
    // Two supersteps of l = 1 ms are in the prediction, and the virtual run had no machine.
    let time = |curve: usize, point: usize| {
        answer["curves"][curve]["points"][point]["time_s"].as_f64().unwrap()
    };
    for point in 0..3 {
        // Virtual times are whole nanoseconds, these are sums in floating point.
        assert!(time(1, point) > time(0, point) + 2e-3 - 1e-9, "{}", done.out);
    }
    // Of a single run each model says what it says by itself.
    let alone = place.cll(&["obsp", logs[2], "--machine", "slow.toml", "--json"]).expect(0);
    let alone: serde_json::Value = serde_json::from_str(&alone.out).expect("JSON");
    let prediction = &alone["predictions"][0];
    assert_eq!(prediction["measured_s"].as_f64(), Some(time(0, 2)));
    let star = prediction["models"].as_array().unwrap().iter().find(|m| m["model"] == "obsp-star");
    assert_eq!(star.unwrap()["value_s"].as_f64(), Some(time(1, 2)));
    assert!(answer["curves"][2]["points"][0]["scaling"].is_null());

    let reported = obsp(&logs, &[]).expect(0);
    let heads: Vec<Vec<&str>> =
        (reported.out.lines().map(|line| line.split_whitespace().collect()))
            .filter(|words: &Vec<&str>| words.first() == Some(&"P") && words.len() > 1)
            .collect();
    let times = |kind| vec!["P", kind, "OBSP*", "error", "BSP", "OBSP"];
    let follows = vec!["P", "speed-up", "OBSP*", "efficiency", "OBSP*", "serial", "OBSP*"];
    assert_eq!(heads, [times("virtual"), follows, times("measured")], "{}", reported.out);
    reported
        .prints(&["shares 4000000 on slow, h = max(in, out)", "shares 5000 on slow"])
        .says(&["there is no run of shares 5000 on one processor"]);
    obsp(&logs[..4], &["--svg", "runs.svg"]).expect(0);
    let picture = place.read("runs.svg");
    for text in ["shares 4000000: virtual", "shares 4000000: OBSP*", "ideal: T(1)/P"] {
        assert!(picture.contains(text), "{text}");
    }
    // Each run is seen, and how far the prediction is off; the legend has one more.
    assert_eq!(picture.matches("class=\"point fill0\" cx").count(), 3 + 3 + 1, "{picture}");
}

#[test]
fn a_log_that_ends_too_early_is_evaluated_as_far_as_it_goes() {
    let place = logged("swap-aborted");
    let done = place.cll(&["obsp", "swap.cll.0.log", "--machine", "slow.toml"]).expect(0);
    done.says(&["the log is cut off"]).prints(&["OBSP*"]);
}

#[test]
fn a_description_is_predicted_at_points_and_along_variables() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    for name in ["fft", "broadcast_one", "broadcast_two"] {
        let path = format!("{}/../../examples/obsp/{name}.obsp.toml", env!("CARGO_MANIFEST_DIR"));
        place.write(&format!("{name}.obsp.toml"), fs::read(path).unwrap());
    }
    let machine = ["--machine", "slow.toml"];
    let line = ["obsp", "fft.obsp.toml", "--predict", "N=65536,P=4", "--json"];
    let json = place.cll(&[&line[..], &machine].concat()).expect(0).json();
    let prediction = &json["predictions"][0];
    assert_eq!(prediction["at"]["N"], 65536.0);
    let model = &prediction["models"][2];
    let (low, value, high) = (&model["low_s"], &model["value_s"], &model["high_s"]);
    assert!(low.as_f64() < value.as_f64() && value.as_f64() < high.as_f64(), "{model}");
    // Twice the seed, the same interval.
    let again = place.cll(&[&line[..], &machine].concat()).expect(0).json();
    assert_eq!(json["predictions"][0]["models"], again["predictions"][0]["models"]);

    let line = ["obsp", "fft.obsp.toml", "--predict", "N=65536", "--curves", "P=1:4:*2", "--json"];
    let json = place.cll(&[&line[..], &machine].concat()).expect(0).json();
    let points = json["curves"][0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 3);
    assert_eq!(points[0]["scaling"]["speed_up"], 1.0);
    let four = &points[2]["scaling"];
    let ratio = points[0]["time_s"].as_f64().unwrap() / points[2]["time_s"].as_f64().unwrap();
    assert!((four["speed_up"].as_f64().unwrap() - ratio).abs() < 1e-12);

    // The exact rule: N = l P / (g (P-1) (P-2)); one superstep costs (P-1) N g + l.
    let line =
        ["obsp", "broadcast_one.obsp.toml", "--against", "broadcast_two.obsp.toml", "--predict"];
    let rest = ["P=4", "--curves", "N=8:1e6:*3", "--json", "--svg", "both.svg"];
    let json = place.cll(&[&line[..], &rest, &machine].concat()).expect(0).json();
    let crossing = &json["crossovers"].as_array().unwrap()[..];
    assert_eq!(crossing.len(), 1, "{json}");
    let exact = 1e-3 * 4.0 / (1e-6 * 3.0 * 2.0);
    assert!((crossing[0]["at"].as_f64().unwrap() / exact - 1.0).abs() < 1e-4, "{crossing:?}");
    assert_eq!(crossing[0]["first_wins"], false);
    assert!(place.read("both.svg").starts_with("<svg"));

    let iso = ["obsp", "fft.obsp.toml", "--predict", "N=65536", "--curves", "P=2,4", "--json"];
    let quick = machine_without_cost(&place);
    let sizes = ["--isoefficiency", "0.5", "--sizes", "N=1024:1048576:*2", "--machine", &quick];
    let json = place.cll(&[&iso[..], &sizes].concat()).expect(0).json();
    for point in json["curves"][0]["points"].as_array().unwrap() {
        assert!(point["isoefficiency_size"].as_f64().unwrap() >= 1024.0, "{point}");
    }
}

fn machine_without_cost(place: &Place) -> String {
    place.write(
        "free.toml",
        machine("100 Mop/s").replace("1 us/B", "0 us/B").replace("1 ms", "1 us"),
    );
    "free.toml".to_owned()
}

#[test]
fn a_fitted_block_stands_in_a_description_and_fits_have_curves() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    let row =
        |n: u32| format!("{n},{}\n", 2e-6 + 3e-9 * f64::from(n) * (1.0 + 1e-3 * f64::from(n % 7)));
    let rows: String = (1..=10).map(|k| row(1000 * k)).collect();
    place.write("times.csv", format!("N,time\n{rows}"));
    let fit = ["fit", "times.csv", "--formula", "w[0] + w[1]*N", "-o", "work.json"];
    place.cll(&fit).expect(0);
    let text = "start = \"a\"\n[block.w]\nfit = \"work.json\"\nwith = { N = \"N/P\" }\n\
                [[object.a]]\ndo = [\"w\"]\nsend = { pattern = \"shift\", bytes = \"8\" }\n";
    place.write("sum.obsp.toml", text);
    let line = ["obsp", "sum.obsp.toml", "--machine", "slow.toml", "--predict"];
    let inside = place.cll(&[&line[..], &["N=16000,P=4", "--json"]].concat()).expect(0);
    let time = inside.json()["predictions"][0]["models"][2]["value_s"].as_f64().unwrap();
    // 12 µs of work, 8 bytes of 1 µs, 1 ms.
    assert!((time - (14e-6 + 8e-6 + 1e-3)).abs() < 1e-7, "{time}");
    assert!(!inside.err.contains("beyond"));
    place.cll(&[&line[..], &["N=16000,P=1"]].concat()).expect(0).says(&["beyond its data"]);

    let curve = ["predict", "work.json", "--curves", "N=1000:8000:*2"];
    place.cll(&curve).expect(0).prints(&["w: fit", "8000"]);
    let json = place.cll(&[&curve[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(json["curves"][0]["points"].as_array().unwrap().len(), 4);
    place.cll(&["predict", "work.json", "--curves", "N"]).expect(2);
}

/// Where the data of a block refuse a value, the program has no time, as `cll predict` has none.
#[test]
fn a_block_that_its_data_refuse_gives_no_time() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    // Two values say nothing of a third.
    place.write("times.csv", "N,time\n1000,1e-6\n1000,1.1e-6\n2000,2e-6\n2000,2.1e-6\n");
    let fit = ["fit", "times.csv", "--formula", "w[1]*N", "-o", "work.json"];
    place.cll(&fit).expect(0);
    let text = "start = \"a\"\n[block.w]\nfit = \"work.json\"\n[block.fast]\n\
                formula = \"F[0]\"\nconstants = [1e-6]\n\
                [[object.a]]\ndo = [\"fast\", \"w\"]\n";
    place.write("sum.obsp.toml", text);
    assert_eq!(place.cll(&["predict", "work.json", "--at", "N=8000"]).code, 6);
    place.cll(&["predict", "work.json", "--at", "N=2000"]).expect(0);
    let line = ["obsp", "sum.obsp.toml", "--machine", "slow.toml"];
    let run = |more: &[&'static str]| place.cll(&[&line[..], more].concat());
    let refused = run(&["--predict", "N=8000,P=1"]).expect(6);
    refused.says(&["N=8000", "block w: N was measured at 1000", "no prediction at N = 8000"]);
    let refused = run(&["--predict", "N=8000,P=1", "--json"]).expect(6).json();
    let value = &refused["predictions"][0];
    assert!(
        value["refusals"][0].as_str().unwrap().starts_with("block w: N was measured"),
        "{value}"
    );
    for model in value["models"].as_array().unwrap() {
        assert!(model.get("value_s").is_none_or(serde_json::Value::is_null), "{model}");
        assert_eq!(model["missing"], "the data refuse a value of w");
    }
    assert!(value["account"].is_null());
    // Of several points the others have their times.
    let both = run(&["--predict", "N=8000,P=1", "--predict", "N=2000,P=1", "--json"]).expect(0);
    let both = both.json();
    assert!(both["predictions"][1]["models"][2]["value_s"].as_f64().unwrap() > 0.0);
    assert!(both["predictions"][1].get("refusals").is_none());
    run(&["--predict", "N=8000,P=1", "--predict", "N=2000,P=1"]).expect(0).prints(&["none"]);
    let curve = run(&["--curves", "N=1000:4000:+1000", "--predict", "P=1"]).expect(6);
    curve.says(&["block w: N was measured", "a curve needs a value at each"]);
}

#[test]
fn a_time_that_is_no_number_is_an_error_and_no_time_has_no_speed_up() {
    let place = Place::new();
    place.write("slow.toml", machine("100 Mop/s"));
    let describe = |constant: &str| {
        let text = format!(
            "start = \"a\"\n[block.w]\nformula = \"W[0]*N\"\nconstants = [{constant}]\n\
             [[object.a]]\ndo = [\"w\"]\n"
        );
        place.write("sum.obsp.toml", text);
    };
    describe("1e308");
    let line = ["obsp", "sum.obsp.toml", "--machine", "slow.toml"];
    let done = place.cll(&[&line[..], &["--predict", "N=1000,P=4"]].concat());
    done.expect(3).says(&["block w takes inf s"]);
    describe("0");
    let curves = place.cll(&[&line[..], &["--curves", "P=1:4:*2", "--predict", "N=10"]].concat());
    let curves = curves.expect(0);
    assert!(!curves.out.contains("NaN") && !curves.out.contains("inf"), "{}", curves.out);
}
