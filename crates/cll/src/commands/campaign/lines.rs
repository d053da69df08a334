//! The lines that a terminal shows while a campaign runs.

use std::time::{Duration, Instant};

use cll_campaign::Counts;
use cll_diagnostic::counted;
use cll_report::{columns, truncate};
use cll_units::text::{DurationForm, duration};

/// The largest number of experiments whose fit is shown.
const MAX_FITS: usize = 3;

/// The state to show.
#[derive(Debug, Default)]
pub struct ProgressLines {
    counts: String,
    left: Option<RemainingSeconds>,
    fit: Vec<String>,
    now: Option<(String, Instant)>,
}

/// The remaining time.
#[derive(Clone, Copy, Debug)]
struct RemainingSeconds {
    /// Seconds of all runs that had not ended at that time.
    all: f64,
    instant: Instant,
    /// Seconds of the current run.
    current: f64,
}

impl ProgressLines {
    /// The progress.
    pub fn update(&mut self, counts: &Counts, left: Option<f64>, instant: Instant) {
        let mut text =
            format!("{} of {}", counts.ended(), counted(counts.all() as usize, "run", "runs"));
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
        self.counts = text;
        let left = left.filter(|_| counts.left() > 0);
        self.left = left.map(|all| RemainingSeconds { all, instant, current: all });
    }

    /// The fit so far: a line for each experiment.
    pub fn fitted(&mut self, fit: Vec<String>) {
        self.fit = fit;
    }

    /// The expected time of the next run.
    pub fn expects(&mut self, seconds: Option<f64>) {
        if let (Some(left), Some(seconds)) = (&mut self.left, seconds) {
            left.current = seconds;
        }
    }

    /// A run begins.
    pub fn begins(&mut self, what: String, instant: Instant) {
        self.now = Some((what, instant));
        if let Some(left) = &mut self.left {
            left.instant = instant;
        }
    }

    /// The lines for a terminal with this number of columns. All are narrower: a cursor after the last column
    /// would wrap the line.
    pub fn lines(&self, now: Instant, width: usize) -> Vec<String> {
        let mut lines = vec![self.head(now)];
        let mut fits = self.fit.iter().take(MAX_FITS).map(String::as_str);
        lines.extend(fits.next().map(|first| format!("the fit so far: {first}")));
        lines.extend(fits.map(|other| format!("    {other}")));
        if self.fit.len() > MAX_FITS {
            lines.push(format!("    and {} others", self.fit.len() - MAX_FITS));
        }
        let room = width.saturating_sub(1).max(1);
        lines.extend(self.now.as_ref().map(|(what, since)| {
            let after = format!(", for {}", clock(now.saturating_duration_since(*since)));
            // The time is shown even if names are long.
            let own = room.saturating_sub("now ".len() + columns(&after));
            format!("now {}{after}", truncate(what, own, "…"))
        }));
        let lines = lines.iter().filter(|line| !line.is_empty());
        lines.map(|line| truncate(line, room, "…")).collect()
    }

    /// All except the current run, in one line.
    pub fn in_line(&self, now: Instant) -> String {
        let fit = if self.fit.is_empty() {
            String::new()
        } else {
            format!("; the fit so far: {}", self.fit.join("; "))
        };
        format!("{}{fit}", self.head(now))
    }

    fn head(&self, now: Instant) -> String {
        let left = self.left.map(|left| {
            let passed = now.saturating_duration_since(left.instant).as_secs_f64();
            // A run that takes longer than expected does not shorten the others.
            about((left.all - passed.min(left.current)).max(0.0))
        });
        let left = left.map_or(String::new(), |left| format!(", about {left} left"));
        format!("{}{left}", self.counts)
    }
}

/// With the precision that is known.
fn about(seconds: f64) -> String {
    duration(seconds, DurationForm::Left)
}

fn clock(time: Duration) -> String {
    duration(time.as_secs_f64(), DurationForm::Clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(left: Option<f64>, instant: Instant) -> ProgressLines {
        let mut shown = ProgressLines::default();
        let counts = Counts { planned: 9, done: 2, failed: 1, ..Counts::default() };
        shown.update(&counts, left, instant);
        shown
    }

    fn after(begin: Instant, seconds: f64) -> Instant {
        begin + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn before_the_first_run_ends_nothing_is_said_of_the_time() {
        let begin = Instant::now();
        let mut shown = shown(None, begin);
        shown.expects(None);
        shown.begins("N=7".into(), begin);
        let lines = shown.lines(after(begin, 67.3), 80);
        assert_eq!(lines, ["3 of 12 runs, 1 failed", "now N=7, for 1:07 min"]);
        assert_eq!(ProgressLines::default().lines(begin, 80), Vec::<String>::new());
    }

    #[test]
    fn the_time_that_is_left_passes_while_a_run_goes_on() {
        let begin = Instant::now();
        let mut shown = shown(Some(100.0), begin);
        shown.expects(Some(30.0));
        shown.begins("N=7".into(), begin);
        let left = |seconds| shown.in_line(after(begin, seconds));
        assert_eq!(left(0.0), "3 of 12 runs, 1 failed, about 100 s left");
        assert!(left(20.0).ends_with("about 80 s left"));
        // It takes longer than expected: the others remain.
        assert!(left(500.0).ends_with("about 70 s left"));
        shown.update(&Counts { done: 12, ..Counts::default() }, Some(0.0), begin);
        assert_eq!(shown.in_line(begin), "12 of 12 runs");
    }

    #[test]
    fn no_line_is_as_wide_as_the_terminal() {
        let begin = Instant::now();
        let mut shown = shown(Some(3.2e4), begin);
        let fits = ["one", "字字字字字字字字字字字字", "three", "four", "five"];
        shown.fitted(fits.map(|name| format!("{name}: errors 0.3 % in the median")).to_vec());
        shown.begins("some_long_parameter=123456789 other=字字字字字 -n 4".into(), begin);
        let now = after(begin, 7_384.0);
        let wide = shown.lines(now, 140);
        assert_eq!(wide[1], "the fit so far: one: errors 0.3 % in the median");
        assert_eq!(wide[4], "    and 2 others");
        assert!(wide[5].ends_with("-n 4, for 2:03:04 h"), "{wide:?}");
        for width in 1..140 {
            let lines = shown.lines(now, width);
            assert!(lines.iter().all(|line| columns(line) < width.max(2)), "{width}: {lines:?}");
        }
        assert!(shown.lines(now, 30)[5].ends_with("…, for 2:03:04 h"));
    }
}
