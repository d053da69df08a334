//! Defines what the model checker tries: small machines, in every order of their steps, and with every value that the
//! memory model lets a load see. For bytes that are not atomic, it looks for races.

use std::sync::atomic::Ordering::*;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;

use super::barrier::{Arrival, Barrier, CacheLine, Gate};
use super::ended::EndedSuperstep;
use super::mailbox::Mailbox;
use super::subscription::Subscription;
use super::waiting::WaitHooks;
use crate::engine::stop::Stopped;
use crate::engine::traffic::Sent;

/// Tries a program on so many processors, on enough cores and crowded. Most runs of the tests stop a processor once less
/// in most of the models.
fn check(model: usize, processors: usize, preemptions: usize, program: fn(&Processor)) {
    for crowded in [false, true] {
        let nth = 2 * model + usize::from(crowded);
        let spared = usize::from(!test_draw::is_drawn("preemptions of a model", nth, 5));
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions - spared);
        builder.max_branches = 100_000;
        builder.check(move || {
            let memory = Arc::new(Memory::new(processors));
            let processor_at = move |me, memory: &Arc<Memory>| Processor {
                me,
                processors,
                crowded,
                memory: memory.clone(),
            };
            let others: Vec<_> = (1..processors)
                .map(|me| {
                    let processor = processor_at(me, &memory);
                    loom::thread::spawn(move || program(&processor))
                })
                .collect();
            program(&processor_at(0, &memory));
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }
}

/// The memory that the processors of a model share.
struct Memory {
    lines: Vec<CacheLine>,
    gates: Vec<Gate>,
    stopped: AtomicU32,
    /// For each sender, then receiver, then for even and odd supersteps.
    mailboxes: Vec<[[Mailbox; 2]; 2]>,
    /// Stand for the bytes in the mailboxes.
    bytes: Vec<[[UnsafeCell<u64>; 2]; 2]>,
    /// A registered area of each processor, and its replies to the other.
    areas: Vec<UnsafeCell<u64>>,
    replies: Vec<UnsafeCell<u64>>,
    settled: Vec<EndedSuperstep>,
    /// The subscriptions of each processor to the other.
    subscriptions: Vec<Subscription>,
}

impl Memory {
    fn new(processors: usize) -> Memory {
        fn each<T>(count: usize, make: impl FnMut() -> T) -> Vec<T> {
            std::iter::repeat_with(make).take(count).collect()
        }
        let cell = || UnsafeCell::new(0);
        // Those with mailboxes have two processors; the checker has a limit to what it looks at.
        let two = if processors == 2 { 2 } else { 0 };
        Memory {
            lines: each(Barrier::lines(processors), CacheLine::default),
            gates: each(Barrier::GATES, Gate::default),
            stopped: AtomicU32::new(0),
            mailboxes: each(two, || [(); 2].map(|()| [(); 2].map(|()| Mailbox::empty()))),
            bytes: each(two, || [(); 2].map(|()| [(); 2].map(|()| cell()))),
            areas: each(two, cell),
            replies: each(two, cell),
            settled: each(two, EndedSuperstep::new),
            subscriptions: each(two, Subscription::none),
        }
    }
}

struct Processor {
    me: usize,
    processors: usize,
    crowded: bool,
    memory: Arc<Memory>,
}

impl WaitHooks for Processor {
    fn is_stopped(&self) -> bool {
        self.memory.stopped.load(Relaxed) != 0
    }

    fn check_others(&self) {}

    fn set_sleeping(&self, _: bool) {}
}

impl Processor {
    fn barrier(&self) -> Barrier<'_> {
        let cores = if self.crowded { 1 } else { self.processors };
        Barrier::new(&self.memory.lines, &self.memory.gates, self.processors, cores)
    }

    fn pass(&self, number: u64, mut word: Arrival) -> Result<Arrival, Stopped> {
        self.barrier().pass(self.me, number, &mut word, self)?;
        Ok(word)
    }

    fn meet(&self, number: u64) {
        self.pass(number, Arrival::new(0, 0)).unwrap();
    }

    fn other(&self) -> usize {
        1 - self.me
    }
}

fn write(cell: &UnsafeCell<u64>, value: u64) {
    // SAFETY: the checker stops at a race.
    cell.with_mut(|cell| unsafe { *cell = value });
}

fn read(cell: &UnsafeCell<u64>) -> u64 {
    // SAFETY: as above.
    cell.with(|cell| unsafe { *cell })
}

/// All leave with the words of all, and nobody waits for ever.
fn agree(processor: &Processor, barriers: u64) {
    for number in 1..=barriers {
        // In the second they bring different ones.
        let alike = number + if number == 2 { processor.me as u64 } else { 0 };
        let bit = |me: usize| 1 << (4 * number + me as u64);
        let word = processor.pass(number, Arrival::new(alike, bit(processor.me))).unwrap();
        assert_eq!(word.any, (0..processor.processors).map(bit).sum::<u64>());
        assert_eq!(word.agrees(), number != 2);
    }
}

#[test]
fn two_processors_agree() {
    check(0, 2, 4, |processor| agree(processor, 3));
}

#[test]
fn three_processors_agree() {
    check(1, 3, 2, |processor| agree(processor, 2));
}

