//! A standing order: bytes of one processor's that another gets in every superstep. The owner sends them
//! when it has ended its computation, and nobody need wait for the reader.

use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;

/// Pieces of an order at most.
pub(crate) const PIECES: usize = if cfg!(loom) { 2 } else { 7 };

const SIZE: u32 = 48;

/// What the reader wants of one owner. It lies in the reader's window; all zero is none.
///
/// It is written between the two barriers of a superstep with gets, where no owner looks; withdrawn at any
/// time: what was sent is then not looked at.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Order {
    /// Size and address of each; the first without a size is the end.
    pieces: [AtomicU64; PIECES],
    /// The owner's: 1 if it sends them.
    taken: AtomicU64,
}

impl Order {
    /// Writes it: the owner's address and the size of each piece, of [`PIECES`] at most. It is not taken yet.
    pub fn write(&self, pieces: impl ExactSizeIterator<Item = (usize, usize)>) {
        let end = pieces.len();
        self.taken.store(0, Relaxed);
        for (word, (address, size)) in self.pieces.iter().zip(pieces) {
            word.store(address as u64 | (size as u64) << SIZE, Relaxed);
        }
        if let Some(word) = self.pieces.get(end) {
            word.store(0, Relaxed);
        }
    }

    /// There is none any more.
    pub fn withdraw(&self) {
        self.pieces[0].store(0, Relaxed);
    }

    /// Address and size of each piece, for the owner.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..PIECES).map(|nth| self.piece(nth)).take_while(|&(_, size)| size > 0)
    }

    /// The same of one of them; size 0: it has no such one, nor any after it.
    #[inline]
    pub fn piece(&self, nth: usize) -> (usize, usize) {
        let word = self.pieces[nth].load(Relaxed);
        ((word & ((1 << SIZE) - 1)) as usize, (word >> SIZE) as usize)
    }

    /// For the owner, before it has read another order: it sends them from the next superstep on.
    pub fn take(&self) {
        self.taken.store(1, Release);
    }

    /// For the reader: whether the owner sends them, in the superstep that it is in, too.
    #[inline]
    pub fn is_taken(&self) -> bool {
        self.taken.load(Acquire) == 1
    }
}

#[cfg(loom)]
impl Order {
    pub fn none() -> Order {
        Order { pieces: [(); PIECES].map(|()| AtomicU64::new(0)), taken: AtomicU64::new(0) }
    }
}
