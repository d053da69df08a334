//! The exit codes of errors of `cll-mpi-model`.

use cll_mpi_model::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match &error {
            Error::AllHeldOut
            | Error::Unknown { .. }
            | Error::Missing { .. }
            | Error::NoProcesses(_) => Status::Usage,
            Error::NoCosts(_) | Error::NothingInCommon(_) => Status::Input,
            Error::Segment(_) => Status::Fit,
        };
        let failure = Failure::message(status, error.to_string());
        match error.help() {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}
