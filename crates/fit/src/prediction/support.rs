//! Whether the data support a number at a place: where they contradict the model, or do not show how
//! it depends on a variable, there is none.

use crate::result::Residual;
use crate::warning::place;
use crate::{Fit, PredictError, Prediction};
use cll_statistics::{DEVIATIONS_IN_MAD, quantile_of};

/// With fewer values of a variable nothing shows how the value depends on it.
const MIN_VALUES: usize = 3;
/// A point that the model misses by more than this, relative, contradicts it,
const HALF: f64 = 0.5;
/// if that is more than so many standard deviations of its noise.
const DEVIATIONS: f64 = 3.0;
/// Values closer than this, relative, are one.
const SAME: f64 = 1e-9;

impl Fit {
    /// An error if the data do not support this prediction.
    pub(crate) fn support(
        &self,
        values: &[f64],
        prediction: &Prediction,
    ) -> Result<(), PredictError> {
        self.of_one_sign(values)?;
        self.varied(values, prediction.value)?;
        let here = || place(&self.variables, values);
        if let Some((point, error)) = self.contradiction(values) {
            let measured_at = place(&self.recorded, point);
            return Err(PredictError::Contradicted { place: here(), measured_at, error });
        }
        if prediction.value <= 0.0 && self.all_positive() {
            let (value, unit) = (prediction.value, self.unit.clone());
            return Err(PredictError::Negative { place: here(), value, unit });
        }
        Ok(())
    }

    /// An error at a value below zero of a variable that never was: a size, a number of processors.
    fn of_one_sign(&self, point: &[f64]) -> Result<(), PredictError> {
        for (name, &value) in self.variables.iter().zip(point).filter(|(_, value)| **value < 0.0) {
            let range = self.domain.iter().find(|range| range.variable == *name);
            if let Some(range) = range.filter(|range| range.low >= 0.0) {
                let (variable, smallest) = (name.clone(), range.low);
                return Err(PredictError::BelowZero { variable, value, smallest });
            }
        }
        Ok(())
    }

    /// An error at a new value of a variable with few values, if the model depends on it there.
    fn varied(&self, point: &[f64], value: f64) -> Result<(), PredictError> {
        let names = self.variables.iter().take(self.formula.variables().len());
        for (column, (name, &asked)) in names.zip(point).enumerate() {
            let Some(range) = self.domain.iter().find(|range| range.variable == *name) else {
                continue;
            };
            let same = |known: f64| (known - asked).abs() <= SAME * known.abs().max(asked.abs());
            if range.distinct >= MIN_VALUES || same(range.low) || same(range.high) {
                continue;
            }
            let mut measured = vec![range.low, range.high];
            measured.dedup();
            let depends = |known: &f64| {
                let mut there = point.to_vec();
                there[column] = *known;
                let other = self.estimate(&there).map_or(f64::NAN, |prediction| prediction.value);
                (other - value).abs() > SAME * value.abs() || other.is_nan()
            };
            if measured.iter().any(depends) {
                let variable = name.clone();
                return Err(PredictError::FewValues { variable, value: asked, measured });
            }
        }
        Ok(())
    }

