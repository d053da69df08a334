//! Lines with other numbers of instructions in two programs.

use cll_symbols::callgrind::LineCounts;

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
    with: &LineCounts,
    without: &LineCounts,
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
    let count = |lines: &LineCounts, key| lines.get(key).copied().unwrap_or(0);
    let mut found: Vec<Differs> = keys
        .filter(|(file, line)| is_own(file, *line))
        .map(|key| Differs {
            file: key.0.clone(),
            line: key.1,
            with: count(with, key),
            without: count(without, key),
        })
        .filter(|differs| {
            let difference = differs.with.abs_diff(differs.without) as f64;
            difference > MIN_CHANGE * differs.with.min(differs.without) as f64
                && difference > MIN_SHARE * all as f64
        })
        .collect();
    found.sort_by_key(|differs| std::cmp::Reverse(differs.with.abs_diff(differs.without)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_and_matters_is_found() {
        let key = |line| ("x.c".to_owned(), line);
        let without: LineCounts =
            [(key(1), 1000), (key(2), 500), (key(3), 10), (key(9), 5000)].into();
        let with: LineCounts = [(key(1), 1370), (key(2), 510), (key(3), 20), (key(4), 100)].into();
        let differences = differing(&with, &without, |_, line| line < 9);
        let lines: Vec<(u32, u64, u64)> = differences
            .iter()
            .map(|differs| (differs.line, differs.with, differs.without))
            .collect();
        assert_eq!(lines, [(1, 1370, 1000), (4, 100, 0)]);
    }
}
