//! Corrections of misspelt words.

/// Whether one insertion, deletion, substitution or swap of neighbours turns `left` into `right`,
/// or they are equal.
pub(super) fn within_one_edit(left: &[u8], right: &[u8]) -> bool {
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[same..], &right[same..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - tail], &right[..right.len() - tail]);
    match (left, right) {
        ([], []) | ([_], []) | ([], [_]) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// The word of `words` that `written` probably is, misspelt.
pub(super) fn nearest<'w>(written: &[u8], words: &[&'w str]) -> Option<&'w str> {
    words.iter().copied().find(|word| {
        let word = word.as_bytes();
        written != word
            && (written.eq_ignore_ascii_case(word)
                || within_one_edit(&written.to_ascii_lowercase(), word)
                || word.len() >= 6 && within_two(&written.to_ascii_lowercase(), word))
    })
}

/// Whether the longest common subsequence lacks at most two of each word.
fn within_two(left: &[u8], right: &[u8]) -> bool {
    if left.len().abs_diff(right.len()) > 2 {
        return false;
    }
    let mut row = vec![0usize; right.len() + 1];
    for a in left {
        let mut diagonal = 0;
        for (index, b) in right.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if a == b { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    let common = row[right.len()];
    left.len() - common <= 1 && right.len() - common <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit() {
        for word in ["ll", "cl", "clll", "cll", "lcl", "call", "dll", "cel"] {
            assert!(within_one_edit(word.as_bytes(), b"cll"), "{word}");
        }
        for word in ["", "l", "omp", "clang", "lc", "pack", "GCC", "llc"] {
            assert!(!within_one_edit(word.as_bytes(), b"cll"), "{word}");
        }
    }

    #[test]
    fn reserved_words() {
        let words = ["end", "for", "sync", "report", "parallel"];
        for (written, meant) in [
            ("ned", Some("end")),
            ("fro", Some("for")),
            ("synch", Some("sync")),
            ("reprot", Some("report")),
            ("paralell", Some("parallel")),
            ("paralel", Some("parallel")),
            ("END", Some("end")),
            ("send", Some("end")),
            ("f", None),
            ("fft", None),
            ("end", None),
        ] {
            assert_eq!(nearest(written.as_bytes(), &words), meant, "{written}");
        }
    }
}
