//! `cll run --launcher`, and the script that `cll translate` writes.

use std::process::{Child, Command};

use super::scenes::System;
use crate::support::{Done, Place, until, with_enough_time};

/// Measured at the size that its argument says; ends as the second one says.
const STEPS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma cll parallel OpenMP procs = 1:4:2

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, i, k;
    volatile double sum = 0;
    for (k = 0; k < 3; k++) {
#pragma cll steps steps[0] + steps[1]*n
        for (i = 0; i < n; i++)
            sum += i;
#pragma cll end steps
    }
    printf("%d steps by %s\n", n, getenv("OMP_NUM_THREADS") ? getenv("OMP_NUM_THREADS") : "one");
    fflush(stdout);
    if (argc > 2 && !strcmp(argv[2], "hangs"))
        sleep(600);
    return argc > 2 ? 3 : 0;
}
"#;

pub fn one_program(
    system: &System,
    cll: &dyn Fn(&Place, &[&str]) -> Done,
    begin: &dyn Fn(&Place, &[&str]) -> Child,
) {
    let place = Place::new();
    place.write("steps.c", STEPS);
    place.cll(&["cc", "-O1", "-o", "steps", "steps.c"]).expect(0);
    let line = ["run", "--launcher", system.name, "-n", "2", "./steps", "1000"];
    let done = cll(&place, &line).expect(0).says(&["job ", "recorded in", "steps.cll.0.dat"]);
    assert_eq!(done.out, "1000 steps by 2\n");
    place.cll(&["fit", "steps.cll.0.dat"]).prints(&["steps"]);
    let line = ["run", "--launcher", system.name, "-o", "traces", "./steps", "10", "fails"];
    cll(&place, &line).expect(3).says(&["ended with 3"]);
    assert_eq!(place.list("traces"), ["steps.cll.0.dat"], "nothing is left beside it");
    let hangs = |limit: &str| {
        let line = ["run", "--launcher", system.name, "--timeout", limit, "./steps", "10", "hangs"];
        cll(&place, &line).expect(124).says(&["took too long"])
    };
    let done = with_enough_time(hangs, |done| done.out.contains("steps"));
    assert_eq!(done.says(&["recorded in"]).out, "10 steps by 1\n");
    let line = ["run", "--launcher", system.name, "--queue", "nope", "./steps"];
    cll(&place, &line).expect(5).says(system.no_queue);
    // Ctrl-C ends the job, too.
    let mut child =
        begin(&place, &["run", "--launcher", system.name, "-o", "ended", "./steps", "7", "hangs"]);
    let printed = || {
        let jobs = std::fs::read_dir(place.path("ended")).into_iter().flatten().flatten();
        jobs.map(|job| job.path().join("0.log"))
            .any(|log| std::fs::read_to_string(log).unwrap_or_default().contains("7 steps"))
    };
    until("it runs", printed);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(place.list("ended"), Vec::<String>::new());
}

#[test]
fn a_program_with_procs_gets_its_script() {
    let place = Place::new();
    place.write("steps.c", STEPS);
    place
        .cll(&["translate", "steps.c", "--launcher", "slurm", "--queue", "short"])
        .expect(0)
        .prints(&["steps.cll.sh"]);
    let script = place.read("steps.cll.sh");
    for part in ["#SBATCH --cpus-per-task=4", "#SBATCH --partition=short", "for P in 1 2 4; do"] {
        assert!(script.contains(part), "{part} is not in\n{script}");
    }
    place.cll(&["translate", "steps.c"]).expect(0);
    place.cll(&["cc", "-O1", "-o", "steps", "steps.c"]).expect(0);
    let done = place.sh("cd / && \"$OLDPWD/steps.cll.sh\" 10").expect(0);
    assert_eq!(done.out, "10 steps by 1\n10 steps by 2\n10 steps by 4\n", "{}", done.err);
    // One for each number of processors.
    assert_eq!(place.list(".").iter().filter(|name| name.ends_with(".dat")).count(), 3);
    place.sh("./steps.cll.sh 10 fails").expect(3);
    place.write("none.c", "int main(void) { return 0; }\n");
    place.cll(&["translate", "none.c"]).expect(0);
    assert!(!place.exists("none.cll.sh"));
    let line = ["translate", "steps.c", "--launcher", "pbs", "--job-option", "--nonsense"];
    place.cll(&line).expect(2).says(&["pbs would refuse the script"]);
}
