//! The time of a processor is computation, communication and waiting: in every log that a test reads, and where
//! processors wait at `sync`.

use cll_supersteps::{Log, Processor, Superstep};

use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::Place;

/// The log, which must hold this: no part of a superstep is negative, and supersteps of a machine do not overlap.
pub fn checked(log: Log) -> Log {
    for processor in &log.processors {
        let mut ends = std::collections::HashMap::new();
        for superstep in &processor.supersteps {
            let description = || format!("processor {}: {superstep:?}", processor.number);
            let Superstep { computation, communication, waiting, .. } = *superstep;
            // Waiting has 24 bits; a clock of several hosts is corrected.
            let error = 1e-6 * (waiting.0 + communication.0.abs()) + 1e-7;
            for part in [computation.0, communication.0, waiting.0] {
                assert!(part >= -error, "{}", description());
            }
            let end = ends.insert(superstep.machine, superstep.end());
            assert!(end.is_none_or(|end| superstep.start.0 >= end.0 - error), "{}", description());
        }
    }
    log
}

/// Processor 0 takes 20 ms before each of five `sync`, the others nothing.
const BSPLIB: &str = r#"#include <bsp.h>
#include <unistd.h>
#pragma cll parallel BSP
int main(void)
{
    int i, n = 1;
    bsp_begin(2);
    for (i = 0; i < 5; i++) {
        usleep(bsp_pid() ? 0 : 20000);
#pragma cll sync step step[0] + step[1]*n
        n++;
#pragma cll end step
        if (i % 2)
            bsp_sync();
    }
    bsp_sync();
    bsp_end();
    return 0;
}
"#;

const PUB: &str = r#"#include <pub.h>
#include <unistd.h>
static t_bsp all;
#pragma cll parallel PUB all
int main(int argc, char **argv)
{
    int i, n = 1;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(0, &all);
    for (i = 0; i < 5; i++) {
        usleep(bsp_pid(&all) ? 0 : 20000);
#pragma cll sync step step[0] + step[1]*n
        n++;
#pragma cll end step
        if (i % 2)
            bsp_sync(&all);
    }
    bsp_sync(&all);
    bsplib_done();
    return 0;
}
"#;

/// Each processor was in the machine for the 80 ms that processor 0 slept after the first `sync`: all of that is in
/// some part.
fn is_complete(log: &Log, virtually: bool) {
    assert_eq!(log.processors.len(), 2);
    let sum = |processor: &Processor, part: fn(&Superstep) -> f64| -> f64 {
        processor.supersteps.iter().map(part).sum()
    };
    for processor in &log.processors {
        assert_eq!(processor.supersteps.len(), 4, "{processor:?}");
        let computation = sum(processor, |superstep| superstep.computation.0);
        let communication = sum(processor, |superstep| superstep.communication.0);
        let waiting = sum(processor, |superstep| superstep.waiting.0);
        let all = computation + communication + waiting;
        // Virtual time has computation, not sleep.
        assert!(virtually || all >= 0.08, "{computation} + {communication} + {waiting}");
        assert!(communication >= 0.0 && waiting >= 0.0, "{communication} {waiting}");
    }
}

fn logged(source: &str, engine: &str, variables: &[(&str, &str)]) -> Log {
    let place = Place::new();
    place.write("waits.c", source);
    let flags: &[&str] = if engine == "threads" { &["--engine", "threads"] } else { &[] };
    place.cll(&[&["cc", "waits.c", "-o", "waits"], flags].concat()).expect(0);
    let line = ["run", "-n", "2", "--engine", engine, "--log", "./waits"];
    place.cll_with(variables, &line).expect(0);
    let names = place
        .list(".")
        .into_iter()
        .filter(|name| name.ends_with(".log") || (engine == "mpi" && name.ends_with(".dat")));
    let logs = names.map(|name| cll_supersteps::read(&place.bytes(&name)[..]).unwrap());
    checked(Log::gather(logs).unwrap())
}

#[test]
fn waiting_at_a_sync_is_waiting_on_every_engine() {
    for source in [BSPLIB, PUB] {
        for engine in ["processes", "threads", "virtual"] {
            is_complete(&logged(source, engine, &[]), engine == "virtual");
        }
    }
}

#[test]
fn waiting_at_a_sync_is_waiting_on_mpi() {
    if !ready("waiting_at_a_sync_is_waiting_on_mpi") {
        return;
    }
    for mpi in drawn(1) {
        let (launcher, compiler) = (format!("mpirun.{mpi}"), format!("mpicc.{mpi}"));
        let variables = [("CLL_MPIRUN", launcher.as_str()), ("CLL_MPICC", compiler.as_str())];
        let variables = [&OPEN_MPI[..], &variables[..]].concat();
        for source in [BSPLIB, PUB] {
            is_complete(&logged(source, "mpi", &variables), false);
        }
    }
}