/// Sent data is there after the barrier, and stays until the next one.
#[test]
fn sent_data_stays_for_a_superstep() {
    check(2, 2, 3, |processor| {
        let (me, other, memory) = (processor.me, processor.other(), &processor.memory);
        let value = |from: usize, superstep: u64| 10 * superstep + from as u64;
        let sends = |from: usize, superstep: u64| from != 1 || superstep != 2;
        let mut arrived = None;
        for superstep in 1..5u64 {
            let turn = (superstep % 2) as usize;
            if sends(me, superstep) {
                write(&memory.bytes[me][other][turn], value(me, superstep));
                let sent = Sent { requests: true, messages: superstep as u32, ..Sent::default() };
                memory.mailboxes[me][other][turn].close(superstep, &sent);
            }
            if let Some(cell) = arrived.take() {
                assert_eq!(read(cell), value(other, superstep - 1));
            }
            processor.meet(superstep);
            let sent = memory.mailboxes[other][me][turn].sent(superstep);
            assert_eq!(sent.is_some(), sends(other, superstep));
            if let Some(sent) = sent {
                assert_eq!(sent.messages, superstep as u32);
                arrived = Some(&memory.bytes[other][me][turn]);
                assert_eq!(read(&memory.bytes[other][me][turn]), value(other, superstep));
            }
        }
    });
}

/// All that is got is read before anybody writes, and replies are there when they are looked at.
#[test]
fn gets_read_before_anybody_writes() {
    check(3, 2, 3, |processor| {
        let (me, other, memory) = (processor.me, processor.other(), &processor.memory);
        for superstep in 0..2u64 {
            let computed = 10 * superstep + 1;
            write(&memory.areas[me], computed + me as u64);
            processor.meet(2 * superstep + 1);
            assert_eq!(read(&memory.areas[other]), computed + other as u64);
            write(&memory.replies[me], read(&memory.areas[me]));
            processor.meet(2 * superstep + 2);
            assert_eq!(read(&memory.replies[other]), computed + other as u64);
            // What was put is written now.
            write(&memory.areas[me], 0);
        }
    });
}

/// Subscribed data is sent in each superstep, with one barrier. A cancellation may be seen at any time, and
/// another subscription may follow.
#[test]
fn subscribed_data_is_sent_without_a_second_barrier() {
    check(4, 2, 3, |processor| {
        let (me, other, memory) = (processor.me, processor.other(), &processor.memory);
        let (mut number, mut readers) = (0, false);
        // In the first and the fourth superstep processor 0 subscribes, in the next one it uses the subscription if it
        // was accepted.
        for superstep in 1..=5u64 {
            let turn = (superstep % 2) as usize;
            let computed = 10 * superstep;
            let sent = &memory.bytes[1][0][turn];
            if me == 1 {
                write(&memory.areas[1], computed);
                let subscribed: Vec<_> = memory.subscriptions[0].pieces().collect();
                // A subscription that it has not seen was cancelled.
                assert!(subscribed.is_empty() || readers);
                for &(offset, size) in &subscribed {
                    assert_eq!((offset, size), (5, 8));
                    write(sent, read(&memory.areas[1]));
                }
                readers = !subscribed.is_empty();
            }
            let subscriptions = me == 0 && (superstep == 1 || superstep == 4);
            // The owner may have taken it by now, or not yet.
            let relies = me == 0
                && (superstep == 2 || superstep == 5)
                && memory.subscriptions[0].is_accepted();
            number += 1;
            let word = processor.pass(number, Arrival::new(0, subscriptions.into())).unwrap();
            if subscriptions {
                memory.subscriptions[0].write([(5, 8)].into_iter());
            }
            if word.any != 0 {
                number += 1;
                processor.meet(number);
                if me == 1 && memory.subscriptions[other].pieces().next().is_some() {
                    memory.subscriptions[other].accept();
                    readers = true;
                }
            }
            if relies {
                assert_eq!(read(sent), computed);
            }
            if me == 0 && superstep == 2 {
                memory.subscriptions[0].cancel();
            }
        }
    });
}

/// Data that is hpput in a superstep is not overwritten by data that was put in the one before.
#[test]
fn direct_writes_wait_for_the_previous_superstep() {
    check(5, 2, 3, |processor| {
        let (me, other, memory) = (processor.me, processor.other(), &processor.memory);
        processor.meet(1);
        write(&memory.areas[me], 1);
        memory.settled[me].end(1);
        let at_once = me == 0 && memory.settled[other].is_over(1);
        if at_once {
            write(&memory.areas[other], 2);
        }
        processor.pass(2, Arrival::new(0, at_once.into())).map_or_else(
            |Stopped| unreachable!("nobody stops"),
            |word| assert_eq!(read(&memory.areas[1]), 1 + word.any),
        );
    });
}

/// Who waits when the machine is stopped is woken.
#[test]
fn nobody_sleeps_when_the_machine_is_stopped() {
    check(6, 3, 2, |processor| {
        if processor.me == 0 {
            processor.memory.stopped.swap(1, SeqCst);
            processor.barrier().wake_all();
        } else {
            assert_eq!(processor.pass(1, Arrival::new(0, 0)), Err(Stopped));
        }
    });
}
