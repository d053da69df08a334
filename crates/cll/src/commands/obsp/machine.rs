//! The machine that was asked for: a file, or a published one.

use std::fs;
use std::path::Path;

use cll_machine::{PUBLISHED, Published};

use crate::failure::{Failure, Status, unreadable};
use crate::names::suggestion;
use crate::terminal::{Terminal, Text};

/// A machine.
#[derive(Debug)]
pub struct Machine {
    /// What its file says.
    pub file: cll_machine::Machine,
}

/// Reads a machine's file, or takes a published one of this name.
pub fn load(asked: &str, terminal: &Terminal) -> Result<Machine, Failure> {
    let path = Path::new(asked);
    let asked = asked.to_owned();
    if !path.exists()
        && let Some(published) = Published::named(&asked)
    {
        return Ok(Machine { file: published.machine() });
    }
    let looks_like_a_name = path.extension().is_none() && path.components().count() == 1;
    if !path.exists() && looks_like_a_name {
        let known: Vec<&str> = PUBLISHED.iter().map(|one| one.name).collect();
        let there = suggestion(&asked, &known);
        return Err(Failure::input(format!(
            "there is no machine {asked}: neither a file nor published"
        ))
        .help(format!("of the published ones {there}")));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let read = cll_machine::read(&bytes);
    terminal.diagnose(Text { name: &asked, bytes: &bytes }, &read.diagnostics);
    match read.machine {
        Some(file) => {
            for reason in &file.origin.disturbed {
                terminal.warn(&format!("{asked} was measured on a disturbed machine: {reason}"));
            }
            Ok(Machine { file })
        }
        None => Err(Failure::Told(Status::Input)),
    }
}
