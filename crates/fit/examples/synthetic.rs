//! The synthetic study: 12,000 functions of two parameters, 8,000 with or without a jump, and 6,000
//! with breaks, from printed seeds. `cargo run --release -p cll-fit --example synthetic [FUNCTIONS
//! [SEED]]`

#[path = "../tests/it/synthetic.rs"]
mod synthetic;

use cll_fit::{Intervals, Options};
use synthetic::{Class, Knee, Plan, Tally, knees, steps, surfaces};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let mut next = |otherwise| match arguments.next() {
        Some(Ok(number)) => number,
        Some(Err(error)) => {
            eprintln!("{error}: the arguments are the number of functions a class and the seed");
            std::process::exit(2);
        }
        None => otherwise,
    };
    let functions = next(1000) as usize;
    let seed = next(20_030_401);
    println!("seed {seed}, {functions} functions a class, form given; per cent");
    println!("class    plan   noise  within 5 %  bands that hold  one interval");
    for class in [Class::Sum, Class::Product, Class::Mixed] {
        for plan in [Plan::Cross, Plan::Grid] {
            for noise in [0.02, 0.05] {
                let t = surfaces(class, plan, noise, functions, seed);
                println!(
                    "{:<8} {:<6} {noise:>5}  {:>10.1}  {:>15.1}  {:>12.1}",
                    format!("{class:?}").to_lowercase(),
                    format!("{plan:?}").to_lowercase(),
                    100.0 * Tally::share(t.near, t.functions),
                    100.0 * Tally::share(t.covered, t.bands),
                    100.0 * Tally::share(t.counted, t.functions),
                );
            }
        }
    }
    println!("\nknee in  noise  right count  right axis and gap  within 5 %  bands that hold");
    for knee in [Knee::None, Knee::N, Knee::P, Knee::Share] {
        for noise in [0.02, 0.05] {
            let t = knees(knee, noise, functions, seed);
            println!(
                "{:<8} {noise:>5}  {:>11.1}  {:>18.1}  {:>10.1}  {:>15.1}",
                format!("{knee:?}"),
                100.0 * Tally::share(t.counted, t.functions),
                100.0 * Tally::share(t.placed, t.breaks),
                100.0 * Tally::share(t.near, t.functions),
                100.0 * Tally::share(t.covered, t.bands),
            );
        }
    }
    println!(
        "\nformula                      breaks  noise  right count  right constants  right gap  bands that hold"
    );
    for text in ["f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N + f[2]*N^2"] {
        for (breaks, noise) in [(0, 0.02), (1, 0.02), (2, 0.02), (0, 0.05), (1, 0.05), (2, 0.05)] {
            for method in
                [Intervals::default(), Intervals::Greedy { error_threshold: 0.1, max_intervals: 6 }]
            {
                let options = Options { intervals: method, ..Options::default() };
                let least = 7;
                let t = steps(text, breaks, least, noise, functions, &options, seed);
                println!(
                    "{text:<28} {breaks:>6}  {noise:>5}  {:>11.1}  {:>15.1}  {:>9.1}  {:>15.1}{}",
                    100.0 * Tally::share(t.counted, t.functions),
                    100.0 * Tally::share(t.joined, t.functions),
                    100.0 * Tally::share(t.placed, t.breaks),
                    100.0 * Tally::share(t.covered, t.bands),
                    if matches!(options.intervals, Intervals::Greedy { .. }) {
                        "  greedy"
                    } else {
                        ""
                    },
                );
            }
        }
    }
}
