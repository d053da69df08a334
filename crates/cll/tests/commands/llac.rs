//! `cll llac` without a terminal: scripts, statements, standard input.

use serde_json::Value;

use crate::support::{CLL, Place, run};

/// The output of statements given by `-e`.
#[track_caller]
fn evaluated(statements: &str) -> String {
    Place::new().cll(&["llac", "-e", statements]).expect(0).out
}

#[test]
fn statements_come_from_options_scripts_and_standard_input() {
    let place = Place::new();
    place.write("a.llac", "x = 6 # six\ny = [1,\n  2]\nx*7");
    place.write("b.llac", "x + 1");
    assert_eq!(place.cll(&["llac", "-f", "a.llac"]).expect(0).out, "42\n");
    let done = place.cll(&["llac", "-f", "a.llac", "--file", "b.llac", "-e", "x+2; x+3"]).expect(0);
    assert_eq!(done.out, "42\n7\n8\n9\n");
    assert_eq!(place.cll_fed(&["llac"], b"x = 2\nx^3\n").expect(0).out, "8\n");
    assert_eq!(place.cll_fed(&["llac", "-f", "-", "-e", "1"], b"2 + 2").expect(0).out, "4\n1\n");
    assert_eq!(place.cll_fed(&["llac"], b"\n# nothing\n").expect(0).out, "");
    assert_eq!(evaluated("1 < 2; quit; 3"), "true\n");
    // Windows' ends of lines.
    assert_eq!(place.cll_fed(&["llac"], b"x = 2\r\nx +\r\n 1\r\n").expect(0).out, "3\n");
}

#[test]
fn the_program_is_also_called_llac() {
    let place = Place::new();
    std::os::unix::fs::symlink(CLL, place.path("llac")).unwrap();
    let done = run(place.command(place.path("llac")).args(["-e", "-1 + 3"])).expect(0);
    assert_eq!(done.out, "2\n");
}

#[test]
fn a_script_with_an_error_says_where_and_ends() {
    let place = Place::new();
    place.write("a.llac", "1\nx = 2\n  plto x\n3\n4 5\n");
    let done = place.cll(&["llac", "-f", "a.llac"]).expect(3);
    let done =
        done.says(&["error[L012]", "a.llac:3:3", "^^^^", "did you mean `plot`?", "a.llac:5:3"]);
    assert_eq!(done.out, "", "nothing runs if the syntax is wrong");
    place.write("b.llac", "1\n2 + nothing\n3\n");
    let done = place.cll(&["llac", "-f", "b.llac"]).expect(3).says(&["b.llac:2:5", "nothing"]);
    assert_eq!(done.out, "1\n");
    let done = place.cll(&["llac", "-f", "b.llac", "--continue"]).expect(3).says(&["b.llac:2:5"]);
    assert_eq!(done.out, "1\n3\n");
    place.cll(&["llac", "-e", "(1"]).expect(3).says(&["--evaluate:1:1", "`(` is not closed"]);
    place.cll_fed(&["llac"], b"x =").expect(3).says(&["standard input:1:4"]);
}

#[test]
fn files_that_are_no_scripts_are_refused() {
    let place = Place::new();
    place.write("bytes", b"1\n\xff\xfe2");
    place.cll(&["llac", "-f", "bytes"]).expect(3).says(&["bytes is no text in UTF-8: line 2"]);
    place.cll(&["llac", "-f", "none"]).expect(3).says(&["cannot read none"]);
    place.cll(&["llac", "-f", "."]).expect(3).says(&["cannot read ."]);
    place.cll_fed(&["llac"], b"\xff").expect(3).says(&["standard input is no text"]);
    place.cll(&["llac", "--interactive"]).expect(2).says(&["a prompt needs a terminal"]);
    place.cll(&["llac", "none.dat", "-e", "1"]).expect(3).says(&["none.dat"]);
}

#[test]
fn values_are_lines_of_json() {
    let done = Place::new()
        .cll(&["llac", "--json", "-e", "x = 1; x + 1; \"a\"; help fit; history; x == 1"])
        .expect(0);
    let lines: Vec<Value> =
        done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5, "{}", done.out);
    assert_eq!(
        (&lines[0]["statement"], &lines[0]["value"]["value"]),
        (&"x + 1".into(), &2.0.into())
    );
    assert_eq!(lines[1]["value"]["value"], "a");
    assert_eq!(lines[2]["value"]["words"][0]["word"], "fit");
    let history = serde_json::json!(["x = 1", "x + 1", "\"a\""]);
    assert_eq!(lines[3]["value"]["statements"], history);
    assert_eq!(lines[4]["value"]["value"], true);
}

