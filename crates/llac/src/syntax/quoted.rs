//! Texts in quotes and names in backquotes.

use cll_diagnostic::{Diagnostic, escape};

use super::codes;
use super::report::Report;

/// The text whose quote stands at `start`: what it means, and where it ends. `None`: it is wrong, and reported.
pub(super) fn text(source: &str, start: usize, report: &mut Report) -> (Option<String>, usize) {
    let mut meaning = String::new();
    let mut good = true;
    let mut characters = source[start + 1..].char_indices();
    let place = |offset: usize| start + 1 + offset;
    while let Some((offset, c)) = characters.next() {
        match c {
            '"' => return (good.then_some(meaning), place(offset + 1)),
            '\n' => return (unclosed(start, place(offset), "text", "\"", report), place(offset)),
            '\\' => match characters.clone().next() {
                None | Some((_, '\n')) => {}
                Some((after, c)) => {
                    characters.next();
                    match c {
                        'n' => meaning.push('\n'),
                        't' => meaning.push('\t'),
                        '"' | '\\' => meaning.push(c),
                        _ => {
                            good = false;
                            let span = place(offset)..place(after) + c.len_utf8();
                            let shown = escape(&source[span.clone()]);
                            report.push(
                                Diagnostic::error(codes::QUOTE, span, format!("unknown `{shown}`"))
                                    .help("a text has `\\\"`, `\\\\`, `\\n` and `\\t`"),
                            );
                        }
                    }
                }
            },
            c => meaning.push(c),
        }
    }
    (unclosed(start, source.len(), "text", "\"", report), source.len())
}

/// The name whose backquote stands at `start`: whether it is one, and where it ends.
pub(super) fn name(source: &str, start: usize, report: &mut Report) -> (bool, usize) {
    let body = &source[start + 1..];
    let end = body.find(['`', '\n']).unwrap_or(body.len());
    let place = start + 1 + end;
    match body[end..].starts_with('`') {
        true if end > 0 => (true, place + 1),
        true => {
            report.push(
                Diagnostic::error(codes::QUOTE, start..place + 1, "a name is not empty")
                    .help("the name of a value or a variable stands between the backquotes"),
            );
            (false, place + 1)
        }
        false => (unclosed::<()>(start, place, "name", "`", report).is_some(), place),
    }
}

fn unclosed<T>(
    start: usize,
    end: usize,
    what: &str,
    quote: &str,
    report: &mut Report,
) -> Option<T> {
    report.push(
        Diagnostic::error(codes::QUOTE, start..end, format!("the {what} has no end on its line"))
            .help(format!("close it with {quote}")),
    );
    None
}
