//! The statements that succeeded, and statements about the session itself.

use std::path::PathBuf;

use cll_diagnostic::Diagnostic;

use crate::help;
use crate::syntax::ast::{Argument, Expr, ExprKind, Statement, StatementKind};
use crate::syntax::{ClauseWord, Verb, expression_text};

/// The texts of the statements that succeeded, in their order.
#[derive(Clone, Debug, Default)]
pub struct Log {
    statements: Vec<String>,
}

impl Log {
    /// Adds the text of a statement that has succeeded.
    pub fn add(&mut self, text: &str) {
        self.statements.push(text.trim().to_owned());
    }

    /// The statements.
    pub fn statements(&self) -> &[String] {
        &self.statements
    }

    /// A script that does the same.
    pub fn script(&self) -> String {
        let mut text =
            "# Statements of llac. `llac -f FILE` runs them in the folder of their files.\n"
                .to_owned();
        for statement in &self.statements {
            text.push_str(statement);
            text.push('\n');
        }
        text
    }

    /// The statements with their numbers.
    pub fn listing(&self) -> String {
        let width = self.statements.len().to_string().len();
        let mut text = String::new();
        for (number, statement) in (1..).zip(&self.statements) {
            let indented = statement.replace('\n', &format!("\n{}", " ".repeat(width + 2)));
            text.push_str(&format!("{number:>width$}  {indented}\n"));
        }
        text
    }
}

/// A statement about the session itself: it needs no values, and is not logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// `help`: these words; none: all.
    Help(Vec<&'static str>),
    /// `history`.
    History,
    /// `save "FILE"`.
    Save(PathBuf),
    /// `source "FILE"`.
    Source(PathBuf),
    /// `quit`.
    Quit,
}

/// Whether the statement is about the session itself.
///
/// # Errors
/// The diagnostic says what is wrong with the statement.
pub fn own(statement: &Statement) -> Result<Option<Own>, Box<Diagnostic>> {
    let StatementKind::Value(Expr { kind: ExprKind::Verb { verb, arguments, clauses }, .. }) =
        &statement.kind
    else {
        return Ok(None);
    };
    let is_own =
        matches!(verb, Verb::Help | Verb::History | Verb::Save | Verb::Source | Verb::Quit);
    if !is_own {
        return Ok(None);
    }
    // A value is saved by the session.
    if *verb == Verb::Save && clauses.iter().any(|clause| clause.word == ClauseWord::Into) {
        return Ok(None);
    }
    let word = verb.word();
    if let Some(clause) = clauses.first() {
        let message = format!("`{word}` has no `{}`", clause.word.word());
        return Err(wrong(*verb, clause.span.clone(), message));
    }
    if let Some(name) = arguments.iter().find_map(|argument| argument.name.as_ref()) {
        return Err(wrong(*verb, name.span.clone(), format!("`{word}` has no names of arguments")));
    }
    let values: Vec<&Expr> = arguments.iter().map(|argument| &argument.value).collect();
    match verb {
        Verb::Help => values.into_iter().map(explained).collect::<Result<_, _>>().map(Own::Help),
        Verb::Save => file(*verb, statement, &values).map(Own::Save),
        Verb::Source => file(*verb, statement, &values).map(Own::Source),
        _ if !values.is_empty() => {
            Err(wrong(*verb, values[0].span.clone(), format!("nothing follows `{word}`")))
        }
        Verb::History => Ok(Own::History),
        _ => Ok(Own::Quit),
    }
    .map(Some)
}

fn wrong(verb: Verb, span: std::ops::Range<usize>, message: String) -> Box<Diagnostic> {
    let wrong = Diagnostic::error("L101", span, message);
    Box::new(wrong.help(format!("it is written so: {}", help::of_verb(verb).form)))
}

