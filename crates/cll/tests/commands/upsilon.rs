//! `cll upsilon`: sets of statements, their file, counts, and the words of llac.

use serde_json::Value;

use crate::support::{Done, Place, have};

/// A region with three terms, and one with a loop that a macro hides.
const SUMS: &str = "\
#include <stdio.h>

#define SUM(s, x, n) for (int q = 0; q < (n); q++) (s) += (x)[q]

static double x[400];

static double pairs(int n)
{
    double sum = 0;
#pragma cll pairs pairs[0] + pairs[1]*n + pairs[2]*n*n
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            sum += x[j];
#pragma cll end pairs
    return sum;
}

static double hidden(int n)
{
    double sum = 0;
#pragma cll hidden hidden[0] + hidden[1]*n
    SUM(sum, x, n);
    while (sum > 1e9)
        sum /= 2;
    for (int k = 0; k < n; k++) {
        while (x[k] > 0)
            x[k]--;
    }
#pragma cll end hidden
    return sum;
}

int main(void)
{
    double all = 0;
    int n = 1;
#pragma cll for (n = 20; n < 400; n += n / 2)
    for (int k = 0; k < n; k++)
        x[k] = k % 7;
    all += pairs(n) + hidden(n);
#pragma cll end for
    printf(\"%g\\n\", all);
    return 0;
}
";

fn json(done: &Done) -> Value {
    done.json()
}

/// The statement of this text in an experiment.
pub(crate) fn statement<'a>(answer: &'a Value, experiment: &str, text: &str) -> &'a Value {
    let all = answer["experiments"].as_array().unwrap();
    let value = all.iter().find(|value| value["name"] == experiment).unwrap();
    let mut statements = value["statements"].as_array().unwrap().iter();
    statements
        .find(|statement| statement["text"] == text)
        .unwrap_or_else(|| panic!("{text}: {value:#}"))
}

pub(crate) fn with_sums() -> Place {
    let place = Place::new();
    place.write("src/sums.c", SUMS);
    place
}

#[test]
fn sets_are_proposed_shown_and_checked() {
    let place = with_sums();
    let shown = place.cll(&["upsilon", "show", "src/sums.c"]).expect(0);
    let shown = shown.says(&["the sets are proposed"]);
    let proposed = place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    let proposed =
        proposed.prints(&["Υ pairs", "sum += x[j]", "0.5*n*n + 0.5*n", "in no set, because"]);
    let proposed = proposed.says(&["src/sums.upsilon.toml is written"]);
    assert_eq!(proposed.out, shown.out);
    let again = place.cll(&["upsilon", "show", "src/sums.upsilon.toml"]).expect(0);
    assert_eq!((again.out, again.err.as_str()), (shown.out, ""));
    place
        .cll(&["upsilon", "check", "src/sums.upsilon.toml"])
        .expect(0)
        .prints(&["valid: 2 experiments"]);
    let done = place.cll(&["upsilon", "show", "src/sums.c", "-e", "hidden", "--json"]).expect(0);
    let value = json(&done);
    assert_eq!(
        (value["format"].as_str(), value["experiments"].as_array().unwrap().len()),
        (Some("cll-upsilon"), 1)
    );
    let inner = statement(&value, "hidden", "x[k]--");
    assert_eq!(inner["constants"].as_array().unwrap().len(), 0);
    assert!(
        inner["note"].as_str().unwrap().contains("the loop at line 26 depends on `x`"),
        "{inner:#}"
    );
    let dry = place.cll(&["upsilon", "propose", "src/sums.c", "--dry-run", "--json"]).expect(0);
    assert_eq!(json(&dry)["file"], Value::Null);
}

#[test]
fn corrections_by_hand_are_imported_and_kept() {
    let place = with_sums();
    place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    let file = place.read("src/sums.upsilon.toml");
    let corrected = file.replacen(
        "text = \"sum /= 2\", constants = []",
        "text = \"sum /= 2\", constants = [\"hidden[0]\"]",
        1,
    );
    assert_ne!(file, corrected);
    place.write("src/copy.toml", &corrected);
    let imported = place.cll(&["upsilon", "import", "src/copy.toml"]).expect(0);
    imported.prints(&["src/sums.upsilon.toml: written; 1 statement was changed by hand"]);
    let shown = json(&place.cll(&["upsilon", "show", "src/sums.c", "--json"]).expect(0));
    assert_eq!(statement(&shown, "hidden", "sum /= 2")["by"], "hand");
    // A new proposal keeps it, unless it is not wanted.
    let kept = place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    kept.says(&["1 correction by hand was kept"]);
    let kept = json(&place.cll(&["upsilon", "show", "src/sums.c", "--json"]).expect(0));
    assert_eq!(statement(&kept, "hidden", "sum /= 2")["constants"][0], "hidden[0]");
    let out = ["upsilon", "propose", "src/sums.c", "--discard", "--json"];
    let none = json(&place.cll(&out).expect(0));
    assert_eq!(statement(&none, "hidden", "sum /= 2")["by"], "nesting");
    // A constant that there is not, with its place.
    place.write("src/copy.toml", corrected.replacen("[\"hidden[0]\"]", "[\"hiden[0]\"]", 1));
    let wrong = place.cll(&["upsilon", "import", "src/copy.toml"]).expect(3);
    wrong.says(&[
        "error[U005]",
        "src/copy.toml:",
        "no constant `hiden[0]`",
        "^^^^",
        "did you mean hidden[0]?",
    ]);
}

