//! `bsp.h` as programs include it: in every standard, with every warning, in both kinds of types;
//! and `libbsp.a` for programs that were compiled with another header.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Program, libcll, run, sources, tool};

/// Compiles `tests/c/bsp/SOURCE` with `compiler`, our headers and library; it must print nothing.
fn compile(compiler: &str, source: &str, flags: &[&str]) -> Program {
    let program = Program::in_new_folder("program");
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(libcll().header.parent().unwrap());
    command.arg("-o").arg(&program.path).arg(sources().join("bsp").join(source));
    command.arg(&libcll().archive).args(["-lpthread", "-ldl", "-lm"]);
    silent(&mut command);
    program
}

/// Runs a compiler, which must print nothing.
fn silent(command: &mut Command) {
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.is_empty(), "{command:?}:\n{message}");
}

fn on(program: &Program, processors: usize) -> Output {
    run(program.command().env("CLL_NPROCS", processors.to_string()))
}

/// The program must end normally, and print this.
fn prints(program: &Program, processors: usize, text: &str) {
    let output = on(program, processors);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.is_empty(), "{:?}: {message}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stdout), text);
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
    for (c, cxx) in compilers {
        for types in ["-DUSUAL", "-DBSP_SIZE_T"] {
            for standard in ["-std=c99", "-std=c11", "-std=gnu17"] {
                let mut flags: Vec<&str> = all.split(' ').chain(of_c.split(' ')).collect();
                flags.extend(["-x", "c", standard, types]);
                compile_only(c, &flags);
            }
            for standard in ["-std=c++11", "-std=c++20"] {
                let mut flags: Vec<&str> = all.split(' ').collect();
                flags.extend(["-x", "c++", standard, types]);
                compile_only(cxx, &flags);
            }
        }
    }
}

fn compile_only(compiler: &str, flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(libcll().header.parent().unwrap());
    command.arg("-c").arg(sources().join("bsp/every_call.c"));
    silent(command.arg("-o").arg(folder.path().join("every_call.o")));
}

#[test]
fn every_call_in_both_kinds_of_types_and_in_both_languages() {
    for types in ["-DUSUAL", "-DBSP_SIZE_T"] {
        let in_c = compile("gcc", "every_call.c", &["-O1", types]);
        let in_cxx = {
            let program = Program::in_new_folder("program");
            let object = program.folder.path().join("every_call.o");
            let mut command = Command::new("g++");
            command.args(["-x", "c++", types, "-I"]).arg(libcll().header.parent().unwrap());
            command.arg("-c").arg(sources().join("bsp/every_call.c")).arg("-o").arg(&object);
            silent(&mut command);
            let mut link = Command::new("g++");
            link.arg("-o").arg(&program.path).arg(&object).arg(&libcll().archive);
            silent(link.args(["-lpthread", "-ldl", "-lm"]));
            program
        };
        for processors in [1, 2, 3] {
            prints(&in_c, processors, &format!("good on {processors}\n"));
            prints(&in_cxx, processors, &format!("good on {processors}\n"));
        }
    }
}

#[test]
fn the_header_of_multicore_bsp_has_its_types() {
    let source = "#include <mcbsp.h>\nint main(void) { bsp_size_t s = 0; bsp_begin(1); \
                  printf(\"%d %zu\\n\", bsp_pid() - 1 > 0, sizeof s); bsp_end(); return 0; }\n";
    prints(&of_text(source, &[]), 1, "1 8\n");
    prints(&of_text(source, &["-DMCBSP_COMPATIBILITY_MODE"]), 1, "0 4\n");
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.c");
    fs::write(&wrong, "#include <bsp.h>\n#include <mcbsp.h>\n").unwrap();
    let mut command = Command::new("gcc");
    command.arg("-fsyntax-only").arg("-I").arg(libcll().header.parent().unwrap());
    let output = command.arg(&wrong).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("BSP_SIZE_T"), "{message}");
}

