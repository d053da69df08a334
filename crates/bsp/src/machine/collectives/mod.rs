//! Collectives: calls that all processors make together. Each is one or two supersteps.
//!
//! Earlier puts and gets take effect in the first of them, as with [`Bsp::sync`]; messages must not have been
//! sent. All processors must make the same call in the same superstep; this is checked. Values are combined in
//! the order of the processors, so results are the same in every run.

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
    /// Which call it is.
    number: u8,
    /// The processor that all must name as root; 0 if there is none.
    root: usize,
    /// The number of bytes that all must pass; 0 if they may differ.
    size: usize,
}

impl Call {
    /// Different for different calls, except for enormous sizes.
    fn kind(&self) -> u64 {
        u64::from(self.number) | (self.root as u64) << 8 | (self.size as u64) << 24
    }
}

impl Bsp {
    /// Begins a collective: checks that no messages were sent, which would be mixed with its own.
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

    /// Returns the data that this processor has received from a collective: sender and elements.
    fn given<T: Pod>(&self) -> impl Iterator<Item = (usize, &[T])> {
        self.messages().map(|message| (message.source(), message.payload()))
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let (me, nprocs) = (self.pid(), self.nprocs());
        // Not all begin with the same receiver.
        (me + 1..nprocs).chain(0..me)
    }

    /// The indices of the i-th of p nearly equal parts of `length` elements.
    fn share(&self, length: usize, i: usize) -> std::ops::Range<usize> {
        let p = self.nprocs();
        length * i / p..length * (i + 1) / p
    }
}

/// From this size on a collective takes two supersteps if that reduces the data: then l is small compared with
/// the data's cost. In bytes.
const MIN_TWO_STEP_BYTES: usize = 4096;
