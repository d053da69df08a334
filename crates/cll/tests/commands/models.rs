//! `cll model`: from a source to a model.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{CLL, Place, WALK, from_output, recorded, until, with_enough_time};

const QUICK: &[&str] = &["--launches", "3", "--seed", "7"];

fn model(place: &Place, arguments: &[&str]) -> crate::support::Done {
    let mut all = vec!["model"];
    all.extend(QUICK);
    all.extend(arguments);
    place.cll(&all)
}

/// A loop over its own sizes, two experiments, one of them never reached.
const LOOPS: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { LARGEST = 20000 };
    double *a = calloc(LARGEST, sizeof *a), s = 0;
    int N = 5, i, k;
#pragma cll for (N = 500; N <= LARGEST; N += N / 3)
    for (k = 0; k < 3; k++) {
#pragma cll fill fill[0] + fill[1]*N
        for (i = 0; i < N; i++)
            s += a[i] = a[i] * 0.5 + i;
#pragma cll end fill
    }
#pragma cll end for
    if (N == 123456789) {
#pragma cll lost lost[0]*N
        s++;
#pragma cll end lost
    }
    printf("%g\n", s);
    free(a);
    return 0;
}
"#;

#[test]
fn a_source_becomes_a_model_and_predictions() {
    let place = Place::new();
    place.write("loops.c", LOOPS);
    let done = model(&place, &["loops.c", "--predict", "N=10000,40000"]).expect(0);
    let done = done
        .prints(&["fill", "t = ", "s*N", "N = 10000", "N = 40000"])
        .prints(&["all numbers: cll show loops.cll", "loops.cll/loops.html"])
        .prints(&["lost", "did not reach it", "loops.c:18"])
        .says(&["loops.cll", "seed 7"]);
    // What a disturbed run contradicts is not predicted.
    let is_told = ["beyond the data", "no prediction"].iter().any(|words| done.out.contains(words));
    assert!(is_told, "{}", done.out);
    let names = place.list("loops.cll");
    for name in [
        "loops",
        "loops.cll.c",
        "loops.cll.h",
        "loops.cll.0.dat",
        "loops.html",
        "model.json",
        "output.log",
    ] {
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
    assert_eq!(place.list("loops.cll/plots"), ["fill.svg"]);
    assert!(place.read("loops.cll/plots/fill.svg").starts_with("<"));
    assert_eq!(place.read("loops.cll/output.log").lines().count(), 3, "once a launch");
    assert_eq!(place.list("."), ["loops.c", "loops.cll"]);
}

#[test]
fn sizes_come_by_arguments() {
    let place = Place::with_walk();
    let done =
        model(&place, &["walk.c", "--vary", "N=1000:64000:*2", "--json", "--", "{N}"]).expect(0);
    let value = done.json();
    assert_eq!(value["runs"].as_array().unwrap().len(), 21);
    let walk = &value["experiments"][0];
    assert_eq!(recorded(&value), 105);
    assert_eq!(walk["fit"]["domain"][0]["low"], 1000.0);
    assert_eq!(walk["fit"]["domain"][0]["high"], 64000.0);
    let mut first: Vec<String> =
        (0..7).map(|k| value["runs"][k]["arguments"][0].as_str().unwrap().to_owned()).collect();
    let order = first.clone();
    first.sort_by_key(|text| text.parse::<u32>().unwrap());
    assert_eq!(first, ["1000", "2000", "4000", "8000", "16000", "32000", "64000"]);
    assert_ne!(order, first, "each round is shuffled");
}

#[test]
fn the_model_file_holds_what_must_be_known_later() {
    let place = Place::with_walk();
    model(&place, &["walk.c", "--vary", "N=1000:9000:+2000", "--cflags=-DX='a b' -g", "--", "{N}"])
        .expect(0);
    let found: serde_json::Value =
        serde_json::from_str(&place.read("walk.cll/model.json")).unwrap();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    // What scripts rely on: additions go into the documentation and here.
    assert_eq!(
        keys(&found),
        [
            "clock",
            "created",
            "experiments",
            "format",
            "machine",
            "program",
            "runs",
            "sampling",
            "seed",
            "tool",
            "version",
            "warnings"
        ]
    );
    assert_eq!((&found["format"], &found["version"]), (&"cll-model".into(), &1.into()));
    assert_eq!(keys(&found["program"]), ["compiled", "model", "name", "sources"]);
    assert_eq!(keys(&found["machine"]), ["caches", "cpu", "host", "processors"]);
    assert_eq!(
        keys(&found["runs"][0]),
        [
            "arguments",
            "exit",
            "order",
            "processors",
            "round",
            "signal",
            "time_s",
            "timed_out",
            "trace"
        ]
    );
    assert_eq!(
        keys(&found["experiments"][0]),
        [
            "failure",
            "fit",
            "formula",
            "name",
            "observable",
            "places",
            "samples",
            "time",
            "unit",
            "variables",
            "warnings",
            "working_set"
        ]
    );
    assert_eq!(found["seed"], 7);
    assert_eq!(found["program"]["sources"][0]["file"], "walk.c");
    let command = found["program"]["compiled"]["command"].as_str().unwrap();
    assert!(command.contains("-O2 '-DX=a b' -g"), "{command}");
    let crc = found["program"]["sources"][0]["crc32"].as_str().unwrap();
    assert_eq!(crc.len(), 8);
}

#[test]
fn our_own_folder_is_replaced_and_no_other() {
    let place = Place::with_walk();
    let vary = ["walk.c", "--vary", "N=1000:9000:+2000", "--", "{N}"];
    model(&place, &vary).expect(0);
    place.write("walk.cll/notes.txt", "mine");
    place.cll(&[&["model", "--launches", "1", "--fresh"], &vary[..]].concat()).expect(0);
    assert_eq!(place.read("walk.cll/notes.txt"), "mine");
    assert_eq!(place.list("walk.cll").iter().filter(|name| name.ends_with(".dat")).count(), 5);
}

#[test]
fn several_files_make_one_program() {
    let place = Place::new();
    place.write("main.c", "double part(int N);\nint main(int c, char **v) { int k; for (k = 0; k < 4; k++) part(c * 1000); return 0; }\n");
    place.write("lib/part.h", "#define FACTOR 0.5\n");
    place.write(
        "lib/part.c",
        "#include \"part.h\"\n#include <math.h>\ndouble part(int N)\n{\n    volatile double s = 0;\n    int i, M;\n    for (M = N; M < 9 * N; M += N) {\n#pragma cll part \
         part[0] + part[1]*M\n    for (i = 0; i < M; i++) s += sqrt(FACTOR * i);\n#pragma cll end part\n    }\n    return s;\n}\n",
    );
    model(&place, &["main.c", "lib/part.c"]).expect(0).prints(&["lib/part.c:8"]);
    assert!(place.exists("main.cll/part.cll.c"));
}

#[test]
fn openmp_programs_are_run_with_every_number_of_threads() {
    let place = Place::new();
    place.write(
        "omp.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#pragma cll parallel OpenMP procs = 1,2,1024\nint main(void)\n{\n    int N, i, k;\n    \
         double s = 0;\n#pragma cll for (N = 20000; N < 200000; N *= 2)\n    for (k = 0; k < 3; k++) {\n#pragma cll sum \
         sum[0] + sum[1]*N/P\n#pragma omp parallel for reduction(+:s)\n    for (i = 0; i < N; i++) s += i;\n#pragma cll end sum\n    \
         }\n#pragma cll end for\n    return s < 0;\n}\n",
    );
    let done = model(&place, &["omp.c", "--json"]).expect(0).says(&["1024", "left out"]);
    let value = done.json();
    let mut counts: Vec<_> = value["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["processors"].as_u64().unwrap())
        .collect();
    counts.sort_unstable();
    counts.dedup();
    let here = std::thread::available_parallelism().unwrap().get() as u64;
    assert_eq!(counts, (1..=2).filter(|count| *count <= here).collect::<Vec<u64>>());
    assert_eq!(value["program"]["model"], "OpenMP");
    assert_eq!(value["experiments"][0]["variables"], serde_json::json!(["N", "P"]));
    model(&place, &["omp.c", "-n", "2", "--predict", "N=1e5"]).expect(0).prints(&["sum"]);
}

#[test]
fn a_program_that_does_not_compile_shows_the_users_line() {
    let place = Place::new();
    place.write("bad.c", WALK.replace("return sum;", "return sun;"));
    model(&place, &["bad.c"]).expect(4).says(&["bad.c:12", "sun", "does not compile"]);
    place.write("unknown.c", WALK.replace("walk[1]*N", "walk[1]*M"));
    model(&place, &["unknown.c"]).expect(4).says(&["unknown.c:8", "M"]);
    place.write("part.c", WALK.replace("int main", "int not_main"));
    model(&place, &["part.c"]).expect(4).says(&["main", "cannot be linked"]);
}

#[test]
fn a_program_that_crashes_leaves_what_it_recorded() {
    let place = Place::new();
    place.write(
        "crash.c",
        LOOPS.replace(
            "    printf(\"%g\\n\", s);",
            "    fprintf(stderr, \"going down\\n\");\n    abort();",
        ),
    );
    let done = model(&place, &["crash.c"]).expect(5);
    done.says(&["SIGABRT", "3 of 3", "recorded samples are kept", "going down"]).prints(&["s*N"]);
    assert!(place.exists("crash.cll/model.json"));

    place.write(
        "early.c",
        WALK.replace("    double *a = calloc", "    abort();\n    double *a = calloc"),
    );
    model(&place, &["early.c"]).expect(5).says(&["SIGABRT", "nothing was recorded"]);
    place.write("fails.c", WALK.replace("    free(a);\n    return 0;", "    return 3;"));
    model(&place, &["fails.c", "--vary", "N=1000:9000:+2000", "--", "{N}"])
        .expect(5)
        .says(&["exit code 3"])
        .prints(&["s*N"]);
}

#[test]
fn a_program_that_never_ends_is_ended() {
    let place = Place::new();
    place.write("hang.c", LOOPS.replace("    printf(\"%g\\n\", s);", "    for (;;) {}"));
    let done = with_enough_time(
        |limit| model(&place, &["hang.c", "--fresh", "--timeout", limit]).says(&["took too long"]),
        |done| done.out.contains("s*N"),
    );
    done.expect(5).says(&["in 1 of 1"]).prints(&["s*N"]);
}

#[test]
fn what_cannot_be_fitted_is_reported() {
    let place = Place::with_walk();
    model(&place, &["walk.c"]).expect(6).prints(&["N had one value", "--vary"]);
    place.write("never.c", LOOPS.replace("N <= LARGEST", "N < 0"));
    model(&place, &["never.c"]).expect(6).prints(&["fill  never.c:11", "did not reach it"]);
    assert!(place.read("never.cll/output.log").contains("never.c:9"), "the loop without values");
    place.write(
        "early.c",
        WALK.replace("    int N = argc", "    if (argc < 9) return 0;\n    int N = argc"),
    );
    model(&place, &["early.c"]).expect(6).says(&["no experiment was reached", "walk (early.c:8)"]);
}

#[test]
fn an_interrupted_model_uses_what_was_recorded() {
    let place = Place::new();
    let ending = "    puts(\"hangs\");\n    fflush(stdout);\n    for (;;) {}";
    place.write("hang.c", LOOPS.replace("    printf(\"%g\\n\", s);", ending));
    let child = place
        .command(CLL)
        .args(["model", "--launches", "3", "hang.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("it has recorded all", || {
        fs::read_to_string(place.path("hang.cll/output.log")).is_ok_and(|log| log.contains("hangs"))
    });
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let done = from_output(&child.wait_with_output().unwrap()).expect(130);
    done.says(&["interrupted after 1 launch"]).prints(&["s*N"]);
}

#[test]
fn what_the_program_wants_reported_is_reported() {
    let place = Place::new();
    place.write("loops.c", LOOPS.replace("    free(a);", "#pragma cll report fill\n    free(a);"));
    let done = model(&place, &["loops.c"]).expect(0).prints(&["fill"]);
    assert!(!done.out.contains("did not reach it"), "{}", done.out);
    let done = model(&place, &["loops.c", "-e", "lost", "-e", "fill"]).expect(0);
    done.prints(&["fill", "lost", "did not reach it"]);
    model(&place, &["loops.c", "-e", "full"]).expect(3).says(&["did you mean fill"]);
}

#[test]
fn variables_that_are_not_seen_are_reported() {
    let place = Place::with_walk();
    let done =
        model(&place, &["walk.c", "--vary", "size=1000:9000:+2000", "--", "{size}"]).expect(0);
    done.prints(&["no formula has a variable size"]);
    let done =
        model(&place, &["walk.c", "--details", "--vary", "N=1000:9000:+2000", "--", "500", "{N}"])
            .expect(6);
    done.prints(&["one value in every sample"]);
}

#[test]
fn choices_reach_the_fit() {
    let place = Place::with_walk();
    let vary = ["walk.c", "--vary", "N=1000:30000:+1000", "--json", "--", "{N}"];
    let with = |options: &[&str]| {
        place.cll(&[&["model", "--launches", "1"], options, &vary[..]].concat()).expect(0).json()
    };
    let fit = &with(&["--break", "N=15000", "--confidence", "0.5", "--weights", "absolute"])["experiments"]
        [0]["fit"];
    assert_eq!(fit["intervals"].as_array().unwrap().len(), 2);
    assert_eq!(fit["boundaries"][0]["at"], 15000.0);
    assert_eq!(fit["options"]["confidence"], 0.5);
    assert_eq!(fit["options"]["weights"], "absolute");
    let fit = &with(&["--intervals", "none", "--aggregate", "minimum"])["experiments"][0]["fit"];
    assert_eq!(fit["intervals"].as_array().unwrap().len(), 1);
    assert_eq!(fit["options"]["aggregate"], "minimum");
}

#[test]
fn places_of_the_users_are_left_as_they_were() {
    let place = Place::with_walk();
    model(&place, &["walk.c", "--vary", "N=1000:9000:+2000", "--", "{N}"]).expect(0);
    assert_eq!(place.read("walk.c"), WALK);
    // Nothing is left in the folder for temporary files.
    fs::create_dir(place.path("tmp")).unwrap();
    let tmp = place.path("tmp");
    place.cll_with(&[("TMPDIR", tmp.to_str().unwrap())], &["cc", "-c", "walk.c"]).expect(0);
    place
        .cll_with(&[("TMPDIR", tmp.to_str().unwrap())], &["model", "--launches", "1", "walk.c"])
        .expect(6);
    assert_eq!(place.list("tmp"), Vec::<String>::new());
}

#[test]
fn a_source_that_is_named_like_an_option_is_compiled() {
    let place = Place::new();
    place.write("-O0.c", LOOPS);
    let done = model(&place, &["./-O0.c", "--loaded", "accept"]).expect(0);
    done.prints(&["fill", "cll show ./-O0.cll"]);
    place.cll(&["show", "./-O0.cll", "constants"]).expect(0).prints(&["fill[1]"]);
}
