//! Logs of two programs: both times, speed-ups and their quotient on each number of processors, as measured and on machines.

use cll_analysis::obsp::{ObspOptions, Set, sets};
use cll_machine::Machine;
use cll_model::Rule;
use cll_report::gains_text;
use cll_result::{GainPoint, GainTable, Gains};

use super::runs::refuse;
use crate::cli::ObspArgs;
use crate::commands::curves::notices;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Compares the runs of the one program with those of the other.
pub fn run(
    args: &ObspArgs,
    options: &ObspOptions,
    machines: &[Machine],
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    refuse(args.curves.curves.as_deref().unwrap_or_default(), args)?;
    if args.curves.svg.is_some() {
        return Err(Failure::usage("--svg is for the curves of one program, or of formulas"));
    }
    let mut tables: Vec<GainTable> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut names = (String::new(), String::new());
    for machine in machines {
        let mut single_set = |files| -> Result<Set, Failure> {
            let (mut sets, warnings) = sets(files, options, machine, terminal)?;
            let new = warnings.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>();
            notes.extend(new);
            match sets.len() {
                1 => Ok(sets.remove(0)),
                _ => {
                    let words: Vec<&str> = sets.iter().map(|set| set.words.as_str()).collect();
                    Err(Failure::usage(format!("these are {}", words.join(", "))).help(
                        "one program with one set of arguments is compared with one other; give the logs of one set",
                    ))
                }
            }
        };
        let (first, second) = (single_set(&args.files)?, single_set(&args.curves.against)?);
        let both: Vec<u32> =
            first.processors().filter(|count| second.times(*count).is_some()).collect();
        if both.is_empty() {
            return Err(Failure::fit("no number of processors has runs of both programs"));
        }
        let alone = first.processors().chain(second.processors()).filter(|p| !both.contains(p));
        let mut alone: Vec<u32> = alone.collect();
        alone.sort_unstable();
        if !alone.is_empty() {
            let list = alone.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            let text = format!("only one of both programs has runs on {list} processors");
            if !notes.contains(&text) {
                notes.insert(0, text);
            }
        }
        let pair = [&first, &second];
        if tables.is_empty() {
            let kind = if first.kind() == second.kind() { first.kind() } else { "mixed" };
            let ones = pair.map(|set| set.times(1).map(GainPoint::median));
            let point = |&count: &u32| {
                let runs = pair.map(|set| set.times(count).unwrap_or_default());
                GainPoint::measured(count, runs, ones, args.confidence)
            };
            let points = both.iter().map(point).collect();
            tables.push(GainTable { kind, machine: None, points });
            names = (first.words.clone(), second.words.clone());
        }
        let ones = pair.map(|set| set.predicted(1).map(|time| time.value));
        let point = |&count: &u32| {
            let [Some(a), Some(b)] = pair.map(|set| set.predicted(count)) else { return None };
            Some(GainPoint::predicted(count, [a, b], ones))
        };
        let points = both.iter().filter_map(point).collect();
        let machine = Some(machine.name.clone());
        tables.push(GainTable { kind: Rule::ObspStar.name(), machine, points });
    }
    let gains = Gains::new(names.0, names.1, tables, notes);
    if args.json {
        terminal.json(&gains)?
    } else {
        let style = terminal.style();
        terminal.print(gains_text(&gains, &style))?;
        notices(&gains.notes, terminal)?;
    }
    Ok(0)
}
