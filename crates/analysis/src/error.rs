//! The error of this crate.

use cll_files::Advice;

/// Why files cannot be read together, fitted, predicted from or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// Samples of a killed run.
    #[error(transparent)]
    Launch(#[from] cll_launch::Error),
    /// A campaign's database.
    #[error(transparent)]
    CampaignDb(#[from] cll_campaign_db::Error),
    /// What is asked for is wrong, or contradicts the files.
    #[error("{}", .0.message)]
    Request(Complaint),
    /// The content of a file is wrong.
    #[error("{}", .0.message)]
    Content(Complaint),
    /// The data do not suffice, or cannot be used.
    #[error("{}", .0.message)]
    Data(Complaint),
    /// The system refuses.
    #[error("{}", .0.message)]
    System(Complaint),
    /// A machine's file cannot be read.
    #[error("{source}")]
    Machine {
        /// The file cannot be read.
        source: cll_files::Error,
        /// The advice for the user.
        help: String,
    },
    /// A text is wrong: the messages have its diagnostics.
    #[error("a text is wrong")]
    Diagnosed,
}

/// An error in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// A lower-case fragment with the value in it.
    pub message: String,
    /// The advice for the user, one sentence each.
    pub help: Vec<String>,
}

impl Complaint {
    fn new(message: impl Into<String>) -> Complaint {
        Complaint { message: message.into(), help: Vec::new() }
    }
}

impl Error {
    /// What is asked for is wrong.
    pub fn request(message: impl Into<String>) -> Error {
        Error::Request(Complaint::new(message))
    }

    /// The content of a file is wrong.
    pub fn content(message: impl Into<String>) -> Error {
        Error::Content(Complaint::new(message))
    }

    /// The data cannot be used.
    pub fn data(message: impl Into<String>) -> Error {
        Error::Data(Complaint::new(message))
    }

    /// The system refuses.
    pub fn system(message: impl Into<String>) -> Error {
        Error::System(Complaint::new(message))
    }

    /// Adds a sentence on what to do. Errors of the crates below have their own.
    #[must_use]
    pub fn advise(mut self, sentence: impl Into<String>) -> Error {
        if let Error::Request(complaint)
        | Error::Content(complaint)
        | Error::Data(complaint)
        | Error::System(complaint) = &mut self
        {
            complaint.help.push(sentence.into());
        }
        self
    }
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        match self {
            Error::Files(error) => error.help(),
            Error::Launch(error) => error.help(),
            Error::CampaignDb(error) => error.help(),
            Error::Request(complaint)
            | Error::Content(complaint)
            | Error::Data(complaint)
            | Error::System(complaint) => complaint.help.clone(),
            Error::Machine { source, help } => {
                source.help().into_iter().chain([help.clone()]).collect()
            }
            Error::Diagnosed => Vec::new(),
        }
    }
}
