//! Warnings on a model.

use cll_fit::{Fit, Unit, Warning, sentences};

use crate::document::{Block, Notice, Section};
use crate::style::Style;

/// All warnings of a fit. Empty if there is none.
pub(crate) fn section(fit: &Fit, style: &Style) -> Section {
    if fit.warnings.is_empty() {
        return Section::default();
    }
    let all = sentences(&fit.warnings, &fit.unit).into_iter().map(|sentence| Notice {
        code: sentence.code.to_owned(),
        text: style.notation().text(&sentence.text),
    });
    Section::new("Warnings", "", vec![Block::Notices(all.collect())])
}

/// A warning, with its place if its text does not name it.
pub(crate) fn notice(warning: &Warning, unit: &Unit, place: &str, style: &Style) -> Notice {
    let mut text = style.notation().text(&warning.text(unit));
    if !place.is_empty() {
        text = format!("{place}: {text}");
    }
    Notice { code: warning.code().to_owned(), text }
}
