//! How often a dropped term is named by the repair of a formula, and how often a right formula is changed; beside the
//! ceiling (`ceiling_suggest.rs`).

use anyhow::{Context, Result};
use cll_fit::{Data, Point};
use cll_formula::Formula;
use cll_search::{Change, Options, Suggestion};
use fastrand::Rng;

use crate::ceiling_suggest::{Terms, of_all, of_two};

/// Sizes over two decades.
const SIZES: [f64; 9] = [10.0, 18.0, 32.0, 56.0, 100.0, 180.0, 320.0, 560.0, 1000.0];
/// Least share that each term has at one end of the sizes.
const SHARE: f64 = 0.1;

/// A case.
struct Case {
    right: &'static str,
    /// The formula that is repaired.
    given: &'static str,
    /// The term that both formulas have.
    kept: &'static str,
    /// The term of the right formula that the given one lacks, or has another in place of.
    term: &'static str,
}

#[rustfmt::skip]
const CASES: [Case; 8] = [
    Case { right: "f[0]*log2(N) + f[1]*N", given: "f[1]*N", kept: "f[1]*N", term: "log2(N)" },
    Case { right: "f[0]*log2(N) + f[1]*N", given: "f[1]*N + f[2]", kept: "f[1]*N", term: "log2(N)" },
    Case { right: "f[0] + f[1]*N*log2(N)", given: "f[0] + f[1]*N", kept: "f[0]", term: "N*log2(N)" },
    Case {
        right: "f[0] + f[1]*N + f[2]*N*log2(N)",
        given: "f[0] + f[1]*N",
        kept: "f[0] + f[1]*N",
        term: "N*log2(N)",
    },
    Case { right: "f[0] + f[1]*N^(3/2)", given: "f[0] + f[1]*N", kept: "f[0]", term: "N^(3/2)" },
    Case { right: "f[0] + f[1]*N + f[2]*N^2", given: "f[0] + f[1]*N", kept: "f[0] + f[1]*N", term: "N^2" },
    Case { right: "f[0] + f[1]*N^(2/3)", given: "f[0] + f[1]*N", kept: "f[0]", term: "N^(2/3)" },
    Case { right: "f[0] + f[1]*N^2*log2(N)", given: "f[0] + f[1]*N^2", kept: "f[0]", term: "N^2*log2(N)" },
];

/// A formula with a term too many, the right one, and the term.
const SUPERFLUOUS: [(&str, &str, &str); 5] = [
    ("f[0] + f[1]*N + f[2]*N*log2(N)", "f[0] + f[1]*N", "N*log2(N)"),
    ("f[0] + f[1]*N + f[2]*N^2", "f[0] + f[1]*N", "N^2"),
    ("f[0] + f[1]*N*log2(N)", "f[1]*N*log2(N)", "1"),
    ("f[0] + f[1]*N + f[2]*N^2", "f[0] + f[2]*N^2", "N"),
    ("f[0] + f[1]*log2(N) + f[2]*N", "f[1]*log2(N) + f[2]*N", "1"),
];

