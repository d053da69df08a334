//! Reads the compiler's answer about `P`, `pid` and the handle.

use crate::translation::OwnNames;

impl OwnNames {
    /// Reads what the compiler printed for [`crate::Translation::probe`].
    ///
    /// If a place records `P`, the probe declares an array there whose size is invalid if and only
    /// if the program has a `P` in scope; likewise for the others. GCC and Clang name the array in
    /// their message, in any language. Compile with `-fsyntax-only -fmax-errors=0` (Clang:
    /// `-ferror-limit=0`), without `-Wfatal-errors`.
    pub fn from_compiler(printed: &str) -> OwnNames {
        // If a header is missing, the compiler reports nothing after it.
        let is_known = !printed.contains("fatal error");
        let mut own = OwnNames { is_known, ..OwnNames::default() };
        for line in printed.lines() {
            for (position, prefix) in line.match_indices("cll_probe_") {
                // The output may also show source lines; a message quotes the name.
                if line[..position].is_empty() || line[..position].ends_with([' ', '\t']) {
                    continue;
                }
                let Some((place, rest)) = line[position + prefix.len()..].split_once('_') else {
                    continue;
                };
                let Ok(place) = place.parse() else { continue };
                let name: String =
                    rest.chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect();
                match name.as_str() {
                    "P" => own.processors.insert(place),
                    "pid" => own.processor.insert(place),
                    "handle" => own.handle.insert(place),
                    value => value
                        .strip_prefix('v')
                        .and_then(|index| index.parse().ok())
                        .is_some_and(|index| own.integers.insert((place, index))),
                };
            }
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_count_and_source_lines_do_not() {
        let printed = "\
x.c: In function 'main':
x.c:3:33: error: 'P' undeclared (first use in this function)
    3 | { extern char cll_probe_0_P[sizeof (P) ? -1 : 1]; }
x.c:5:15: error: size of array 'cll_probe_12_P' is negative
x.c:6:15: error: 'cll_probe_2_pid' declared as an array with a negative size
{ extern char cll_probe_2_pid[sizeof (pid) ? -1 : 1]; }
              ^
x.c:9:33: error: use of undeclared identifier 'P'
{ extern char cll_probe_4_P[sizeof (P) ? -1 : 1]; }
                                    ^
";
        let own = OwnNames::from_compiler(printed);
        assert_eq!(own.processors, [12].into());
        assert_eq!(own.processor, [2].into());
        assert!(own.is_known);
        assert!(!OwnNames::from_compiler("x.c:1:10: fatal error: mpi.h: No such file").is_known);
    }
}
