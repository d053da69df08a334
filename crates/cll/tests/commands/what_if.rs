//! `cll what-if`: models, descriptions in formulas and logs with something faster.

use serde_json::Value;

use crate::support::Place;

/// Times of two experiments; the second becomes slower from N = 1000 on.
fn model(place: &Place) {
    let mut both = Vec::new();
    for name in ["copy", "merge"] {
        let mut csv = String::from("N,time\n");
        for k in 0..24 {
            let n = (100.0 * 1.25f64.powi(k)).round();
            let each = match (name, n < 1000.0) {
                ("copy", _) => 2e-9,
                (_, true) => 1e-9,
                (_, false) => 3e-9,
            };
            for noise in [0.998, 1.0, 1.002] {
                csv.push_str(&format!("{n},{:e}\n", each * n * noise));
            }
        }
        place.write("times.csv", &csv);
        let formula = format!("{name}[1]*N");
        place.cll(&["fit", "times.csv", "--formula", &formula, "-o", "sort.json"]).expect(0);
        both.push(serde_json::from_str::<Value>(&place.read("sort.json")).unwrap());
    }
    let (mut model, copy) = (both.pop().unwrap(), both.pop().unwrap());
    model["experiments"].as_array_mut().unwrap().push(copy["experiments"][0].clone());
    place.write("sort.json", model.to_string());
}

fn point(place: &Place, words: &[&str]) -> Value {
    let answer = place.cll(&[&["what-if"][..], words, &["--json"]].concat()).expect(0).json();
    assert_eq!(answer["format"], "cll-what-if");
    answer["points"][0].clone()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() < 0.02, "{value} and not {expected}");
}

#[test]
fn blocks_of_a_model() {
    let place = Place::new();
    model(&place);
    let options = ["sort.json", "--at", "N=10000"];
    let plain = point(&place, &options);
    near(&plain["before_s"]["value"], 5e-5);
    near(&plain["ratio"]["value"], 1.0);
    assert_eq!(plain["sensitivity"][0]["name"], "merge[1]");
    near(&plain["sensitivity"][0]["share"], 0.6);
    // Half of the merge: 20 and 15 of 50 µs.
    let half = point(&place, &[&options[..], &["--block", "merge=0.5x"]].concat());
    near(&half["after_s"]["value"], 3.5e-5);
    near(&half["ratio"]["value"], 0.7);
    let (low, high) = (half["ratio"]["low"].as_f64(), half["ratio"]["high"].as_f64());
    assert!(low < Some(0.7) && Some(0.7) < high && high < Some(0.72), "{half}");
    // One constant is the same here.
    let constant = point(&place, &[&options[..], &["--block", "merge[1]=0.5x"]].concat());
    assert_eq!(constant["ratio"], half["ratio"]);
    // The merge takes 20 µs more than with the constant of its first interval: those at least wait for memory.
    let memory = point(&place, &[&options[..], &["--memory", "2x"]].concat());
    near(&memory["ratio"]["value"], 0.8);
    near(&memory["ratio"]["low"], 0.5);
    let fast = point(&place, &[&options[..], &["--computation", "4x"]].concat());
    near(&fast["ratio"]["value"], 0.25);
    let only = point(&place, &[&options[..], &["-e", "copy", "--network", "9x"]].concat());
    near(&only["after_s"]["value"], 2e-5);
    assert!(only["notes"][0].as_str().unwrap().contains("no communication"), "{only}");
}

const DESCRIPTION: &str = "\
name = \"shifts\"
start = \"all\"

[block.work]
formula = \"work[1]*N\"
constants = [{ value = 1e-9, low = 0.9e-9, high = 1.1e-9 }]

