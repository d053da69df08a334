//! Situations and examples with their C compiled with AddressSanitizer and UBSan, which report accesses beyond
//! an area by the library or an example.

use std::fs;
use std::process::Command;

use crate::all::each;
use crate::build::{alone, played};
use crate::engines::{APART, Dialect, in_turn};
use crate::examples::{arguments, examples, run_all};
use crate::play::play;
use crate::stated::name_of;
use crate::support::{Program, skip};
use crate::surroundings::Surroundings;

const FLAGS: [&str; 3] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

#[test]
fn situations_with_sanitizers() {
    let program = played(Dialect::SizeT, &FLAGS);
    let surroundings = Surroundings::now();
    for (nth, processors) in [1, 3].into_iter().enumerate() {
        for engine in in_turn(&APART, nth) {
            play(&program, &surroundings, engine, processors, &[]);
        }
    }
    surroundings.are_as_before();
}

#[test]
fn examples_with_sanitizers() {
    let surroundings = Surroundings::now();
    let files: Vec<_> = examples().into_iter().enumerate().collect();
    each(&files, |(nth, file)| {
        let program = alone(file, &FLAGS);
        let name = name_of(file);
        let engines = in_turn(&APART, *nth);
        run_all((&name, arguments(&name)), &program, &surroundings, &engines, &[3])
    });
    surroundings.are_as_before();
}

/// ThreadSanitizer moves nearly all of memory: promoted memory must still have its place, and what the others
/// write there is not a race of this processor.
#[test]
fn examples_with_the_thread_sanitizer() {
    const FLAGS: [&str; 2] = ["-fsanitize=thread", "-O1"];
    let nothing = Program::in_new_folder("nothing");
    let source = nothing.folder.path().join("nothing.c");
    fs::write(&source, "int main(void) { return 0; }").unwrap();
    let compiled =
        Command::new("gcc").args(FLAGS).arg(&source).arg("-o").arg(&nothing.path).status().unwrap();
    // Older versions fail if the system chooses addresses with more bits than they know.
    if !compiled.success() || !Command::new(&nothing.path).status().unwrap().success() {
        return skip(
            "examples_with_the_thread_sanitizer",
            "gcc's ThreadSanitizer does not run here",
        );
    }
    let surroundings = Surroundings::now();
    let files: Vec<_> = examples().into_iter().enumerate().collect();
    each(&files, |(nth, file)| {
        let program = alone(file, &FLAGS);
        let name = name_of(file);
        let last = arguments(&name).last().copied();
        let engines = in_turn(&APART, *nth);
        run_all((&name, last.as_slice()), &program, &surroundings, &engines, &[2, 3])
    });
    surroundings.are_as_before();
}