#[test]
fn another_version_of_the_source_is_named() {
    let place = with_sums();
    place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    let file = place.read("src/sums.upsilon.toml");
    place.write("src/sums.upsilon.toml", file.replacen("by = \"nesting\"", "by = \"hand\"", 1));
    place.write("src/sums.c", format!("/* more */\n{SUMS}"));
    let moved = place.cll(&["upsilon", "show", "src/sums.c"]).expect(0);
    moved.says(&["src/sums.c has changed since; moved: `int i = 0` from line 11 to 12"]);
    place.write("src/sums.c", SUMS.replace("sum += x[j]", "sum -= x[j]"));
    let gone = place.cll(&["upsilon", "check", "src/sums.upsilon.toml"]).expect(3);
    gone.says(&[
        "error[U008]",
        "`sum += x[j]` (line 13) is no longer in the source, function pairs",
        "^",
    ]);
    let checked = place.cll(&["upsilon", "check", "src/sums.upsilon.toml", "--json"]).expect(3);
    let checked = json(&checked);
    assert_eq!(
        (&checked["files"][0]["right"], &checked["files"][0]["same_source"]),
        (&false.into(), &false.into())
    );
    // What was corrected by hand is not lost silently.
    let refused = place.cll(&["upsilon", "propose", "src/sums.c"]).expect(3);
    refused.says(&["has corrections by hand", "--discard drops them"]);
    place.cll(&["upsilon", "propose", "src/sums.c", "--discard"]).expect(0);
    place.cll(&["upsilon", "check", "src/sums.upsilon.toml"]).expect(0);
}

#[test]
fn counts_by_line_confirm_and_correct() {
    if !have("valgrind", "counts_by_line_confirm_and_correct") {
        return;
    }
    let place = with_sums();
    let done = place.cll(&["upsilon", "propose", "src/sums.c", "--counts"]).expect(0);
    let done = done.says(&[
        "pairs: 8 passages counted; lines confirmed: 3, corrected: 0, unclear: 0",
        "src/sums.c:22: nesting says hidden[0], counts say hidden[1]: the counts are taken",
    ]);
    done.prints(&["nesting, counts"]);
    let answer = json(&place.cll(&["upsilon", "show", "src/sums.c", "--json"]).expect(0));
    let sum = statement(&answer, "hidden", "SUM(sum, x, n)");
    assert_eq!((&sum["by"], &sum["constants"][0]), (&"counts".into(), &"hidden[1]".into()));
    // What nesting does not know gets a set.
    let inner = statement(&answer, "hidden", "x[k]--");
    assert_eq!((&inner["by"], &inner["constants"][0]), (&"counts".into(), &"hidden[1]".into()));
    assert_eq!(statement(&answer, "pairs", "sum += x[j]")["by"], "both");
}

#[test]
fn what_cannot_be_counted_is_said() {
    let place = with_sums();
    place.write("few.c", SUMS.replace("n < 400; n += n / 2", "n < 40; n += n / 2"));
    place.write("fails.c", SUMS.replace("return 0;", "return 9;"));
    place.write("broken.c", SUMS.replace("printf(", "nowhere("));
    place.write("threads.c", "#pragma cll parallel OpenMP\nvoid f(int n)\n{\n#pragma cll f f[0]*n\nn++;\n#pragma cll end f\n}\n");
    let counts = |file: &str| place.cll(&["upsilon", "propose", file, "--counts", "--dry-run"]);
    if !have("valgrind", "what_cannot_be_counted_is_said") {
        return;
    }
    counts("threads.c").expect(2).says(&["--counts: threads.c is an OpenMP program"]);
    let alone = ["upsilon", "propose", "few.c", "--counts", "--dry-run", "-n", "2"];
    place.cll(&alone).expect(2).says(&["few.c is a sequential program"]);
    counts("few.c").expect(0).says(&["not compared with counts", "2 different values"]);
    counts("fails.c").expect(5).says(&["the program failed under callgrind"]);
    counts("broken.c").expect(4).says(&["the program does not compile", "nowhere"]);
}

