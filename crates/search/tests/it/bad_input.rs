//! Data in which little or nothing can be found.

use cll_fit::Data;
use cll_search::{Note, Options, SearchError, search};

use crate::support::{grid, sample, sizes};

#[test]
fn what_cannot_be_searched_is_an_error() {
    let options = Options::default();
    let one =
        |rows: Vec<(Vec<f64>, f64)>| search(&Data::from_rows(vec!["N".to_owned()], rows), &options);
    assert_eq!(one(Vec::new()).err(), Some(SearchError::NothingUsable));
    assert_eq!(one(vec![(vec![1.0], -1.0); 4]).err(), Some(SearchError::NothingUsable));
    assert_eq!(
        one(vec![(vec![1.0], 1.0), (vec![2.0], 2.0)]).err(),
        Some(SearchError::FewPoints { points: 2 })
    );
    let mut data = sample(&["N", "M"], grid(&[5.0], &[7.0]), |_| 3.0, 0.1, 1);
    data.points = vec![data.points[0].clone(); 3];
    assert_eq!(search(&data, &options).err(), Some(SearchError::NothingVaries));
}

#[test]
fn variables_that_cannot_be_separated_are_named() {
    let points = sizes(2, 10).into_iter().map(|n| vec![n, 4.0, 2.0 * n]);
    let data = sample(&["N", "fixed", "twice"], points, |v| 1.0 + v[0], 0.01, 1);
    let found = search(&data, &Options::default()).expect("a formula");
    let fixed = Note::NeverVaries { variable: "fixed".to_owned(), value: 4.0 };
    let twice = Note::VariesWith { variable: "twice".to_owned(), with: "N".to_owned() };
    assert_eq!(found.notes, [fixed, twice]);
    assert!(found.predict(&[2048.0, 4.0, 4096.0]).is_some());
}

#[test]
fn values_below_zero_leave_the_terms_that_they_have() {
    let points = (-4..8).map(|n| vec![f64::from(n)]);
    let data = sample(&["N"], points, |v| 50.0 + v[0] * v[0], 0.01, 1);
    // Roots and logarithms of negative values are none: nothing but the constant is left, or an error says so.
    match search(&data, &Options::default()) {
        Ok(found) => {
            assert!(found.candidates.iter().all(|c| c.constants.iter().all(|c| c.is_finite())))
        }
        Err(error) => assert_eq!(error, SearchError::NoTerms),
    }
}

#[test]
fn points_without_a_positive_value_are_counted() {
    let mut data = sample(&["N"], sizes(1, 8).into_iter().map(|n| vec![n]), |v| v[0], 0.01, 1);
    data.points[0].observations = vec![0.0; 5];
    let found = search(&data, &Options::default()).expect("a formula");
    assert!(found.notes.contains(&Note::LeftOut { points: 1 }), "{:?}", found.notes);
}

#[test]
fn a_missing_formula_is_a_lack_of_fit() {
    // A jump, which no sum of powers has.
    let truth = |v: &[f64]| if v[0] < 100.0 { v[0] } else { 5.0 * v[0] };
    let data = sample(&["N"], sizes(2, 12).into_iter().map(|n| vec![n]), truth, 0.01, 1);
    let found = search(&data, &Options::default()).expect("a formula");
    assert!(found.notes.iter().any(|n| matches!(n, Note::LackOfFit { .. })), "{:?}", found.notes);
}

#[test]
fn fifty_variables_do_not_take_for_ever() {
    let mut random = fastrand::Rng::with_seed(3);
    let names: Vec<String> = (0..50).map(|v| format!("v{v}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let points: Vec<Vec<f64>> =
        (0..60).map(|_| (0..50).map(|_| f64::from(1 << random.u32(2..7))).collect()).collect();
    let data = sample(&names, points, |v| 2.0 + v[9] * v[9], 0.02, 1);
    let found = search(&data, &Options::default()).expect("a formula");
    assert!(found.candidates[0].formula.contains("v9^2"), "{}", found.candidates[0].formula);
}
