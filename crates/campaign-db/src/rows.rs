//! Copies rows of one database to another.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql, params_from_iter};

/// Columns of runs and attempts with the same meaning in any database.
const MEASURED: [&str; 11] = [
    "host",
    "binding",
    "started",
    "seconds",
    "exit",
    "signal",
    "bytes",
    "oversubscribed",
    "load",
    "clock",
    "message",
];

/// The number of an environment; a new one is added.
pub(super) fn environment(
    to: &Connection,
    description: Option<&str>,
) -> rusqlite::Result<Option<i64>> {
    let Some(text) = description else { return Ok(None) };
    to.execute("INSERT OR IGNORE INTO environment (description) VALUES (?1)", [text])?;
    let find = "SELECT id FROM environment WHERE description = ?1";
    to.query_row(find, [text], |row| row.get(0)).map(Some)
}

/// Inserts a row into a table: columns with new values, then the measured and other columns, as they are in the
/// row of another database.
pub(super) fn insert(
    to: &Connection,
    table: &str,
    own: &[(&str, &dyn ToSql)],
    from: &Row<'_>,
    others: &[&str],
) -> rusqlite::Result<()> {
    let copied: Vec<&str> = MEASURED.iter().chain(others).copied().collect();
    let values: rusqlite::Result<Vec<Value>> = copied.iter().map(|name| from.get(*name)).collect();
    let values = values?;
    let names: Vec<&str> = own.iter().map(|(name, _)| *name).chain(copied).collect();
    let places = vec!["?"; names.len()].join(", ");
    let text = format!("INSERT INTO {table} ({}) VALUES ({places})", names.join(", "));
    let all = own.iter().map(|(_, value)| *value).chain(values.iter().map(|v| v as &dyn ToSql));
    to.prepare_cached(&text)?.execute(params_from_iter(all))?;
    Ok(())
}
