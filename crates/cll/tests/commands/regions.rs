//! Regions of validity in two variables, as a user meets them.

use crate::support::Place;

/// t = 1e-6 + N*P ns + 20 N ns; where N > 5000 and P > 5 the first is so many ns.
fn corner(slope: f64) -> String {
    let mut text = String::from("N,P,time\n");
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        let (n, p) = (500.0 * 2f64.powi(i), f64::from(j + 1));
        let slope = if n > 5000.0 && p > 5.0 { slope * 1e-9 } else { 1e-9 };
        for repetition in 0..5 {
            let error = 1.0 + 0.005 * f64::from((i * 7 + j * 11 + repetition * 3) % 5 - 2);
            text += &format!("{n},{p},{}\n", (1e-6 + slope * n * p + 20e-9 * n) * error);
        }
    }
    text
}

const FORMULA: &str = "f[0] + f[1]*N*P + f[2]*N";

fn place() -> Place {
    let place = Place::new();
    place.write("corner.csv", corner(1.4));
    place.write("steep.csv", corner(2.5));
    place
}

#[test]
fn the_report_says_where_each_value_holds() {
    let place = place();
    let done = place
        .cll(&[
            "fit",
            "corner.csv",
            "--formula",
            FORMULA,
            "--predict",
            "N=20000,P=7",
            "-o",
            "m.json",
            "--details",
        ])
        .expect(0);
    println!("{}", done.out);
    done.prints(&[
        "Regions of validity",
        "N > ",
        " and P > ",
        "The boundary at",
        "inside the data",
    ]);
    place.cll(&["plot", "m.json", "--svg", "m.svg"]).expect(0);
    assert!(place.read("m.svg").contains("<svg"));
    let predicted = place.cll(&["predict", "m.json", "--at", "N=16000,P=5.5", "--json"]).json();
    let domain = &predicted["predictions"][0]["domain"];
    assert_eq!(domain["where"], "between", "{domain}");
    assert_eq!(domain["axis"], "P", "{domain}");
}

#[test]
fn the_json_has_the_divisions() {
    let place = place();
    let value = place.cll(&["fit", "corner.csv", "--formula", FORMULA, "--json"]).json();
    let fit = &value["experiments"][0]["fit"];
    assert_eq!(fit["splits"].as_array().map(Vec::len), Some(2), "{fit}");
    assert_eq!(fit["intervals"].as_array().map(Vec::len), Some(3));
    assert!(fit["axis"].is_null());
    let pieces = fit["constants"][1]["segments"].as_array().unwrap();
    assert_eq!(pieces.len(), 2, "{pieces:?}");
    assert_eq!(fit["constants"][2]["segments"].as_array().map(Vec::len), Some(1));
    // With one axis asked for there are intervals.
    let interval =
        place.cll(&["fit", "corner.csv", "--formula", FORMULA, "--axis", "N", "--json"]).json();
    assert!(interval["experiments"][0]["fit"]["splits"].is_null());
    let wrong = ["fit", "corner.csv", "--formula", FORMULA, "--axis", "N,Q"];
    place.cll(&wrong).expect(6).prints(&["Q was not recorded"]);
}

#[test]
fn the_papers_rule_divides_along_any_variable() {
    let place = place();
    let fit = |more: &[&str]| {
        let mut words = vec!["fit", "steep.csv", "--formula", FORMULA, "--json"];
        words.extend(["--intervals", "greedy", "--error-threshold", "0.05"]);
        words.extend(more);
        place.cll(&words).json()["experiments"][0]["fit"].clone()
    };
    let largest = |fit: &serde_json::Value| fit["quality"]["largest_error"].as_f64().unwrap();
    let any = fit(&[]);
    assert!(any["splits"].as_array().is_some_and(|splits| !splits.is_empty()), "{any}");
    for axis in ["N", "P", "N*P"] {
        assert!(largest(&any) < largest(&fit(&["--axis", axis])), "{axis}");
    }
}
