//! The threads engine: with the interface for programs in C, and with that for programs in Rust.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::time::Duration;

use cll_bsp::{Machine, Misuse, Place, Processor, threads};
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::{harness, programs, random, raw};

macro_rules! tests {
    ($($name:ident)*) => {
        pub const OF_EVERY_ENGINE: &[harness::Test] =
            &[$((stringify!($name), || programs::$name(Machine::threads))),*];
    };
}
programs::for_each!(tests);

pub const OF_THREADS: &[harness::Test] = &[
    ("what_is_put_and_sent_arrives", what_is_put_and_sent_arrives),
    ("processor_0_ends_after_all_others", processor_0_ends_after_all_others),
    (
        "who_is_dropped_before_its_end_stops_the_machine",
        who_is_dropped_before_its_end_stops_the_machine,
    ),
    ("a_seat_that_is_not_taken_stops_the_machine", a_seat_that_is_not_taken_stops_the_machine),
    (
        "one_that_ends_while_another_synchronises_is_misuse_on_both",
        one_that_ends_while_another_synchronises_is_misuse_on_both,
    ),
    (
        "machines_at_the_same_time_know_nothing_of_each_other",
        machines_at_the_same_time_know_nothing_of_each_other,
    ),
    (
        "what_is_put_in_a_superstep_comes_before_what_is_hpput_in_the_next",
        what_is_put_in_a_superstep_comes_before_what_is_hpput_in_the_next,
    ),
    ("large_copies_are_there_whichever_way_they_go", large_copies_are_there_whichever_way_they_go),
    (
        "what_its_sender_writes_itself_is_there_in_the_order_of_the_contract",
        what_its_sender_writes_itself_is_there_in_the_order_of_the_contract,
    ),
    (
        "machines_of_rust_programs_run_at_the_same_time_and_in_each_other",
        machines_of_rust_programs_run_at_the_same_time_and_in_each_other,
    ),
    ("random_programs_do_what_the_model_does", random_programs_do_what_the_model_does),
];

