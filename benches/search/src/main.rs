//! How often a searched formula is within 5 % at four times beyond the data, by class of functions, beside the
//! ceiling (`ceiling.rs`) and Extra-P on the same data; and how long many searches take.
//!
//!     cargo run --release -p bench-search [-- FUNCTIONS [NOISE [SEED [line|grid|cross|speed|suggest|divided|alone]...]]]
//!
//! Extra-P is installed from PyPI into a virtual environment under the target folder when it is first needed;
//! without Python or a network its column says so. `alone`: without Extra-P.

#![forbid(unsafe_code)]

mod ceiling;
mod ceiling_suggest;
mod divided;
mod extrap;
mod python;
mod suggest;
mod truth;

use std::time::Instant;

use anyhow::Result;
use cll_fit::Data;
use cll_search::{Options, search, search_all};
use fastrand::Rng;

use truth::{Class, TARGET, Truth, cross, grid, line};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let functions: usize = arguments.next().map_or(Ok(1000), |w| w.parse())?;
    let noise: f64 = arguments.next().map_or(Ok(0.05), |w| w.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |w| w.parse())?;
    let only: Vec<String> = arguments.collect();
    let alone = only.iter().any(|o| o == "alone");
    let wanted = |name: &str| only.is_empty() || only.iter().any(|o| o == name);
    println!("{functions} functions a class, noise {:.1} %, seed {seed}", 100.0 * noise);
    println!("share within 5 % of the truth at {TARGET}; share of 90 % intervals that hold it\n");
    println!(
        "points  class         ceiling    cll  of ceiling  best alone  intervals  inside  Extra-P"
    );
    let cases = [
        ("line", line(), vec![Class::Single]),
        ("grid", grid(), vec![Class::Sum, Class::Product, Class::Mixed]),
        ("cross", cross(), vec![Class::Sum, Class::Product, Class::Mixed]),
    ];
    for (name, points, classes) in cases.iter().filter(|case| wanted(case.0)) {
        let mut pooled = [0.0; 4];
        for &class in classes {
            // A cross cannot separate the classes: there the ceiling does not know the class.
            let known = if *name == "cross" { classes.as_slice() } else { &[class] };
            let result = judge(class, known, points, functions, noise, seed, alone)?;
            let [ceiling, ours, best, covered, inside, peer] = result;
            println!(
                "{name:<6}  {:<12}  {:6.1} %  {:5.1}  {:8.3}    {:6.1}      {:5.1}     {:5.1}    {}",
                class.name(),
                100.0 * ceiling,
                100.0 * ours,
                ours / ceiling,
                100.0 * best,
                100.0 * covered,
                100.0 * inside,
                if peer.is_nan() { "not run".to_owned() } else { format!("{:5.1}", 100.0 * peer) },
            );
            pooled[0] += ceiling;
            pooled[1] += ours;
        }
        println!("{name:<6}  pooled: {:.3} of the ceiling\n", pooled[1] / pooled[0]);
    }
    if wanted("speed") {
        speed(noise, seed);
    }
    if wanted("divided") {
        divided::print(functions, seed)?;
    }
    if wanted("suggest") {
        suggest::print(functions, noise, seed)?;
    }
    Ok(())
}

/// Ceiling, ours, ours by the best formula alone, intervals that hold the target, and a point inside, Extra-P.
fn judge(
    class: Class,
    known: &[Class],
    points: &[(f64, f64)],
    functions: usize,
    noise: f64,
    seed: u64,
    alone: bool,
) -> Result<[f64; 6]> {
    let mut random = Rng::with_seed(seed ^ (class as u64) << 32 ^ points.len() as u64);
    let mut counts = [0.0; 5];
    let mut sampled: Vec<(Data, f64)> = Vec::new();
    for _ in 0..functions {
        let truth = Truth::draw(class, &mut random);
        let data = truth.sample(points, noise, &mut random);
        let goal = truth.value(TARGET, TARGET);
        let near = |value: f64| f64::from(u8::from((value / goal - 1.0).abs() < 0.05));
        counts[0] += near(ceiling::ceiling(known, &data, noise));
        let search = search(&data, &Options::default())?;
        let point_of = |x: f64, y: f64| if class == Class::Single { vec![x] } else { vec![x, y] };
        let predicted = search.predict(&point_of(TARGET, TARGET)).expect("a value");
        counts[1] += near(predicted.value);
        counts[2] += near(predicted.best);
        // The interval is for a new measurement: the truth with the noise of one.
        let new = |value: f64, random: &mut Rng| {
            let mean = 1.0 / (truth::REPETITIONS as f64).sqrt();
            value * (1.0 + noise * mean * cll_statistics::normal(|| random.f64()))
        };
        let measured = new(goal, &mut random);
        counts[3] += f64::from(u8::from(predicted.low <= measured && measured <= predicted.high));
        let inside = search.predict(&point_of(24.0, 24.0)).expect("a value");
        let measured = new(truth.value(24.0, 24.0), &mut random);
        counts[4] += f64::from(u8::from(inside.low <= measured && measured <= inside.high));
        sampled.push((data, goal));
    }
    let peer = if alone { None } else { extrap::share(&sampled) };
    let [a, b, c, d, e] = counts.map(|count| count / functions as f64);
    Ok([a, b, c, d, e, peer.unwrap_or(f64::NAN)])
}

/// Seconds for many searches.
fn speed(noise: f64, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let sizes: Vec<(f64, f64)> = (0..25).map(|k| ((4.0 * 1.25f64.powi(k)).round(), 4.0)).collect();
    for (name, class, points) in
        [("one parameter", Class::Single, sizes), ("two parameters", Class::Sum, grid())]
    {
        let paths: Vec<Data> = (0..1000)
            .map(|_| Truth::draw(class, &mut random).sample(&points, noise, &mut random))
            .collect();
        let start = Instant::now();
        let searches = search_all(&paths, &Options::default());
        let seconds = start.elapsed().as_secs_f64();
        let good = searches.iter().filter(|f| f.is_ok()).count();
        println!("{good} call paths of 25 points, {name}: {seconds:.2} s");
    }
}
