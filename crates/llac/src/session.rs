//! A session: names, and statements one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cll_diagnostic::Diagnostic;

use crate::evaluate::{Evaluator, Limits, Scope, Wrong, error};
use crate::function::Function;
use crate::host::{Host, TableOptions};
use crate::syntax::ast::{Argument, Expr, ExprKind, Statement, StatementKind};
use crate::syntax::{Verb, name_text};
use crate::value::Value;

/// Names and what they name, and where files come from.
pub struct Session {
    host: Box<dyn Host>,
    names: BTreeMap<String, Value>,
    interrupted: Arc<AtomicBool>,
    limits: Limits,
}

/// The result of a statement.
#[derive(Debug, Default)]
pub struct Answer {
    /// The value to show; `None`: the statement shows nothing.
    pub value: Option<Value>,
    /// Notices about the statement for the user.
    pub notices: Vec<String>,
    /// Whether the session ends (`quit`).
    pub ends: bool,
}

/// Expressions and functions may be nested deeply; a level takes up to about 10 KiB.
const STACK: usize = 512 << 20;
/// The exit code of a command that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

impl Session {
    /// A session without names.
    pub fn new(host: Box<dyn Host>) -> Session {
        Session {
            host,
            names: BTreeMap::new(),
            interrupted: Arc::default(),
            limits: Limits::default(),
        }
    }

