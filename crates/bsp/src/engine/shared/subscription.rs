//! A subscription: bytes of one processor that another gets in every superstep. The owner sends them at the end
//! of its computation, so no processor waits for the reader.

use std::sync::atomic::Ordering::*;

use super::atomics::AtomicU64;

/// Ranges of a subscription, at most.
pub(crate) const PIECES: usize = if cfg!(loom) { 2 } else { 7 };

const SIZE: u32 = 48;

/// The ranges that the reader wants from one owner. They are in the reader's window; all zero means none.
///
/// The reader writes them between the two barriers of a superstep with gets, when no owner reads them. A subscription
/// may be cancelled at any time: the reader then does not read what was sent.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Subscription {
    /// Size and address of each range; the first without a size is the end.
    pieces: [AtomicU64; PIECES],
    /// Written by the owner: 1 if it sends them.
    accepted: AtomicU64,
}

impl Subscription {
    /// Writes it: address at the owner and size of each range, at most [`PIECES`]. The owner has not accepted
    /// it yet.
    pub fn write(&self, pieces: impl ExactSizeIterator<Item = (usize, usize)>) {
        let end = pieces.len();
        self.accepted.store(0, Relaxed);
        for (word, (address, size)) in self.pieces.iter().zip(pieces) {
            word.store(address as u64 | (size as u64) << SIZE, Relaxed);
        }
        if let Some(word) = self.pieces.get(end) {
            word.store(0, Relaxed);
        }
    }

    /// Cancels it.
    pub fn cancel(&self) {
        self.pieces[0].store(0, Relaxed);
    }

    /// Address and size of each range, for the owner.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..PIECES).map(|nth| self.piece(nth)).take_while(|&(_, size)| size > 0)
    }

    /// Address and size of one range; size 0: there is no such range, nor any after it.
    #[inline]
    pub fn piece(&self, nth: usize) -> (usize, usize) {
        let word = self.pieces[nth].load(Relaxed);
        ((word & ((1 << SIZE) - 1)) as usize, (word >> SIZE) as usize)
    }

    /// Called by the owner: it sends these bytes from the next superstep on.
    pub fn accept(&self) {
        self.accepted.store(1, Release);
    }

    /// For the reader: whether the owner sends them, in the current superstep, too.
    #[inline]
    pub fn is_accepted(&self) -> bool {
        self.accepted.load(Acquire) == 1
    }
}

#[cfg(loom)]
impl Subscription {
    pub fn none() -> Subscription {
        Subscription {
            pieces: [(); PIECES].map(|()| AtomicU64::new(0)),
            accepted: AtomicU64::new(0),
        }
    }
}
