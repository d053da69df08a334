//! A text as tokens.

use cll_diagnostic::{Diagnostic, escape, nearest};

use super::ast::Span;
use super::command;
use super::report::Report;
use super::token::{Token, TokenKind, Tokens};
use super::vocabulary::{COMMAND, Keyword, begins_name, is_in_name};
use super::words::{ClauseWord, Verb};
use super::{codes, quoted};

/// Longest first.
const SYMBOLS: [&str; 20] = [
    "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "^", ":", ".", ",", "(", ")", "[",
    "]", ";",
];

/// Characters and pairs that other languages have, and what to write here.
const ELSEWHERE: [(&str, &str); 27] = [
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("**", "a power is `^`"),
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("!", "write `not`"),
    ("%", "a percentage is written without a space (`10%`), a remainder is `mod`"),
    ("'", "texts stand in double quotes"),
    ("“", "texts stand in double quotes, `\"`"),
    ("”", "texts stand in double quotes, `\"`"),
    ("„", "texts stand in double quotes, `\"`"),
    ("‘", "texts stand in double quotes, `\"`"),
    ("’", "texts stand in double quotes, `\"`"),
    ("{", "expressions are grouped by `(` and `)`, lists stand in `[` and `]`"),
    ("}", "expressions are grouped by `(` and `)`, lists stand in `[` and `]`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("×", "write `*`"),
    ("·", "write `*`"),
    ("⋅", "write `*`"),
    ("÷", "write `/`"),
    ("−", "write the ASCII `-`"),
    ("–", "write the ASCII `-`"),
    ("²", "write `^2`"),
    ("³", "write `^3`"),
    ("\\", "`\\` continues a line, and stands at its end"),
];

/// The tokens of `text`.
pub(super) fn lex(text: &str, report: &mut Report) -> Tokens {
    let mut lexer = Lexer {
        text,
        offset: 0,
        depth: 0,
        begins: true,
        names: false,
        command: false,
        tokens: Vec::new(),
        comments: Vec::new(),
        report,
    };
    let goes_on = loop {
        match lexer.skip() {
            Skipped::Nothing => {}
            Skipped::Line(span) => {
                if lexer.continues() {
                } else {
                    lexer.end_statement(span)
                }
            }
            Skipped::Rest { backslash } => {
                break backslash || lexer.command || lexer.continues();
            }
        }
        lexer.token();
    };
    let end = text.len();
    lexer.tokens.push(Token { kind: TokenKind::End, span: end..end });
    Tokens { tokens: lexer.tokens, comments: lexer.comments, goes_on }
}

struct Lexer<'a> {
    text: &'a str,
    offset: usize,
    /// Open brackets.
    depth: usize,
    /// Whether a statement begins here.
    begins: bool,
    /// Whether the statement begins with a verb after which words are names.
    names: bool,
    /// Whether the text ends with a command that goes on.
    command: bool,
    tokens: Vec<Token>,
    comments: Vec<Span>,
    report: &'a mut Report,
}

/// The kind of text that was skipped before a token.
enum Skipped {
    /// Spaces.
    Nothing,
    /// An end of a line, here.
    Line(Span),
    /// All of the text; whether it ends with `\`.
    Rest { backslash: bool },
}

impl Lexer<'_> {
    /// Skips spaces, comments, empty lines, and `\` with the end of its line.
    fn skip(&mut self) -> Skipped {
        let mut line = None;
        let mut backslash = false;
        loop {
            let rest = &self.text[self.offset..];
            let Some(first) = rest.chars().next() else {
                return Skipped::Rest { backslash };
            };
            if first == '\n' {
                line = line.or(Some(self.offset..self.offset + 1));
                self.offset += 1;
            } else if first.is_whitespace() {
                self.offset += first.len_utf8();
            } else if first == '#' {
                let end = rest.find('\n').unwrap_or(rest.len());
                self.comments.push(self.offset..self.offset + rest[..end].trim_end().len());
                self.offset += end;
            } else if first == '\\'
                && let Some(after) = after_line(&rest[1..])
            {
                // The end of its line does not count.
                self.offset += 1 + after;
                backslash = true;
                continue;
            } else {
                return line.map_or(Skipped::Nothing, Skipped::Line);
            }
            backslash &= first != '\n';
        }
    }

    /// Whether the statement goes on after the end of a line that is here.
    fn continues(&self) -> bool {
        let Some((last, before)) = self.tokens.split_last() else { return false };
        let names = |token: &Token| match token.kind {
            TokenKind::Verb(_) => self.names,
            TokenKind::Symbol(symbol) => symbol == "." || symbol == "," && self.names,
            _ => false,
        };
        let is_name = last.kind.is_word() && before.last().is_some_and(names);
        let asks = match &last.kind {
            TokenKind::Symbol(symbol) => !matches!(*symbol, ")" | "]"),
            TokenKind::Keyword(keyword) => keyword.goes_on(),
            TokenKind::Clause(_) => true,
            _ => false,
        };
        // No statement begins with these.
        let is_branch = || {
            let rest = &self.text[self.offset..];
            let end = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
            matches!(&rest[..end], "then" | "else")
        };
        self.depth > 0 || asks && !is_name || is_branch()
    }

    fn end_statement(&mut self, span: Span) {
        // Empty lines are no statements.
        if !self.begins {
            self.tokens.push(Token { kind: TokenKind::LineEnd, span });
        }
        self.begins = true;
        self.names = false;
        self.depth = 0;
    }

    fn token(&mut self) {
        let start = self.offset;
        let rest = &self.text[start..];
        let first = rest.chars().next().unwrap_or_default();
        let begins = std::mem::replace(&mut self.begins, false);
        let kind = if first.is_ascii_digit() {
            self.number(rest)
        } else if begins_name(first) {
            let end = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
            self.offset += end;
            match &rest[..end] {
                COMMAND if begins && is_command(&rest[end..]) => {
                    let command = command::words(self.text, self.offset, self.report);
                    self.offset = command.end;
                    self.command = command.goes_on;
                    TokenKind::Command(command.words)
                }
                word => self.word(word, begins),
            }
        } else if first == '"' {
            let (text, end) = quoted::text(self.text, start, self.report);
            self.offset = end;
            text.map_or(TokenKind::Bad, TokenKind::Text)
        } else if first == '`' {
            let (good, end) = quoted::name(self.text, start, self.report);
            self.offset = end;
            if good { TokenKind::Name { quoted: true } } else { TokenKind::Bad }
        } else if let Some((elsewhere, help)) = elsewhere(rest) {
            self.offset += elsewhere.len();
            self.unknown(start, elsewhere, help)
        } else if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
            self.offset += symbol.len();
            match symbol {
                "(" | "[" => self.depth += 1,
                ")" | "]" => self.depth = self.depth.saturating_sub(1),
                ";" => return self.end_statement(start..self.offset),
                _ => {}
            }
            TokenKind::Symbol(symbol)
        } else {
            self.offset += first.len_utf8();
            self.unknown(start, &rest[..first.len_utf8()], "the language does not have it")
        };
        self.tokens.push(Token { kind, span: start..self.offset });
    }

    fn word(&mut self, word: &str, begins: bool) -> TokenKind {
        if let Some(verb) = Verb::from_word(word) {
            self.names |= begins && verb.names_words();
            return TokenKind::Verb(verb);
        }
        let keyword = Keyword::from_word(word).map(TokenKind::Keyword);
        let clause = || ClauseWord::from_word(word).map(TokenKind::Clause);
        keyword.or_else(clause).unwrap_or(TokenKind::Name { quoted: false })
    }

    fn number(&mut self, rest: &str) -> TokenKind {
        let start = self.offset;
        let digits = |from: usize| {
            let rest = &rest[from..];
            from + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        };
        let mut end = digits(0);
        if rest[end..].starts_with('.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
        }
        if rest[end..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        let value = rest[..end].parse().unwrap_or(f64::INFINITY);
        let percent = rest[end..].starts_with('%');
        self.offset += end + usize::from(percent);
        let after = &rest[end..];
        if after.starts_with('_') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let all = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
            self.offset = start + all;
            let plain = rest[..all].replace('_', "");
            self.report.push(
                Diagnostic::error(codes::NUMBER, start..self.offset, "a number has no `_`")
                    .help(format!("write `{plain}`")),
            );
            return TokenKind::Bad;
        }
        if value.is_infinite() {
            self.report.push(
                Diagnostic::error(codes::NUMBER, start..self.offset, "the number is too large")
                    .help("the largest number is about 1.8e308"),
            );
            return TokenKind::Bad;
        }
        TokenKind::Number { value, percent }
    }

    fn unknown(&mut self, start: usize, what: &str, help: &str) -> TokenKind {
        let message = format!("unknown character `{}`", escape(what));
        self.report
            .push(Diagnostic::error(codes::CHARACTER, start..self.offset, message).help(help));
        TokenKind::Bad
    }
}

/// Finds a sign at the beginning of `rest` that other languages have and this one does not.
fn elsewhere(rest: &str) -> Option<(&'static str, &'static str)> {
    let sign = ELSEWHERE.into_iter().find(|(text, _)| rest.starts_with(text));
    sign.filter(|(text, _)| *text != "!" || !rest.starts_with("!="))
}

/// Bytes to behind the end of the line, if nothing but spaces stands before it.
fn after_line(rest: &str) -> Option<usize> {
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    match rest[blank..].chars().next() {
        None => Some(blank),
        Some('\n') => Some(blank + 1),
        Some(_) => None,
    }
}

/// Whether what follows the word `cll` makes it a command.
fn is_command(rest: &str) -> bool {
    rest.chars().next().is_none_or(char::is_whitespace)
}

/// The word of `known` that was probably meant, as a sentence.
pub(super) fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}
