//! Runs statements, and shows what they give.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cll_diagnostic::Diagnostic;
use cll_llac::completion::SessionNames;
use cll_llac::syntax::ast::{ExprKind, Statement, StatementKind};
use cll_llac::syntax::{Verb, parse};
use cll_llac::{BUILTINS, Host, Log, Own, Refusal, Session, help, open_text, own};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::host::SessionHost;
use super::{pager, reported};
use crate::failure::Failure;
use crate::terminal::{Terminal, Text};

/// Confidence of intervals that are shown.
const CONFIDENCE: f64 = 0.90;

/// Scripts that read scripts.
const MAX_SOURCES: usize = 20;

/// A text with statements.
#[derive(Clone, Debug)]
pub struct Script {
    /// The name of the script, for messages.
    pub name: String,
    /// The text of the script.
    pub text: String,
}

/// A statement with what it gave, as a line of JSON.
#[derive(Serialize, JsonSchema)]
pub struct StatementJson<'a> {
    /// The text of the statement.
    statement: &'a str,
    /// What it gave: a value of any kind, docs/formats/llac.md.
    value: serde_json::Value,
}

/// How results are shown, and what an error does.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Each value as a line of JSON.
    pub json: bool,
    /// Without notes.
    pub quiet: bool,
    /// The user sees what files hold.
    pub prompts: bool,
    /// An error does not end a script.
    pub go_on: bool,
    /// Long values through a pager.
    pub pages: bool,
}

/// The effect of a text on the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Whether the session ends.
    pub ends: bool,
}

/// A session, and the terminal that shows what it gives.
pub struct Runner<'t> {
    session: Session,
    log: Log,
    program: SessionHost,
    /// Where results go.
    pub terminal: &'t mut Terminal,
    /// How they are shown.
    pub mode: Mode,
    /// The scripts that are being read.
    sources: Vec<PathBuf>,
    has_failed: bool,
}

impl<'t> Runner<'t> {
    /// A session without names.
    pub fn new(terminal: &'t mut Terminal, mode: Mode) -> Runner<'t> {
        let program = SessionHost::new(terminal.color_choice());
        let session = Session::new(Box::new(program.clone()));
        let log = Log::default();
        Runner { session, program, log, terminal, mode, sources: Vec::new(), has_failed: false }
    }

    /// The exit code for all that was run.
    pub fn code(&self) -> u8 {
        if self.has_failed { crate::failure::Status::Input.code() } else { 0 }
    }

    /// Set to `true` it ends the statement that is evaluated.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.session.interrupt()
    }

    /// The names of the session, for completion.
    pub fn names(&self) -> SessionNames {
        let names: Vec<String> = self.session.names().map(|(name, _)| name.to_owned()).collect();
        let members = |name: String| {
            let members = self.session.members(&name);
            (name, members)
        };
        let functions = BUILTINS.iter().map(|function| function.name.to_owned()).collect();
        SessionNames { values: names.into_iter().map(members).collect(), functions }
    }

    /// Whether all of a script can be read; says what is wrong.
    pub fn check(&mut self, script: &Script) -> Result<(), Failure> {
        match self.parse(script) {
            Some(_) => Ok(()),
            None => Err(reported()),
        }
    }

    /// Opens files, and shows what is in them if the user is there.
    pub fn open(&mut self, files: &[String], shows: bool) -> Result<(), Failure> {
        let answer = self.session.open(files).map_err(|refusal| {
            refusal.help.into_iter().fold(Failure::input(refusal.message), Failure::help)
        })?;
        let text = open_text(files);
        self.log.add(&text);
        if let Some(value) = answer.value.filter(|_| shows) {
            let shown = cll_llac::text(&value, &self.terminal.style(), CONFIDENCE);
            self.terminal.print(shown)?;
        }
        for notice in &answer.notices {
            self.note(notice);
        }
        Ok(())
    }

    /// Runs the statements of a text. None of them if the syntax of one is wrong.
    pub fn run(&mut self, script: &Script) -> Result<Done, Failure> {
        let Some(statements) = self.parse(script) else { return Err(reported()) };
        for statement in &statements {
            match self.statement(statement, script) {
                Ok(done) if done.ends => return Ok(done),
                Ok(_) => {}
                Err(Failure::Reported(_)) if self.mode.go_on => self.has_failed = true,
                Err(failure) => return Err(failure),
            }
        }
        Ok(Done { ends: false })
    }

    fn parse(&mut self, script: &Script) -> Option<Vec<Statement>> {
        let parsed = parse(&script.text);
        self.diagnose(script, &parsed.diagnostics);
        parsed.diagnostics.is_empty().then_some(parsed.statements)
    }

