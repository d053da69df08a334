//! How the kernel writes numbers, lists and sizes.

use std::fs;
use std::path::Path;

/// No list has larger numbers of processors.
const MAX_PROCESSORS: usize = 1024;

/// The content of a file without white space around it; empty if it cannot be read.
pub fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// The number in a file; `None` if there is none, such as `max`.
pub fn number(path: impl AsRef<Path>) -> Option<u64> {
    text(path).parse().ok()
}

/// The value in the first line `name: value`.
pub fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let value = |line: &'t str| line.strip_prefix(name)?.trim_start().strip_prefix(':');
    text.lines().find_map(value).map(str::trim)
}

/// A list of numbers: `0-2,5`.
pub fn numbers(text: &str) -> Vec<usize> {
    let part = |part: &str| -> Option<Vec<usize>> {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high): (usize, usize) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (high < MAX_PROCESSORS).then(|| (low..=high).collect())
    };
    text.trim().split(',').filter_map(part).flatten().collect()
}

/// A size: `48K`, `8M`, `1024 kB`, `65536`.
pub fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" | "KB" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return None,
    };
    digits.trim_end().parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_files_with_names() {
        let status = "Name:\tx\nThreads:\t3\nmodel name\t: A B\nmodel\t: 7\n";
        assert_eq!((field(status, "Threads"), field(status, "model")), (Some("3"), Some("7")));
        assert_eq!((field(status, "model name"), field(status, "Thread")), (Some("A B"), None));
    }

    #[test]
    fn lists_of_the_kernel() {
        assert_eq!(numbers("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(numbers("7"), [7]);
        assert_eq!(numbers("x,1-99999999999"), Vec::<usize>::new());
    }

    #[test]
    fn sizes_with_units_of_1024() {
        assert_eq!(bytes("48K\n"), Some(48 << 10));
        assert_eq!(
            (bytes("1024 kB"), bytes("8m"), bytes("9")),
            (Some(1 << 20), Some(8 << 20), Some(9))
        );
        for wrong in ["", "K", "1X", "1 000K", "-1K", "99999999999G"] {
            assert_eq!(bytes(wrong), None, "{wrong:?}");
        }
    }
}
