//! Allocates the pages of a processor's window.

use std::collections::BTreeMap;

use super::page::PAGE;

/// Free and used pages of a window.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Free ranges: offset and size in bytes. No two are adjacent.
    free: BTreeMap<usize, usize>,
    /// Everything from this offset on was never allocated.
    fresh: usize,
    end: usize,
}

impl Heap {
    /// A heap of the pages between two offsets.
    pub fn new(from: usize, end: usize) -> Heap {
        Heap { free: BTreeMap::new(), fresh: from.next_multiple_of(PAGE), end }
    }

    /// Allocates `size` bytes, a multiple of the page size. Returns their offset.
    pub fn take(&mut self, size: usize) -> Option<usize> {
        let free_range = self
            .free
            .iter()
            .find(|(_, free)| **free >= size)
            .map(|(offset, free)| (*offset, *free));
        if let Some((offset, free)) = free_range {
            self.free.remove(&offset);
            if free > size {
                self.free.insert(offset + size, free - size);
            }
            return Some(offset);
        }
        let offset = self.fresh;
        self.fresh = offset.checked_add(size).filter(|end| *end <= self.end)?;
        Some(offset)
    }

    /// Frees pages.
    pub fn give_back(&mut self, mut offset: usize, mut size: usize) {
        if let Some((&before, &free)) = self.free.range(..offset).next_back()
            && before + free == offset
        {
            self.free.remove(&before);
            (offset, size) = (before, size + free);
        }
        if let Some(free) = self.free.remove(&(offset + size)) {
            size += free;
        }
        self.free.insert(offset, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_come_back_are_one_again() {
        let mut heap = Heap::new(PAGE, 9 * PAGE);
        let parts: Vec<usize> = (0..4).map(|_| heap.take(2 * PAGE).unwrap()).collect();
        assert_eq!(heap.take(PAGE), None);
        for i in [0, 2, 1, 3] {
            heap.give_back(parts[i], 2 * PAGE);
        }
        assert_eq!(heap.take(8 * PAGE), Some(PAGE));
    }
}
