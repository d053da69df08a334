//! BSP programs, from their source to their end, by `cll cc` and `cll run` and by other means.

use std::fs;
use std::process::Stdio;

use crate::mpi_calls::ready;
use crate::support::{CLL, Place, have, run, until};

/// The sum of the processors' numbers, and what becomes of it when an argument asks for it.
const SUM: &str = r#"#include <bsp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int p, s, i, x = -1, *all;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    all = calloc((size_t)p, sizeof *all);
    bsp_push_reg(all, p * (int)sizeof *all);
    bsp_sync();
    if (!strcmp(how, "hang")) {
        printf("hangs %d\n", s);
        fflush(stdout);
        for (;;)
            pause();
    }
    for (i = 0; i < p; i++)
        bsp_put(i, &s, all, (!strcmp(how, "beyond") ? p : s) * (int)sizeof s, sizeof s);
    bsp_sync();
    for (i = 0, x = 0; i < p; i++)
        x += all[i];
    if (x != p * (p - 1) / 2)
        bsp_abort("%d has %d\n", s, x);
    bsp_end();
    printf("%d processors: %d\n", p, x);
    return 0;
}
"#;

pub fn place() -> Place {
    let place = Place::new();
    place.write("sum.c", SUM);
    place.cll(&["cc", "-O2", "-Wall", "-Werror", "sum.c", "-o", "sum"]).expect(0);
    place
}

#[test]
fn nothing_is_needed_but_the_two_commands() {
    let place = place();
    for (count, sum) in [("1", 0), ("2", 1), ("8", 28)] {
        let done = place.cll(&["run", "-n", count, "./sum"]).expect(0);
        assert_eq!((done.out, done.err), (format!("{count} processors: {sum}\n"), String::new()));
    }
    place
        .cll_with(&[("CLL_NPROCS", "3")], &["run", "./sum"])
        .expect(0)
        .prints(&["3 processors: 3"]);
    place.sh("CLL_NPROCS=5 ./sum").expect(0).prints(&["5 processors: 10"]);
    assert_eq!(place.list("."), ["sum", "sum.c"], "no trace without experiments");
}

#[test]
fn what_is_wrong_ends_all_with_file_and_line() {
    let place = place();
    let done = place.cll(&["run", "-n", "3", "./sum", "beyond"]).expect(1);
    let line = SUM.lines().position(|line| line.contains("bsp_put")).unwrap() + 1;
    done.says(&["of 3: bsp_put at sum.c:", &format!("sum.c:{line}: offset 12 with 4 bytes")]);
}

#[test]
fn steps_of_their_own_and_other_languages() {
    let place = Place::new();
    place.write("sum.c", SUM);
    place.cll(&["cc", "-c", "-O2", "sum.c"]).expect(0);
    place.cll(&["cc", "sum.o", "-o", "sum"]).expect(0);
    place.cll(&["run", "-n", "3", "./sum"]).expect(0).prints(&["3 processors: 3"]);
    for line in ["-E sum.c -o sum.i", "-S sum.c", "-fsyntax-only sum.c", "-M sum.c", "-MD -c sum.c"]
    {
        let arguments: Vec<&str> = ["cc"].into_iter().chain(line.split(' ')).collect();
        let done = place.cll(&arguments).expect(0);
        assert_eq!(done.err, "", "{line}");
    }
    assert!(place.read("sum.d").contains("/bsp.h"), "a header that the user names is a dependency");
    place.cll_fed(&["cc", "-x", "c", "-", "-o", "fed"], SUM.as_bytes()).expect(0);
    place.cll(&["run", "-n", "2", "./fed"]).expect(0).prints(&["2 processors: 1"]);
    if have("g++", "steps_of_their_own_and_other_languages") {
        place.write("a b/sum.cpp", SUM.replace("all = calloc", "all = (int *)calloc"));
        let cxx = [("CLL_CC", "g++")];
        place.cll_with(&cxx, &["cc", "-Wall", "-Werror", "a b/sum.cpp", "-o", "cxx"]).expect(0);
        place.cll(&["run", "-n", "2", "./cxx"]).expect(0).prints(&["2 processors: 1"]);
    }
}

