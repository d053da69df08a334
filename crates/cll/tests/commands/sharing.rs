//! Constants shared over files, machines and values of a variable; exponents that are constants, in sources.

use serde_json::{Value, json};

use crate::support::Place;
use crate::virtually::STEADY_CLOCK;

/// Times of `start + slope N`, with errors of some tenths of a per cent.
fn table(start: f64, slope: f64, machine: Option<&str>) -> String {
    let rows = (1..=12).flat_map(|k| (0..3).map(move |r| (k, r)));
    let rows = rows.map(|(k, r)| {
        let n = 100.0 * f64::from(k);
        let error = 1.0 + 0.002 * f64::from((k * 7 + r * 3) % 5 - 2);
        let machine = machine.map_or(String::new(), |name| format!(",{name}"));
        format!("{n},{}{machine}\n", (start + slope * n) * error)
    });
    rows.collect()
}

const LINE: [&str; 4] = ["--formula", "f[0] + f[1]*N", "--intervals", "none"];

fn names(answer: &Value) -> Vec<&str> {
    let all = answer["experiments"].as_array().expect("experiments");
    all.iter().filter_map(|value| value["name"].as_str()).collect()
}

fn fit(place: &Place, files: &[&str], more: &[&str]) -> crate::support::Done {
    let mut words = vec!["fit"];
    words.extend(files.iter().chain(&LINE).chain(more));
    place.cll(&words)
}

#[test]
fn constants_are_shared_over_tables() {
    let place = Place::new();
    place.write("a.csv", format!("N,time\n{}", table(1e-5, 2e-8, None)));
    place.write("b.csv", format!("N,time\n{}", table(4e-5, 2e-8, None)));
    place.write("c.csv", format!("N,time\n{}", table(4e-5, 3e-8, None)));
    let value = fit(&place, &["a.csv", "b.csv"], &["--share", "f[1]", "--json"]).expect(0).json();
    assert_eq!(names(&value), ["f:a", "f:b"]);
    let shared = &value["shared"][0];
    assert_eq!(shared["experiments"], json!(["f:a", "f:b"]));
    assert_eq!(shared["rejected"], false, "{shared}");
    assert!((shared["value"].as_f64().unwrap() / 2e-8 - 1.0).abs() < 0.01, "{shared}");
    let slopes: Vec<&Value> = (0..2)
        .map(|k| &value["experiments"][k]["fit"]["intervals"][0]["constants"][1]["value"])
        .collect();
    let [a, b] = [slopes[0].as_f64().unwrap(), slopes[1].as_f64().unwrap()];
    assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    fit(&place, &["a.csv", "b.csv"], &["--share", "f[1]", "--details"])
        .expect(0)
        .prints(&["f[1] of f:a, f[1] of f:b", "not rejected"]);
    fit(&place, &["a.csv", "c.csv"], &["--share", "f[1]"])
        .expect(0)
        .prints(&["! the data reject one value of f[1] of f:a, f[1] of f:c"]);
    // Without --share each table is fitted by itself.
    let apart = fit(&place, &["a.csv", "c.csv"], &["--json"]).expect(0).json();
    assert_eq!(names(&apart), ["f:a", "f:c"]);
    assert_eq!(apart.get("shared"), None);
}

#[test]
fn constants_are_shared_over_the_machines_of_a_column() {
    let place = Place::new();
    let rows = [("old", 1e-5), ("new", 3e-5)].map(|(name, start)| table(start, 2e-8, Some(name)));
    place.write("all.csv", format!("N,time,machine\n{}", rows.concat()));
    let more = ["--by", "machine", "--share", "f[1]", "--json"];
    let value = fit(&place, &["all.csv"], &more).expect(0).json();
    assert_eq!(names(&value), ["old", "new"]);
    assert_eq!(value["shared"][0]["experiments"], json!(["old", "new"]));
    assert!((value["shared"][0]["value"].as_f64().unwrap() / 2e-8 - 1.0).abs() < 0.01);
}

/// A region that takes `start + slope N^1.7` by the steady clock.
const POWER: &str = r#"#include "steady_clock.h"
#include <bsp.h>
#include <math.h>
#include <stdlib.h>

#pragma cll parallel BSP

int main(int argc, char **argv)
{
    double start = argc > 1 ? atof(argv[1]) : 1e-5;
    int N, k;
    bsp_begin(bsp_nprocs());
    for (N = 100; N < 40000; N += N / 2)
        for (k = 0; k < 3; k++) {
#pragma cll f f[0] + f[1]*N^f[2]
            compute((start + 3e-9 * pow(N, 1.7)) * (1 + 0.002 * ((N + k * 3) % 5 - 2)));
#pragma cll end f
        }
    bsp_end();
    return 0;
}
"#;

