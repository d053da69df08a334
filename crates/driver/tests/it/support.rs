//! Folders of sources, and a listener that keeps what it hears.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use cll_diagnostic::Diagnostic;
use cll_driver::library::Library;
use cll_driver::{Driver, Listener, cc};
use cll_files::Advice;
use cll_files::Notices;
use tempfile::TempDir;

/// A source with an experiment.
pub const WALK: &str = "int main(void)\n{\n    int i, N = 9;\n#pragma cll walk walk[0] + walk[1]*N\n    for (i = 0; i < N; \
                        i++) ;\n#pragma cll end walk\n    return 0;\n}\n";
/// One without.
pub const PART: &str = "int part(void) { return 3; }\n";

/// The messages of the driver.
#[derive(Default)]
pub struct Heard {
    pub notices: RefCell<Vec<String>>,
    pub codes: RefCell<Vec<String>>,
    pub printed: String,
}

impl Notices for Heard {
    fn note(&self, text: &str) {
        self.notices.borrow_mut().push(format!("note: {text}"));
    }

    fn warn(&self, text: &str) {
        self.notices.borrow_mut().push(format!("warning: {text}"));
    }
}

impl Listener for Heard {
    fn diagnose(&self, _: &str, _: &[u8], diagnostics: &[Diagnostic]) {
        self.codes
            .borrow_mut()
            .extend(diagnostics.iter().map(|diagnostic| diagnostic.code.to_string()));
    }

    fn print(&mut self, text: &[u8]) -> std::io::Result<()> {
        self.printed += &String::from_utf8_lossy(text);
        Ok(())
    }
}

/// A folder with sources.
pub struct Place {
    folder: TempDir,
}

impl Place {
    /// `walk.c`, `sub/walk.c` and `part.c`.
    pub fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("walk.c", WALK);
        place.write("sub/walk.c", WALK);
        place.write("part.c", PART);
        place
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A program of `sh`.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        self.write(name, &format!("#!/bin/sh\n{text}"));
        let path = self.path().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The words of a line, in which `DIR` is the folder.
    pub fn words(&self, line: &str) -> Vec<OsString> {
        let folder = self.path().to_str().unwrap();
        line.split_whitespace().map(|word| word.replace("DIR", folder).into()).collect()
    }

    /// Calls a driver with a line.
    pub fn call(&self, line: &str, driver: Driver) -> (Result<u8, cll_driver::Error>, Heard) {
        let mut heard = Heard::default();
        let result = cc::run(self.words(line), driver, &mut heard);
        (result, heard)
    }

    /// The commands that a line becomes, with names in place of folders.
    pub fn shown(&self, line: &str, driver: Driver) -> String {
        let (result, heard) = self.call(&format!("--launch CC -show {line}"), driver);
        assert_eq!(result.unwrap(), 0, "{line}");
        self.named(&heard.printed)
    }

    /// A text with names in place of folders.
    pub fn named(&self, text: &str) -> String {
        let library = Library::find().unwrap();
        let mut text = text.replace(self.path().to_str().unwrap(), "DIR");
        text = text.replace(library.include.to_str().unwrap(), "LIB");
        text = text.replace(library.archive.parent().unwrap().to_str().unwrap(), "LIB");
        let work = std::env::temp_dir().join("cll-cc-");
        let mut parts = text.split(work.to_str().unwrap());
        let mut named = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            named += "WORK";
            named += part.get(16..).unwrap_or_default();
        }
        named
    }
}

/// The error, with its message and its help.
#[track_caller]
pub fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}
