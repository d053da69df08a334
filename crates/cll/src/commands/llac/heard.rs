//! Messages about files that are read, kept for the answer of a statement.

use std::cell::RefCell;

use cll_analysis::Messages;
use cll_diagnostic::{Diagnostic, Lines};
use cll_files::Notices;
use cll_llac::Refusal;

use crate::failure::Failure;

/// Notices, and diagnostics as sentences.
#[derive(Debug, Default)]
pub struct Heard {
    notices: RefCell<Vec<String>>,
    wrong: RefCell<Vec<Refusal>>,
}

impl Heard {
    /// The notices that were given.
    pub fn notices(self) -> Vec<String> {
        self.notices.into_inner()
    }

    /// The failure, with the diagnostics that it stands for.
    pub fn refusal(&self, failure: impl Into<Failure>) -> Refusal {
        match failure.into() {
            Failure::Message { message, help, .. } => Refusal { message, help },
            Failure::BrokenPipe | Failure::Reported(_) => {
                let first = self.wrong.borrow().first().cloned();
                first.unwrap_or(Refusal {
                    message: "it cannot be read".to_owned(),
                    help: Vec::new(),
                })
            }
        }
    }
}

impl Notices for Heard {
    fn note(&self, text: &str) {
        self.notices.borrow_mut().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.notices.borrow_mut().push(text.to_owned());
    }
}

impl Messages for Heard {
    fn diagnose(&self, name: &str, text: &[u8], diagnostics: &[Diagnostic]) {
        let lines = Lines::new(text);
        for diagnostic in diagnostics {
            let (line, column) = lines.position(text, diagnostic.primary.span.start);
            let sentence = format!("{name}:{line}:{column}: {}", diagnostic.message);
            if diagnostic.is_error() {
                self.wrong
                    .borrow_mut()
                    .push(Refusal { message: sentence, help: diagnostic.help.clone() })
            } else {
                self.note(&sentence)
            }
        }
    }
}
