//! Data in which little or nothing can be found.

use cll_fit::Data;
use cll_search::{Dictionary, Note, Options, SearchError, search};

use crate::support::{grid, sample, sizes};

#[test]
fn what_cannot_be_searched_is_an_error() {
    let options = Options::default();
    let search_rows =
        |rows: Vec<(Vec<f64>, f64)>| search(&Data::from_rows(vec!["N".to_owned()], rows), &options);
    assert_eq!(search_rows(Vec::new()).err(), Some(SearchError::NothingUsable));
    assert_eq!(search_rows(vec![(vec![1.0], -1.0); 4]).err(), Some(SearchError::NothingUsable));
    assert_eq!(
        search_rows(vec![(vec![1.0], 1.0), (vec![2.0], 2.0)]).err(),
        Some(SearchError::FewPoints { points: 2 })
    );
    let single =
        search_rows(vec![(vec![1.0], 1.0), (vec![1.0], 1.1)]).err().map(|error| error.to_string());
    assert!(single.is_some_and(|text| !text.contains("1 points")));
    let mut data = sample(&["N", "M"], grid(&[5.0], &[7.0]), |_| 3.0, 0.1, 1);
    data.points = vec![data.points[0].clone(); 3];
    assert_eq!(search(&data, &options).err(), Some(SearchError::NothingVaries));
}

#[test]
fn variables_that_cannot_be_separated_are_named() {
    let points = sizes(2, 10).into_iter().map(|n| vec![n, 4.0, 2.0 * n]);
    let data = sample(&["N", "fixed", "twice"], points, |v| 1.0 + v[0], 0.01, 1);
    let search = search(&data, &Options::default()).expect("a formula");
    let fixed = Note::NeverVaries { variable: "fixed".to_owned(), value: 4.0 };
    let twice = Note::VariesWith { variable: "twice".to_owned(), with: "N".to_owned() };
    assert_eq!(search.notes, [fixed, twice]);
    assert!(search.predict(&[2048.0, 4.0, 4096.0]).is_some());
}

#[test]
fn values_below_zero_leave_the_terms_that_they_have() {
    let points = (-4..8).map(|n| vec![f64::from(n)]);
    let data = sample(&["N"], points, |v| 50.0 + v[0] * v[0], 0.01, 1);
    // Roots and logarithms of negative values are none: nothing but the constant is left, or an error says so.
    match search(&data, &Options::default()) {
        Ok(search) => {
            assert!(search.candidates.iter().all(|c| c.constants.iter().all(|c| c.is_finite())))
        }
        Err(error) => assert_eq!(error, SearchError::NoTerms),
    }
}

#[test]
fn points_without_a_positive_value_are_counted() {
    let mut data = sample(&["N"], sizes(1, 8).into_iter().map(|n| vec![n]), |v| v[0], 0.01, 1);
    data.points[0].observations = vec![0.0; 5].into();
    let search = search(&data, &Options::default()).expect("a formula");
    assert!(search.notes.contains(&Note::LeftOut { points: 1 }), "{:?}", search.notes);
}

#[test]
fn a_missing_formula_is_a_lack_of_fit() {
    // Every second size takes longer, which no sum of powers does, with or without a boundary.
    let truth = |v: &[f64]| if v[0].log2() % 2.0 < 1.0 { v[0] } else { 1.5 * v[0] };
    let data = sample(&["N"], sizes(2, 12).into_iter().map(|n| vec![n]), truth, 0.01, 1);
    let search = search(&data, &Options::default()).expect("a formula");
    assert!(search.notes.iter().any(|n| matches!(n, Note::LackOfFit { .. })), "{:?}", search.notes);
}

