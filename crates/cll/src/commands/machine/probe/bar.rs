//! The progress of a probe, on a terminal.

use std::time::Duration;

use cll_probe::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress, on a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A line on standard error; nothing if that is not a terminal.
    pub fn new(quiet: bool) -> Bar {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{prefix}  {msg}") {
            bar.set_style(style);
        }
        // Seldom, since drawing must not disturb the measurement.
        bar.enable_steady_tick(Duration::from_secs(1));
        Bar(bar)
    }

    /// Removes the line.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn say(&mut self, round: usize, left: f64, what: &str) {
        self.0.set_prefix(format!("round {}, {:.0}s left", round + 1, left.max(0.0)));
        self.0.set_message(what.to_owned());
    }
}