#[test]
fn experiments_and_bsplib_in_one_program() {
    let place = Place::new();
    let text = SUM
        .replace(
            "    for (i = 0, x = 0;",
            "#pragma cll sum sum[0] + sum[1]*p\n    for (i = 0, x = 0;",
        )
        .replace("    if (x != p", "#pragma cll end sum\n    if (x != p");
    place.write("src/sum.c", &text);
    place.write("other.c", "#include <bsp.h>\nint other(void) { return bsp_nprocs(); }\n");
    place.cll(&["cc", "-O2", "src/sum.c", "other.c", "-o", "sum"]).expect(0);
    let done = place.cll(&["run", "-n", "3", "./sum"]).expect(0);
    done.prints(&["3 processors: 3"]).says(&["recorded in sum.cll.0.dat"]);
    let done = place.cll(&["export", "sum.cll.0.dat"]).expect(0);
    assert_eq!(done.out.lines().count(), 1 + 3, "one sample of each processor: {}", done.out);
}

#[test]
fn a_variable_named_p_is_found_behind_our_header() {
    // Whether there is one is asked of the compiler, which must find the header for it.
    let place = Place::new();
    place.write(
        "own.c",
        "#include <bsp.h>\nint P = 7;\nint main(void)\n{\n    int N = 10, i;\n    volatile int s = \
         0;\n#pragma cll own own[0] + own[1]*N/P\n    for (i = 0; i < N; i++)\n        s += \
         i;\n#pragma cll end own\n    return 0;\n}\n",
    );
    place.cll(&["cc", "own.c", "-o", "own"]).expect(0);
    place.cll(&["run", "./own"]).expect(0);
    let done = place.cll(&["export", "own.cll.0.dat"]).expect(0);
    assert!(done.out.lines().nth(1).unwrap().contains("10,7"), "{}", done.out);
}

#[test]
fn the_header_that_the_user_names_goes_before() {
    let place = Place::new();
    let own = "#define OWN 1\nint main(void) { return !OWN; }\n";
    place.write("their/bsp.h", own);
    place.write("main.c", "#include <bsp.h>\n");
    for option in ["-I", "-isystem"] {
        place.cll(&["cc", option, "their", "main.c", "-o", "main"]).expect(0);
        place.sh("./main").expect(0);
    }
    place.write("beside/main.c", "#include \"bsp.h\"\n");
    place.write("beside/bsp.h", own);
    place.cll(&["cc", "beside/main.c", "-o", "main"]).expect(0);
    place.sh("./main").expect(0);
}

/// Lines that are put together of many pieces; as many as do not fit into a buffer.
const LINES: &str = r#"#include <bsp.h>
#ifdef __cplusplus
#include <iostream>
#define PIECE(x) std::cout << (x) << '-'
#define END std::cout << "end\n"
#else
#define PIECE(x) printf("%d-", x)
#define END printf("end\n")
#endif

int main(void)
{
    int i, k;
    bsp_begin(bsp_nprocs());
    for (i = 0; i < 400; i++) {
        for (k = 0; k < 40 + i % 3 * 1500; k++)
            PIECE((int)bsp_pid());
        END;
    }
    bsp_end();
    return 0;
}
"#;

