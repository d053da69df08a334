//! `cll profile diff`.

use std::fmt::Write;
use std::path::PathBuf;

use cll_fit::Unit;
use cll_profile::diff::{Change, Condition, Difference, Row, Status, UNLIKE, Verdict, diff};
use cll_profile::export::Figure;
use cll_profile::{Metric, Profile};
use serde::Serialize;

use super::lines::{Label, Lines};
use super::{load, print};
use crate::cli::ProfileDiffArgs;
use crate::failure::{Failure, Status as Exit};
use crate::names::nearest;
use crate::terminal::{Terminal, Text};

/// The exit code where a condition of `--fail-if` is met.
const MET: u8 = 9;

/// Compares.
pub fn run(args: &ProfileDiffArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        let wrong = format!("--confidence {} does not lie between 0 and 1", args.confidence);
        return Err(Failure::usage(wrong));
    }
    let figure = figure("--by", &args.by)?;
    let conditions = args.fail_if.iter().map(|text| {
        Condition::read(text).map_err(|wrong| {
            terminal.diagnose(Text { name: "--fail-if", bytes: text.as_bytes() }, &[wrong]);
            Failure::Told(Exit::Usage)
        })
    });
    let conditions = conditions.collect::<Result<Vec<Condition>, Failure>>()?;
    let (before, after) = sides(args)?;
    let read = |runs: Vec<Vec<PathBuf>>| {
        runs.iter().map(|run| load::profile(run, terminal)).collect::<Result<Vec<_>, Failure>>()
    };
    let (before, after) = (read(before)?, read(after)?);
    let unit = |set: &[Profile]| set.iter().map(|one| one.h_unit).max();
    let words = unit(&before) != unit(&after);
    let same = |set: Vec<Profile>| match words {
        true => set.into_iter().map(Profile::in_words).collect(),
        false => set,
    };
    let (before, after) = (same(before), same(after));
    let found = diff(&before, &after, args.confidence);
    let mut verdicts = Vec::new();
    for (condition, text) in conditions.iter().zip(&args.fail_if) {
        let verdict = condition.judge(&before, &after, args.confidence).map_err(|wrong| {
            terminal.diagnose(Text { name: "--fail-if", bytes: text.as_bytes() }, &[wrong]);
            Failure::Told(Exit::Usage)
        })?;
        verdicts.push(verdict);
    }
    warn(&found, terminal);
    let h_unit = before[0].h_unit;
    match args.json {
        true => terminal.json(&Answer {
            format: "cll-profile-diff",
            version: 1,
            h_unit,
            difference: &found,
            conditions: &verdicts,
        })?,
        false => terminal.print(text(&found, &verdicts, figure, h_unit, terminal))?,
    }
    Ok(if verdicts.iter().any(|verdict| verdict.met) { MET } else { 0 })
}

/// A figure by its name.
pub fn figure(option: &str, name: &str) -> Result<Figure, Failure> {
    Figure::named(name).ok_or_else(|| {
        let names = Figure::ALL.map(Figure::name);
        let failure = Failure::usage(format!("{option} {name} is nothing that is measured"));
        match nearest(name, names) {
            Some(near) => failure.help(format!("did you mean {near}?")),
            None => failure.help(format!("there are {}", names.join(", "))),
        }
    })
}

/// Runs, each by its logs.
type Runs = Vec<Vec<PathBuf>>;

/// The runs before, and those after.
fn sides(args: &ProfileDiffArgs) -> Result<(Runs, Runs), Failure> {
    if !args.with.is_empty() {
        return Ok((load::runs(&args.files)?, load::runs(&args.with)?));
    }
    if let [before, after] = &args.files[..] {
        let of = |path: &PathBuf| load::runs(std::slice::from_ref(path));
        return Ok((of(before)?, of(after)?));
    }
    let mut runs = load::runs(&args.files)?;
    match runs.len() {
        2 => {
            let after = runs.split_off(1);
            Ok((runs, after))
        }
        count => Err(Failure::usage(format!(
            "two runs are compared, and {count} {} given",
            if count == 1 { "is" } else { "are" }
        ))
        .help("several runs: cll profile diff BEFORE... --with AFTER...")),
    }
}

/// The JSON of `--json`: `docs/formats/profile.md`.
#[derive(Serialize)]
struct Answer<'a> {
    format: &'static str,
    version: u32,
    h_unit: u32,
    difference: &'a Difference,
    conditions: &'a [Verdict],
}

/// What should be known before the figures are used.
fn warn(found: &Difference, terminal: &Terminal) {
    let [p, q] = found.processors;
    if p != q {
        terminal.warn(&format!(
            "{p} processors before, {q} after: maxima and sums are of different machines"
        ));
    }
    if found.matched < UNLIKE {
        let [a, b] = &found.programs;
        terminal.warn(&format!(
            "these profiles have next to nothing in common ({} and {}): nearly all is listed as gone and new",
            print::name(a),
            print::name(b)
        ));
    }
}