    /// Values and relative error of the point that the model misses most, if it misses at least half of
    /// those nearest to a place by more than half, and by more than their noise.
    fn contradiction(&self, values: &[f64]) -> Option<(&[f64], f64)> {
        let used = || self.residuals.iter().filter(|r| r.excluded.is_none() && r.measured > 0.0);
        if self.held_out.is_empty() && used().all(|r| r.error.abs() <= HALF) {
            return None;
        }
        let typical = {
            let mut errors: Vec<f64> = used().map(|r| r.error.abs()).collect();
            if errors.is_empty() { 0.0 } else { quantile_of(&mut errors, 0.5) }
        };
        let fitted = used().map(|r| Near {
            values: &r.values,
            measured: r.measured,
            suspect: r.error.abs() > HALF,
            noise: noise(r, typical),
        });
        let held_out =
            self.held_out.iter().filter(|point| point.measured > 0.0).map(|point| Near {
                values: &point.values,
                measured: point.measured,
                suspect: true,
                noise: without_repetitions(typical),
            });
        let measured = self.measured_with_held_out();
        let here = measured.ranks(values);
        let distances: Vec<(f64, Near)> = fitted
            .chain(held_out)
            .map(|point| {
                let there = measured.ranks(&self.own_values(point.values));
                let off = there.iter().zip(&here).map(|(a, b)| (a - b).abs());
                (off.fold(0.0, f64::max), point)
            })
            .collect();
        let nearest = distances.iter().map(|near| near.0).fold(f64::INFINITY, f64::min);
        // The corners of the place's own cell; if none was measured, what is nearest.
        let reach = (1.0 - SAME).max(nearest + SAME);
        let near: Vec<&Near> =
            distances.iter().filter(|near| near.0 < reach).map(|near| &near.1).collect();
        let off: Vec<(&[f64], f64)> = near
            .iter()
            .filter(|point| point.suspect)
            .map(|point| (point, self.error_at(point.values, point.measured)))
            .filter(|(point, error)| error.abs() > HALF && error.abs() > DEVIATIONS * point.noise)
            .map(|(point, error)| (point.values, error))
            .collect();
        if 2 * off.len() < near.len() {
            return None;
        }
        off.into_iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }

    /// The relative error of the model at a measured point.
    fn error_at(&self, point: &[f64], measured: f64) -> f64 {
        let value =
            self.estimate(&self.own_values(point)).map_or(measured, |prediction| prediction.value);
        (measured - value) / measured
    }

    /// The values of the fit's variables among those of the recorded ones.
    fn own_values(&self, recorded: &[f64]) -> Vec<f64> {
        let column = |name: &String| self.recorded.iter().position(|known| known == name);
        let value = |name| column(name).and_then(|column| recorded.get(column)).copied();
        self.variables.iter().map(|name| value(name).unwrap_or(f64::NAN)).collect()
    }
}

/// A measured point near a place.
struct Near<'a> {
    /// Values of the recorded variables.
    values: &'a [f64],
    measured: f64,
    /// Whether the formula may be off by more than half.
    suspect: bool,
    /// Relative standard error.
    noise: f64,
}

/// The relative standard error of a point: by its repetitions, or without them by the typical error of
/// the model, unless that contradicts most points itself.
fn noise(point: &Residual, typical: f64) -> f64 {
    let spread = &point.spread;
    if spread.count < 2 {
        return without_repetitions(typical);
    }
    let quartiles = (spread.upper_quartile - spread.lower_quartile) / 1.349;
    let deviation = if spread.count < 4 { spread.maximum - spread.minimum } else { quartiles };
    1.25 * deviation / (spread.count as f64).sqrt() / point.measured
}

fn without_repetitions(typical: f64) -> f64 {
    if typical > HALF { 0.0 } else { DEVIATIONS_IN_MAD * typical }
}

#[cfg(test)]
mod tests {
    use crate::{Data, Fit, Intervals, Options, PredictError, fit};

    fn fitted(formula: &str, names: &[&str], rows: Vec<(Vec<f64>, f64)>) -> Fit {
        let data = Data::from_rows(names.iter().map(|&name| name.to_owned()).collect(), rows);
        let formula = cll_formula::parse("f", formula).formula.unwrap();
        let options = Options { intervals: Intervals::None, follow: false, ..Options::default() };
        fit(&formula, &data, &options).unwrap()
    }

    #[test]
    fn a_constant_for_values_that_grow_predicts_nothing() {
        for repetitions in [1, 3] {
            let rows = [10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0f64].iter().flat_map(|&n| {
                (0..repetitions).map(move |k| (vec![n], n.powi(5) * (1.0 + 0.01 * f64::from(k))))
            });
            let fit = fitted("f[0]", &["n"], rows.collect());
            // The formula has no variable: there is nothing to ask for but the mean of all.
            let prediction = fit.predict(&[]);
            assert!(matches!(prediction, Err(PredictError::Contradicted { .. })), "{prediction:?}");
        }
    }

