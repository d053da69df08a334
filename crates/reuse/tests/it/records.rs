//! Records as programs send them.

use cll_reuse::{Accesses, Array, Stream, Variable};

const ACCESS: u64 = 0;
const SITE: u64 = 1;
const ALLOCATE: u64 = 2;
const FREE: u64 = 3;
const BEGIN: u64 = 4;
const VALUE: u64 = 5;
const END: u64 = 6;
const COUNT: u64 = 7;
const STACK: u64 = 8;
const CALLER: u64 = 9;

/// Sends records as `probes/accesses.c` does.
pub struct Sender {
    pub accesses: Accesses,
    recent: Vec<u64>,
    count: u64,
}

impl Sender {
    pub fn new(rate: u64) -> Sender {
        let variable = Variable { name: "table".into(), address: 0x4000, size: 0x1000 };
        let mut accesses = Accesses::new(rate, vec![variable]);
        let mut send = |kind: u64, number: u64, a: u64, b: u64| {
            accesses.record([kind | number << 8, a, b]);
        };
        send(STACK, 0, 0x7000_0000, 0x7100_0000);
        send(ALLOCATE, 0, 0x10_0000, 0);
        send(SITE, 1, 0x111, 0);
        send(SITE, 2, 0x222, 0);
        Sender { accesses, recent: vec![0; 16], count: 0 }
    }

    pub fn send(&mut self, kind: u64, number: u64, a: u64, b: u64) {
        self.accesses.record([kind | number << 8, a, b]);
    }

    pub fn allocate(&mut self, from: u64, size: u64) {
        self.send(ALLOCATE, 2, from, size);
        self.send(CALLER, 1, 0, 0);
    }

    pub fn begin(&mut self, values: &[f64]) {
        self.count = 0;
        self.send(BEGIN, 3, 0, 0);
        for value in values {
            self.send(VALUE, 0, value.to_bits(), 0);
        }
    }

    pub fn end(&mut self) {
        self.send(COUNT, 1, self.count, 0);
        self.send(END, 3, 0, 0);
    }

    pub fn access(&mut self, address: u64) {
        let line = address >> 6;
        self.count += 1;
        let at = self.recent.iter().position(|one| *one == line);
        match at {
            Some(at) => {
                self.recent.remove(at);
            }
            None => {
                let before = self.recent.pop().unwrap();
                self.send(ACCESS, 1, line, before);
            }
        }
        self.recent.insert(0, line);
    }
}

#[test]
fn an_array_is_known_by_the_call_that_allocated_it() {
    let mut sender = Sender::new(1);
    sender.allocate(0x20_0000, 6400);
    sender.begin(&[100.0]);
    for _ in 0..3 {
        (0..100).for_each(|k| sender.access(0x20_0000 + 64 * k));
    }
    sender.end();
    let mut stream = Stream::default();
    stream.add(&sender.accesses);
    let [group] = &stream.groups[..] else { panic!("{:?}", stream.groups) };
    assert_eq!(
        (group.place, &group.values[..], group.passages, group.rate),
        (3, &[100.0][..], 1, 1)
    );
    let [((instruction, array), cell)] = &group.cells.iter().collect::<Vec<_>>()[..] else {
        panic!("{group:?}")
    };
    assert_eq!(stream.instructions[*instruction], 0x111);
    assert_eq!(stream.arrays[*array], Array::Allocated(vec![0x222, 0x111]));
    assert_eq!((cell.first, cell.distances.number), (100, 200));
    let bins: Vec<f64> = cell.distances.bins().map(|bin| bin.distance).collect();
    assert_eq!(bins, [99.0]);
    assert_eq!(group.accesses[instruction], 300);
}

#[test]
fn memory_that_was_freed_belongs_to_the_next_array() {
    let mut sender = Sender::new(1);
    let place = 0x20_0000;
    sender.allocate(place, 0x8000);
    sender.begin(&[1.0]);
    (0..64).for_each(|k| sender.access(place + 64 * k));
    sender.send(FREE, 0, place, 0);
    sender.send(ALLOCATE, 1, place, 0x8000);
    (0..64).for_each(|k| sender.access(place + 64 * k));
    // A variable with static storage, the stack, and what nobody knows.
    (0..20).for_each(|k| sender.access(0x10_4000 + 64 * k));
    (0..20).for_each(|k| sender.access(0x7000_0000 + 64 * k));
    (0..20).for_each(|k| sender.access(0x1234_0000 + 64 * k));
    sender.end();
    let arrays: Vec<Array> = sender.accesses.groups()[0]
        .cells
        .keys()
        .map(|(_, array)| sender.accesses.arrays()[*array].clone())
        .collect();
    for wanted in [
        Array::Allocated(vec![0x222, 0x111]),
        Array::Allocated(vec![0x111]),
        Array::Static("table".into()),
        Array::Stack,
        Array::Other,
    ] {
        assert!(arrays.contains(&wanted), "{wanted:?} in {arrays:?}");
    }
}

#[test]
fn passages_that_did_not_end_are_not_counted() {
    let mut sender = Sender::new(1);
    sender.begin(&[1.0]);
    (0..100).for_each(|k| sender.access(64 * k));
    assert!(sender.accesses.groups().is_empty());
    // An inner passage was left by a jump: the outer one ends.
    sender.send(BEGIN, 9, 0, 0);
    sender.end();
    assert_eq!(sender.accesses.groups().len(), 1);
    sender.send(END, 7, 0, 0);
    sender.send(200, 0, 0, 0);
    assert_eq!(sender.accesses.groups().len(), 1);
}

#[test]
fn a_known_size_is_not_added_twice() {
    let run = |rate: u64| {
        let mut sender = Sender::new(rate);
        sender.begin(&[5.0]);
        (0..200).for_each(|k| sender.access(64 * (k % 40)));
        sender.end();
        sender.accesses
    };
    let mut stream = Stream::default();
    stream.add(&run(1));
    stream.add(&run(32));
    assert_eq!((stream.groups.len(), stream.groups[0].rate), (1, 1));
}
