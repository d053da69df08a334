//! Data of other programs: a number is understood or its place is named.

use cll_import::{File, ImportOptions, Table, csv, format_names, is_table, read, text};

/// Reads `data` as a table and in each format; panics if what was read cannot be fitted.
pub fn check(data: &[u8]) {
    let used = vec!["N".to_owned()];
    for options in [ImportOptions::default(), ImportOptions { used, ..ImportOptions::default() }] {
        for (_, table) in csv(data, &options).unwrap_or_default() {
            is_whole(&table);
        }
    }
    let Ok(text) = text(data.to_vec()) else { return };
    is_table(&text, None);
    let files = [File { name: "a".into(), text }];
    let of_table = Some("csv");
    let formats = format_names().into_iter().map(Some).chain([None]);
    for format in formats.filter(|format| *format != of_table) {
        let format = format.map(str::to_owned);
        match read(&files, &ImportOptions { format, ..ImportOptions::default() }) {
            Ok(tables) => tables.iter().for_each(|(_, table)| is_whole(table)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn is_whole(table: &Table) {
    assert!(table.rows() > 0);
    for group in &table.groups {
        assert_eq!(group.values.len(), table.variables.len());
        assert!(group.values.iter().all(|value| value.is_finite()));
        assert!(group.results.iter().all(|result| !result.is_nan()));
    }
}
