//! The library as programs get it: its symbols, and that it links in every way.

use std::path::Path;
use std::process::Command;

use crate::support::{Build, Program, compile_to, compile_with, libcll, samples, sources, tool};

#[test]
fn only_cll_names_are_global() {
    for file in [&libcll().archive, &libcll().shared] {
        let mut args = vec!["--defined-only", "--extern-only", "--format=just-symbols"];
        if file.extension().is_some_and(|extension| extension == "so") {
            args.push("--dynamic");
        }
        args.push(file.to_str().unwrap());
        let table = tool("nm", args);
        let is_symbol = |line: &&str| !line.is_empty() && !line.ends_with(':');
        let names: Vec<&str> = table.lines().filter(is_symbol).collect();
        let strange: Vec<_> = names.iter().filter(|name| !name.starts_with("cll_")).collect();
        assert!(strange.is_empty(), "{}: {strange:?}", file.display());
        for wanted in ["cll_self", "cll_flags", "cll_on", "cll_leave_slow", "cll_loop_next"] {
            assert!(names.contains(&wanted), "{} lacks {wanted}", file.display());
        }
    }
}

fn records_one_of_each(program: &Program) {
    program.run_well(&[]);
    let trace = program.trace();
    assert_eq!(["f", "g", "h"].map(|name| samples(&trace, name)), [1, 1, 1]);
}

#[test]
fn every_standard_and_every_warning() {
    let warnings = "-pedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wundef \
                    -Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wfloat-equal";
    for standard in ["c89", "gnu89", "c99", "c11", "gnu17"] {
        let standard = format!("-std={standard}");
        let mut flags: Vec<&str> = warnings.split_whitespace().collect();
        flags.extend([standard.as_str(), "-O2"]);
        let build = Build { flags: &flags, ..Build::default() };
        records_one_of_each(&compile_with("plain.c", "plain", build));
    }
    for standard in ["c++98", "c++11", "c++20"] {
        let standard = format!("-std={standard}");
        let flags = ["-x", "c++", "-pedantic", "-Wshadow", "-O2", &standard];
        let program = Program::in_new_folder("plain");
        // The language first: the source comes before other flags.
        let mut command = Command::new("g++");
        command.args(["-Wall", "-Wextra", "-Werror", "-I"]).arg(sources()).args(flags);
        command
            .arg("-I")
            .arg(libcll().header.parent().unwrap())
            .arg("-c")
            .arg(sources().join("plain.c"));
        let object = program.folder.path().join("plain.o");
        assert!(command.arg("-o").arg(&object).status().unwrap().success(), "{standard}");
        compile_to(&object, &program.path, Build { compiler: "g++", flags: &[], linked: true });
        records_one_of_each(&program);
    }
}

#[test]
fn static_without_unused_sections_position_dependent_and_shared() {
    for flags in [
        &["-O2", "-static"][..],
        &["-O2", "-static-pie", "-fPIE"],
        &["-O2", "-Wl,--gc-sections", "-ffunction-sections", "-fdata-sections"],
        &["-O2", "-no-pie", "-fno-pie"],
        &["-O2", "-flto"],
        &["-O2", "-Wl,-z,now", "-Wl,--as-needed"],
    ] {
        let build = Build { flags, ..Build::default() };
        records_one_of_each(&compile_with("plain.c", "plain", build));
    }
    let shared = libcll().shared.to_str().unwrap();
    let place = format!("-Wl,-rpath,{}", libcll().shared.parent().unwrap().display());
    let build = Build { flags: &["-O2", shared, &place], linked: false, ..Build::default() };
    records_one_of_each(&compile_with("plain.c", "plain", build));
}

#[test]
fn with_the_markers_off_no_library_is_needed() {
    let program = Program::in_new_folder("gated");
    let source = program.folder.path().join("gated.c");
    let text = "#include \"cll.h\"\nint main(void) { cll_on(); cll_off(); return cll_is_on(); }\n";
    std::fs::write(&source, text).unwrap();
    compile_to(
        &source,
        &program.path,
        Build { flags: &["-DCLL_OFF"], linked: false, ..Build::default() },
    );
    program.run_well(&[]);
}

#[test]
fn beside_another_library_in_rust() {
    let program = Program::in_new_folder("beside");
    let other = program.folder.path().join("libother_runtime.a");
    let source = sources().join("other_runtime.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let arguments = [
        Path::new("--crate-type=staticlib"),
        Path::new("-O"),
        Path::new("--edition=2024"),
        Path::new("-o"),
        &other,
        &source,
    ];
    tool(rustc.to_str().unwrap(), arguments);
    // In both orders.
    for first in [true, false] {
        let other = other.to_str().unwrap();
        let ours = libcll().archive.to_str().unwrap();
        let libraries = if first { [other, ours] } else { [ours, other] };
        let flags = [libraries[0], libraries[1], "-lpthread", "-ldl", "-lm"];
        let build = Build { flags: &flags, linked: false, ..Build::default() };
        compile_to(&sources().join("beside.c"), &program.path, build);
        program.run_well(&[]);
    }
    assert_eq!(program.traces().len(), 2);
}
