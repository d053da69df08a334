//! Why a constant changes, as a model keeps it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The array that leaves a level of the memory where a constant changes, as `cll why` has followed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeCause {
    /// The constant, `f[2]`.
    pub constant: String,
    /// The place of the change, in units of the axis.
    pub at: f64,
    /// The array.
    pub array: String,
    /// The file of the line that accesses it.
    pub file: String,
    /// The line with most of the accesses.
    pub line: u32,
    /// The level that it leaves.
    pub level: String,
    /// The bytes of that level.
    pub bytes: f64,
    /// The bytes of a page, where the level is one of address translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<f64>,
}
