//! The exit codes of errors of `cll-driver`.

use std::io;

use cll_driver::Error;

use super::{Failure, Status};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Files(error) => return error.into(),
            Error::Diagnosed => return Failure::Reported(Status::Input),
            Error::Print(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Failure::BrokenPipe;
            }
            Error::NoExtensions { .. }
            | Error::CompilerWords { .. }
            | Error::BlankCompiler(_)
            | Error::OwnCompiler { .. }
            | Error::NoLaunched
            | Error::AutoWithout { .. }
            | Error::Names { .. }
            | Error::NoName
            | Error::Backslash
            | Error::OpenQuote(_)
            | Error::OptionWords { .. }
            | Error::NoEngine(_)
            | Error::StaticThreads => Status::Usage,
            Error::Print(_)
            | Error::StandardInput(_)
            | Error::CompilerOutput(_)
            | Error::Compiler { .. }
            | Error::NoCompiler { .. }
            | Error::NoMpi { .. }
            | Error::NotReported(_)
            | Error::OwnObject { .. }
            | Error::NoFolder(_)
            | Error::NoWorkFolder { .. }
            | Error::NoCache { .. }
            | Error::OthersCache(_)
            | Error::NoInstallation(_)
            | Error::LibraryNotBuilt { .. }
            | Error::LibraryRemoved => Status::System,
        };
        Failure::with(status, &error)
    }
}