fn recorded(place: &Place, starts: &[&str]) {
    place.write("steady_clock.h", STEADY_CLOCK);
    place.write("power.c", POWER);
    place.cll(&["cc", "-O2", "power.c", "-o", "power", "-lm"]).expect(0);
    for start in starts {
        place.cll(&["run", "-n", "1", "--engine", "virtual", "./power", start]).expect(0);
    }
}

#[test]
fn a_pragma_may_have_a_constant_in_an_exponent() {
    let place = Place::new();
    recorded(&place, &["1e-5"]);
    let done = place.cll(&["fit", "power.cll.0.dat", "--predict", "N=80000", "-o", "m.json"]);
    done.expect(0).prints(&["*N^1.7"]);
    place.cll(&["show", "m.json", "constants"]).expect(0).prints(&["f[2]", "1.7", "exponent"]);
    let answer = place.cll(&["fit", "power.cll.0.dat", "--json"]).expect(0).json();
    let experiment = &answer["experiments"][0];
    assert_eq!(experiment["formula"], "f[0] + f[1]*N^f[2]");
    let exponent = &experiment["fit"]["exponents"][0];
    assert_eq!(exponent["constant"], "f[2]");
    assert!((exponent["value"].as_f64().unwrap() - 1.7).abs() < 0.01, "{exponent}");
    let beyond = place.cll(&["predict", "m.json", "--at", "N=80000", "--json"]).expect(0).json();
    let value = beyond["predictions"][0]["value"].as_f64().expect("a value");
    let truth = 1e-5 + 3e-9 * 80000f64.powf(1.7);
    assert!((value / truth - 1.0).abs() < 0.03, "{value} {truth}");
    place.cll(&["page", "m.json", "-o", "m.html"]).expect(0);
    assert!(place.read("m.html").contains("N^f[2]"), "the page has the formula");
}

#[test]
fn a_wrong_exponent_is_named_with_its_place() {
    let place = Place::new();
    place.write("wrong.c", "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0] + f[1]*N^f[1]\n    N++;\n#pragma cll end f\n    return N;\n}\n");
    place.cll(&["translate", "wrong.c"]).expect(3).says(&[
        "F025",
        "wrong.c:4:",
        "`f[1]` is an exponent and the constant of a term",
    ]);
}

#[test]
fn constants_are_shared_over_traces() {
    let place = Place::new();
    recorded(&place, &["1e-5", "5e-5"]);
    let files = ["power.cll.0.dat", "power.cll.1.dat"];
    let fit = |more: &[&str]| {
        let mut words = vec!["fit", files[0], files[1], "--formula", "f[0] + f[1]*N^1.7"];
        words.extend(["--intervals", "none"].iter().chain(more));
        place.cll(&words)
    };
    let value = fit(&["--by", "file", "--share", "f[1]", "--json"]).expect(0).json();
    assert_eq!(names(&value), ["f:power.cll.0", "f:power.cll.1"]);
    let shared = &value["shared"][0];
    assert!((shared["value"].as_f64().unwrap() / 3e-9 - 1.0).abs() < 0.01, "{shared}");
    assert_eq!(shared["rejected"], false, "{shared}");
    fit(&["--by", "file", "--share", "f[0]"])
        .expect(0)
        .prints(&["the data reject one value of f[0]"]);
    fit(&["--by", "M"]).expect(2).says(&["no experiment has a variable M"]);
}

