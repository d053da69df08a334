//! Several runs of virtual processors: how much their times differ.

use cll_model::Interval;
use cll_result::{VirtualPrediction, VirtualRounds};
use cll_statistics::sorted;
use cll_units::Seconds;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The confidence of the interval, as of other predictions.
const CONFIDENCE: f64 = 0.9;

/// The prediction in the middle, with the interval in which another run lies; `None` without predictions. A single one has
/// no such interval.
pub fn of_rounds(mut predictions: Vec<VirtualPrediction>) -> Option<VirtualPrediction> {
    predictions.sort_by(|prediction, other| time(prediction).total_cmp(&time(other)));
    let times = sorted(predictions.iter().map(time));
    let middle = times.len().checked_sub(1)? / 2;
    let mut prediction = predictions.swap_remove(middle);
    prediction.rounds = rounds(&times, &prediction);
    Some(prediction)
}

/// The time by the model, else that of the log.
fn time(prediction: &VirtualPrediction) -> f64 {
    prediction.model.map_or(prediction.summary.total, |model| model.value).get()
}

/// The interval by Student's t of the logarithms: a disturbance is a share of the time. The intervals of the machine's file
/// hold for all runs alike, so they come on top.
fn rounds(times: &[f64], middle: &VirtualPrediction) -> Option<VirtualRounds> {
    let count = times.len() as f64;
    if times.len() < 2 || times[0] <= 0.0 {
        return None;
    }
    let mean = times.iter().map(|time| time.ln()).sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time.ln() - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    let quantile = StudentsT::new(0.0, 1.0, count - 1.0).ok()?.inverse_cdf(0.5 + 0.5 * CONFIDENCE);
    let half = quantile * deviation * (1.0 + 1.0 / count).sqrt();
    let (below, above) = match middle.model {
        Some(Interval { value, low, high, .. }) if value.get() > 0.0 => {
            (low.get() / value.get(), high.get() / value.get())
        }
        _ => (1.0, 1.0),
    };
    // Equal times would be beside their mean by rounding.
    let (least, most) = (times[0], times[times.len() - 1]);
    Some(VirtualRounds {
        times: times.iter().copied().map(Seconds).collect(),
        low: Seconds((mean - half).exp().min(least) * below),
        high: Seconds((mean + half).exp().max(most) * above),
        confidence: CONFIDENCE,
    })
}

#[cfg(test)]
mod tests {
    use cll_supersteps::RunSummary;

    use super::*;

    fn prediction(total: f64, model: Option<(f64, f64)>) -> VirtualPrediction {
        let summary = RunSummary { total: Seconds(total), ..RunSummary::default() };
        let model = model.map(|(low, high)| Interval {
            value: Seconds(total),
            low: Seconds(low),
            high: Seconds(high),
            confidence: 0.95,
        });
        VirtualPrediction { summary, model, ..VirtualPrediction::new() }
    }

    #[test]
    fn another_run_is_in_the_interval_as_often_as_it_says() {
        let mut random = fastrand::Rng::with_seed(4);
        let (mut inside, trials) = (0, 2000);
        for _ in 0..trials {
            let mut time = || (0.03 * cll_statistics::normal(|| random.f64())).exp();
            let runs = (0..5).map(|_| prediction(time(), None)).collect();
            let rounds = of_rounds(runs).unwrap().rounds.unwrap();
            let another = time();
            inside += usize::from(rounds.low.get() <= another && another <= rounds.high.get());
        }
        let share = f64::from(inside as u32) / f64::from(trials);
        assert!((0.87..0.93).contains(&share), "{share}");
    }

    #[test]
    fn the_run_in_the_middle_is_shown_and_the_machine_widens_the_interval() {
        let times = [23.3, 24.2, 23.1, 23.8, 24.0];
        let bare = of_rounds(times.map(|time| prediction(time, None)).to_vec()).unwrap();
        assert_eq!(bare.summary.total, Seconds(23.8));
        let bare = bare.rounds.unwrap();
        assert_eq!(bare.times.len(), 5);
        assert!(bare.low.get() < 23.1 && bare.high.get() > 24.2, "{bare:?}");
        let wide = times.map(|time| prediction(time, Some((0.9 * time, 1.2 * time))));
        let wide = of_rounds(wide.to_vec()).unwrap().rounds.unwrap();
        assert!((wide.low.get() - 0.9 * bare.low.get()).abs() < 1e-9, "{wide:?}");
        assert!((wide.high.get() - 1.2 * bare.high.get()).abs() < 1e-9, "{wide:?}");
        let prediction = of_rounds(vec![prediction(3.0, None)]).unwrap();
        assert_eq!((prediction.rounds, of_rounds(Vec::new()).is_none()), (None, true));
    }
}
