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
