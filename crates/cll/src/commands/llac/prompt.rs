//! The prompt.

use std::sync::atomic::Ordering;

use cll_llac::syntax::{Completeness, is_complete};
use rustyline::config::Config;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Editor};
use signal_hook::consts::SIGINT;

use super::editor::EditorLines;
use super::history;
use super::runner::{Runner, Script};
use crate::failure::Failure;

const FIRST: &str = "llac> ";
const NEXT: &str = "   .. ";

/// The input that was typed.
enum Typed {
    /// Statements.
    Text(String),
    /// Nothing: the line was given up.
    Nothing,
    /// The end.
    End,
}

/// Prompts for statements until the user ends.
pub fn run(runner: &mut Runner<'_>) -> Result<u8, Failure> {
    let failed = |error: ReadlineError| Failure::system(format!("the terminal fails: {error}"));
    let color = runner.terminal.style().color;
    let config = Config::builder()
        .max_history_size(history::KEPT)
        .map_err(failed)?
        .completion_type(CompletionType::List)
        .color_mode(if color { ColorMode::Enabled } else { ColorMode::Disabled })
        .build();
    let mut editor: Editor<EditorLines, DefaultHistory> =
        Editor::with_config(config).map_err(failed)?;
    editor.set_helper(Some(EditorLines { color, ..EditorLines::default() }));
    let kept = history::file();
    if let Some(file) = &kept {
        // There is none before the first session.
        let _ = editor.load_history(file);
    }
    let interrupt = runner.interrupt();
    // At the prompt the terminal gives the key itself.
    signal_hook::flag::register(SIGINT, interrupt.clone())
        .map_err(|error| Failure::system(format!("cannot watch for Ctrl-C: {error}")))?;
    if !runner.mode.quiet {
        let version = env!("CARGO_PKG_VERSION");
        runner.terminal.line(format!(
            "llac, the analyzer of cll {version}. `help` lists the words, Ctrl-D ends."
        ))?;
    }
    loop {
        runner.terminal.flush()?;
        if let Some(helper) = editor.helper_mut() {
            helper.names = runner.names();
        }
        let text = match typed(&mut editor).map_err(failed)? {
            Typed::Text(text) => text,
            Typed::Nothing => continue,
            Typed::End => return Ok(0),
        };
        if text.trim().is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(text.trim_end());
        if let Some(file) = &kept {
            let _ = editor.append_history(file);
        }
        interrupt.store(false, Ordering::Relaxed);
        let script = Script { name: "prompt".to_owned(), text };
        match runner.run(&script) {
            Ok(done) if done.ends => return Ok(0),
            Ok(_) | Err(Failure::Reported(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
}

/// Reads lines until they are statements.
fn typed(editor: &mut Editor<EditorLines, DefaultHistory>) -> Result<Typed, ReadlineError> {
    let mut text = String::new();
    loop {
        if let Some(helper) = editor.helper_mut() {
            helper.before.clone_from(&text);
        }
        let prompt = if text.is_empty() { FIRST } else { NEXT };
        match editor.readline(prompt) {
            Ok(line) => text.push_str(&line),
            Err(ReadlineError::Eof) if text.is_empty() => return Ok(Typed::End),
            // What is there is run, and says what is missing.
            Err(ReadlineError::Eof) => return Ok(Typed::Text(text)),
            Err(ReadlineError::Interrupted) => return Ok(Typed::Nothing),
            // The window has another size, or the program was stopped and goes on.
            Err(ReadlineError::Signal(_)) => continue,
            Err(error) => return Err(error),
        }
        text.push('\n');
        if is_complete(&text) != Completeness::Incomplete {
            return Ok(Typed::Text(text));
        }
    }
}