#[test]
fn output_is_in_whole_lines() {
    let place = Place::new();
    place.write("lines.c", LINES);
    place.write("lines.cpp", LINES);
    place.cll(&["cc", "lines.c", "-o", "in_c"]).expect(0);
    let mut programs = vec!["./in_c"];
    if have("g++", "output_is_in_whole_lines") {
        place.cll_with(&[("CLL_CC", "g++")], &["cc", "lines.cpp", "-o", "in_cxx"]).expect(0);
        programs.push("./in_cxx");
    }
    for program in programs {
        for engine in ["processes", "virtual"] {
            place
                .sh(&format!("cll run -n 4 --engine {engine} {program} > lines 2> notes"))
                .expect(0);
            let text = place.read("lines");
            assert_eq!(text.lines().count(), 4 * 400, "{program}, {engine}");
            for line in text.lines() {
                let pieces = line.strip_suffix("-end").unwrap_or_else(|| panic!("{line}"));
                let (first, count) = (&pieces[..1], pieces.len().div_ceil(2));
                assert!(
                    pieces.split('-').all(|piece| piece == first),
                    "{program}, {engine}: {line}"
                );
                assert!([40, 1540, 3040].contains(&count), "{program}, {engine}: {line}");
            }
        }
    }
}

/// MPICH takes the buffer of standard output away: a line in pieces would be written in pieces.
#[test]
fn lines_of_ranks_are_whole() {
    if !ready("lines_of_ranks_are_whole") {
        return;
    }
    let place = Place::new();
    let source = "#include <bsp.h>\nint main(void)\n{\n    int i;\n    bsp_begin(bsp_nprocs());\n    \
                  for (i = 0; i < 500; i++) {\n        printf(\"[%d line %d of\", bsp_pid(), i);\n        \
                  if (i % 50 == 0)\n            bsp_sync();\n        \
                  printf(\" processor %d]\\n\", bsp_pid());\n    }\n    bsp_end();\n    return 0;\n}\n";
    place.write("pieces.c", source);
    place.cll(&["cc", "pieces.c", "-o", "pieces"]).expect(0);
    let line = ["run", "-n", "3", "--engine", "mpi", "./pieces"];
    let mut command = place.command(CLL);
    let done = run(command.args(line).env("CLL_MPIRUN", "mpirun.mpich")).expect(0);
    for processor in 0..3 {
        for number in 0..500 {
            let expected = format!("[{processor} line {number} of processor {processor}]");
            assert!(done.out.lines().any(|line| line == expected), "{expected}");
        }
    }
    assert_eq!(done.out.lines().count(), 1500);
}

#[test]
fn other_launchers_options_for_the_number_of_processors_are_known() {
    let place = place();
    for option in ["-np", "-npes", "-n"] {
        let done = place.cll(&["run", option, "3", "--timeout", "60s", "./sum"]).expect(0);
        done.prints(&["3 processors: 3"]);
    }
    place.cll(&["run", "-np", "many", "./sum"]).expect(2);
}

#[test]
fn the_log_has_the_first_of_several_parallel_parts() {
    let place = Place::new();
    let text = "#include <bsp.h>\nint main(void)\n{\n    int i, k;\n    for (i = 0; i < 3; i++) {\n        \
                bsp_begin(bsp_nprocs());\n        for (k = 0; k < 2 + i; k++)\n            bsp_sync();\n        \
                bsp_end();\n    }\n    puts(\"done\");\n    return 0;\n}\n";
    place.write("parts.c", text);
    place.cll(&["cc", "parts.c", "-o", "parts"]).expect(0);
    let done = place.cll(&["run", "-n", "2", "--log", "./parts"]).expect(0);
    done.says(&["the log has only the first parallel part"]).prints(&["done"]);
    let done = place.cll(&["export", "parts.cll.0.log"]).expect(0);
    assert_eq!(
        done.out.lines().filter(|line| line.contains(",sync,")).count(),
        2 * 2,
        "{}",
        done.out
    );
    place
        .cll(&["run", "--engine", "virtual", "-n", "2", "./parts"])
        .expect(1)
        .says(&["one parallel part"]);
}

