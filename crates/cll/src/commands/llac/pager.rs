//! Shows what is longer than the terminal.

use std::env::var_os;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::files;
use crate::terminal::Terminal;

/// Prints the text; through a pager if it does not fit.
pub fn show(text: &str, terminal: &mut Terminal) -> Result<(), Failure> {
    let size = terminal_size::terminal_size();
    let is_plain = var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let fits = size.is_none_or(|(columns, lines)| {
        // The prompt follows.
        rows(text, columns.0.into()) < usize::from(lines.0)
    });
    let Some(mut pager) = (!is_plain && !fits).then(pager).flatten() else {
        return terminal.print(text);
    };
    terminal.flush()?;
    match pager.stdin(Stdio::piped()).spawn() {
        Ok(mut child) => {
            if let Some(mut input) = child.stdin.take() {
                // The user may end it before the end of the text.
                let _ = input.write_all(text.as_bytes());
            }
            let _ = child.wait();
            Ok(())
        }
        Err(_) => terminal.print(text),
    }
}

/// The user's pager, or the usual one.
fn pager() -> Option<Command> {
    match var_os("PAGER") {
        Some(line) if line.is_empty() || line == "cat" => None,
        Some(line) => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(line);
            Some(command)
        }
        None => {
            let mut command = Command::new(files::in_path("less")?);
            command.arg("-FRX");
            Some(command)
        }
    }
}

/// Rows of a terminal that the text takes.
fn rows(text: &str, columns: usize) -> usize {
    let rows_of = |line: &str| visible(line).div_ceil(columns.max(1)).max(1);
    text.lines().map(rows_of).sum()
}

/// Characters of a line without the sequences that set colours.
fn visible(line: &str) -> usize {
    let mut count = 0;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            '\u{1b}' => drop(characters.by_ref().find(char::is_ascii_alphabetic)),
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_terminal() {
        assert_eq!(rows("a\nb\n\nc\n", 80), 4);
        assert_eq!(rows(&"x".repeat(81), 80), 2);
        assert_eq!(rows("\u{1b}[31mred\u{1b}[0m", 3), 1);
        assert_eq!(rows("äöü", 3), 1);
    }
}
