//! A first call with values of its own, such as a warm-up of a library, is a point like the others.
//! A warning says so if it is far from what the others predict.

use crate::input::aggregate;
use crate::{Data, Fit, Options, Point, Warning, fit};

/// A point is far if it differs from the prediction of the others by more than this share, and by
/// more than this many times the error that 90 % of them stay within.
const FAR: (f64, f64) = (0.1, 5.0);

/// The warning about points measured only by the first call of each launch (their values are in
/// `firsts`), if they are far from the others. `fitted` is the fit to `data`; the data are fitted
/// again without these points.
pub fn first_call(
    fitted: &Fit,
    data: &Data,
    options: &Options,
    firsts: &[Vec<f64>],
) -> Option<Warning> {
    let is_first = |point: &Point| firsts.contains(&point.values);
    let mut others = data.clone();
    others.points.retain(|point| !is_first(point));
    if others.points.len() == data.points.len() {
        return None;
    }
    let without = fit(&fitted.formula, &others, options).ok()?;
    let limit = FAR.0.max(FAR.1 * without.quality.p90_error);
    let is_far = |point: &&Point| {
        let value = |name: &String| data.variable(name).map(|column| point.values[column]);
        let at: Option<Vec<f64>> = without.variables.iter().map(value).collect();
        let Some(Ok(prediction)) = at.map(|values| without.estimate(&values)) else { return false };
        let measured = aggregate(&point.observations, options.aggregate);
        let ratio = measured / prediction.value;
        // If the formula predicts a negative value, any cost is far from it.
        !(prediction.value > 0.0 && ratio < 1.0 + limit && 1.0 / ratio < 1.0 + limit)
    };
    let far: Vec<&Point> = data
        .points
        .iter()
        .filter(|point| is_first(point) && !point.observations.is_empty())
        .filter(is_far)
        .collect();
    if far.is_empty() {
        return None;
    }
    Some(Warning::FirstCall {
        variables: data.variables.clone(),
        points: far.iter().map(|point| point.values.clone()).collect(),
        largest: fitted.quality.largest_error,
        p90: fitted.quality.p90_error,
        largest_without: without.quality.largest_error,
        p90_without: without.quality.p90_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(first: (f64, f64), firsts: &[f64]) -> Option<Warning> {
        let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.unwrap();
        let rows = (1..10).map(|n| (f64::from(n), 10.0 + 2.0 * f64::from(n))).chain([first]);
        let data = Data::from_rows(vec!["N".to_owned()], rows.map(|(n, time)| (vec![n], time)));
        let fitted = fit(&formula, &data, &Options::default()).unwrap();
        let firsts: Vec<Vec<f64>> = firsts.iter().map(|&n| vec![n]).collect();
        first_call(&fitted, &data, &Options::default(), &firsts)
    }

    #[test]
    fn a_first_call_far_from_the_others_is_reported_with_its_effect() {
        for time in [500.0, 1.0] {
            let reported = warning((12.0, time), &[12.0]).unwrap().to_string();
            assert!(
                reported.starts_with("N = 12 is one call, the first of each launch"),
                "{time}: {reported}"
            );
            assert!(
                reported.contains("instead of") && reported.ends_with("--hold-out N=12"),
                "{reported}"
            );
        }
        // The other points predict a negative value at the values of this call.
        let reported = warning((-9.0, 500.0), &[-9.0]).unwrap().to_string();
        assert!(
            reported.starts_with("N = -9 is one call") && reported.contains("at most 0 %"),
            "{reported}"
        );
        assert_eq!(warning((12.0, 34.1), &[12.0]), None, "one like the others");
        assert_eq!(warning((12.0, 500.0), &[]), None, "no first call");
        assert_eq!(warning((12.0, 500.0), &[7.0]), None, "another point is the first call");
    }
}