#[test]
fn sizes_of_the_other_kind_are_an_error_that_says_what_to_do() {
    let calls = [
        "TYPE t = 0; bsp_set_tagsize(&t);",
        "TYPE t = 0; unsigned n; bsp_qsize(&n, &t);",
        "TYPE t; bsp_get_tag(&t, 0);",
    ];
    let include = libcll().header.parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (kind, language) in
        [("gcc", "c"), ("gcc", "c++"), ("clang", "c"), ("clang", "c++"), ("gcc", "c99")]
    {
        if kind == "clang" && Command::new("clang").arg("--version").output().is_err() {
            crate::support::skip("sizes_of_the_other_kind", "clang");
            continue;
        }
        let standard =
            if language == "c99" { vec!["-x", "c", "-std=c99"] } else { vec!["-x", language] };
        for call in calls {
            for (flag, wrong, reported) in
                [("-DUSUAL", "size_t", "with"), ("-DBSP_SIZE_T", "int", "leave")]
            {
                let source = folder.path().join("source");
                let call = call.replace("TYPE", wrong);
                let text = format!("#include <bsp.h>\nvoid f(void) {{ {call} }}\n");
                fs::write(&source, text).unwrap();
                let mut command = Command::new(kind);
                command.args(&standard).args([flag, "-fsyntax-only", "-I"]).arg(include);
                let output = command.arg(&source).output().unwrap();
                let message = String::from_utf8_lossy(&output.stderr);
                let here = format!("{kind} {language} {flag}: {call}: {message}");
                assert!(!output.status.success(), "{here}");
                assert!(message.contains(reported) && message.contains("BSP_SIZE_T"), "{here}");
            }
        }
    }
}

#[test]
fn programs_for_multicore_bsp_and_oxfords_library_compile() {
    // The header within extern "C", names of types of MulticoreBSP 1, <stdint.h> through the header.
    let text = "extern \"C\" {\n#include <mcbsp.h>\n}\n#include <cstdlib>\n\
        static void smaller(int *to, int *left, int *right, bsp_size_t *)\n\
        { *to = *left < *right ? *left : *right; }\n\
        static void spmd() {\n    bsp_begin(bsp_nprocs());\n    MCBSP_NUMMSG_TYPE packets;\n    \
        MCBSP_BYTESIZE_TYPE size = sizeof(uint64_t);\n    \
        MCBSP_PROCESSOR_INDEX_DATATYPE s = bsp_pid();\n    bsp_set_tagsize(&size);\n    bsp_sync();\n    \
        uint64_t tag = s;\n    bsp_send((s + 1) % bsp_nprocs(), &tag, NULL, 0);\n    bsp_sync();\n    \
        bsp_qsize(&packets, &size);\n    bsp_qsize(&packets, NULL);\n    int own = 5 + s, least = 0;\n    \
        bsp_fold(smaller, &own, &least, sizeof own);\n    \
        if (packets != 1 || size != 0 || least != 5) bsp_abort(\"%u %d\\n\", packets, least);\n    \
        bsp_end();\n}\n\
        int main(int argc, char **argv) { bsp_init(&spmd, argc, argv); spmd(); return EXIT_SUCCESS; }\n";
    for compiler in ["g++", "clang++"] {
        let program = Program::in_new_folder("program");
        let source = program.folder.path().join("program.cpp");
        fs::write(&source, text).unwrap();
        if Command::new(compiler).arg("--version").output().is_err() {
            crate::support::skip("programs_for_multicore_bsp", compiler);
            continue;
        }
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-Werror", "-I"]).arg(libcll().header.parent().unwrap());
        command.arg("-o").arg(&program.path).arg(&source).arg(&libcll().archive);
        silent(command.args(["-lpthread", "-ldl", "-lm"]));
        for processors in [1, 3] {
            prints(&program, processors, "");
        }
    }
    let oxford = "#include \"bsp.h\"\n#include \"bsp_level1.h\"\n#include <stdarg.h>\n\
        static void give_up(const char *format, ...)\n{\n    va_list all;\n    va_start(all, format);\n    \
        bsp_vabort(format, all);\n}\n\
        int main(void)\n{\n    int32_t x;\n    bsp_begin(bsp_nprocs());\n    x = bsp_pid() == 0 ? 7 : 0;\n    \
        bsp_bcast(0, &x, &x, sizeof x);\n    if (x != 7)\n        give_up(\"%d\\n\", (int)x);\n    \
        bsp_end();\n    return 0;\n}\n";
    prints(&of_text(oxford, &["-Wall", "-Wextra", "-Werror"]), 3, "");
    let machine_objects = "extern \"C\" {\n#include <pub.h>\n}\nint main() { return 0; }\n";
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("pub.cpp");
    fs::write(&source, machine_objects).unwrap();
    let mut command = Command::new("g++");
    command
        .args(["-Wall", "-Werror", "-fsyntax-only", "-I"])
        .arg(libcll().header.parent().unwrap());
    silent(command.arg(&source));
}

