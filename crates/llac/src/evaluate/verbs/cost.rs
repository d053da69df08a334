//! `cost fft on "mine.toml" at N = 2^21`: a program's time by BSP, OBSP and OBSP\*.

use super::Phrase;
use super::export::refused;
use crate::evaluate::arguments::{Clauses, only};
use crate::evaluate::{Evaluator, Scope, Wrong, error};
use crate::syntax::ClauseWord;
use crate::value::Value;

impl Evaluator<'_> {
    /// Computes the cost of a program, or of the logs of a run, on a machine.
    pub(super) fn cost(&mut self, phrase: &Phrase<'_>, scope: &Scope<'_>) -> Result<Value, Wrong> {
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[ClauseWord::On, ClauseWord::At])?;
        let expr = only(phrase.verb, phrase.arguments, "a program or a log", phrase.span)?;
        let Value::Thing(program) = self.value(expr, scope)? else {
            let wrong = error("L181", &expr.span, "`cost` takes a program or a log");
            return Err(wrong.help("such as `cost fft` after `open \"fft.obsp.toml\"`").into());
        };
        let items = clauses.get(ClauseWord::At).map_or(&[][..], |clause| &clause.items);
        let variations = self.variations(items, scope)?;
        let all = self.combinations(&variations, phrase.span)?;
        let machine = match clauses.single_value(ClauseWord::On)? {
            None => None,
            Some(on) => match self.value(on, scope)? {
                Value::Text(name) => Some(name.to_string()),
                Value::Thing(machine) if machine.kind() == "machine" => Some(machine.summary()),
                other => {
                    let message = format!("`on` takes a machine, not {}", other.a_kind());
                    return Err(error("L181", &on.span, message).into());
                }
            },
        };
        let cost = program
            .cost(machine.as_deref(), &all)
            .map_err(|refusal| refused(refusal, phrase.span))?;
        Ok(cost)
    }
}
