//! Tests the information that a program gives about itself, and the programs that are refused.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use cll_files::Advice;
use cll_launch::{Error, Instrumented, Parallelism, TranslatedUnit, check_clause, find};
use tempfile::tempdir;

use crate::elf::{Elf, executable, record, unit};

#[track_caller]
fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}

#[test]
fn records_are_read_in_the_order_of_the_sources() {
    let folder = tempdir().unwrap();
    let mut records = unit("OpenMP");
    // The linker fills gaps with zeros.
    records.extend([0; 7]);
    records.extend(record(
        r#"{"file":"b.c","model":"sequential","interface":2,"of tomorrow":1,
            "places":[{"experiment":"g","line":7,"counters":["cycles","papi::x"]},{"experiment":"h","line":9}]}"#,
    ));
    let program = Instrumented::read(&Elf::with(records).write(folder.path(), "p")).unwrap();
    let files: Vec<&str> = program.units.iter().map(|unit| unit.file.as_str()).collect();
    assert_eq!(files, ["a.c", "b.c"]);
    assert_eq!(program.units[0].compiler, "gcc -O2");
    let places = &program.units[1].places;
    assert_eq!((places[0].experiment.as_str(), places[0].line), ("g", 7));
    assert_eq!((places[1].experiment.as_str(), places[1].counters.len()), ("h", 0));
    assert_eq!(program.counters(), ["cycles", "papi::x"]);
    assert_eq!(program.models(), ["OpenMP", "sequential"]);
    assert!(program.has_places() && program.is_parallel() && !program.is_bsp() && !program.loads);
}

#[test]
fn models_say_how_processors_run() {
    let folder = tempdir().unwrap();
    for (models, is_bsp, is_pub, is_parallel, parallelism) in [
        (&["sequential"][..], false, false, false, Parallelism::Threads),
        (&["sequential", "OpenMP"], false, false, true, Parallelism::Threads),
        (&["sequential", "BSP"], true, false, true, Parallelism::Bsp),
        (&["BSP", "PUB"], true, true, true, Parallelism::Objects),
        (&["MPI"], false, false, true, Parallelism::Ranks),
    ] {
        let records = models.iter().flat_map(|model| unit(model)).collect();
        let path = Elf::with(records).write(folder.path(), "p");
        let program = Instrumented::read(&path).unwrap();
        assert_eq!((program.is_bsp(), program.is_pub()), (is_bsp, is_pub), "{models:?}");
        assert_eq!(program.is_parallel(), is_parallel, "{models:?}");
        assert_eq!(Parallelism::for_program(&path, &program), parallelism, "{models:?}");
    }
    // A program of MPI need not be built by us.
    let linked = Elf { needed: vec!["libmpi.so.40".to_owned()], ..Elf::default() };
    let path = linked.write(folder.path(), "p");
    assert_eq!(Parallelism::for_program(&path, &Instrumented::default()), Parallelism::Ranks);
}

/// Those in its own search path, beside it; a library of the system has no records.
#[test]
fn records_of_its_libraries_are_read() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    Elf { functions: vec!["dlopen".to_owned()], ..Elf::with(unit("OpenMP")) }
        .write(&folder.path().join("lib"), "libown.so");
    for runpath in ["$ORIGIN/lib", "/nowhere:${ORIGIN}/lib"] {
        let program = Elf {
            needed: vec!["libc.so.6".to_owned(), "libown.so".to_owned()],
            runpath: runpath.to_owned(),
            ..Elf::with(unit("sequential"))
        };
        let program = Instrumented::read(&program.write(folder.path(), "p")).unwrap();
        assert_eq!(program.models(), ["OpenMP", "sequential"], "{runpath}");
        assert!(program.loads, "{runpath}");
    }
    let alone = Elf { needed: vec!["libown.so".to_owned()], ..Elf::with(unit("sequential")) };
    assert_eq!(Instrumented::read(&alone.write(folder.path(), "p")).unwrap().units.len(), 1);
}

/// Libraries that the program loads later may record.
#[test]
fn a_program_without_records_may_load_libraries() {
    let folder = tempdir().unwrap();
    for (function, loads) in [("dlopen", true), ("dlmopen", true), ("dlclose", false)] {
        let path = Elf { functions: vec![function.to_owned()], ..Elf::default() }
            .write(folder.path(), "p");
        assert_eq!(Instrumented::read_or_loader(&path).is_ok(), loads, "{function}");
        assert!(Instrumented::read(&path).is_err(), "{function}");
        assert_eq!(Instrumented::look(&path).unwrap().loads, loads);
    }
}

