//! `cll model --auto`: programs without annotations.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Done, Place};

const QUICK: [&str; 6] = ["--launches", "2", "--seed", "7", "--loaded", "accept"];

fn automatic(place: &Place, arguments: &[&str]) -> Done {
    let all = [&["model", "--auto"][..], &QUICK, arguments].concat();
    place.cll(&all)
}

/// One function takes N² steps, one N, and one is called more often than can be measured.
const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>

static double step(double x)
{
    return x * 0.999 + 1;
}

static double pairs(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            s += (i ^ k) * 0.5;
    return s;
}

static double line(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += i * 0.5;
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    double s = pairs(n) + line(n);
    for (int i = 0; i < 300000; i++)
        s = step(s);
    printf("%g\n", s);
    return 0;
}
"#;

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|value| value["name"].as_str().unwrap()).collect()
}

/// A time has a formula, or says why not: which of them is for the measured times to say.
fn check_time(time: &Value) {
    let (formula, why) = (time["formula"].as_str(), time["why"].as_str().unwrap_or_default());
    assert_eq!(formula.is_some(), why.is_empty(), "{time}");
    let (low, high) = (time["low"].as_f64(), time["high"].as_f64());
    assert!(formula.is_none() || (low.is_some() && low <= high), "{time}");
}

/// Fails the test unless the exit code says what the model has: 0 with a formula, 6 without any.
fn expect_as_found(done: Done, model: &Value) {
    let mut spots = model["ranking"]["spots"].as_array().unwrap().iter();
    let mut experiments = model["experiments"].as_array().unwrap().iter();
    let is_found = spots.any(|spot| spot["time"]["formula"].is_string())
        || experiments.any(|experiment| experiment["fit"].is_object());
    done.expect(if is_found { 0 } else { 6 });
}

/// The regions of a ranking are in the order of their shares, and each has a formula or says why not.
fn check_ranked(ranking: &Value) {
    let spots = ranking["spots"].as_array().unwrap();
    assert!(spots.iter().map(|spot| spot["share"].as_f64().unwrap()).is_sorted_by(|a, b| a >= b));
    spots.iter().for_each(|spot| check_time(&spot["time"]));
    // Each is passed once in a run.
    assert_eq!(ranking["markers"]["passages"], spots.len() as f64, "{ranking}");
}

#[test]
fn where_the_time_goes_is_ranked() {
    let place = Place::new();
    place.write("steps.c", PROGRAM);
    place.sh("gcc steps.c -o steps && ./steps 3000 > plain.txt").expect(0);
    let line = ["steps.c", "--vary", "N=1000:3000:+500", "--json", "--", "{N}"];
    let done = automatic(&place, &line);
    let answer = done.json();
    expect_as_found(done, &answer);
    let ranking = &answer["ranking"];
    check_ranked(ranking);
    let spots = ranking["spots"].as_array().unwrap();
    let loops = spots.iter().find(|spot| spot["name"] == "pairs_loop1").expect("it is measured");
    assert_eq!(loops["place"], "steps.c:12");
    let out = ranking["left_out"].as_array().unwrap();
    let step = out.iter().find(|value| value["name"] == "step").expect("it is left out");
    // Of many passages a part is counted.
    assert!((295_000.0..305_000.0).contains(&step["passages"].as_f64().unwrap()), "{step}");
    assert!(!names(&answer["experiments"]).contains(&"step"));
    // What the remaining markers cost follows from what one costs here.
    let markers = &ranking["markers"];
    let marker_value = |name: &str| markers[name].as_f64().unwrap_or_else(|| panic!("{ranking}"));
    assert_eq!((&markers["is_measured"], &markers["at"][0][1]), (&true.into(), &3000.0.into()));
    assert!(
        marker_value("each") > 0.0 && marker_value("share") > 0.0 && marker_value("share") < 1.0,
        "{markers}"
    );
    // Its own build can leave out the same.
    assert!(place.read("steps.cll/left_out").lines().any(|name| name == "step"));
    let line = ["translate", "--auto", "--auto-without=@steps.cll/left_out", "--json", "steps.c"];
    let translated = place.cll(&line).expect(0).json();
    let experiments = names(&translated["files"][0]["experiments"]);
    assert!(experiments.contains(&"pairs") && !experiments.contains(&"step"), "{experiments:?}");
    let line = ["cc", "--auto", "--auto-without=@steps.cll/left_out", "steps.c", "-o", "own"];
    place.cll(&line).expect(0);
    place.sh("cll run ./own 1000").expect(0);
    let trace = place.bytes("own.cll.0.dat");
    let has = |name: &[u8]| trace.windows(name.len()).any(|bytes| bytes == name);
    assert!(has(b"\"pairs\"") && !has(b"\"step\""));
    // What others run, such as tests, fills no disk: without `cll run` it records only where it is asked to.
    place.sh("./own 1000 && test ! -e own.cll.1.dat").expect(0);
    place.sh("CLL_OUT=. ./own 1000 && test -s own.cll.1.dat").expect(0);
    for line in [
        &["translate", "--auto", "--auto-without=@nowhere", "steps.c"][..],
        &["cc", "--auto", "--auto-without=@nowhere", "steps.c"],
    ] {
        place.cll(line).expect(2).says(&["nowhere", "o such file"]);
    }
    // The same output, once for each run.
    let log = place.read("steps.cll/output.log");
    assert!(log.contains(&place.read("plain.txt")), "{log}");
    let page = place.read("steps.cll/steps.html");
    assert!(page.contains("pairs"), "the page has the ranking");
    // Later commands read the model: they predict what has a formula, unless all of that contradicts the data.
    let done = place.cll(&["predict", "steps.cll", "--at", "n=6000"]);
    let has_fit = |name: &str| {
        let mut all = answer["experiments"].as_array().unwrap().iter();
        all.any(|value| value["name"] == name && value["fit"].is_object())
    };
    if has_fit("pairs_loop1") {
        assert!([0, 6].contains(&done.code), "{}", done.err);
        done.prints(&["pairs_loop1", "6000"]);
    }
}

