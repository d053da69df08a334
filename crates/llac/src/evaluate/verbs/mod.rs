//! Verbs.

mod aggregate;
mod chart;
mod compare;
mod cost;
mod export;
mod fit;
mod fit_options;
mod group;
mod join;
mod mark;
mod merge;
mod model_plot;
mod open;
mod places;
mod plan;
mod plot;
mod predict;
mod show;
mod upsilon;

use super::{Evaluator, Scope, Wrong, error};
use crate::syntax::Verb;
use crate::syntax::ast::{Argument, Clause, Span};
use crate::value::Value;

/// A verb with what it is applied to.
#[derive(Clone, Copy)]
pub(crate) struct Phrase<'a> {
    /// The verb.
    pub verb: Verb,
    /// The arguments that the verb is applied to.
    pub arguments: &'a [Argument],
    /// How.
    pub clauses: &'a [Clause],
    /// The place of all of it.
    pub span: &'a Span,
}

impl Evaluator<'_> {
    /// The value of a verb.
    pub(super) fn verb(
        &mut self,
        verb: Verb,
        arguments: &[Argument],
        clauses: &[Clause],
        scope: &Scope<'_>,
        span: &Span,
    ) -> Result<Value, Wrong> {
        let phrase = &Phrase { verb, arguments, clauses, span };
        match verb {
            Verb::Show => self.show(phrase, scope),
            Verb::Open => self.open(phrase, scope),
            Verb::Fit | Verb::Search | Verb::Suggest => self.fit(phrase, scope),
            Verb::Predict => self.predict(phrase, scope),
            Verb::Plot => self.plot(phrase, scope),
            Verb::Compare => self.compare(phrase, scope),
            Verb::Print | Verb::Report => self.export(phrase, scope),
            Verb::Group => self.group(phrase, scope),
            Verb::Merge => self.merge(phrase, scope),
            Verb::Join => self.join(phrase, scope),
            Verb::Order => self.order(phrase, scope),
            Verb::Pivot => self.pivot(phrase, scope),
            Verb::Mark | Verb::Unmark => self.mark(phrase, scope),
            Verb::Cost => self.cost(phrase, scope),
            Verb::Plan => self.plan(phrase, scope),
            Verb::Upsilon => self.upsilon(phrase, scope),
            Verb::Aleph => self.aleph(phrase, scope),
            Verb::Save if !clauses.is_empty() => self.export(phrase, scope),
            Verb::Save | Verb::Source | Verb::History | Verb::Forget | Verb::Help | Verb::Quit => {
                let message = format!("`{}` is a statement and has no value", verb.word());
                Err(error("L169", span, message).help("write it on a line of its own").into())
            }
        }
    }
}
