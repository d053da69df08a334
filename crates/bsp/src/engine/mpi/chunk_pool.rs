//! Memory for streams, private to this process.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::ptr::NonNull;

use crate::Misuse;
use crate::chunk::{Chunk, ChunkHeader, HEADER};

const PAGE: usize = 4096;

/// Chunks in use and free ones. A chunk that is used in a superstep is free again two supersteps later.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    spare: HashMap<usize, Vec<Chunk>>,
    /// By even and odd supersteps.
    used: [Vec<Chunk>; 2],
}

impl Chunks {
    pub fn take(&mut self, min_room: usize, superstep: u64) -> Result<Chunk, Misuse> {
        let too_much = || Misuse::NoMemory(format!("{min_room} bytes at once"));
        let size = min_room.checked_add(HEADER).and_then(usize::checked_next_power_of_two);
        let size = size.ok_or_else(too_much)?.max(PAGE);
        let chunk = match self.spare.get_mut(&size).and_then(Vec::pop) {
            Some(chunk) => chunk,
            None => {
                let layout = layout(size).ok_or_else(too_much)?;
                // SAFETY: the size is not 0.
                let memory = unsafe { alloc(layout) }.cast::<ChunkHeader>();
                let header = NonNull::new(memory).ok_or_else(too_much)?;
                Chunk { header, room: size - HEADER }
            }
        };
        self.used[(superstep % 2) as usize].push(chunk);
        Ok(chunk)
    }

    /// Begins a superstep: frees what was used in the one before the last.
    #[inline]
    pub fn advance(&mut self, superstep: u64) {
        for chunk in self.used[(superstep % 2) as usize].drain(..) {
            self.spare.entry(chunk.room + HEADER).or_default().push(chunk);
        }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        let spare = self.spare.values().flatten();
        for chunk in self.used.iter().flatten().chain(spare) {
            if let Some(layout) = layout(chunk.room + HEADER) {
                // SAFETY: it was allocated so, and nobody uses it any more.
                unsafe { dealloc(chunk.header.as_ptr().cast(), layout) };
            }
        }
    }
}

/// Memory for large copies. It is free again when the superstep has ended, so the next superstep finds it in
/// the cache.
#[derive(Debug, Default)]
pub(super) struct CopyBuffers {
    free: Vec<(NonNull<u8>, usize)>,
    used: Vec<(NonNull<u8>, usize)>,
}

impl CopyBuffers {
    pub fn take(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        // Not one that is much too large: others may need it.
        let fits = |room: &(NonNull<u8>, usize)| (size..=2 * size).contains(&room.1);
        let room = match self.free.iter().rposition(fits) {
            Some(index) => self.free.swap_remove(index),
            None => {
                let size = size.next_multiple_of(PAGE);
                (allocate(size)?, size)
            }
        };
        self.used.push(room);
        Ok(room.0.as_ptr())
    }

    pub fn give_back_all(&mut self) {
        self.free.append(&mut self.used);
    }
}

impl Drop for CopyBuffers {
    fn drop(&mut self) {
        for (memory, size) in self.free.iter().chain(&self.used) {
            free(*memory, *size);
        }
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, PAGE).ok()
}

/// Memory for an area: whole pages, all zero.
pub(super) fn allocate(size: usize) -> Result<NonNull<u8>, Misuse> {
    let too_much = || Misuse::NoMemory(format!("an area of {size} bytes"));
    let layout = layout(size.max(1)).ok_or_else(too_much)?;
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(too_much)
}

/// Frees memory that was allocated with this size.
pub(super) fn free(memory: NonNull<u8>, size: usize) {
    if let Some(layout) = layout(size.max(1)) {
        // SAFETY: as the caller of `Engine::free` says.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}
