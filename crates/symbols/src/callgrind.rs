//! One reader of callgrind's output, by line or by address.
//!
//! The output was written without compression: `--compress-strings=no --compress-pos=no`.

use std::collections::BTreeMap;
use std::str::Lines;

/// Instructions by file, without its folders, and line.
pub type LineCounts = BTreeMap<(String, u32), u64>;

/// Callgrind's options for such a file.
pub const OPTIONS: [&str; 5] =
    ["--tool=callgrind", "-q", "--dump-line=yes", "--compress-strings=no", "--compress-pos=no"];

/// Reads callgrind's output, written with [`OPTIONS`]: the instructions of each line itself.
pub fn instructions(text: &str) -> LineCounts {
    let mut numbers = LineCounts::new();
    for Record { file, place, event } in Reader::new(text) {
        if let Event::Cost(costs) = event
            && let Some(count) = costs.first()
        {
            *numbers.entry((file.to_owned(), place as u32)).or_default() += count;
        }
    }
    numbers
}

/// The entry for a place of a program: a line, or the address of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// The file of the source, without its folders.
    pub file: &'t str,
    /// The line or the address.
    pub place: u64,
    /// The event at the place.
    pub event: Event,
}

/// The event at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The place has its own costs, in the order of [`Reader::names`].
    Cost(Vec<u64>),
    /// It called a function so many times.
    Call {
        /// The place of the function.
        target: u64,
        /// How often.
        times: u64,
    },
    /// It jumped so many times.
    Jump {
        /// Where to.
        target: u64,
        /// How often.
        times: u64,
    },
}

/// Reads records; lines that are no record are skipped.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    lines: Lines<'t>,
    file: &'t str,
    names: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    /// Makes a reader of the text of a file.
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { lines: text.lines(), file: "", names: Vec::new() }
    }

    /// The names of the costs, such as `Ir`, as far as they were read.
    pub fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// The place of the line behind a call or a jump; the costs in it are those of the target.
    fn place_behind(&mut self) -> Option<u64> {
        place(self.lines.next()?.split_whitespace().next()?)
    }

    fn record(&mut self, line: &'t str) -> Option<Record<'t>> {
        let (place, event) = match line.split_once('=') {
            Some((word @ ("calls" | "jcnd" | "jump"), rest)) => {
                let from = self.place_behind()?;
                let target = place(rest.split_whitespace().last()?)?;
                let times = rest.split(['/', ' ']).next()?.parse().ok()?;
                let event = if word == "calls" {
                    Event::Call { target, times }
                } else {
                    Event::Jump { target, times }
                };
                (from, event)
            }
            Some(("fl" | "fi" | "fe", path)) => {
                self.file = path.rsplit('/').next().unwrap_or_default();
                return None;
            }
            Some(_) => return None,
            None => {
                if let Some(names) = line.strip_prefix("events: ") {
                    self.names = names.split_whitespace().collect();
                }
                let mut words = line.split_whitespace();
                let at = place(words.next()?)?;
                (at, Event::Cost(words.map_while(|word| word.parse().ok()).collect()))
            }
        };
        Some(Record { file: self.file, place, event })
    }
}

impl<'t> Iterator for Reader<'t> {
    type Item = Record<'t>;

    fn next(&mut self) -> Option<Record<'t>> {
        loop {
            let line = self.lines.next()?;
            if let Some(record) = self.record(line) {
                return Some(record);
            }
        }
    }
}

/// A line, or an address, which begins with `0x`.
fn place(word: &str) -> Option<u64> {
    word.strip_prefix("0x")
        .map_or_else(|| word.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
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
        let of = |file: &str, line| numbers.get(&(file.to_owned(), line)).copied();
        assert_eq!(of("x.c", 5), Some(10));
        assert_eq!((of("x.c", 6), of("z.h", 9), of("y.c", 17)), (Some(24), Some(7), Some(999)));
        assert_eq!(numbers.values().sum::<u64>(), 1040);
        assert!(instructions("").is_empty());
    }

    #[test]
    fn addresses_have_costs_calls_and_jumps() {
        let text = "positions: instr\nevents: Ir Dr\n\nob=/tmp/x\nfl=/tmp/x.c\nfn=main\n0x10 5 2\n\
                    jcnd=3/5 0x10\n0x12\ncfn=f\ncalls=4 0x40\n0x14 400 9\n0x16 7\njump=2 0x\n0x18\n";
        let mut reader = Reader::new(text);
        let found: Vec<(u64, Event)> =
            reader.by_ref().map(|record| (record.place, record.event)).collect();
        assert_eq!(
            found,
            [
                (0x10, Event::Cost(vec![5, 2])),
                (0x12, Event::Jump { target: 0x10, times: 3 }),
                (0x14, Event::Call { target: 0x40, times: 4 }),
                (0x16, Event::Cost(vec![7])),
            ]
        );
        assert_eq!(reader.names(), ["Ir", "Dr"]);
        assert_eq!(Reader::new("calls=1 2").next(), None);
    }
}
