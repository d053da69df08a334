//! The exit code of each error.

use cll_files::{Failure, Status};

use crate::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match &error {
            Error::Unknown { .. }
            | Error::OnlySimulated(_)
            | Error::NotSimulated { .. }
            | Error::TooMany { .. } => Status::Usage,
            Error::NotAvailable { .. } | Error::NoValgrind | Error::Folder(_) => Status::System,
        };
        Failure::with(status, &error)
    }
}
