//! The exit codes of errors of `cll-files`.

use std::io;

use cll_files::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match &error {
            // The reader of a pipe is gone, such as that of standard output.
            Error::Unwritten { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => {
                return Failure::BrokenPipe;
            }
            Error::Unreadable { source, .. } => match source.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => Status::Input,
                _ => Status::System,
            },
            Error::TooLong { .. } => Status::Input,
            Error::NoName
            | Error::WouldReplaceKept { .. }
            | Error::WouldReplaceOther { .. }
            | Error::WouldReplaceInput(_) => Status::Usage,
            Error::Refused { .. }
            | Error::Unwritten { .. }
            | Error::NoFolder { .. }
            | Error::NoTemporaryFolder { .. }
            | Error::Unnumbered { .. }
            | Error::NumbersUsed { .. }
            | Error::IsFolder(_)
            | Error::EndsInSlash(_)
            | Error::NoParent { .. }
            | Error::NotPermitted { .. }
            | Error::NotServed { .. } => Status::System,
        };
        Failure::with(status, &error)
    }
}
