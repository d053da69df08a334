//! Names that have control characters.
//!
//! A message may have several lines, so a newline in it is kept. One in a name of the command line is none of these:
//! it is shown as an escape. So is what else a terminal obeys, also in messages of the parser of the command line.

use std::borrow::Cow;
use std::ffi::OsStr;

use cll_diagnostic::escape;

/// The parts of the command line's names in which something has to be escaped, longest first, each with how it is shown.
#[derive(Clone, Debug, Default)]
pub struct EscapedNames(Vec<(String, String)>);

impl EscapedNames {
    /// Those of this process.
    pub fn of_command_line() -> EscapedNames {
        EscapedNames::in_words(std::env::args_os().skip(1))
    }

    /// Those in words: the parts of paths, and of `--option=path`.
    fn in_words(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> EscapedNames {
        let mut parts = Vec::new();
        for word in words {
            let word = word.as_ref().to_string_lossy();
            let is_obeyed = |part: &&str| escape(part) != **part;
            parts.extend(word.split(['/', '=']).filter(is_obeyed).map(str::to_owned));
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts.dedup();
        EscapedNames(parts.into_iter().map(|part| (part.clone(), escape(&part))).collect())
    }

    /// Whether all names can be shown as they are.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with these names on one line each.
    pub fn on_one_line<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let start = Cow::Borrowed(text);
        self.0.iter().fold(start, |text, (name, shown)| {
            if text.contains(name.as_str()) {
                Cow::Owned(text.replace(name.as_str(), shown))
            } else {
                text
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_of_a_name_is_escaped_and_that_of_a_message_kept() {
        let names =
            EscapedNames::in_words(["fit", "of/a\nb.dat", "--out=c\td", "plain", "\u{1b}[2J"]);
        assert_eq!(
            names.on_one_line("cannot read of/a\nb.dat:\nline 2 of c\td, of x/a\nb.dat"),
            "cannot read of/a\\nb.dat:\nline 2 of c\\td, of x/a\\nb.dat"
        );
        assert_eq!(names.on_one_line("unexpected '\u{1b}[2J'"), "unexpected '\\u{1b}[2J'");
        assert!(EscapedNames::in_words(["fit", "of/a.dat"]).is_empty());
    }
}
