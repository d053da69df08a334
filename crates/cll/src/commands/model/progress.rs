//! The progress of the sampling, on standard error.

use std::time::Duration;

use cll_diagnostic::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::launch::Outcome;
use crate::sampling::{Goal, Launching, Progress, SamplingProgress, Variation};
use cll_measure::{Evaluation, LoggedGoal, RoundsView, View, Widest, in_words};
use cll_units::text::{DurationForm, PercentDigits, duration, percent};

/// A line on a terminal; nothing elsewhere.
pub struct Bar {
    bar: ProgressBar,
    variations: Vec<Variation>,
}

impl Bar {
    /// For launches with these variables.
    pub fn new(variations: &[Variation], quiet: bool) -> Bar {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            // It hides itself if there is no terminal.
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{prefix}  {msg}") {
            bar.set_style(style);
        }
        // Seldom, since drawing must not disturb the measurement.
        bar.enable_steady_tick(Duration::from_secs(1));
        Bar { bar, variations: variations.to_vec() }
    }

    /// Removes the line.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begins(&mut self, launching: &Launching) {
        let mut words = in_words(&self.variations, &launching.values);
        if let Some(processors) = launching.processors {
            words += &format!(" -n {processors}");
        }
        if !launching.gate {
            words += " (without markers)";
        }
        self.bar.set_message(words.trim_start().to_owned());
    }

    fn ended(&mut self, _: &Outcome) {
        self.bar.set_message(String::new());
    }
}

impl RoundsView for Bar {
    fn round(&mut self, round: u32, goal: &LoggedGoal, points: usize) {
        let number = round + 1;
        self.bar.set_prefix(if round < goal.first {
            format!("round {number} of {}", goal.first)
        } else {
            let which = if points == 1 { "1 size" } else { &format!("{points} sizes") };
            format!(
                "round {number} of at most {}, of {which} whose quickest runs differ",
                goal.most
            )
        });
    }
}

impl View for Bar {
    fn state(&mut self, goal: &Goal, progress: &SamplingProgress, evaluation: Option<&Evaluation>) {
        let mut text = match goal.launches {
            Some(launches) => {
                format!("round {} of {launches}", (progress.rounds + 1).min(launches))
            }
            None => format!("round {}", progress.rounds + 1),
        };
        text += &format!(", {} left", duration(goal.left(progress), DurationForm::Argument));
        if let Some(evaluation) = evaluation {
            if let Some(Widest { quantity, share, .. }) = &evaluation.widest {
                let [reached, wanted] = [*share, goal.precision]
                    .map(|share| percent(share, PercentDigits::Decimals(1)));
                text += &format!(", {quantity} ±{reached} (to be {wanted})");
            }
            let marked = evaluation.marks.iter().filter(|marks| !marks.is_empty()).count();
            text += &match (evaluation.is_measurable(), marked) {
                (true, 0) => ", quiet".to_owned(),
                (true, marked) => format!(", {} disturbed", counted(marked, "round", "rounds")),
                (false, _) => ", not measurable so far".to_owned(),
            };
        }
        self.bar.set_prefix(text);
    }
}
