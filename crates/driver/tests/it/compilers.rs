//! Which compiler is called, and what is said of one that cannot be.

use std::io;
use std::path::Path;

use cll_driver::Error;
use cll_driver::compiler::{
    CompileUnit, Compiler, CompilerKind, Language, mismatch, translated_name,
};
use cll_driver::library::{Library, Linked};

use crate::support::{Heard, Place, WALK, parts};

#[test]
fn kinds_of_compilers() {
    for (kind, variable, is_cxx, of_mpi) in [
        (CompilerKind::C, "CLL_CC", false, CompilerKind::MpiC),
        (CompilerKind::Cxx, "CLL_CXX", true, CompilerKind::MpiCxx),
        (CompilerKind::MpiC, "CLL_MPICC", false, CompilerKind::MpiC),
        (CompilerKind::MpiCxx, "CLL_MPICXX", true, CompilerKind::MpiCxx),
    ] {
        assert_eq!((kind.variable(), kind.is_cxx(), kind.of_mpi()), (variable, is_cxx, of_mpi));
    }
}

#[test]
fn a_compiler_that_does_not_exist_is_named_with_what_to_do() {
    let compiler = Compiler::named("gccc".into());
    let failure = |kind: io::ErrorKind| parts::<(), _>(Err(compiler.failure(kind.into())));
    let (error, message, help) = failure(io::ErrorKind::NotFound);
    assert!(matches!(error, Error::Compiler { .. }), "{error:?}");
    assert!(message.starts_with("cannot run the compiler gccc: "), "{message}");
    assert!(help[0].starts_with("install it, or name another one by CLL_CC"), "{help:?}");
    assert!(failure(io::ErrorKind::PermissionDenied).2.is_empty());
    let place = Place::new();
    let (result, _) = place.call("--launch DIR/none -c DIR/walk.c", Default::default());
    let (_, message, _) = parts(result);
    assert!(message.ends_with("none: no such file or directory"), "{message}");
}

/// The compiler is a script that answers as one for that machine would.
#[test]
fn programs_for_other_machines_cannot_be_linked_with_the_library() {
    let place = Place::new();
    let mismatch_of = |answer: &str| {
        let script = place.script("compiler", &format!("cat > /dev/null\necho '{answer}'\n"));
        mismatch(&Compiler::named(script.into()), &[])
    };
    let musl = mismatch_of("cll: 8 __GLIBC__ 1 __aarch64__ __i386__ __arm__ __powerpc64__ __riscv")
        .unwrap();
    assert!(
        musl.contains("a C library that is not GNU's, such as musl, and libcll is for "),
        "{musl}"
    );
    let other =
        mismatch_of("cll: 4 2 __x86_64__ __aarch64__ __i386__ 1 __powerpc64__ __riscv").unwrap();
    assert!(
        other.starts_with(
            "this command makes programs for arm with 32-bit pointers and the GNU C library"
        ),
        "{other}"
    );
    let unknown =
        mismatch_of("cll: 8 2 __x86_64__ __aarch64__ __i386__ __arm__ __powerpc64__ __riscv")
            .unwrap();
    assert!(unknown.contains("another processor"), "{unknown}");
    // One that does not answer may be right.
    assert_eq!(mismatch_of("no"), None);
    assert_eq!(mismatch(&Compiler::named("/no/compiler".into()), &[]), None);
}

#[test]
fn a_unit_is_a_file_with_its_translation() {
    let place = Place::new();
    let compiler = Compiler::named("CC".into());
    let read = |name: &str, flags: &[&str]| {
        let flags: Vec<_> = flags.iter().map(|flag| (*flag).into()).collect();
        CompileUnit::read(&place.path().join(name), &compiler, &flags, None)
    };
    let unit = read("walk.c", &["-O2"]).unwrap();
    assert_eq!((unit.language, unit.header.as_str()), (Language::C, "walk.cll.h"));
    assert!(!unit.has_own_processors && unit.translation.directives_found);
    let code = String::from_utf8(unit.code().to_vec()).unwrap();
    assert!(code.contains("walk.cll.h") && code.contains("for (i = 0;"), "{code}");
    // What is inserted is all that is new.
    assert_eq!(unit.text, WALK.as_bytes());
    let heard = Heard::default();
    unit.report(&heard);
    assert!(heard.notices.borrow().is_empty() && heard.codes.borrow().is_empty());
    let part = read("part.c", &[]).unwrap();
    assert_eq!(part.code(), part.text, "as it is");
    assert_eq!(read("walk.c", &["-x", "c++"]).unwrap().language, Language::Cxx);
    let (error, message, _) = parts(read("none.c", &[]));
    assert!(matches!(error, Error::Files(cll_files::Error::Unreadable { .. })), "{error:?}");
    assert!(message.ends_with("none.c: no such file or directory"), "{message}");
    assert_eq!(translated_name(Path::new("a/b.cc")), "b.cll.cc");
    // A name that no #include line can have.
    place.write("a\"b.c", WALK);
    assert_eq!(read("a\"b.c", &[]).unwrap().header, "a_b.cll.h");
}

#[test]
fn the_library_goes_last_and_by_what_is_linked() {
    let include = "/opt/cll/include".into();
    let library = Library { include, archive: "/opt/cll/lib/libcll.a".into() };
    assert_eq!(library.compile_arguments(), ["-isystem", "/opt/cll/include"]);
    let system = Library { include: "/usr/include".into(), ..library.clone() };
    assert!(system.compile_arguments().is_empty(), "it would change the order of folders");
    let own = ["/opt/cll/lib/libcll.a", "-lpthread", "-ldl", "-lm"];
    assert_eq!(library.link_arguments(Linked::Shared), own);
    assert_eq!(library.link_arguments(Linked::Fixed), own);
    let program = library.link_arguments(Linked::Program);
    assert_eq!(
        (&program[..4], program[4].to_str()),
        (&own.map(Into::into)[..], Some("-Wl,--export-dynamic-symbol=cll_*"))
    );
    // BSPlib's own names, for programs that do not include our header.
    let library = Library::find().unwrap();
    let bsp = library.archive.with_file_name("libbsp.a");
    assert!(bsp.is_file());
    assert_eq!(library.link_arguments(Linked::Program)[0], bsp);
    assert_ne!(library.link_arguments(Linked::Shared)[0], bsp);
    assert!(library.shared().unwrap().is_file());
}

#[test]
fn the_failure_of_a_compiler_is_no_failure_of_the_driver() {
    let place = Place::new();
    for code in [0, 1, 4, 255] {
        let script = place.script("compiler", &format!("exit {code}\n"));
        let (result, _) =
            place.call(&format!("--launch {} -c DIR/walk.c", script.display()), Default::default());
        assert_eq!(result.unwrap(), code);
    }
    let script = place.script("compiler", "kill -SEGV $$\n");
    let (result, _) =
        place.call(&format!("--launch {} -c DIR/walk.c", script.display()), Default::default());
    assert_eq!(result.unwrap(), 139);
}
