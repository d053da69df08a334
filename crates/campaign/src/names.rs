//! Names of parameters.

/// Whether a text is a name: letters, digits and `_`, no digit first.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(letter) && !text.starts_with(|c: char| c.is_ascii_digit())
}
