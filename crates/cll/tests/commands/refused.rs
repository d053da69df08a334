//! Kernels that refuse to count, and processors that change their frequency.

use test_draw::thinned;

use crate::counters::TOUCH;
use crate::support::Place;

/// Runs a program without perf_event_open, which fails with the given error.
const REFUSE: &str = r#"#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **words)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(words[1])),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };
    (void)count;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return 126;
    execvp(words[2], words + 2);
    return 127;
}
"#;

#[test]
fn a_kernel_that_refuses_events_is_named_and_the_run_goes_on() {
    let place = Place::new();
    place.write("refuse.c", REFUSE);
    place.sh("cc refuse.c -o refuse").expect(0);
    place.write("touch.c", TOUCH);
    place.build("touch");
    // EPERM, ENOENT, EACCES, ENOSYS.
    let errors = [
        (1, "the kernel refuses it"),
        (2, "this kernel has no such event"),
        (13, "the kernel refuses it"),
        (38, "this kernel has no perf_event_open"),
    ];
    for (error, why) in thinned(errors, 3) {
        let run = format!("./refuse {error} cll run --counters page-faults,cpu-time ./touch");
        let message = format!("counter page-faults is not recorded: {why}");
        place.sh(&run).expect(0).says(&[&message, "recorded in touch.cll.0.dat"]);
        // What can be measured is there, and the fit repeats what is not.
        let fit = place.cll(&["fit", "touch.cll.0.dat", "--cpu-time", "--details"]).expect(0);
        fit.prints(&[&format!("page-faults was not recorded: {why}")]);
        // An advice to ask for it again would be of no use.
        let wanted = ["fit", "touch.cll.0.dat", "--observable", "faults"];
        let fit = place.cll(&wanted).expect(2);
        let fit =
            fit.says(&[&format!("page-faults was not recorded: {why}"), "cll counters lists"]);
        assert!(!fit.err.contains("--counters"), "{}", fit.err);
        let head = place.cll(&["export", "touch.cll.0.dat"]).expect(0).out;
        assert!(head.lines().next().unwrap().ends_with(",N,cpu-time,cpu-time.exclusive"), "{head}");
        place.sh("rm touch.cll.0.dat").expect(0);
    }
    // A model of the clause's event has no samples of it: that is an answer, with its name.
    let model =
        "./refuse 1 cll model touch.c -q --launches 2 --observable page-faults --loaded accept";
    let done = place.sh(model);
    assert!(done.code != 0 && done.code < 100, "{done:?}");
    let all = format!("{}{}", done.out, done.err);
    assert!(all.contains("page-faults"), "{all}");
    // Without it the times are fitted.
    place.sh("./refuse 1 cll model touch.c -q --launches 2 --loaded accept -o times.cll").expect(0);
}

/// A clock by which everything takes half as long again: what a processor is seen to do whose frequency has become lower.
const SLOWER: &str = r#"#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*own)(clockid_t, struct timespec *);
    int result;
    if (!own)
        own = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    result = own(clock, time);
    if (clock == CLOCK_MONOTONIC && result == 0) {
        int64_t ns = (time->tv_sec * 1000000000LL + time->tv_nsec) / 2 * 3;
        time->tv_sec = ns / 1000000000LL;
        time->tv_nsec = ns % 1000000000LL;
    }
    return result;
}
"#;

#[test]
fn a_processor_with_a_lower_frequency_than_before_is_named() {
    let place = Place::new();
    place.write("clock.c", SLOWER);
    place.sh("cc -shared -fPIC clock.c -o clock.so -ldl").expect(0);
    let latency = |name: &str| {
        let machine = place.cll(&["machine", "show", name, "--json"]).expect(0).json();
        let operations = machine["machine"]["operations"].as_array().unwrap().clone();
        let is = |operation: &serde_json::Value| {
            operation["name"] == "add" && operation["operand"] == "double"
        };
        let add = operations.into_iter().find(is).unwrap();
        ["low", "value", "high"].map(|key| add["latency"][key].as_f64().unwrap())
    };
    let probe = "cll machine probe --operations --quick --quiet --budget 8 --loaded accept";
    // The first one shows how quick the processor can be.
    place.sh(&format!("{probe} --out before.toml")).expect(0);
    let done = place.sh(&format!("LD_PRELOAD=$PWD/clock.so {probe} --out slower.toml")).expect(0);
    let output = format!("{}{}", done.out, done.err);
    assert!(output.contains("the processor's clock was below its maximum"), "{output}");
    // The interval says so, too. How much slower it is hangs on what else ran during both.
    let [low, slower, _] = latency("slower.toml");
    assert!(low < 0.85 * slower, "{low} {slower}");
}
