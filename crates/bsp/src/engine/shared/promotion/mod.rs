//! Promotion: registered memory becomes memory that the other processors have mapped, too.
//!
//! At a registration the page-aligned inside of an area is copied to pages of the arena, which are then mapped
//! in its place, at the same address (also its first page, if `malloc` has mapped that separately). The program
//! does not notice; the others access the memory by a copy. Memory stays promoted after the registration ends,
//! until the program returns it to the system (`free` of something large). Then other memory may be mapped
//! there, and nothing reports this. So before promoted memory is used again the system is asked.
//!
//! Why: decision 0017.

mod chunk;
mod forks;
mod mapped;

use std::cell::OnceCell;

pub(super) use self::mapped::stack;
use self::mapped::still_there;
use super::arena::Arena;
use super::heap::Heap;
use super::page::PAGE;

/// Areas with fewer bytes of whole pages are not promoted: they save less than a page fault costs.
const MIN_BYTES: usize = 4 * PAGE;
/// Promoted bytes from which on memory that the program has freed is searched for.
const FIRST_CHECK_BYTES: usize = 64 << 20;

/// Pages of the program that are pages of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PromotedRange {
    /// The address of the range in the program.
    pub address: usize,
    pub size: usize,
    /// The offset of the range in the arena.
    pub offset: usize,
}

impl PromotedRange {
    fn end(&self) -> usize {
        self.address + self.size
    }

    fn overlaps(&self, from: usize, to: usize) -> bool {
        self.address < to && from < self.end()
    }

    /// The part of it between two addresses in it.
    fn part(&self, from: usize, to: usize) -> PromotedRange {
        let offset = self.offset + (from - self.address);
        PromotedRange { address: from, size: to - from, offset }
    }
}

/// The promoted memory of this processor.
#[derive(Debug)]
pub(crate) struct Promoted {
    pieces: Vec<PromotedRange>,
    next_look: usize,
    /// Determined when first needed: it takes long.
    stack: OnceCell<(usize, usize)>,
    /// Whether the system can report what the program has freed; if not, nothing is promoted.
    can_query: OnceCell<bool>,
}

impl Promoted {
    pub fn new() -> Promoted {
        Promoted {
            pieces: Vec::new(),
            next_look: FIRST_CHECK_BYTES,
            stack: OnceCell::new(),
            can_query: OnceCell::new(),
        }
    }

    /// Offsets and sizes in the arena, in ascending order.
    pub fn kept(&self) -> Vec<(usize, usize)> {
        let mut kept: Vec<_> = self.pieces.iter().map(|p| (p.offset, p.size)).collect();
        kept.sort_unstable();
        kept
    }

    /// Promotes the inside of an area. Returns the part of it that others can access, if any. `is_registered`:
    /// whether bytes from an address on belong to a registered area; such memory is in use by other processors,
    /// too, and is not moved.
    ///
    /// # Safety
    /// The area belongs to the program and stays at its address while it is registered; nobody writes to it
    /// during the call.
    pub unsafe fn promote(
        &mut self,
        area: (usize, usize),
        arena: &Arena,
        heap: &mut Heap,
        is_registered: &dyn Fn(usize, usize) -> bool,
    ) -> Option<PromotedRange> {
        let to = (area.0 + area.1) & !(PAGE - 1);
        // SAFETY: by the caller.
        let begin = unsafe { chunk::begin_before(area.0, to) };
        let from = begin.unwrap_or(area.0).checked_next_multiple_of(PAGE)?;
        if to < from + MIN_BYTES || self.pieces.len() + 2 >= forks::MAX_RANGES {
            return None;
        }
        let stack = self.stack.get_or_init(mapped::stack);
        if from < stack.1 && stack.0 < to || !self.can_query.get_or_init(mapped::is_supported) {
            return None;
        }
        let all: usize = self.pieces.iter().map(|piece| piece.size).sum();
        let look_at_all = all >= self.next_look;
        self.revise(arena, heap, is_registered, |piece| look_at_all || piece.overlaps(from, to));
        if look_at_all {
            let left: usize = self.pieces.iter().map(|piece| piece.size).sum();
            self.next_look = FIRST_CHECK_BYTES.max(2 * left);
        }
        let within = |piece: &PromotedRange| {
            piece
                .overlaps(from, to)
                .then(|| piece.part(piece.address.max(from), piece.end().min(to)))
        };
        let largest = self.pieces.iter().filter_map(within).max_by_key(|piece| piece.size);
        match largest {
            Some(piece) if piece.size == to - from => Some(piece),
            Some(piece) if is_registered(from, to - from) => Some(piece),
            None if is_registered(from, to - from) => None,
            // SAFETY: by the caller.
            _ => unsafe { self.add(from, to, arena, heap) },
        }
    }

    /// # Safety
    /// As for `promote`.
    unsafe fn add(
        &mut self,
        from: usize,
        to: usize,
        arena: &Arena,
        heap: &mut Heap,
    ) -> Option<PromotedRange> {
        let size = to - from;
        let offset = heap.take(size)?;
        // SAFETY: the pages are ours, the area is the program's.
        unsafe {
            std::ptr::copy_nonoverlapping(from as *const u8, arena.base().add(offset), size);
            if !arena.map_at(from, offset, size) {
                arena.release(offset, size);
                heap.give_back(offset, size);
                return None;
            }
        }
        // What was promoted here before is no longer mapped.
        self.cut_out(from, to, arena, heap);
        let piece = PromotedRange { address: from, size, offset };
        self.pieces.push(piece);
        self.note();
        Some(piece)
    }

    fn note(&self) {
        forks::note(self.pieces.iter().map(|piece| (piece.address, piece.size)));
    }

    fn cut_out(&mut self, from: usize, to: usize, arena: &Arena, heap: &mut Heap) {
        for piece in std::mem::take(&mut self.pieces) {
            if !piece.overlaps(from, to) {
                self.pieces.push(piece);
                continue;
            }
            let (a, b) = (piece.address.max(from), piece.end().min(to));
            give_back(piece.part(a, b), arena, heap);
            let rest = [piece.part(piece.address, a), piece.part(b, piece.end())];
            self.pieces.extend(rest.into_iter().filter(|part| part.size > 0));
        }
    }

    /// Forgets what the program has freed of some ranges.
    fn revise(
        &mut self,
        arena: &Arena,
        heap: &mut Heap,
        is_registered: &dyn Fn(usize, usize) -> bool,
        which: impl Fn(&PromotedRange) -> bool,
    ) {
        let before = self.pieces.clone();
        for piece in std::mem::take(&mut self.pieces) {
            if !which(&piece) || is_registered(piece.address, piece.size) {
                self.pieces.push(piece);
                continue;
            }
            // If that is not known, the pages are used for nothing else: they may still be mapped.
            let Some(alive) = still_there(piece, arena) else { continue };
            let mut page = 0;
            while page < alive.len() {
                let same = alive[page..].iter().take_while(|there| **there == alive[page]).count();
                let start = piece.address + page * PAGE;
                let run = piece.part(start, start + same * PAGE);
                if alive[page] {
                    self.pieces.push(run)
                } else {
                    give_back(run, arena, heap)
                }
                page += same;
            }
        }
        if self.pieces != before {
            self.note();
        }
    }
}

fn give_back(piece: PromotedRange, arena: &Arena, heap: &mut Heap) {
    arena.release(piece.offset, piece.size);
    heap.give_back(piece.offset, piece.size);
}
