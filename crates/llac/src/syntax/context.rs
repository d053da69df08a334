//! The kinds of words that may be written at the end of a text that is being typed.

use super::command;
use super::lexer;
use super::report::Report;
use super::token::{Token, TokenKind};
use super::vocabulary::{COMMAND, Keyword};
use super::words::{ClauseWord, Verb};

/// The kind of word that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Context {
    /// The name of a file, in quotes.
    File,
    /// A word of a command, after these.
    Command(Vec<String>),
    /// A name after `NAME.`; `None`: after the dot of another value.
    Member(Option<String>),
    /// A value; whether a verb may stand there.
    Value {
        /// Whether a verb may stand there.
        verbs: bool,
    },
    /// An operator, or a clause of the verb.
    After(Option<Verb>),
    /// An option of the verb.
    Option(Verb),
    /// A value of an option of the verb.
    OptionValue(Verb, String),
    /// A word after `as` or `to`.
    Word(Verb),
    /// A word that is explained.
    Help,
    /// A name.
    Name,
    /// Nothing that is known.
    Nothing,
}

/// The verb and the clause of an open bracket, or of the statement.
#[derive(Clone, Copy, Default)]
struct ContextFrame {
    verb: Option<Verb>,
    clause: Option<ClauseWord>,
}

/// Finds the kind of word that may be written at the end of `before`, and where the word begins that is being typed.
pub fn context(before: &str) -> (Context, usize) {
    let lexed = lexer::lex(before, &mut Report::default());
    let end = before.len();
    if lexed.comments.last().is_some_and(|comment| comment.end == end) {
        return (Context::Nothing, end);
    }
    let tokens = &lexed.tokens[..lexed.tokens.len() - 1];
    let begin = tokens.iter().rposition(|token| token.kind == TokenKind::LineEnd);
    let statement = &tokens[begin.map_or(0, |index| index + 1)..];
    let Some((last, others)) = statement.split_last() else {
        return (Context::Value { verbs: true }, end);
    };
    if let TokenKind::Command(words) = &last.kind {
        return of_command(before, last, words);
    }
    let text = &before[last.span.clone()];
    if last.kind == TokenKind::Bad && last.span.end == end {
        return match text.chars().next() {
            Some('"') => (Context::File, last.span.start + 1),
            Some('`') => (Context::Name, last.span.start),
            _ => (Context::Nothing, end),
        };
    }
    let is_word = last.kind.is_word() || matches!(last.kind, TokenKind::Name { quoted: false });
    match is_word && last.span.end == end {
        // `cll` is a command as soon as a space follows.
        true if others.is_empty() && text == COMMAND => (Context::Nothing, end),
        true => (after(before, others), last.span.start),
        false => (after(before, statement), end),
    }
}

fn of_command(before: &str, token: &Token, words: &[String]) -> (Context, usize) {
    let end = before.len();
    let is_begun = token.span.end == end && !words.is_empty();
    if !is_begun {
        return (Context::Command(words.to_vec()), end);
    }
    // The word as it is typed, if it has no quotes.
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    let typed = command::words(before, start, &mut Report::default()).words;
    if typed.last() == words.last() {
        (Context::Command(words[..words.len() - 1].to_vec()), start)
    } else {
        (Context::Nothing, end)
    }
}

/// Finds the kind of word that may follow these tokens of a statement.
fn after(before: &str, tokens: &[Token]) -> Context {
    let text = |token: &Token| before[token.span.clone()].trim_matches('`').to_owned();
    let mut frames = vec![ContextFrame::default()];
    for (index, token) in tokens.iter().enumerate() {
        let previous = index.checked_sub(1).map(|before| &tokens[before].kind);
        let begins = begins_expression(&tokens[..index], &frames);
        let Some(frame) = frames.last_mut() else { return Context::Nothing };
        match &token.kind {
            TokenKind::Verb(verb) if begins => {
                *frame = ContextFrame { verb: Some(*verb), clause: None };
            }
            TokenKind::Clause(word) if !previous.is_some_and(|kind| kind.is(".")) => {
                frame.clause = Some(*word);
            }
            TokenKind::Keyword(Keyword::Then | Keyword::Else) => *frame = ContextFrame::default(),
            TokenKind::Symbol("(" | "[") => frames.push(ContextFrame::default()),
            TokenKind::Symbol(")" | "]") if frames.len() > 1 => drop(frames.pop()),
            _ => {}
        }
    }
    let frame = frames.last().copied().unwrap_or_default();
    let Some((last, others)) = tokens.split_last() else {
        return Context::Value { verbs: true };
    };
    let verbs = begins_expression(tokens, &frames);
    match (&last.kind, frame.verb) {
        (TokenKind::Symbol("."), _) => Context::Member(match others {
            [.., before, owner] if matches!(owner.kind, TokenKind::Name { .. }) => {
                (!before.kind.is(".")).then(|| text(owner))
            }
            [owner] if matches!(owner.kind, TokenKind::Name { .. }) => Some(text(owner)),
            _ => None,
        }),
        (TokenKind::Verb(Verb::Help), _) => Context::Help,
        (TokenKind::Symbol(","), Some(Verb::Help)) => Context::Help,
        (TokenKind::Verb(Verb::Forget), _) => Context::Name,
        (TokenKind::Clause(ClauseWord::With), Some(verb)) => Context::Option(verb),
        (TokenKind::Symbol(","), Some(verb)) if frame.clause == Some(ClauseWord::With) => {
            Context::Option(verb)
        }
        (TokenKind::Symbol("="), Some(verb)) if frame.clause == Some(ClauseWord::With) => {
            Context::OptionValue(verb, others.last().map(text).unwrap_or_default())
        }
        (TokenKind::Clause(ClauseWord::As | ClauseWord::To), Some(verb)) => Context::Word(verb),
        (kind, verb) if ends_value(kind) => Context::After(verb),
        _ => Context::Value { verbs },
    }
}

/// Whether a verb may follow these tokens.
fn begins_expression(tokens: &[Token], frames: &[ContextFrame]) -> bool {
    let Some((last, others)) = tokens.split_last() else { return true };
    let is_free = frames.last().is_none_or(|frame| frame.verb.is_none());
    match last.kind {
        TokenKind::Keyword(Keyword::Then | Keyword::Else) => true,
        TokenKind::Symbol("=") => frames.len() == 1 && is_free,
        TokenKind::Symbol("(") => !others.last().is_some_and(|token| ends_value(&token.kind)),
        _ => false,
    }
}

/// Whether a value may end with this token.
fn ends_value(kind: &TokenKind) -> bool {
    kind.begins_operand() || kind.is(")") || kind.is("]")
}