#[test]
fn a_killed_launcher_ends_all_processors() {
    let place = place();
    let mut child = place
        .command(CLL)
        .args(["run", "-n", "3", "./sum", "hang"])
        .stdout(Stdio::from(fs::File::create(place.path("out")).unwrap()))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("all processors run", || place.read("out").matches("hangs").count() == 3);
    let own = place.path("sum").canonicalize().unwrap();
    let processes = || {
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter(|p| fs::read_link(p.path().join("exe")).is_ok_and(|exe| exe == own)).count()
    };
    assert!(processes() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    // By themselves they wait for ever.
    until("no process is left", || processes() == 0);
}

#[test]
fn time_that_is_up_ends_all_processors() {
    let place = place();
    place
        .cll(&["run", "-n", "3", "--timeout", "500ms", "./sum", "hang"])
        .expect(124)
        .says(&["took too long"]);
}

#[test]
fn pkg_config_builds_a_program() {
    if !have("pkg-config", "bsp::pkg_config_builds_a_program") {
        return;
    }
    let place = Place::new();
    place.write("sum.c", SUM);
    place.cll(&["install", "--prefix", "with blank"]).expect(0);
    for name in ["include/bsp.h", "include/mcbsp.h", "lib/libbsp.a"] {
        assert!(place.path("with blank").join(name).is_file(), "{name}");
    }
    place
        .sh("export PKG_CONFIG_PATH=\"$PWD/with blank/lib/pkgconfig\"; \
             eval cc -O2 sum.c $(pkg-config --cflags --libs cll) -o sum")
        .expect(0);
    place.cll(&["run", "-n", "3", "./sum"]).expect(0).prints(&["3 processors: 3"]);
    // For objects that were compiled elsewhere.
    let foreign = SUM.replace(
        "#include <bsp.h>",
        "#include <stdio.h>\nvoid bsp_begin(int), bsp_end(void), bsp_sync(void), bsp_abort(const char *, ...);\n\
         int bsp_nprocs(void), bsp_pid(void);\nvoid bsp_push_reg(const void *, int);\n\
         void bsp_put(int, const void *, void *, int, int);",
    );
    place.write("foreign.c", foreign);
    place
        .sh("export PKG_CONFIG_PATH=\"$PWD/with blank/lib/pkgconfig\"; gcc -c foreign.c; \
             eval cc foreign.o \"'with blank/lib/libbsp.a'\" $(pkg-config --libs cll) -o foreign")
        .expect(0);
    place.cll(&["run", "-n", "2", "./foreign"]).expect(0).prints(&["2 processors: 1"]);
    let done = place.cll(&["run", "-n", "2", "./foreign", "beyond"]).expect(1);
    done.says(&["of 2: bsp_put: offset 8"]);
}

#[test]
fn cmake_builds_programs_in_c_and_cxx() {
    if !have("cmake", "bsp::cmake_builds_programs_in_c_and_cxx") {
        return;
    }
    let place = Place::new();
    place.write("src/sum.c", SUM);
    place.write("src/sum.cpp", SUM.replace("all = calloc", "all = (int *)calloc"));
    place.write(
        "src/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(sum C CXX)\nfind_package(cll 0.1 REQUIRED)\n\
         add_executable(sum sum.c)\ntarget_link_libraries(sum cll::cll)\n\
         add_executable(sumxx sum.cpp)\ntarget_link_libraries(sumxx PRIVATE cll::cll)\n",
    );
    place.cll(&["install", "--prefix", "prefix"]).expect(0);
    place
        .sh("cmake -S src -B build -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build build")
        .expect(0);
    for name in ["build/sum", "build/sumxx"] {
        place.cll(&["run", "-n", "3", name]).expect(0).prints(&["3 processors: 3"]);
    }
}

#[test]
fn the_shared_library_serves_programs_that_others_link() {
    let place = Place::new();
    place.write("sum.c", SUM);
    place.cll(&["install", "--prefix", "prefix"]).expect(0);
    place
        .sh("gcc -Iprefix/include sum.c -o sum -Lprefix/lib -lcll -Wl,-rpath,'$ORIGIN/prefix/lib'")
        .expect(0);
    place.cll(&["run", "-n", "2", "./sum"]).expect(0).prints(&["2 processors: 1"]);
    let done = run(place.command(place.path("sum")).arg("beyond").env("CLL_NPROCS", "2"));
    done.expect(1).says(&["bsp_put at sum.c:"]);
}
