//! The load of the machine.

use crate::text;

/// The content of `/proc/loadavg`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The load of the last minute.
    pub minute: f64,
    /// The number of processes and threads of the system.
    pub tasks: u64,
}

/// The present load.
pub fn load() -> Option<Load> {
    parse(&text("/proc/loadavg"))
}

/// `0.1 0.2 0.3 2/345 678`.
fn parse(text: &str) -> Option<Load> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let tasks = words.get(3)?.split('/').nth(1)?.parse().ok()?;
    Some(Load { minute: words[0].parse().ok()?, tasks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_and_tasks() {
        assert_eq!(parse("0.5 0.2 0.3 2/345 678\n"), Some(Load { minute: 0.5, tasks: 345 }));
        assert_eq!((parse(""), parse("0.5 0.2 0.3 2 678")), (None, None));
        assert!(load().is_some_and(|load| load.tasks > 0));
    }
}
