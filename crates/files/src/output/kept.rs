//! Files that no output of another kind replaces: what a person or a long measurement has made.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The kind of a file that cannot simply be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The text of a program.
    Source,
    /// A trace or a log.
    Recording,
    /// A machine's file.
    Machine,
}

/// The bytes that identify a file.
const START: u64 = 1 << 12;
/// The first bytes of traces and logs (docs/formats/trace.md).
const RECORDING: &[u8] = b"CLL1";
/// The key with which files of machines begin (docs/formats/machine.md).
const MACHINE: &[u8] = b"cll-machine";
/// The mark of a page of this program, in its head.
const PAGE: &[u8] = b"name=\"generator\" content=\"cll ";
/// Extensions of sources in languages that annotated programs have.
const SOURCES: [&str; 26] = [
    "c", "h", "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "H", "f", "for", "f77", "f90",
    "f95", "f03", "f08", "F", "F77", "F90", "F95", "cu", "s", "S", "rs",
];

impl Kept {
    /// The kind of an existing file, if it is one of these and not empty.
    pub(super) fn from_file(path: &Path) -> Option<Kept> {
        let start = start(path);
        if start.is_empty() {
            return None;
        }
        let has_key = |line: &[u8]| line.trim_ascii_start().starts_with(MACHINE);
        let extension = path.extension().and_then(|extension| extension.to_str());
        if start.starts_with(RECORDING) {
            Some(Kept::Recording)
        } else if start.split(|&byte| byte == b'\n').any(has_key) {
            Some(Kept::Machine)
        } else if extension.is_some_and(|extension| SOURCES.contains(&extension)) {
            Some(Kept::Source)
        } else {
            None
        }
    }

    /// As a message has it: `a source`.
    pub fn text(self) -> &'static str {
        match self {
            Kept::Source => "the source of a program",
            Kept::Recording => "a trace or a log",
            Kept::Machine => "the file of a machine",
        }
    }
}

/// Whether a file that begins so is a page of this program.
pub(super) fn is_page(start: &[u8]) -> bool {
    start.windows(PAGE.len()).any(|bytes| bytes == PAGE)
}

/// Whether an existing file is empty, or begins as this program's do.
pub(super) fn is_own(path: &Path, is_own: fn(&[u8]) -> bool) -> bool {
    let start = start(path);
    start.is_empty() || is_own(&start)
}

fn start(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    // A file that cannot be read has no kind: whether it can be written is asked elsewhere.
    let _ = File::open(path).map(|file| file.take(START).read_to_end(&mut start));
    start
}
