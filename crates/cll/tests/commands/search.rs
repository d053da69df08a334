//! `cll fit --search`: formulas that are found.

use crate::support::Place;

/// 0.01 + 2e-6 N log2(N)/P + 1e-3 log2(P), five times with small deviations.
fn table() -> String {
    let mut text = "N,P,time [ms]\n".to_owned();
    let deviations = [0.996, 1.003, 1.0, 0.999, 1.002];
    for (row, (n, p)) in (10..16).flat_map(|n| (0..5).map(move |p| (n, p))).enumerate() {
        let (size, processors) = (2f64.powi(n), 2f64.powi(p));
        let seconds = 0.01 + 2e-6 * size * f64::from(n) / processors + 1e-3 * f64::from(p);
        for k in 0..5 {
            let value = 1e3 * seconds * deviations[(k + row) % 5];
            text.push_str(&format!("{size},{processors},{value}\n"));
        }
    }
    text
}

#[test]
fn the_formula_of_a_table_is_found() {
    let place = Place::new();
    place.write("t.csv", table());
    let line = ["fit", "t.csv", "--search", "--predict", "N=131072,P=64", "-o", "t.json"];
    let done = place.cll(&line).expect(0);
    done.prints(&["t = ", "*N*log2(N)/P + ", "; formula ", " probable", "4 times beyond the data"]);
    let done = place.cll(&[&line[..], &["--details"]].concat()).expect(0);
    done.prints(&[
        "t = f[0] + f[1]*",
        "Search (30 points",
        "averaged over all possible formulas",
        "probability",
    ]);
    let json = place
        .cll(&["fit", "t.csv", "--search", "--predict", "N=131072,P=64", "--json"])
        .expect(0)
        .json();
    let search = &json["experiments"][0]["search"];
    assert_eq!(search["points"], 30);
    let candidates = search["candidates"].as_array().unwrap();
    let of_weight = |candidate: &serde_json::Value| candidate["weight"].as_f64().unwrap();
    assert!(candidates.windows(2).all(|pair| of_weight(&pair[0]) >= of_weight(&pair[1])));
    let terms = |candidate: &serde_json::Value| candidate["terms"].to_string();
    assert!(
        candidates.iter().any(|one| terms(one) == r#"["1","N*log2(N)/P","log2(P)"]"#),
        "{candidates:?}"
    );
    let exact = 0.01 + 2e-6 * 131_072.0 * 17.0 / 64.0 + 6e-3;
    let predicted = search["predictions"][0]["value"].as_f64().unwrap();
    assert!((predicted / exact - 1.0).abs() < 0.05, "{predicted} {exact}");
    // The model is one like others.
    place.cll(&["predict", "t.json", "--at", "N=65536,P=8"]).expect(0).prints(&["65536", "8"]);
}

#[test]
fn terms_can_be_given() {
    let place = Place::new();
    place.write("t.csv", table());
    let line = ["fit", "t.csv", "--search", "--terms", "N*log2(N)/P, log2(P), N^2, P", "--json"];
    let json = place.cll(&line).expect(0).json();
    let formula = &json["experiments"][0]["formula"];
    assert_eq!(formula, "f[0] + f[1]*N*log2(N)/P + f[2]*log2(P)");
}

#[test]
fn what_cannot_be_searched_is_reported() {
    let place = Place::new();
    place.write("flat.csv", "N,time\n5,1\n5,2\n5,1.5\n");
    place.cll(&["fit", "flat.csv", "--search"]).expect(6).prints(&["too few"]);
    place.write("two.csv", "N,time\n5,1\n6,2\n");
    place.cll(&["fit", "two.csv", "--search"]).expect(6).prints(&["2 points are too few"]);
    place.write("twins.csv", "N,M,time\n1,2,1\n2,4,2\n3,6,3.01\n4,8,4\n5,10,5\n6,12,6.02\n");
    let done = place.cll(&["fit", "twins.csv", "--search"]).expect(0);
    done.prints(&["! each value of M is measured with one value of N only"]);
    let done = place.cll(&["fit", "twins.csv", "--search", "--details"]).expect(0);
    done.prints(&["[varies-with]"]);
    place.write("t.csv", table());
    let wrong = place.cll(&["fit", "t.csv", "--search", "--terms", "N^2, log2(N"]).expect(3);
    wrong.says(&["--terms", "log2(N"]);
    place.cll(&["fit", "t.csv", "--search", "--formula", "f[0]*N"]).expect(2).says(&["--formula"]);
    place.cll(&["fit", "t.csv", "--terms", "N"]).expect(2).says(&["--search"]);
}

/// Times of 8 ns*N*log2(N) of four runs, each by its own factor.
fn table_of_runs(factors: [f64; 4]) -> String {
    let mut text = "N,run,time\n".to_owned();
    for (run, factor) in factors.iter().enumerate() {
        for k in 10..17 {
            let n = f64::from(1 << k);
            let noise = 1.0 + 0.004 * f64::from((7 * k + 3 * run as i32) % 5 - 2);
            text += &format!("{n},{run},{:e}\n", 8e-9 * n * n.log2() * factor * noise);
        }
    }
    text
}

#[test]
fn an_average_contains_how_much_runs_differ() {
    let width = |factors| {
        let place = Place::new();
        place.write("t.csv", table_of_runs(factors));
        let fit = ["fit", "t.csv", "--search", "--predict", "N=65536", "--json"];
        let fitted = place.cll(&fit).expect(0).json();
        let averaged = &fitted["predictions"][0]["averaged"];
        let [value, low, high] = ["value", "low", "high"].map(|k| averaged[k].as_f64().unwrap());
        (high - low) / value
    };
    let (same, apart) = (width([1.0; 4]), width([0.94, 0.98, 1.02, 1.06]));
    assert!(same < 0.06 && apart > 0.12, "{same} {apart}");
}

#[test]
fn where_the_data_refuse_a_prediction_there_is_no_average() {
    let place = Place::new();
    let mut text = "N,P,time\n".to_owned();
    for k in 10..16 {
        for p in [1.0, 2.0] {
            let noise = 1.0 + 0.002 * (f64::from(k) * 2.7 + p).sin();
            text += &format!("{},{p},{:e}\n", 1 << k, 1e-6 * f64::from(1 << k) / p * noise);
        }
    }
    place.write("t.csv", text);
    let line = ["fit", "t.csv", "--search", "--predict", "N=65536,P=64"];
    let fitted = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    let predicted = &fitted["predictions"][0];
    assert!(predicted["value"].is_null() && predicted["averaged"]["value"].is_null());
    assert!(fitted["experiments"][0]["search"]["predictions"].is_null(), "{fitted}");
    place.cll(&[&line[..], &["-o", "t.json"]].concat()).expect(0);
    place.cll(&["predict", "t.json", "--at", "N=65536,P=64"]).expect(6).says(&["P = 64"]);
    place.cll(&["predict", "t.json", "--at", "N=65536"]).expect(2).says(&["P"]);
}

#[test]
fn a_stored_model_averages_as_the_fit() {
    let place = Place::new();
    place.write("t.csv", table());
    let fit = ["fit", "t.csv", "--search", "--predict", "N=131072,P=64", "-o", "t.json", "--json"];
    let fitted = place.cll(&fit).expect(0).json();
    let asked = ["predict", "t.json", "--at", "N=131072,P=64", "--json"];
    let predicted = place.cll(&asked).expect(0).json();
    let averaged = &predicted["predictions"][0]["averaged"];
    assert!(averaged["value"].as_f64().unwrap() > 0.0, "{predicted}");
    assert_eq!(averaged, &fitted["predictions"][0]["averaged"]);
    let own = &fitted["experiments"][0]["search"]["predictions"][0];
    for field in ["value", "low", "high"] {
        assert_eq!(averaged[field], own[field], "{field}");
    }
    place
        .cll(&["predict", "t.json", "--at", "N=131072,P=64"])
        .expect(0)
        .prints(&["averaged over all possible formulas", "averaged"]);
    // A model without a search has no average.
    place.cll(&["fit", "t.csv", "--formula", "f[0]+f[1]*N/P", "-o", "plain.json"]).expect(0);
    let plain = place.cll(&["predict", "plain.json", "--at", "N=9,P=1", "--json"]).expect(0).json();
    assert!(plain["predictions"][0].get("averaged").is_none());
}

#[test]
fn a_formula_is_repaired() {
    let place = Place::new();
    place.write("t.csv", table());
    let lacking = ["fit", "t.csv", "--formula", "f[0] + f[1]*N*log2(N)/P", "--suggest"];
    place.cll(&lacking).expect(0).prints(&[
        "! t = f[0] + f[1]*N*log2(N)/P misses by",
        "with log2(P) too by",
        "try: --formula 'f[0] + f[1]*N*log2(N)/P + f[2]*log2(P)'",
    ]);
    place.cll(&[&lacking[..], &["--details"]].concat()).expect(0).prints(&[
        "Suggestion (30 points",
        "a term is missing: log2(P)",
        "suggested: f[0] + f[1]*N*log2(N)/P + f[2]*log2(P)",
        "before",
    ]);
    let json = place.cll(&[&lacking[..], &["--json"]].concat()).expect(0).json();
    let value = &json["experiments"][0]["suggestion"];
    assert_eq!(value["changes"][0]["kind"], "missing");
    assert_eq!(value["changes"][0]["term"], "log2(P)");
    assert_eq!(value["constants"].as_array().unwrap().len(), 3);
    assert!(value["error_after"].as_f64().unwrap() < value["error_before"].as_f64().unwrap());

    let right = "f[0] + f[1]*N*log2(N)/P + f[2]*log2(P)";
    let repaired = place.cll(&["fit", "t.csv", "--formula", right, "--suggest"]).expect(0);
    repaired.prints(&["the formula is as good as any tried"]);
    place.write("few.csv", "N,time\n1,1\n2,2\n3,3.01\n");
    let few = place.cll(&["fit", "few.csv", "--formula", "f[0]+f[1]*N", "--suggest", "--json"]);
    let warnings = few.expect(0).json()["experiments"][0]["warnings"].to_string();
    assert!(warnings.contains("no-suggestion") && warnings.contains("3 points"), "{warnings}");
    place.cll(&["fit", "t.csv", "--search", "--suggest"]).expect(2).says(&["--suggest"]);
}

#[test]
fn many_variables_without_influence_are_one_notice() {
    let place = Place::new();
    let mut text = (0..20).map(|v| format!("v{v},")).collect::<String>() + "time\n";
    let mut state = 7u64;
    for _ in 0..60 {
        let values: Vec<u64> = (0..20)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                4 << (state >> 60 & 3)
            })
            .collect();
        values.iter().for_each(|value| text.push_str(&format!("{value},")));
        text.push_str(&format!("{}\n", 2 + values[9] * values[9]));
    }
    place.write("many.csv", text);
    let json = place.cll(&["fit", "many.csv", "--search", "--json"]).expect(0).json();
    let notes = json["experiments"][0]["search"]["notes"].as_array().unwrap().clone();
    let about = notes.iter().filter(|note| note["code"] == "no-influence").count();
    assert_eq!(about, 1, "{notes:?}");
}

