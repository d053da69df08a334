//! The messages of the functions of `bsp.h` for wrong programs, and that all processors end then.

mod support;

use std::process::Command;

use support::{Program, libcll, run, sources};

/// The error (see `tests/c/bsp/wrong.c`), and the message of three processors.
const WRONG: &[(&str, &[&str])] = &[
    (
        "before",
        &["cll: bsp_pid at wrong.c:", "no parallel part has begun", "help: call it between"],
    ),
    ("after", &["cll: bsp_sync at wrong.c:", "the parallel part has ended"]),
    ("no function", &["cll: bsp_init at wrong.c:", "is a null pointer"]),
    ("init twice", &["cll: bsp_init at wrong.c:", "it was called already at wrong.c:"]),
    ("init late", &["of 3: bsp_init at wrong.c:", "it is called after bsp_begin"]),
    ("begin twice", &["of 3: bsp_begin at wrong.c:", "it was called already"]),
    ("none", &["cll: bsp_begin at wrong.c:", "0 processors", "help: at least 1"]),
    ("no begin", &["of 3: bsp_init at wrong.c:", "its function has returned without bsp_begin"]),
    (
        "return",
        &["processor 2 of 3: bsp_init at wrong.c:", "its function has returned without bsp_end"],
    ),
    (
        "exit",
        &[
            "cll: processor 2 of 3: the program ended before bsp_end, by exit()",
            "its last synchronisation was at wrong.c:",
            "help: every processor must call bsp_end",
        ],
    ),
    ("abort", &["gives up 7\ncll: bsp_abort was called by processor 2 of 3\n"]),
    ("abort early", &["too early\ncll: bsp_abort was called\n"]),
    ("negative pid", &["processor 2 of 3: bsp_put at wrong.c:", "there is no processor -3"]),
    ("negative offset", &["bsp_get at wrong.c:", "the offset is negative: -4 bytes"]),
    ("negative size", &["bsp_send at wrong.c:", "the size is negative: -1 bytes"]),
    ("null source", &["bsp_hpput at wrong.c:", "the source is a null pointer"]),
    ("null destination", &["bsp_hpget at wrong.c:", "the destination is a null pointer"]),
    ("null payload", &["bsp_send at wrong.c:", "the payload is a null pointer"]),
    ("null tag size", &["bsp_set_tagsize at wrong.c:", "the size is a null pointer"]),
    ("negative tag size", &["bsp_set_tagsize at wrong.c:", "the size is negative: -1 bytes"]),
    ("null status", &["bsp_get_tag at wrong.c:", "the status is a null pointer"]),
    ("null pointers", &["bsp_hpmove at wrong.c:", "the pointer to the tag is a null pointer"]),
    ("empty", &["bsp_move at wrong.c:", "the queue has no message"]),
    ("parameters", &["bsp_g at wrong.c:", "were never measured", "cll machine probe --bsp"]),
    ("root", &["bsp_scatter at wrong.c:", "there is no processor 3"]),
    ("no operator", &["bsp_fold at wrong.c:", "the operator is a null pointer"]),
];

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

#[test]
fn every_message_names_call_and_line_and_is_said_once() {
    let program = wrong();
    for (what, parts) in WRONG {
        let (code, said) = by_three(&program, what);
        assert_eq!(code, Some(1), "{what}: {said}");
        for part in *parts {
            assert!(said.contains(part), "{what}: {part:?} is not in\n{said}");
        }
        assert_eq!(said.matches("cll: ").count(), 1, "{what}:\n{said}");
    }
}

#[test]
fn different_collective_calls_are_distinguished() {
    let program = wrong();
    // Either of them may find it first.
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
        let (code, said) = by_three(&program, what);
        assert_eq!(code, Some(1), "{what}: {said}");
        assert!(one_of.iter().any(|part| said.contains(part)), "{what}: {said}");
    }
}

#[test]
fn an_exit_before_the_parallel_part_is_no_error() {
    let program = wrong();
    for (what, code) in [("leave", 3), ("never", 0)] {
        assert_eq!(by_three(&program, what), (Some(code), String::new()), "{what}");
    }
}

#[test]
fn nothing_wrong_is_no_message() {
    assert_eq!(by_three(&wrong(), ""), (Some(0), String::new()));
}
