//! The exit codes of errors of `cll-launch`.

use cll_launch::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::NoProgram { source, near } => {
                let help = near.map(|near| format!("did you mean {}?", near.display()));
                let failure = Failure::from(source);
                return help.into_iter().fold(failure, Failure::help);
            }
            Error::NoMpirun(_)
            | Error::OtherMpirun { .. }
            | Error::UnknownMpirun { .. }
            | Error::NoBatchSystem(_)
            | Error::Directives { .. } => Status::Usage,
            Error::NoCounter { .. }
            | Error::NoMpi { .. }
            | Error::UnknownMpi { .. }
            | Error::StaticMpi(_)
            | Error::NotExecutable(_)
            | Error::NotInPath { .. }
            | Error::RecordsNothing(_)
            | Error::OtherInterface { .. }
            | Error::UnknownModel { .. }
            | Error::Script(_)
            | Error::NotElf { .. }
            | Error::OtherRecords { .. }
            | Error::DamagedRecords { .. }
            | Error::TaskResult(_) => Status::Input,
            Error::NotGranted { .. } => Status::Program,
            Error::Signals(_)
            | Error::NoMemory(_)
            | Error::Memory(_)
            | Error::Output(_)
            | Error::Wait(_)
            | Error::TooMany { .. }
            | Error::NotRecovered { .. }
            | Error::Submit { .. } => Status::System,
        };
        Failure::with(status, &error)
    }
}