    /// The same with other bounds.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Session {
        Session { limits, ..self }
    }

    /// Evaluates a statement of `text`. Spans of the error are places in `text`.
    ///
    /// # Errors
    /// The diagnostic says what is wrong with the statement. The names are as they were before.
    pub fn evaluate(&mut self, statement: &Statement, text: &str) -> Result<Answer, Wrong> {
        self.interrupted.store(false, Ordering::Relaxed);
        if let StatementKind::Command { arguments } = &statement.kind {
            return self.command(arguments, statement);
        }
        // A thread has the stack that deep recursions need.
        let run = || self.evaluate_here(statement, text);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            match thread {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }
                Err(why) => {
                    let message = format!("no thread can be started: {why}");
                    Err(Box::new(error("L190", &statement.span, message)))
                }
            }
        })
    }

    fn evaluate_here(&mut self, statement: &Statement, text: &str) -> Result<Answer, Wrong> {
        match &statement.kind {
            StatementKind::Assign { name, value } => {
                let (value, notices) = self.value_of(value, text)?;
                self.names.insert(name.text.clone(), value);
                Ok(Answer { notices, ..Answer::default() })
            }
            StatementKind::Define { name, parameters, body } => {
                let definition =
                    text.get(statement.span.clone()).unwrap_or_default().trim().to_owned();
                let function = Function {
                    name: name.text.clone(),
                    parameters: parameters.iter().map(|name| name.text.clone()).collect(),
                    body: body.clone(),
                    text: Arc::from(text),
                    definition,
                };
                self.names.insert(name.text.clone(), Value::Function(Arc::new(function)));
                Ok(Answer::default())
            }
            StatementKind::Value(Expr { kind: ExprKind::Verb { verb, arguments, .. }, span }) => {
                match verb {
                    Verb::Forget => {
                        self.forget(arguments)?;
                        Ok(Answer::default())
                    }
                    Verb::Quit => Ok(Answer { ends: true, ..Answer::default() }),
                    Verb::Open => {
                        let StatementKind::Value(expr) = &statement.kind else {
                            return Ok(Answer::default());
                        };
                        let (value, notices) = self.value_of(expr, text)?;
                        Ok(self.opened(value, notices))
                    }
                    Verb::Mark | Verb::Unmark => {
                        let StatementKind::Value(expr) = &statement.kind else {
                            return Ok(Answer::default());
                        };
                        let (value, notices) = self.value_of(expr, text)?;
                        Ok(self.marked(arguments, value, notices))
                    }
                    _ => {
                        let _ = span;
                        self.shown(statement, text)
                    }
                }
            }
            StatementKind::Value(_) => self.shown(statement, text),
            StatementKind::Command { .. } => Ok(Answer::default()),
        }
    }

    /// Removes names.
    fn forget(&mut self, arguments: &[Argument]) -> Result<(), Wrong> {
        for argument in arguments {
            let name = match &argument.value.kind {
                ExprKind::Name(name) => name,
                _ => {
                    let wrong = error("L168", &argument.value.span, "`forget` takes names");
                    return Err(wrong.into());
                }
            };
            if self.names.remove(name).is_none() {
                let known: Vec<&str> = self.names.keys().map(String::as_str).collect();
                let near = cll_diagnostic::nearest(name, known.iter().copied());
                let wrong = error("L130", &argument.value.span, format!("there is no `{name}`"));
                return Err(match near {
                    Some(near) => wrong.help(format!("did you mean `{near}`?")),
                    None => wrong,
                }
                .into());
            }
        }
        Ok(())
    }

    /// Keeps marked samples under their name; without a name they are the answer.
    fn marked(&mut self, arguments: &[Argument], value: Value, mut notices: Vec<String>) -> Answer {
        let marked = arguments.first().and_then(|argument| marked_name(&argument.value));
        match marked.filter(|name| self.names.contains_key(*name)) {
            Some(name) => {
                self.names.insert(name.to_owned(), value);
                Answer { notices, ..Answer::default() }
            }
            None => {
                notices.push("the result has no name: `NAME = mark …` keeps it".to_owned());
                Answer { value: Some(value), notices, ends: false }
            }
        }
    }

    fn shown(&mut self, statement: &Statement, text: &str) -> Result<Answer, Wrong> {
        let StatementKind::Value(expr) = &statement.kind else { return Ok(Answer::default()) };
        let (value, notices) = self.value_of(expr, text)?;
        Ok(Answer { value: Some(value), notices, ends: false })
    }

    fn value_of(&self, expr: &Expr, text: &str) -> Result<(Value, Vec<String>), Wrong> {
        let mut evaluator =
            Evaluator::new(&self.names, &*self.host, self.limits, &self.interrupted);
        let scope = Scope { text, locals: &[], frame: None };
        let value = evaluator.value(expr, &scope)?;
        Ok((value, evaluator.notices))
    }

    /// Gives names to what a file holds.
    fn opened(&mut self, value: Value, mut notices: Vec<String>) -> Answer {
        let Value::Space(names) = &value else {
            return Answer { value: Some(value), notices, ends: false };
        };
        for (name, value) in names.iter() {
            if let Some(before) = self.names.insert(name.clone(), value.clone()) {
                notices.push(format!(
                    "`{}` was {} before and is replaced; `day = open …` keeps both",
                    name_text(name),
                    before.kind()
                ));
            }
        }
        Answer { value: Some(value), notices, ends: false }
    }

    fn command(&mut self, arguments: &[String], statement: &Statement) -> Result<Answer, Wrong> {
        match self.host.command(arguments) {
            Ok(0) => Ok(Answer::default()),
            Ok(code) => {
                if code == INTERRUPTED {
                    self.wait_for_interrupt();
                }
                let message = format!("the command ended with exit code {code}");
                Err(Box::new(error("L180", &statement.span, message)))
            }
            Err(refusal) => {
                let wrong = error("L180", &statement.span, refusal.message);
                Err(Box::new(refusal.help.into_iter().fold(wrong, Diagnostic::help)))
            }
        }
    }

    /// A terminal sends Ctrl-C to the command and to this process, where another thread may get it later: it must not
    /// end the next statement. Whoever interrupts the command alone waits for a second.
    fn wait_for_interrupt(&self) {
        for _ in 0..1000 {
            if self.interrupted.load(Ordering::Relaxed) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Reads files and gives names to what they hold, as `open` does.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    pub fn open(&mut self, files: &[String]) -> Result<Answer, crate::refusal::Refusal> {
        let opened = self.host.open(files, &TableOptions::default())?;
        let names: BTreeMap<String, Value> = opened.values.into_iter().collect();
        Ok(self.opened(Value::Space(Arc::new(names)), opened.notices))
    }

    /// The host: files and commands outside of the session.
    pub fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// Set to `true` from elsewhere, it ends the statement that is evaluated with an error.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// The names, with the kind of each value in a word: `samples`, `model`.
    pub fn names(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.names.iter().map(|(name, value)| (name.as_str(), value.kind()))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.names.get(name)
    }

    /// Lists the names that may stand after `NAME.`: columns of samples and tables, experiments of a model.
    pub fn members(&self, name: &str) -> Vec<String> {
        self.names.get(name).map_or_else(Vec::new, Value::members)
    }
}

/// The name whose samples are marked: `f` of `f where time > 1 s`.
fn marked_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Where(base, _) => marked_name(base),
        _ => None,
    }
}
