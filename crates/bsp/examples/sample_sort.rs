//! Sample sort: every processor sorts its part, proposes splitters, and sends each other processor the numbers
//! between two of the splitters upon which all agree.
//!
//!     cargo run --release -p cll-bsp --example sample_sort -- 4 10000000 [processes]
//!
//! It takes (n/p) log n + p s log(p s) of work, (n/p + p s) g, and 2 l: n numbers on p processors, each of
//! which proposes s; g is that of a number.

use std::time::Instant;

use cll_bsp::{Bsp, Machine};

/// Proposals of each processor for each splitter. With more of them parts are more equal.
const OVERSAMPLING: usize = 32;

/// Sorts the numbers of all processors: afterwards this processor's part is sorted, and no number of the next
/// processor is smaller.
fn sort(bsp: &mut Bsp, mut own: Vec<u64>) -> Vec<u64> {
    own.sort_unstable();
    let p = bsp.nprocs();
    let count = OVERSAMPLING * p;
    let samples: Vec<u64> =
        (0..count).filter_map(|i| own.get(i * own.len() / count).copied()).collect();
    let mut all = bsp.gather_all(&samples).concat();
    all.sort_unstable();
    let splitters: Vec<u64> = (1..p).filter_map(|i| all.get(i * all.len() / p).copied()).collect();

    let mut parts: Vec<&[u64]> = Vec::with_capacity(p);
    let mut rest = &own[..];
    for splitter in &splitters {
        let (part, others) = rest.split_at(rest.partition_point(|x| x < splitter));
        parts.push(part);
        rest = others;
    }
    parts.push(rest);
    parts.resize(p, &[]);
    let mut sorted = bsp.exchange(&parts).concat();
    // The received pieces are sorted, which a stable sort uses.
    sorted.sort();
    sorted
}

/// Numbers that look random; the same on every run.
fn numbers(from: usize, to: usize) -> Vec<u64> {
    let mixed = |i: u64| {
        let x = (i ^ (i >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB)
    };
    (from as u64..to as u64).map(mixed).collect()
}

/// Sorts n numbers and checks the result. Returns seconds, and how much larger the largest part is than the
/// mean.
pub fn run(machine: Machine, n: usize) -> (f64, f64) {
    let outcome = machine.run(|bsp| {
        let (me, p) = (bsp.pid(), bsp.nprocs());
        let own = numbers(me * n / p, (me + 1) * n / p);
        let sum = own.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
        bsp.sync();
        let begin = Instant::now();
        let sorted = sort(bsp, own);
        let seconds = bsp.fold(begin.elapsed().as_secs_f64(), f64::max);

        assert!(sorted.is_sorted());
        let largest_before = bsp.scan(sorted.last().copied().unwrap_or(0), u64::max);
        let ends = bsp.gather_all(&[largest_before]);
        assert!(me == 0 || sorted.first().is_none_or(|first| *first >= ends[me - 1][0]));
        let sum_now = sorted.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
        let sums = bsp.fold([sum, sum_now], |a, b| [0, 1].map(|i| a[i].wrapping_add(b[i])));
        assert_eq!(sums[0], sums[1], "the numbers are others than before");
        assert_eq!(bsp.fold(sorted.len(), |a, b| a + b), n);
        let largest = bsp.fold(sorted.len(), usize::max);
        (seconds, (largest * p) as f64 / n.max(1) as f64)
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| {
        arguments.get(i).map_or(default, |text| text.parse().expect("a number is wanted"))
    };
    let (p, n) = (number(0, 2), number(1, 1_000_000));
    let machine = match arguments.get(2).map(String::as_str) {
        Some("processes") => Machine::processes(p),
        _ => Machine::threads(p),
    };
    let (seconds, balance) = run(machine, n);
    println!("{n} numbers sorted on {p} processors in {seconds:.3} s");
    println!("the largest part has {balance:.2} of the mean");
}
