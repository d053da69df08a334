//! The words of a command line of the program, as a shell splits them.

use cll_diagnostic::Diagnostic;

use super::codes;
use super::report::Report;

/// The characters that a shell would interpret, and the reason why they mean nothing here.
const SHELL: [(char, &str); 6] = [
    ('|', "there are no pipes here"),
    ('>', "there is no redirection here"),
    ('<', "there is no redirection here"),
    (';', "a command ends with its line"),
    ('&', "a command ends with its line"),
    ('`', "there is no substitution here"),
];

/// The words of a command.
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether the text ends with `\`, so that the command goes on.
    pub(super) goes_on: bool,
}

/// The words from `start` to the end of the line. Quotes and `\` are as in a shell; `$`, `*`, `?`
/// and braces have no meaning. A word that begins with `#` begins a comment.
pub(super) fn words(source: &str, start: usize, report: &mut Report) -> Command {
    let mut goes_on = false;
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut offset = start;
    while let Some(c) = source[offset..].chars().next() {
        let next = offset + c.len_utf8();
        match c {
            '\n' => break,
            '#' if word.is_none() => break,
            '\\' => match source[next..].chars().next() {
                None => (offset, goes_on) = (next, true),
                Some('\n') => {
                    offset = next + 1;
                    goes_on = offset == source.len();
                }
                Some(escaped) => {
                    word.get_or_insert_default().push(escaped);
                    offset = next + escaped.len_utf8();
                }
            },
            '\'' | '"' => {
                let text = word.get_or_insert_default();
                match quoted(source, next, c, text) {
                    Ok(end) => offset = end,
                    Err(end) => {
                        report.push(
                            Diagnostic::error(
                                codes::COMMAND,
                                offset..end,
                                "the quoted word has no end on its line",
                            )
                            .help(format!("close it with {c}")),
                        );
                        offset = end;
                    }
                }
            }
            c if c.is_whitespace() => {
                words.extend(word.take());
                offset = next;
            }
            c => {
                if let Some((_, help)) = SHELL.into_iter().find(|(shell, _)| *shell == c) {
                    report.push(
                        Diagnostic::error(
                            codes::COMMAND,
                            offset..next,
                            format!("`{c}` is for a shell, which does not read this line"),
                        )
                        .help(format!("{help}; if it belongs to a word, put it in quotes")),
                    );
                }
                word.get_or_insert_default().push(c);
                offset = next;
            }
        }
    }
    words.extend(word);
    Command { words, end: start + source[start..offset].trim_end().len(), goes_on }
}

/// Reads to behind the closing quote; or to the end of the line, if there is none.
fn quoted(source: &str, start: usize, quote: char, text: &mut String) -> Result<usize, usize> {
    let mut characters = source[start..].char_indices();
    while let Some((offset, c)) = characters.next() {
        match c {
            '\n' => return Err(start + offset),
            c if c == quote => return Ok(start + offset + 1),
            '\\' if quote == '"' => match characters.next() {
                Some((_, escaped @ ('"' | '\\' | '$' | '`'))) => text.push(escaped),
                Some((offset, '\n')) => return Err(start + offset),
                Some((_, other)) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    Err(source.len())
}
