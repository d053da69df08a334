//! The languages that are translated.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The language of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    /// C.
    C,
    /// C++.
    Cxx,
}

impl Language {
    /// The language of a file by its name, by the compilers' rules. `None`: neither of the two.
    pub fn from_path(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" => Some(Language::Cxx),
            _ => None,
        }
    }

    /// The language that `-x` names.
    pub fn named(name: &OsStr) -> Option<Language> {
        match name.as_bytes() {
            b"c" => Some(Language::C),
            b"c++" => Some(Language::Cxx),
            _ => None,
        }
    }

    /// The language that the last `-x` among a compiler's options names, for any file name.
    pub fn in_options(options: &[OsString]) -> Option<Language> {
        let mut named = None;
        let mut options = options.iter();
        while let Some(option) = options.next() {
            named = match option.as_bytes().strip_prefix(b"-x") {
                Some(b"") => options.next().and_then(|name| Language::named(name)),
                // `-xHost` of other compilers is not a language and has no effect.
                Some(name) => Language::named(OsStr::from_bytes(name)).or(named),
                None => named,
            };
        }
        named
    }

    /// The options of a compiler without `-x`, for linking.
    pub fn without(options: Vec<OsString>) -> Vec<OsString> {
        let mut rest = Vec::with_capacity(options.len());
        let mut options = options.into_iter();
        while let Some(option) = options.next() {
            match option.as_bytes().strip_prefix(b"-x") {
                Some(b"") => drop(options.next()),
                Some(name) if Language::named(OsStr::from_bytes(name)).is_some() => {}
                _ => rest.push(option),
            }
        }
        rest
    }

    /// The word after `-x`.
    pub fn option(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }
}

/// Whether a text has a line `#pragma cll`.
pub fn has_directives(text: &[u8]) -> bool {
    let is_ours = |line: &[u8]| {
        let mut words = line.split(|byte| b" \t".contains(byte)).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let second = if first == b"#" { words.next() } else { first.strip_prefix(b"#") };
        second == Some(b"pragma") && words.next() == Some(b"cll")
    };
    text.split(|&byte| byte == b'\n').any(is_ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_options_give_the_language() {
        assert_eq!(Language::from_path(Path::new("a.c")), Some(Language::C));
        assert_eq!(Language::from_path(Path::new("d.c/a.C")), Some(Language::Cxx));
        assert_eq!(Language::from_path(Path::new("a.f")), None);
        let options = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Language::in_options(&words)
        };
        assert_eq!(options("-O2 -x c -DX"), Some(Language::C));
        assert_eq!(options("-xc -xc++"), Some(Language::Cxx));
        assert_eq!(options("-xc -xHost"), Some(Language::C));
        assert_eq!(options("-O2"), None);
        let rest =
            Language::without(["-x", "c", "-xHost", "-xc++", "-g"].map(OsString::from).into());
        assert_eq!(rest, ["-xHost", "-g"]);
    }

    #[test]
    fn directives_are_seen_in_any_spelling() {
        assert!(has_directives(b"int x;\n  # \tpragma  cll a a[0]\n"));
        assert!(has_directives(b"#pragma cll a a[0]"));
        assert!(!has_directives(b"#pragma clls\n// pragma cll\n#pragma omp cll\n"));
    }
}
