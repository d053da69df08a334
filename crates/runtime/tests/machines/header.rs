//! `pub.h` as programs include it: in every standard, with every warning, beside `bsp.h`, and by the
//! name `bsp.h`.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{libcll, sources};

fn compile(compiler: &str, flags: &[&str], source: &Path) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(libcll().header.parent().unwrap());
    command.arg("-c").arg(source).arg("-o").arg(folder.path().join("program.o"));
    command.output().unwrap()
}

fn is_silent(compiler: &str, flags: &[&str], source: &Path) {
    let output = compile(compiler, flags, source);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.is_empty(), "{compiler} {flags:?}:\n{message}");
}

#[test]
fn every_standard_and_every_warning() {
    let all = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual \
               -Werror -O1";
    let of_c = "-Wstrict-prototypes -Wmissing-prototypes -Wredundant-decls -Wwrite-strings";
    let mut compilers = vec![("gcc", "g++")];
    if Command::new("clang++").arg("--version").output().is_ok() {
        compilers.push(("clang", "clang++"));
    }
    let source = sources().join("pub/every_call.c");
    for (c, cxx) in compilers {
        for standard in ["-std=c99", "-std=c11", "-std=gnu17"] {
            let mut flags: Vec<&str> = all.split(' ').chain(of_c.split(' ')).collect();
            flags.extend(["-x", "c", standard]);
            is_silent(c, &flags, &source);
        }
        for standard in ["-std=c++11", "-std=c++20"] {
            let mut flags: Vec<&str> = all.split(' ').collect();
            flags.extend(["-x", "c++", standard]);
            is_silent(cxx, &flags, &source);
        }
    }
}

#[test]
fn the_folder_pub_has_it_under_the_name_of_bsplib_s() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("by_name.c");
    std::fs::write(&source, "#include <bsp.h>\nt_bsp machine;\n").unwrap();
    let include = libcll().header.with_file_name("pub");
    is_silent("gcc", &["-Wall", "-Werror", "-I", include.to_str().unwrap()], &source);
}

#[test]
fn both_headers_in_one_source_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expected) in [
        ("#include <bsp.h>\n#include <pub.h>\n", "pub.h after bsp.h"),
        ("#include <pub.h>\n#include <bsp.h>\n", "bsp.h after pub.h"),
    ] {
        let source = folder.path().join("both.c");
        std::fs::write(&source, text).unwrap();
        let output = compile("gcc", &[], &source);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{output:?}");
    }
}