    #[test]
    fn the_points_nearest_to_the_place_decide() {
        let truth = |n: f64| if n > 900.0 { 4.0 * n } else { n };
        let rows = (1..=20).flat_map(|k| {
            let n = 50.0 * f64::from(k);
            [0.99, 1.0, 1.01].map(|factor| (vec![n], truth(n) * factor))
        });
        let fit = fitted("f[0]*N", &["N"], rows.collect());
        for supported in [50.0, 420.0, 830.0] {
            assert!(fit.predict(&[supported]).is_ok(), "{supported}");
        }
        for n in [930.0, 1000.0, 5000.0] {
            let Err(PredictError::Contradicted { measured_at, error, .. }) = fit.predict(&[n])
            else {
                panic!("a number at {n}")
            };
            assert!(error > 0.5 && ["N = 950", "N = 1000"].contains(&&*measured_at));
        }
    }

    #[test]
    fn points_that_were_held_out_count() {
        let truth = |n: f64| if n > 900.0 { n * n / 100.0 } else { n };
        let rows = (1..=20).map(|k| (vec![50.0 * f64::from(k)], truth(50.0 * f64::from(k))));
        let data = Data::from_rows(vec!["N".into()], rows);
        let formula = cll_formula::parse("f", "f[0]*N").formula.unwrap();
        let held = |_: usize, point: &crate::Point| point.values[0] > 900.0;
        let out = crate::hold_out(&formula, &data, &Options::default(), held).unwrap();
        assert!(out.points.iter().all(|point| point.error.unwrap() > 0.5));
        assert!(out.fit.predict(&[700.0]).is_ok() && out.fit.predict(&[900.0]).is_ok());
        let beyond = out.fit.predict(&[2000.0]);
        assert!(matches!(beyond, Err(PredictError::Contradicted { .. })), "{beyond:?}");
    }

    #[test]
    fn large_noise_is_no_contradiction() {
        let mut random = fastrand::Rng::with_seed(2);
        let rows = (1..=21).map(|k| {
            let n = 300.0 * f64::from(k);
            (vec![n], (10.0 + n) * (0.5 + random.f64()))
        });
        let fit = fitted("f[0] + f[1]*N", &["N"], rows.collect());
        for n in [300.0, 1000.0, 2000.0, 3300.0, 6300.0, 12_000.0] {
            assert!(fit.predict(&[n]).is_ok(), "{n}: {:?}", fit.predict(&[n]));
        }
    }

    #[test]
    fn a_new_value_of_a_variable_with_two_is_refused() {
        let rows = |count: i32| {
            let each = (1..=6).flat_map(move |k| (0..count).map(move |p| (k, p)));
            each.map(|(k, p)| {
                let (n, p) = (100.0 * f64::from(k), 2f64.powi(p));
                (vec![n, p], 5.0 + n / p)
            })
        };
        let names = ["N", "P"];
        for count in [1, 2] {
            let fit = fitted("f[0] + f[1]*N/P", &names, rows(count).collect());
            let prediction = fit.predict(&[300.0, 16.0]);
            let Err(PredictError::FewValues { variable, measured, .. }) = prediction else {
                panic!("{prediction:?}")
            };
            assert_eq!((variable.as_str(), measured.len()), ("P", count as usize));
            // At measured values of P, N may be any.
            assert!(fit.predict(&[1000.0, 1.0]).is_ok());
            // A formula that does not depend on P has its value everywhere.
            let fit = fitted("f[0] + f[1]*N*min(P, 1)", &names, rows(count).collect());
            assert!(fit.predict(&[300.0, 16.0]).is_ok());
        }
        let fit = fitted("f[0] + f[1]*N/P", &names, rows(3).collect());
        assert!(fit.predict(&[300.0, 16.0]).is_ok());
    }

    #[test]
    fn no_negative_cost() {
        let rows = (10..30).map(|k| (vec![f64::from(k)], 3.0 * f64::from(k) - 20.0));
        let fit = fitted("f[0] + f[1]*N", &["N"], rows.collect());
        let prediction = fit.predict(&[2.0]);
        assert!(matches!(prediction, Err(PredictError::Negative { .. })), "{prediction:?}");
        assert!(fit.predict(&[9.0]).is_ok());
    }
}
