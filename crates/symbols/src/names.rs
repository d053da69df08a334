//! Names of functions as in their sources.

use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, Symbol};

/// The largest length of a name in bytes; longer names are cut, with an ellipsis.
const MAX_NAME_BYTES: usize = 4096;
/// Suffixes that compilers add to the name of a function that they have copied, split or specialised.
const CLONES: [&str; 6] = ["isra", "constprop", "part", "cold", "lto_priv", "llvm"];

/// The name of a function from that of its symbol: demangled for C++, Rust and Fortran, without suffixes of
/// copies. `fortran`: whether a name that ends in `_` may be Fortran.
pub fn readable(symbol: &str, fortran: bool) -> String {
    let name = without_clones(symbol);
    let readable = if name.len() > MAX_NAME_BYTES { None } else { demangled(name, fortran) };
    cut(readable.unwrap_or_else(|| name.to_owned()))
}

/// The name without the suffixes of copies of a function: `f.part.0` is `f`.
pub fn without_clones(mut name: &str) -> &str {
    while let Some((front, last)) = name.rsplit_once('.') {
        let number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
        // GCC numbers the functions of OpenMP regions; these are different functions.
        let region = front.ends_with("_omp_fn") || front.ends_with("_omp_cpyfn");
        if front.is_empty() || region || !(number || CLONES.contains(&last)) {
            break;
        }
        name = front;
    }
    name
}

fn demangled(name: &str, fortran: bool) -> Option<String> {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        // The alternate form has no hash.
        return limited(|out| write!(out, "{rust:#}"));
    }
    if name.starts_with("_Z") || name.starts_with("__Z") {
        let symbol = Symbol::new(name).ok()?;
        let options = DemangleOptions::new().no_return_type().recursion_limit(64);
        return limited(|out| symbol.structured_demangle(out, &options));
    }
    // gfortran: a procedure of a module.
    if let Some((module, procedure)) = name.strip_prefix("__").and_then(|n| n.split_once("_MOD_"))
        && !module.is_empty()
        && !procedure.is_empty()
    {
        return Some(format!("{module}::{procedure}"));
    }
    let plain = name.strip_suffix('_').filter(|_| fortran && !name.ends_with("__"))?;
    (!plain.is_empty()).then(|| plain.to_owned())
}

/// The written text, unless it becomes too long: short mangled names can expand without limit.
fn limited(write: impl FnOnce(&mut Limited) -> fmt::Result) -> Option<String> {
    let mut out = Limited(String::new());
    write(&mut out).ok()?;
    Some(out.0)
}

struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_NAME_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

fn cut(mut name: String) -> String {
    if name.len() > MAX_NAME_BYTES {
        let mut end = MAX_NAME_BYTES;
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        name.truncate(end);
        name.push('…');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (symbol, expected) in [
            ("main", "main"),
            ("_ZN2ns3fooEid", "ns::foo(int, double)"),
            ("_ZN2ns3barIiEEvT_", "ns::bar<int>(int)"),
            ("_ZN4core3ptr4swap17h0123456789abcdefE", "core::ptr::swap"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("__solver_MOD_step", "solver::step"),
            ("step.isra.0", "step"),
            ("step.part.0.cold", "step"),
            ("_ZN2ns3fooEid.constprop.1", "ns::foo(int, double)"),
            ("inner.3", "inner"),
            ("main._omp_fn.0", "main._omp_fn.0"),
            (".L5", ".L5"),
            ("_Z", "_Z"),
            ("a..", "a.."),
            ("", ""),
        ] {
            assert_eq!(readable(symbol, false), expected, "{symbol}");
        }
        assert_eq!(readable("step_", true), "step");
        assert_eq!(readable("step_", false), "step_");
        assert_eq!(readable("MAIN__", true), "MAIN__");
    }

    #[test]
    fn names_that_are_too_long_are_cut() {
        let long = "é".repeat(5_000_000);
        let shown = readable(&long, true);
        assert!(shown.len() <= MAX_NAME_BYTES + '…'.len_utf8() && shown.ends_with('…'));
        // Each substitution doubles it.
        let bomb = format!("_Z1fI{}E", "N1aIS_S_EE".repeat(300));
        assert!(readable(&bomb, false).len() <= MAX_NAME_BYTES + 3);
        let mut doubled = "_Z1f1A".to_owned();
        for k in 0..60 {
            let seq = if k == 0 { String::new() } else { radix36(k - 1) };
            doubled.push_str(&format!("M_S{seq}_S{seq}_"));
        }
        assert!(readable(&doubled, false).len() <= MAX_NAME_BYTES + 3);
    }

    fn radix36(mut n: usize) -> String {
        let mut digits = Vec::new();
        loop {
            digits.push(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36] as char);
            n /= 36;
            if n == 0 {
                break digits.into_iter().rev().collect();
            }
        }
    }
}