fn of_text(text: &str, flags: &[&str]) -> Program {
    let program = Program::in_new_folder("program");
    let source = program.folder.path().join("program.c");
    fs::write(&source, text).unwrap();
    let mut command = Command::new("gcc");
    command.args(flags).arg("-I").arg(libcll().header.parent().unwrap());
    command.arg("-o").arg(&program.path).arg(&source);
    silent(command.arg(&libcll().archive).args(["-lpthread", "-ldl", "-lm"]));
    program
}

#[test]
fn programs_of_the_nineties_compile() {
    // No types where int was meant; parameters and arguments without declarations.
    let text = "#include \"bsp.h\"\nint total, nprocs;\nvoid spmd();\nvoid add();\n\
        main(argc, argv)\nint argc;\nchar **argv;\n{\n    bsp_init(spmd, argc, argv);\n    nprocs = \
        bsp_nprocs();\n    spmd();\n    exit(total == nprocs * (nprocs - 1) / 2 ? 0 : 1);\n}\n\
        void spmd()\n{\n    int x;\n    bsp_begin(nprocs);\n    bsp_pushregister(&x, sizeof(int));\n    \
        x = bsp_pid();\n    bsp_fold(add, &x, &total, sizeof(int));\n    bsp_popregister(&x);\n    \
        bsp_end();\n}\nvoid add(res, left, right, nbytes)\nint *res, *left, *right, *nbytes;\n{\n    \
        if (*nbytes == sizeof(int)) *res = *left + *right;\n}\n";
    let program = of_text(text, &["-std=gnu89", "-w"]);
    for processors in [1, 4] {
        prints(&program, processors, "");
    }
}

#[test]
fn the_names_of_level_1_are_left_to_programs_that_request_it() {
    let text = "#define BSP_NO_LEVEL1\n#include <bsp.h>\nstatic double bsp_g = 2;\n\
        static double bsp_fold(double x) { return x * bsp_g; }\n\
        int main(void) { bsp_begin(1); bsp_end(); return bsp_fold(1) == 2 ? 0 : 1; }\n";
    prints(&of_text(text, &["-Wall", "-Werror"]), 1, "");
}

#[test]
fn messages_name_the_line_also_in_macros_of_the_program() {
    let text = "#include <bsp.h>\n#define SEND(x) \\\n    bsp_put(0, &(x), &(x), 0, \\\n        \
        sizeof(x))\nint main(void)\n{\n    int x = 1;\n    bsp_begin(1);\n    SEND(\n        x);\n    \
        bsp_end();\n    return 0;\n}\n";
    let output = on(&of_text(text, &[]), 1);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("processor 0 of 1: bsp_put at ") && message.contains("program.c:9:"),
        "{message}"
    );
}

