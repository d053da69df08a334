//! Headers beside a source whose text is compiled in another folder.

use std::ffi::OsString;
use std::path::Path;

/// The current folder in the search path: a header found there is `././x.h`, which no user writes, so that it can
/// be changed back to `x.h`.
pub const HERE: &str = "././";

/// Arguments with which the text of `source`, compiled in the folder `elsewhere`, finds the headers beside the
/// source, with the names that they have from there.
pub fn sibling_headers(source: &Path, elsewhere: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::with_capacity(5);
    match source.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => arguments.extend(["-iquote".into(), folder.into()]),
        None => {
            // For `__FILE__` and debug information.
            arguments.push(format!("-ffile-prefix-map={HERE}=").into());
            arguments.extend(["-iquote".into(), HERE.trim_end_matches('/').into()]);
        }
    }
    // GCC drops the last folder of `-iquote` if the first of `-I` is the same, and
    // would then name the headers as `-I` does.
    arguments.extend(["-iquote".into(), elsewhere.into()]);
    arguments
}
