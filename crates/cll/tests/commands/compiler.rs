//! `cll cc`: as the compiler would have done it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use test_draw::thinned;

use crate::support::{Done, Place, WALK, have, run};

/// The same arguments by `cll cc` and by the compiler itself, in two places that are alike.
fn both(files: &[(&str, &str)], arguments: &[&str]) -> (Place, Place, Done, Done) {
    let (ours, theirs) = (Place::new(), Place::new());
    for (name, text) in files {
        ours.write(name, text);
        theirs.write(name, text);
    }
    let mut with_cc = vec!["cc"];
    with_cc.extend(arguments);
    let by_us = ours.cll_with(&[("CLL_CC", "gcc")], &with_cc);
    let by_them = run(theirs.command("gcc").args(arguments));
    (ours, theirs, by_us, by_them)
}

const PLAIN: &str = "#include \"part.h\"\nint main(void) { return part(); }\n";
const PART: &str = "int part(void) { return 3; }\n";
const FILES: &[(&str, &str)] = &[
    ("walk.c", WALK),
    ("plain.c", PLAIN),
    ("part.c", PART),
    ("part.h", "int part(void);\n"),
    ("sub/walk.c", WALK),
    ("a b/walk.c", WALK),
];

#[test]
fn the_same_files_come_of_it() {
    // Which commands they become: in the tests of the crate `driver`.
    let lines = [
        "-c walk.c",
        "-c walk.c -o x.o",
        "-S walk.c",
        "-c sub/walk.c",
        "-c sub/walk.c -o sub/y.o",
        "walk.c",
        "walk.c -o w",
        "plain.c part.c -o p",
        "-c walk.c plain.c part.c",
        "-c walk.c sub/walk.c",
        "-fsyntax-only walk.c",
        "-E walk.c -o w.i",
        "-MD -c walk.c",
        "-MMD -c sub/walk.c",
        "-MMD -MF deps -c walk.c -o x.o",
        "-MD -MP -MT target -c walk.c",
        "-MD walk.c -o w",
        "-MD plain.c part.c -o w",
        "-M walk.c",
        "-MM -MF deps walk.c",
        "-shared -fPIC walk.c -o w.so",
        "-r -c walk.c -o r.o",
        "-x c -c walk.c -x none",
        "-g -c walk.c",
        "-save-temps=obj -c part.c",
    ];
    for line in thinned(lines, 3) {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (ours, theirs, by_us, by_them) = both(FILES, &arguments);
        assert_eq!(by_us.code, by_them.code, "{line}: {}\n{}", by_us.err, by_them.err);
        assert_eq!(ours.list("."), theirs.list("."), "{line}");
        assert_eq!(ours.list("sub"), theirs.list("sub"), "{line}");
    }
}

#[test]
fn dependencies_are_those_of_the_compiler() {
    let lines = [
        "-MD -c walk.c",
        "-MMD -c sub/walk.c",
        "-MMD -MP -MF out.d -c plain.c walk.c",
        "-MD -MF out.d -MT a -MQ b$ -c walk.c",
        "-MD walk.c -o w",
        "-M walk.c",
        "-MM walk.c plain.c",
    ];
    for line in thinned(lines, 2) {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (ours, theirs, by_us, by_them) = both(FILES, &arguments);
        by_us.expect(0);
        by_them.expect(0);
        let words = |place: &Place| -> Vec<String> {
            let mut texts = Vec::new();
            for folder in [".", "sub"] {
                let names = place.list(folder);
                for name in names.iter().filter(|name| name.ends_with(".d")) {
                    let text = place.read(&format!("{folder}/{name}")).replace("\\\n", " ");
                    let mut words: Vec<&str> = text.split_whitespace().collect();
                    words.sort_unstable();
                    texts.push(format!("{name}: {}", words.join(" ")));
                }
            }
            texts
        };
        assert_eq!(words(&ours), words(&theirs), "{line}");
    }
    let (ours, theirs, by_us, by_them) = both(FILES, &["-MM", "walk.c"]);
    assert_eq!(by_us.out, by_them.out);
    drop((ours, theirs));
}

#[test]
fn a_source_without_directives_gives_the_same_object() {
    let (ours, theirs, by_us, by_them) = both(FILES, &["-O2", "-c", "plain.c"]);
    assert_eq!((by_us.code, by_them.code), (0, 0));
    assert_eq!(ours.bytes("plain.o"), theirs.bytes("plain.o"));
}

#[test]
fn with_markers_off_the_code_is_the_same() {
    let line = ["-O2", "-DCLL_OFF", "-S", "walk.c"];
    let (ours, theirs, by_us, by_them) = both(FILES, &line);
    assert_eq!((by_us.code, by_them.code), (0, 0));
    assert_eq!(ours.read("walk.s"), theirs.read("walk.s"));
}

