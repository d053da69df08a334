//! Translated programs, compiled by the system's C compiler and run: they do the same as the
//! untranslated ones, and record what they should.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cll_translate::{Automatic, Options, OwnNames, Source, Translation, translate};
use expect_test::expect_file;

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-Wshadow", "-pedantic"];

struct Program {
    name: &'static str,
    source: Vec<u8>,
    stds: Vec<String>,
    flags: Vec<String>,
    libs: Vec<String>,
    sorted: bool,
    loose: bool,
    automatic: bool,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Reads a program; its first line gives the compiler's options.
fn program(name: &'static str) -> Program {
    let source = fs::read(tests().join("run").join(name)).expect("a program of the tests");
    let text = String::from_utf8_lossy(&source).into_owned();
    let line = text.lines().next().unwrap_or_default();
    let line = line.split("/*").nth(1).and_then(|rest| rest.split("*/").next()).unwrap_or_default();
    let mut program = Program {
        name,
        source,
        stds: Vec::new(),
        flags: Vec::new(),
        libs: Vec::new(),
        sorted: false,
        loose: false,
        automatic: false,
    };
    for item in line.split(';') {
        let words = |text: &str| text.split_whitespace().map(String::from).collect();
        match item.trim().split_once(':') {
            Some(("std", list)) => program.stds = words(list),
            Some(("flags", list)) => program.flags = words(list),
            Some(("libs", list)) => program.libs = words(list),
            None if item.trim() == "sorted" => program.sorted = true,
            None if item.trim() == "loose" => program.loose = true,
            None if item.trim() == "automatic" => program.automatic = true,
            _ => panic!("{name}: what is `{item}`?"),
        }
    }
    program
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn compile(dir: &Path, arguments: &[&str], program: &Program, std: &str) -> Output {
    let mut command = Command::new("gcc");
    command.current_dir(dir).arg(format!("-std={std}")).args(arguments).args(&program.flags);
    run(&mut command)
}

fn succeed(what: &str, output: Output) {
    assert!(output.status.success(), "{what}:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Translates as the driver does: asks the compiler for `P` and `pid` first.
fn translated(program: &Program, dir: &Path, std: &str) -> Translation {
    let source = Source { name: program.name, text: &program.source };
    let mut options = Options {
        unit: program.name.trim_end_matches(".c").into(),
        compiler: "gcc".into(),
        automatic: program.automatic.then(Automatic::default),
        ..Options::default()
    };
    let first = translate(&source, &options);
    let Some(probe) = &first.probe else { return first };
    fs::write(dir.join("probe.c"), probe).expect("to write the probe");
    let output = compile(dir, &["-fsyntax-only", "-w", "probe.c"], program, std);
    options.own = OwnNames::from_compiler(&String::from_utf8_lossy(&output.stderr));
    translate(&source, &options)
}

fn object(dir: &Path, program: &Program, std: &str, file: &str, level: &str) -> Vec<u8> {
    let arguments = [level, "-g0", "-w", "-DCLL_OFF", "-c", file, "-o", "object.o"];
    succeed(file, compile(dir, &arguments, program, std));
    succeed(
        "strip",
        run(Command::new("strip").current_dir(dir).args(["--strip-unneeded", "object.o"])),
    );
    fs::read(dir.join("object.o")).expect("an object")
}

/// Selects which of the cases a test of programs tries in this run: all in a full run, else one, by the seed and by the
/// program's name.
pub fn of_test<T: Copy>(name: &str, all: &[T]) -> Vec<T> {
    if test_draw::is_full() {
        return all.to_vec();
    }
    test_draw::one_of(all, name.bytes().map(usize::from).sum())
}

fn check(name: &'static str) {
    let program = program(name);
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    let include = tests().join("../../runtime/include/cll.h");
    fs::copy(include, dir.join("cll.h")).expect("to copy cll.h");
    fs::copy(tests().join("stub/cll.c"), dir.join("cll.c")).expect("to copy the stub");
    fs::write(dir.join(name), &program.source).expect("to write the source");
    let stem = name.trim_end_matches(".c");
    let new = format!("{stem}.cll.c");
    succeed("stub", run(Command::new("gcc").current_dir(dir).args(["-c", "cll.c"])));
    let stds: Vec<&str> = program.stds.iter().map(String::as_str).collect();
    for std in of_test(name, &stds) {
        let translation = translated(&program, dir, std);
        assert!(!translation.failed(), "{name}: {:#?}", translation.diagnostics);
        let code = translation.code.as_ref().expect("code");
        fs::write(dir.join(&new), code).expect("to write the code");
        fs::write(
            dir.join(format!("{stem}.cll.h")),
            translation.header.as_ref().expect("a header").timed(),
        )
        .expect("to write the header");
        let libs: Vec<&str> = program.libs.iter().map(String::as_str).collect();
        let old = [&["-w", "-O2", name, "-o", "old"][..], &libs].concat();
        succeed(name, compile(dir, &old, &program, std));
        for level in of_test(name, &["-O0", "-O2"]) {
            let strict: &[&str] = if program.loose { &["-Wall", "-Wextra"] } else { &STRICT };
            let build = [strict, &[level, &new, "cll.o", "-o", "new"], &libs].concat();
            succeed(&format!("{name} {std} {level}"), compile(dir, &build, &program, std));
            let before = run(&mut Command::new(dir.join("old")));
            let after = run(Command::new(dir.join("new")).env("CLL_TRACE", dir.join("trace")));
            if name != "sampling.c" {
                assert_eq!(after.stdout, before.stdout, "{name} {std} {level}");
            }
            assert_eq!(after.status, before.status, "{name} {std} {level}");
            let mut trace = fs::read_to_string(dir.join("trace")).expect("a trace");
            if program.sorted {
                let mut lines: Vec<_> = trace.lines().collect();
                lines.sort_unstable();
                trace = lines.join("\n") + "\n";
            }
            if name == "sampling.c" {
                trace = format!("{trace}--\n{}", String::from_utf8_lossy(&after.stdout));
            }
            expect_file![tests().join("run").join(format!("{stem}.trace"))].assert_eq(&trace);
            let same =
                object(dir, &program, std, &new, level) == object(dir, &program, std, name, level);
            assert!(same, "{name} {std} {level}: with CLL_OFF the object is another");
        }
    }
}

/// Every program of these tests does the same if all its functions and loops are measured, too: in a pilot and after.
#[test]
fn with_automatic_experiments() {
    for name in test_draw::thinned(PROGRAMS, 5) {
        let program = Program { automatic: true, ..program(name) };
        let dir = tempfile::tempdir().expect("a directory");
        let dir = dir.path();
        let include = tests().join("../../runtime/include/cll.h");
        fs::copy(include, dir.join("cll.h")).expect("to copy cll.h");
        fs::copy(tests().join("stub/cll.c"), dir.join("cll.c")).expect("to copy the stub");
        fs::write(dir.join(name), &program.source).expect("to write the source");
        succeed("stub", run(Command::new("gcc").current_dir(dir).args(["-c", "cll.c"])));
        let std = &program.stds[0];
        let libs: Vec<&str> = program.libs.iter().map(String::as_str).collect();
        let old = [&["-w", "-O2", name, "-o", "old"][..], &libs].concat();
        succeed(name, compile(dir, &old, &program, std));
        let before = run(&mut Command::new(dir.join("old")));
        let stem = name.trim_end_matches(".c");
        for is_pilot in [false, true] {
            let source = Source { name, text: &program.source };
            let choice = Automatic { is_pilot, ..Automatic::default() };
            let mut options =
                Options { unit: stem.into(), automatic: Some(choice), ..Options::default() };
            // A program without integer parameters and bounds has no question.
            if let Some(probe) = translate(&source, &options).probe {
                fs::write(dir.join("probe.c"), probe).expect("to write the probe");
                let output = compile(dir, &["-fsyntax-only", "-w", "probe.c"], &program, std);
                options.own = OwnNames::from_compiler(&String::from_utf8_lossy(&output.stderr));
            }
            let translation = translate(&source, &options);
            assert!(!translation.failed(), "{name}: {:#?}", translation.diagnostics);
            assert!(!translation.regions.is_empty(), "{name}: {:?}", translation.left_out);
            let new = format!("{stem}.cll.c");
            fs::write(dir.join(&new), translation.code.expect("code")).expect("to write");
            let header = translation.header.expect("a header").timed();
            fs::write(dir.join(format!("{stem}.cll.h")), header).expect("to write");
            let build = [&["-Wall", "-Wextra", "-O2", &new, "cll.o", "-o", "new"][..], &libs];
            succeed(name, compile(dir, &build.concat(), &program, std));
            let after = run(Command::new(dir.join("new")).env("CLL_TRACE", dir.join("trace")));
            if *name != "sampling.c" {
                assert_eq!(after.stdout, before.stdout, "{name}");
            }
            assert_eq!(after.status, before.status, "{name}");
            let trace = fs::read_to_string(dir.join("trace")).expect("a trace");
            let named = |region: &cll_translate::Region| {
                trace.lines().any(|line| line.split(' ').next() == Some(&region.name))
            };
            assert!(translation.regions.iter().any(named), "{name}: {trace}");
        }
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(concat!(stringify!($name), ".c")); })*

        const PROGRAMS: &[&str] = &[$(concat!(stringify!($name), ".c")),*];
    };
}

programs! {
    placements leaving sampling fft openmp macros conditional lines gnu_source recursion
    old_style gnu own_names letters renamed automatic thread_ends
}
