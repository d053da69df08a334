//! How often a boundary is found while the formula is searched, with repetitions and without.

use anyhow::Result;
use cll_fit::{Data, Point};
use cll_search::{Options, Search, search};
use cll_statistics::normal;
use fastrand::Rng;

type Growth = fn(f64) -> f64;

const GROWTHS: [(&str, Growth); 4] =
    [("N", |n| n), ("N*log2(N)", |n| n * n.log2()), ("N^2", |n| n * n), ("N^3", |n| n * n * n)];

/// So many sizes from 2^6 to 2^14, evenly spread over the logarithm.
fn line(points: usize) -> Vec<f64> {
    (0..points).map(|i| 2f64.powf(6.0 + 8.0 * i as f64 / (points - 1) as f64).round()).collect()
}

fn sample(
    sizes: &[f64],
    truth: impl Fn(f64) -> f64,
    runs: usize,
    noise: f64,
    random: &mut Rng,
) -> Data {
    let mut data = Data::new(vec!["N".to_owned()]);
    for &n in sizes {
        let observations =
            (0..runs).map(|_| truth(n) * (1.0 + noise * normal(|| random.f64()))).collect();
        data.points.push(Point::new(vec![n], observations));
    }
    data
}

/// Whether one of the formulas that are about as probable as the first has this term.
fn names(search: &Search, term: &str) -> bool {
    let best = search.candidates[0].weight;
    let mut near = search.candidates.iter().filter(|candidate| candidate.weight >= 0.2 * best);
    near.any(|candidate| candidate.terms.iter().any(|known| known == term))
}

pub fn print(functions: usize, seed: u64) -> Result<()> {
    println!(
        "the constant of a growth becomes 1.3 to 2.5 times as large at a size, {functions} of each"
    );
    println!(
        "points  runs  noise  right gap, no other  growth named  within 10 % at 4 times  divided without a jump"
    );
    for (points, noise) in [(13, 0.01), (17, 0.01), (17, 0.03), (25, 0.03)] {
        for runs in [5, 1] {
            let mut random = Rng::with_seed(seed);
            let mut counts = [0usize; 4];
            for case in 0..functions {
                let (name, grows) = GROWTHS[case % GROWTHS.len()];
                let sizes = line(points);
                let gap = random.usize(points / 4..points - points / 4 - 1);
                let factor = 1.3 * (2.5f64 / 1.3).powf(random.f64());
                let start = grows(sizes[0]) * 2.0 * random.f64();
                let truth = |n: f64| {
                    let by = if n > sizes[gap] { factor } else { 1.0 };
                    1e-9 * (start + by * grows(n))
                };
                let data = sample(&sizes, truth, runs, noise, &mut random);
                let result = search(&data, &Options::default())?;
                let far = 4.0 * sizes[points - 1];
                let predicted = result.predict(&[far]).map_or(f64::NAN, |p| p.value);
                let smooth = |n: f64| 1e-9 * (start + grows(n) + 3.0 * n);
                let smooth = sample(&sizes, smooth, runs, noise, &mut random);
                let each = [
                    matches!(&result.divisions[..], [one] if one.below == sizes[gap]),
                    names(&result, name),
                    (predicted / truth(far) - 1.0).abs() < 0.1,
                    !search(&smooth, &Options::default())?.divisions.is_empty(),
                ];
                counts.iter_mut().zip(each).for_each(|(count, is)| *count += usize::from(is));
            }
            let [gap, named, near, falsely] =
                counts.map(|count| 100.0 * count as f64 / functions as f64);
            println!(
                "{points:6}  {runs:4}  {:3.0} %  {gap:18.1} %  {named:10.1} %  {near:21.1} %  {falsely:20.1} %",
                100.0 * noise
            );
        }
    }
    Ok(())
}
