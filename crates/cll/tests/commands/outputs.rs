//! Colour, width, and readers that go away.

use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::support::{CLL, Place};

fn table(rows: usize) -> String {
    let mut text = String::from("N,time\n");
    for n in 1..=rows {
        text += &format!("{n},{}\n", n * 3 + 1);
    }
    text
}

const FORMULA: [&str; 5] = ["fit", "t.csv", "--formula", "f[0] + f[1]*N", "--details"];

#[test]
fn colour_follows_what_is_asked_for() {
    let place = Place::new();
    place.write("t.csv", table(9));
    let colored = |variables: &[(&str, &str)], more: &[&str]| {
        place.cll_with(variables, &[&FORMULA[..], more].concat()).expect(0).out.contains('\x1b')
    };
    assert!(!colored(&[], &[]), "a pipe is no terminal");
    assert!(colored(&[], &["--color", "always"]));
    assert!(colored(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1")], &["--color=never"]));
    let done = place.cll(&["--color", "always", "fit", "t.csv", "--formula", "f[0]*"]).expect(3);
    assert!(done.err.contains('\x1b'), "{}", done.err);
}

#[test]
fn width_and_letters_follow_the_terminal() {
    let place = Place::new();
    place.write("t.csv", table(9));
    let widest = |columns: &str| {
        let done = place.cll_with(&[("COLUMNS", columns)], &FORMULA).expect(0);
        done.out.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(widest("60") <= 60 && widest("100") > 60);
    let done = place.cll_with(&[("LC_ALL", "C")], &FORMULA).expect(0);
    assert!(done.out.is_ascii(), "{}", done.out);
    assert!(!place.cll(&FORMULA).expect(0).out.is_ascii());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    place.write("t.csv", table(2000));
    for arguments in [
        vec!["fit", "t.csv", "--formula", "f[0]*N", "--json"],
        vec!["fit", "t.csv", "--formula", "f[0]*N", "--points"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["--help"],
        vec!["model", "--help"],
    ] {
        let mut child = place
            .command(CLL)
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    place.write("t.csv", table(9));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let done = place
        .command(CLL)
        .args([&FORMULA[..], &["--json"]].concat())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(7), "{errors}");
    assert!(errors.contains("cannot write the output: no space left"), "{errors}");
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let place = Place::new();
    let mut command = place.command(CLL);
    let done = command.arg("--help").stdout(full).stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(7), "{errors}");
    assert!(errors.contains("cannot write the output: no space left"), "{errors}");
}

#[test]
fn a_model_cannot_be_written_where_there_is_no_permission() {
    let place = Place::new();
    place.write("t.csv", table(9));
    place.write("file", "");
    place
        .cll(&[&FORMULA[..], &["-o", "file/model.json"]].concat())
        .expect(7)
        .says(&["file/model.json"]);
    place
        .cll(&[&FORMULA[..], &["-o", "/proc/model.json"]].concat())
        .expect(7)
        .says(&["/proc/model.json"]);
}

#[test]
fn it_starts_at_once() {
    // 10 ms; here only that nothing is read or unpacked at the start. Other programs do not make it compute more.
    let computed = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds()
    };
    let start = || {
        let before = computed();
        assert!(Command::new(CLL).arg("--version").output().unwrap().status.success());
        computed() - before
    };
    let least = (0..20).map(|_| start()).min().unwrap();
    assert!(least < 100_000, "{least} µs");
}

/// The name of a file could move the cursor or send keys.
#[test]
fn names_of_files_reach_the_terminal_without_control_characters() {
    let place = Place::new();
    let name = "a\u{1b}[2J\u{7}b";
    place.write(name, "no data\n");
    place.write("t.csv", "N,time\n1,4\n2,7\n3,10\n4,13\n");
    let missing = format!("{name}.none");
    let machine = format!("{name}.toml");
    place.write(&machine, "cll-machine = 1\n");
    let plan = format!("{name}.plan.toml");
    place.write(&plan, "[nothing]\n");
    let commands: [&[&str]; 9] = [
        &["fit", name, "--formula", "f[0]*N"],
        &["fit", &missing, "--formula", "f[0]*N"],
        &["plot", name],
        &["page", name],
        &["predict", name, "--at", "N=1"],
        &["export", name],
        &["machine", "check", &machine],
        &["campaign", "run", &plan],
        &["translate", &missing],
    ];
    for command in commands {
        let done = place.cll(command);
        assert_ne!(done.code, 0, "{command:?}");
        let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!done.err.contains(is_control), "{command:?}: {:?}", done.err);
        assert!(!done.out.contains(is_control), "{command:?}: {:?}", done.out);
        assert!(done.err.contains("2J"), "{command:?}: {}", done.err);
    }
}

#[test]
fn what_a_terminal_obeys_in_names_of_files_is_shown() {
    let place = Place::new();
    let name = "a\u{1b}[2J\u{7}\nb";
    std::fs::create_dir(place.path(name)).unwrap();
    place.write("params.txt", "P s g l\n1 100 1 10\n2 100 2 20\n");
    let machine = format!("{name}/m.toml");
    let lines = [
        vec!["machine", "import", "params.txt", "--name", "x", "--out", &machine],
        vec!["machine", "check", &machine],
        vec!["install", "--prefix", name],
    ];
    for line in lines {
        let done = place.cll(&line).expect(0);
        assert!(!done.out.contains(['\u{1b}', '\u{7}']), "{line:?}: {:?}", done.out);
        assert!(done.out.contains("a\\u{1b}[2J\\u{7}\\nb"), "{line:?}: {:?}", done.out);
        assert_eq!(done.out.lines().count(), 1, "{line:?}: {:?}", done.out);
    }
    // The parser of the command line shows an argument that it does not know.
    let refused = place.cll(&["predict", "m.json", name]).expect(2);
    assert!(!refused.err.contains(['\u{1b}', '\u{7}']), "{:?}", refused.err);
    refused.says(&["a\\u{1b}[2J\\u{7}\\nb"]);
}
