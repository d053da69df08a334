//! Exact distances, their histograms, and how they grow.

use cll_reuse::{Histogram, Stack, growth};

/// The number of other lines used since the last use, by looking.
fn naive(order: &mut Vec<u64>, line: u64) -> Option<u64> {
    let position = order.iter().rposition(|number| *number == line);
    let distance = position.map(|position| (order.len() - 1 - position) as u64);
    if let Some(position) = position {
        order.remove(position);
    }
    order.push(line);
    distance
}

#[test]
fn distances_are_exact_for_random_streams() {
    let mut random = fastrand::Rng::with_seed(11);
    for lines in [1, 2, 40, 700] {
        let (mut stack, mut order) = (Stack::default(), Vec::new());
        // Enough accesses to number the moments anew.
        for _ in 0..60_000 {
            let line =
                if random.bool() { random.u64(0..lines) } else { random.u64(0..1 + lines / 8) };
            assert_eq!(stack.used(line), naive(&mut order, line));
        }
        assert_eq!(stack.len(), order.len());
    }
}

#[test]
fn a_cyclic_walk_has_its_length_as_distance() {
    let mut stack = Stack::default();
    for round in 0..3 {
        for line in 0..50_000 {
            let expected = (round > 0).then_some(49_999);
            assert_eq!(stack.used(line), expected);
        }
    }
}

#[test]
fn lines_can_be_taken_out() {
    let mut stack = Stack::default();
    (0..10).for_each(|line| stack.pushed(line));
    assert_eq!((stack.removed(4), stack.removed(4), stack.removed(0)), (Some(5), None, Some(8)));
    assert_eq!((stack.removed(9), stack.len(), stack.is_empty()), (Some(0), 7, false));
}

#[test]
fn histograms_know_what_lies_beyond() {
    let mut all = Histogram::default();
    all.add(20.0, 700);
    all.add(1000.0, 200);
    all.add(5000.0, 100);
    assert_eq!((all.beyond(100.0), all.beyond(3000.0), all.beyond(9000.0)), (300.0, 100.0, 0.0));
    assert_eq!(all.reached_by(50.0), Some(5000.0));
    assert_eq!(all.reached_by(250.0), Some(1000.0));
    assert_eq!(all.reached_by(1001.0), None);
    let mut twice = all.clone();
    twice.merge(&all);
    assert_eq!((twice.number, twice.bins().count()), (2000, 3));
}

#[test]
fn growth_is_found_and_can_be_inverted() {
    let growth_of = |f: &dyn Fn(f64) -> f64| {
        let points: Vec<(Vec<f64>, f64)> =
            (1..=12).map(|k| (vec![40.0 * f64::from(k)], f(40.0 * f64::from(k)))).collect();
        growth(&points).unwrap()
    };
    let names = ["N".to_owned()];
    assert_eq!(growth_of(&|n| 8.0 * n * n).text(&names), "8*N*N");
    assert_eq!(growth_of(&|n| 16.0 * n).text(&names), "16*N");
    let two = growth_of(&|n| 8.0 * n * n + 64.0 * n);
    assert_eq!(two.text(&names), "8*N*N + 64*N");
    let value = two.reaches(1_000_000.0, 0, &[480.0], 480.0);
    assert!(value.is_none(), "it is above that already: {value:?}");
    let value = two.reaches(8e6 + 64e3, 0, &[480.0], 480.0).unwrap();
    assert!((value - 1000.0).abs() < 0.1, "{value}");
    let flat = growth_of(&|_| 4096.0);
    assert_eq!((flat.text(&names).as_str(), flat.fastest()), ("4096", None));
    assert_eq!(flat.reaches(1e6, 0, &[480.0], 1.0), None);
    assert!(growth(&[(vec![1.0], 1.0), (vec![2.0], 2.0)]).is_none());
}

#[test]
fn growth_of_two_variables() {
    let mut points = Vec::new();
    for n in [50.0, 100.0, 200.0, 400.0] {
        for m in [10.0, 20.0, 40.0] {
            points.push((vec![n, m], 8.0 * n * m + 64.0 * m));
        }
    }
    let growth = growth(&points).unwrap();
    assert_eq!(growth.text(&["N".into(), "M".into()]), "8*N*M + 64*M");
    let value = growth.reaches(8.0 * 5000.0 * 40.0 + 2560.0, 0, &[400.0, 40.0], 400.0).unwrap();
    assert!((value - 5000.0).abs() < 1.0, "{value}");
}
