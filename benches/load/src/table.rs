//! Scores as tables.

use crate::score::Score;
use crate::truth::Measured;

/// The columns of a [`line`], after names of a given width.
pub fn heading(width: usize, name: &str) {
    println!(
        "{name:<width$} {:>7} {:>8} {:>6} {:>9} {:>13} {:>8} {:>8} {:>10} {:>15} {:>7}",
        "trials",
        "answered",
        "failed",
        "coverage",
        "90 % interval",
        "error",
        "largest",
        "half width",
        "narrow & wrong",
        "s/trial"
    );
}

/// One row.
pub fn line(width: usize, name: &str, score: &Score) {
    let share = |share: Option<f64>, digits: usize| {
        share.map_or("-".to_owned(), |share| format!("{:.digits$} %", 100.0 * share))
    };
    let interval = score.coverage_interval.map_or("-".to_owned(), |(low, high)| {
        format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high)
    });
    let wrong = format!("{} of {}", score.confident_and_wrong, score.predictions);
    println!(
        "{name:<width$} {:>7} {:>8} {:>6} {:>9} {:>13} {:>8} {:>8} {:>10} {:>15} {:>7}",
        score.trials,
        score.answered,
        score.failed,
        share(score.coverage, 1),
        interval,
        share(score.median_error, 1),
        share(score.largest_error, 1),
        share(score.median_half_width, 1),
        wrong,
        score.seconds_per_trial.map_or("-".to_owned(), |seconds| format!("{seconds:.1}")),
    );
}

/// Prints what the columns mean.
pub fn legend() {
    println!(
        "coverage: share of the 90 % bands that overlap the truth; its interval by resampling \
         whole trials\nerror: |predicted - truth|/truth, median and largest; half width: median, of \
         the predicted value\nnarrow & wrong: band narrower than ±10 %, and the truth farther \
         outside than twice its half width"
    );
}

/// On what the truth rests.
pub fn truth(all: &[Measured]) {
    let quiet = all.iter().filter(|measured| measured.quiet).count();
    let occasions = all.iter().map(|measured| measured.occasion).max().unwrap_or(0);
    println!(
        "truth: {occasions} occasions, {quiet} of {} measurements on a quiet machine; of a program \
         that has two or more of these only they count",
        all.len()
    );
    for measured in all.iter().filter(|measured| !measured.quiet) {
        println!(
            "  occasion {} of {} was not quiet in {} tries: cll: {}, canaries: {}",
            measured.occasion,
            measured.program.name(),
            measured.tries,
            measured.state,
            measured.canaries
        );
    }
}
