//! The error of models.

/// Why there is no model of an MPI program, or no prediction by it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// No run is left.
    #[error("all points are held out: there is nothing to make a model of")]
    AllHeldOut,
    /// The formula that the user gives has no fit.
    #[error("the formula cannot be fitted to a segment: {0}")]
    Segment(String),
    /// The machine has no costs of messages.
    #[error("{0} has no costs of MPI's primitives")]
    NoCosts(String),
    /// The runs have other calls, each of them.
    #[error("the runs have no structure in common{0}")]
    NothingInCommon(String),
    /// A prediction names a variable that the model does not have.
    #[error("--predict {location}: there is no variable {name}: {near}")]
    Unknown {
        /// Where to predict.
        location: String,
        /// The variable.
        name: String,
        /// Those that it has.
        near: String,
    },
    /// A prediction lacks a value.
    #[error("--predict {location}: it needs a value of {name}")]
    Missing {
        /// Where to predict.
        location: String,
        /// The variable.
        name: String,
    },
    /// The value of P is no number of processes.
    #[error("--predict {0}: P is a number of processes")]
    NoProcesses(String),
}

impl Error {
    /// The advice for the user, if there is any.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Error::Segment(_) => {
                Some("run more values of its variables, or give a formula with fewer constants")
            }
            Error::NothingInCommon(_) => Some(
                "a model needs ranks that make the same calls in the same order, but for passages of loops",
            ),
            _ => None,
        }
    }
}