/// With 20,000 columns that do not matter, one notice says so. What took quadratic time did not end for minutes.
#[test]
fn many_variables_of_one_value_are_one_notice() {
    let place = Place::new();
    let columns = 20_000;
    let names: String = (0..columns).map(|column| format!("c{column},")).collect();
    let row = |n: u32| format!("{n},{}{}\n", "1,".repeat(columns), f64::from(n) * 1e-3);
    let rows: String = (1..7).map(row).collect();
    place.write("wide.csv", format!("N,{names}time\n{rows}"));
    let done = place.cll(&["fit", "wide.csv", "--search", "--details"]).expect(0);
    done.prints(&["c0, c1, c2, c3 and 19996 more have one value"]);
}

/// Forty powers of N that lie so close that no data tell them apart, and a term in a variable with one value.
#[test]
fn constants_that_no_data_determine_are_named() {
    let place = Place::new();
    let deviations = [0.996, 1.003, 1.0, 0.999, 1.002];
    let rows = (0..60).map(|k| {
        let n = 10.0 * 1.12f64.powi(k);
        format!("{n},7,{}\n", (1.0 + n) * deviations[k as usize * 3 % 5])
    });
    place.write("t.csv", format!("N,K,time\n{}", rows.collect::<String>()));
    let terms: Vec<String> = (0..40).map(|k| format!("f[{k}]*N^({k}/10)")).collect();
    let json = |formula: &str| {
        place.cll(&["fit", "t.csv", "--formula", formula, "--json"]).expect(0).json()
    };
    let answer = json(&terms.join(" + "));
    let fit = &answer["experiments"][0]["fit"];
    let constants = fit["intervals"][0]["constants"].as_array().unwrap();
    assert_eq!(constants.len(), 40, "{fit}");
    let unknown = constants.iter().filter(|constant| constant["value"].is_null()).count();
    assert!(unknown >= 30, "{unknown} of 40 are not determined");
    let done = place.cll(&["fit", "t.csv", "--details", "--formula", &terms.join(" + ")]).expect(0);
    done.prints(&["not determined", "f[39]"]);
    // Only the constant of the variable that never varies is unknown.
    let value = json("f[0] + f[1]*N + f[2]*K");
    let constants = &value["experiments"][0]["fit"]["intervals"][0]["constants"];
    assert!((constants[1]["value"].as_f64().unwrap() - 1.0).abs() < 0.01, "{constants}");
    let known = |k: usize| !constants[k]["value"].is_null();
    assert!(!known(2) || !known(0), "{constants}");
}

/// As a recursive sort is called: mostly for short parts, anywhere, and what it takes depends on the data as well.
#[test]
fn a_function_of_the_data_is_fitted_to_a_part_of_its_points() {
    let place = Place::new();
    let mut text = "start,len,time [ns]\n".to_owned();
    let mut state = 7u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..3000 {
        let len = (2 << random(12)) + random(5);
        let start = 1 + random(100_000);
        let data = 0.7 + 0.006 * random(100) as f64;
        let time = (20.0 + 7.0 * len as f64 * (len as f64).log2()) * data;
        for deviation in [0.999, 1.0, 1.002] {
            text.push_str(&format!("{start},{len},{}\n", time * deviation));
        }
    }
    place.write("split.csv", text);
    let done = place.cll(&["fit", "split.csv", "--search"]).expect(0);
    done.prints(&["points 400 are fitted", "len*log2(len)"]);
    let json = place.cll(&["fit", "split.csv", "--search", "--json"]).expect(0).json();
    let value = &json["experiments"][0];
    assert!(value["warnings"].to_string().contains("part-of-points"), "{}", value["warnings"]);
    assert_eq!(value["samples"], 1200);
}
