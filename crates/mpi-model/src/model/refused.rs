//! Predictions that the runs do not reach, or contradict: there is no number, but what to run.

use cll_result::{MpiModel, MpiModelPoint};

use super::point_of;
use super::run::MeasuredRun;
use cll_units::text::{PercentDigits, percent};

/// So many values of a variable must have been run for a prediction at another one: a line meets two of them exactly.
const ENOUGH: usize = 3;
/// A model that is off by more than this share at a point says nothing of others.
const OFF: f64 = 0.5;

/// Why there is no interval.
pub(super) const SINGLE_RUN: &str =
    "each size was run once, so nothing is known of its interval: more --rounds";

/// Which values were run, of those runs that the model is made of.
pub(super) struct Known {
    /// The variables, then the number of processors, with the values of each in order.
    variables: Vec<(String, Vec<f64>)>,
}

impl Known {
    pub(super) fn from_runs(runs: &[&MeasuredRun], names: &[String]) -> Known {
        let values = |index: usize| {
            let mut all: Vec<f64> = runs.iter().map(|run| point_of(run)[index]).collect();
            all.sort_by(f64::total_cmp);
            all.dedup();
            all
        };
        let variables =
            names.iter().enumerate().map(|(index, name)| (name.clone(), values(index))).collect();
        Known { variables }
    }

    /// Why nothing is known of the time at these values; `None`: it is.
    pub(super) fn refusal(&self, values: &[f64]) -> Option<String> {
        let few = |((name, known), value): (&(String, Vec<f64>), &f64)| {
            let is_known = known.len() >= ENOUGH || known.contains(value);
            (!is_known).then(|| (name.clone(), known.clone(), *value))
        };
        let (name, known, value) = self.variables.iter().zip(values).find_map(few)?;
        let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let option = if name == "P" { "-n ".to_owned() } else { format!("--vary {name}=") };
        Some(format!(
            "the runs that are used have {name}={} only, so they do not show how the time depends on {name}: run at least \
             {ENOUGH} values of it, such as {option}{}",
            list(&known),
            list(&more(&known, value)),
        ))
    }
}

/// Enough values to run, with those that were: from them in the direction of the one that was asked for.
fn more(known: &[f64], asked: f64) -> Vec<f64> {
    let mut all = known.to_vec();
    let is_up = known.last().is_none_or(|last| asked > *last);
    while all.len() < ENOUGH {
        let (first, last) = (all.first().copied(), all.last().copied());
        let next = if is_up {
            last.map(|last| 2.0 * last)
        } else {
            first.map(|first| (0.5 * first).ceil())
        };
        match next {
            Some(next) if !all.contains(&next) && next > 0.0 => all.push(next),
            _ => all.push(all.iter().copied().fold(0.0, f64::max) + 1.0),
        }
        all.sort_by(f64::total_cmp);
    }
    all
}

/// The point at which the model is off most, if that is too much for any prediction.
pub(super) fn contradiction(model: &MpiModel, names: &[String]) -> Option<String> {
    let points = model.fitted.iter().chain(&model.held_out);
    let off = |point: &&MpiModelPoint| point.error.map_or(0.0, f64::abs);
    let worst = points.max_by(|a, b| off(a).total_cmp(&off(b))).filter(|point| off(point) > OFF)?;
    let values = worst.values.iter().copied().chain([f64::from(worst.processors)]);
    let named: Vec<String> =
        names.iter().zip(values).map(|(name, value)| format!("{name}={value}")).collect();
    Some(format!(
        "the model is off by {} with {}, which was run: it does not describe these times; more --rounds on a quiet \
         machine, or the formula of the segments (--formula, --degree)",
        percent(off(&worst), PercentDigits::Decimals(0)),
        named.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(values: &[f64]) -> Known {
        let processors = ("P".to_owned(), vec![2.0]);
        Known { variables: vec![("n".to_owned(), values.to_vec()), processors] }
    }

    #[test]
    fn what_few_values_do_not_show_is_refused_with_what_to_run() {
        let refused = known(&[25.0]).refusal(&[300.0, 2.0]).expect("one value");
        assert!(
            refused.contains("have n=25 only") && refused.contains("--vary n=25,50,100"),
            "{refused}"
        );
        let refused = known(&[20.0, 40.0]).refusal(&[30.0, 2.0]).expect("two values");
        assert!(refused.contains("--vary n=10,20,40"), "{refused}");
        let refused = known(&[20.0, 30.0, 40.0]).refusal(&[30.0, 8.0]).expect("one number");
        assert!(refused.contains("have P=2 only") && refused.contains("-n 2,4,8"), "{refused}");
        // What was run is known.
        assert_eq!(known(&[25.0]).refusal(&[25.0, 2.0]), None);
        assert_eq!(known(&[20.0, 30.0, 40.0]).refusal(&[300.0, 2.0]), None);
    }

    #[test]
    fn more_values_are_named_also_around_nothing() {
        for (values, asked) in [(&[0.0][..], 5.0), (&[1.0], 0.5), (&[1.0, 2.0], 0.0)] {
            let all = more(values, asked);
            assert!(all.len() == ENOUGH && all.is_sorted(), "{all:?}");
            assert!(values.iter().all(|value| all.contains(value)), "{all:?}");
        }
    }

    #[test]
    fn a_model_that_a_point_contradicts_predicts_nothing() {
        let point = |n: f64, error: Option<f64>| MpiModelPoint {
            values: vec![n],
            processors: 2,
            error,
            ..MpiModelPoint::default()
        };
        let names = ["n", "P"].map(str::to_owned);
        let with = |held_out: Option<f64>| {
            let mut model = MpiModel::new();
            model.fitted = vec![point(1.0, Some(0.1)), point(2.0, Some(-0.4))];
            model.held_out = vec![point(3.0, held_out)];
            contradiction(&model, &names)
        };
        assert_eq!((with(None), with(Some(0.45))), (None, None));
        let why = with(Some(-0.99)).expect("it is off");
        assert!(why.contains("off by 99 % with n=3 P=2"), "{why}");
    }
}
