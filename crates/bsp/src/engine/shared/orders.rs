//! What is got again and again: ordered by its readers, sent by its owners.

use super::Shared;
use super::mailbox::Mailbox;
use super::order::{Order, PIECES};
use crate::engine::Piece;

/// Bytes of one order at most; each piece takes whole words.
const BYTES: usize = Mailbox::ROOM;

/// The orders of one processor, and those to it.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Those whose orders this one has seen.
    readers: Vec<usize>,
    /// Those of whom it has ordered.
    owners: Vec<usize>,
    /// It has ordered something since the last barrier.
    pub placed: bool,
}

impl Orders {
    /// Whether something is ordered.
    #[inline]
    pub fn any(&self) -> bool {
        !self.owners.is_empty()
    }
}

impl Shared {
    /// As `Engine::order`.
    pub(super) fn place_order(&mut self, pieces: &[Piece]) -> bool {
        self.withdraw_orders();
        if !self.can_order(pieces) {
            return false;
        }
        for piece in pieces {
            if !self.orders.owners.contains(&piece.of) {
                self.orders.owners.push(piece.of);
            }
        }
        for &owner in &self.orders.owners {
            let mut words = [(0, 0); PIECES];
            let mut count = 0;
            for (word, piece) in words.iter_mut().zip(pieces.iter().filter(|p| p.of == owner)) {
                *word = (self.offset_of(piece.here), piece.size);
                count += 1;
            }
            self.order_of(self.me, owner).write(words[..count].iter().copied());
        }
        self.orders.placed = true;
        true
    }

    /// Whether they are few and small enough, and lie in the arena: that stays, whatever the program does
    /// with its memory.
    fn can_order(&self, pieces: &[Piece]) -> bool {
        let all = self.arena.base() as usize..self.arena.base() as usize + self.arena.size();
        let lies_there = |piece: &Piece| {
            let from = piece.here as usize;
            piece.of != self.me && all.contains(&from) && all.end - from >= piece.size
        };
        let fits = |of: usize| {
            let its = || pieces.iter().filter(move |piece| piece.of == of);
            its().count() <= PIECES
                && its().map(|piece| piece.size.next_multiple_of(8)).sum::<usize>() <= BYTES
        };
        !self.is_virtual
            && pieces.iter().all(|piece| piece.size <= BYTES && lies_there(piece))
            && pieces.iter().all(|piece| fits(piece.of))
    }

    /// As `Engine::withdraw`.
    pub(super) fn withdraw_orders(&mut self) {
        for owner in std::mem::take(&mut self.orders.owners) {
            self.order_of(self.me, owner).withdraw();
        }
    }

    /// Sends what was ordered: at the end of this processor's computation.
    #[inline]
    pub(super) fn send_ordered(&mut self) {
        if !self.orders.readers.is_empty() {
            self.send_to_readers();
        }
    }

    fn send_to_readers(&mut self) {
        let mut readers = std::mem::take(&mut self.orders.readers);
        readers.retain(|&reader| {
            let mut room = self.ordered_from(self.me, reader);
            let mut any = false;
            for (offset, size) in self.order_of(reader, self.me).pieces() {
                // SAFETY: the order lies in the arena and fits into the mailbox, which nobody reads any more:
                // all have passed the barrier of the superstep in which it was read.
                unsafe {
                    let from = self.arena.base().add(offset as usize);
                    crate::processor::copy(from, room, size);
                    room = room.add(size.next_multiple_of(8));
                }
                any = true;
            }
            any
        });
        self.orders.readers = readers;
    }

    /// Takes the orders of a processor that has placed some, for this one among others.
    pub(super) fn see_order(&mut self, reader: usize) {
        if reader == self.me {
            return;
        }
        let is_for_this = self.order_of(reader, self.me).pieces().next().is_some();
        if is_for_this && !self.orders.readers.contains(&reader) {
            self.orders.readers.push(reader);
        }
    }

    /// Where what was ordered lies in this superstep.
    #[inline]
    pub(super) fn ordered_from(&self, owner: usize, reader: usize) -> *mut u8 {
        // SAFETY: its address alone is taken.
        unsafe { Mailbox::replies(self.mailbox(owner, reader)) }.data()
    }
}

const _: () = assert!(size_of::<Order>() == 64 && BYTES < 1 << 16);
