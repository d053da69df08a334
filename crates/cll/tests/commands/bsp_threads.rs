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
    for (how, said) in [
        ("beyond", "processor 3 of 4: bsp_put at own.c:"),
        ("exit", "processor 3 of 4: the program ended before bsp_end"),
        ("return", "processor 3 of 4: the program ended before bsp_end"),
    ] {
        let done = place.cll(&["run", "-n", "4", "--engine", "threads", "./own", how]).expect(1);
        assert!(done.err.contains(said), "{how}: {}", done.err);
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
