//! Programs of PUB, from their source to their end, by `cll cc` and `cll run`.

use crate::support::Place;

/// Halves that add up the processors' numbers by themselves.
const HALVES: &str = r#"#include <pub.h>
#include <stdlib.h>

static void add(int *sum, int *x, int *y, int *size) { *sum = *x + *y; (void)size; }

int main(int argc, char **argv)
{
    t_bsp all, half;
    int p, me, sum, bounds[2], status = argc > 1 ? atoi(argv[1]) : 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &all);
    p = bsp_nprocs(&all);
    me = bsp_pid(&all);
    bounds[0] = p / 2;
    bounds[1] = p;
    bsp_partition(&all, &half, 2, bounds);
    bsp_reduce(&half, add, &me, &sum, sizeof sum);
    bsp_done(&half);
    if (me == p - 1)
        bsp_send(&all, 0, &sum, sizeof sum);
    bsp_oblsync(&all, me == 0);
    if (me == 0)
        printf("%d processors: %d\n", p, *(int *)bspmsg_data(bsp_getmsg(&all, 0)));
    bsplib_done();
    return me == p - 1 ? status : 0;
}
"#;

fn place(include: &str, options: &[&str]) -> Place {
    let place = Place::new();
    place.write("halves.c", HALVES.replace("<pub.h>", include));
    let arguments = ["cc", "-O2", "-Wall", "-Werror", "halves.c", "-o", "halves"];
    place.cll(&[&arguments[..], options].concat()).expect(0);
    place
}

#[test]
fn nothing_is_needed_but_the_two_commands() {
    let place = place("<pub.h>", &[]);
    for (count, sum) in [("1", 0), ("2", 1), ("5", 9), ("8", 22)] {
        let done = place.cll(&["run", "-n", count, "./halves"]).expect(0);
        assert_eq!((done.out, done.err), (format!("{count} processors: {sum}\n"), String::new()));
    }
}

#[test]
fn by_an_option_bsp_h_is_pub_h_even_before_the_program_s_own_folders() {
    let place = place("<bsp.h>", &["-pub"]);
    place.cll(&["run", "-n", "3", "./halves"]).expect(0).prints(&["3 processors: 3"]);
    place.write("own/bsp.h", "#error the program's own\n");
    place.cll(&["cc", "-Iown", "-pub", "halves.c", "-o", "halves"]).expect(0);
    // Without it the name is BSPlib's.
    place.cll(&["cc", "halves.c", "-o", "halves"]).expect(1);
}

#[test]
fn every_processor_s_status_is_the_command_s() {
    let place = place("<pub.h>", &[]);
    for start in ["exec", "fork"] {
        let environment = [("CLL_START", start)];
        place.cll_with(&environment, &["run", "-n", "4", "./halves", "7"]).expect(7);
        place.cll_with(&environment, &["run", "-n", "4", "./halves", "0"]).expect(0);
    }
}

#[test]
fn a_deadlock_is_reported() {
    let place = Place::new();
    let text = HALVES.replace("bsp_oblsync(&all, me == 0);", "bsp_oblsync(&all, 2);");
    place.write("halves.c", text);
    place.cll(&["cc", "-O2", "halves.c", "-o", "halves"]).expect(0);
    place.cll_with(&[("CLL_DEADLOCK", "0.3")], &["run", "-n", "3", "./halves"]).expect(1).says(&[
        "deadlock: all processors wait",
        "processor 2: bsp_oblsync at",
        "halves.c:21",
    ]);
    place
        .cll_with(&[("CLL_DEADLOCK", "soon")], &["run", "-n", "3", "./halves"])
        .expect(1)
        .says(&["CLL_DEADLOCK=soon is not a number of seconds"]);
}

#[test]
fn threads_carry_them_too_if_the_program_can_be_loaded_again() {
    let place = place("<pub.h>", &["--engine", "threads"]);
    for engine in ["threads", "processes"] {
        let run = ["run", "-n", "4", "--engine", engine, "--log", "./halves", "7"];
        place.cll(&run).expect(7).prints(&["4 processors: 5"]);
    }
    let [threads, processes] = ["halves.cll.0.log", "halves.cll.1.log"].map(|log| {
        let rows = place.cll(&["export", "--supersteps", log]).expect(0).out;
        // What is before the times: machine, superstep, processor, ...
        rows.lines()
            .map(|row| row.split(',').take(8).collect::<Vec<_>>().join(","))
            .collect::<Vec<_>>()
    });
    assert_eq!(threads, processes);
    assert!(threads.len() > 4 * 3, "{threads:?}");
    let place = self::place("<pub.h>", &[]);
    place
        .cll(&["run", "-n", "2", "--engine", "threads", "./halves"])
        .expect(1)
        .says(&["bsplib_init at", "this program cannot be loaded a second time"]);
}

#[test]
fn figure_5_is_translated_run_and_recorded() {
    let place = Place::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pub/fft.c");
    place.cll(&["cc", "-O2", source, "-o", "fft", "-lm"]).expect(0);
    for count in ["1", "4", "32"] {
        let done = place.cll(&["run", "-n", count, "./fft", "1024"]).expect(0);
        let start = format!("fft: 1024 numbers on {count} processors, right;");
        assert!(done.out.starts_with(&start), "{}", done.out);
    }
    assert!(place.path("fft.cll.2.dat").is_file());
}