#[test]
fn programs_that_record_nothing_are_refused_with_the_reason() {
    let folder = tempdir().unwrap();
    let plain = Elf::default().write(folder.path(), "plain");
    let (error, message, help) = parts(Instrumented::read(&plain));
    assert!(matches!(error, Error::RecordsNothing(_)), "{error:?}");
    assert!(
        message.contains("plain records nothing: it has no region that cll cc has translated"),
        "{message}"
    );
    assert_eq!(
        help,
        [
            "cll cc warns of `#pragma cll` lines that it does not read, and cll translate --auto lists what is left out",
            "if it was built with another compiler, build it with cll cc: cll cc -O2 -o plain plain.c, or make CC=\"cll cc\""
        ]
    );
    let script = executable(folder.path(), "script", b"#!/bin/sh\n");
    let (_, message, help) = parts(Instrumented::read(&script));
    assert!(message.ends_with("script is a script: give the program that it starts"), "{message}");
    assert!(help[0].contains("CLL_OUT"), "{help:?}");
    assert_eq!(Instrumented::look_or_script(&script).unwrap(), Instrumented::default());
    let text = executable(folder.path(), "text", b"not a program\n");
    let (_, message, _) = parts(Instrumented::read(&text));
    assert!(message.contains("text is not a program (ELF) that can be read:"), "{message}");
    let (error, message, _) = parts(Instrumented::read(&folder.path().join("none")));
    assert!(matches!(error, Error::Files(cll_files::Error::Unreadable { .. })), "{error:?}");
    assert!(message.ends_with("none: no such file or directory"), "{message}");
}

#[test]
fn programs_of_other_versions_and_models_are_refused() {
    let folder = tempdir().unwrap();
    let json = |interface: &str, model: &str, counters: &str| {
        record(&format!(
            r#"{{"file":"a.c","model":"{model}"{interface},"places":[{{"experiment":"f","line":3,"counters":[{counters}]}}]}}"#
        ))
    };
    for (records, part) in [
        (
            json(r#","interface":99"#, "sequential", ""),
            "another version of cll (interface 99, this one has 2): a.c must be compiled again",
        ),
        (json("", "sequential", ""), "another version of cll (interface unknown, this one has 2)"),
        (
            json(r#","interface":2"#, "CUDA", ""),
            "has the model CUDA (a.c), which this version cannot run",
        ),
        (
            json(r#","interface":2"#, "sequential", r#""cycels""#),
            "a.c:3: there is no counter cycels: did you mean cycles?",
        ),
        (
            b"CLLMODEL 7 {}\0".to_vec(),
            "another version of cll (CLLMODEL 7 {…): it must be compiled again",
        ),
        (b"CLLMODEL 1 {\0".to_vec(), "the records of experiments in"),
        (b"CLLMODEL 1 \xff\0".to_vec(), "cannot be read (expected value"),
    ] {
        let path = Elf::with(records).write(folder.path(), "p");
        let (_, message, _) = parts(Instrumented::read(&path));
        assert!(message.contains(part), "{part}: {message}");
    }
}

/// Cut anywhere or with any byte changed, it is read or refused, and never a panic.
#[test]
fn damaged_programs_are_no_harm() {
    let folder = tempdir().unwrap();
    let elf = Elf {
        needed: vec!["libm.so.6".to_owned()],
        functions: vec!["dlopen".to_owned()],
        ..Elf::with(unit("BSP"))
    };
    let bytes = elf.bytes();
    for place in (0..bytes.len()).step_by(3) {
        let cut = executable(folder.path(), "p", &bytes[..place]);
        assert!(
            Instrumented::look(&cut).is_ok_and(|program| program.units.len() <= 1)
                || place < bytes.len()
        );
        let mut changed = bytes.clone();
        changed[place] ^= 0xff;
        let _ = Instrumented::look(&executable(folder.path(), "p", &changed));
    }
    assert_eq!(Instrumented::look(&elf.write(folder.path(), "p")).unwrap().units.len(), 1);
}

#[test]
fn a_word_of_a_command_line_is_a_file_or_a_name_in_the_path() {
    let folder = tempdir().unwrap();
    let program = executable(folder.path(), "ends", b"");
    assert_eq!(find(program.as_os_str()).unwrap(), program);
    let shell = find(OsStr::new("sh")).unwrap();
    assert!(shell.is_absolute() && shell.ends_with("sh"), "{}", shell.display());
    let (error, message, help) = parts(find(folder.path().join("end").as_os_str()));
    assert!(matches!(error, Error::NoProgram { .. }), "{error:?}");
    assert!(message.ends_with("end: no such file or directory"), "{message}");
    assert_eq!(help, [format!("did you mean {}?", program.display())]);
    fs::write(folder.path().join("data"), "").unwrap();
    let (_, message, _) = parts(find(folder.path().join("data").as_os_str()));
    assert!(message.ends_with("data is not an executable file"), "{message}");
    let (_, message, help) = parts(find(OsStr::new("no-such-program-anywhere")));
    assert_eq!(message, "there is no program no-such-program-anywhere in PATH");
    assert!(help.is_empty());
    assert!(find(Path::new("./no/such").as_os_str()).is_err());
}

#[test]
fn clauses_name_counters_that_exist() {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    check_clause("a.c:3", &names(&["cpu-time", "page-faults", "r01", "papi::PAPI_FP_OPS"]))
        .unwrap();
    let (error, message, help) = parts(check_clause("a.c:3", &names(&["cpu-time", "page-fault"])));
    assert!(matches!(error, Error::NoCounter { .. }), "{error:?}");
    assert_eq!(message, "a.c:3: there is no counter page-fault: did you mean page-faults?");
    assert_eq!(help, ["cll counters lists them; PAPI's events are papi::NAME, or PAPI_…"]);
    let (_, message, _) = parts(check_clause("a.c:3", &names(&["something else"])));
    assert_eq!(message, "a.c:3: there is no counter something else");
    assert_eq!(TranslatedUnit::default().interface, None);
}
