//! Runs of small programs here.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use cll_files::Notices;
use cll_launch::{
    Host, Launcher, Local, Options, Others, Outcome, Program, Run, Streams, ending, launch,
};
use tempfile::tempdir;

/// Keeps what it is told.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Notices for Told {
    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }
}

/// A run of a shell with a script, whose output goes to a file.
fn run(folder: &Path, script: &str, timeout: Option<Duration>) -> Run<'static> {
    let options = Options {
        arguments: vec!["-c".into(), script.into(), "name".into(), "it's one".into()],
        variables: vec![("WORD".to_owned(), "a b".into())],
        ..Options::default()
    };
    let program =
        Program { path: Path::new("/bin/sh"), parallelism: Default::default(), has_threads: false };
    Run {
        launch: launch(&options, &program, &Host::here(None)),
        name: "sh",
        number: None,
        kind: "dat",
        engine: String::new(),
        machine: String::new(),
        processors: 1,
        folder: folder.join("traces"),
        work: Some(folder.to_path_buf()),
        timeout,
        others: Others::None,
        ranks: None,
        streams: Streams::Log(File::create(folder.join("log")).unwrap()),
        place: None,
        watched: false,
    }
}

/// One after another: they share the process's signals.
#[test]
fn a_program_is_run_to_its_end() {
    let folder = tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let notices = Told::default();
    let mut local = Local::new(&notices).unwrap();
    let mut outcome = |script: &str, timeout: Option<Duration>| -> Outcome {
        local.launch(run(&folder, script, timeout)).unwrap()
    };
    let log = || fs::read_to_string(folder.join("log")).unwrap();

    let done = outcome("echo \"$1, $WORD, $(pwd)\"; echo error >&2; read x || echo end", None);
    assert_eq!(ending(&done), None);
    assert_eq!(log(), format!("it's one, a b, {}\nerror\nend\n", folder.display()));
    assert!(done.trace.is_none() && done.interrupted.is_none() && done.left.is_empty());
    assert_eq!(fs::read_dir(folder.join("traces")).unwrap().count(), 0, "nothing was recorded");

    assert_eq!(outcome("exit 7", None).status.code(), Some(7));
    let killed = outcome("kill -SEGV $$", None);
    assert!(ending(&killed).unwrap().contains("SIGSEGV"), "{killed:?}");

    // Time that is up ends it, and what does not hear is killed.
    let limit = Duration::from_millis(50);
    for script in ["sleep 600", "trap '' TERM; while :; do sleep 600; done"] {
        let late = outcome(script, Some(limit));
        assert!(late.timed_out && late.wall >= limit, "{late:?}");
        assert_eq!(ending(&late).unwrap(), "took too long and was ended");
    }
    // An interrupt is not lost if it arrives when the program has just ended: it counts for this launch or the next one.
    let ended = outcome("(while kill -0 $$; do :; done; kill -INT $PPID) & exit 0", None);
    if ended.interrupted.is_none() {
        let next = outcome("sleep 600", Some(Duration::from_secs(60)));
        assert!(next.interrupted.is_some(), "{ended:?} {next:?}");
    }
    let quick = outcome("exit 0", Some(Duration::from_secs(600)));
    assert!(!quick.timed_out && ending(&quick).is_none());
    assert!(notices.0.lock().unwrap().is_empty(), "{:?}", notices.0);
}

#[test]
fn a_program_that_cannot_be_started_is_named_and_leaves_no_trace() {
    let folder = tempdir().unwrap();
    let notices = Told::default();
    let mut local = Local::new(&notices).unwrap();
    let mut run = run(folder.path(), "", None);
    run.launch.command.program = folder.path().join("gone");
    let failure = local.launch(run).unwrap_err().to_string();
    assert!(failure.contains("cannot run") && failure.contains("gone: no such file"), "{failure}");
    assert_eq!(fs::read_dir(folder.path().join("traces")).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_made_is_reported_before_the_program_runs() {
    let folder = tempdir().unwrap();
    let notices = Told::default();
    let mut run = run(folder.path(), "echo ran", None);
    fs::write(folder.path().join("file"), "").unwrap();
    run.folder = folder.path().join("file/x");
    let failure = Local::new(&notices).unwrap().launch(run).unwrap_err().to_string();
    assert!(failure.contains("file/x"), "{failure}");
    assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), "");
}