#[test]
fn searched_experiments_are_ranked() {
    let place = Place::new();
    let mut text = String::from("kernel,N,time\n");
    type Growth = fn(f64) -> f64;
    let grow: [(&str, Growth); 3] = [
        ("scan", |n| 1e-5 + 3e-8 * n),
        ("product", |n| 1e-6 + 2e-11 * n * n * n),
        ("idle", |_| 1e-6),
    ];
    for (name, time_at) in grow {
        for (k, r) in (0..8).flat_map(|k| (0..3).map(move |r| (k, r))) {
            let n = 64.0 * 2f64.powi(k);
            let error = 1.0 + 0.002 * f64::from((k * 7 + r * 3) % 5 - 2);
            text += &format!("{name},{n},{}\n", time_at(n) * error);
        }
    }
    place.write("kernels.csv", &text);
    let done = place.cll(&["fit", "kernels.csv", "--by", "kernel", "--search"]).expect(0);
    done.prints(&[
        "Ranking",
        "shares of the sum of all experiments",
        "product",
        "2 experiments more",
    ]);
    let fit =
        ["fit", "kernels.csv", "--by", "kernel", "--search", "--predict", "N=100000", "--json"];
    let value = place.cll(&fit).expect(0).json();
    let ranking = &value["ranking"];
    assert_eq!(ranking["of_experiments"], true);
    assert_eq!(ranking["at"], json!([["N", 100_000.0]]));
    assert_eq!(ranking["is_beyond"], true);
    let spots = ranking["spots"].as_array().expect("spots");
    let order: Vec<&str> = spots.iter().filter_map(|spot| spot["name"].as_str()).collect();
    assert_eq!(order, ["product", "scan", "idle"]);
    let product = 2e-11 * 1e15;
    let share = product / (product + 3e-8 * 1e5);
    assert!((spots[0]["share"].as_f64().unwrap() - share).abs() < 0.01, "{ranking}");
    let shares: f64 = spots.iter().filter_map(|spot| spot["share"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    // Without a prediction they are compared where all were measured.
    let short: String =
        text.lines().filter(|row| !row.starts_with("scan,8192")).collect::<Vec<_>>().join("\n");
    place.write("short.csv", &short);
    let common = place.cll(&["fit", "short.csv", "--by", "kernel", "--search", "--json"]);
    assert_eq!(common.expect(0).json()["ranking"]["at"], json!([["N", 4096.0]]));
    // One experiment alone has no ranking.
    let texts = ["fit", "kernels.csv", "--by", "kernel", "--search", "-e", "scan", "--json"];
    assert_eq!(place.cll(&texts).expect(0).json().get("ranking"), None);
}

/// Two regions of one program that take the same time per element, or not.
const TWO: &str = r#"#include "steady_clock.h"
#include <bsp.h>
#include <stdlib.h>

#pragma cll parallel BSP

int main(int argc, char **argv)
{
    double slope = atof(argv[1]);
    int N, k;
    bsp_begin(bsp_nprocs());
    for (N = 1000; N < 200000; N += N / 2)
        for (k = 0; k < 3; k++) {
            double off = 1 + 0.002 * ((N + k * 3) % 5 - 2);
#pragma cll copy copy[0] + copy[1]*N
            compute((1e-5 + 2e-8 * N) * off);
#pragma cll end copy
#pragma cll scale scale[0] + scale[1]*N
            compute((4e-5 + slope * N) * off);
#pragma cll end scale
        }
    bsp_end();
    return 0;
}
"#;

#[test]
fn a_model_of_a_program_shares_constants_over_its_regions() {
    let place = Place::new();
    place.write("steady_clock.h", STEADY_CLOCK);
    place.write("two.c", TWO);
    let model = |slope: &str, more: &[&str]| {
        let line = ["model", "two.c", "-n", "1", "--engine", "virtual", "--launches", "2"];
        let rest = ["--loaded", "accept", "--intervals", "none", "-q", "--fresh"];
        place.cll(&[&line[..], &rest, more, &["--", slope]].concat())
    };
    let value = model("2e-8", &["--share", "copy[1],scale[1]", "--json"]).expect(0).json();
    let shared = &value["shared"][0];
    assert_eq!(shared["experiments"], json!(["copy", "scale"]));
    assert_eq!(shared["rejected"], false, "{shared}");
    assert!((shared["value"].as_f64().unwrap() / 2e-8 - 1.0).abs() < 0.02, "{shared}");
    // `[1]` is that constant of all; the model that is kept has it, and so has its page.
    let done = model("2e-8", &["--share", "[1]", "--details"]).expect(0);
    done.prints(&["copy[1], scale[1]", "not rejected"]);
    let kept: Value = serde_json::from_str(&place.read("two.cll/model.json")).unwrap();
    assert_eq!(kept["shared"][0]["experiments"], json!(["copy", "scale"]));
    model("3e-8", &["--share", "[1]"]).expect(0).prints(&["the data reject one value of"]);
    // What cannot be shared does not cost what was measured.
    let done = model("2e-8", &["--share", "copy[1],other[1]"]).expect(0);
    done.prints(&["--share: there is no constant other[1]", "copy[0], copy[1]"]);
    let kept: Value = serde_json::from_str(&place.read("two.cll/model.json")).unwrap();
    assert!(kept.get("shared").is_none() && kept["experiments"][0]["fit"].is_object());
}
