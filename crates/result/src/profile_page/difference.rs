//! A comparison in columns.

use std::collections::HashMap;

use cll_profile::Metric;
use cll_profile::diff::{Change, DiffRow, Difference, Status};
use serde::Serialize;

use super::columns::Columns;
use super::strings::Strings;

#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    version: u32,
    rows: usize,
    matched: f64,
    programs: &'a [String; 2],
    processors: [u32; 2],
    /// Runs of each side; if both have several, changes have an interval.
    runs: [usize; 2],
    statuses: [&'static str; 8],
    with: Vec<With<'a>>,
    strings: Vec<String>,
}

/// Functions that a row was split into, joined with, or made of.
#[derive(Serialize)]
struct With<'a> {
    row: usize,
    names: &'a [String],
}

const STATUSES: [(Status, &str); 8] = [
    (Status::Same, "same"),
    (Status::Moved, "moved"),
    (Status::Renamed, "renamed"),
    (Status::Inlined, "inlined"),
    (Status::Split, "split"),
    (Status::Joined, "joined"),
    (Status::Gone, "gone"),
    (Status::New, "new"),
];

/// The columns of a comparison, in the order of the tree.
pub fn difference_columns(difference: &Difference) -> Vec<u8> {
    let ordered: Vec<&DiffRow> = difference.ordered().into_iter().map(|(_, row)| row).collect();
    let placed: HashMap<*const DiffRow, usize> =
        ordered.iter().enumerate().map(|(place, row)| (std::ptr::from_ref(*row), place)).collect();
    let places: Vec<usize> =
        difference.rows.iter().map(|row| placed[&std::ptr::from_ref(row)]).collect();
    let mut columns = Columns::default();
    let mut strings = Strings::default();
    columns.index("above", ordered.iter().map(|row| row.above.map(|above| places[above])));
    let labels: Vec<usize> = ordered.iter().map(|row| strings.number(&row.label)).collect();
    columns.u32("label", labels);
    let now: Vec<Option<usize>> =
        ordered.iter().map(|row| row.now.as_ref().map(|now| strings.number(now))).collect();
    columns.index("now", now);
    let status = |row: &&DiffRow| {
        STATUSES.iter().position(|(status, _)| *status == row.status).unwrap_or(0) as u8
    };
    columns.u8("status", ordered.iter().map(status));
    columns.index("before", ordered.iter().map(|row| row.nodes[0]));
    columns.index("after", ordered.iter().map(|row| row.nodes[1]));
    let has_intervals = difference.runs.iter().all(|runs| *runs > 1);
    let mut changes = |name: &str, of: &dyn Fn(&DiffRow) -> Change| {
        if has_intervals {
            columns.f64(format!("{name}.low"), ordered.iter().map(|row| of(row).ends().0));
            columns.f64(format!("{name}.high"), ordered.iter().map(|row| of(row).ends().1));
        }
        columns.f64(format!("{name}.before"), ordered.iter().map(|row| of(row).before));
        columns.f64(format!("{name}.after"), ordered.iter().map(|row| of(row).after));
    };
    changes("supersteps", &|row| row.supersteps);
    changes("time", &|row| row.time);
    for metric in Metric::ALL {
        let index = metric.index();
        changes(&format!("max{index}"), &|row| row.metrics[index]);
        changes(&format!("balance{index}"), &|row| row.balance[index]);
    }
    let with = ordered.iter().enumerate().filter(|(_, row)| !row.with.is_empty());
    let head = Head {
        format: "cll-profile-page-diff",
        version: 1,
        rows: ordered.len(),
        matched: difference.matched,
        programs: &difference.programs,
        processors: difference.processors,
        runs: difference.runs,
        statuses: STATUSES.map(|(_, name)| name),
        with: with.map(|(row, entry)| With { row, names: &entry.with }).collect(),
        strings: strings.list,
    };
    columns.finish(&head)
}
