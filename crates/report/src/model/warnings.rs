//! What the reader should know before trusting the model.

use cll_fit::{Fit, Warning};

use super::section::{INDENT, hanging, title};
use crate::style::{Role, Style};

/// All warnings of a fit. Empty where there is none.
pub(crate) fn section(fit: &Fit, style: &Style) -> String {
    if fit.warnings.is_empty() {
        return String::new();
    }
    let mut out = title("Warnings", "", style);
    for warning in &fit.warnings {
        out.push_str(&one(warning, "", style));
    }
    out
}

/// A warning behind its mark, with its code: `! N = 9000: … [beyond]`.
pub(crate) fn one(warning: &Warning, place: &str, style: &Style) -> String {
    let mut text = style.notation().text(&warning.to_string());
    if !place.is_empty() {
        text = format!("{place}: {text}");
    }
    hanging("! ", &format!("{text} [{}]", warning.code()), INDENT, Role::Plain, style)
}
