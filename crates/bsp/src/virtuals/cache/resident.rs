//! The pages that a process may write and has touched.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;

use super::ranges;

/// Size of a page, and of the system's entry for one, in bytes.
const PAGE: usize = 4096;
const ENTRY: usize = 8;
/// In an entry: the page is in memory.
const PRESENT: u64 = 1 << 63;
/// Mappings larger than this are ignored beyond it: they are reserved and hardly touched.
const MAX_MAPPING_BYTES: usize = 1 << 30;

/// The address ranges of these pages.
#[derive(Debug)]
pub(super) struct Resident {
    /// Addresses that do not count.
    besides: (usize, usize),
    /// Pages that do not count, ascending; if it is there, shared memory does not count either.
    left_out: Option<Vec<(usize, usize)>>,
    /// First address, and the address after the last.
    ranges: Vec<(usize, usize)>,
    size: usize,
    /// Kept, so that listing allocates no memory of the program.
    text: Vec<u8>,
    entries: Vec<u8>,
}

impl Resident {
    pub fn new(besides: (usize, usize)) -> Resident {
        Resident {
            besides,
            left_out: None,
            ranges: Vec::with_capacity(256),
            size: 0,
            text: Vec::with_capacity(1 << 15),
            entries: vec![0; 1 << 14],
        }
    }

    /// From now on only private memory counts, without these pages.
    pub fn leave_out(&mut self, pages: Vec<(usize, usize)>) {
        self.left_out = Some(pages);
    }

    /// Leaves out these ranges, too. What is not within `mapped` any more is not left out any more.
    pub fn leave_out_more(&mut self, ranges: &[(usize, usize)], mapped: &[(usize, usize)]) {
        let before = self.left_out.take().unwrap_or_default();
        let all = ranges::union(&before, ranges);
        self.left_out = Some(ranges::intersection(&all, mapped));
    }

    /// Their size in bytes. If there are more than `enough`, at least that.
    pub fn size(&self) -> usize {
        self.size
    }

    pub fn ranges(&self) -> &[(usize, usize)] {
        &self.ranges
    }

    /// Lists them, until there are more than `enough` bytes.
    pub fn list(&mut self, enough: usize) {
        self.ranges.clear();
        self.size = 0;
        self.text.clear();
        let mut read = || File::open("/proc/self/maps")?.read_to_end(&mut self.text);
        let Ok(pages) = read().and_then(|_| File::open("/proc/self/pagemap")) else { return };
        let text = std::mem::take(&mut self.text);
        let is_wanted = |line: &&str| self.left_out.is_none() || is_private(line);
        let lines: Vec<(usize, usize)> =
            String::from_utf8_lossy(&text).lines().filter(is_wanted).filter_map(writable).collect();
        for (begin, end) in lines {
            if begin >= self.besides.0 && end <= self.besides.1 {
                continue;
            }
            self.look_within(&pages, (begin, end.min(begin + MAX_MAPPING_BYTES)), enough);
            if self.size > enough {
                break;
            }
        }
        self.text = text;
    }

    fn look_within(&mut self, pages: &File, (begin, end): (usize, usize), enough: usize) {
        let mut address = begin;
        while address < end && self.size <= enough {
            let count = ((end - address) / PAGE).min(self.entries.len() / ENTRY);
            let place = (address / PAGE * ENTRY) as u64;
            let Ok(read) = pages.read_at(&mut self.entries[..count * ENTRY], place) else { return };
            if read < ENTRY {
                return;
            }
            for entry in self.entries[..read].chunks_exact(ENTRY) {
                let entry = entry.try_into().map_or(0, u64::from_ne_bytes);
                let is_left_out = self.left_out.as_ref().is_some_and(|ranges| {
                    let after = ranges.partition_point(|range| range.1 <= address);
                    ranges.get(after).is_some_and(|range| range.0 <= address)
                });
                if entry & PRESENT != 0 && !is_left_out {
                    self.size += PAGE;
                    match self.ranges.last_mut() {
                        Some(last) if last.1 == address => last.1 += PAGE,
                        _ => self.ranges.push((address, address + PAGE)),
                    }
                }
                address += PAGE;
            }
        }
    }
}

/// The private memory that the process may write, touched or not: address ranges, ascending.
pub(super) fn mapped() -> Vec<(usize, usize)> {
    let text = std::fs::read("/proc/self/maps").unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    ranges::joined(text.lines().filter(|line| is_private(line)).filter_map(writable))
}

fn is_private(line: &str) -> bool {
    line.contains(" rw-p ")
}

/// The address range of a writable mapping, from its line in `/proc/self/maps`.
fn writable(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split_ascii_whitespace();
    let (begin, end) = words.next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    words.next()?.starts_with("rw").then_some((address(begin)?, address(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEGABYTE: usize = 1 << 20;

    #[test]
    fn only_what_may_be_written_counts() {
        let line = "7f0000001000-7f0000003000 rw-p 00000000 00:00 0 [heap]";
        assert_eq!(writable(line), Some((0x7f00_0000_1000, 0x7f00_0000_3000)));
        assert_eq!(writable(&line.replace("rw-p", "r--p")), None);
        assert_eq!(writable(&line.replace("rw-p", "---p")), None);
        assert_eq!(writable("no mapping"), None);
    }

    #[test]
    fn pages_are_found_once_they_are_touched() {
        let mut memory: Vec<u8> = Vec::with_capacity(8 * MEGABYTE);
        let all = memory.as_ptr() as usize..memory.as_ptr() as usize + 8 * MEGABYTE;
        let within = |pages: &Resident| -> usize {
            let inside = |range: &&(usize, usize)| range.0 < all.end && range.1 > all.start;
            let both = pages.ranges().iter().filter(inside);
            both.map(|range| range.1.min(all.end) - range.0.max(all.start)).sum()
        };
        let mut pages = Resident::new((0, 0));
        pages.list(usize::MAX);
        let before = within(&pages);
        assert!(before < MEGABYTE, "{before} of {} bytes", all.len());
        memory.resize(2 * MEGABYTE, 1);
        pages.list(usize::MAX);
        assert!(within(&pages) >= 2 * MEGABYTE && within(&pages) < 5 * MEGABYTE);
        assert!(pages.size() >= within(&pages));

        pages.list(MEGABYTE);
        assert!(pages.size() > MEGABYTE);
        let mut others = Resident::new((0, usize::MAX));
        others.list(usize::MAX);
        assert_eq!((others.size(), others.ranges().len()), (0, 0));
    }
}