#[test]
fn where_nothing_can_be_measured_that_is_said() {
    let place = Place::new();
    place.write(
        "often.c",
        "#include <stdio.h>\nstatic int f(int n) { return n + 1; }\nint main(void)\n{\n    int i = 0, s = 0;\nagain:\n    \
         s += f(i++);\n    if (i < 300000)\n        goto again;\n    printf(\"%d\\n\", s);\n    return 0;\n}\n",
    );
    let done = automatic(&place, &["often.c"]).expect(6);
    done.says(&["too short or is called too often", "f (30", "#pragma cll NAME auto"]);
    place.write("none.c", "int x;\n");
    automatic(&place, &["none.c"]).expect(3).says(&["no function or loop can be measured"]);
}

/// A loop's bound has a cast; one function is left by `longjmp` each time, and one grows exponentially.
const STRANGE: &str = r#"#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static long walk(n)
    int n;
{
    return n < 2 ? n : walk(n - 1) + walk(n - 2);
}

static void leaves(int n)
{
    volatile long k;
    for (k = 0; k < (size_t)n * 1000; k++)
        ;
    longjmp(back, 1);
}

static int tries(int n)
{
    if (setjmp(back) == 0)
        leaves(n);
    return n;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    printf("%ld %d\n", walk(n), tries(n));
    return 0;
}
"#;

#[test]
fn strange_programs_are_measured_as_far_as_they_can_be() {
    let place = Place::new();
    place.write("strange.c", STRANGE);
    let line = ["strange.c", "--details", "--vary", "N=16,19,22,25,28", "--", "{N}"];
    let done = automatic(&place, &line);
    let done = done.prints(&["it calls setjmp", "Not completed in any run", "leaves"]);
    let found: Value = serde_json::from_str(&place.read("strange.cll/model.json")).unwrap();
    expect_as_found(done, &found);
    let ranking = &found["ranking"];
    let walk = ranking["spots"].as_array().unwrap().iter().find(|value| value["name"] == "walk");
    // Its calls grow as Fibonacci's numbers. On a loaded machine another formula may fit their time, or none.
    check_time(&walk.unwrap_or_else(|| panic!("{ranking}"))["time"]);
    // Nothing but main, and nothing that varies.
    place.write("main.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n");
    let done = automatic(&place, &["main.c"]).expect(6);
    done.prints(&["measured there", "! main: 1 point is too few"]);
    let done = automatic(&place, &["main.c", "--details"]).expect(6);
    done.prints(&["measured there", "no variable"]);
    // A program that fails.
    place.write("fails.c", "int main(void) { return 3; }\n");
    automatic(&place, &["fails.c"]).expect(5).says(&["the pilot run", "exit code 3"]);
}

