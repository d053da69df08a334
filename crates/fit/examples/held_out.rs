//! Prediction errors at sizes left out of the fit, for functions whose constants change within the
//! data: known truth, seeded noise, each inner size left out in turn. The columns are explained in
//! `docs/statistics.md`. `cargo run --release -p cll-fit --example held_out [FUNCTIONS [SEED]]`

#[path = "../tests/it/steps.rs"]
mod steps;

use cll_fit::Intervals;
use fastrand::Rng;
use steps::{Steps, Tally, classes, one_function};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(100);
    let seed: u64 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(20_030_401);
    println!("seed {seed}, {count} functions each; formula alone -> following the data, per cent");
    println!("class | steps | median error | 90th percentile | largest | covered | follows");
    for class in &classes() {
        for steps in [Steps::None, Steps::Sharp, Steps::Smooth] {
            let mut rng = Rng::with_seed(seed);
            let tables: Vec<[Tally; 2]> = (0..count)
                .map(|_| one_function(class, steps, &Intervals::default(), &mut rng))
                .collect();
            let [before, after] = [0, 1].map(|i| {
                tables.iter().fold(Tally::default(), |sum, tallies| sum.with(&tallies[i]))
            });
            let (b, a) = (before.summary(), after.summary());
            println!(
                "{} | {steps:?} | {:.1} -> {:.1} | {:.1} -> {:.1} | {:.0} -> {:.0} | {:.1} -> {:.1} | {:.0}",
                class.name, b[0], a[0], b[1], a[1], b[2], a[2], b[3], a[3], a[4]
            );
        }
    }
}
