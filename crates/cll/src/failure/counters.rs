//! The exit codes of errors of `cll-counters`.

use cll_counters::Error;

use super::{Failure, Status};

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