[[object.all]]
name = \"shift\"
do = [\"work\"]
send = { pattern = \"shift\", by = \"1\", bytes = \"8*N\" }
";

const MACHINE: &str = "\
cll-machine = 1
name = \"cluster\"

[origin]
source = \"a report\"

[[classic]]
processors = 4
s = \"100 Mflop/s\"
g = \"0.4 flop/word\"
l = \"1000 flop\"
";

#[test]
fn a_description_on_a_machine() {
    let place = Place::new();
    place.write("shifts.obsp.toml", DESCRIPTION);
    place.write("cluster.toml", MACHINE);
    let words = ["shifts.obsp.toml", "--machine", "cluster.toml", "--at", "N=10000,P=4"];
    let plain = point(&place, &words);
    let total = plain["before_s"]["value"].as_f64().unwrap();
    let shares = plain["sensitivity"].as_array().unwrap();
    let share_of = |kind: &str| {
        let all = shares.iter().filter(|share| share["kind"] == kind);
        all.map(|value| value["share"].as_f64().unwrap()).sum::<f64>()
    };
    let sum = share_of("constant") + share_of("g") + share_of("l");
    assert!((sum - 1.0).abs() < 1e-6 && share_of("g") > 0.0 && share_of("l") > 0.0, "{plain}");
    let changed = point(&place, &[&words[..], &["--network", "2x"]].concat());
    near(
        &changed["after_s"]["value"],
        total * (share_of("constant") + 0.5 * (share_of("g") + share_of("l"))),
    );
    let half = point(&place, &[&words[..], &["--block", "work=0.5x"]].concat());
    near(
        &half["after_s"]["value"],
        total * (0.5 * share_of("constant") + share_of("g") + share_of("l")),
    );
    // The uncertain constant makes the times uncertain, and the ratio too.
    let width = |range: &Value| range["high"].as_f64().unwrap() - range["low"].as_f64().unwrap();
    assert!(width(&half["before_s"]) > 0.0 && width(&half["ratio"]) > 0.0, "{half}");
    let text = place.cll(&[&["what-if"][..], &words, &["--network", "2x"]].concat()).expect(0);
    text.prints(&["shifts on cluster: network 2x as fast", "as it is", "ratio", "work[1]"]);
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    model(&place);
    place.write("shifts.obsp.toml", DESCRIPTION);
    let wrong = |words: &[&str], code: i32, parts: &[&str]| {
        place.cll(&[&["what-if"][..], words].concat()).expect(code).says(parts);
    };
    wrong(&["sort.json"], 2, &["a model needs values", "--at N="]);
    wrong(&["sort.json", "--at", "M=3"], 2, &["needs N"]);
    wrong(
        &["sort.json", "--at", "N=3", "--block", "mrge=2x"],
        2,
        &["no block or constant mrge", "merge[1]"],
    );
    wrong(&["sort.json", "--at", "N=3", "--network", "0x"], 2, &["not a factor above zero"]);
    wrong(&["sort.json", "--at", "N=3", "--block", "merge"], 2, &["NAME=0.5x"]);
    wrong(&["shifts.obsp.toml", "--at", "N=3,P=4"], 2, &["--machine MACHINE"]);
    wrong(&["shifts.obsp.toml", "-m", "sgi-origin-2000"], 2, &["needs values"]);
    wrong(&["none.log", "-m", "sgi-origin-2000"], 3, &["none.log"]);
    wrong(&["none.json", "--at", "N=3"], 3, &["none.json"]);
}

/// Work of 1 ns * 1000, 8000 bytes of 1 ns each (0.4 operations of 10 ns for 4 bytes), and l of 10 us.
#[test]
fn what_is_sent_both_ways_counts_once_with_sum() {
    let place = Place::new();
    place.write("shifts.obsp.toml", DESCRIPTION);
    place.write("mine.toml", MACHINE);
    for rule in ["max", "sum"] {
        let done = place.cll(&[
            "obsp",
            "shifts.obsp.toml",
            "--machine",
            "mine.toml",
            "--predict",
            "N=1000,P=4",
            "--draws",
            "0",
            "--at",
            rule,
        ]);
        let mut done = done.expect(0);
        for model in ["BSP", "OBSP", "OBSP*"] {
            let line = format!("  {model:<5}  19.00 µs");
            done = done.prints(&[&line]);
        }
    }
}
