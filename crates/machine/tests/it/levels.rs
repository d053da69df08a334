//! The levels of hierarchies whose truth is known.

use cll_machine::{LatencyPoint, Level, Uncertain, levels};
use cll_statistics::{median, normal};

/// A seeded generator (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.uniform())
    }
}

/// A cache.
#[derive(Debug)]
struct Cache {
    size: f64,
    latency: f64,
    /// How sharply its hits end: 1 as with random replacement, a large number as with the least recently used.
    sharpness: f64,
}

/// Caches, and the memory behind them.
#[derive(Debug)]
struct Hierarchy {
    caches: Vec<Cache>,
    memory: f64,
}

impl Hierarchy {
    /// 2 to 4 levels of cache and the memory: sizes 6 to 40 times as large as the one before, latencies 1.8 to 5 times.
    fn draw(random: &mut Random) -> Hierarchy {
        let count = 2 + (3.0 * random.uniform()) as usize;
        let (mut size, mut latency) = (random.between(12e3, 128e3), random.between(0.8, 3.0));
        let mut caches = Vec::new();
        for _ in 0..count {
            let sharpness = if random.uniform() < 0.4 { 1000.0 } else { random.between(1.0, 6.0) };
            caches.push(Cache { size, latency, sharpness });
            size *= random.between(6.0, 40.0);
            latency *= random.between(1.8, 5.0);
        }
        Hierarchy { caches, memory: latency }
    }

    /// The latency of a working set; others have taken a share of the last cache.
    fn latency(&self, bytes: f64, taken: f64) -> f64 {
        let last = self.caches.len() - 1;
        let mut behind = self.memory;
        for (k, cache) in self.caches.iter().enumerate().rev() {
            let size = if k == last { cache.size * (1.0 - taken) } else { cache.size };
            let misses = misses((bytes / size).powf(cache.sharpness));
            behind = cache.latency + misses * (behind - cache.latency);
        }
        behind
    }

    /// Medians of rounds with noise as on a shared virtual machine: 2 to 5 % of deviation, which only lengthens, now and
    /// then 4 to 17 % more, and a last cache of which others take up to 15 %.
    fn measured(&self, random: &mut Random) -> Vec<LatencyPoint> {
        const ROUNDS: usize = 5;
        let taken: Vec<f64> = (0..ROUNDS).map(|_| 0.15 * random.uniform()).collect();
        let spread = random.between(0.02, 0.05);
        let until = 8.0 * self.caches.last().unwrap().size;
        let count = ((until / 4096.0).log2() * 4.0) as i32;
        let point = |k: i32| {
            let size = (4096.0 * 2f64.powf(f64::from(k) / 4.0) / 64.0).round() * 64.0;
            let times = taken.iter().map(|taken| {
                let off = 1.0 + spread * normal(|| random.uniform()).abs();
                let load =
                    if random.uniform() < 0.1 { 1.04 + 0.13 * random.uniform() } else { 1.0 };
                1e-9 * self.latency(size, *taken) * off * load
            });
            LatencyPoint { size, latency: Uncertain::exact(median(times).unwrap()) }
        };
        (0..=count).map(point).collect()
    }

    /// The true sizes; of the last cache what the others leave on average.
    fn sizes(&self) -> Vec<f64> {
        let mut sizes: Vec<f64> = self.caches.iter().map(|cache| cache.size).collect();
        *sizes.last_mut().unwrap() *= 1.0 - 0.075;
        sizes
    }
}

/// The solution m of 1 - m = exp(-m*x), by fixed-point iteration.
fn misses(x: f64) -> f64 {
    if x <= 1.0 {
        return 0.0;
    }
    let mut share = 1.0;
    for _ in 0..200 {
        let next = 1.0 - f64::exp(-share * x);
        if next == share {
            break;
        }
        share = next;
    }
    share
}

#[test]
fn levels_of_a_thousand_hierarchies_are_found() {
    for part in test_draw::thinned(0..4, 4) {
        levels_are_found(250 * part);
    }
}

fn levels_are_found(first: u64) {
    const CASES: u64 = 250;
    let (mut right, mut good, mut all) = (0, 0, 0);
    for seed in first..first + CASES {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
        let truth = Hierarchy::draw(&mut random);
        let levels = levels(&truth.measured(&mut random));
        if levels.len() != truth.caches.len() + 1 {
            continue;
        }
        right += 1;
        for (level, size) in levels.iter().zip(truth.sizes()) {
            all += 1;
            good += u32::from((level.size.unwrap().value / size - 1.0).abs() <= 0.15);
        }
    }
    let counted = f64::from(right) / CASES as f64;
    let sized = f64::from(good) / f64::from(all);
    println!(
        "number of levels right in {:.1} %, sizes within 15 % in {:.1} %",
        100.0 * counted,
        100.0 * sized
    );
    assert!(counted >= 0.95, "{counted}");
    assert!(sized >= 0.95, "{sized}");
}

#[test]
fn the_levels_of_a_real_machine() {
    // A virtual machine of two cores; its processor has 48 KiB, 2 MiB, and an L3 that it shares with others.
    let points: Vec<LatencyPoint> = include_str!("data/latency.csv")
        .lines()
        .map(|line| {
            let (size, ns) = line.split_once(',').unwrap();
            let latency = Uncertain::exact(1e-9 * ns.parse::<f64>().unwrap());
            LatencyPoint { size: size.parse().unwrap(), latency }
        })
        .collect();
    let levels = levels(&points);
    let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["L1", "L2", "L3", "memory"], "{levels:#?}");
    let size = |k: usize| levels[k].size.unwrap().value;
    assert!((size(0) / 49152.0 - 1.0).abs() < 0.1, "{levels:#?}");
    assert!((1.2e6..2.2e6).contains(&size(1)), "{levels:#?}");
    assert!((5e6..14e6).contains(&size(2)), "{levels:#?}");
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(levels(&[]), []);
    let point = |size: f64, latency: f64| LatencyPoint { size, latency: Uncertain::exact(latency) };
    assert_eq!(levels(&[point(4096.0, 1e-9)]), []);
    let bad = [
        point(4096.0, f64::NAN),
        point(8192.0, 0.0),
        point(16384.0, f64::INFINITY),
        point(0.0, 1e-9),
    ];
    assert_eq!(levels(&bad), []);
    let flat: Vec<LatencyPoint> = (0..30).map(|k| point(4096.0 * 1.19f64.powi(k), 1e-9)).collect();
    let found: Vec<Level> = levels(&flat);
    assert_eq!((found.len(), found[0].name.as_str(), found[0].size), (1, "L1", None));
}