#[test]
fn bad_input() {
    let place = with_sums();
    place.write("plain.c", "int main(void) { return 0; }\n");
    place.write(
        "auto.c",
        "void f(int n)\n{\n#pragma cll f uses(n) auto\nn++;\n#pragma cll end f\n}\n",
    );
    place.write(
        "wrong.c",
        "void f(int n)\n{\n#pragma cll f f[0]*f[1]\nn++;\n#pragma cll end f\n}\n",
    );
    place.write("none.upsilon.toml", "x = 1\n");
    place.cll(&["upsilon", "propose", "nothing.c"]).expect(3).says(&["nothing.c"]);
    place
        .cll(&["upsilon", "propose", "plain.c"])
        .expect(3)
        .says(&["no experiment with a formula", "#pragma cll f"]);
    place
        .cll(&["upsilon", "propose", "auto.c"])
        .expect(3)
        .says(&["f has no formula in the source (auto)"]);
    place.cll(&["upsilon", "propose", "wrong.c"]).expect(3).says(&["error[F0", "wrong.c:3"]);
    place
        .cll(&["upsilon", "propose", "src/sums.c", "-e", "pair"])
        .expect(3)
        .says(&["did you mean pairs?"]);
    place
        .cll(&["upsilon", "show", "none.upsilon.toml"])
        .expect(3)
        .says(&["error[U002]", "none.upsilon.toml:1"]);
    place.cll(&["upsilon", "check", "none.upsilon.toml"]).expect(3).says(&["cll-upsilon = 1"]);
    place.cll(&["upsilon", "import", "none.upsilon.toml"]).expect(3).says(&["error[U002]"]);
    place
        .cll(&["upsilon", "propose", "src/sums.c", "--arguments", "3"])
        .expect(2)
        .says(&["--counts"]);
    place
        .cll(&["upsilon", "propose", "src/sums.c", "--dry-run", "--counts", "--arguments", "'3"])
        .expect(2);
    place.write("src/sums.upsilon.toml", "cll-upsilon = 1\nsource = 3\n");
    place.cll(&["upsilon", "propose", "src/sums.c"]).expect(3).says(&["error[U003]", "--discard"]);
    place.cll(&["upsilon", "propose", "src/sums.c", "--discard"]).expect(0);
    place.cll(&["upsilon"]).expect(2);
    let onto = place.cll(&["upsilon", "propose", "src/sums.c", "--out", "src/sums.c"]);
    assert!(onto.code != 0 && place.read("src/sums.c") == SUMS, "{onto:?}");
}

#[test]
fn llac_has_both_tables() {
    let place = with_sums();
    place.cll(&["cc", "-O1", "-o", "sums", "src/sums.c"]).expect(0);
    place.cll(&["run", "./sums"]).expect(0);
    let llac = |statements: &str| place.cll(&["llac", "sums.cll.0.dat", "-e", statements]);
    let shown = llac("upsilon pairs").expect(0);
    let shown = shown.prints(&["Υ pairs", "sum += x[j]"]);
    assert!(!shown.out.contains("hidden"), "{}", shown.out);
    llac("m = fit pairs; upsilon m").expect(0).prints(&["value", "sum += x[j]"]);
    // The page, of an experiment by its own model.
    for statement in ["upsilon pairs into \"p.html\"", "m = fit pairs; upsilon m into \"p.html\""] {
        llac(statement).expect(0).says(&["the page is p.html"]);
        let html = place.read("p.html");
        assert!(html.contains("data-island=\"upsilon\"") && html.contains("sum += x[j]"));
        std::fs::remove_file(place.path("p.html")).unwrap();
    }
    let aleph = llac("m = fit pairs; show aleph m").expect(0);
    let aleph = aleph.prints(&["ℵ pairs", "pairs[2]  = {("]);
    assert_eq!(llac("m = fit pairs; aleph m").expect(0).out, aleph.out);
    assert_eq!(llac("m = fit pairs; show (aleph m)").expect(0).out, aleph.out);
    let json =
        place.cll(&["llac", "sums.cll.0.dat", "--json", "-e", "aleph pairs, hidden"]).expect(0);
    let json: Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    assert!(json.to_string().contains("\"constant\":\"hidden[1]\""), "{json:#}");
    for (wrong, message) in [
        ("aleph 3", "`aleph` takes models"),
        ("aleph", "`aleph` takes models"),
        ("upsilon 3", "takes an experiment or a model"),
        ("upsilon pairs at n = 3", "has no `at`"),
        ("upsilon (open \"t.csv\").t", "which source"),
    ] {
        place.write("t.csv", "N,t_s\n1,1\n2,2\n3,3\n");
        llac(wrong).expect(3).says(&[message]);
    }
    llac("help aleph; help upsilon")
        .expect(0)
        .prints(&["`show aleph m` does the same", "upsilon f"]);
    // The source is gone.
    place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    std::fs::remove_file(place.path("src/sums.c")).unwrap();
    llac("upsilon pairs").expect(3).says(&["the source src/sums.c is not there"]);
}
