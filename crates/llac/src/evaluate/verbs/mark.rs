//! `mark f where time > 3*median(time)` and `unmark f`.

use cll_diagnostic::counted;

use super::Phrase;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::samples::Level;
use crate::syntax::Verb;
use crate::syntax::ast::ExprKind;
use crate::value::Value;

impl Evaluator<'_> {
    /// The samples with marks added, or removed. Marked samples stay visible; fits and statistics leave them out.
    pub(super) fn mark(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        Clauses::new(phrase.verb, phrase.clauses, &[])?;
        let what = "samples, such as `f where time > 1 s`";
        let argument = only(phrase.verb, phrase.arguments, what, phrase.span)?;
        let marks = phrase.verb == Verb::Mark;
        let (source, condition) = match &argument.kind {
            ExprKind::Where(source, condition) => (&**source, Some(&**condition)),
            _ => (argument, None),
        };
        let samples = self.samples(source, scope)?;
        let which = match condition {
            None if marks => {
                let wrong = error("L168", &argument.span, "which samples?");
                return Err(wrong.help("such as `mark f where time > 1 s`").into());
            }
            None => vec![true; samples.rows()],
            Some(condition) => {
                let (level, keep) = self.marked(&samples, condition, scope)?;
                match level {
                    Level::Rows => keep,
                    Level::Groups => {
                        let each = samples.groups.iter().zip(keep);
                        each.flat_map(|(group, keep)| std::iter::repeat_n(keep, group.len()))
                            .collect()
                    }
                }
            }
        };
        let count = which.iter().filter(|which| **which).count();
        let marked = samples.with_marks(&which, marks);
        let all = marked.marked();
        let (is, are) =
            (format!("sample of {} is", samples.name), format!("samples of {} are", samples.name));
        self.notice(if marks {
            format!("{} marked, {all} in all", counted(count, &is, &are))
        } else {
            format!("{} still marked", counted(all, &is, &are))
        });
        Ok(Value::samples(marked))
    }
}
