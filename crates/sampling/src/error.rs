//! The error of this crate.

use std::io;

use cll_campaign::TemplateError;
use cll_files::{Advice, reason};

/// Why rounds cannot be made or kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// A launch.
    #[error(transparent)]
    Launch(#[from] cll_launch::Error),
    /// The program's arguments are wrong.
    #[error("the program's arguments: {0}")]
    Arguments(TemplateError),
    /// The program's output cannot be kept.
    #[error("cannot write the program's output: {0}")]
    Output(io::Error),
    /// The plan cannot be written.
    #[error("cannot write the plan: {0}")]
    PlanNotWritten(serde_json::Error),
    /// The file of a plan cannot be read.
    #[error("{}", reason(.0))]
    PlanUnreadable(io::Error),
    /// The file of a plan is damaged.
    #[error("{0}")]
    PlanDamaged(serde_json::Error),
    /// The file is another one.
    #[error("it is not a plan")]
    NoPlan,
    /// The plan was written by an older cll.
    #[error("an older cll wrote it, and it does not say which program was measured")]
    PlanOlder,
    /// The plan was written by a newer cll.
    #[error("it is of version {version}, and this cll reads {known}")]
    PlanNewer {
        /// The plan's version.
        version: u32,
        /// The newest that is known.
        known: u32,
    },
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        match self {
            Error::Files(error) => error.help(),
            Error::Launch(error) => error.help(),
            Error::Arguments(TemplateError { help: Some(help), .. }) => vec![help.clone()],
            Error::Arguments(TemplateError { help: None, .. }) => {
                vec!["the program's arguments follow `--`; in a plan: arguments".to_owned()]
            }
            Error::Output(_)
            | Error::PlanNotWritten(_)
            | Error::PlanUnreadable(_)
            | Error::PlanDamaged(_)
            | Error::NoPlan
            | Error::PlanOlder
            | Error::PlanNewer { .. } => Vec::new(),
        }
    }
}
