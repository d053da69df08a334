//! `cll profile diff`.

use std::path::PathBuf;

use cll_profile::Profile;
use cll_profile::diff::{Condition, Difference, UNLIKE, diff};
use cll_profile::export::Figure;
use cll_report::{DifferenceView, shortened};
use cll_result::DifferenceJson;

use super::On;
use crate::cli::ProfileDiffArgs;
use crate::failure::{Failure, Status as Exit};
use crate::names::nearest;
use crate::terminal::{Terminal, Text};
use cll_analysis::profile;

/// The exit code if a condition of `--fail-if` is met.
const CONDITION_MET: u8 = 9;

/// Compares.
pub fn run(args: &ProfileDiffArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        let wrong = format!("--confidence {} is not between 0 and 1", args.confidence);
        return Err(Failure::usage(wrong));
    }
    let figure = figure("--by", &args.by)?;
    let conditions = args.fail_if.iter().map(|text| {
        Condition::read(text).map_err(|wrong| {
            terminal.diagnose(Text { name: "--fail-if", bytes: text.as_bytes() }, &[wrong]);
            Failure::Reported(Exit::Usage)
        })
    });
    let conditions = conditions.collect::<Result<Vec<Condition>, Failure>>()?;
    let (before, after) = sides(args)?;
    let all: Vec<&Vec<PathBuf>> = before.iter().chain(&after).collect();
    let mut profiles = read(&all, args.calls, terminal)?;
    // If one has no supersteps, all are compared by calls.
    let by_calls = profiles.iter().any(Profile::is_by_calls);
    if by_calls && !profiles.iter().all(Profile::is_by_calls) {
        profiles = read(&all, true, terminal)?;
    }
    // What is said of the machine is said once.
    let mut on: Option<On> = None;
    let mut priced = Vec::new();
    for profile in profiles {
        if on.as_ref().is_none_or(|on| on.processors != profile.processors) {
            on = super::on(&args.on, &profile, terminal)?;
        }
        priced.push(match &on {
            Some(on) => profile.as_on(&on.costs),
            None => profile,
        });
    }
    let after = priced.split_off(before.len());
    let before = priced;
    let unit = |set: &[Profile]| set.iter().map(|profile| profile.h_unit).max();
    let words = unit(&before) != unit(&after);
    let same = |set: Vec<Profile>| {
        if words { set.into_iter().map(Profile::in_words).collect() } else { set }
    };
    let (before, after) = (same(before), same(after));
    let difference = diff(&before, &after, args.confidence);
    let mut verdicts = Vec::new();
    for (condition, text) in conditions.iter().zip(&args.fail_if) {
        let verdict = condition.judge(&before, &after, args.confidence).map_err(|wrong| {
            terminal.diagnose(Text { name: "--fail-if", bytes: text.as_bytes() }, &[wrong]);
            Failure::Reported(Exit::Usage)
        })?;
        verdicts.push(verdict);
    }
    warn(&difference, terminal);
    let h_unit = before[0].h_unit;
    if args.json {
        terminal.json(&DifferenceJson::new(h_unit, &difference, &verdicts))?
    } else {
        let view = DifferenceView {
            found: &difference,
            verdicts: &verdicts,
            figure,
            h_unit,
            on_terminal: terminal.is_terminal(),
            by_calls,
        };
        terminal.print(view.text(&terminal.style()))?;
    }
    Ok(if verdicts.iter().any(|verdict| verdict.met) { CONDITION_MET } else { 0 })
}

fn read(
    runs: &[&Vec<PathBuf>],
    by_calls: bool,
    terminal: &Terminal,
) -> Result<Vec<Profile>, cll_analysis::Error> {
    let read_run = |run: &&Vec<PathBuf>| profile::profile(run, by_calls, terminal);
    runs.iter().map(read_run).collect()
}

/// The metric of this name.
pub fn figure(option: &str, name: &str) -> Result<Figure, Failure> {
    Figure::named(name).ok_or_else(|| {
        let names = Figure::ALL.map(Figure::name);
        let failure = Failure::usage(format!("{option} {name}: there is no such metric"));
        match nearest(name, names) {
            Some(near) => failure.help(format!("did you mean {near}?")),
            None => failure.help(format!("metrics are {}", names.join(", "))),
        }
    })
}

/// Groups logs by run.
type Runs = Vec<Vec<PathBuf>>;

/// The runs before, and those after.
fn sides(args: &ProfileDiffArgs) -> Result<(Runs, Runs), Failure> {
    if !args.with.is_empty() {
        return Ok((profile::runs(&args.files)?, profile::runs(&args.with)?));
    }
    if let [before, after] = &args.files[..] {
        let runs_in = |path: &PathBuf| profile::runs(std::slice::from_ref(path));
        return Ok((runs_in(before)?, runs_in(after)?));
    }
    let mut runs = profile::runs(&args.files)?;
    match runs.len() {
        2 => {
            let after = runs.split_off(1);
            Ok((runs, after))
        }
        count => Err(Failure::usage(format!(
            "two runs are needed, and {count} {} given",
            if count == 1 { "is" } else { "are" }
        ))
        .help("to compare several runs: cll profile diff BEFORE... --with AFTER...")),
    }
}

/// Warnings on the comparison.
fn warn(difference: &Difference, terminal: &Terminal) {
    let [p, q] = difference.processors;
    if p != q {
        terminal
            .warn(&format!("{p} processors before, {q} after: maxima and sums are not comparable"));
    }
    if difference.matched < UNLIKE {
        let [a, b] = &difference.programs;
        terminal.warn(&format!(
            "these profiles have almost no nodes in common ({} and {}): almost all nodes are listed as gone and new",
            shortened(a),
            shortened(b)
        ));
    }
}
