//! Tables: a number is understood or its place is named.

use cll_import::{CsvOptions, Table, csv, extrap, text};

/// Reads `data` as a table in each format; panics if what was read cannot be fitted.
pub fn check(data: &[u8]) {
    let used = vec!["N".to_owned()];
    for options in [CsvOptions::default(), CsvOptions { used, ..CsvOptions::default() }] {
        if let Ok(table) = csv(data, &options) {
            is_whole(&table);
        }
    }
    let Ok(text) = text(data.to_vec()) else { return };
    for (_, table) in extrap(&text, None).unwrap_or_default() {
        is_whole(&table);
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