#[test]
fn fifty_variables_do_not_take_for_ever() {
    let mut random = fastrand::Rng::with_seed(3);
    let names: Vec<String> = (0..50).map(|v| format!("v{v}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let points: Vec<Vec<f64>> =
        (0..60).map(|_| (0..50).map(|_| f64::from(1 << random.u32(2..7))).collect()).collect();
    let data = sample(&names, points, |v| 2.0 + v[9] * v[9], 0.02, 1);
    let search = search(&data, &Options::default()).expect("a formula");
    assert!(search.candidates[0].formula.contains("v9^2"), "{}", search.candidates[0].formula);
}

#[test]
fn three_points_have_a_formula_with_a_wide_interval() {
    let data =
        sample(&["N"], [10.0, 100.0, 1000.0].map(|n| vec![n]), |v| 1.0 + 0.1 * v[0], 0.02, 4);
    let search = search(&data, &Options::default()).expect("a formula");
    let predicted = search.predict(&[10_000.0]).expect("a value");
    assert!(predicted.low <= predicted.value && predicted.value <= predicted.high, "{predicted:?}");
    assert!(predicted.high > 1.2 * predicted.low, "{predicted:?}");
    assert!(!search.ties.is_empty());
}

/// P is N/64 at all points: one of both is used, and the note names the other.
#[test]
fn a_parameter_hidden_in_another_is_named() {
    let points = sizes(7, 14).into_iter().map(|n| vec![n, n / 64.0]);
    let data = sample(&["N", "P"], points, |v| 2.0 + 0.01 * v[0], 0.02, 2);
    let search = search(&data, &Options::default()).expect("a formula");
    let note = Note::VariesWith { variable: "P".to_owned(), with: "N".to_owned() };
    assert_eq!(search.notes, [note]);
}

#[test]
fn a_dictionary_of_forty_terms_is_searched() {
    let quantity = |text: &str| cll_formula::parse_quantity(text).quantity.expect(text);
    let mut texts: Vec<String> = (1..=20).map(|k| format!("N^({k}/4)")).collect();
    texts.extend((0..20).map(|k| format!("N^({k}/4)*log2(N)")));
    let given = texts.iter().map(|text| quantity(text)).collect();
    let options = Options { dictionary: Dictionary::Given(given), ..Options::default() };
    let data = sample(
        &["N"],
        sizes(2, 12).into_iter().map(|n| vec![n]),
        |v| 4.0 + 0.3 * v[0] * v[0].log2(),
        0.01,
        3,
    );
    let search = search(&data, &options).expect("a formula");
    let predicted = search.predict(&[2f64.powi(14)]).expect("a value");
    let exact = 4.0 + 0.3 * 2f64.powi(14) * 14.0;
    assert!((predicted.value / exact - 1.0).abs() < 0.05, "{predicted:?} {exact}");
}

#[test]
fn zero_and_nan_are_left_out_or_refused() {
    let mut data = sample(&["N"], sizes(1, 8).into_iter().map(|n| vec![n]), |v| v[0], 0.01, 1);
    data.points[2].observations = vec![f64::NAN; 5].into();
    data.points[3].values = vec![f64::NAN];
    data.points[4].observations[1] = f64::INFINITY;
    // No panic, and no answer that is not a number.
    if let Ok(search) = search(&data, &Options::default()) {
        assert!(search.candidates.iter().all(|c| c.constants.iter().all(|c| c.is_finite())));
        let predicted = search.predict(&[512.0]).expect("a value");
        assert!(predicted.value.is_finite() && (predicted.value / 512.0 - 1.0).abs() < 0.2);
    }
}

/// Times that fall with a size that counts no processors.
#[test]
fn times_that_fall_are_not_predicted_to_grow() {
    let truth = |v: &[f64]| 5.0 + 4000.0 / v[0];
    let data = sample(&["N"], sizes(4, 12).into_iter().map(|n| vec![n]), truth, 0.02, 5);
    let search = search(&data, &Options::default()).expect("a formula");
    let predicted = search.predict(&[2f64.powi(14)]).expect("a value");
    assert!((predicted.value / truth(&[2f64.powi(14)]) - 1.0).abs() < 0.05, "{predicted:?}");
}

#[test]
fn values_over_hundreds_of_decades_are_an_error() {
    let far = (1..14).map(|k| (vec![10f64.powi(20 * k)], 1e-300 * 10f64.powi(20 * k)));
    let data = Data::from_rows(vec!["N".to_owned()], far);
    let search = search(&data, &Options::default());
    assert!(search.is_ok() || matches!(search, Err(SearchError::Unsolvable)), "{search:?}");
}

/// No variable matters, and nothing was measured twice: no boundary is sought along each of them.
#[test]
fn fifty_variables_measured_once_are_searched_in_time() {
    let mut random = fastrand::Rng::with_seed(3);
    let names: Vec<String> = (0..50).map(|k| format!("v{k}")).collect();
    let rows = (0..200).map(|_| {
        let values: Vec<f64> = (0..50).map(|_| f64::from(1 << random.u32(2..9))).collect();
        (values, 0.5 + random.f64())
    });
    let data = Data::from_rows(names, rows.collect::<Vec<_>>());
    let search = search(&data, &Options::default()).expect("a formula");
    assert!(search.divisions.is_empty());
}
