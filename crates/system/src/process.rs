//! The processes of the machine.

use std::fs;

use crate::text;

/// The fields of `/proc/PID/stat` behind the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessStat(Vec<String>);

impl ProcessStat {
    /// Reads the status of a process; `None` if it is gone.
    pub fn read(pid: u32) -> Option<ProcessStat> {
        ProcessStat::parse(&text(format!("/proc/{pid}/stat")))
    }

    /// By the text of the file.
    pub fn parse(stat: &str) -> Option<ProcessStat> {
        // The name before it is in parentheses and may contain any characters.
        let (_, rest) = stat.rsplit_once(") ")?;
        Some(ProcessStat(rest.split_whitespace().map(str::to_owned).collect()))
    }

    /// The state: `R`, `S`, `Z`.
    pub fn state(&self) -> Option<char> {
        self.0.first()?.chars().next()
    }

    /// The field with this number in the manual, proc(5): the state is field 3.
    pub fn field(&self, number: usize) -> Option<i64> {
        Some(self.0.get(number.checked_sub(3)?)?.parse().unwrap_or(0))
    }
}

/// The numbers of all processes.
pub fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether a process exists and has not ended.
pub fn is_running(pid: u32) -> bool {
    let state = ProcessStat::read(pid).and_then(|stat| stat.state());
    !matches!(state, None | Some('Z' | 'X'))
}

/// The children of a process, of all its threads.
pub fn children(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = threads.map(|thread| text(thread.path().join("children")));
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

/// All descendants of a process.
pub fn descendants(parent: u32) -> Vec<u32> {
    let mut numbers = children(parent);
    let mut index = 0;
    while let Some(&next) = numbers.get(index) {
        numbers.extend(children(next));
        index += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_numbers_of_the_manual() {
        let stat = ProcessStat::parse("17 (a) b) S 4 5 x\n").unwrap();
        assert_eq!(stat.state(), Some('S'));
        assert_eq!((stat.field(4), stat.field(5), stat.field(6)), (Some(4), Some(5), Some(0)));
        assert_eq!((stat.field(7), stat.field(1)), (None, None));
        assert_eq!(ProcessStat::parse("17 (a"), None);
    }

    #[test]
    fn this_process_runs_and_is_among_all() {
        let own = std::process::id();
        assert!(is_running(own) && processes().any(|pid| pid == own));
        assert!(!is_running(u32::MAX));
    }
}
