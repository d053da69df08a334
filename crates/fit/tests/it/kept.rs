//! A fit is kept as JSON and predicts the same when it is read again.

use crate::reading::{Table, formula};
use cll_fit::{Fit, Intervals, Options, fit};

#[test]
fn a_fit_survives_json() {
    let table = Table::read("published/mpi_send_receive.csv");
    let data = table.data(&["bytes"], "send_us");
    let fitted = fit(&formula("t[0]*bytes + t[1]"), &data, &Options::default()).expect("13 points");
    let text = serde_json::to_string(&fitted).expect("finite numbers");
    let read: Fit = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, fitted);
    for bytes in [7000.0, 90000.0, 1e6, 1e8] {
        assert_eq!(read.predict(&[bytes]), fitted.predict(&[bytes]));
    }
}

#[test]
fn a_fit_that_was_changed_by_hand_is_refused() {
    let table = Table::read("published/mpi_send_receive.csv");
    let data = table.data(&["bytes"], "send_us");
    let fitted =
        fit(&formula("t[0]*bytes + t[1]"), &data, &Intervals::dynamic().into()).expect("13 points");
    let mut broken = fitted.clone();
    broken.intervals[0].solution.pop();
    assert!(broken.predict(&[7000.0]).is_err());
    let mut broken = fitted.clone();
    broken.boundaries.clear();
    assert!(broken.predict(&[7000.0]).is_err());
    let mut broken = fitted;
    broken.axis = Some("cats".to_owned());
    assert!(broken.predict(&[7000.0]).is_err());
}
