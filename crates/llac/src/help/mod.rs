//! The meaning of the words of the language: data, and functions that find and show them.

mod clauses;
mod options;
mod verbs;

use cll_diagnostic::nearest;
use cll_report::wrap;

use crate::evaluate::BUILTINS;
use crate::syntax::{ClauseWord, Verb};

/// Letters of a line of help.
const WIDTH: usize = 100;

/// The help for a word.
#[derive(Clone, Copy, Debug)]
pub struct Help {
    /// The word.
    pub word: &'static str,
    /// How it is used: `fit SAMPLES… [with OPTIONS]`.
    pub form: &'static str,
    /// A description of the word, in one line.
    pub summary: &'static str,
    /// More about it, one sentence each.
    pub more: &'static [&'static str],
    /// The clauses of a verb, and what they mean for it.
    pub clauses: &'static [(ClauseWord, &'static str)],
    /// The options that may stand after `with`.
    pub options: &'static [OptionHelp],
    /// The words that may stand after `as` or `to`.
    pub words: &'static [&'static str],
    /// A statement that uses it.
    pub example: &'static str,
}

/// The help for an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionHelp {
    /// The name of the option.
    pub name: &'static str,
    /// The values of the option; empty: it has none.
    pub values: &'static str,
    /// A description of the option.
    pub summary: &'static str,
}

/// All of them: verbs, clauses, the other words.
pub fn all() -> impl Iterator<Item = &'static Help> {
    verbs::VERBS.iter().chain(clauses::CLAUSES).chain(clauses::KEYWORDS)
}

/// The help for a word.
pub fn find(word: &str) -> Option<&'static Help> {
    all().find(|help| help.word == word)
}

/// The help for a verb.
pub fn of_verb(verb: Verb) -> &'static Help {
    verbs::VERBS.iter().find(|help| help.word == verb.word()).unwrap_or(&verbs::VERBS[0])
}

/// All words that have help: those of [`all`], and functions.
pub fn words() -> impl Iterator<Item = &'static str> {
    all().map(|help| help.word).chain(BUILTINS.iter().map(|function| function.name))
}

/// The word with help that was probably meant.
pub fn near(word: &str) -> Option<&'static str> {
    nearest(word, words())
}

/// The help for a word or a function, as lines of text; empty: there is none.
pub fn text(word: &str) -> String {
    if let Some(help) = find(word) {
        return help.text();
    }
    let function = BUILTINS.iter().find(|function| function.name == word);
    function.map_or_else(String::new, |builtin| {
        format!(
            "{}({})\nThe {}.\n",
            builtin.name,
            builtin.parameters,
            builtin.summary.trim_start_matches("the ")
        )
    })
}

/// The same as JSON.
pub fn json(word: &str) -> serde_json::Value {
    if let Some(help) = find(word) {
        return help.json();
    }
    let function = BUILTINS.iter().find(|function| function.name == word);
    function.map_or(serde_json::Value::Null, |builtin| {
        serde_json::json!({"word": builtin.name, "form": format!("{}({})", builtin.name, builtin.parameters), "summary": builtin.summary})
    })
}

/// All words, one line each.
pub fn list() -> String {
    let mut text = String::new();
    let mut part = |title: &str, entries: &[Help]| {
        text.push_str(&format!("{title}\n"));
        for help in entries {
            text.push_str(&format!("  {:<9} {}\n", help.word, help.summary));
        }
    };
    part("Verbs", verbs::VERBS);
    part("Clauses, after a verb and what it is applied to", clauses::CLAUSES);
    part("In expressions", clauses::KEYWORDS);
    text.push_str("Functions\n");
    for function in BUILTINS {
        let form = format!("{}({})", function.name, function.parameters);
        text.push_str(&format!("  {form:<26} {}\n", function.summary));
    }
    text.push_str(
        "`help WORD` says more. A statement ends with its line; the grammar is in docs/llac.md.\n",
    );
    text
}

