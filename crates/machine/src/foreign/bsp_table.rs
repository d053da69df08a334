//! Tables of (s, g, l): those of the Oxford BSP Toolset, and the last line of `bspbench` of BSPedupack.

use cll_diagnostic::Diagnostic;

use super::rows::{Word, lines, number, words};
use crate::communication::Classic;
use crate::uncertain::Uncertain;

/// Bytes of the words in which the literature counts, and of those in which `bspbench` counts.
const WORD: f64 = 4.0;
const DOUBLE: f64 = 8.0;

/// A column, and the factor to operations per second, operations, seconds, seconds per byte.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TableColumn {
    Processors,
    Rate(f64),
    /// g in operations per word.
    G,
    /// g in seconds per byte.
    GTime(f64),
    /// l in operations.
    L,
    LTime(f64),
    /// `n1/2` and what else is not needed.
    Other,
}

/// The columns that a line names; `None` if it is no head of such a table.
fn columns(line: &str) -> Option<Vec<TableColumn>> {
    let line = line.trim_start_matches(['#', '%', ' ', '\t']).to_lowercase();
    // `l (us)` is one column.
    let joined = line.replace(" (", "(");
    let all: Vec<TableColumn> = joined
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|'))
        .filter(|word| !word.is_empty())
        .map(column)
        .collect();
    let has = |is: fn(&TableColumn) -> bool| all.iter().any(is);
    let complete = has(|column| *column == TableColumn::Processors)
        && has(|column| matches!(column, TableColumn::G | TableColumn::GTime(_)))
        && has(|column| matches!(column, TableColumn::L | TableColumn::LTime(_)));
    complete.then_some(all)
}

fn column(word: &str) -> TableColumn {
    let (name, unit) = word.split_once('(').unwrap_or((word, ""));
    let unit = unit.trim_end_matches(')').replace(['μ', 'µ'], "u");
    let time = [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)];
    let time =
        |unit: &str| time.into_iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    match name {
        "p" | "processors" | "procs" | "nprocs" => TableColumn::Processors,
        "s" | "r" => TableColumn::Rate(match unit.as_str() {
            "flops" | "flop/s" | "op/s" => 1.0,
            "gflops" | "gflop/s" | "gop/s" => 1e9,
            _ => 1e6,
        }),
        "g" => match unit.split_once('/') {
            Some((numerator, "word")) if time(numerator).is_some() => {
                TableColumn::GTime(time(numerator).unwrap_or(1.0) / WORD)
            }
            Some((numerator, "b" | "byte")) if time(numerator).is_some() => {
                TableColumn::GTime(time(numerator).unwrap_or(1.0))
            }
            _ => TableColumn::G,
        },
        "l" => time(&unit).map_or(TableColumn::L, TableColumn::LTime),
        _ => TableColumn::Other,
    }
}

/// Whether a text has such a table.
pub(super) fn is_table(text: &str) -> bool {
    text.lines().any(|line| columns(line).is_some() || is_bench(line))
}

/// `p= 4, r= 1234.5 Mflop/s, g= 3.1, l= 1020.3`
fn is_bench(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["p=", _, "r=", _, "Mflop/s,", "g=", _, "l=", _])
}

/// Reads the rows of a table; the bottom line of `bspbench` is a row, too.
pub(super) fn read(text: &str, messages: &mut Vec<Diagnostic>) -> Vec<Classic> {
    let mut classics = Vec::new();
    let mut known: Option<Vec<TableColumn>> = None;
    for (line, place) in lines(text) {
        if is_bench(line) {
            let fields = words(line, place.start);
            let numbers: Vec<Word<'_>> = [1, 3, 6, 8].map(|index| fields[index].clone()).into();
            let columns =
                [TableColumn::Processors, TableColumn::Rate(1e6), TableColumn::G, TableColumn::L];
            classics.extend(row(&numbers, &columns, DOUBLE, messages));
            continue;
        }
        if let Some(columns) = columns(line) {
            known = Some(columns);
            continue;
        }
        let Some(columns) = &known else { continue };
        let fields = words(line, place.start);
        if fields.is_empty() || line.trim_start().starts_with(['#', '%']) {
            continue;
        }
        if fields.len() != columns.len() {
            let text = format!("{} values in place of {}", fields.len(), columns.len());
            messages.push(Diagnostic::error("M022", place, text).help(
                "each row has a value for each column of the head, `-` where it is not known",
            ));
            continue;
        }
        classics.extend(row(&fields, columns, WORD, messages));
    }
    classics
}

fn row(
    fields: &[Word<'_>],
    columns: &[TableColumn],
    word: f64,
    messages: &mut Vec<Diagnostic>,
) -> Option<Classic> {
    let mut values: Vec<(TableColumn, f64, &Word<'_>)> = Vec::new();
    let before = messages.len();
    for (word, column) in fields.iter().zip(columns) {
        if *column != TableColumn::Other && word.text != "-" {
            values.extend(number(word, messages).map(|value| (*column, value, word)));
        }
    }
    if messages.len() > before {
        return None;
    }
    let find = |is: fn(&TableColumn) -> bool| values.iter().find(|(column, ..)| is(column));
    let line = fields[0].place.start..fields[fields.len() - 1].place.end;
    let mut wrong = |place, text: &str| {
        messages.push(Diagnostic::error("M022", place, text));
        None
    };
    let Some((_, processors, count_word)) = find(|column| *column == TableColumn::Processors)
    else {
        return wrong(line, "the row has no number of processors");
    };
    if *processors < 1.0 || processors.fract() != 0.0 || *processors > f64::from(u32::MAX) {
        return wrong(count_word.place.clone(), "this is no number of processors");
    }
    let rate = values.iter().find_map(|(column, value, _)| match column {
        TableColumn::Rate(factor) => {
            Some(value * factor).filter(|rate| rate.is_finite() && *rate > 0.0)
        }
        _ => None,
    });
    // What is in seconds needs no s.
    let g = values.iter().find_map(|(column, value, _)| match column {
        TableColumn::GTime(factor) => Some(value * factor),
        _ => None,
    });
    let l = values.iter().find_map(|(column, value, _)| match column {
        TableColumn::LTime(factor) => Some(value * factor),
        _ => None,
    });
    let in_operations = |is: fn(&TableColumn) -> bool, per: f64| Some(find(is)?.1 / per / rate?);
    let g = g.or_else(|| in_operations(|column| *column == TableColumn::G, word));
    let l = l.or_else(|| in_operations(|column| *column == TableColumn::L, 1.0));
    let (Some(g), Some(l)) = (g, l) else {
        return wrong(
            line,
            "g or l is in operations, and the row has no s; or one of them is missing",
        );
    };
    Some(Classic {
        engine: None,
        processors: *processors as u32,
        oversubscribed: false,
        rate: rate.map(Uncertain::exact),
        g: Uncertain::exact(g),
        l: Uncertain::exact(l),
        calls: None,
    })
}
