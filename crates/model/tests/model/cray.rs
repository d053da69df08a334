//! Table 3 of the 2003 paper: the FFT of 2 Mega complex on a Cray T3E.

use cll_fit::{Data, Intervals, Options, fit};

/// Processors, measured seconds, what the paper's OBSP* gave.
const TABLE: [(f64, f64, f64); 6] = [
    (1.0, 11.7748, 11.8096),
    (2.0, 6.0036, 5.8943),
    (4.0, 3.2120, 3.0908),
    (8.0, 1.8939, 1.7735),
    (16.0, 1.2750, 1.1644),
    (32.0, 0.9664, 0.8919),
];
const N: f64 = 2_097_152.0;

/// Constants fitted on P = 1..8, and the errors at all P, (measured - model)/measured.
fn fitted(text: &str, non_negative: bool) -> (Vec<f64>, Vec<f64>) {
    let formula = cll_formula::parse("f", text).formula.unwrap();
    let rows = TABLE[..4].iter().map(|&(p, time, _)| (vec![p, N], time));
    let data = Data::from_rows(vec!["P".into(), "N".into()], rows);
    let options = Options { intervals: Intervals::None, non_negative, ..Options::default() };
    let fit = fit(&formula, &data, &options).unwrap();
    let error = |&(p, measured, _): &(f64, f64, f64)| {
        let arguments = [("P".to_owned(), p), ("N".to_owned(), N)];
        (measured - fit.predict_named(&arguments).unwrap().value) / measured
    };
    (fit.intervals[0].solution.clone(), TABLE.iter().map(error).collect())
}

/// The closed form without f[0] = G[0], a few operations, which one N cannot tell from the rest.
const FORMULA: &str = "f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P-1)/P";

/// The papers' own prediction is 8.7 % and 7.7 % off at 16 and 32.
#[test]
fn four_numbers_of_processors_tell_sixteen_and_thirty_two() {
    for non_negative in [false, true] {
        let (constants, errors) = fitted(FORMULA, non_negative);
        assert!(errors.iter().all(|error| error.abs() < 0.03), "{errors:?}");
        let papers = TABLE.map(|(_, measured, predicted)| (measured - predicted) / measured);
        assert!(errors[4].abs() < papers[4].abs() && errors[5].abs() < papers[5].abs());
        // The cost of a level, A[0] + … + F[0], comes out negative, -28 ms: what these four times hold of
        // it is noise. Held at zero it makes the prediction better, 0.2 % and 1.3 % for 1.5 % and 2.1 %.
        assert_eq!(constants[0] < 0.0, !non_negative, "{constants:?}");
        assert!(constants[1] > 0.0 && constants[2] > 0.0);
        assert_eq!(errors[5].abs() < 0.015, non_negative);
    }
}

/// As many constants as times: an interpolation, right where it was fitted and nowhere else.
#[test]
fn four_constants_from_four_times_predict_nothing() {
    let (constants, errors) = fitted(&format!("f[0] + {FORMULA}"), false);
    assert!(errors[..4].iter().all(|error| error.abs() < 1e-9));
    assert!(errors[5].abs() > 0.1, "{errors:?}");
    assert!(constants[3] < 0.0);
}
