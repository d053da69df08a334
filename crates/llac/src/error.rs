//! The error of models, samples and comparisons.

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A model has several experiments.
    #[error("the model has {} experiments ({}): choose one, such as `m.{}`", .0.len(), .0.join(", "), .0.first().map_or("", String::as_str))]
    Several(Vec<String>),
    /// An experiment has no fit.
    #[error("{name} has no fit: {why}")]
    NoFit {
        /// The experiment.
        name: String,
        /// The reason.
        why: String,
    },
    /// There is no such constant.
    #[error("there is no constant {name}: there are {}", .known.join(", "))]
    NoConstant {
        /// The name.
        name: String,
        /// The constants.
        known: Vec<String>,
    },
    /// The data do not determine a constant.
    #[error("the data do not determine {0}")]
    Undetermined(String),
    /// A value is given to a model without variables.
    #[error("{model}: it has no variables, and {variable} is given")]
    NoVariables {
        /// The model.
        model: String,
        /// The variable.
        variable: String,
    },
    /// A value is given to a variable that the model does not have.
    #[error("{model}: it has no variable {variable}: {suggestion}")]
    NoVariable {
        /// The model.
        model: String,
        /// The variable.
        variable: String,
        /// The names that exist, or the one that was probably meant.
        suggestion: String,
    },
    /// A variable has no value.
    #[error("{model}: it needs {variable}")]
    Missing {
        /// The model.
        model: String,
        /// The variable.
        variable: String,
    },
    /// A model has no prediction for values.
    #[error("{model}: {source}")]
    Predict {
        /// The model.
        model: String,
        /// The reason.
        source: cll_fit::PredictError,
    },
    /// Samples have no formula.
    #[error("its source gives no formula")]
    NoFormula,
    /// Samples cannot be fitted.
    #[error("{0}")]
    NotFitted(String),
    /// A table has no numbers of this name.
    #[error("the table has no numbers `{name}`: {}", .known.join(", "))]
    NoColumn {
        /// The name.
        name: String,
        /// Columns of numbers.
        known: Vec<String>,
    },
    /// No column of a table is known as the result.
    #[error("which column was measured? `with column = NAME` chooses it")]
    NoResult,
    /// A table has no numbers.
    #[error("it has no numbers")]
    NoNumbers,
    /// A column is longer or shorter than the one along x.
    #[error("{label} has {values} values, and there are {along} along x")]
    OtherLength {
        /// The column.
        label: String,
        /// Number of its values.
        values: usize,
        /// Number of values along x.
        along: usize,
    },
    /// There are fewer points than constants.
    #[error("{points} points do not determine {constants} constants")]
    FewPoints {
        /// Number of points.
        points: usize,
        /// Number of constants.
        constants: usize,
    },
    /// A term is zero at all points.
    #[error("a term is zero at all points")]
    ZeroTerm,
    /// Terms are the same at all points.
    #[error("the points do not tell the terms apart")]
    EqualTerms,
    /// The system of equations has no solution.
    #[error("{0}")]
    Singular(&'static str),
}

impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}