    fn statement(&mut self, statement: &Statement, script: &Script) -> Result<Done, Failure> {
        let fail = |runner: &mut Self, wrong: Diagnostic| {
            runner.diagnose(script, &[wrong]);
            Err(reported())
        };
        let refused = |refusal: Refusal| {
            let wrong = Diagnostic::error("L103", statement.span.clone(), refusal.message);
            refusal.help.into_iter().fold(wrong, Diagnostic::help)
        };
        match own(statement) {
            Err(wrong) => return fail(self, *wrong),
            Ok(None) => return self.evaluate(statement, script),
            Ok(Some(Own::Quit)) => return Ok(Done { ends: true }),
            Ok(Some(Own::Help(words))) => self.help(&words, statement, script)?,
            Ok(Some(Own::History)) => {
                let listing = self.log.listing();
                let all = json!({ "kind": "history", "statements": self.log.statements() });
                self.show(&listing, || all, statement, script)?;
            }
            Ok(Some(Own::Save(file))) => {
                match self.program.write(&file, self.log.script().as_bytes()) {
                    Err(refusal) => return fail(self, refused(refusal)),
                    Ok(()) => self.note(&format!("{} is written", file.display())),
                }
            }
            Ok(Some(Own::Source(file))) => match self.begin_source(&file) {
                Err(refusal) => return fail(self, refused(refusal)),
                Ok(text) => {
                    let script = Script { name: file.display().to_string(), text };
                    let done = self.run(&script);
                    self.sources.pop();
                    return done;
                }
            },
        }
        Ok(Done { ends: false })
    }

    fn begin_source(&mut self, file: &Path) -> Result<String, Refusal> {
        let text = self.program.read(file)?;
        let place = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let is_inside = self.sources.contains(&place);
        if is_inside || self.sources.len() >= MAX_SOURCES {
            let message = if is_inside {
                format!("{} reads itself", file.display())
            } else {
                format!("more than {MAX_SOURCES} scripts read each other")
            };
            return Err(Refusal {
                message,
                help: vec!["a script ends without `source` of itself".to_owned()],
            });
        }
        self.sources.push(place);
        Ok(text)
    }

    fn evaluate(&mut self, statement: &Statement, script: &Script) -> Result<Done, Failure> {
        // A command prints by itself.
        self.terminal.flush()?;
        let answer = match self.session.evaluate(statement, &script.text) {
            Ok(answer) => answer,
            Err(wrong) => {
                self.diagnose(script, &[*wrong]);
                return Err(reported());
            }
        };
        self.log.add(&script.text[statement.span.clone()]);
        // Scripts do as those that `save` writes, in which files of the command line are opened.
        let shows = self.mode.prompts || !is_open(statement);
        if let Some(value) = answer.value.filter(|_| shows) {
            let shown = if self.mode.json {
                String::new()
            } else {
                cll_llac::text(&value, &self.terminal.style(), CONFIDENCE)
            };
            let json = || cll_llac::json(&value, CONFIDENCE);
            self.show(&shown, json, statement, script)?;
        }
        for notice in &answer.notices {
            self.note(notice);
        }
        Ok(Done { ends: answer.ends })
    }

    fn help(
        &mut self,
        words: &[&'static str],
        statement: &Statement,
        script: &Script,
    ) -> Result<(), Failure> {
        let text = if words.is_empty() {
            help::list()
        } else {
            words.iter().map(|word| help::text(word)).collect::<Vec<_>>().join("\n")
        };
        let json = || {
            let all: Vec<serde_json::Value> = if words.is_empty() {
                help::words().map(help::json).collect()
            } else {
                words.iter().map(|word| help::json(word)).collect()
            };
            json!({ "kind": "help", "words": all })
        };
        self.show(&text, json, statement, script)
    }

    /// Shows text, or what it says as a line of JSON.
    fn show(
        &mut self,
        text: &str,
        json: impl FnOnce() -> serde_json::Value,
        statement: &Statement,
        script: &Script,
    ) -> Result<(), Failure> {
        if self.mode.json {
            let statement = &script.text[statement.span.clone()];
            return self.terminal.json_line(&StatementJson { statement, value: json() });
        }
        if self.mode.pages { pager::show(text, self.terminal) } else { self.terminal.print(text) }
    }

    /// Says what is wrong, after what was printed before.
    fn diagnose(&mut self, script: &Script, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        // A closed pipe is noticed when a result is printed.
        let _ = self.terminal.flush();
        let text = Text { name: &script.name, bytes: script.text.as_bytes() };
        self.terminal.diagnose(text, diagnostics);
    }

    /// Something good to know.
    pub fn note(&mut self, text: &str) {
        if !self.mode.quiet {
            let _ = self.terminal.flush();
            self.terminal.note(text);
        }
    }
}

/// Whether the statement only opens files.
fn is_open(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Value(value) => {
            matches!(value.kind, ExprKind::Verb { verb: Verb::Open, .. })
        }
        _ => false,
    }
}
