//! Why a plot cannot be made.

/// Why a plot cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// The variable for the x axis was not recorded.
    #[error("{variable} was not recorded; the x axis can be {}", .recorded.join(", "))]
    UnknownVariable {
        /// The requested name.
        variable: String,
        /// The recorded variables.
        recorded: Vec<String>,
    },
}
