//! Verbs with their arguments and clauses.

use cll_diagnostic::Diagnostic;

use super::expression::ExpressionPlace;
use super::{Parser, Read};
use crate::syntax::ast::{Argument, Clause, Expr, ExprKind};
use crate::syntax::codes;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::Keyword;
use crate::syntax::words::{ClauseWord, Verb};

/// Which words of the language are names where they stand alone between commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// None.
    No,
    /// Verbs: values of options.
    Verbs,
    /// All: what is explained or forgotten.
    All,
}

impl Parser<'_> {
    /// Reads a verb that is there, and what belongs to it.
    pub(super) fn verb(&mut self, verb: Verb) -> Read<Expr> {
        let start = self.next().span.start;
        let words = if verb.names_words() { Words::All } else { Words::No };
        let mut arguments = Vec::new();
        self.height = 0;
        if let TokenKind::Verb(inner) = self.peek().kind
            && verb == Verb::Show
            && inner.follows_show()
            && !self.is_lone_word(words)
        {
            let value = self.nested(|parser| parser.verb(inner))?;
            arguments.push(Argument { name: None, value });
        } else if !self.ends_items() && (!self.begins_clause() || self.is_lone_word(words)) {
            arguments = self.items(words)?;
        }
        let mut deepest = self.height;
        let mut clauses: Vec<Clause> = Vec::new();
        while let TokenKind::Clause(word) = self.peek().kind {
            let span = self.next().span.clone();
            if let Some(first) = clauses.iter().find(|clause| clause.word == word) {
                let message = format!("`{}` is there twice", word.word());
                let first = first.span.clone();
                return self.fail(
                    Diagnostic::error(codes::CLAUSE, span, message)
                        .also(first, "first here")
                        .help("put its items together, separated by commas"),
                );
            }
            if self.ends_items() || self.begins_clause() && !self.has_name() {
                return self.fail_empty_clause(word, span);
            }
            let words = match word {
                ClauseWord::With | ClauseWord::As => Words::Verbs,
                _ => Words::No,
            };
            let items = self.items(words)?;
            deepest = deepest.max(self.height);
            clauses.push(Clause { word, span, items });
        }
        self.built(deepest)?;
        Ok(Expr { span: self.from(start), kind: ExprKind::Verb { verb, arguments, clauses } })
    }

    /// Reads items, separated by commas: one or more.
    pub(super) fn items(&mut self, words: Words) -> Read<Vec<Argument>> {
        let mut items = Vec::new();
        let mut deepest = 0;
        loop {
            items.push(self.item(words)?);
            deepest = deepest.max(self.height);
            if !self.take(",") {
                break;
            }
        }
        self.height = deepest;
        Ok(items)
    }

    fn item(&mut self, words: Words) -> Read<Argument> {
        if self.is_lone_word(words) {
            let span = self.next().span.clone();
            let kind = ExprKind::Name(self.text_of(&span).to_owned());
            self.height = 1;
            return Ok(Argument { name: None, value: Expr { span, kind } });
        }
        let mut name = None;
        if self.has_name() {
            if !self.is_name_of_item() {
                return self.fail_reserved();
            }
            name = Some(self.name());
            self.next();
        }
        if self.is_lone_word(words) && name.is_some() {
            return Ok(Argument { name, ..self.item(words)? });
        }
        Ok(Argument { name, value: self.expression(ExpressionPlace::ITEM)? })
    }

    /// Whether `name =` is next, where the name may be a word of the language.
    pub(super) fn has_name(&self) -> bool {
        let kind = &self.peek().kind;
        (matches!(kind, TokenKind::Name { .. }) || kind.is_word()) && self.peek_at(1).is("=")
    }

    /// Whether the word before `=` may be a name: all but the words that join others. Options may be called as verbs.
    pub(super) fn is_name_of_item(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Name { .. } | TokenKind::Verb(_))
    }

    /// Whether a word is next that is a name here, with nothing after it.
    fn is_lone_word(&self, words: Words) -> bool {
        let after = self.peek_at(1);
        let is_last = after.is_end() || matches!(after, TokenKind::Symbol("," | ")" | "]"));
        match self.peek().kind {
            TokenKind::Verb(_) => {
                words != Words::No
                    && (is_last || matches!(after, TokenKind::Clause(_) | TokenKind::Keyword(_)))
            }
            TokenKind::Keyword(Keyword::True | Keyword::False) => false,
            TokenKind::Clause(_) | TokenKind::Keyword(_) => words == Words::All && is_last,
            _ => false,
        }
    }

    fn begins_clause(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Clause(_))
    }

    /// Whether nothing is next that can be an item.
    fn ends_items(&self) -> bool {
        let kind = &self.peek().kind;
        let is_branch = matches!(kind, TokenKind::Keyword(Keyword::Then | Keyword::Else));
        kind.is_end() || kind.is(")") || kind.is("]") || is_branch && !self.peek_at(1).is_end()
    }

    fn fail_empty_clause<T>(&mut self, word: ClauseWord, span: std::ops::Range<usize>) -> Read<T> {
        let message = format!("nothing follows `{}`", word.word());
        let diagnostic = Diagnostic::error(codes::CLAUSE, span, message).help(example(word));
        self.fail_here(diagnostic)
    }
}

/// Shows by an example what follows the word of a clause.
fn example(word: ClauseWord) -> &'static str {
    match word {
        ClauseWord::At => "values of variables follow: at N = 4096, P = 1:32:*2",
        ClauseWord::By => "a variable follows: by N",
        ClauseWord::For => "a variable follows: for P",
        ClauseWord::With => "options follow: with weights = absolute",
        ClauseWord::Into => "a file follows: into \"fft.svg\"",
        ClauseWord::As => "a format or a name follows: as csv",
        ClauseWord::On => "a machine follows: on \"mine.toml\"",
        ClauseWord::To => "a statistic or a value follows: to max",
        ClauseWord::Against => "measurements follow: against f",
    }
}
