//! `@FILE` in a command line means the words in that file.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::compiler::split_words;

/// The largest nesting of files, for files that name themselves.
const MAX_DEPTH: usize = 32;

/// Replaces each `@FILE`. One that cannot be read is kept, as compilers do.
pub fn expand(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::with_capacity(arguments.len());
    into(arguments, 0, &mut out);
    out
}

fn into(arguments: Vec<OsString>, depth: usize, out: &mut Vec<OsString>) {
    for argument in arguments {
        let file = argument.as_bytes().strip_prefix(b"@").filter(|_| depth < MAX_DEPTH);
        let words = file
            .and_then(|name| fs::read(Path::new(std::ffi::OsStr::from_bytes(name))).ok())
            .and_then(|text| split_words(&OsString::from_vec(text)).ok());
        match words {
            Some(words) => into(words, depth + 1, out),
            None => out.push(argument),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_words_nest_and_end() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("inner"), "-DX='a b'\n-c").unwrap();
        fs::write(path("outer"), format!("-O2 @{}", path("inner").display())).unwrap();
        fs::write(path("self"), format!("x @{}", path("self").display())).unwrap();
        let word_file = |name: &str| OsString::from(format!("@{}", path(name).display()));
        assert_eq!(expand(vec![word_file("outer"), "a.c".into()]), ["-O2", "-DX=a b", "-c", "a.c"]);
        assert_eq!(expand(vec!["@nowhere".into()]), ["@nowhere"]);
        assert_eq!(expand(vec![word_file("self")]).len(), MAX_DEPTH + 1);
    }
}
