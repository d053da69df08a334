//! How programs end, in words.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use cll_launch::{Lost, Outcome, ending, exit_code};

fn outcome(raw: i32) -> Outcome {
    Outcome::ended(0, ExitStatus::from_raw(raw), Duration::ZERO)
}

#[test]
fn each_end_has_its_words_and_its_exit_code() {
    for (raw, words, code) in [
        (0, None, 0),
        (3 << 8, Some("ended with exit code 3"), 3),
        (255 << 8, Some("ended with exit code 255"), 255),
        (6, Some("was ended by signal 6 (SIGABRT: abort, such as a failed assert)"), 134),
        (9, Some("was ended by signal 9 (SIGKILL: killed, perhaps since memory was short)"), 137),
        (11, Some("was ended by signal 11 (SIGSEGV: bad memory access)"), 139),
        // With a core file.
        (11 | 0x80, Some("was ended by signal 11 (SIGSEGV: bad memory access)"), 139),
        (25, Some("was ended by signal 25 (SIGXFSZ: limit of file size)"), 153),
        (40, Some("was ended by signal 40 (see man 7 signal)"), 168),
    ] {
        let outcome = outcome(raw);
        assert_eq!(ending(&outcome).as_deref(), words, "{raw}");
        assert_eq!(exit_code(outcome.status), code, "{raw}");
    }
    let late = Outcome { timed_out: true, ..outcome(15) };
    assert_eq!(ending(&late).as_deref(), Some("took too long and was ended"));
}

#[test]
fn what_could_not_be_written_is_told_with_what_is_kept() {
    let lost = |blocks: u64, kept: u64| {
        let error = std::io::Error::from_raw_os_error(28);
        Lost { blocks, bytes: 4096 * blocks, error, kept }.text()
    };
    assert_eq!(
        lost(1, 0),
        "1 block (4096 bytes) of recorded samples could not be written: no space left on device; nothing is kept"
    );
    assert_eq!(
        lost(3, 77),
        "3 blocks (12288 bytes) of recorded samples could not be written: no space left on device; the 77 bytes that \
         were written are complete blocks and are kept"
    );
}
