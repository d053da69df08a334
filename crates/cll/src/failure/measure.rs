//! The exit codes of errors of `cll-measure`.

use cll_measure::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Launch(error) => return error.into(),
            Error::Driver(error) => return error.into(),
            Error::Counters(error) => return error.into(),
            Error::Sampling(error) => return error.into(),
            Error::Analysis(error) => return error.into(),
            Error::Diagnosed => return Failure::Reported(Status::Input),
            Error::NoVariable { .. }
            | Error::Sequential(_)
            | Error::FewCores { .. }
            | Error::SameName(_)
            | Error::Words { .. }
            | Error::ShortBudget { .. }
            | Error::NothingVaried
            | Error::NotInFormulas(_)
            | Error::ChosenByProgram(_)
            | Error::EngineForModels(_)
            | Error::NotBsp(_)
            | Error::VirtualOnly(_) => Status::Usage,
            Error::NoExperiment(_) | Error::NoRegion { .. } => Status::Input,
            Error::NotCompiled { .. } | Error::NotPlain | Error::PlainDoesLess => Status::Compile,
            Error::Pilot { .. } | Error::NoCalls { .. } => Status::Program,
            Error::ShortRegions(_) => Status::Fit,
            Error::OthersFolder(_) | Error::Held(_) => Status::System,
        };
        Failure::with(status, &error)
    }
}
