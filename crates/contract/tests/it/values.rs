//! Every value is read as it is written, and invalid texts are refused.

use std::fmt::Debug;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use cll_contract::*;

/// The value is written as the text, and the text is read as the value.
macro_rules! is {
    ($variable:expr, $value:expr, $text:literal) => {
        assert_eq!($variable.set($value), ($variable.name(), $text.into()));
        assert_eq!($variable.read(Some($text.as_bytes())), Ok(Some($value)));
    };
}

fn refuses<K: ValueKind>(variable: &Variable<K>, texts: &[&[u8]])
where
    for<'a> K::Value<'a>: Debug + PartialEq,
{
    for text in texts {
        assert_eq!(variable.read(Some(text)), Err(WrongValue(text)), "{}", variable.name());
    }
}

#[test]
fn values_are_read_as_they_are_written() {
    is!(GATE, false, "off");
    is!(LOG, true, "1");
    is!(NPROCS, 4, "4");
    is!(ALONE, 0, "0");
    is!(RUN, 17, "17");
    is!(SHM_FD, 480, "480");
    is!(MEMORY, 1 << 40, "1099511627776");
    is!(CONTENTION, 1.25, "1.25");
    is!(DEADLOCK, Duration::from_millis(500), "0.5");
    is!(GATHER_WAIT, Duration::from_secs(60), "60");
    is!(OUT, Path::new("/tmp/a b"), "/tmp/a b");
    is!(MPIRUN, "mpirun -f hosts".as_ref(), "mpirun -f hosts");
    is!(COUNTERS, vec!["cycles".into(), "cpu-time".into()], "cycles,cpu-time");
    is!(PADDING, 3, "xxx");
    is!(CLOCK, Clock::Counter, "tsc");
    is!(CLOCK, Clock::Monotonic, "mono");
    is!(START, Start::Exec, "exec");
    is!(ORDER, Order::Ascending, "ascending");
    is!(ORDER, Order::Descending, "descending");
    is!(ORDER, Order::Shuffled(None), "shuffled");
    is!(ORDER, Order::Shuffled(Some(7)), "shuffled:7");
    is!(SYNC, Sync::Window, "window");
    is!(LOADED, Loaded::Accept, "accept");
    is!(BSP_JOIN, Joining { file: 9, index: 1, count: 4, window: 65536 }, "9:1:4:65536");
    for engine in Engine::ALL {
        let (_, text) = ENGINE.set(engine);
        assert_eq!(ENGINE.read(Some(text.as_bytes())), Ok(Some(engine)));
    }
}

#[test]
fn nothing_and_an_empty_text_are_no_value() {
    assert_eq!((LOG.read(None), LOG.read(Some(b""))), (Ok(None), Ok(None)));
    assert_eq!(SHM_FD.read(None), Ok(None));
    refuses(&SHM_FD, &[b""]);
    assert!(BSP_JOIN.read(Some(b"")).is_ok_and(|join| join.is_none()));
    assert_eq!(NPROCS.read_or_none(Some(b"x")), None);
}

#[test]
fn numbers_of_processors_are_above_zero() {
    assert_eq!(NPROCS.read(Some(b" 17\n")), Ok(Some(17)));
    refuses(&NPROCS, &[b"0", b"-1", b"4x", b"two", b"99999999999", b"\xFF"]);
    refuses(&ALONE, &[b"-1", b"x"]);
}

#[test]
fn times_are_seconds_or_parts_of_them() {
    assert_eq!(DEADLOCK.read(Some(b" 0.5\n")), Ok(Some(Duration::from_millis(500))));
    assert_eq!(DEADLOCK.read(Some(b"0")), Ok(Some(Duration::ZERO)));
    refuses(&DEADLOCK, &[b"-1", b"ten", b"10s", b"nan", b"inf"]);
    refuses(&GATHER_WAIT, &[b"0.5", b"-1"]);
}

#[test]
fn switches_are_off_by_two_words() {
    let is_on = |text: &[u8]| LOG.read_or_none(Some(text));
    assert_eq!((is_on(b"0"), is_on(b"off"), is_on(b"yes")), (Some(false), Some(false), Some(true)));
}

#[test]
fn other_words_are_refused() {
    refuses(&ENGINE, &[b"mpi ", b"MPI", b"gpu"]);
    refuses(&CLOCK, &[b"TSC", b"x"]);
    refuses(&ORDER, &[b"shuffled:", b"shuffled:x", b"ascending:1", b"\xFF"]);
    refuses(&SYNC, &[b"both"]);
    refuses(&LOADED, &[b"yes"]);
    refuses(&CONTENTION, &[b"0", b"-1", b"inf", b"nan"]);
    refuses(&BSP_JOIN, &[b"1:2:2:4", b"1:0:2", b"a:0:1:2"]);
}

#[test]
fn tables_of_costs() {
    let segment =
        |oblivious, processors, from, g, l| CostSegment { oblivious, processors, from, g, l };
    let segments = vec![segment(false, 2, 0, 1e-9, 1e-6), segment(true, 2, 1000, 0.0, 3e-6)];
    is!(
        COSTS,
        CostTable { combine: Combine::Max, segments: segments.clone() },
        "max;b,2,0,1e-9,1e-6;o,2,1000,0e0,3e-6"
    );
    is!(COSTS, CostTable { combine: Combine::Sum, segments: Vec::new() }, "sum");
    refuses(
        &COSTS,
        &[
            b"",
            b"mean",
            b"max;",
            b"max;b,2,0,1",
            b"max;c,2,0,1,1",
            b"max;b,2,0,-1,1",
            b"max;b,2,0,nan,1",
        ],
    );
    assert_eq!((Combine::Max.h(3, 5), Combine::Sum.h(3, 5)), (5, 8));
}

#[test]
fn tables_of_parameters() {
    let row =
        ParametersOf { processors: 2, rate: Some(2e9), l: Some(150.0), g: Some(1.5), half: None };
    is!(PARAMETERS, vec![row], "2 2e9 1.5e2 1.5e0 -");
    refuses(&PARAMETERS, &[b"x", b"2 1 2 3", b"2 a b c d", b"\xff"]);
}
