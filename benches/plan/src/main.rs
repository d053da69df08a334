//! How well planned measurements predict, by budget, beside other ways to choose points; and the formula of the FFT.
//!
//!     cargo run --release -p bench-plan [-- TRUTHS [NOISE [SEED [OF_EXTRA_P]]]]
//!
//! OF_EXTRA_P: for so many of the truths Extra-P chooses, too (all; 0: without it). It takes minutes for each ten.
//!
//! Truths are those of `bench-search`: sums, products and mixed forms of x^i log2(x)^j with constants over five decades, on
//! {4, 8, 16, 32, 64}², 5 runs of a point, relative normal noise; predicted is (256, 256). Five cheap points are
//! measured first; a budget is a share of what the full grid of 25 points takes. Beside it Extra-P's Gaussian process
//! (`extrap.rs`), of PyPI; without Python or a network its line says so.

#![forbid(unsafe_code)]

mod extrap;
mod fft;
#[path = "../../search/src/python.rs"]
mod python;
mod truth;
mod ways;

use anyhow::Result;
use fastrand::Rng;

use truth::{Class, Truth};
use ways::{Form, Way};

const BUDGETS: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let truths: usize = arguments.next().map_or(Ok(200), |w| w.parse())?;
    let noise: f64 = arguments.next().map_or(Ok(0.05), |w| w.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |w| w.parse())?;
    let of_peer: usize = arguments.next().map_or(Ok(truths), |w| w.parse())?;
    fft::print()?;
    println!("\n{truths} truths, noise {:.1} %, seed {seed}", 100.0 * noise);
    println!("mean of |ln(predicted/true)| ± its standard error; share within 5 %\n");
    let first: Vec<(Truth, Rng)> = (0..of_peer).map(|number| drawn(number, seed)).collect();
    let peer = if of_peer == 0 { None } else { extrap::errors(&first, &BUDGETS, noise) };
    let mut line = format!("Extra-P, form searched, of {of_peer} truths:");
    match peer {
        Some(peer) => {
            for (budget, errors) in BUDGETS.iter().zip(&peer) {
                line += &format!("  {:.0} %:{}", 100.0 * budget, summary(errors));
            }
        }
        None => line += "  not run",
    }
    println!("{line}\n");
    for form in [Form::Given, Form::Searched] {
        println!("form {}", form.name());
        for way in Way::ALL {
            let mut line = format!("  {:<15}", way.name());
            let budgets = if way == Way::Grid { &BUDGETS[..1] } else { &BUDGETS[..] };
            for &budget in budgets {
                let errors: Vec<f64> = (0..truths)
                    .map(|number| {
                        let (truth, mut random) = drawn(number, seed);
                        ways::error(&truth, way, form, budget, noise, &mut random)
                    })
                    .collect::<Result<_>>()?;
                line += &match way {
                    Way::Grid => "  all:".to_owned(),
                    _ => format!("  {:.0} %:", 100.0 * budget),
                };
                line += &summary(&errors);
            }
            println!("{line}");
        }
    }
    Ok(())
}

/// A truth, and the random numbers of its noise.
fn drawn(number: usize, seed: u64) -> (Truth, Rng) {
    let mut random = Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number as u64);
    let truth = Truth::draw(Class::ALL[number % Class::ALL.len()], &mut random);
    (truth, random)
}

/// Mean error, its standard error, and the share within 5 %.
fn summary(errors: &[f64]) -> String {
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let squares = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>();
    let standard = (squares / (count * (count - 1.0))).sqrt();
    let near = errors.iter().filter(|e| **e < 0.05).count() as f64 / count;
    format!(" {mean:.3} ± {standard:.3} {:3.0} %", 100.0 * near)
}
