//! The exit codes of errors of `cll-sampling`.

use cll_sampling::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Launch(error) => return error.into(),
            Error::Arguments(_) => Status::Usage,
            Error::PlanDamaged(_) | Error::NoPlan | Error::PlanOlder | Error::PlanNewer { .. } => {
                Status::Input
            }
            Error::Output(_) | Error::PlanNotWritten(_) | Error::PlanUnreadable(_) => {
                Status::System
            }
        };
        Failure::with(status, &error)
    }
}
