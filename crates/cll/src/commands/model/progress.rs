//! How far the launches are, on standard error.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::in_words;
use crate::launch::Outcome;
use crate::sampling::{Launching, Progress, Variation};

/// A bar on a terminal; nothing elsewhere.
pub struct Bar {
    bar: ProgressBar,
    variations: Vec<Variation>,
}

impl Bar {
    /// For these launches.
    pub fn new(launches: &[Launching], variations: &[Variation], quiet: bool) -> Bar {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            // Hidden by itself where there is no terminal.
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(launches.len() as u64), target);
        let text = "launch {pos} of {len} [{bar:24}] {elapsed}, {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(text) {
            bar.set_style(style.progress_chars("=> "));
        }
        // Seldom: the bar must not disturb what is measured.
        bar.enable_steady_tick(Duration::from_secs(1));
        Bar { bar, variations: variations.to_vec() }
    }

    /// Takes the bar away.
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
        self.bar.set_message(words.trim_start().to_owned());
    }

    fn ended(&mut self, _: &Outcome) {
        self.bar.inc(1);
    }
}
