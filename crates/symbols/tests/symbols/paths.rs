//! Call paths of real programs, compiled in many ways, against what their sources say.

use crate::support::{Place, has, line, names};

/// Compiles `program` from sources with a compiler and flags.
fn compiled(compiler: &str, flags: &str, sources: &str) -> Place {
    let place = Place::new();
    place.run("gcc -O1 -c $S/probe.c -o probe.o");
    place.run(&format!("{compiler} {flags} {sources} probe.o -o program"));
    place
}

const PLAIN: [&str; 6] = ["(inlined)", "hidden", "recursive", "recursive", "recursive", "main"];
const LINES: [&str; 6] =
    ["the call", "of inlined", "of hidden", "of itself", "of itself", "of recursive"];

#[test]
fn functions_lines_and_inlining_come_from_dwarf() {
    let ways = [
        "-O0 -g",
        "-O2 -g -fno-optimize-sibling-calls",
        "-O2 -g -fomit-frame-pointer -fPIE -pie",
        "-O2 -g -no-pie",
        "-O2 -gdwarf-4",
        "-O2 -gdwarf-3",
        "-O2 -gdwarf-5 -gz=zlib",
        "-O1 -g1 -fdebug-types-section",
    ];
    for flags in ways {
        let place = compiled("gcc", flags, "$S/plain.c");
        let paths = place.resolved(&["program"]);
        assert_eq!(paths.len(), 1);
        // Recursion that ends in itself and is unrolled by the compiler has other depths.
        let texts = names(&paths[0]);
        assert_eq!(texts, PLAIN, "{flags}");
        for (frame, text) in paths[0].iter().zip(LINES) {
            assert_eq!(frame.line, line("plain.c", text), "{flags}: {frame:?}");
            assert!(frame.file.as_ref().unwrap().ends_with("programs/plain.c"), "{frame:?}");
        }
    }
}

#[test]
fn a_symbol_table_has_functions_without_lines() {
    let place = compiled("gcc", "-O2", "$S/plain.c");
    let paths = place.resolved(&["program"]);
    // What was inlined left no trace.
    assert_eq!(names(&paths[0]), PLAIN[1..]);
    assert!(paths[0].iter().all(|frame| frame.file.is_none() && frame.line.is_none()));
    assert!(!place.object("program").has_lines() && place.object("program").has_functions());
}

#[test]
fn a_stripped_file_has_no_functions_without_its_debug_file() {
    let place = compiled("gcc", "-O2 -g -Wl,--build-id", "$S/plain.c");
    let [path] = &place.paths()[..] else { panic!("one path") };
    place.run("objcopy --only-keep-debug program program.debug");
    place.run("objcopy --strip-all --add-gnu-debuglink=program.debug program stripped");
    let mut stripped = place.object("stripped");
    assert!(!stripped.has_lines());
    let address = path[0].1;
    assert_eq!(stripped.frames_of_return(address), []);
    assert_eq!(stripped.debug_link().unwrap().name, "program.debug");
    let candidates = stripped.debug_files(&place.path("stripped"));
    assert!(candidates.contains(&place.path("program.debug")), "{candidates:?}");
    let id: String = stripped.build_id().unwrap()[1..].iter().map(|b| format!("{b:02x}")).collect();
    assert!(candidates[0].to_str().unwrap().ends_with(&format!("/{id}.debug")), "{candidates:?}");

    // Of another build.
    place.run("gcc -O1 -g -Wl,--build-id $S/plain.c probe.o -o other");
    let error = stripped.add_debug(&std::fs::read(place.path("other")).unwrap()).unwrap_err();
    assert!(
        error.to_string().starts_with("this debug information belongs to another build: build id ")
    );
    assert_eq!(stripped.frames_of_return(address), []);

    stripped.add_debug(&std::fs::read(place.path("program.debug")).unwrap()).unwrap();
    assert_eq!(names(&stripped.frames_of_return(address)), PLAIN[..2]);
}

#[test]
fn without_build_ids_the_checksum_identifies_the_debug_file() {
    let place = compiled("gcc", "-O2 -g -Wl,--build-id=none", "$S/plain.c");
    let address = place.paths()[0][0].1;
    place.run("objcopy --only-keep-debug program program.debug");
    place.run("objcopy --strip-all --add-gnu-debuglink=program.debug program stripped");
    let mut stripped = place.object("stripped");
    let mut bytes = std::fs::read(place.path("program.debug")).unwrap();
    stripped.add_debug(&bytes).unwrap();
    assert_eq!(names(&stripped.frames_of_return(address)), PLAIN[..2]);
    *bytes.last_mut().unwrap() ^= 1;
    let error = place.object("stripped").add_debug(&bytes).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
    // With neither nobody can tell.
    place.run("objcopy --strip-all program bare");
    let bytes = std::fs::read(place.path("program.debug")).unwrap();
    assert!(place.object("bare").add_debug(&bytes).is_err());
}

