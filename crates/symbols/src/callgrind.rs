//! The reader of callgrind's output by lines.
//!
//! The output was written without compression: `--compress-strings=no --compress-pos=no`.

use std::collections::BTreeMap;

/// Instructions by file, without its folders, and line.
pub type LineCounts = BTreeMap<(String, u32), u64>;

/// Callgrind's options for such a file.
pub const OPTIONS: [&str; 5] =
    ["--tool=callgrind", "-q", "--dump-line=yes", "--compress-strings=no", "--compress-pos=no"];

/// Reads callgrind's output, written with [`OPTIONS`]: the instructions of each line itself. Lines that are no record are
/// skipped.
pub fn instructions(text: &str) -> LineCounts {
    let mut numbers = LineCounts::new();
    let mut file = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line.split_once('=') {
            // The costs in the line behind a call are those of the callee.
            Some(("calls", _)) => {
                lines.next();
            }
            Some(("fl" | "fi" | "fe", path)) => file = path.rsplit('/').next().unwrap_or_default(),
            Some(_) => (),
            None => {
                let mut words = line.split_whitespace().map_while(|word| word.parse::<u64>().ok());
                if let (Some(number), Some(count)) = (words.next(), words.next()) {
                    *numbers.entry((file.to_owned(), number as u32)).or_default() += count;
                }
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version: 1\npositions: line\nevents: Ir\n\nob=/tmp/x\nfl=/tmp/x.c\nfn=main\n5 10\n\
                        6 4\ncfi=/tmp/y.c\ncfn=f\ncalls=3 17\n6 999\nfi=/tmp/inc/z.h\n9 7\nfe=/tmp/x.c\n\
                        6 20\n\nfl=/tmp/y.c\nfn=f\n17 999\n\ntotals: 1040\n";

    #[test]
    fn lines_have_what_they_cost_themselves() {
        let numbers = instructions(TEXT);
        let cost_of = |file: &str, line| numbers.get(&(file.to_owned(), line)).copied();
        assert_eq!(cost_of("x.c", 5), Some(10));
        assert_eq!(
            (cost_of("x.c", 6), cost_of("z.h", 9), cost_of("y.c", 17)),
            (Some(24), Some(7), Some(999))
        );
        assert_eq!(numbers.values().sum::<u64>(), 1040);
        assert!(instructions("").is_empty());
    }
}
