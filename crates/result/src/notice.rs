//! A remark with a code for scripts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A warning with a name for scripts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// Stays the same over versions.
    pub code: String,
    /// For people.
    pub text: String,
}

impl Notice {
    /// A warning.
    pub fn new(code: &str, text: impl Into<String>) -> Notice {
        Notice { code: code.to_owned(), text: text.into() }
    }
}