#[test]
fn objects_with_another_header_are_linked_with_libbsp() {
    let program = Program::in_new_folder("program");
    let object = program.folder.path().join("foreign.o");
    let source = sources().join("bsp/foreign.c");
    tool("gcc", ["-Wall", "-c", source.to_str().unwrap(), "-o", object.to_str().unwrap()]);
    let folder = libcll().archive.parent().unwrap();
    let place = format!("-Wl,-rpath,{}", folder.display());
    for library in ["libcll.a", "libcll.so"] {
        let mut link = Command::new("gcc");
        link.arg("-o").arg(&program.path).arg(&object).arg(&libcll().plain_bsp);
        silent(link.arg(folder.join(library)).args([&place, "-lpthread", "-ldl", "-lm"]));
        for processors in [1, 3] {
            prints(&program, processors, &format!("good on {processors}\n"));
        }
        let output = run(program.command().arg("wrong").env("CLL_NPROCS", "2"));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("bsp_put: there is no processor 2"), "{message}");
    }
    let table = tool("nm", ["-g", "--defined-only", libcll().plain_bsp.to_str().unwrap()]);
    let names = table.lines().filter_map(|line| line.split_whitespace().nth(2));
    assert!(names.filter(|name| !name.starts_with("bsp_")).count() == 0, "{table}");
}

#[test]
fn both_kinds_of_types_meet_in_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("other.o");
    let mut command = Command::new("gcc");
    command.args(["-DBSP_SIZE_T", "-c"]).arg("-I").arg(libcll().header.parent().unwrap());
    silent(command.arg(sources().join("bsp/mixed_other.c")).arg("-o").arg(&object));
    let program = compile("gcc", "mixed.c", &[object.to_str().unwrap()]);
    prints(&program, 3, "good on 3\n");
}

#[test]
fn what_was_read_ahead_is_not_read_twice() {
    // Processes share the position in a file, and each that ends moves it back to its own.
    let text = "#include <bsp.h>\nint main(void)\n{\n    int x, sum = 0, count = 0;\n    \
        if (scanf(\"%d\", &x) != 1) return 2;\n    bsp_begin(bsp_nprocs());\n    bsp_sync();\n    \
        bsp_end();\n    while (scanf(\"%d\", &x) == 1) { sum += x; count++; }\n    \
        printf(\"%d %d\\n\", count, sum);\n    return 0;\n}\n";
    let program = of_text(text, &[]);
    let numbers: String = (0..5000).map(|number| format!("{number}\n")).collect();
    let input = program.folder.path().join("input");
    fs::write(&input, numbers).unwrap();
    let line = format!("CLL_NPROCS=3 {} < {}", quoted(&program.path), quoted(&input));
    let output = tool("sh", ["-c", &line]);
    assert_eq!(output, format!("4999 {}\n", 4999 * 5000 / 2));
}

#[test]
fn standard_input_is_that_of_processor_0() {
    let text = "#include <bsp.h>\nstatic void spmd(void)\n{\n    int x = 0, read;\n    \
        bsp_begin(bsp_nprocs());\n    read = scanf(\"%d\", &x) == 1;\n    \
        if (read != (bsp_pid() == 0) || (read && x != 7)) bsp_abort(\"%d\\n\", x);\n    \
        bsp_end();\n}\nint main(int argc, char **argv)\n{\n    bsp_init(spmd, argc, argv);\n    \
        spmd();\n    return 0;\n}\n";
    let program = of_text(text, &[]);
    tool("sh", ["-c", &format!("echo 7 | CLL_NPROCS=4 {}", quoted(&program.path))]);
}

#[test]
fn what_was_printed_before_is_printed_once() {
    let text = "#include <bsp.h>\nint main(void)\n{\n    printf(\"before\\n\");\n    \
        bsp_begin(3);\n    bsp_end();\n    printf(\"after\\n\");\n    return 0;\n}\n";
    prints(&of_text(text, &[]), 3, "before\nafter\n");
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}
