//! The exit codes of errors of `cll-campaign-db`.

use cll_campaign_db::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Launch(error) => return error.into(),
            Error::Exists(_) | Error::Several { .. } => Status::Usage,
            Error::NoCampaign(_)
            | Error::Version { .. }
            | Error::Plan { .. }
            | Error::Damaged { .. } => Status::Input,
            Error::Held(_) | Error::DiskFull(_) | Error::Database { .. } | Error::Lost(_) => {
                Status::System
            }
        };
        Failure::with(status, &error)
    }
}
