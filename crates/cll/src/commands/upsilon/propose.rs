//! `cll upsilon propose`: the sets of a source.

use cll_report::upsilon_text;
use cll_upsilon::{Disagreement, Sets, confirm, keep_hand, write};

use super::SourceSets;
use super::count;
use super::file::{Source, Text, beside};
use super::json::UpsilonJson;
use crate::cli::UpsilonProposeArgs;
use crate::failure::Failure;
use crate::files;
use crate::terminal::Terminal;
use cll_analysis::{Messages, select};

/// Proposes, confirms by counts if that is asked for, and writes the file.
pub fn run(args: &UpsilonProposeArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let mut source = Source::read(&args.file, &args.compiler, terminal as &dyn Messages)?;
    source.wanted = select(source.wanted, &args.experiment, |wanted| &wanted.name)?;
    let mut sets = source.proposed();
    let mut disagreements = Vec::new();
    if args.counts {
        disagreements = counted(args, &source, &mut sets, terminal)?;
    }
    let out = args.out.clone().unwrap_or_else(|| beside(&args.file));
    let target = if args.dry_run {
        None
    } else {
        Some(files::Output::apart_from(&out, std::slice::from_ref(&args.file))?)
    };
    let mut kept = 0;
    if out.exists() {
        let text = Text::read(&out)?;
        text.diagnose(terminal as &dyn Messages, &text.read.diagnostics);
        if text.read.sets.is_none() && !args.discard && !args.dry_run {
            return Err(Failure::input(format!("{} is there and cannot be read", out.display()))
                .help("correct it, or replace it by --discard"));
        }
        match earlier(&text, &args.file, args)? {
            Some(before) => {
                if !args.discard {
                    kept = keep_hand(&mut sets, &before);
                }
                let others = before.experiments.into_iter();
                let others: Vec<_> = others
                    .filter(|experiment| sets.experiment(&experiment.name).is_none())
                    .collect();
                sets.experiments.extend(others.into_iter().filter(|_| !args.experiment.is_empty()));
            }
            None if has_hand(&text) && !args.discard && !args.dry_run => {
                return Err(Failure::input(format!(
                    "{} has corrections by hand for another version of {}, and not all of their statements are there",
                    out.display(),
                    args.file.display()
                ))
                .help(format!("see what has changed: cll upsilon check {}", out.display()))
                .help("--discard drops them, --out writes another file"));
            }
            None => {}
        }
    }
    if let Some(target) = target {
        target.write(write(&sets).as_bytes())?;
    }
    let file = (!args.dry_run).then(|| out.clone());
    let upsilon = SourceSets { source: args.file.clone(), file, sets, moved: Vec::new() };
    if args.json {
        terminal.json(&UpsilonJson::with_counts(&upsilon, &[], &disagreements))?
    } else {
        terminal.print(upsilon_text(&upsilon.sets, &[], &terminal.style()))?
    }
    if kept > 0 {
        terminal.note(&match kept {
            1 => "1 correction by hand was kept; --discard drops it".to_owned(),
            _ => format!("{kept} corrections by hand were kept; --discard drops them"),
        });
    }
    if !args.dry_run && !args.json {
        terminal.note(&format!("{} is written; correct it there", out.display()));
    }
    Ok(0)
}

/// The sets of the file that is there, if they are for this source. All experiments of the source are compared.
fn earlier(
    text: &Text,
    path: &std::path::Path,
    args: &UpsilonProposeArgs,
) -> Result<Option<Sets>, Failure> {
    let all = Source::read(path, &args.compiler, &Silent)?;
    Ok(text.anchored(&all).sets)
}

fn has_hand(text: &Text) -> bool {
    let experiments = text.read.sets.iter().flat_map(|sets| &sets.experiments);
    let mut statements = experiments.flat_map(|experiment| &experiment.statements);
    statements.any(|statement| statement.by == cll_upsilon::By::Hand)
}

/// Counts, and corrects the sets. Prints what differs.
fn counted(
    args: &UpsilonProposeArgs,
    source: &Source,
    sets: &mut Sets,
    terminal: &mut Terminal,
) -> Result<Vec<(String, Vec<Disagreement>)>, Failure> {
    let counter = count::Counter::build(args, source, terminal as &dyn Messages)?;
    let mut all = Vec::new();
    for wanted in &source.wanted {
        let name = wanted.name.as_str();
        let Some(experiment) =
            sets.experiments.iter_mut().find(|experiment| experiment.name == name)
        else {
            continue;
        };
        let passages = counter.passages(wanted)?;
        let checked = match confirm(experiment, &wanted.formula, &passages) {
            Ok(checked) => checked,
            Err(why) => {
                terminal.warn(&format!("{name}: not compared with counts: {why}"));
                continue;
            }
        };
        let file = source.unit.name();
        for disagreement in &checked.disagreements {
            terminal.warn(&format!(
                "{file}:{}: nesting says {}, counts say {}: the counts are taken",
                disagreement.line,
                disagreement.nesting.join(", "),
                disagreement.counts.join(", ")
            ));
        }
        if !checked.unclear.is_empty() {
            let lines: Vec<String> = checked.unclear.iter().map(usize::to_string).collect();
            terminal.warn(&format!(
                "{file}: {name}: counts of {} follow no term of the formula: line {}",
                if lines.len() == 1 { "a line" } else { "some lines" },
                lines.join(", ")
            ));
        }
        if !args.json {
            terminal.note(&format!(
                "{name}: {} counted; lines confirmed: {}, corrected: {}, unclear: {}",
                cll_diagnostic::counted(passages.len(), "passage", "passages"),
                checked.confirmed,
                checked.disagreements.len(),
                checked.unclear.len()
            ));
        }
        all.push((name.to_owned(), checked.disagreements));
    }
    Ok(all)
}

/// Says nothing.
struct Silent;

impl cll_files::Notices for Silent {
    fn note(&self, _: &str) {}
    fn warn(&self, _: &str) {}
}

impl Messages for Silent {
    fn diagnose(&self, _: &str, _: &[u8], _: &[cll_diagnostic::Diagnostic]) {}
}
