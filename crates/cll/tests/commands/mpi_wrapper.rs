//! What the log of an MPI program says besides the calls: time without a core, calls that it does not record, requests that
//! were never completed. Programs with planted truths, by both MPIs.

use serde_json::Value;

use crate::mpi_calls::{cll, compile, drawn, ready};
use crate::support::{Done, Place};

/// Between calls all ranks sleep, then compute on one core that they share, then do nothing.
const OFF_CORE: &str = r"#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char **argv)
{
    cpu_set_t all, one;
    double begun;
    int core = 0;

    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(core, &all))
        core++;
    /* A launcher may have given each another core. */
    MPI_Bcast(&core, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    usleep(50000);
    MPI_Barrier(MPI_COMM_WORLD);
    sched_setaffinity(0, sizeof one, &one);
    begun = used();
    while (used() - begun < 0.2)
        ;
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Barrier(MPI_COMM_SELF);
    return MPI_Finalize();
}
";

/// Runs a program of this source with a log on 2 ranks; its logs are in the folder `NAME-MPI`.
fn logged(place: &Place, mpi: &str, name: &str, source: &str) -> (Done, Vec<String>) {
    let file = format!("{name}.c");
    let program = format!("{name}-of-{mpi}");
    place.write(&file, source);
    compile(place, &format!("mpicc.{mpi}"), &file, &program);
    let folder = format!("{name}-{mpi}");
    let command = format!("./{program}");
    let done = cll(place, &["run", "-n", "2", "--log", "-o", &folder, &command]).expect(0);
    let files = place.list(&folder).iter().map(|log| format!("{folder}/{log}")).collect();
    (done, files)
}

fn json(place: &Place, command: &[&str], files: &[String]) -> Value {
    let mut line = command.to_vec();
    line.extend(files.iter().map(String::as_str));
    place.cll(&line).expect(0).json()
}

#[test]
fn time_without_a_core_is_in_the_log() {
    if !ready("time_without_a_core") {
        return;
    }
    let place = Place::new();
    for mpi in drawn(0) {
        let (_, files) = logged(&place, mpi, "off-core", OFF_CORE);
        let export = json(&place, &["export", "--format", "json"], &files);
        let calls = export["calls"].as_array().expect("a list");
        let mut shared = 0.0;
        for rank in 0..2 {
            let of_rank: Vec<&Value> = calls.iter().filter(|one| one["rank"] == rank).collect();
            let off = |nth: usize, field: &str| of_rank[nth][field].as_f64();
            let names: Vec<&str> = of_rank.iter().filter_map(|one| one["call"].as_str()).collect();
            let barriers = ["MPI_Barrier"; 3];
            let expected = [&["MPI_Bcast"][..], &barriers, &["MPI_Finalize"]].concat();
            assert_eq!(names[1..], expected);
            // After the sleep. What a loaded machine adds is time in which the thread was ready.
            let slept = off(2, "off_core_s").expect("known");
            let ready = off(2, "ready_s");
            assert!(slept > 0.045, "{mpi}: {slept}");
            assert!(ready.is_none_or(|ready| slept - ready > 0.045), "{mpi}: {slept} {ready:?}");
            // Without a core, by the clock, and ready all of the time.
            let waited = off(3, "off_core_s").expect("known");
            if let Some(ready) = off(3, "ready_s") {
                assert!(ready <= waited && waited - ready < 0.02, "{mpi}: {waited} {ready}");
            }
            shared += waited;
            assert_eq!(off(4, "off_core_s"), Some(0.0), "{mpi}");
        }
        // Two ranks that need 200 ms each begin at about the same time.
        assert!(shared > 0.15, "{mpi}: {shared}");
    }
}
