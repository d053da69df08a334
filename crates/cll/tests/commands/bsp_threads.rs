//! The threads engine: programs that are loaded once for each processor.

use crate::support::{Place, run};

/// Each processor changes variables of every kind, and looks whether they are its own.
const OWN: &str = r#"#include <bsp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int of_the_file = 1;
int of_the_program = 2;
_Thread_local int of_the_thread = 3;
static const char *how = "";

void spmd(void)
{
    int p, s, i, right, *area;
    static int of_the_function = 4;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    of_the_file += s;
    of_the_program += s;
    of_the_thread += s;
    of_the_function += s;
    errno = s;
    area = malloc(30000 * sizeof *area);
    for (i = 0; i < 30000; i++)
        area[i] = s;
    bsp_push_reg(area, 30000 * (int)sizeof *area);
    bsp_sync();
    for (i = 0; i < 3; i++) {
        bsp_hpput((s + 1) % p, &s, area, i * (int)sizeof s, sizeof s);
        bsp_sync();
    }
    right = area[0] == (s + p - 1) % p && area[3] == s && errno == s;
    right &= of_the_file == 1 + s && of_the_program == 2 + s;
    right &= of_the_thread == 3 + s && of_the_function == 4 + s;
    right = bsp_all(right);
    if (s == p - 1 && !strcmp(how, "exit"))
        exit(0);
    if (s == p - 1 && !strcmp(how, "return"))
        return;
    if (s == p - 1 && !strcmp(how, "beyond"))
        bsp_put(0, &s, area, 120000, sizeof s);
    bsp_sync();
    bsp_end();
    printf("%d processors: %s\n", p, right ? "each has its own" : "WRONG");
    exit(!right);
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == 'i') {
        bsp_init(spmd, argc, argv);
        puts("once");
        fflush(stdout);
    } else if (argc > 1) {
        how = argv[1];
    }
    spmd();
    return 0;
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("own.c", OWN);
    let line = ["cc", "--engine", "threads", "-O2", "-Wall", "-Werror", "own.c", "-o", "own"];
    let done = place.cll(&line).expect(0);
    assert_eq!(done.err, "", "the compiler is content");
    place
}

#[test]
fn what_a_processor_writes_in_its_variables_the_others_do_not_see() {
    let place = place();
    for count in ["1", "2", "5", "40"] {
        let right = format!("{count} processors: each has its own\n");
        let done = place.cll(&["run", "-n", count, "--engine", "threads", "./own"]).expect(0);
        assert_eq!((done.out, done.err), (right.clone(), String::new()));
        // The same program has processes as well.
        assert_eq!(place.cll(&["run", "-n", count, "./own"]).expect(0).out, right);
        let done = place.cll(&["run", "-n", count, "--engine", "threads", "./own", "init"]);
        assert_eq!(done.expect(0).out, format!("once\n{right}"));
    }
}

#[test]
fn one_that_does_wrong_ends_all_and_is_named() {
    let place = place();
    for (how, message) in [
        ("beyond", "processor 3 of 4: bsp_put at own.c:"),
        ("exit", "processor 3 of 4: the program ended before bsp_end"),
        ("return", "processor 3 of 4: the program ended before bsp_end"),
    ] {
        let done = place.cll(&["run", "-n", "4", "--engine", "threads", "./own", how]).expect(1);
        assert!(done.err.contains(message), "{how}: {}", done.err);
        assert_eq!(done.err.matches("cll: ").count(), 1, "{how}: {}", done.err);
    }
}

#[test]
fn objects_that_are_compiled_apart_are_linked_to_the_same() {
    let place = Place::new();
    place.write("own.c", OWN);
    place.cll(&["cc", "--engine=threads", "-O1", "-c", "own.c"]).expect(0);
    place.cll(&["cc", "--engine=threads", "own.o", "-o", "own"]).expect(0);
    let variables = [("CLL_ENGINE", "threads"), ("CLL_NPROCS", "3")];
    let done = run(place.command(place.path("own")).envs(variables)).expect(0);
    assert_eq!(done.out, "3 processors: each has its own\n");
}

#[test]
fn an_ordinary_program_says_how_it_is_to_be_built() {
    let place = Place::new();
    place.write("own.c", OWN);
    place.cll(&["cc", "own.c", "-o", "own"]).expect(0);
    let done = place.cll(&["run", "-n", "2", "--engine", "threads", "./own"]).expect(1);
    done.says(&["cannot be loaded a second time", "cll cc --engine threads"]);
    let done = place.cll(&["cc", "--engine", "tea", "own.c"]).expect(2);
    done.says(&["no such engine", "processes, threads or mpi"]);
    place.cll(&["cc", "--engine", "threads", "-static", "own.c"]).expect(2).says(&["-static"]);
}

