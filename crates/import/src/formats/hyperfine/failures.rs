//! Runs that failed: they have no time.

use std::collections::HashMap;

use crate::distinct::distinct;
use crate::error::{ImportCause, ImportError};
use crate::measurements::Measurements;

/// Runs that failed.
#[derive(Default)]
pub(super) struct Failures {
    /// Command, exit code (none: ended by a signal), and number of runs.
    left_out: Vec<(String, Option<f64>, usize)>,
    index: HashMap<(String, Option<u64>), usize>,
    pub(super) kept: usize,
}

impl Failures {
    pub(super) fn add(&mut self, command: &str, code: Option<f64>) {
        let key = (command.to_owned(), code.map(f64::to_bits));
        let index = *self.index.entry(key).or_insert_with(|| {
            self.left_out.push((command.to_owned(), code, 0));
            self.left_out.len() - 1
        });
        self.left_out[index].2 += 1;
    }

    /// Notes what is left out.
    ///
    /// # Errors
    /// If no run is left.
    pub(super) fn done(self, to: &mut Measurements<'_>) -> Result<(), ImportError> {
        const SHOWN: usize = 4;
        let runs: usize = self.left_out.iter().map(|(_, _, count)| count).sum();
        if runs == 0 {
            return Ok(());
        }
        let exit_text = |code: &Option<f64>| match code {
            Some(code) => format!("exit code {code}"),
            None => "ended by a signal".to_owned(),
        };
        if self.kept == 0 {
            let all = self.left_out.iter().map(|(_, code, _)| code.map(f64::to_bits));
            let all: Vec<Option<f64>> =
                distinct(all).into_iter().map(|code| code.map(f64::from_bits)).collect();
            let codes: Vec<String> = all.iter().map(exit_text).collect();
            let kept: Vec<String> = all.iter().flatten().map(f64::to_string).collect();
            let message = match runs {
                1 => format!("the only run failed: {}", codes.join(", ")),
                runs => format!("all {runs} runs failed: {}", codes.join(", ")),
            };
            let error = ImportCause::Unexpected(message).error_at(0, 0);
            return Err(if kept.is_empty() {
                error.help("a run that a signal has ended has no time: measure it again")
            } else {
                error.help(format!(
                    "--exit-codes {} keeps them, if that is no failure of the program",
                    kept.join(",")
                ))
            });
        }
        let shown: Vec<String> = self
            .left_out
            .iter()
            .take(SHOWN)
            .map(|(command, code, count)| format!("{count} of `{command}` ({})", exit_text(code)))
            .collect();
        let more = match self.left_out.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(", and {more} more commands"),
        };
        to.note(format!("runs that failed are left out: {}{more}", shown.join(", ")));
        Ok(())
    }
}
