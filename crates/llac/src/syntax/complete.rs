//! Whether more lines are wanted.

use super::lexer;
use super::parser;
use super::report::Report;

/// The need of a text: nothing, another line or a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Nothing: all of its statements are right.
    Complete,
    /// Another line.
    Incomplete,
    /// A change: another line would not help.
    Wrong,
}

/// Whether a text that is typed line by line needs another line. A last line that is empty ends it in any case.
pub fn is_complete(text: &str) -> Completeness {
    let mut report = Report::default();
    let lexed = lexer::lex(text, &mut report);
    parser::statements(text, &lexed.tokens, &mut report);
    let ends_empty = || {
        let mut lines = text.trim_end_matches([' ', '\t', '\r']).rsplit('\n');
        lines.next() == Some("") && lines.next().is_some_and(|line| line.trim().is_empty())
    };
    let is_open = report.is_short || lexed.goes_on;
    if report.is_wrong {
        Completeness::Wrong
    } else if !is_open {
        Completeness::Complete
    } else if ends_empty() && report.is_short {
        Completeness::Wrong
    } else if ends_empty() {
        Completeness::Complete
    } else {
        Completeness::Incomplete
    }
}
