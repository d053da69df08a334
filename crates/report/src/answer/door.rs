//! The last line: how much more there is to know, and which command prints it.

use cll_diagnostic::shell_file;

use super::AnswerOptions;
use super::lines::Lines;
use crate::Notation;
use crate::style::{Role, Style};

/// `3 notes more, all numbers`
pub(crate) fn beside_notes(notes: usize, notation: Notation) -> String {
    match notes {
        0 => "all numbers".to_owned(),
        count => format!("{} more, all numbers", notation.count(count, "note", "notes")),
    }
}

/// `3 notes more, all numbers: cll show matrix.cll   (or matrix.cll/matrix.html)`
pub(super) fn text(notes: usize, options: AnswerOptions<'_>, style: &Style) -> String {
    let notation = style.notation();
    let numbers = beside_notes(notes, notation);
    let mut text = match options.model {
        "" => format!("{numbers}: the same command with --details"),
        model => format!("{numbers}: cll show {}", notation.text(&shell_file(model))),
    };
    if !options.page.is_empty() {
        text.push_str(&format!("   (or {})", notation.text(options.page)));
    }
    let mut lines = Lines::new(style);
    if crate::text::columns(&text) + 2 <= style.columns() {
        // As it is: wrapping takes spaces together.
        lines.push(&format!("  {}\n", style.paint(Role::Faint, &text)));
    } else {
        lines.hanging(2, "", &text, Role::Faint);
    }
    lines.finish()
}
