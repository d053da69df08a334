//! Command lines and what they become.

use cll_driver::Driver;
use expect_test::{Expect, expect};

use crate::support::Place;

/// Each line with its commands.
fn check(lines: &[&str], expected: Expect) {
    let place = Place::new();
    let row = |line: &&str| format!("{line}\n{}", place.shown(line, Driver::default()));
    expected.assert_eq(&lines.iter().map(row).collect::<String>());
}

#[test]
fn a_source_with_directives_is_compiled_in_a_folder_of_its_own() {
    check(
        &[
            "-O2 -c DIR/walk.c",
            "-c DIR/walk.c -o DIR/x.o",
            "-S DIR/walk.c",
            "-fsyntax-only DIR/walk.c",
            "DIR/walk.c -o DIR/walk -lm",
            "-c DIR/sub/walk.c -I DIR/inc -include before.h",
        ],
        expect![[r#"
            -O2 -c DIR/walk.c
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -O2 -c WORK/0/walk.c -isystem LIB
            -c DIR/walk.c -o DIR/x.o
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -c WORK/0/walk.c -o DIR/x.o -isystem LIB
            -S DIR/walk.c
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -S WORK/0/walk.c -isystem LIB
            -fsyntax-only DIR/walk.c
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -fsyntax-only WORK/0/walk.c -isystem LIB
            DIR/walk.c -o DIR/walk -lm
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c WORK/0/walk.c -o DIR/walk -lm -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -c DIR/sub/walk.c -I DIR/inc -include before.h
            CC -iquote DIR/sub -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/sub/walk.c -c WORK/0/walk.c -I DIR/inc -include before.h -isystem LIB
        "#]],
    );
}

#[test]
fn a_source_without_directives_gets_headers_and_the_library() {
    check(
        &[
            "-c DIR/part.c",
            "DIR/part.c -o DIR/part",
            "DIR/part.o -o DIR/part",
            "-shared DIR/part.o -o DIR/part.so",
            "-static DIR/part.c",
            "-r DIR/part.o -o DIR/all.o",
            "-c DIR/none.s",
        ],
        expect![[r#"
            -c DIR/part.c
            CC -c DIR/part.c -isystem LIB
            DIR/part.c -o DIR/part
            CC DIR/part.c -o DIR/part -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            DIR/part.o -o DIR/part
            CC DIR/part.o -o DIR/part LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -shared DIR/part.o -o DIR/part.so
            CC -shared DIR/part.o -o DIR/part.so LIB/libcll.a -lpthread -ldl -lm
            -static DIR/part.c
            CC -static DIR/part.c -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm
            -r DIR/part.o -o DIR/all.o
            CC -r DIR/part.o -o DIR/all.o
            -c DIR/none.s
            CC -c DIR/none.s -isystem LIB
        "#]],
    );
}

#[test]
fn what_the_compiler_says_of_itself_is_its_own() {
    check(
        &[
            "--version",
            "-v",
            "-dumpmachine",
            "-print-prog-name=ld",
            "-### -c DIR/walk.c",
            "-M DIR/walk.c",
            "-MM DIR/part.c",
        ],
        expect![[r#"
            --version
            CC --version
            -v
            CC -v
            -dumpmachine
            CC -dumpmachine
            -print-prog-name=ld
            CC -print-prog-name=ld
            -### -c DIR/walk.c
            CC '-###' -c DIR/walk.c
            -M DIR/walk.c
            CC -M DIR/walk.c -isystem LIB
            -MM DIR/part.c
            CC -MM DIR/part.c -isystem LIB
        "#]],
    );
}

#[test]
fn sources_of_several_folders_are_compiled_one_by_one() {
    check(
        &[
            "-c DIR/walk.c DIR/sub/walk.c",
            "DIR/walk.c DIR/sub/walk.c DIR/x.o -lm -o DIR/w",
            "-MMD -MF DIR/deps DIR/walk.c DIR/sub/walk.c -o DIR/w",
            "-MMD DIR/walk.c DIR/sub/walk.c -o DIR/w",
            "-x c DIR/walk.c DIR/sub/walk.c -x none DIR/x.o",
        ],
        expect![[r#"
            -c DIR/walk.c DIR/sub/walk.c
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -c -isystem LIB -x c WORK/0/walk.c
            CC -iquote DIR/sub -iquote WORK/1 -ffile-prefix-map=WORK/1/walk.c=DIR/sub/walk.c -c -isystem LIB -x c WORK/1/walk.c
            DIR/walk.c DIR/sub/walk.c DIR/x.o -lm -o DIR/w
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -lm -isystem LIB -c -o WORK/0/walk.c.o -x c WORK/0/walk.c
            CC -iquote DIR/sub -iquote WORK/1 -ffile-prefix-map=WORK/1/walk.c=DIR/sub/walk.c -lm -isystem LIB -c -o WORK/1/walk.c.o -x c WORK/1/walk.c
            CC WORK/0/walk.c.o WORK/1/walk.c.o DIR/x.o -lm -o DIR/w -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -MMD -MF DIR/deps DIR/walk.c DIR/sub/walk.c -o DIR/w
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -MMD -isystem LIB -c -o WORK/0/walk.c.o -MF DIR/deps -MT walk.o -x c WORK/0/walk.c
            CC -iquote DIR/sub -iquote WORK/1 -ffile-prefix-map=WORK/1/walk.c=DIR/sub/walk.c -MMD -isystem LIB -c -o WORK/1/walk.c.o -MF DIR/deps -MT walk.o -x c WORK/1/walk.c
            CC -MMD -MF DIR/deps WORK/0/walk.c.o WORK/1/walk.c.o -o DIR/w -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -MMD DIR/walk.c DIR/sub/walk.c -o DIR/w
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -MMD -isystem LIB -c -o WORK/0/walk.c.o -MF DIR/w-walk.d -MT walk.o -x c WORK/0/walk.c
            CC -iquote DIR/sub -iquote WORK/1 -ffile-prefix-map=WORK/1/walk.c=DIR/sub/walk.c -MMD -isystem LIB -c -o WORK/1/walk.c.o -MF DIR/w-walk.d -MT walk.o -x c WORK/1/walk.c
            CC -MMD WORK/0/walk.c.o WORK/1/walk.c.o -o DIR/w -isystem LIB LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -x c DIR/walk.c DIR/sub/walk.c -x none DIR/x.o
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -isystem LIB -c -o WORK/0/walk.c.o -x c WORK/0/walk.c
            CC -iquote DIR/sub -iquote WORK/1 -ffile-prefix-map=WORK/1/walk.c=DIR/sub/walk.c -isystem LIB -c -o WORK/1/walk.c.o -x c WORK/1/walk.c
            CC -x c -x none WORK/0/walk.c.o -x none WORK/1/walk.c.o -x none DIR/x.o -isystem LIB -x none LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
        "#]],
    );
}

#[test]
fn languages_are_those_of_the_options() {
    check(
        &["-x c DIR/walk.c -o DIR/w", "-x c++ -c DIR/walk.c", "-xassembler -c DIR/walk.c"],
        expect![[r#"
            -x c DIR/walk.c -o DIR/w
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -x c WORK/0/walk.c -o DIR/w -isystem LIB -x none LIB/libbsp.a LIB/libcll.a -lpthread -ldl -lm '-Wl,--export-dynamic-symbol=cll_*'
            -x c++ -c DIR/walk.c
            CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -x c++ -c WORK/0/walk.c -isystem LIB
            -xassembler -c DIR/walk.c
            CC -xassembler -c DIR/walk.c -isystem LIB
        "#]],
    );
}

/// A C++ compiler compiles all of them as C++.
#[test]
fn drivers_of_other_languages() {
    let place = Place::new();
    place.write("walk.cc", crate::support::WALK);
    let cxx = Driver::named("cllc++".as_ref()).unwrap();
    let rows =
        ["-c DIR/walk.c", "-c DIR/walk.cc", "-c DIR/part.c"].map(|line| place.shown(line, cxx));
    expect![[r#"
        CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.c=DIR/walk.c -c WORK/0/walk.c -isystem LIB
        CC -iquote DIR -iquote WORK/0 -ffile-prefix-map=WORK/0/walk.cc=DIR/walk.cc -c WORK/0/walk.cc -isystem LIB
        CC -c DIR/part.c -isystem LIB
    "#]].assert_eq(&rows.concat());
}

/// Else a cache of compilations would never find anything.
#[test]
fn the_folder_is_the_same_each_time_and_another_for_another_text() {
    let place = Place::new();
    let shown = || {
        let (result, heard) = place.call("--launch CC -show -c DIR/walk.c", Driver::default());
        result.unwrap();
        heard.printed
    };
    let first = shown();
    assert_eq!(shown(), first);
    place.write("walk.c", &crate::support::WALK.replace("walk[1]*N", "walk[1]*N*N"));
    assert_ne!(shown(), first);
}
