//! Placeholders in a program's arguments for values that differ from launch to launch.

use std::collections::BTreeSet;

use crate::support::Place;

/// Writes its arguments into a file, with how many threads it has.
const TOLD: &str = r#"#include <omp.h>
#include <stdio.h>

#pragma cll parallel OpenMP

int main(int argc, char **argv)
{
    FILE *told = fopen("told", "a");
    int i, n = 5;
#pragma cll f f[0]*n/P
    n++;
#pragma cll end f
    fprintf(told, "%d:", omp_get_max_threads());
    for (i = 1; i < argc; i++)
        fprintf(told, " %s", argv[i]);
    fputc('\n', told);
    return fclose(told);
}
"#;

/// The different lines of the file.
fn recorded_lines(place: &Place) -> BTreeSet<String> {
    place.read("told").lines().map(str::to_owned).collect()
}

#[test]
fn examples_have_their_placeholders() {
    let place = Place::new();
    let help = place.cll(&["mpi", "model", "--help"]).expect(0).out;
    assert!(help.contains("--predict n=600 -- {n}\n"), "{help}");
    let help = place.cll(&["--color", "always", "mpi", "model", "--help"]).expect(0).out;
    assert!(!help.contains("-- \n"), "{help}");
}

#[test]
fn the_number_of_processors_and_its_factors_are_arguments_of_a_model() {
    let place = Place::new();
    place.write("told.c", TOLD);
    let line = ["model", "told.c", "-n", "1,12", "--oversubscribe", "--launches", "1", "-q"];
    let arguments = ["--vary", "N=3:4", "--", "{N}", "-p{P}", "-d", "{P:3d}"];
    let more = ["{P:2d:i}x{P:2d:j}", "{{P}"];
    place.cll(&[&line[..], &arguments, &more].concat());
    let wanted = [
        "12: 3 -p12 -d 3 2 2 4x3 {P}",
        "12: 4 -p12 -d 3 2 2 4x3 {P}",
        "1: 3 -p1 -d 1 1 1 1x1 {P}",
        "1: 4 -p1 -d 1 1 1 1x1 {P}",
    ];
    assert_eq!(recorded_lines(&place), wanted.map(str::to_owned).into());
    let model: serde_json::Value =
        serde_json::from_str(&place.read("told.cll/model.json")).unwrap();
    let runs = model["runs"].as_array().unwrap();
    let of_12 = runs.iter().find(|run| run["processors"] == 12).unwrap();
    assert_eq!(of_12["arguments"][3], "3", "{of_12}");
}

#[test]
fn the_number_of_processors_and_its_factors_are_arguments_of_a_campaign() {
    let place = Place::new();
    place.write("work", "#!/bin/sh\necho $* >> told\n");
    assert_eq!(place.sh("chmod +x work").code, 0);
    place.write(
        "plan.toml",
        "cll-campaign = 1\nprogram = \"./work\"\narguments = [\"{P}\", \"{P:2d}\", \"{P:3d:k}\"]\n\
         processors = \"6:8\"\noversubscribe = true\nrounds = 1\n",
    );
    place.cll(&["campaign", "run", "plan.toml", "-q"]).expect(0).prints(&["3 of 3 runs are done"]);
    assert_eq!(recorded_lines(&place), ["6 3 2 1", "7 7 1 1", "8 4 2 2"].map(str::to_owned).into());
}

/// Three sizes of its own.
const SIZES: &str = r#"int main(void)
{
    volatile double x = 0;
    int i, N;
#pragma cll for (N = 1000; N < 5000; N *= 2)
#pragma cll walk walk[0] + walk[1]*N
    for (i = 0; i < N; i++)
        x += i;
#pragma cll end walk
#pragma cll end for
    return 0;
}
"#;

#[test]
fn what_the_program_does_not_measure_is_refused_after_one_round() {
    let place = Place::new();
    place.write("sizes.c", SIZES);
    let line = ["model", "sizes.c", "--launches", "9", "-q", "--hold-out", "N=3000"];
    let done = place.cll(&line).expect(2);
    done.says(&["--hold-out N=3000", "nothing was measured there", "1000, 2000, 4000"]);
    let plan: serde_json::Value = serde_json::from_str(&place.read("sizes.cll/plan.json")).unwrap();
    assert_eq!(plan["rounds"].as_array().unwrap().len(), 1);
}

/// Touches so many new pages at each size; and very many at its first call, of a size of its own.
const FAULTS: &str = r#"#include <sys/mman.h>

static void touch(int N, int pages)
{
    char *all;
    int i;
#pragma cll touch touch[0] + touch[1]*N
    all = mmap(0, 4096L * pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(all, 4096L * pages, MADV_NOHUGEPAGE);
    for (i = 0; i < pages; i++)
        all[4096L * i] = 1;
    munmap(all, 4096L * pages);
#pragma cll end touch
}

int main(void)
{
    int N, i;
    touch(12, 9000);
#pragma cll for (N = 10; N < 100; N += 10)
    for (i = 0; i < 3; i++)
        touch(N, 100 * N);
#pragma cll end for
    return 0;
}
"#;

#[test]
fn a_first_call_that_spoils_the_fit_is_reported() {
    let place = Place::new();
    place.write("faults.c", FAULTS);
    let line = ["model", "faults.c", "--launches", "2", "-q", "--intervals", "none"];
    let line = [&line[..], &["--observable", "page-faults", "--json"]].concat();
    let warnings = |line: &[&str]| -> Vec<String> {
        let answer = place.cll(line).expect(0).json();
        let warnings = answer["experiments"][0]["warnings"].as_array().unwrap().clone();
        let first = warnings.iter().filter(|warning| warning["code"] == "first-call");
        first.map(|value| value["text"].as_str().unwrap().to_owned()).collect()
    };
    let messages = warnings(&line);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("N = 12 is one call, the first of each launch"), "{messages:?}");
    assert!(messages[0].ends_with("--hold-out N=12"), "{messages:?}");
    // What it says helps.
    assert!(warnings(&[&line[..], &["--hold-out", "N=12"]].concat()).is_empty());
}