#[test]
fn exit_codes_and_messages_are_the_compilers() {
    let bad = WALK.replace("return sum;", "return sun;");
    let files = [("walk.c", bad.as_str())];
    let (_, _, by_us, by_them) = both(&files, &["-c", "walk.c"]);
    assert_eq!(by_us.code, by_them.code);
    assert_eq!(by_us.err, by_them.err, "file, line, text and carets are the user's");

    let (_, _, by_us, by_them) = both(&files, &["-c", "nowhere.c"]);
    assert_eq!((by_us.code, &by_us.err), (by_them.code, &by_them.err));

    let (_, _, by_us, by_them) = both(FILES, &["-c", "walk.c", "plain.c", "-o", "x.o"]);
    assert_eq!((by_us.code, &by_us.err), (by_them.code, &by_them.err));

    let (_, _, by_us, by_them) = both(FILES, &[]);
    assert_eq!((by_us.code, &by_us.err), (by_them.code, &by_them.err));
}

#[test]
fn what_the_compiler_says_of_itself_is_passed_through() {
    for line in ["--version", "-dumpmachine", "-print-prog-name=ld", "-v", "--help"] {
        if line == "--help" {
            continue;
        }
        let (_, _, by_us, by_them) = both(FILES, &[line]);
        assert_eq!((by_us.code, &by_us.out), (by_them.code, &by_them.out), "{line}");
    }
    let (_, _, by_us, _) = both(FILES, &["-###", "-c", "walk.c"]);
    by_us.expect(0).says(&["cc1", "walk.c"]);
}

#[test]
fn preprocessed_text_names_the_users_file_and_compiles() {
    let place = Place::with_walk();
    let done = place.cll(&["cc", "-E", "walk.c"]).expect(0);
    assert!(done.out.contains("\"walk.c\"") && !done.out.contains("cll-cc-"), "{}", done.out);
    place.write("again.i", &done.out);
    place.cll(&["cc", "again.i", "-o", "again"]).expect(0);
    place.cll(&["run", "./again"]).expect(0).prints(&["walk.c 1000 ok"]);
}

#[test]
fn standard_input_is_a_source() {
    let place = Place::new();
    place.cll_fed(&["cc", "-x", "c", "-", "-o", "w"], WALK.as_bytes()).expect(0);
    place.cll(&["run", "./w"]).expect(0).prints(&["<stdin> 1000 ok"]);
    assert!(place.exists("w.cll.0.dat"));
    place.cll_fed(&["cc", "-x", "c", "-", "-c"], PART.as_bytes()).expect(0);
    assert_eq!(
        place.cll_fed(&["cc", "-xc", "-E", "-"], b"a b\n").expect(0).out.lines().last(),
        Some("a b")
    );
}

#[test]
fn included_files_are_found_beside_the_source() {
    let place = Place::new();
    place.write(
        "src/m.c",
        WALK.replace("#include <stdio.h>", "#include <stdio.h>\n#include \"c.h\""),
    );
    place.write("src/c.h", "#include \"d.h\"\n");
    place.write("src/d.h", "#define IN_SRC 1\n");
    place.write("c.h", "#error the wrong one\n");
    place.write("before.h", "#define BEFORE 1\n");
    place.cll(&["cc", "-include", "before.h", "-o", "m", "src/m.c"]).expect(0);
    place.cll(&["run", "./m"]).expect(0).prints(&["src/m.c 1000 ok"]);
}

