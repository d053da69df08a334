//! `cll fit --compare`: a new model beside an older one, on data whose truth is known.

use crate::support::Place;

/// t = 2e-6 + 3e-9 N, the slope times a factor, five repetitions.
fn line(by: f64) -> String {
    let mut text = String::from("N,time\n");
    for size in 1..=20 {
        let n = f64::from(size) * 1000.0;
        for repetition in 0..5 {
            let error = 1.0 + 0.004 * f64::from((size * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", (2e-6 + by * 3e-9 * n) * error);
        }
    }
    text
}

const FORMULA: &str = "f[0] + f[1]*N";

fn place() -> Place {
    let place = Place::new();
    place.write("old.csv", line(1.0));
    place.write("slow.csv", line(1.3));
    place.cll(&["fit", "old.csv", "--formula", FORMULA, "-o", "old.json"]).expect(0);
    place
}

#[test]
fn the_first_line_says_which_constant_moved() {
    let place = place();
    let done =
        place.cll(&["fit", "slow.csv", "--formula", FORMULA, "--compare", "old.json"]).expect(0);
    let first = done.out.lines().next().unwrap_or_default().to_owned();
    assert!(first.contains("f[1] moved: 3") && first.contains("+30 %"), "{first}");
    assert!(!first.contains("f[0] moved"), "{first}");
    done.prints(&["Values of the model", "t = 2.000 µs + 3.900 ns*N"]);
}

#[test]
fn slower_is_an_exit_code_on_request() {
    let place = place();
    let compare = |file: &str, more: &[&str]| {
        let mut words = vec!["fit", file, "--formula", FORMULA, "--compare", "old.json"];
        words.extend(more);
        place.cll(&words)
    };
    compare("slow.csv", &["--fail-if-slower"]).expect(9);
    compare("old.csv", &["--fail-if-slower"]).expect(0);
    let still = compare("old.csv", &[]).expect(0);
    assert!(still.out.lines().next().is_some_and(|line| line.contains("not moved")));
    let value = compare("slow.csv", &["--json"]).json();
    let comparison = &value["comparison"];
    assert_eq!(comparison["format"], "cll-model-compare");
    assert_eq!(comparison["slower"], true);
    let slope = &comparison["experiments"][0]["comparison"]["constants"][1];
    assert_eq!(slope["change"]["verdict"], "moved");
    assert!((slope["change"]["change"].as_f64().unwrap() - 0.3).abs() < 0.02, "{slope}");
    assert!(value["experiments"][0]["fit"].is_object(), "the model is there too");
    // A threshold above the change: of no importance.
    compare("slow.csv", &["--fail-if-slower", "--threshold", "50%"]).expect(0);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let place = place();
    let missing = ["fit", "old.csv", "--formula", FORMULA, "--compare", "none.json"];
    place.cll(&missing).expect(3).says(&["none.json"]);
    let other = ["fit", "old.csv", "--formula", "g[0] + g[1]*N", "--compare", "old.json"];
    place.cll(&other).expect(6).says(&["no fitted experiment in common"]);
    place.cll(&["fit", "old.csv", "--formula", FORMULA, "--fail-if-slower"]).expect(2);
    place.cll(&["fit", "old.csv", "--formula", FORMULA, "--threshold", "0.1"]).expect(2);
}

#[test]
fn constants_of_two_experiments_share_a_value() {
    let place = Place::new();
    let mut text = String::from("N,time\n");
    for (k, n) in (1..=12).map(|k| (k, 100.0 * f64::from(k))) {
        text += &format!("{n},{}\n", (1e-5 + 2e-8 * n) * (1.0 + 0.002 * f64::from(k * 7 % 5 - 2)));
    }
    place.write("f.csv", &text);
    let both = ["--formula", "f[0] + f[1]*N", "--formula", "g[0] + g[1]*N", "--intervals", "none"];
    let fit = |more: &[&str]| {
        let mut words = vec!["fit", "f.csv"];
        words.extend(both.iter().chain(more));
        place.cll(&words)
    };
    fit(&["--share", "f[1],g[1]", "--details"])
        .expect(0)
        .prints(&["Shared constants", "not rejected"]);
    let value = fit(&["--share", "[1]", "--json"]).json();
    assert_eq!(value["shared"][0]["constants"], serde_json::json!(["f[1]", "g[1]"]));
    fit(&["--share", "f[1],h[1]"]).expect(2).says(&["there is no constant h[1]"]);
    fit(&["--share", "f[1]"]).expect(2).says(&["f[1] alone"]);
}

#[test]
fn an_exponent_may_be_a_constant() {
    let place = Place::new();
    let mut text = String::from("N,time\n");
    for k in 1..=14 {
        let n = 50.0 * 1.5f64.powi(k);
        let error = 1.0 + 0.003 * f64::from(k * 7 % 5 - 2);
        text += &format!("{n},{}\n", (1e-5 + 3e-9 * n.powf(1.7)) * error);
    }
    place.write("power.csv", &text);
    let fit = |formula: &str, more: &[&str]| {
        let mut words = vec!["fit", "power.csv", "--formula", formula];
        words.extend(more);
        place.cll(&words)
    };
    let done = fit("f[0] + f[1]*N^f[2]", &["--predict", "N=1000", "-o", "power.json"]).expect(0);
    done.prints(&["µs + ", "*N^1.7"]);
    let done = place.cll(&["show", "power.json", "constants"]).expect(0);
    done.prints(&["f[2]", "exponent", "1.7"]);
    let predicted = place.cll(&["predict", "power.json", "--at", "N=3000", "--json"]).json();
    let value = predicted["predictions"][0]["value"].as_f64().unwrap();
    assert!((value / (1e-5 + 3e-9 * 3000f64.powf(1.7)) - 1.0).abs() < 0.02, "{value}");
    let none = fit("f[0] + f[1]*N^f[2]", &["--hold-out", "N=75"]);
    assert!(none.code == 6, "{}", none.err);
    let many = "f[0]*N^f[1] + f[2]*N^f[3] + f[4]*N^f[5] + f[6]*N^f[7]";
    fit(many, &[]).expect(6).prints(&["at most 3 exponents"]);
}

#[test]
fn a_page_of_two_models_says_what_moved() {
    let place = place();
    place.cll(&["fit", "slow.csv", "--formula", FORMULA, "-o", "slow.json"]).expect(0);
    place.cll(&["page", "old.json", "slow.json", "-o", "both.html"]).expect(0);
    let html = place.read("both.html");
    let markup = html.split_once("id=\"cll-data\"").unwrap().0;
    assert!(markup.contains("<title>old → slow · model</title>"));
    assert!(markup.contains("<h1><bdi>old → slow</bdi></h1>"));
    // The verdict and the table of `fit --compare`, under the names of the models.
    let of_fit = ["fit", "slow.csv", "--formula", FORMULA, "--compare", "old.json"];
    let text = place.cll(&of_fit).expect(0).out;
    let verdict = text.lines().next().unwrap();
    assert!(markup.contains(verdict), "{verdict}");
    for part in [">old</th>", ">slow</th>", "<bdi>moved</bdi>", "id=\"comparison\"", "+30 %"] {
        assert!(markup.contains(part), "{part}");
    }
    let (compared, answers) = (markup.find("id=\"comparison\""), markup.find("class=\"answer\""));
    assert!(compared < answers, "the answer first");
    assert!(markup.contains("<bdi>old: f</bdi>") && !markup.contains("old.json: "));
    // Nothing in common, nothing to compare.
    place.cll(&["fit", "old.csv", "--formula", "g[0] + g[1]*N", "-o", "g.json"]).expect(0);
    place.cll(&["page", "old.json", "g.json", "-o", "others.html"]).expect(0);
    assert!(!place.read("others.html").contains("id=\"comparison\""));
}

#[test]
fn models_of_a_page_are_called_by_what_is_different() {
    let place = place();
    for folder in ["before/walk.cll", "after/walk.cll"] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
        place.write(&format!("{folder}/model.json"), place.read("old.json"));
    }
    let page = ["page", "before/walk.cll", "after/walk.cll", "-o", "both.html"];
    place.cll(&page).expect(0);
    assert!(place.read("both.html").contains("<h1><bdi>before/walk → after/walk</bdi></h1>"));
    let files = ["page", "before/walk.cll/model.json", "old.json", "-o", "files.html"];
    place.cll(&files).expect(0);
    assert!(place.read("files.html").contains("<h1><bdi>walk → old</bdi></h1>"));
    place.cll(&["page", "old.json", "old.json"]).expect(2).says(&["given twice"]);
}
