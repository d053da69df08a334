//! `cll schema`: the JSON Schemas of what commands print.

mod roots;

use cll_diagnostic::suggestion;

use crate::cli::SchemaArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

use roots::{ROOTS, Root};

/// Lists the schemas, or prints the one with this name.
pub fn run(args: &SchemaArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.name {
        None => terminal.print(list())?,
        Some(name) => terminal.json(&find(name)?.schema())?,
    }
    Ok(0)
}

fn find(name: &str) -> Result<&'static Root, Failure> {
    ROOTS.iter().find(|root| root.name == name).ok_or_else(|| {
        let names: Vec<&str> = ROOTS.iter().map(|root| root.name).collect();
        Failure::usage(format!("there is no schema {name}"))
            .help(suggestion(name, &names))
            .help("`cll schema` lists all")
    })
}

/// The schemas in a line each: the name, the format with its version, what prints it.
fn list() -> String {
    let rows = || ROOTS.iter().map(|root| (root.name, root.title(), root.printed_by()));
    let names = rows().map(|row| row.0.len()).max().unwrap_or(0);
    let titles = rows().map(|row| row.1.len()).max().unwrap_or(0);
    rows()
        .map(|(name, title, commands)| format!("{name:names$}  {title:titles$}  {commands}\n"))
        .collect()
}
