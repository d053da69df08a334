//! Constants with levels, as a user meets them.

use crate::support::{Done, Place};
use crate::why::LEVELS;

const FORMULA: &str = "f[0] + f[1]*N + f[2]*N*N";

/// t = 1 µs + 2 ns*N + c*N*N at 30 sizes to 4000, where c rises from 0.3 ns to `high` ns: half of the way at `middle`,
/// from 10 to 90 % over a factor of 2.
fn rising(middle: f64, high: f64) -> String {
    let mut text = String::from("N,time\n");
    for k in 0..30 {
        let n = (40.0 * 100f64.powf(f64::from(k) / 29.0)).round();
        let share = 1.0 / (1.0 + (-2.0 * 9f64.ln() * (n / middle).ln() / 2f64.ln()).exp());
        let time = 1e-6 + 2e-9 * n + (0.3e-9 + (high - 0.3) * 1e-9 * share) * n * n;
        for repetition in 0..5 {
            let error = 1.0 + 0.004 * f64::from((k * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", time * error);
        }
    }
    text
}

fn place() -> Place {
    let place = Place::new();
    place.write("cache.csv", rising(500.0, 1.4));
    place.write("slower.csv", rising(500.0, 2.1));
    place.write("rising.csv", rising(3600.0, 1.4));
    place
}

fn fit(place: &Place, table: &str, options: &[&str]) -> Done {
    let arguments = ["fit", table, "--formula", FORMULA, "--intervals", "levels"];
    place.cll(&[&arguments, options].concat()).expect(0)
}

#[test]
fn a_sentence_says_where_a_cost_rises() {
    let place = place();
    let short = fit(&place, "cache.csv", &["--predict", "N=16000"]);
    short.prints(&[" + c*N*N\n", "c = 30", "rises to 1.4", "4 times beyond the data"]);
    let options = ["--predict", "N=16000", "--working-set", "8*N*N", "--details"];
    let done = fit(&place, "cache.csv", &options);
    println!("{}", done.out);
    done.prints(&[
        "+ f[2]*N*N",
        "f[2] = 30",
        "up to N =",
        "rises to 1.4",
        "Levels of the constants (1 change along N)",
        "f[2] (N*N) rises between N =",
        "There the working set (8*N*N) is between",
        "one level",
    ]);
    let short = fit(&place, "rising.csv", &["--predict", "N=16000"]);
    short.prints(&["! still rising at the largest N: measure beyond N = 4000"]);
    let done = fit(&place, "rising.csv", &["--predict", "N=16000", "--details"]);
    println!("{}", done.out);
    done.prints(&[", then rises: ", "at 4000, not yet level", "[not-level]", "measure beyond it"]);
}

#[test]
fn the_model_keeps_its_levels() {
    let place = place();
    let done = fit(&place, "cache.csv", &["-o", "m.json", "--json"]);
    let fit = &done.json()["experiments"][0]["fit"];
    assert_eq!(fit["options"]["intervals"]["method"], "levels");
    let change = &fit["changes"][2][0];
    assert_eq!(change["kind"], "rise", "{change}");
    let middle = change["at"].as_f64().expect("a place");
    assert!((450.0..550.0).contains(&middle), "{middle}");
    let pieces = fit["constants"][2]["segments"].as_array().expect("pieces");
    let levels = pieces.iter().map(|piece| piece["estimate"]["value"].as_f64().expect("a level"));
    let levels: Vec<f64> = levels.collect();
    assert!(
        matches!(levels[..], [low, high]
        if (0.25e-9..0.35e-9).contains(&low) && (1.3e-9..1.5e-9).contains(&high)),
        "{levels:?}"
    );
    let columns = fit["intervals"][0]["solution"].as_array().expect("a solution").len();
    assert_eq!(columns, 4);
    // The value of the truth, four times beyond the data, from the file alone.
    let predicted = place.cll(&["predict", "m.json", "--at", "N=16000", "--json"]).expect(0).json();
    let answer = &predicted["predictions"][0];
    let truth = 1e-6 + 2e-9 * 16000.0 + 1.4e-9 * 16000.0 * 16000.0;
    let value = answer["value"].as_f64().expect("a value");
    assert!((value / truth - 1.0).abs() < 0.05, "{value} {truth}");
    let end = |name: &str| answer[name].as_f64().expect("an end");
    assert!(end("low") <= truth && truth <= end("high"), "{answer}");
    place.cll(&["plot", "m.json", "--svg", "m.svg"]).expect(0);
    assert!(place.read("m.svg").contains("f[2] = "), "the formula of the plot has the sentence");
    place.cll(&["page", "m.json", "-o", "m.html"]).expect(0);
    assert!(place.read("m.html").contains("Where levels change"));
}

#[test]
fn intervals_beyond_the_data_allow_for_the_next_level_of_memory() {
    let place = place();
    place.write("here.toml", LEVELS);
    fit(&place, "cache.csv", &["-o", "plain.json"]);
    fit(&place, "cache.csv", &["-o", "m.json", "--working-set", "8*N"]);
    let points = ["--at", "N=2000", "--at", "N=5000", "--at", "N=16000"];
    let predictions = |options: &[&str]| {
        let arguments = [&["predict", "m.json", "--json"], &points[..], options].concat();
        place.cll(&arguments).expect(0).json()["predictions"].clone()
    };
    let (plain, allowed) = (predictions(&[]), predictions(&["--measured-on", "here.toml"]));
    // 40 kB are in the first level, as all of the data; 128 kB are in the second one, four times as slow.
    assert_eq!((&plain[0], &plain[1]), (&allowed[0], &allowed[1]));
    let (plain, allowed) = (&plain[2], &allowed[2]);
    assert_eq!((&plain["value"], &plain["low"]), (&allowed["value"], &allowed["low"]));
    let high = |answer: &serde_json::Value| answer["high"].as_f64().expect("an end");
    assert!((high(allowed) / high(plain) - 4.0).abs() < 1e-9, "{allowed}");
    let words = ["predict", "--at", "N=16000", "--measured-on", "here.toml"];
    let done = place.cll(&[&words[..], &["m.json"]].concat()).expect(0);
    done.prints(&["[next-level]", "the data were in L1", "in L2", "up to 4 times as"]);
    let done = place.cll(&[&words[..], &["plain.json"]].concat()).expect(0);
    done.says(&["f: its working set is not known", "--working-set f=EXPRESSION"]);
    let head = LEVELS.split("[[level]]").next().expect("a head");
    let add = "[[operation]]\nname = \"add\"\noperand = \"double\"\nlatency = \"1 ns\"\n";
    place.write("rate.toml", format!("{head}{add}"));
    let done = place.cll(&["predict", "m.json", "--at", "N=16000", "--measured-on", "rate.toml"]);
    done.expect(0).says(&["two levels does not say which level", "cll machine probe --memory"]);
}

#[test]
fn a_comparison_says_which_level_moved() {
    let place = place();
    fit(&place, "cache.csv", &["-o", "old.json"]);
    let done = fit(&place, "slower.csv", &["--compare", "old.json", "--json"]);
    let comparison = &done.json()["comparison"]["experiments"][0]["comparison"];
    let constants = comparison["constants"].as_array().expect("constants");
    let moved: Vec<&serde_json::Value> =
        constants.iter().filter(|constant| constant["constant"] == "f[2]").collect();
    let verdicts: Vec<&str> =
        moved.iter().filter_map(|value| value["change"]["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["not_moved", "moved"], "{comparison}");
}

#[test]
fn llac_has_a_value_for_each_level() {
    let place = place();
    let script = "m = fit cache as f[0] + f[1]*N + f[2]*N*N with intervals = levels; print m.constants; print m(N = 16000); \
                  plot m.cache[2] by N into \"c.svg\"; aleph m";
    let done = place.cll(&["llac", "-q", "cache.csv", "-e", script]);
    println!("{}{}", done.out, done.err);
    done.expect(0).prints(&["from_N", "cache[2]  = {(300", "N > 707.9"]);
}

#[test]
fn differences_are_held_at_zero_and_allowed_with_signed() {
    let place = Place::new();
    let mut text = String::from("N,time\n");
    for k in 0..20 {
        let n = f64::from(20 + 15 * k);
        for repetition in 0..5 {
            let error = 1.0 + 0.002 * f64::from((k * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", 1e-6 * n * (n - 15.0) * error);
        }
    }
    place.write("difference.csv", text);
    let fit = |options: &[&str]| {
        let formula = "f[0]*N + f[1]*N*N";
        let arguments = ["fit", "difference.csv", "--formula", formula, "--intervals", "levels"];
        place.cll(&[&arguments, options].concat())
    };
    fit(&[]).expect(0).prints(&[
        "! t = f[0]*N + f[1]*N*N does not fit",
        "f[0] below 0",
        "--signed",
    ]);
    fit(&["--details"]).expect(0).prints(&["[held-at-zero]", "f[0] (N)", "--signed"]);
    let signed = fit(&["--signed", "--json"]).expect(0).json();
    let constants = &signed["experiments"][0]["fit"]["intervals"][0]["constants"];
    let slope = constants[0]["value"].as_f64().expect("a value");
    assert!((-17e-6..-13e-6).contains(&slope), "{slope}");
    fit(&["--signed", "--non-negative"]).expect(2);
}
