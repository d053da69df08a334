//! The words that may continue a line that is being typed.

use crate::help;
use crate::syntax::{ClauseWord, Context, Keyword, Verb, context, name_text};

/// The names that a session has.
#[derive(Clone, Debug, Default)]
pub struct SessionNames {
    /// Names of values, and what may stand after a dot.
    pub values: Vec<(String, Vec<String>)>,
    /// Functions.
    pub functions: Vec<String>,
}

/// How a line may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// By one of these, in the order of the alphabet, in place of the text from `start` on.
    Words {
        /// Where the word begins that is being typed.
        start: usize,
        /// Words that begin so.
        words: Vec<String>,
    },
    /// By the name of a file, from `start` on.
    File {
        /// Where the name begins.
        start: usize,
    },
    /// By a word of a command of the program, from `start` on.
    Command {
        /// The words of the command before it.
        before: Vec<String>,
        /// Where the word begins.
        start: usize,
    },
}

/// How the text may go on, if its end is where one types.
pub fn completion(before: &str, names: &SessionNames) -> Completion {
    let (context, start) = context(before);
    let typed = &before[start..];
    let words: Vec<String> = match context {
        Context::File => return Completion::File { start },
        Context::Command(before) => return Completion::Command { before, start },
        Context::Member(Some(name)) => {
            let entry = names.values.iter().find(|(known, _)| *known == name);
            entry.map_or_else(Vec::new, |(_, members)| {
                members.iter().map(|text| member(text)).collect()
            })
        }
        Context::Member(None) | Context::Nothing => Vec::new(),
        Context::Value { verbs } => values(before, names, verbs),
        Context::Name => names.values.iter().map(|(name, _)| quoted(name, typed)).collect(),
        Context::After(verb) => following(verb),
        Context::Option(verb) => {
            help::of_verb(verb).options.iter().map(|option| option.name.to_owned()).collect()
        }
        Context::OptionValue(verb, option) => option_values(verb, &option),
        Context::Word(verb) => {
            help::of_verb(verb).words.iter().map(|&word| word.to_owned()).collect()
        }
        Context::Help => help::words().map(str::to_owned).collect(),
    };
    let mut words: Vec<String> = words.into_iter().filter(|word| word.starts_with(typed)).collect();
    words.sort();
    words.dedup();
    Completion::Words { start, words }
}

/// A name after a dot, where words of the language need no backquotes.
fn member(name: &str) -> String {
    if crate::syntax::is_reserved(name) { name.to_owned() } else { name_text(name) }
}

/// A name, in backquotes if one was typed.
fn quoted(name: &str, typed: &str) -> String {
    if typed.starts_with('`') {
        format!("`{}`", name_text(name).trim_matches('`'))
    } else {
        name_text(name)
    }
}

fn values(before: &str, names: &SessionNames, verbs: bool) -> Vec<String> {
    let mut words = Vec::new();
    if verbs {
        words.extend(Verb::ALL.map(Verb::word).map(str::to_owned));
        words.push(Keyword::If.word().to_owned());
    }
    words.extend(
        [Keyword::Not, Keyword::True, Keyword::False].map(|keyword| keyword.word().to_owned()),
    );
    words.extend(names.values.iter().map(|(name, _)| name_text(name)));
    words.extend(names.functions.iter().cloned());
    // Columns of what is named in the statement.
    let mentioned = |name: &str| {
        before.match_indices(name).any(|(index, _)| {
            let ends = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            ends(before[..index].chars().next_back())
                && ends(before[index + name.len()..].chars().next())
        })
    };
    let columns = names.values.iter().filter(|(name, _)| mentioned(name));
    words.extend(columns.flat_map(|(_, members)| members.iter().map(|member| name_text(member))));
    words
}

/// Lists the words that may follow a value.
fn following(verb: Option<Verb>) -> Vec<String> {
    use Keyword::{And, Else, In, Mod, Or, Set, Then, Where};
    let mut words: Vec<String> =
        [And, Else, In, Mod, Or, Set, Then, Where].map(|keyword| keyword.word().to_owned()).into();
    let clauses = verb.map_or(&[][..], |verb| help::of_verb(verb).clauses);
    words.extend(clauses.iter().map(|(clause, _)| ClauseWord::word(*clause).to_owned()));
    words
}

/// The words that the help names as values of an option.
fn option_values(verb: Verb, option: &str) -> Vec<String> {
    let options = help::of_verb(verb).options;
    let values = options.iter().find(|known| known.name == option).map_or("", |known| known.values);
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    values.split(" | ").filter(is_word).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> SessionNames {
        let members = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect();
        SessionNames {
            values: vec![
                ("fft".to_owned(), members(&["N", "P", "time", "at", "a b"])),
                ("fit".to_owned(), members(&["N"])),
                ("m".to_owned(), members(&["fft"])),
            ],
            functions: vec!["log".to_owned(), "log2".to_owned()],
        }
    }

    #[track_caller]
    fn words(before: &str) -> Vec<String> {
        match completion(before, &names()) {
            Completion::Words { start, words } => {
                assert!(words.iter().all(|word| word.starts_with(&before[start..])), "{words:?}");
                words
            }
            other => panic!("{before:?}: {other:?}"),
        }
    }

    #[test]
    fn words_names_members_and_options_are_completed() {
        for (before, expected) in [
            ("pl", &["plan", "plot"][..]),
            ("x = pre", &["predict"]),
            ("x = (pre", &["predict"]),
            ("1; pre", &["predict"]),
            ("x = 1 + pre", &[]),
            ("phi(N) = if N == 1 then pre", &["predict"]),
            ("show ff", &["fft"]),
            ("show lo", &["log", "log2"]),
            ("fft.", &["N", "P", "`a b`", "at", "time"]),
            ("fft.t", &["time"]),
            ("m.fft.", &[]),
            ("fft where t", &["time", "true"]),
            ("fft wh", &["where"]),
            ("plot fft b", &["by"]),
            ("plot fft by N f", &["for"]),
            ("fit fft with in", &["intervals"]),
            ("fit fft with no_join, w", &["weights", "working_set"]),
            ("fit fft with weights = ", &["absolute", "relative"]),
            ("fit fft with weights = a", &["absolute"]),
            ("print fft as ", &["csv", "json", "text"]),
            ("group fft by P to m", &["max", "mean", "median", "min"]),
            ("help wh", &["where"]),
            ("help fit, wh", &["where"]),
            ("forget m", &["m"]),
            ("show `f", &["`fft`", "`fit`"]),
            ("x = fit", &["fit"]),
            ("# pl", &[]),
            ("5 @ pl", &[]),
            ("x = \"a\" a", &["and"]),
        ] {
            assert_eq!(words(before), expected, "{before:?}");
        }
        assert!(words("").len() > 25);
    }

    #[test]
    fn files_and_commands_are_completed_elsewhere() {
        let completion_of = |before: &str| completion(before, &names());
        assert_eq!(completion_of("open \"a/b"), Completion::File { start: 6 });
        assert_eq!(completion_of("open \"a\", \""), Completion::File { start: 11 });
        let command = |before: &[&str], start| Completion::Command {
            before: before.iter().map(|&word| word.to_owned()).collect(),
            start,
        };
        assert_eq!(completion_of("cll "), command(&[], 4));
        assert_eq!(completion_of("cll pro"), command(&[], 4));
        assert_eq!(completion_of("cll fit a"), command(&["fit"], 8));
        assert_eq!(completion_of("cll fit a "), command(&["fit", "a"], 10));
        assert_eq!(completion_of("x = 1\ncll fit 'a b' c"), command(&["fit", "a b"], 20));
    }
}