/// Numbers at random, with and without a seed, and words of a text: what the C library has once for a process.
const CHANCE: &str = r#"#include <bsp.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int i, s;
    unsigned long all = 0;
    char text[] = "one,two,three", *word, line[200];
    bsp_begin(bsp_nprocs());
    s = bsp_pid();
    for (i = 0; i < 2000; i++) {
        if (i == 1000) {
            srand(s + 1);
            srand48(s + 1);
        }
        all = all * 31 + rand() + random() + lrand48() + (unsigned long)(1e6 * drand48());
    }
    snprintf(line, sizeof line, "%d %lx", s, all);
    for (word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        strcat(line, word);
        bsp_sync();
    }
    printf("%s\n", line);
    bsp_end();
    return 0;
}
"#;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn numbers_at_random_are_each_processors_own() {
    let place = Place::new();
    place.write("chance.c", CHANCE);
    place.cll(&["cc", "--engine", "threads", "-O1", "chance.c", "-o", "chance"]).expect(0);
    place.cll(&["cc", "-O1", "chance.c", "-o", "plain"]).expect(0);
    let expected = place.cll(&["run", "-n", "5", "./plain"]).expect(0).out;
    assert_eq!(expected.matches("onetwothree").count(), 5);
    for engine in ["processes", "threads"] {
        let done = place.cll(&["run", "-n", "5", "--engine", engine, "./chance"]).expect(0);
        assert_eq!(sorted(&done.out), sorted(&expected), "{engine}");
    }
    // A function of the program's own by such a name stays.
    place.write("own.c", "int random(void) { return 7; }\n");
    let main = "int random(void);\nint main(void) { return random() - 7; }\n";
    place.write("main.c", main);
    place.cll(&["cc", "--engine", "threads", "own.c", "main.c", "-o", "own"]).expect(0);
    place.cll(&["cc", "--engine", "threads", "-c", "own.c", "main.c"]).expect(0);
    place.cll(&["cc", "--engine", "threads", "main.o", "own.o", "-o", "own"]).expect(0);
    place.sh("./own").expect(0);
}

#[test]
fn what_is_no_bsp_program_is_linked_and_what_is_missing_is_not() {
    let place = Place::new();
    place.write("plain.c", "#include <stdio.h>\nint main(void) { puts(\"plain\"); return 3; }\n");
    place.cll(&["cc", "--engine", "threads", "plain.c", "-o", "plain"]).expect(0);
    let done = place.sh("./plain").expect(3);
    assert_eq!((done.out.as_str(), done.err.as_str()), ("plain\n", ""));
    let text = "#include <bsp.h>\nint nowhere(void);\n\
                int main(void) { bsp_begin(1); bsp_end(); return nowhere(); }\n";
    place.write("missing.c", text);
    let done = place.cll(&["cc", "--engine", "threads", "missing.c", "-o", "missing"]);
    assert_ne!(done.code, 0, "{}", done.err);
    done.says(&["nowhere"]);
}

#[test]
fn ends_at_once_and_crashes_are_reported() {
    let place = Place::new();
    let text = r#"#include <bsp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int deeper(int n)
{
    volatile char room[100000];
    room[0] = (char)n;
    return deeper(n + 1) + room[0];
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 2 && !strcmp(how, "_Exit"))
        _Exit(0);
    if (bsp_pid() == 2 && !strcmp(how, "quick_exit"))
        quick_exit(0);
    if (bsp_pid() == 2 && !strcmp(how, "deeper"))
        deeper(0);
    if (bsp_pid() == 2 && !strcmp(how, "abort"))
        abort();
    bsp_sync();
    bsp_end();
    if (!strcmp(how, "after"))
        _exit(4);
    return 0;
}
"#;
    place.write("ends.c", text);
    place.cll(&["cc", "--engine", "threads", "-w", "ends.c", "-o", "ends"]).expect(0);
    let line = text.lines().position(|line| line.contains("bsp_sync")).unwrap() + 1;
    for (how, code, message) in [
        ("_Exit", 1, "the program ended before bsp_end, by _exit()"),
        ("quick_exit", 1, "the program ended before bsp_end, by quick_exit()"),
        ("deeper", 139, "was killed by signal 11 (SIGSEGV); its last bsp_sync"),
        ("abort", 134, "was killed by signal 6 (SIGABRT); its last bsp_sync"),
    ] {
        let done = place.cll(&["run", "-n", "3", "--engine", "threads", "./ends", how]);
        let done = done.expect(code);
        done.says(&["processor 2 of 3", message, &format!("at ends.c:{line}\n")]);
    }
    place.cll(&["run", "-n", "3", "--engine", "threads", "./ends", "after"]).expect(4);
}

#[test]
fn samples_of_all_processors_are_kept() {
    // More than a block for each, so that blocks of all copies of the library take turns.
    let place = Place::new();
    place.write(
        "many.c",
        "#include <bsp.h>\nint main(void)\n{\n    int N, k;\n    volatile double s = 0;\n    \
         bsp_begin(bsp_nprocs());\n    for (k = 0; k < 6000; k++) {\n        N = k % 7;\n#pragma cll many many[0] + \
         many[1]*N\n        s += N;\n#pragma cll end many\n    }\n    bsp_end();\n    return 0;\n}\n",
    );
    place.cll(&["cc", "--engine", "threads", "-O2", "many.c", "-o", "many"]).expect(0);
    place.cll(&["run", "-n", "3", "--engine", "threads", "./many"]).expect(0);
    let done = place.cll(&["export", "many.cll.0.dat", "--format", "csv"]).expect(0);
    assert!(!done.err.contains("lost"), "{}", done.err);
    assert_eq!(done.out.lines().filter(|line| line.starts_with("many")).count(), 3 * 6000);
}
