//! Formulas with constants in exponents, as a user meets them.

use crate::support::Place;

/// t = 1 µs + 10 ns*N^1.43 at 16 sizes, with errors of up to 2 % from size to size.
fn table() -> String {
    let mut text = String::from("N,time\n");
    for k in 0..16 {
        let n = (50.0 * 1.4f64.powi(k)).round();
        let own = 1.0 + 0.01 * f64::from(k * 5 % 7 - 3);
        let time = (1e-6 + 1e-8 * n.powf(1.43)) * own;
        for repetition in 0..5 {
            let error = 1.0 + 0.005 * f64::from((k * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", time * error);
        }
    }
    text
}

#[test]
fn an_exponent_has_the_digits_that_its_interval_allows() {
    let place = Place::new();
    place.write("power.csv", table());
    let words = ["fit", "power.csv", "--formula", "f[0] + f[1]*N^e[1]"];
    let json = place.cll(&[&words[..], &["--json"]].concat()).expect(0).json();
    let exponent = &json["experiments"][0]["fit"]["exponents"][0];
    let end = |name: &str| exponent[name].as_f64().expect("an end");
    assert!(end("high") - end("low") > 2e-3, "{exponent}");
    let done = place.cll(&words).expect(0);
    let digits = done.out.split("*N^").nth(1).and_then(|rest| rest.lines().next());
    let digits = digits.expect("the exponent");
    let shown: f64 = digits.parse().expect("a number");
    assert!((4..=6).contains(&digits.len()), "{digits}");
    assert!((end("low")..=end("high")).contains(&shown), "{digits}");
}
