//! How often a dropped term is named by the repair of a formula, and how often a right formula is changed.

use anyhow::{Context, Result};
use cll_fit::{Data, Point};
use cll_search::{Change, Options, Suggestion};
use fastrand::Rng;

/// Sizes over two decades.
const SIZES: [f64; 9] = [10.0, 18.0, 32.0, 56.0, 100.0, 180.0, 320.0, 560.0, 1000.0];
/// Least share that each term has at one end of the sizes.
const SHARE: f64 = 0.1;

/// A case: the right formula, the formula without the term, and the term.
const CASES: [(&str, &str, &str); 5] = [
    ("f[0]*log2(N) + f[1]*N", "f[1]*N", "log2(N)"),
    ("f[0]*log2(N) + f[1]*N", "f[1]*N + f[2]", "log2(N)"),
    ("f[0] + f[1]*N*log2(N)", "f[0] + f[1]*N", "N*log2(N)"),
    ("f[0] + f[1]*N + f[2]*N*log2(N)", "f[0] + f[1]*N", "N*log2(N)"),
    ("f[0] + f[1]*N^2*log2(N)", "f[0] + f[1]*N^2", "N^2*log2(N)"),
];

pub fn print(functions: usize, noise: f64, seed: u64) -> Result<()> {
    println!("sizes 10 to 1000, {functions} of each, noise {:.1} %", 100.0 * noise);
    println!(
        "given                      right                            term named  error smaller  right one changed"
    );
    for (right, given, term) in CASES {
        let mut random = Rng::with_seed(seed);
        let (mut named, mut smaller, mut changed) = (0, 0, 0);
        for _ in 0..functions {
            let data = sample(right, noise, &mut random)?;
            let found = suggested(&data, given)?;
            named += usize::from(names(&found, term));
            smaller += usize::from(found.suggested.error < found.given.error);
            changed += usize::from(!suggested(&data, right)?.changes.is_empty());
        }
        let share = |count: usize| 100.0 * count as f64 / functions as f64;
        println!(
            "{given:<25}  {right:<32} {:8.1} %  {:11.1} %  {:15.1} %",
            share(named),
            share(smaller),
            share(changed)
        );
    }
    Ok(())
}

fn suggested(data: &Data, text: &str) -> Result<Suggestion> {
    let formula = cll_formula::parse("f", text).formula.context("a formula")?;
    Ok(cll_search::suggest(data, &formula, &Options::default())?)
}

fn names(found: &Suggestion, wanted: &str) -> bool {
    found.changes.iter().any(|change| match change {
        Change::Missing { term, as_good } | Change::Replaced { term, as_good, .. } => {
            term == wanted || as_good.iter().any(|one| one == wanted)
        }
        Change::Superfluous { .. } => false,
    })
}

/// Five repetitions at each size; constants log-uniform over three decades, each term with a share at one end.
fn sample(text: &str, noise: f64, random: &mut Rng) -> Result<Data> {
    let formula = cll_formula::parse("f", text).formula.context("a formula")?;
    let mut terms = vec![0.0; formula.terms().len()];
    let constants: Vec<f64> = loop {
        let constants: Vec<f64> =
            terms.iter().map(|_| 10f64.powf(5.0 * random.f64() - 2.0)).collect();
        let mut shares = vec![0.0f64; terms.len()];
        for n in [SIZES[0], SIZES[SIZES.len() - 1]] {
            formula.terms_at(&[n], &mut terms);
            let whole = formula.evaluate(&[n], &constants);
            let own = terms.iter().zip(&constants).map(|(t, c)| t * c / whole);
            shares.iter_mut().zip(own).for_each(|(most, share)| *most = most.max(share));
        }
        if shares.iter().all(|share| *share >= SHARE) {
            break constants;
        }
    };
    let mut data = Data::new(vec!["N".to_owned()]);
    for n in SIZES {
        let value = formula.evaluate(&[n], &constants);
        let observations = (0..5)
            .map(|_| value * (1.0 + noise * cll_statistics::normal(|| random.f64())))
            .collect();
        data.points.push(Point { values: vec![n], observations });
    }
    Ok(data)
}