#[test]
fn words_are_explained() {
    let list = evaluated("help");
    for part in ["Verbs\n", "  fit ", "  at ", "  where ", "  log(x)", "help WORD"] {
        assert!(list.contains(part), "{part:?} is not in\n{list}");
    }
    let fit = evaluated("help fit");
    assert!(fit.contains("weights = relative | absolute") && fit.contains("Example"), "{fit}");
    assert!(evaluated("help where, log2").contains("log2(x)"));
    let place = Place::new();
    place.cll(&["llac", "-e", "help plto"]).expect(3).says(&["did you mean `plot`?"]);
}

#[test]
fn what_was_run_is_saved_as_a_script_that_gives_the_same() {
    let place = Place::new();
    place.write("inner.llac", "y = x*2\ny");
    let statements = "x = [1,\n 2]; help fit; source \"inner.llac\"; f(n) = n + 1; f(3); history; save \"s.llac\"";
    let done = place.cll(&["llac", "-e", statements]).expect(0).says(&["s.llac is written"]);
    let saved = place.read("s.llac");
    assert!(saved.ends_with("\nx = [1,\n 2]\ny = x*2\ny\nf(n) = n + 1\nf(3)\n"), "{saved}");
    assert!(done.out.contains("5  f(3)\n"), "{}", done.out);
    let values = |out: &str| -> Vec<String> {
        out.lines().filter(|line| line.parse::<f64>().is_ok()).map(str::to_owned).collect()
    };
    let again = place.cll(&["llac", "-f", "s.llac"]).expect(0);
    assert_eq!(values(&again.out), values(&done.out));
    assert!(!values(&again.out).is_empty(), "{}", again.out);
    place.cll(&["llac", "--quiet", "-e", "save \"t.llac\""]).expect(0);
    place
        .cll(&["llac", "-e", "save \"none/t.llac\""])
        .expect(3)
        .says(&["--evaluate:1:1", "none/t.llac"]);
}

#[test]
fn scripts_read_scripts_but_not_themselves() {
    let place = Place::new();
    place.write("a.llac", "1\nsource \"b.llac\"\n4");
    place.write("b.llac", "2\nsource \"c.llac\"");
    place.write("c.llac", "3");
    assert_eq!(place.cll(&["llac", "-e", "source \"a.llac\""]).expect(0).out, "1\n2\n3\n4\n");
    place.write("c.llac", "3\nsource \"a.llac\"");
    let done = place.cll(&["llac", "-e", "source \"a.llac\""]).expect(3);
    assert_eq!(done.out, "1\n2\n3\n");
    done.says(&["c.llac:2:1", "a.llac reads itself"]);
    place.write("c.llac", "nothing");
    place.cll(&["llac", "-e", "source \"a.llac\""]).expect(3).says(&["c.llac:1:1"]);
    place.cll(&["llac", "-e", "source \"none\""]).expect(3).says(&["cannot read none"]);
    place.write("c.llac", "quit");
    assert_eq!(place.cll(&["llac", "-e", "source \"a.llac\""]).expect(0).out, "1\n2\n");
}

#[test]
fn commands_of_the_program_run_inside() {
    let place = Place::new();
    let done = place.cll_fed(&["llac"], b"1\ncll machine list | x\n").expect(3);
    done.says(&["`|` is for a shell"]);
    let done = place.cll_fed(&["llac"], b"1\ncll --version # which\n2\n").expect(0);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(matches!(lines[..], ["1", version, "2"] if version.starts_with("cll ")), "{lines:?}");
    let done = place.cll_fed(&["llac"], b"cll fit 'a b.dat'\n2\n").expect(3);
    assert_eq!(done.out, "");
    done.says(&["cannot read a b.dat", "standard input:1:1", "exit code 3"]);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new();
    let script: String = (0..20_000).map(|number| format!("{number}\n")).collect();
    place.write("long.llac", script);
    let done = place.sh("{ cll llac -f long.llac; echo code $? >&2; } | head -1").expect(0);
    assert_eq!((done.out.as_str(), done.err.as_str()), ("0\n", "code 0\n"));
}