#[test]
fn headers_beside_the_source_keep_their_names() {
    let walk = format!("#include \"name.h\"\n{WALK}");
    let files = [
        ("walk.c", walk.as_str()),
        ("name.h", "const char *const beside = \"<\" __FILE__ \">\";\n"),
        ("sub/walk.c", walk.as_str()),
        ("sub/name.h", "const char *const beside = \"<\" __FILE__ \">\";\n"),
    ];
    for line in ["walk.c", "-I. walk.c", "-g -I. walk.c", "sub/walk.c", "-I./sub sub/walk.c"] {
        let arguments: Vec<&str> = ["-c", "-o", "x.o"].into_iter().chain(line.split(' ')).collect();
        let (ours, theirs, by_us, by_them) = both(&files, &arguments);
        assert_eq!((by_us.code, by_them.code), (0, 0), "{line}: {}", by_us.err);
        let name = |place: &Place| {
            let object = fs::read(place.path("x.o")).unwrap();
            let start =
                object.windows(2).position(|two| two == b"<s" || two == b"<n" || two == b"<.");
            let rest = &object[start.expect("the name")..];
            let end = rest.iter().position(|byte| *byte == b'>').unwrap();
            String::from_utf8_lossy(&rest[..end]).into_owned()
        };
        assert_eq!(name(&ours), name(&theirs), "{line}");
    }
    let (ours, theirs, ..) = both(&files, &["-E", "walk.c", "-o", "walk.i"]);
    let markers = |place: &Place| {
        let text = place.read("walk.i");
        let quoted = text.lines().filter_map(|line| line.split('"').nth(1));
        quoted.filter(|name| name.ends_with("name.h")).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(markers(&ours), markers(&theirs));
}

#[test]
fn files_of_several_folders_are_linked_together() {
    let place = Place::new();
    let part = "#include \"own.h\"\ndouble NAME(int N)\n{\n    double s = 0;\n    int i;\n#pragma cll NAME \
                NAME[0] + NAME[1]*N\n    for (i = 0; i < N; i++) s += i * VALUE;\n#pragma cll end NAME\n    \
                return s;\n}\n";
    for (folder, name, value) in [("x", "first", "2"), ("y", "second", "3")] {
        place.write(&format!("{folder}/part.c"), part.replace("NAME", name));
        place.write(&format!("{folder}/own.h"), format!("#define VALUE {value}\n"));
    }
    place.write(
        "main.c",
        "double first(int), second(int);\nint main(void) { return second(4) / first(4) == 1.5 ? 0 : 1; }\n",
    );
    place.cll(&["cc", "-O1", "main.c", "x/part.c", "y/part.c", "-o", "both", "-MMD"]).expect(0);
    place.cll(&["run", "./both"]).expect(0);
    let value = place.cll(&["export", "both.cll.0.dat", "--format", "json"]).expect(0).json();
    let names: Vec<_> =
        value["experiments"].as_array().unwrap().iter().map(|e| e["name"].clone()).collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn make_builds_a_project_of_many_files() {
    if !have("make", "make_builds_a_project_of_many_files") {
        return;
    }
    let place = Place::new();
    place.write(
        "Makefile",
        "CFLAGS = -O2 -Wall -Werror -MMD -MP\nOBJECTS = main.o lib/lib.o\nprog: $(OBJECTS)\n\t$(CC) \
         $(CFLAGS) -o $@ $^ -lm\n-include $(OBJECTS:.o=.d)\n",
    );
    place.write(
        "main.c",
        "#include \"lib/lib.h\"\nint main(void) { return lib(100) > 0 ? 0 : 1; }\n",
    );
    place.write("lib/lib.h", "double lib(int N);\n");
    place.write(
        "lib/lib.c",
        "#include \"lib.h\"\n#include <math.h>\ndouble lib(int N)\n{\n    double s = 0;\n#pragma cll lib lib[0] \
         + lib[1]*N\n    for (int i = 0; i < N; i++) s += sqrt(i);\n#pragma cll end lib\n    return s;\n}\n",
    );
    place.sh("make CC='cll cc'").expect(0);
    place.sh("make CC='cll cc'").expect(0).prints(&["up to date"]);
    place
        .sh("sleep 0.02; touch lib/lib.h; make -n CC='cll cc'")
        .expect(0)
        .prints(&["lib/lib.o", "main.o"]);
    place.cll(&["run", "./prog"]).expect(0);
    assert!(place.exists("prog.cll.0.dat"));
}

#[test]
fn show_prints_commands_and_runs_none() {
    let place = Place::with_walk();
    let done =
        place.cll_with(&[("CLL_CC", "ccache my-gcc")], &["cc", "-show", "-O2", "walk.c"]).expect(0);
    assert!(
        done.out.starts_with("ccache my-gcc ") && done.out.lines().count() == 1,
        "{}",
        done.out
    );
    for part in ["-iquote .", "-O2", "libcll.a", "'-Wl,--export-dynamic-symbol=cll_*'"] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    assert_eq!(place.list("."), ["walk.c"]);
}

#[test]
fn the_compiler_may_have_words_before_it() {
    let place = Place::with_walk();
    place.write("wrapper", "#!/bin/sh\necho \"$@\" >> log\nexec \"$@\"\n");
    fs::set_permissions(place.path("wrapper"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    place.cll_with(&[("CLL_CC", "./wrapper gcc -m64")], &["cc", "walk.c", "-o", "w"]).expect(0);
    assert!(place.read("log").contains("gcc -m64"), "{}", place.read("log"));
    place.cll(&["cc", "--launch", "gcc", "-c", "walk.c"]).expect(0);
    assert!(place.exists("walk.o"));
}

#[test]
fn debug_information_names_the_users_file() {
    let place = Place::with_walk();
    place.cll(&["cc", "-g", "-c", "walk.c"]).expect(0);
    let dump = Command::new("objdump").args(["--dwarf=info"]).arg(place.path("walk.o")).output();
    let text = String::from_utf8_lossy(&dump.unwrap().stdout).into_owned();
    assert!(text.contains("walk.c") && !text.contains("cll-cc-"), "{text}");
}
