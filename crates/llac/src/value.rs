//! Values.

/// A value of the language.
#[derive(Clone, Debug)]
pub enum Value {
    /// True or false.
    Bool(bool),
}

impl Value {
    /// The kind in a word.
    pub fn kind(&self) -> &'static str {
        "truth value"
    }

    /// What may stand after a dot.
    pub fn members(&self) -> Vec<String> {
        Vec::new()
    }
}