fn file(verb: Verb, statement: &Statement, values: &[&Expr]) -> Result<PathBuf, Box<Diagnostic>> {
    match values {
        [Expr { kind: ExprKind::Text(name), span }]
            if verb == Verb::Save && (name.ends_with(".json") || name.ends_with(".csv")) =>
        {
            let message = format!("the statements are a script, and {name} is not called so");
            let wrong = Diagnostic::error("L101", span.clone(), message);
            Err(Box::new(wrong.help(format!("a value is saved so: save m into \"{name}\""))))
        }
        [Expr { kind: ExprKind::Text(name), .. }] if !name.is_empty() => Ok(name.into()),
        [] => {
            let message = format!("`{}` needs the name of a file", verb.word());
            Err(wrong(verb, statement.span.clone(), message))
        }
        [_, second, ..] => {
            Err(wrong(verb, second.span.clone(), format!("`{}` has one file", verb.word())))
        }
        [other] => {
            Err(wrong(verb, other.span.clone(), "the name of a file stands in quotes".to_owned()))
        }
    }
}

/// The word that is to be explained.
fn explained(value: &Expr) -> Result<&'static str, Box<Diagnostic>> {
    let word = match &value.kind {
        ExprKind::Name(word) | ExprKind::Text(word) => word.as_str(),
        ExprKind::Bool(true) => "true",
        ExprKind::Bool(false) => "false",
        _ => {
            return Err(wrong(Verb::Help, value.span.clone(), "this is no word".to_owned()));
        }
    };
    match help::words().find(|known| *known == word) {
        Some(word) => Ok(word),
        None => {
            let escaped = cll_diagnostic::escape(word);
            let message = format!("there is no help for `{escaped}`");
            let near = help::near(word).map(|near| format!("did you mean `{near}`?"));
            let help = near.unwrap_or_else(|| {
                "`help` lists the words; what a name holds is said by `show`".to_owned()
            });
            Err(Box::new(Diagnostic::error("L102", value.span.clone(), message).help(help)))
        }
    }
}

/// The text of a statement that opens files: `open "a.dat"`.
pub fn open_text(files: &[String]) -> String {
    let span = 0..0;
    let texts: Vec<Argument> = files
        .iter()
        .map(|file| Argument {
            name: None,
            value: Expr { span: span.clone(), kind: ExprKind::Text(file.clone()) },
        })
        .collect();
    let kind = ExprKind::Verb { verb: Verb::Open, arguments: texts, clauses: Vec::new() };
    expression_text(&Expr { span, kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn recognised(text: &str) -> Result<Option<Own>, String> {
        let parsed = parse(text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        own(&parsed.statements[0]).map_err(|wrong| wrong.message)
    }

    #[test]
    fn statements_about_the_session_are_recognised() {
        for (text, expected) in [
            ("help", Own::Help(vec![])),
            ("help where, fit, true, log2", Own::Help(vec!["where", "fit", "true", "log2"])),
            ("help cll", Own::Help(vec!["cll"])),
            ("history", Own::History),
            ("save \"a b\"", Own::Save("a b".into())),
            ("source \"x.llac\"", Own::Source("x.llac".into())),
            ("quit", Own::Quit),
            ("quit()", Own::Quit),
            ("exit", Own::Quit),
            ("exit()", Own::Quit),
        ] {
            assert_eq!(recognised(text), Ok(Some(expected)), "{text}");
        }
        assert_eq!(recognised("show f"), Ok(None));
        assert_eq!(recognised("x = 1"), Ok(None));
        for (text, expected) in [
            ("help plto", "there is no help for `plto`"),
            ("help 3", "this is no word"),
            ("history 3", "nothing follows `history`"),
            ("quit at 3", "`quit` has no `at`"),
            ("save", "`save` needs the name of a file"),
            ("save f", "the name of a file stands in quotes"),
            ("save \"a\", \"b\"", "`save` has one file"),
            ("save x = \"a\"", "`save` has no names of arguments"),
        ] {
            assert_eq!(recognised(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_log_is_a_script() {
        let mut log = Log::default();
        log.add(&open_text(&["a b.dat".to_owned(), "c\"d".to_owned()]));
        log.add(" x = [1,\n 2] ");
        let script = log.script();
        let parsed = parse(&script);
        assert_eq!((parsed.statements.len(), parsed.diagnostics.len()), (2, 0), "{script}");
        assert!(script.contains("open \"a b.dat\", \"c\\\"d\"\n"), "{script}");
        assert_eq!(log.listing(), "1  open \"a b.dat\", \"c\\\"d\"\n2  x = [1,\n    2]\n");
    }
}
