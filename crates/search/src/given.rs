//! Data in which each given term is a variable of its own.

use std::borrow::Cow;

use cll_fit::{Data, Point};
use cll_formula::Quantity;

use crate::options::{Dictionary, Options};
use crate::result::Factors;

/// With a given dictionary each of its terms is a variable of its own.
pub(crate) type Given = Option<Vec<(Quantity, Vec<usize>)>>;

/// The data by the values of the given terms; as they are if no terms are given.
pub(crate) fn with_given_terms<'a>(data: &'a Data, options: &Options) -> (Cow<'a, Data>, Given) {
    let Dictionary::Given(terms) = &options.dictionary else {
        return (Cow::Borrowed(data), None);
    };
    let terms: Vec<(Quantity, Vec<usize>)> = terms
        .iter()
        .filter_map(|term| {
            let at: Option<Vec<usize>> =
                term.variables().iter().map(|v| data.variable(&v.name)).collect();
            Some((term.clone(), at?))
        })
        .collect();
    let mut by_terms = Data::new(terms.iter().map(|(term, _)| term.text().to_owned()).collect());
    by_terms.unit = data.unit.clone();
    for point in &data.points {
        let values = terms.iter().map(|(term, indices)| {
            let own: Vec<f64> = indices.iter().map(|&v| point.values[v]).collect();
            term.value(&own)
        });
        by_terms.points.push(Point { values: values.collect(), ..point.clone() });
    }
    (Cow::Owned(by_terms), Some(terms))
}

/// The variables of the data before terms took their places.
pub(crate) fn data_variables(data: &Data, factors: &Factors) -> Vec<String> {
    match &factors.given {
        None => data.variables.clone(),
        Some(terms) => {
            let mut names: Vec<(usize, String)> = terms
                .iter()
                .flat_map(|(term, indices)| {
                    indices.iter().copied().zip(term.variables().iter().map(|v| v.name.clone()))
                })
                .collect();
            names.sort();
            names.dedup();
            names.into_iter().map(|(_, name)| name).collect()
        }
    }
}
