//! Failures that stop a machine, and their messages.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cll_bsp::{Area, Bsp, Failure};

use super::Make;

/// The failure of a program on three processors.
fn failure(machine: Make, program: impl Fn(&mut Bsp) + Sync) -> String {
    machine(3).run(program).expect_err("it should have failed").to_string()
}

#[track_caller]
fn check(text: &str, begin: &str, end: &str) {
    assert!(text.starts_with(begin) && text.ends_with(end), "{text}\n  is not: {begin} ... {end}");
}

pub fn misuse_is_named(machine: Make) {
    let area = |bsp: &mut Bsp| {
        let area = bsp.area::<u32>(10 + bsp.pid());
        bsp.sync();
        area
    };
    let text = failure(machine, |bsp| {
        let area = area(bsp);
        bsp.put(2, &[0; 3], &area, 10);
        bsp.sync();
    });
    check(&text, "processor ", "beyond the 48 bytes that processor 2 registered");
    assert!(text.contains("Bsp::put at") && text.contains("failures.rs:"), "{text}");
    let text = failure(machine, |bsp| {
        let area = area(bsp);
        let get = bsp.get(0, &area, 9..11);
        bsp.sync();
        get.values();
    });
    check(&text, "processor ", "reaches beyond the 40 bytes that processor 0 registered");
    let text = failure(machine, |bsp| {
        let area = area(bsp);
        bsp.get_into(2, &area, 1..10, &area, 5);
        bsp.sync();
    });
    check(&text, "processor ", "here");
    assert!(text.contains("elements 5 to 14 are requested"), "{text}");
    let text = failure(machine, |bsp| {
        let new = bsp.area::<u8>(1);
        if bsp.pid() == 2 {
            bsp.put(0, &[1], &new, 0);
        }
        bsp.sync();
    });
    check(&text, "processor 2 of 3: Bsp::put at", "it can be used after the next sync");
    let text = failure(machine, |bsp| {
        if bsp.pid() == 1 {
            bsp.send(3, b"nobody");
        }
        bsp.sync();
    });
    let end = "there is no processor 3; the machine has 3 (numbered from 0)";
    check(&text, "processor 1 of 3: Bsp::send at", end);
    let text = failure(machine, |bsp| {
        bsp.send(0, b"one");
        bsp.fold(1, i32::max);
    });
    check(&text, "processor ", "call Bsp::sync before it");
    let text = failure(machine, |bsp| {
        bsp.exchange(&[[1u8]; 2]);
    });
    check(&text, "processor ", "there are 2 parts for 3 processors");
    let text = failure(machine, |bsp| match bsp.pid() {
        1 => drop(bsp.area::<u8>(1)),
        _ => bsp.sync(),
    });
    check(&text, "processor ", ", but processor 1 has ended");
    let text = failure(machine, |bsp| {
        if bsp.pid() == 1 {
            bsp.area::<u8>(1);
        }
        bsp.sync();
    });
    check(&text, "processor ", "processor 1 1; all must register together");
    let text = failure(machine, |bsp| {
        let mut elements = vec![0; 10 + bsp.pid() / 2];
        bsp.broadcast(0, &mut elements);
    });
    check(&text, "processor ", "with the same root and size");
    let text = failure(machine, |bsp| match bsp.pid() {
        0 => bsp.sync(),
        _ => assert!(bsp.all(true)),
    });
    check(&text, "processor ", "with the same root and size");
}

pub fn areas_of_other_machines_are_refused(machine: Make) {
    thread_local! {
        static KEPT: RefCell<Option<Area<u64>>> = const { RefCell::new(None) };
    }
    machine(2).run(|bsp| KEPT.set(Some(bsp.area(100)))).unwrap();
    let text = failure(machine, |bsp| {
        if let Some(area) = KEPT.take() {
            bsp.local(&area);
        }
        bsp.sync();
    });
    // All processes have a copy of it, and any may be the first.
    check(&text, "processor ", "not one of this processor in this machine");
    assert!(text.contains(" of 3: Bsp::local at "), "{text}");
}

pub fn a_processor_that_panics_is_named(machine: Make) {
    for who in 0..3 {
        for after in [0, 1, 2] {
            let text = failure(machine, |bsp| {
                let area = bsp.area::<u8>(100_000);
                for step in 0..5 {
                    assert!(bsp.pid() != who || step != after, "in superstep {step}");
                    bsp.sync();
                    bsp.put((bsp.pid() + 1) % 3, &[1; 100_000], &area, 0);
                }
            });
            let expected = format!("processor {who} of 3: panicked: in superstep {after}");
            assert_eq!(text, expected);
        }
    }
}

pub fn calls_after_a_failure_have_no_effect(machine: Make) {
    let text = failure(machine, |bsp| {
        let mut area = bsp.area::<u8>(10);
        let broken = catch_unwind(AssertUnwindSafe(|| {
            assert!(bsp.pid() != 1, "caught by itself");
            bsp.sync();
        }));
        if bsp.pid() == 1 {
            assert!(broken.is_err());
            return;
        }
        // It ended without the others, which find out.
        assert!(broken.is_err());
        for _ in 0..3 {
            let more = catch_unwind(AssertUnwindSafe(|| bsp.sync()));
            assert!(more.is_err());
            let more = catch_unwind(AssertUnwindSafe(|| bsp.local_mut(&mut area).fill(1)));
            assert!(more.is_err());
        }
    });
    check(&text, "processor ", ", but processor 1 has ended");
}

pub fn a_machine_works_again_after_a_failure(machine: Make) {
    let machine = machine(3);
    for round in 0..10usize {
        let failed: Result<(), Failure> = machine.run(|bsp| {
            let area = bsp.area::<usize>(10_000);
            bsp.sync();
            bsp.put((bsp.pid() + 1) % 3, &[1; 10_000], &area, 0);
            assert!(bsp.pid() != round % 3, "round {round}");
            bsp.sync();
        });
        assert!(failed.is_err());
        assert_eq!(
            machine.run(|bsp| bsp.fold(bsp.pid() + round, |a, b| a + b)).unwrap(),
            3 + 3 * round
        );
    }
}

pub fn a_result_that_cannot_be_dropped_is_a_failure(machine: Make) {
    struct Fragile(bool);
    impl Drop for Fragile {
        fn drop(&mut self) {
            assert!(!self.0, "dropped");
        }
    }
    let result = machine(3).run(|bsp| Fragile(bsp.pid() == 2));
    let text = result.map(drop).unwrap_err().to_string();
    assert_eq!(text, "processor 2 of 3: panicked: dropped");
}
