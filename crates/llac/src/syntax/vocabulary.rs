//! How the words are written, and which texts are names.

use super::words::{ClauseWord, Verb};

impl Verb {
    /// All verbs, in the order in which help lists them.
    pub const ALL: [Verb; 27] = [
        Verb::Show,
        Verb::Open,
        Verb::Fit,
        Verb::Search,
        Verb::Suggest,
        Verb::Predict,
        Verb::Plot,
        Verb::Compare,
        Verb::Print,
        Verb::Group,
        Verb::Merge,
        Verb::Join,
        Verb::Order,
        Verb::Pivot,
        Verb::Mark,
        Verb::Unmark,
        Verb::Cost,
        Verb::Plan,
        Verb::Upsilon,
        Verb::Aleph,
        Verb::Report,
        Verb::Save,
        Verb::Source,
        Verb::History,
        Verb::Forget,
        Verb::Help,
        Verb::Quit,
    ];

    /// The verb as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Verb::Show => "show",
            Verb::Open => "open",
            Verb::Fit => "fit",
            Verb::Search => "search",
            Verb::Suggest => "suggest",
            Verb::Predict => "predict",
            Verb::Plot => "plot",
            Verb::Compare => "compare",
            Verb::Print => "print",
            Verb::Group => "group",
            Verb::Merge => "merge",
            Verb::Join => "join",
            Verb::Order => "order",
            Verb::Pivot => "pivot",
            Verb::Mark => "mark",
            Verb::Unmark => "unmark",
            Verb::Cost => "cost",
            Verb::Plan => "plan",
            Verb::Upsilon => "upsilon",
            Verb::Aleph => "aleph",
            Verb::Report => "report",
            Verb::Save => "save",
            Verb::Source => "source",
            Verb::History => "history",
            Verb::Forget => "forget",
            Verb::Help => "help",
            Verb::Quit => "quit",
        }
    }

    /// The verb that is written so.
    pub fn from_word(word: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.word() == word)
    }

    /// Whether it may follow `show` without brackets: `show aleph m`.
    pub(super) fn follows_show(self) -> bool {
        matches!(self, Verb::Upsilon | Verb::Aleph)
    }

    /// Whether words of the language may stand after it as names: `help where`.
    pub fn names_words(self) -> bool {
        matches!(self, Verb::Show | Verb::Help | Verb::Forget)
    }
}

impl ClauseWord {
    /// All words of clauses.
    pub const ALL: [ClauseWord; 9] = [
        ClauseWord::At,
        ClauseWord::By,
        ClauseWord::For,
        ClauseWord::With,
        ClauseWord::Into,
        ClauseWord::As,
        ClauseWord::On,
        ClauseWord::To,
        ClauseWord::Against,
    ];

    /// The word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            ClauseWord::At => "at",
            ClauseWord::By => "by",
            ClauseWord::For => "for",
            ClauseWord::With => "with",
            ClauseWord::Into => "into",
            ClauseWord::As => "as",
            ClauseWord::On => "on",
            ClauseWord::To => "to",
            ClauseWord::Against => "against",
        }
    }

    /// The word that is written so.
    pub fn from_word(word: &str) -> Option<ClauseWord> {
        ClauseWord::ALL.into_iter().find(|clause| clause.word() == word)
    }
}

/// A word with a meaning inside expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `where`
    Where,
    /// `set`
    Set,
    /// `if`
    If,
    /// `then`
    Then,
    /// `else`
    Else,
    /// `and`
    And,
    /// `or`
    Or,
    /// `not`
    Not,
    /// `in`
    In,
    /// `mod`
    Mod,
    /// `true`
    True,
    /// `false`
    False,
}

impl Keyword {
    /// All of them.
    pub const ALL: [Keyword; 12] = [
        Keyword::Where,
        Keyword::Set,
        Keyword::If,
        Keyword::Then,
        Keyword::Else,
        Keyword::And,
        Keyword::Or,
        Keyword::Not,
        Keyword::In,
        Keyword::Mod,
        Keyword::True,
        Keyword::False,
    ];

    /// The word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Keyword::Where => "where",
            Keyword::Set => "set",
            Keyword::If => "if",
            Keyword::Then => "then",
            Keyword::Else => "else",
            Keyword::And => "and",
            Keyword::Or => "or",
            Keyword::Not => "not",
            Keyword::In => "in",
            Keyword::Mod => "mod",
            Keyword::True => "true",
            Keyword::False => "false",
        }
    }

    /// The word that is written so.
    pub fn from_word(word: &str) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|keyword| keyword.word() == word)
    }

    /// Whether a line that ends with it goes on.
    pub(super) fn goes_on(self) -> bool {
        !matches!(self, Keyword::True | Keyword::False)
    }
}

/// A word that begins a line which is a command of the program.
pub const COMMAND: &str = "cll";

/// Whether a name may begin with this character.
pub(super) fn begins_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a name may go on with this character: a letter, a digit, a digit below the line.
pub(super) fn is_in_name(c: char) -> bool {
    c.is_ascii_digit() || begins_name(c) || ('\u{2080}'..='\u{2089}').contains(&c)
}

/// Whether the word has a meaning in the language, so that a name of this text stands in backquotes.
pub fn is_reserved(word: &str) -> bool {
    word == COMMAND
        || Verb::from_word(word).is_some()
        || ClauseWord::from_word(word).is_some()
        || Keyword::from_word(word).is_some()
}

/// A name as it is written in a statement: in backquotes if it is a word of the language or no name of C. Characters
/// that no name can have (backquotes and ends of lines) become `_`.
pub fn name_text(name: &str) -> String {
    let mut characters = name.chars();
    let is_plain = characters.next().is_some_and(begins_name) && characters.all(is_in_name);
    if is_plain && !is_reserved(name) {
        name.to_owned()
    } else if name.is_empty() {
        "`_`".to_owned()
    } else {
        format!("`{}`", name.replace(['`', '\n'], "_"))
    }
}
