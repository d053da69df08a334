//! Places in a text as people count them.

use memchr::memchr_iter;

/// Line numbers of offsets into one text.
#[derive(Clone, Debug)]
pub struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    /// The lines of this text, in any encoding.
    pub fn new(text: &[u8]) -> Lines {
        Lines { ends: memchr_iter(b'\n', text).collect() }
    }

    /// The line, from 1, that contains the byte at `offset`.
    pub fn line(&self, offset: usize) -> usize {
        self.ends.partition_point(|&end| end < offset) + 1
    }

    /// Line and column, from 1, of the byte at `offset` of `text`, from which these lines were made. The column
    /// counts characters; an offset beyond the text is its end.
    pub fn position(&self, text: &[u8], offset: usize) -> (usize, usize) {
        let offset = offset.min(text.len());
        let line = self.line(offset);
        let start = line.checked_sub(2).map_or(0, |before| self.ends[before] + 1);
        (line, String::from_utf8_lossy(&text[start..offset]).chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let lines = Lines::new(b"a\nb\n\nc");
        assert_eq!([0, 1, 2, 4, 5].map(|at| lines.line(at)), [1, 1, 2, 3, 4]);
        let text = "ab\ncé d".as_bytes();
        let position = |offset| Lines::new(text).position(text, offset);
        assert_eq!([0, 2, 3, 7, 99].map(position), [(1, 1), (1, 3), (2, 1), (2, 4), (2, 5)]);
        assert_eq!(Lines::new(b"").position(b"", 9), (1, 1));
    }
}
