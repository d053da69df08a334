//! What all processors do together: each call is one or two supersteps of its own.
//!
//! What was put and got before takes effect in the first of them, as with [`Bsp::sync`]; messages must not
//! have been sent. All must call the same, from the same superstep on; that is checked. Where values
//! are combined, it is in the order of the processors, so that results are the same in every
//! run.

mod exchange;
mod one_for_all;
mod reduction;

use std::panic::Location;

use bytemuck::Pod;

use super::Bsp;
use super::wrong::Wrong;

/// A collective call, as all processors must make it.
#[derive(Clone, Copy, Debug)]
struct Call {
    name: &'static str,
    place: &'static Location<'static>,
    /// Which it is.
    number: u8,
    /// The processor that all must name; 0 if there is none.
    root: usize,
    /// The bytes that all must give; 0 if they may differ.
    size: usize,
}

impl Call {
    /// Different for calls that differ, but for enormous sizes.
    fn kind(&self) -> u64 {
        u64::from(self.number) | (self.root as u64) << 8 | (self.size as u64) << 24
    }
}

impl Bsp {
    /// Begins a collective: nothing was sent that it would mix with.
    fn begin(&self, call: Call) {
        self.go_on();
        if self.processor.borrow().has_sent() {
            self.refuse(call.name, call.place, &Wrong::SentBefore);
        }
    }

    fn superstep(&mut self, call: Call) {
        self.end_superstep(call.name, call.kind(), call.place);
    }

    /// Sends a part of a collective's data.
    fn give<T: Pod>(&self, call: Call, to: usize, elements: &[T]) {
        let tag = vec![0; self.processor.borrow().sent_tag_size()];
        self.send_bytes(call.name, call.place, to, &tag, bytemuck::cast_slice(elements));
    }

    /// What a collective has given to this processor: sender and elements.
    fn given<T: Pod>(&self) -> impl Iterator<Item = (usize, &[T])> {
        self.messages().map(|message| (message.source(), message.payload()))
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let (me, nprocs) = (self.pid(), self.nprocs());
        // Not all begin with the same.
        (me + 1..nprocs).chain(0..me)
    }

    /// The elements of the i-th of p nearly equal parts of so many.
    fn share(&self, length: usize, i: usize) -> std::ops::Range<usize> {
        let p = self.nprocs();
        length * i / p..length * (i + 1) / p
    }
}

/// From so many bytes on a collective takes two supersteps, if that saves data: then l is small beside
/// what they cost.
const LARGE: usize = 4096;
