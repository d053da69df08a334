//! Tests the messages of the functions of `bsp.h` when a program is wrong, and that all processors end then.

use std::process::Command;

use expect_test::expect_file;

use crate::support::{Program, libcll, run, sources};

/// The errors (see `tests/c/bsp/wrong.c`).
const WRONG: [&str; 26] = [
    "before",
    "after",
    "no function",
    "init twice",
    "init late",
    "begin twice",
    "none",
    "no begin",
    "return",
    "exit",
    "abort",
    "abort early",
    "negative pid",
    "negative offset",
    "negative size",
    "null source",
    "null destination",
    "null payload",
    "null tag size",
    "negative tag size",
    "null status",
    "null pointers",
    "empty",
    "parameters",
    "root",
    "no operator",
];

/// The errors whose processor is known, too. The others occur on several processors, and any of them may be the first.
const OF_PROCESSOR_2: [&str; 4] = ["return", "exit", "abort", "negative pid"];

fn wrong() -> Program {
    let program = Program::in_new_folder("wrong");
    let mut command = Command::new("gcc");
    command.current_dir(sources().join("bsp")).args(["-Wall", "-Werror", "-O1", "wrong.c"]);
    command.arg("-I").arg(libcll().header.parent().unwrap()).arg("-o").arg(&program.path);
    command.arg(&libcll().archive).args(["-lpthread", "-ldl", "-lm"]);
    assert!(command.status().unwrap().success());
    program
}

/// Exit status and standard error of three processors.
fn by_three(program: &Program, wrong: &str) -> (Option<i32>, String) {
    let output = run(program.command().env("CLL_NPROCS", "3").env("WRONG", wrong));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The messages of three processors: `UPDATE_EXPECT=1` writes `bsp_wrong.txt` anew.
#[test]
fn every_message_names_call_and_line_and_is_said_once() {
    let program = wrong();
    let mut all = String::new();
    for what in WRONG {
        let (code, message) = by_three(&program, what);
        assert_eq!(code, Some(1), "{what}: {message}");
        assert_eq!(message.matches("cll: ").count(), 1, "{what}:\n{message}");
        let known = OF_PROCESSOR_2.contains(&what);
        assert!(!known || message.contains("processor 2 of 3"), "{what}: {message}");
        let message = (0..3).fold(message, |message, processor| {
            message.replace(&format!("processor {processor} of 3"), "processor # of 3")
        });
        all += &format!("== {what}\n{message}");
    }
    expect_file!["bsp_wrong.txt"].assert_eq(&all);
}

#[test]
fn processors_that_make_different_collective_calls_are_told_apart() {
    let program = wrong();
    // Which of them finds it first is open.
    for (what, one_of) in [
        (
            "other call",
            [
                "called bsp_fold with 4 bytes, this one bsp_bcast with root 0 and 4 bytes",
                "processor 2 did not make this call in this superstep",
            ],
        ),
        (
            "other root",
            [
                "called bsp_gather with root 1 and 4 bytes, this one bsp_scan with 4 bytes",
                "processor 0 called bsp_scan with 4 bytes, this one bsp_gather with root 1",
            ],
        ),
    ] {
        let (code, message) = by_three(&program, what);
        assert_eq!(code, Some(1), "{what}: {message}");
        assert!(one_of.iter().any(|part| message.contains(part)), "{what}: {message}");
    }
}

#[test]
fn who_leaves_before_the_parallel_part_is_not_wrong() {
    let program = wrong();
    for (what, code) in [("leave", 3), ("never", 0)] {
        assert_eq!(by_three(&program, what), (Some(code), String::new()), "{what}");
    }
}

#[test]
fn nothing_wrong_is_no_message() {
    assert_eq!(by_three(&wrong(), ""), (Some(0), String::new()));
}