impl Help {
    /// The help as lines of text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}.\n", self.form, self.summary);
        for sentence in self.more {
            text.push_str(&format!("{sentence}\n"));
        }
        let mut part = |title: &str, rows: Vec<(String, &str)>| {
            if rows.is_empty() {
                return;
            }
            text.push_str(&format!("\n{title}\n"));
            let width = rows.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
            for (left, right) in rows {
                let mut left = left;
                for line in wrap(right, WIDTH.saturating_sub(width + 4).max(30)) {
                    let blank = " ".repeat(width - left.chars().count());
                    text.push_str(format!("  {left}{blank}  {line}").trim_end());
                    text.push('\n');
                    left.clear();
                }
            }
        };
        let clauses = self.clauses.iter().map(|(word, about)| (word.word().to_owned(), *about));
        part("Clauses", clauses.collect());
        let options = self.options.iter().map(|option| {
            let left = match option.values {
                "" => option.name.to_owned(),
                values => format!("{} = {values}", option.name),
            };
            (left, option.summary)
        });
        part("Options, after `with`", options.collect());
        text.push_str(&format!("\nExample\n  {}\n", self.example));
        text
    }

    /// The same as JSON.
    pub fn json(&self) -> serde_json::Value {
        let clauses: serde_json::Map<String, serde_json::Value> = self
            .clauses
            .iter()
            .map(|(word, about)| (word.word().to_owned(), (*about).into()))
            .collect();
        let options: Vec<serde_json::Value> = self
            .options
            .iter()
            .map(|help| serde_json::json!({"name": help.name, "values": help.values, "summary": help.summary}))
            .collect();
        serde_json::json!({
            "word": self.word, "form": self.form, "summary": self.summary, "more": self.more,
            "clauses": clauses, "options": options, "example": self.example,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::{Expr, ExprKind, StatementKind};
    use crate::syntax::{COMMAND, Keyword, parse};

    /// The verb of a statement, if it begins with one.
    fn verb(example: &str) -> Option<(Verb, Vec<ClauseWord>)> {
        let parsed = parse(example);
        assert!(parsed.diagnostics.is_empty(), "{example}: {:?}", parsed.diagnostics);
        let [statement] = &parsed.statements[..] else { panic!("{example}") };
        let expr = match &statement.kind {
            StatementKind::Value(expr) | StatementKind::Assign { value: expr, .. } => expr,
            _ => return None,
        };
        match expr {
            Expr { kind: ExprKind::Verb { verb, clauses, .. }, .. } => {
                Some((*verb, clauses.iter().map(|clause| clause.word).collect()))
            }
            _ => None,
        }
    }

    #[test]
    fn every_word_has_help_whose_example_is_right() {
        let words = Verb::ALL.map(Verb::word).into_iter();
        let words = words.chain(ClauseWord::ALL.map(ClauseWord::word));
        let words: Vec<&str> =
            words.chain(Keyword::ALL.map(Keyword::word)).chain([COMMAND]).collect();
        for word in &words {
            let help = find(word).unwrap_or_else(|| panic!("no help for `{word}`"));
            assert!(help.form.contains(word), "{word}");
            assert!(help.example.contains(word), "{word}");
            assert!(!help.summary.ends_with('.') && help.summary.len() < 70, "{word}");
        }
        assert_eq!(all().count(), words.len());
        for help in all() {
            let used = verb(help.example);
            if let Some(own) = Verb::from_word(help.word) {
                let (verb, clauses) = used.unwrap_or_else(|| panic!("{}", help.example));
                assert_eq!(verb, own, "{}", help.example);
                for clause in clauses {
                    let known = help.clauses.iter().any(|(word, _)| *word == clause);
                    assert!(known, "{}: {clause:?}", help.word);
                }
            }
        }
    }

    #[test]
    fn help_is_shown_with_clauses_options_and_an_example() {
        let fit = find("fit").unwrap().text();
        for part in
            ["fit SAMPLES", "Clauses", "weights = relative | absolute", "Example\n  m = fit"]
        {
            assert!(fit.contains(part), "{part}: {fit}");
        }
        assert!(fit.lines().all(|line| line.chars().count() <= 100), "{fit}");
        assert!(list().lines().all(|line| line.chars().count() <= 110), "{}", list());
        assert_eq!(near("plto"), Some("plot"));
        assert_eq!(find("fit").unwrap().json()["word"], "fit");
        assert!(super::text("log2").starts_with("log2(x)\n"), "{}", super::text("log2"));
        assert_eq!(json("log2")["word"], "log2");
        assert!(words().all(|word| !super::text(word).is_empty() && json(word).is_object()));
    }
}
