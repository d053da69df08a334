//! A search of the whole dictionary beside one of given terms.

use super::*;
use crate::division::search;
use crate::options::Dictionary;
use crate::solution::prior;
use crate::term::{Term, factor};
use cll_formula::parse_quantity;
use cll_statistics::normal;
use fastrand::Rng;

const TERMS: [&str; 12] = [
    "N",
    "N*log2(N)",
    "N^2",
    "N/P",
    "N*log2(N)/P",
    "log2(P)",
    "P",
    "P^(1/2)",
    "log2(N)",
    "N^2/P",
    "N*log2(P)",
    "1/P",
];

/// Data of a sum of one to three of the terms, on a cross of nine points.
fn drawn(random: &mut Rng) -> Data {
    let cross = [256.0, 512.0, 1024.0, 2048.0, 4096.0].map(|n| [n, 8.0]).into_iter();
    let cross = cross.chain([2.0, 4.0, 16.0, 32.0].map(|p| [1024.0, p]));
    let terms: Vec<_> = (0..random.usize(1..4))
        .map(|_| parse_quantity(TERMS[random.usize(..TERMS.len())]).quantity.expect("a term"))
        .collect();
    let value = |term: &cll_formula::Quantity, at: [f64; 2]| {
        let own = term.variables().iter().map(|v| at[usize::from(v.name == "P")]);
        term.value(&own.collect::<Vec<f64>>())
    };
    let shares: Vec<f64> = terms.iter().map(|_| 0.1 + random.f64()).collect();
    let noise = [0.002, 0.01, 0.03][random.usize(..3)];
    let mut data = Data::new(vec!["N".to_owned(), "P".to_owned()]);
    for point in cross {
        let sum = terms.iter().zip(&shares);
        let sum: f64 =
            sum.map(|(t, share)| share * value(t, point) / value(t, [1024.0, 8.0])).sum();
        let own = 1e-3 * (0.2 + sum);
        let observations = (0..5).map(|_| own * (1.0 + noise * normal(|| random.f64())));
        data.points.push(cll_fit::Point::new(point.to_vec(), observations.collect()));
    }
    data
}

/// The term of the columns that has this text.
fn term(columns: &Columns, text: &str) -> Option<Term> {
    let names = ["N", "P"];
    let single = (0..2).flat_map(|v| (0..columns.factors[v].len()).map(move |k| vec![(v, k)]));
    let pairs = (0..columns.factors[0].len())
        .flat_map(|a| (0..columns.factors[1].len()).map(move |b| vec![(0, a), (1, b)]));
    let mut all = single.chain(pairs);
    let matching = all.find(|term| {
        let factors = term.iter().map(|&(v, k)| (columns.factors[v][k], names[v]));
        Factor::product_text(factors) == text
    });
    matching.map(|term| term.into_iter().map(|(v, k)| factor(v, k)).collect())
}

/// The model of the columns that has these terms.
fn model(columns: &Columns, terms: &[String]) -> Option<Model> {
    // A given term is a variable, in parentheses.
    let plain = |text: &String| {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        inner.unwrap_or(text).to_owned()
    };
    let own = terms.iter().filter(|text| *text != "1").map(plain);
    let own: Option<Vec<Term>> = own.map(|text| term(columns, &text)).collect();
    Some(Model::new(terms.iter().any(|text| text == "1"), own?))
}

/// The formula that a search among few given terms prefers is not more probable than that of the whole dictionary.
#[test]
fn a_dictionary_finds_what_given_terms_find() {
    let count = test_draw::cases(500, 25);
    let mut random = Rng::with_seed(500 + test_draw::drawn_below(25) as u64);
    let given = TERMS.iter().filter_map(|term| parse_quantity(term).quantity).collect();
    let among = Options { dictionary: Dictionary::Given(given), ..Options::default() };
    let mut compared = 0;
    for case in 0..count {
        let data = drawn(&mut random);
        let (by_terms, options) = (search(&data, &among), Options::default());
        let (Ok(by_terms), Ok(term)) = (by_terms, search(&data, &options)) else { continue };
        let observed = Observed::new(&data, &options);
        let (variables, _) = relevant(&observed, &data.variables);
        let factors = dictionary(&observed, &data.variables, &variables, &options);
        let columns = Columns::new(&observed, &factors, true);
        let problem =
            crate::weighted::Weighted::new(&observed, observed.y.clone(), options.weights, false);
        let evidence = |terms: &[String]| {
            let model = model(&columns, terms)?;
            Some(Solution::new(&problem, &columns, &model, prior(&model, &columns))?.evidence)
        };
        let first = |search: &Search| evidence(&search.candidates[0].terms);
        let (Some(given), Some(own)) = (first(&by_terms), first(&term)) else { continue };
        compared += 1;
        // It was weighed, by the same noise.
        let preferred = model(&columns, &by_terms.candidates[0].terms);
        if term.members.iter().any(|member| Some(&member.model) == preferred.as_ref()) {
            continue;
        }
        // The weights of points are not quite those of the searches.
        assert!(
            own >= given - 0.7,
            "case {case}: {} {given} {} {own}",
            by_terms.candidates[0].formula,
            term.candidates[0].formula
        );
    }
    assert!(2 * compared > count, "{compared} of {count}");
}
