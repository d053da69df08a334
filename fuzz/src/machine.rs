//! Machine files: every message has its place, and what was read is written and read as the same.

use cll_machine::{read, write};

/// Reads `data` as a machine's file.
pub fn check(data: &[u8]) {
    let found = read(data);
    for one in &found.diagnostics {
        let places = one.secondary.iter().chain([&one.primary]).map(|label| &label.span);
        for span in places {
            assert!(span.start <= span.end && span.end <= data.len(), "{one:?}");
        }
    }
    let failed = found.diagnostics.iter().any(|one| one.is_error());
    assert_eq!(found.machine.is_none(), failed, "{:?}", found.diagnostics);
    let Some(machine) = found.machine else { return };
    let text = write(&machine);
    let again = read(text.as_bytes());
    assert_eq!(again.diagnostics, [], "{text}");
    assert_eq!(again.machine, Some(machine), "{text}");
}