const RANKS: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double share(int n, int me, int p)
{
    double s = 0;
    for (int i = me; i < n; i += p)
        for (int k = 0; k < n; k++)
            s += (i ^ k) * 0.5;
    return s;
}

int main(int argc, char **argv)
{
    int me, p, n = atoi(argv[1]);
    double own, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    own = share(n, me, p);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn programs_of_mpi_need_no_annotation() {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    for mpi in ["openmpi", "mpich"] {
        let (launcher, compiler) = (format!("mpirun.{mpi}"), format!("mpicc.{mpi}"));
        let variables = [
            ("CLL_MPIRUN", launcher.as_str()),
            ("CLL_MPICC", compiler.as_str()),
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ];
        let folder = format!("{mpi}.cll");
        let line = ["ranks.c", "-n", "1,2", "-o", &folder, "--vary", "N=1000:3000:+1000", "--json"];
        let all = [&["model", "--auto"][..], &QUICK, &line, &["--", "{N}"]].concat();
        let done = place.cll_with(&variables, &all);
        let answer = done.json();
        expect_as_found(done, &answer);
        // The start of MPI, in main, takes longest.
        let spots = names(&answer["ranking"]["spots"]);
        let first = spots.into_iter().find(|name| *name != "main").unwrap();
        assert!(first.starts_with("share"), "{mpi}: {}", answer["ranking"]);
        let share = answer["experiments"].as_array().unwrap();
        let share = share.iter().find(|value| value["name"] == first).expect("it was measured");
        let variables: Vec<&str> =
            share["variables"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(variables.contains(&"n") && variables.contains(&"p"), "{variables:?}");
    }
}

/// Many functions, each with a loop; every fortieth takes long.
fn many(count: usize) -> String {
    let mut text =
        "#include <stdio.h>\n#include <stdlib.h>\nstatic volatile double s;\n".to_owned();
    for k in 0..count {
        let times = if k % 40 == 0 { 1000 } else { 0 };
        text += &format!(
            "static void f{k}(int n)\n{{\n    for (int i = 0; i < {times} * n; i++)\n        s += i;\n}}\n"
        );
    }
    text += "int main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n";
    (0..count).for_each(|k| text += &format!("    f{k}(n);\n"));
    text + "    printf(\"%g\\n\", s);\n    return 0;\n}\n"
}

#[test]
fn two_thousand_functions_are_regions() {
    const COUNT: usize = 2000;
    let place = Place::new();
    place.write("many.c", many(COUNT));
    let translated = place.cll(&["translate", "--auto", "--json", "many.c"]).expect(0).json();
    let all = names(&translated["files"][0]["experiments"]).len();
    assert_eq!(all, 2 * COUNT + 1);
}

/// All are regions at first; those that are left take part in one ranking.
#[test]
fn many_short_functions_are_left_out() {
    const COUNT: usize = 200;
    let place = Place::new();
    place.write("many.c", many(COUNT));
    let line = ["many.c", "--vary", "N=200:800:+200", "--json", "-q", "--", "{N}"];
    let done = automatic(&place, &line);
    let value = done.json();
    expect_as_found(done, &value);
    let ranking = &value["ranking"];
    check_ranked(ranking);
    let spots = names(&ranking["spots"]);
    for k in (0..COUNT).step_by(40) {
        assert!(spots.contains(&format!("f{k}_loop1").as_str()), "f{k}: {spots:?}");
    }
    // Of the others most are too short, and are named with their reason. A region is measured or left out.
    let out = ranking["left_out"].as_array().unwrap();
    assert!(out.iter().all(|one| !one["why"].as_str().unwrap().is_empty()));
    assert!(out.len() > COUNT / 2, "{} left out", out.len());
    let all: BTreeSet<&str> = [names(&ranking["left_out"]), spots].concat().into_iter().collect();
    let count = out.len() + ranking["spots"].as_array().unwrap().len();
    assert_eq!((all.len(), count), (2 * COUNT + 1, 2 * COUNT + 1), "{ranking}");
}
