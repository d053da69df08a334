//! How many there are of something, in words.

/// `1 run`, `5 runs`.
pub fn counted(count: usize, text: &str, many: &str) -> String {
    match count {
        1 => format!("1 {text}"),
        count => format!("{count} {many}"),
    }
}
