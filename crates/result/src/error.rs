//! Why a model cannot be read or written.

/// The reason why a model cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The bytes are those of a trace.
    #[error("this is a trace: fit it first, cll fit TRACE -o model.json")]
    Trace,
    /// They are something else.
    #[error("this is no model ({0})")]
    NoModel(String),
    /// The model's version is not known here.
    #[error(
        "the model has version {version}, and this program reads up to version {known}: use a newer \
         one"
    )]
    Newer {
        /// The model's.
        version: u32,
        /// The newest that is known.
        known: u32,
    },
    /// The file claims to be a model, but it is damaged.
    #[error("damaged model: {0}")]
    Damaged(serde_json::Error),
    /// It has a value that JSON cannot represent.
    #[error("cannot write the model: {0}")]
    Unwritable(serde_json::Error),
}

/// Why the time of a program on another machine does not follow from the time on this one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CarryError {
    /// The fit is not one of times.
    #[error("{name} is in {unit}, not a time")]
    NoTime {
        /// The experiment.
        name: String,
        /// The unit of the fit.
        unit: String,
    },
    /// The fit has no prediction for a value.
    #[error("{name}: {source}")]
    Predict {
        /// The experiment.
        name: String,
        /// The reason.
        source: cll_fit::PredictError,
    },
    /// The data of an experiment lack a variable of the counts.
    #[error("{0}: its data lack a variable")]
    NoVariable(String),
    /// The data lack a variable of the formula.
    #[error("its data lack a variable")]
    LackingVariable,
    /// There are fewer times than costs.
    #[error("{0}: too few measured times")]
    FewTimes(String),
    /// The constants cannot be fitted again.
    #[error("{0}")]
    Fit(cll_fit::FitError),
    /// The costs of the machines cannot be compared.
    #[error(
        "{without_levels} has no levels of memory, and {without_rate} no operations per second"
    )]
    NoCosts {
        /// The machine without levels.
        without_levels: String,
        /// The machine without a rate.
        without_rate: String,
    },
}

/// Why the interval of a prediction does not allow for levels of memory beyond the data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LevelError {
    /// The experiment has no working set.
    #[error(
        "{0}: its working set is not known, so its interval does not allow for levels of memory beyond the data: fit it with --working-set {0}=EXPRESSION"
    )]
    NoWorkingSet(String),
    /// The working set is not one of the fit.
    #[error("{name}: {source}")]
    WorkingSet {
        /// The experiment.
        name: String,
        /// The reason.
        source: cll_fit::FitError,
    },
    /// The machine has no level for the working set.
    #[error(
        "{name}: {machine} does not say which level of memory holds its working set, {expression} bytes, so its interval does not allow for that: cll machine probe --memory measures the levels"
    )]
    NoLevel {
        /// The experiment.
        name: String,
        /// The machine.
        machine: String,
        /// The working set.
        expression: String,
    },
}

/// Why the effect of a change cannot be predicted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name}: {source}")]
pub struct ChangeError {
    /// The experiment.
    pub name: String,
    /// The reason.
    pub source: cll_fit::PredictError,
}
