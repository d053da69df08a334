//! The drivers' own options, and those of other BSPlibs' drivers.

use cll_driver::compiler::CompilerKind;
use cll_driver::{Driver, Error, left_out};

use crate::support::{PART, Place, WALK, parts};

#[test]
fn a_driver_is_known_by_its_name() {
    for (name, kind, for_bsp) in [
        ("cllcc", CompilerKind::C, false),
        ("cllc++", CompilerKind::Cxx, false),
        ("cllmpicc", CompilerKind::MpiC, false),
        ("cllmpicxx", CompilerKind::MpiCxx, false),
        ("bspcc", CompilerKind::C, true),
        ("bspcxx", CompilerKind::Cxx, true),
    ] {
        assert_eq!(Driver::named(name.as_ref()), Some(Driver { kind, for_bsp }), "{name}");
    }
    for name in ["cll", "cc", "cllcc2", "bsprun", ""] {
        assert_eq!(Driver::named(name.as_ref()), None, "{name}");
    }
}

#[test]
fn options_of_other_bsplibs_are_understood() {
    let place = Place::new();
    let bspcc = Driver::named("bspcc".as_ref()).unwrap();
    let options = "-O3 -flibrary-level 2 -bspfifo 10000 -fcombine-puts -fcombine-puts-buffer 256K,128M,4K \
                   -fcontention-resolve 1 -c++flags -no -f77flags -no -ldflags -lm --mcbsp";
    let (result, heard) = place.call(&format!("--launch CC -show {options} -c DIR/part.c"), bspcc);
    result.unwrap();
    assert_eq!(place.named(&heard.printed), "CC -O3 -lm -DBSP_SIZE_T -c DIR/part.c -isystem LIB\n");
    assert!(heard.notices.borrow().is_empty());
    let (_, heard) = place.call("--launch CC -show -prof -cgprof -c DIR/part.c", bspcc);
    let notices = heard.notices.borrow();
    assert!(notices[0].starts_with("note: -prof is left out: cll run --log"), "{notices:?}");
    assert!(notices[1].starts_with("note: -cgprof is left out"), "{notices:?}");
    // One word with words in it.
    let mut words = place.words("--launch CC -show -cflags OPTIONS -c DIR/part.c");
    words[4] = "-Wall '-DX=a b'".into();
    let mut heard = crate::support::Heard::default();
    cll_driver::cc::run(words.clone(), bspcc, &mut heard).unwrap();
    assert!(heard.printed.starts_with("CC -Wall '-DX=a b' -c "), "{}", heard.printed);
    words[4] = "-DX='a".into();
    let (error, message, _) = parts(cll_driver::cc::run(words, bspcc, &mut heard));
    assert!(matches!(error, Error::OptionWords { .. }), "{error:?}");
    assert!(message.starts_with("-cflags -DX='a: "), "{message}");
    // Elsewhere they are the compiler's own.
    assert!(place.shown("-prof -c DIR/part.c", Driver::default()).starts_with("CC -prof -c"));
}

#[test]
fn wrong_options_of_the_driver_are_refused() {
    let place = Place::new();
    for (line, part) in [
        ("--launch", "--launch is not followed by a compiler"),
        ("--launch CC --engine tea -c DIR/walk.c", "--engine tea: there is no such engine"),
        (
            "--launch CC --auto-without=, -c DIR/walk.c",
            "--auto-without=,: a name of an experiment is missing",
        ),
        (
            "--launch CC --auto-without=@/no/file -c DIR/walk.c",
            "--auto-without=@/no/file: /no/file: ",
        ),
        (
            "--launch CC --engine threads -static DIR/walk.c",
            "--engine threads: a static program cannot be loaded again",
        ),
    ] {
        let (result, heard) = place.call(line, Driver::default());
        let (_, message, _) = parts(result);
        assert!(message.starts_with(part), "{message}");
        assert_eq!(heard.printed, "");
    }
    assert!(left_out("@/no/file").is_err());
}

#[test]
fn a_source_that_cannot_be_translated_is_not_compiled() {
    let place = Place::new();
    place.write("walk.c", &WALK.replace("walk[1]*N", "walk[1]*"));
    let compiler = place.script("compiler", "echo called > $(dirname $0)/called\n");
    let (result, heard) = place.call(
        &format!("--launch {} -c DIR/walk.c DIR/part.c", compiler.display()),
        Driver::default(),
    );
    assert!(matches!(result, Err(Error::Diagnosed)), "{result:?}");
    assert!(!heard.codes.borrow().is_empty());
    assert!(!place.path().join("called").exists());
}

#[test]
fn what_would_be_measured_wrongly_is_told() {
    let place = Place::new();
    place.write("walk.c", &format!("#pragma cll parallel OpenMP\n{WALK}"));
    place.write("walk.m", WALK);
    place.write("plain.m", PART);
    place.write("walk.cc", WALK);
    let notices_of = |line: &str| {
        let (result, heard) = place.call(&format!("--launch CC -show {line}"), Driver::default());
        result.unwrap();
        heard.notices.into_inner().join("\n")
    };
    let text = notices_of("-c DIR/walk.c");
    assert!(
        text.contains(
            "walk.c says `parallel OpenMP`, and -fopenmp is not among the compiler's options"
        ),
        "{text}"
    );
    // A file that says nothing may be compiled serially on purpose.
    place.write("loops.c", &WALK.replace("for (", "#pragma omp simd\nfor ("));
    assert_eq!(notices_of("-c DIR/loops.c"), "");
    let (result, heard) = place.call("--launch cc -show --auto -c DIR/loops.c", Driver::default());
    result.unwrap();
    assert_eq!(heard.notices.into_inner(), [""; 0]);
    for option in ["-fopenmp", "-fopenmp=libomp", "-qopenmp"] {
        assert_eq!(notices_of(&format!("{option} -c DIR/walk.c")), "", "{option}");
    }
    assert!(notices_of("-fopenmp -fno-openmp -c DIR/walk.c").contains("parallel OpenMP"));
    let text = notices_of("-c DIR/walk.m");
    assert!(
        text.contains(
            "walk.m: only C and C++ are translated; its `#pragma cll` lines have no effect"
        ),
        "{text}"
    );
    assert_eq!(notices_of("-c DIR/plain.m"), "");
    assert!(notices_of("-c DIR/walk.cc").contains("the translation of C++ is untested"));
}

/// Each function and outermost loop, but for those that are named.
#[test]
fn experiments_are_found_without_pragmas() {
    let place = Place::new();
    place.write("sum.c", "int sum(int n)\n{\n    int i, s = 0;\n    for (i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n");
    let compiler = place.script("compiler", "for word; do case $word in *sum.c) cat $word; cat $(dirname $word)/sum.cll.h;; esac; done > $(dirname $0)/seen\n");
    let seen = |options: &str| {
        let line = format!("--launch {} {options} -c DIR/sum.c", compiler.display());
        let (result, _) = place.call(&line, Driver::default());
        assert_eq!(result.unwrap(), 0);
        place.read("seen").contains("sum_loop1")
    };
    assert!(seen("--auto"));
    assert!(seen("--auto --auto-without=sum"));
    assert!(!seen("--auto-without=sum_loop1"));
}
