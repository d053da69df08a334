//! Programs and systems that do what a measurement does not expect.

use std::fs;
use std::process::Command;

use crate::support::{Place, until};

const LOOP: &str = "\
#include <unistd.h>
int main(void)
{
    int N = 0;
    volatile double s = 0;
#pragma cll for (N = 10000; N < 200000; N += N / 2)
#pragma cll f f[0]+f[1]*N
    for (int i = 0; i < N; i++)
        s += i;
#pragma cll end f
#pragma cll end for
    LAST
    return 0;
}
";

/// Every third and fourth reading of the clock is two seconds early.
const JUMPING_CLOCK: &str = "\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*own)(clockid_t, struct timespec *);
    static long calls;
    int result;
    if (!own)
        own = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, \"clock_gettime\");
    result = own(clock, time);
    if (clock == CLOCK_MONOTONIC && (++calls / 3) % 2)
        time->tv_sec -= 2;
    return result;
}
";

#[test]
fn a_clock_that_jumps_is_noticed_and_what_it_spoilt_left_out() {
    let place = Place::new();
    place.write("jumps.c", LOOP.replace("LAST", ""));
    place.write("clock.c", JUMPING_CLOCK);
    place.build("jumps");
    let built = Command::new("gcc")
        .args(["-shared", "-fPIC", "-o", "clock.so", "clock.c", "-ldl"])
        .current_dir(place.path(""))
        .status();
    assert!(built.unwrap().success());
    // The program alone has this clock.
    let clock = place.path("clock.so");
    let status = place
        .command(place.path("jumps"))
        .env("CLL_CLOCK", "mono")
        .env("LD_PRELOAD", clock)
        .status();
    assert!(status.unwrap().success());
    let done = place.cll(&["fit", "jumps.cll.0.dat", "--json"]).expect(0);
    let done = done.prints(&["negative times", "the clock went backwards"]);
    // Two seconds in a region of at most half a millisecond: none is fitted as it is.
    let value = done.json();
    let fit = &value["experiments"][0]["fit"];
    let residuals = fit["residuals"].as_array().unwrap();
    let fitted = residuals.iter().filter(|residual| residual["excluded"].is_null());
    let times: Vec<f64> = fitted.map(|residual| residual["measured"].as_f64().unwrap()).collect();
    assert!(times.len() >= 3 && times.iter().all(|time| (0.0..0.5).contains(time)), "{times:?}");
}

#[test]
fn what_a_program_leaves_running_is_ended_with_its_launch() {
    let place = Place::new();
    let daemon = "if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(1);
            close(2);
            for (;;) pause();
        }
        _exit(0);
    }";
    place.write("leaves.c", LOOP.replace("LAST", daemon));
    // It ends only if it is ended; who waited for it would wait for ever.
    place
        .cll(&["model", "--launches", "3", "leaves.c"])
        .expect(0)
        .prints(&["ns*N"])
        .says(&["leaves 1 process running"]);
    let folder = place.path("leaves.cll").canonicalize().unwrap();
    until("no process is left", || {
        let mut processes = fs::read_dir("/proc").unwrap().flatten();
        !processes.any(|process| {
            fs::read_link(process.path().join("exe")).is_ok_and(|exe| exe.starts_with(&folder))
        })
    });
}
