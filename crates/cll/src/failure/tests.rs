use std::io;

use super::*;

fn status(failure: impl Into<Failure>) -> Option<Status> {
    match failure.into() {
        Failure::Message { status, .. } | Failure::Reported(status) => Some(status),
        Failure::BrokenPipe => None,
    }
}

#[test]
fn each_kind_of_failure_has_its_exit_code() {
    for (failure, code) in [
        (Failure::usage("x"), 2),
        (Failure::input("x"), 3),
        (Failure::compile("x"), 4),
        (Failure::program("x"), 5),
        (Failure::fit("x"), 6),
        (Failure::system("x"), 7),
    ] {
        let Failure::Message { status, message, help } = failure.help("first").help("second")
        else {
            panic!("no message");
        };
        assert_eq!((status.code(), message.as_str()), (code, "x"));
        assert_eq!(help, ["first", "second"]);
    }
    assert_eq!(Status::NotMeasurable.code(), 8);
    // What is printed already, or for nobody, has no help.
    assert!(matches!(Failure::BrokenPipe.help("x"), Failure::BrokenPipe));
    assert!(matches!(Failure::Reported(Status::Input).help("x"), Failure::Reported(Status::Input)));
}

/// A file that is not there is the user's mistake; one that may not be read is the system's refusal.
#[test]
fn files_that_cannot_be_read() {
    let code = |number: i32| {
        status(cll_files::Error::unreadable("a/b", io::Error::from_raw_os_error(number)))
    };
    assert_eq!(code(2), Some(Status::Input));
    assert_eq!(code(21), Some(Status::Input));
    assert_eq!(code(13), Some(Status::System));
    assert_eq!(code(5), Some(Status::System));
}

/// The reader of an output may be gone; for a file that is written otherwise that is an error.
#[test]
fn a_closed_output_is_no_failure() {
    let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
    assert_eq!(status(cll_files::Error::unwritten("x", gone())), None);
    assert_eq!(status(cll_driver::Error::Print(gone())), None);
    assert_eq!(status(cll_files::Error::refused("write", "x", gone())), Some(Status::System));
}

/// An error of a crate below has its own exit code, through whichever crates it comes.
#[test]
fn errors_keep_their_exit_codes_on_their_way_up() {
    let held = || cll_files::Error::WouldReplaceInput("x".into());
    assert_eq!(status(held()), Some(Status::Usage));
    let launch = || cll_launch::Error::from(held());
    assert_eq!(status(launch()), Some(Status::Usage));
    assert_eq!(status(cll_sampling::Error::from(launch())), Some(Status::Usage));
    assert_eq!(status(cll_campaign_db::Error::from(launch())), Some(Status::Usage));
    assert_eq!(
        status(cll_probe::Error::from(cll_driver::Error::from(held()))),
        Some(Status::Usage)
    );
    let sampling = cll_sampling::Error::from(launch());
    assert_eq!(status(cll_measure::Error::from(sampling)), Some(Status::Usage));
    assert_eq!(status(cll_measure::Error::from(cll_driver::Error::Diagnosed)), Some(Status::Input));
    let analysis = cll_analysis::Error::data("too few");
    assert_eq!(status(cll_measure::Error::from(analysis)), Some(Status::Fit));
}

/// The path that is not there decides the exit code; the advice stands behind that of its error.
#[test]
fn what_is_around_an_error_is_in_its_message() {
    let source = || {
        let error = io::Error::from(io::ErrorKind::NotFound);
        cll_files::Error::unreadable("heta", error)
    };
    let near = Some("heat".into());
    let Failure::Message { status, help, .. } =
        cll_launch::Error::NoProgram { source: source(), near }.into()
    else {
        panic!("no message");
    };
    assert_eq!((status, help), (Status::Input, vec!["did you mean heat?".to_owned()]));
    let error = Box::new(cll_probe::Error::NoAccesses);
    let said = ": no input".to_owned();
    let Failure::Message { status, message, .. } =
        cll_probe::Error::NotBegun { error, said }.into()
    else {
        panic!("no message");
    };
    assert_eq!(status, Status::Program);
    assert_eq!(message, "the program sends no accesses: no input");
}

#[test]
fn errors_of_what_is_measured() {
    let no_program = cll_launch::Error::NotInPath { name: "heat".into(), is_here: false };
    assert_eq!(status(no_program), Some(Status::Input));
    let refused = cll_launch::Error::NotGranted {
        system: "slurm",
        processors: 4,
        answer: "no partition".to_owned(),
    };
    assert_eq!(status(refused), Some(Status::Program));
    let counter = cll_counters::Error::OnlySimulated("sim::Ir".to_owned());
    assert_eq!(status(counter), Some(Status::Usage));
    let source = cll_measure::Error::NotCompiled {
        what: "a.c does not compile".to_owned(),
        command: "cc -c a.c".to_owned(),
        mismatch: None,
    };
    assert_eq!(status(source), Some(Status::Compile));
    assert_eq!(status(cll_measure::Error::ShortRegions(Vec::new())), Some(Status::Fit));
    assert_eq!(status(cll_probe::Error::ProbeNotCompiled), Some(Status::Compile));
    assert_eq!(status(cll_campaign_db::Error::Held("x".into())), Some(Status::System));
}