/// Runs a program on p threads; what each returned.
fn run<R: Send>(p: usize, program: impl Fn(Processor) -> R + Sync) -> Vec<R> {
    let slots = threads::slots(p).unwrap();
    std::thread::scope(|scope| {
        let program = &program;
        let threads: Vec<_> =
            slots.into_iter().map(|slot| scope.spawn(move || program(slot.enter()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn what_is_put_and_sent_arrives() {
    for p in [1, 2, 3, 5] {
        let all = run(p, |mut m| {
            let (me, mut area) = (m.pid(), vec![0usize; m.nprocs()]);
            // SAFETY: the area lives until the end; the bytes are there.
            unsafe {
                m.push_reg(area.as_mut_ptr().cast(), 8 * area.len()).unwrap();
                m.sync(Place::NOWHERE).unwrap();
                for to in 0..m.nprocs() {
                    let value = 100 * me + to;
                    let (value, area) = ((&raw const value).cast(), area.as_ptr().cast());
                    m.put(to, value, area, 8 * me, 8).unwrap();
                    m.send(to, std::ptr::null(), value, 8).unwrap();
                }
            }
            m.sync(Place::NOWHERE).unwrap();
            let mut sent = Vec::new();
            while let Some(message) = m.take() {
                // SAFETY: a message of 8 bytes.
                sent.push(unsafe { message.payload.cast::<usize>().read() });
            }
            m.end(Place::NOWHERE).unwrap();
            (area, sent)
        });
        for (me, (area, sent)) in all.into_iter().enumerate() {
            let expected: Vec<usize> = (0..p).map(|from| 100 * from + me).collect();
            assert_eq!((area, sent), (expected.clone(), expected));
        }
    }
}

fn processor_0_ends_after_all_others() {
    let ended = AtomicUsize::new(0);
    run(4, |mut m| {
        if m.pid() > 0 {
            std::thread::sleep(Duration::from_millis(20));
            ended.fetch_add(1, SeqCst);
        }
        m.end(Place::NOWHERE).unwrap();
        assert!(m.pid() > 0 || ended.load(SeqCst) == 3);
    });
}

fn who_is_dropped_before_its_end_stops_the_machine() {
    let dropped = AtomicBool::new(false);
    let all = run(3, |mut m| {
        if m.pid() == 1 {
            std::thread::sleep(Duration::from_millis(20));
            dropped.store(true, SeqCst);
            return None;
        }
        assert_eq!(m.sync(Place::NOWHERE), Err(Misuse::Stopped));
        assert!(dropped.load(SeqCst));
        m.end_after_stop()
    });
    assert_eq!(all[0], Some((Some(1), "it was dropped before its end".to_owned())));
}

fn a_seat_that_is_not_taken_stops_the_machine() {
    let mut slots = threads::slots(2).unwrap();
    drop(slots.pop());
    let mut m = slots.pop().unwrap().enter();
    assert_eq!(m.sync(Place::NOWHERE), Err(Misuse::Stopped));
}

fn one_that_ends_while_another_synchronises_is_misuse_on_both() {
    let all = run(2, |mut m| match m.pid() {
        // SAFETY: a literal.
        0 => m.sync(unsafe { Place::new(c"lu.c".as_ptr(), 41) }),
        _ => m.end(Place::NOWHERE),
    });
    let expected = "processor 0 is in bsp_sync at lu.c:41, but processor 1 is in bsp_end";
    let texts: Vec<String> = all.into_iter().map(|end| end.unwrap_err().to_string()).collect();
    assert_eq!(texts, [expected, expected]);
}

fn machines_at_the_same_time_know_nothing_of_each_other() {
    std::thread::scope(|scope| {
        for machine in 0..4usize {
            scope.spawn(move || {
                let all = run(3, |mut m| {
                    for step in 0..200usize {
                        let value = 1000 * machine + step;
                        let next = (m.pid() + 1) % 3;
                        // SAFETY: the bytes are there.
                        unsafe { m.send(next, std::ptr::null(), (&raw const value).cast(), 8) }
                            .unwrap();
                        m.sync(Place::NOWHERE).unwrap();
                        let message = m.take().unwrap();
                        // SAFETY: a message of 8 bytes.
                        assert_eq!(unsafe { message.payload.cast::<usize>().read() }, value);
                    }
                    m.end(Place::NOWHERE)
                });
                assert_eq!(all, [Ok(()), Ok(()), Ok(())]);
            });
        }
    });
}

fn what_is_put_in_a_superstep_comes_before_what_is_hpput_in_the_next() {
    run(2, raw::hpput_after_put);
}

fn large_copies_are_there_whichever_way_they_go() {
    run(2, raw::large_copies);
}

fn what_its_sender_writes_itself_is_there_in_the_order_of_the_contract() {
    run(2, raw::deliveries);
}

fn machines_of_rust_programs_run_at_the_same_time_and_in_each_other() {
    let machine = Machine::threads(3);
    std::thread::scope(|scope| {
        for first in 0..4usize {
            scope.spawn(move || {
                for round in 0..20 {
                    let fails = round % 5 == first;
                    let sum = machine.run(|bsp| {
                        let me = first + bsp.pid();
                        let inner = Machine::threads(2).run(|inner| inner.fold(me, |a, b| a + b));
                        assert!(!fails || bsp.pid() != 1);
                        bsp.fold(inner.unwrap(), |a, b| a + b)
                    });
                    assert_eq!(sum.ok(), (!fails).then_some(2 * (3 * first + 3)));
                }
            });
        }
    });
}

fn random_programs_do_what_the_model_does() {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(random::cases())
    });
    let result = runner.run(&random::program(), |program| {
        let outcomes = run(program.processors, |mut m| random::execute(&program, &mut m));
        let wrong: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
        if wrong.is_empty() { Ok(()) } else { Err(TestCaseError::fail(wrong.join("\n"))) }
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
