//! Progress of a campaign: a few lines on a terminal, occasional lines elsewhere.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cll_campaign::Counts;

use super::lines::ProgressLines;
use crate::launch::Outcome;
use crate::sampling::{Launching, Progress, argument};
use crate::terminal::{Live, Terminal};

/// Time between two lines if there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The largest number of failures that are reported immediately.
const MAX_FAILURES: usize = 5;

/// The display of a running campaign: completed runs, remaining time, the fit so far, the current run and its
/// start.
pub struct View<'a> {
    /// On a terminal.
    live: Option<Live>,
    shown: Arc<Mutex<ProgressLines>>,
    terminal: &'a Terminal,
    names: Vec<String>,
    /// Failures that were reported.
    failures: Vec<Launching>,
    quiet: bool,
    last_line: Instant,
}

impl<'a> View<'a> {
    /// For runs with these parameters.
    pub fn new(names: Vec<String>, quiet: bool, terminal: &'a Terminal) -> View<'a> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        let is_plain = is_dumb || !std::io::stderr().is_terminal();
        let shown = Arc::new(Mutex::new(ProgressLines::default()));
        let drawn = Arc::clone(&shown);
        let live = (!quiet && !is_plain)
            .then(|| Live::new(move |width| locked(&drawn).lines(Instant::now(), width)));
        let failures = Vec::new();
        View { live, shown, terminal, names, failures, quiet, last_line: Instant::now() }
    }

    /// The progress, and the remaining seconds; with `must` it is printed even if lines are rare.
    pub fn update(&mut self, counts: &Counts, left: Option<f64>, must: bool) {
        let now = Instant::now();
        locked(&self.shown).update(counts, left, now);
        if let Some(live) = &self.live {
            live.draw();
        } else if !self.quiet && (must || self.last_line.elapsed() >= LINE_INTERVAL) {
            let text = locked(&self.shown).in_line(now);
            self.terminal.error_text(format!("{text}\n").as_bytes());
            self.last_line = now;
        }
    }

    /// The fit so far: a line for each experiment.
    pub fn fitted(&mut self, fit: Vec<String>) {
        locked(&self.shown).fitted(fit);
    }

    /// The expected time of the next run, if known.
    pub fn expects(&mut self, seconds: Option<f64>) {
        locked(&self.shown).expects(seconds);
    }

    /// Reports a failed run. Of equal failures only the first is reported.
    pub fn failed(&mut self, launching: &Launching, message: &str) {
        let is_known = self.failures.iter().any(|failure| failure.is_like(launching));
        if self.quiet || is_known || self.failures.len() > MAX_FAILURES {
            return;
        }
        self.failures.push(launching.clone());
        if self.failures.len() > MAX_FAILURES {
            self.print("more runs have failed: cll campaign status lists all of them");
            return;
        }
        let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
        let how = lines.next().unwrap_or("it failed");
        let last = lines.next_back().map_or(String::new(), |last| format!(": {last}"));
        let text = cll_report::escape(&format!("{}: {how}{last}", self.words(launching)));
        self.print(&cll_report::truncate(&text, 300, "…"));
    }

    /// Runs a function that prints, above the lines.
    pub fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        match &self.live {
            Some(live) => live.aside(what),
            None => what(),
        }
    }

    /// Prints a line above the lines.
    pub fn print(&self, text: &str) {
        self.aside(|| self.terminal.warn(text));
    }

    /// The values of a run, as text.
    fn words(&self, launching: &Launching) -> String {
        let values = self.names.iter().zip(&launching.values);
        let mut words: Vec<String> =
            values.map(|(name, value)| format!("{name}={}", argument(*value))).collect();
        words.extend(launching.processors.map(|processors| format!("-n {processors}")));
        if words.is_empty() { "a run".to_owned() } else { words.join(" ") }
    }
}

impl Progress for View<'_> {
    fn begins(&mut self, launching: &Launching) {
        let what = self.words(launching);
        locked(&self.shown).begins(what, Instant::now());
    }

    fn ended(&mut self, _: &Outcome) {}
}

/// The state to show. It is valid even if a thread has panicked while it drew.
fn locked(shown: &Mutex<ProgressLines>) -> MutexGuard<'_, ProgressLines> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}
