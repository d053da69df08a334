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
const PAGE: u64 = 10;

/// Sends records as `probes/accesses.c` does.
pub struct Sender {
    pub accesses: Accesses,
    recent: Vec<u64>,
    recent_pages: Vec<u64>,
    count: u64,
    /// Whether lines are left out by their hash; else the caller leaves them out.
    pub hashes: bool,
}

impl Sender {
    pub fn new(rate: u64) -> Sender {
        let variable = Variable { name: "table".into(), address: 0x4000, size: 0x1000 };
        let mut accesses = Accesses::new(rate, (&[4096.0, 65536.0], 1), vec![variable]);
        let mut send = |kind: u64, number: u64, a: u64, b: u64| {
            accesses.record([kind | number << 8, a, b]);
        };
        send(STACK, 0, 0x7000_0000, 0x7100_0000);
        send(ALLOCATE, 0, 0x10_0000, 0);
        send(SITE, 1, 0x111, 0);
        send(SITE, 2, 0x222, 0);
        Sender { accesses, recent: vec![0; 16], recent_pages: vec![0; 16], count: 0, hashes: false }
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
        let page = line >> 6;
        match self.recent_pages.iter().position(|number| *number == page) {
            Some(position) => {
                self.recent_pages.remove(position);
            }
            None => {
                let before = self.recent_pages.pop().unwrap();
                self.send(PAGE, 1, line, before);
            }
        }
        self.recent_pages.insert(0, page);
        let mask = self.accesses.rate() - 1;
        if self.hashes && line.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & mask != 0 {
            return;
        }
        let position = self.recent.iter().position(|number| *number == line);
        match position {
            Some(position) => {
                self.recent.remove(position);
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

#[test]
fn sampled_and_full_histograms_agree() {
    // 4 MiB: half of the accesses in order, half at random in a quarter of it.
    const LINES: u64 = 1 << 16;
    let run = |rate: u64| {
        let mut sender = Sender::new(rate);
        sender.hashes = true;
        sender.allocate(0x2000_0000, 64 * LINES);
        sender.begin(&[1.0]);
        let mut random = 1u64;
        for k in 0..6 * LINES {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let line = if k % 2 == 0 { k / 2 % LINES } else { (random >> 40) % (LINES / 4) };
            sender.access(0x2000_0000 + 64 * line);
        }
        sender.end();
        let group = sender.accesses.groups()[0].clone();
        let [cell] = &group.cells.values().cloned().collect::<Vec<_>>()[..] else {
            panic!("{:?}", group.cells)
        };
        (cell.distances.clone(), group.accesses.values().sum::<u64>())
    };
    let (full, all) = run(1);
    for rate in [8, 32] {
        let (sampled, counted) = run(rate);
        assert_eq!(all, counted, "accesses are counted in any case");
        for lines in [1 << 12, 1 << 13, 1 << 14, 1 << 15] {
            let part =
                |histogram: &cll_reuse::Histogram| histogram.beyond(f64::from(lines)) / all as f64;
            let (exact, value) = (part(&full), part(&sampled));
            assert!((exact - value).abs() < 0.02, "1 of {rate}, {lines} lines: {exact} {value}");
        }
    }
}

#[test]
fn pages_have_distances_of_their_own() {
    let mut sender = Sender::new(1);
    sender.allocate(0x2000_0000, 4096 * 300);
    sender.begin(&[300.0]);
    for _ in 0..3 {
        (0..300).for_each(|k| sender.access(0x2000_0000 + 4096 * k));
    }
    sender.end();
    let mut stream = Stream::default();
    stream.add(&sender.accesses);
    let pages = &stream.groups[0].pages;
    let page_distances = pages.iter().map(|paged| {
        let [distances] = &paged.cells.values().collect::<Vec<_>>()[..] else {
            panic!("{paged:?}")
        };
        let bins: Vec<f64> = distances.bins().map(|bin| bin.distance.round()).collect();
        (paged.page, distances.number, bins)
    });
    // 300 pages of 4 KiB lie in 19 of 64 KiB.
    let found: Vec<(f64, u64, Vec<f64>)> = page_distances.collect();
    assert_eq!(found, [(4096.0, 600, vec![299.0]), (65536.0, 38, vec![18.0])]);
}
