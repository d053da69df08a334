//! How far a campaign is: a few lines on a terminal, now and then a line elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use cll_campaign::in_words;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::book::Counts;
use crate::launch::Outcome;
use crate::sampling::{Launching, Progress, argument};
use crate::terminal::Terminal;

/// Between two lines where no terminal is.
const SELDOM: Duration = Duration::from_secs(30);

/// Letters in the line of what runs beside that.
const BESIDE: usize = 20;

/// What is seen of a campaign while it runs: what is done and how long it will take, the fit so far, what
/// runs and since when.
pub struct View<'a> {
    bar: ProgressBar,
    /// Once something runs here.
    busy: ProgressStyle,
    is_busy: bool,
    terminal: &'a Terminal,
    names: Vec<String>,
    is_plain: bool,
    quiet: bool,
    told: Instant,
    fit: String,
}

impl<'a> View<'a> {
    /// For runs with these parameters.
    pub fn new(names: Vec<String>, quiet: bool, terminal: &'a Terminal) -> View<'a> {
        let is_plain = !std::io::stderr().is_terminal();
        let target = match quiet || is_plain {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = |template| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let busy = style("{msg}\nnow {prefix}, for {elapsed}");
        bar.set_style(style("{msg}"));
        // Seldom: what is drawn must not disturb what is measured.
        bar.enable_steady_tick(Duration::from_secs(1));
        let fit = String::new();
        View {
            bar,
            busy,
            is_busy: false,
            terminal,
            names,
            is_plain,
            quiet,
            told: Instant::now(),
            fit,
        }
    }

    /// How far it is; `must` it be told where lines are few.
    pub fn so(&mut self, counts: &Counts, left: Option<f64>, must: bool) {
        let mut text = format!("{} of {} runs", counts.ended(), counts.all());
        for (count, what) in [
            (counts.failed, "failed"),
            (counts.timeout, "took too long"),
            (counts.skipped, "skipped"),
            (counts.submitted, "with the batch system"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        if let Some(left) = left.filter(|_| counts.left() > 0) {
            text += &format!(", about {} left", in_words(left));
        }
        if self.is_plain {
            if !self.quiet && (must || self.told.elapsed() >= SELDOM) {
                let fit = if self.fit.is_empty() { "" } else { "; " };
                self.terminal.error_text(format!("{text}{fit}{}\n", self.fit).as_bytes());
                self.told = Instant::now();
            }
            return;
        }
        let lines = [text.as_str(), &self.fit].into_iter().filter(|line| !line.is_empty());
        self.bar.set_message(lines.map(|line| cut(line, 0)).collect::<Vec<_>>().join("\n"));
    }

    /// The fit so far, in words.
    pub fn fitted(&mut self, fit: String) {
        self.fit = fit;
    }

    /// Does something that prints, above the lines.
    pub fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        self.bar.suspend(what)
    }

    /// Something that is to be seen above the lines.
    pub fn tell(&self, text: &str) {
        self.bar.suspend(|| self.terminal.warn(text));
    }

    /// Takes the lines away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for View<'_> {
    fn begins(&mut self, launching: &Launching) {
        if self.is_plain {
            return;
        }
        let mut words: Vec<String> = self
            .names
            .iter()
            .zip(&launching.values)
            .map(|(name, value)| format!("{name}={}", argument(*value)))
            .collect();
        words.extend(launching.processors.map(|processors| format!("-n {processors}")));
        let what = if words.is_empty() { "a run".to_owned() } else { words.join(" ") };
        self.bar.reset_elapsed();
        if !std::mem::replace(&mut self.is_busy, true) {
            self.bar.set_style(self.busy.clone());
        }
        self.bar.set_prefix(cut(&what, BESIDE));
    }

    fn ended(&mut self, _: &Outcome) {}
}

/// As much of a line as the terminal has room for: one that is broken leaves a part behind when it is
/// drawn again. `beside`: what else stands in it.
fn cut(line: &str, beside: usize) -> String {
    let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    let width = width.saturating_sub(beside);
    match line.chars().count() < width {
        true => line.to_owned(),
        false => line.chars().take(width.saturating_sub(2)).chain(['…']).collect(),
    }
}
