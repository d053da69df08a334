//! The exit codes of errors of `cll-analysis`.

use cll_analysis::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Launch(error) => return error.into(),
            Error::CampaignDb(error) => return error.into(),
            Error::Machine { source, help } => return Failure::from(source).help(help),
            Error::Diagnosed => return Failure::Reported(Status::Input),
            Error::Request(_) => Status::Usage,
            Error::Content(_) => Status::Input,
            Error::Data(_) => Status::Fit,
            Error::System(_) => Status::System,
        };
        Failure::with(status, &error)
    }
}
