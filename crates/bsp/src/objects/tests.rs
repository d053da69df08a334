//! Machine objects with threads.

use std::time::Duration;

use crate::place::Place;
use crate::{Handle, Misuse, Objects, threads};

/// Runs `part` on each processor and returns the results.
pub(super) fn run<T: Send>(
    count: usize,
    part: impl Fn(&mut Objects, Handle) -> T + Sync,
) -> Vec<T> {
    let slots = threads::slots(count).unwrap();
    std::thread::scope(|scope| {
        let start = |slot: threads::Slot| {
            let part = &part;
            scope.spawn(move || {
                let mut objects = slot.enter_objects();
                let root = objects.root();
                part(&mut objects, root)
            })
        };
        let threads: Vec<_> = slots.into_iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub(super) fn send(objects: &mut Objects, machine: Handle, to: usize, bytes: &[u8]) {
    // SAFETY: the bytes exist.
    unsafe { objects.send(machine, to, bytes.as_ptr(), bytes.len()) }.unwrap();
}

pub(super) fn received(objects: &Objects, machine: Handle) -> Vec<(usize, Vec<u8>)> {
    let bytes = |data: *mut u8, size| {
        // SAFETY: a message has this many bytes.
        unsafe { std::slice::from_raw_parts(data, size) }.to_vec()
    };
    let messages = objects.messages(machine).unwrap();
    messages.iter().map(|m| (m.source(), bytes(m.data(), m.size()))).collect()
}

#[test]
fn all_send_to_all_in_both_kinds_of_supersteps() {
    for count in [1, 2, 3, 4, 5, 8, 70] {
        run(count, |objects, root| {
            for round in 0..20u8 {
                for to in 0..count {
                    for size in [0, 8, 32, 33, 1000, 5000] {
                        let bytes = vec![round ^ root.pid() as u8 ^ (to as u8) << 4; size];
                        send(objects, root, to, &bytes);
                    }
                }
                match round % 2 {
                    0 => objects.sync(root, Place::NOWHERE).unwrap(),
                    _ => objects.oblsync(root, 6 * count, Place::NOWHERE).unwrap(),
                }
                let all = received(objects, root);
                assert_eq!(all.len(), 6 * count);
                for (index, (from, bytes)) in all.iter().enumerate() {
                    assert_eq!(*from, index / 6);
                    let value = round ^ *from as u8 ^ (root.pid() as u8) << 4;
                    assert!(bytes.iter().all(|&byte| byte == value));
                    assert_eq!(bytes.len(), [0, 8, 32, 33, 1000, 5000][index % 6]);
                }
            }
            objects.end(Place::NOWHERE).unwrap();
        });
    }
}

#[test]
fn parts_go_their_own_ways() {
    run(5, |objects, root| {
        send(objects, root, (root.pid() + 1) % 5, b"whole");
        let part = objects.partition(root, [2, 2, 5].into_iter()).unwrap();
        assert_eq!(part.nprocs(), if root.pid() < 2 { 2 } else { 3 });
        assert_eq!(part.pid(), if root.pid() < 2 { root.pid() } else { root.pid() - 2 });
        for _ in 0..10 * part.nprocs() {
            send(objects, part, (part.pid() + 1) % part.nprocs(), b"part");
            objects.oblsync(part, 1, Place::NOWHERE).unwrap();
            assert_eq!(received(objects, part)[0].1, b"part");
        }
        objects.done(part, Place::NOWHERE).unwrap();
        assert_eq!(objects.check(part), Err(Misuse::NotOpen));
        objects.oblsync(root, 1, Place::NOWHERE).unwrap();
        assert_eq!(received(objects, root), [((root.pid() + 4) % 5, b"whole".to_vec())]);
        objects.end(Place::NOWHERE).unwrap();
    });
}

#[test]
fn puts_and_gets_in_a_part() {
    for count in [1, 2, 3, 5] {
        run(2 * count, |objects, root| {
            let part = objects.partition(root, [count, 2 * count].into_iter()).unwrap();
            let mut area = vec![root.pid() as u64; 4 * count];
            let mut long = vec![0u8; 5000 * count];
            let mut got = vec![0u64; count];
            let (name, long_name) = (area.as_mut_ptr().cast::<u8>(), long.as_mut_ptr());
            // SAFETY: the areas outlive the machine.
            unsafe {
                objects.push_reg(part, name, 32 * count).unwrap();
                objects.push_reg(part, long_name, 5000 * count).unwrap();
                objects.sync(part, Place::NOWHERE).unwrap();
                for to in 0..count {
                    let value = 100 + root.pid() as u64;
                    let src = (&raw const value).cast();
                    objects.put(part, to, src, name, 8 * part.pid(), 8).unwrap();
                    let dst = got.as_mut_ptr().add(to).cast();
                    objects.get(part, to, name, 8 * part.pid(), dst, 8).unwrap();
                    let bytes = vec![part.pid() as u8 + 1; 5000];
                    let offset = 5000 * part.pid();
                    objects.put(part, to, bytes.as_ptr(), long_name, offset, 5000).unwrap();
                }
                objects.sync(part, Place::NOWHERE).unwrap();
            }
            let first = root.pid() - part.pid();
            for i in 0..count {
                assert_eq!(got[i], (first + i) as u64, "a get reads before the puts are written");
                assert_eq!(area[i], (100 + first + i) as u64);
                assert!(long[5000 * i..5000 * (i + 1)].iter().all(|&b| b == i as u8 + 1));
            }
            objects.pop_reg(part, name).unwrap();
            objects.sync(part, Place::NOWHERE).unwrap();
            objects.done(part, Place::NOWHERE).unwrap();
            objects.end(Place::NOWHERE).unwrap();
        });
    }
}

#[test]
fn more_messages_than_announced_are_found_at_the_latest_by_the_next_synchronisation() {
    let results = run(2, |objects, root| {
        if root.pid() == 0 {
            send(objects, root, 1, b"1");
            send(objects, root, 1, b"2");
        }
        let first = objects.oblsync(root, root.pid(), Place::NOWHERE);
        let second = first.and_then(|()| objects.sync(root, Place::NOWHERE));
        if second.is_err() {
            objects.stop();
        }
        second
    });
    let excess = |announced, came| {
        let machine = crate::Members { first: 0, count: 2 };
        Err(Misuse::Excess { announced, came, superstep: 1, machine })
    };
    assert_eq!(results[1], excess(1, 2));
}

#[test]
fn a_deadlock_says_where_all_stand() {
    let results = run(3, |objects, root| {
        objects.set_deadlock_limit(Some(Duration::from_millis(400)));
        match root.pid() {
            0 => objects.oblsync(root, 2, Place::NOWHERE),
            1 => {
                send(objects, root, 0, b"one");
                objects.oblsync(root, 0, Place::NOWHERE).unwrap();
                objects.oblsync(root, 1, Place::NOWHERE)
            }
            _ => {
                let part = objects.partition(root, [2, 3].into_iter()).unwrap();
                objects.oblsync(part, 1, Place::NOWHERE)
            }
        }
    });
    let found: Vec<&Misuse> = results
        .iter()
        .filter_map(|r| r.as_ref().err())
        .filter(|m| **m != Misuse::Stopped)
        .collect();
    let [Misuse::Deadlock(lines)] = found[..] else { panic!("{results:?}") };
    for line in [
        "  processor 0: bsp_oblsync, superstep 1 of the machine of processors 0 to 2: 1 of 2 messages have arrived",
        "  processor 1: bsp_oblsync, superstep 2 of the machine of processors 0 to 2: 0 of 1 messages have arrived",
        "  processor 2: bsp_oblsync, superstep 1 of the machine of processor 2 alone: 0 of 1 messages have arrived",
    ] {
        assert!(lines.contains(line), "{lines}");
    }
}
