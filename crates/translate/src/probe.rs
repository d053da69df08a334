//! What the compiler says about `P`, `pid` and the handle.

use crate::translation::OwnNames;

impl OwnNames {
    /// Reads what the compiler printed for [`crate::Translation::probe`].
    ///
    /// The probe declares, where a place saves `P`, an array whose size is
    /// wrong if and only if the program has a `P` in scope there; likewise for the others. GCC and Clang
    /// name the array in their message, whatever the language they speak.
    /// Compile with `-fsyntax-only -fmax-errors=0` (Clang: `-ferror-limit=0`),
    /// without `-Wfatal-errors`.
    pub fn from_compiler(printed: &str) -> OwnNames {
        // One that lacks a header says nothing of what comes after it.
        let is_known = !printed.contains("fatal error");
        let mut own = OwnNames { is_known, ..OwnNames::default() };
        for line in printed.lines() {
            for (at, prefix) in line.match_indices("cll_probe_") {
                // Lines of the source may be shown too; a message puts the name in quotes.
                if line[..at].is_empty() || line[..at].ends_with([' ', '\t']) {
                    continue;
                }
                let Some((place, rest)) = line[at + prefix.len()..].split_once('_') else {
                    continue;
                };
                let Ok(place) = place.parse() else { continue };
                let name: String =
                    rest.chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect();
                match name.as_str() {
                    "P" => own.processors.insert(place),
                    "pid" => own.processor.insert(place),
                    "handle" => own.handle.insert(place),
                    _ => false,
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
