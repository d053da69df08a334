//! Speed-up and efficiency of models that have P, on data whose truth is known.

use std::fmt::Write;

use crate::support::Place;

const FORMULA: &str = "work[0]*N/P + work[1]*P";

/// 100 ns an element, shared by P, and 1 ms for each processor; three repetitions that differ by little.
fn times(processors: &[u32]) -> String {
    let mut table = "N,P,time_s\n".to_owned();
    for n in [100_000, 200_000, 400_000, 800_000] {
        for &p in processors {
            for part in [0.999, 1.0, 1.001] {
                let time = part * (1e-7 * f64::from(n) / f64::from(p) + 1e-3 * f64::from(p));
                writeln!(table, "{n},{p},{time:e}").unwrap();
            }
        }
    }
    table
}

fn place(processors: &[u32]) -> Place {
    let place = Place::new();
    place.write("times.csv", times(processors));
    place
}

fn truth(n: f64, p: f64) -> f64 {
    1e-7 * n / p + 1e-3 * p
}

fn near(actual: &serde_json::Value, wanted: f64) {
    let value = actual.as_f64().unwrap();
    assert!((value / wanted - 1.0).abs() < 0.01, "{value} {wanted}");
}

#[test]
fn at_the_largest_size_that_was_measured_on_most_processors() {
    let place = place(&[1, 2, 4]);
    let line = ["fit", "times.csv", "--formula", FORMULA, "--details"];
    let reported = place.cll(&line).expect(0);
    let reported = reported.prints(&["Speed-up", "N = 800000", "efficiency"]);
    assert!(!reported.out.contains("beyond"), "{}", reported.out);
    let answer = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    let scaling = answer["scaling"].as_array().unwrap();
    assert_eq!((scaling.len(), &scaling[0]["at"]["N"]), (1, &800_000.0.into()));
    let points = scaling[0]["points"].as_array().unwrap();
    for (point, p) in points.iter().zip([1.0, 2.0, 4.0]) {
        let speed_up = truth(8e5, 1.0) / truth(8e5, p);
        assert_eq!(point["processors"], p);
        near(&point["time_s"], truth(8e5, p));
        near(&point["speed_up"], speed_up);
        near(&point["efficiency"], speed_up / p);
        near(&point["measured_s"], truth(8e5, p));
        near(&point["measured_speed_up"], speed_up);
    }
    assert_eq!(points.len(), 3);
    assert!(points[0]["serial_fraction"].is_null());
}

#[test]
fn where_a_prediction_was_asked_for_with_its_processors() {
    let place = place(&[2, 4, 6]);
    let line = ["fit", "times.csv", "--formula", FORMULA, "--predict", "N=1e6,P=8,32"];
    place.cll(&[&line[..], &["--details"]].concat()).expect(0).prints(&[
        "one processor was not measured",
        "N = 1000000",
        "beyond the data",
    ]);
    let answer = place.cll(&[&line[..], &["--json"]].concat()).expect(0).json();
    let points = answer["scaling"][0]["points"].as_array().unwrap();
    let along = |name: &str| points.iter().map(|point| point[name].clone()).collect::<Vec<_>>();
    assert_eq!(along("processors"), [1.0, 2.0, 4.0, 6.0, 8.0, 32.0]);
    near(&points[5]["efficiency"], truth(1e6, 1.0) / truth(1e6, 32.0) / 32.0);
    assert!(along("measured_s").iter().all(serde_json::Value::is_null));
}

#[test]
fn the_page_draws_both() {
    let place = place(&[1, 2, 4]);
    let line = ["fit", "times.csv", "--formula", FORMULA, "--output", "times.json"];
    place.cll(&line).expect(0);
    place.cll(&["page", "times.json", "--predict", "N=8e5,P=16", "-o", "times.html"]).expect(0);
    let page = place.read("times.html");
    assert!(page.contains("speed-up-0-0") && page.contains("efficiency-0-0"));
    assert!(page.contains("Speed-up"));
}

#[test]
fn of_one_number_of_processors_or_a_formula_without_them_there_is_none() {
    let place = place(&[4]);
    let line = ["fit", "times.csv", "--json", "--formula"];
    let answer = place.cll(&[&line[..], &["work[0] + work[1]*N"]].concat()).expect(0).json();
    assert_eq!(answer["scaling"], serde_json::json!([]));
    let answer = place.cll(&[&line[..], &["work[0]*N/P"]].concat()).expect(0).json();
    assert_eq!(answer["scaling"], serde_json::json!([]));
}

#[test]
fn numbers_of_processors_are_held_out_like_sizes() {
    let place = place(&[1, 2, 4, 8]);
    let line = ["fit", "times.csv", "--formula", FORMULA, "--hold-out", "P=8", "--json"];
    let answer = place.cll(&line).expect(0).json();
    let held = answer["experiments"][0]["held_out"].as_array().unwrap();
    assert_eq!(held.len(), 4);
    let predictions = answer["predictions"].as_array().unwrap();
    for value in predictions {
        assert_eq!(value["at"]["P"], 8.0);
        assert!(value["relative_error"].as_f64().unwrap().abs() < 0.01, "{value}");
    }
    assert_eq!(predictions.len(), 4);
    // What was kept from the fit is no measured point of it.
    let points = answer["scaling"][0]["points"].as_array().unwrap();
    assert!(points.iter().all(|point| point["processors"] != 8.0), "{points:?}");
}
