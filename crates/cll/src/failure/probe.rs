//! The exit codes of errors of `cll-probe`.

use cll_probe::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Launch(error) => return error.into(),
            Error::Driver(error) => return error.into(),
            Error::ProbeNotCompiled => return Failure::Reported(Status::Compile),
            Error::Diagnosed => return Failure::Reported(Status::Input),
            Error::NotBegun { error, said } => {
                return match Failure::from(*error) {
                    Failure::Message { status, message, help } => {
                        Failure::Message { status, message: message + &said, help }
                    }
                    other => other,
                };
            }
            Error::Arguments { .. } | Error::NotMpi | Error::Model { .. } => Status::Usage,
            Error::NoExperiment(_) | Error::NotLinked => Status::Input,
            Error::NotCompiled(_) => Status::Compile,
            Error::Interrupted { .. }
            | Error::NoEngine
            | Error::NoMpi { .. }
            | Error::Supersteps { .. }
            | Error::Kernel { .. }
            | Error::Mpi { .. }
            | Error::Unfinished
            | Error::ProgramInterrupted
            | Error::ProgramEnded { .. }
            | Error::ProgramFailed { .. }
            | Error::EndedBefore { .. }
            | Error::NoAccesses => Status::Program,
            Error::Messages(_)
            | Error::NotRun(_)
            | Error::Object(_)
            | Error::Accesses(_)
            | Error::Reader => Status::System,
        };
        Failure::with(status, &error)
    }
}
