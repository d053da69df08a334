use cll_trace::{Trace, read};

use crate::export;

/// As [`cll_trace::check`]; also writes the trace in every export format.
///
/// # Panics
/// As that, or if a format cannot be written.
pub fn check(bytes: &[u8]) {
    cll_trace::check(bytes);
    if let Ok(trace) = read(bytes) {
        exports(bytes, &trace);
    }
}

fn exports(bytes: &[u8], trace: &Trace) {
    let mut csv = Vec::new();
    let mut export =
        export::CsvExport::new(&mut csv, std::slice::from_ref(trace)).expect("a vector takes all");
    export.add(bytes, trace).expect("the same bytes are read again");
    export.finish().expect("a vector takes all");
    export::json(trace, std::io::sink()).expect("nothing fails to be written nowhere");
    for group in export::extrap_groups(trace) {
        // That the result can be read again is a test of the export.
        let _ = export::extrap(&group, &mut std::io::sink());
    }
}
