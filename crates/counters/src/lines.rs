//! Instructions by line, from callgrind's output.

use std::collections::BTreeMap;

/// Instructions by file, without its folders, and line.
pub type Lines = BTreeMap<(String, u32), u64>;

/// Callgrind's options for such a file.
pub const OPTIONS: [&str; 5] =
    ["--tool=callgrind", "-q", "--dump-line=yes", "--compress-strings=no", "--compress-pos=no"];

/// Reads callgrind's output, written with [`OPTIONS`]: the instructions of each line itself.
pub fn lines(text: &str) -> Lines {
    let mut found = Lines::new();
    let mut file = String::new();
    let mut is_call = false;
    for line in text.lines() {
        if let Some((word, rest)) = line.split_once('=') {
            match word {
                "fl" | "fi" | "fe" => {
                    file = rest.rsplit('/').next().unwrap_or_default().to_owned();
                }
                // The next line has the cost of the called function.
                "calls" => is_call = true,
                _ => {}
            }
            continue;
        }
        let mut words = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(number)), Some(Ok(count))) = (words.next(), words.next()) else { continue };
        if !std::mem::take(&mut is_call) {
            *found.entry((file.clone(), number as u32)).or_default() += count;
        }
    }
    found
}

/// A line with other numbers of instructions in two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    pub file: String,
    pub line: u32,
    pub with: u64,
    pub without: u64,
}

/// The lines of these files, the largest difference first, that have more than 5 % more or fewer instructions with
/// markers than without, and whose difference is more than 1 % of all instructions of these files.
pub fn differing(
    with: &Lines,
    without: &Lines,
    is_own: impl Fn(&str, u32) -> bool,
) -> Vec<Differs> {
    const MIN_CHANGE: f64 = 0.05;
    const MIN_SHARE: f64 = 0.01;
    let all: u64 = without
        .iter()
        .filter(|((file, line), _)| is_own(file, *line))
        .map(|(_, count)| count)
        .sum();
    let keys = with.keys().chain(without.keys().filter(|key| !with.contains_key(*key)));
    let count = |lines: &Lines, key| lines.get(key).copied().unwrap_or(0);
    let mut found: Vec<Differs> = keys
        .filter(|(file, line)| is_own(file, *line))
        .map(|key| Differs {
            file: key.0.clone(),
            line: key.1,
            with: count(with, key),
            without: count(without, key),
        })
        .filter(|one| {
            let difference = one.with.abs_diff(one.without) as f64;
            difference > MIN_CHANGE * one.with.min(one.without) as f64
                && difference > MIN_SHARE * all as f64
        })
        .collect();
    found.sort_by_key(|one| std::cmp::Reverse(one.with.abs_diff(one.without)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version: 1\npositions: line\nevents: Ir\n\nob=/tmp/x\nfl=/tmp/x.c\nfn=main\n5 10\n\
                        6 4\ncfi=/tmp/y.c\ncfn=f\ncalls=3 17\n6 999\nfi=/tmp/inc/z.h\n9 7\nfe=/tmp/x.c\n\
                        6 20\n\nfl=/tmp/y.c\nfn=f\n17 999\n\ntotals: 1040\n";

    #[test]
    fn lines_have_what_they_cost_themselves() {
        let found = lines(TEXT);
        let of = |file: &str, line| found.get(&(file.to_owned(), line)).copied();
        assert_eq!(of("x.c", 5), Some(10));
        assert_eq!((of("x.c", 6), of("z.h", 9), of("y.c", 17)), (Some(24), Some(7), Some(999)));
        assert_eq!(found.values().sum::<u64>(), 1040);
        assert!(lines("").is_empty());
    }

    #[test]
    fn what_differs_and_matters_is_found() {
        let key = |line| ("x.c".to_owned(), line);
        let without: Lines = [(key(1), 1000), (key(2), 500), (key(3), 10), (key(9), 5000)].into();
        let with: Lines = [(key(1), 1370), (key(2), 510), (key(3), 20), (key(4), 100)].into();
        let found = differing(&with, &without, |_, line| line < 9);
        let lines: Vec<(u32, u64, u64)> =
            found.iter().map(|one| (one.line, one.with, one.without)).collect();
        assert_eq!(lines, [(1, 1370, 1000), (4, 100, 0)]);
    }
}