pub fn print(functions: usize, noise: f64, seed: u64) -> Result<()> {
    println!("sizes 10 to 1000, {functions} of each, noise {:.1} %", 100.0 * noise);
    println!(
        "                                                            ceiling         cll\n\
         given            right                                      of two   of all  named  alone  in its place  error smaller  right one changed"
    );
    for Case { right, given, kept, term } in CASES {
        let mut random = Rng::with_seed(seed);
        let mut counts = [0usize; 7];
        let [right_formula, given_formula, kept_formula] =
            [parsed(right)?, parsed(given)?, parsed(kept)?];
        for _ in 0..functions {
            let data = sample(right, noise, &mut random)?;
            let terms_of = |formula: &Formula| Terms::from_formula(formula, &data);
            let (with, without) = (terms_of(&right_formula), terms_of(&given_formula));
            let suggestion = suggested(&data, given)?;
            let names = names(&suggestion, term);
            let alone = suggestion.changes.iter().any(|change| match change {
                Change::Missing { term: named, .. } | Change::Replaced { term: named, .. } => {
                    named == term
                }
                Change::Superfluous { .. } => false,
            });
            let is_complete = suggestion.formula.terms().len() == right_formula.terms().len();
            let each = [
                of_two(&without, &with, &data, noise, SHARE),
                of_all(&terms_of(&kept_formula), &with, &data, noise, SHARE),
                names,
                alone,
                names && is_complete,
                suggestion.suggested.error < suggestion.given.error,
                !suggested(&data, right)?.changes.is_empty(),
            ];
            counts.iter_mut().zip(each).for_each(|(count, is)| *count += usize::from(is));
        }
        let [two, all, named, alone, place, smaller, changed] =
            counts.map(|count| 100.0 * count as f64 / functions as f64);
        println!(
            "{given:<15}  {right:<41} {two:6.1} % {all:6.1} % {named:5.1} % {alone:5.1} %       {place:5.1} %        {smaller:5.1} %            {changed:5.1} %"
        );
    }
    print_superfluous(functions, noise, seed)
}

/// How often a term that the right formula has not is named as superfluous.
fn print_superfluous(functions: usize, noise: f64, seed: u64) -> Result<()> {
    println!(
        "\ngiven                            right                     ceiling: of two  cll: superfluous one named  another one named  of the right formula"
    );
    for (given, right, term) in SUPERFLUOUS {
        let mut random = Rng::with_seed(seed);
        let mut counts = [0usize; 4];
        let [right_formula, given_formula] = [parsed(right)?, parsed(given)?];
        for _ in 0..functions {
            let data = sample(right, noise, &mut random)?;
            let terms_of = |formula: &Formula| Terms::from_formula(formula, &data);
            let (less, more) = (terms_of(&right_formula), terms_of(&given_formula));
            let suggestion = suggested(&data, given)?;
            let is = |change: &Change, own: bool| matches!(change, Change::Superfluous { term: named } if (named == term) == own);
            let each = [
                of_two(&more, &less, &data, noise, SHARE),
                suggestion.changes.iter().any(|change| is(change, true)),
                suggestion.changes.iter().any(|change| is(change, false)),
                !suggested(&data, right)?.changes.is_empty(),
            ];
            counts.iter_mut().zip(each).for_each(|(count, is)| *count += usize::from(is));
        }
        let [two, named, other, changed] =
            counts.map(|count| 100.0 * count as f64 / functions as f64);
        println!(
            "{given:<31}  {right:<25} {two:15.1} % {named:23.1} %  {other:15.1} %  {changed:18.1} %"
        );
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Formula> {
    cll_formula::parse("f", text).formula.context("a formula")
}

fn suggested(data: &Data, text: &str) -> Result<Suggestion> {
    let formula = parsed(text)?;
    Ok(cll_search::suggest(data, &formula, &Options::default())?)
}

fn names(suggestion: &Suggestion, wanted: &str) -> bool {
    suggestion.changes.iter().any(|change| match change {
        Change::Missing { term, as_good } | Change::Replaced { term, as_good, .. } => {
            term == wanted || as_good.iter().any(|text| text == wanted)
        }
        Change::Superfluous { .. } => false,
    })
}

/// Five repetitions at each size; constants log-uniform over three decades, each term with a share at one end.
fn sample(text: &str, noise: f64, random: &mut Rng) -> Result<Data> {
    let formula = parsed(text)?;
    let mut terms = vec![0.0; formula.terms().len()];
    let constants: Vec<f64> = loop {
        let constants: Vec<f64> =
            terms.iter().map(|_| 10f64.powf(5.0 * random.f64() - 2.0)).collect();
        let mut shares = vec![0.0f64; terms.len()];
        for n in [SIZES[0], SIZES[SIZES.len() - 1]] {
            formula.terms_at(&[n], &mut terms);
            let total = formula.evaluate(&[n], &constants);
            let own = terms.iter().zip(&constants).map(|(t, c)| t * c / total);
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
        data.points.push(Point::new(vec![n], observations));
    }
    Ok(data)
}
