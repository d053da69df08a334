//! Lines of numbers.

use std::ops::Range;

use cll_diagnostic::Diagnostic;

/// A word of a line, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub place: Range<usize>,
}

/// The lines of a text with their places.
pub(super) fn lines(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut offset = 0;
    let mut all = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        all.push((bare, offset..offset + bare.len()));
        offset += line.len();
    }
    all
}

/// The words of a line, separated by white space, commas or semicolons.
pub(super) fn words(line: &str, begin: usize) -> Vec<Word<'_>> {
    let mut all = Vec::new();
    let mut from = None;
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
    for (offset, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (from, is_end(c)) {
            (None, false) => from = Some(offset),
            (Some(start), true) => {
                all.push(Word { text: &line[start..offset], place: begin + start..begin + offset });
                from = None;
            }
            _ => {}
        }
    }
    all
}

/// A number from zero upwards.
pub(super) fn number(word: &Word<'_>, messages: &mut Vec<Diagnostic>) -> Option<f64> {
    let wrong = match word.text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => return Some(value),
        Ok(value) if value < 0.0 => format!("{value} is negative"),
        Ok(_) => format!("{} is not finite", word.text),
        Err(_) => format!("{:?} is not a number", word.text),
    };
    let wrong = Diagnostic::error("M021", word.place.clone(), wrong);
    messages.push(wrong.help("times, sizes and rates are numbers from zero upwards, such as 1.25"));
    None
}

/// Whether all words are numbers.
pub(super) fn are_numbers(words: &[Word<'_>]) -> bool {
    !words.is_empty() && words.iter().all(|word| word.text.parse::<f64>().is_ok())
}
