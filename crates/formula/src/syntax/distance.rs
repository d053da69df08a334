//! Edit distance of names.

/// Whether `name` is probably `meant` misspelt: different case, or one edit (two in names of six or
/// more letters), with more than half of it correct.
pub(crate) fn close(name: &str, meant: &str) -> bool {
    if name == meant {
        return false;
    }
    if name.eq_ignore_ascii_case(meant) {
        return true;
    }
    let length = name.len().min(meant.len());
    let allowed = match length {
        0..=2 => return false,
        3..=5 => 1,
        _ => 2,
    };
    name.len().abs_diff(meant.len()) <= allowed && distance(name, meant) <= allowed
}

/// Number of insertions, deletions, replacements and swaps of neighbours from `a` to `b` (Damerau
/// and Levenshtein).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(!a[i].eq_ignore_ascii_case(&b[j]));
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, edits) in [
            ("", "", 0),
            ("log", "", 3),
            ("lgo", "log", 1),
            ("sqr", "sqrt", 1),
            ("SQRT", "sqrt", 0),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn short_names_are_not_alike() {
        assert!(!close("g", "f") && !close("ab", "ac"));
        assert!(close("F", "f") && close("sotr", "sort") && close("coluns", "columns"));
        assert!(!close("sort", "sort"));
    }
}