fn text(
    found: &Difference,
    verdicts: &[Verdict],
    figure: Figure,
    h_unit: u32,
    terminal: &Terminal,
) -> String {
    let style = terminal.style();
    let notation = style.notation();
    let value = |of: f64| match figure {
        Figure::Time => notation.quantity(of, &Unit::Seconds),
        Figure::Maximum(metric) => print::value(notation, metric, of, h_unit),
    };
    let mut out = String::new();
    let [runs, others] = found.runs;
    let _ = writeln!(
        out,
        "{} before, {} after, by {} (maximum)",
        notation.count(runs, "run", "runs"),
        notation.count(others, "run", "runs"),
        figure.name()
    );
    let mut lines = Lines::new("call tree");
    for title in ["before", "after", "difference", "ratio"] {
        lines.column(title);
    }
    let spread = found.rows.iter().any(|row| row.of(figure).interval.is_some());
    if spread {
        lines.column("interval");
    }
    lines.column("");
    let mut lead = String::new();
    for (level, row) in found.ordered() {
        let change = row.of(figure);
        if Label::is_indented(level) {
            lead = "  ".repeat(level);
        }
        let label = Label::at(level, lead.clone(), print::name(&row.label));
        let mut cells = vec![
            value(change.before),
            value(change.after),
            signed(change.difference, &value),
            ratio(change),
        ];
        if spread {
            cells.push(match change.interval {
                Some((low, high)) => format!("{} to {}", signed(low, &value), signed(high, &value)),
                None => String::new(),
            });
        }
        cells.push(words(row, change));
        lines.row(label, cells);
    }
    out.push_str(&lines.render(&style, terminal.is_terminal()));
    let unmatched = |status| found.rows.iter().filter(|row| row.status == status).count();
    let (gone, new) = (unmatched(Status::Gone), unmatched(Status::New));
    if gone + new > 0 {
        let _ = writeln!(
            out,
            "\n{} only before (gone), {} only after (new); {} of the time is in places that both have",
            notation.count(gone, "node", "nodes"),
            notation.count(new, "node", "nodes"),
            notation.percent(found.matched)
        );
    }
    let h = Metric::HRelation.index();
    let root = &found.rows[0];
    let _ = writeln!(
        out,
        "\nthe whole: h-relation {} -> {}, balance {} -> {}, supersteps {} -> {}",
        print::value(notation, Metric::HRelation, root.metrics[h].before, h_unit),
        print::value(notation, Metric::HRelation, root.metrics[h].after, h_unit),
        notation.percent(root.balance[h].before),
        notation.percent(root.balance[h].after),
        notation.number(root.supersteps.before),
        notation.number(root.supersteps.after)
    );
    for verdict in verdicts {
        let what = if verdict.met { "is met" } else { "is not met" };
        let Change { before, after, .. } = verdict.change;
        let _ = writeln!(
            out,
            "--fail-if {} {what}: {} before, {} after",
            cll_report::escape(&verdict.condition),
            notation.number(before),
            notation.number(after)
        );
    }
    out
}

fn signed(of: f64, value: &dyn Fn(f64) -> String) -> String {
    if of > 0.0 { format!("+{}", value(of)) } else { value(of) }
}

fn ratio(change: &Change) -> String {
    let ratio = change.ratio();
    if ratio.is_finite() { format!("{ratio:.3}") } else { "-".to_owned() }
}

fn names(of: &[String]) -> String {
    of.iter().map(|one| print::name(one)).collect::<Vec<_>>().join(", ")
}

/// How a node was matched, and whether its change may be chance.
fn words(row: &Row, change: &Change) -> String {
    let mut words = match (row.status, &row.now) {
        (Status::Same, _) => String::new(),
        (Status::Moved, Some(now)) => format!("moved to {}", print::name(now)),
        (Status::Moved, None) => "moved".to_owned(),
        (Status::Renamed, Some(now)) => format!("renamed {}", print::name(now)),
        (Status::Renamed, None) => "renamed".to_owned(),
        (Status::Inlined, _) => "inlined".to_owned(),
        (Status::Split, _) if row.with.is_empty() => "split off".to_owned(),
        (Status::Split, _) if row.is_before() => format!("split into {}", names(&row.with)),
        (Status::Split, _) => format!("split off {}", names(&row.with)),
        (Status::Joined, _) if row.is_before() => format!("joined into {}", names(&row.with)),
        (Status::Joined, _) => format!("made of {}", names(&row.with)),
        (Status::Gone, _) => "gone".to_owned(),
        (Status::New, _) => "new".to_owned(),
    };
    if change.may_be_chance() && change.difference != 0.0 {
        words.push_str(if words.is_empty() { "may be chance" } else { ", may be chance" });
    }
    words
}