#[test]
fn compressed_debug_information_is_read() {
    let place = compiled("gcc", "-O2 -g", "$S/plain.c");
    for way in ["zlib", "zlib-gnu", "zstd"] {
        let help = place.run("objcopy --help");
        if !help.contains(way) && way == "zstd" {
            continue;
        }
        place.run(&format!("objcopy --compress-debug-sections={way} program program"));
        assert_eq!(names(&place.resolved(&["program"])[0]), PLAIN, "{way}");
    }
}

#[test]
fn split_debug_information_leaves_lines_and_names() {
    let place = compiled("gcc", "-O2 -gsplit-dwarf", "$S/plain.c");
    let paths = place.resolved(&["program"]);
    assert_eq!(names(&paths[0]), PLAIN[1..]);
}

#[test]
fn tail_calls_are_said() {
    let place = compiled("gcc", "-O2 -g", "$S/tails.c");
    let paths = place.resolved(&["program"]);
    assert_eq!(paths.len(), 2);
    // What `middle` went on to is not known; that it was called and is not there is.
    assert_eq!(names(&paths[0]), ["middle*", "main"]);
    assert_eq!(paths[0][0].line, line("tails.c", "void middle(void)").map(|line| line + 2));
    assert_eq!(paths[0][1].line, line("tails.c", "two frames"));
    assert_eq!(names(&paths[1]), ["whole", "main"]);
    for flags in ["-O2", "-O2 -g -fno-optimize-sibling-calls", "-O0"] {
        let place = compiled("gcc", flags, "$S/tails.c");
        let expected: &[&str] = match flags {
            "-O2" => &["middle*", "main"],
            _ => &["last", "middle", "main"],
        };
        assert_eq!(names(&place.resolved(&["program"])[0]), expected, "{flags}");
    }
}

#[test]
fn shared_objects_lie_in_the_middle_of_paths() {
    for flags in
        ["-O2 -g", "-O2", "-O2 -g -fno-plt", "-O2 -g -fcf-protection -Wl,-z,ibtplt", "-O0 -g"]
    {
        let place = Place::new();
        place.run("gcc -O1 -c $S/probe.c -o probe.o");
        place.run(&format!("gcc {flags} -fPIC -shared $S/library.c -o library.so"));
        place.run(&format!("gcc {flags} $S/user.c probe.o ./library.so -o program"));
        let paths = place.resolved(&["program", "library.so"]);
        assert_eq!(names(&paths[0]), ["back", "inside", "enter", "main"], "{flags}");
        let left = if flags.contains("-O2") { "leave*" } else { "leave" };
        assert_eq!(names(&paths[1]), ["back", "inside", left, "main"], "{flags}");
        if flags.contains("-g") {
            assert_eq!(paths[0][2].line, line("library.c", "of inside"));
            assert_eq!(paths[1][3].line, line("user.c", "of leave"));
        }
        // A library that cannot be read leaves a gap, and no claim.
        let paths = place.resolved(&["program"]);
        assert_eq!(names(&paths[1]), ["back", "main"], "{flags}");
        // Stripped, it has the names that others use.
        place.run("strip --strip-all library.so");
        let paths = place.resolved(&["program", "library.so"]);
        assert_eq!(names(&paths[0]), ["back", "enter", "main"], "{flags}");
    }
}

#[test]
fn names_of_cpp_are_those_of_the_source() {
    if !has("g++", "names_of_cpp_are_those_of_the_source") {
        return;
    }
    let expected = [
        "solver::Grid<double>::step(double, int)",
        "solver::(anonymous namespace)::local()",
        "solver::run()::{lambda()#1}::operator()() const",
        "solver::run()",
        "main",
    ];
    for flags in ["-O0 -g", "-O2 -g -fno-ipa-sra", "-O0"] {
        let place = compiled("g++", flags, "$S/classes.cpp");
        let paths = place.resolved(&["program"]);
        let found: Vec<String> = paths[0].iter().map(|frame| frame.function.clone()).collect();
        assert_eq!(found, expected, "{flags}");
        if flags != "-O0" {
            assert_eq!(paths[0][1].line, line("classes.cpp", "of step"));
        }
    }
}

#[test]
fn names_of_fortran_are_those_of_the_source() {
    if !has("gfortran", "names_of_fortran_are_those_of_the_source") {
        return;
    }
    for flags in ["-O0 -g", "-O2 -g", "-O0"] {
        let place = compiled("gfortran", flags, "$S/modules.f90");
        let paths = place.resolved(&["program"]);
        let functions: Vec<&str> = paths[0].iter().map(|frame| &*frame.function).collect();
        assert_eq!(functions, ["heat::sweep", "inner", "outside", "MAIN__"], "{flags}");
        if flags != "-O0" {
            assert_eq!(paths[0][1].line, line("modules.f90", "of sweep"), "{flags}");
            assert_eq!(paths[0][3].line, line("modules.f90", "of outside"), "{flags}");
        }
    }
}
