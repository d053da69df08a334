//! Large data as separate messages, from source to destination, on engines that send messages.
//!
//! The stream has only their destination; its reader begins to receive them. To keep the order of writing, a
//! write to bytes for which such a message is in transit waits for it.

use std::convert::Infallible;

use crate::copy::copy;
use crate::engine::capabilities::{AnyEngine, LargeTransfer};
use crate::engine::stop::Stopped;
use crate::engine::traffic::Stream;
use crate::misuse::Misuse;
use crate::processor::Processor;
use crate::processor::record::{self, LargeReceiver, write_puts};

impl Processor {
    /// A put of a copy that is sent as a separate message.
    ///
    /// # Safety
    /// `size` bytes can be read at `src`.
    #[cold]
    pub(super) unsafe fn put_copy_large(
        &mut self,
        to: usize,
        src: *const u8,
        address: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        let kept = self.engine.out_of_band_buffer(size)?;
        // SAFETY: by the caller; the buffer has room, and exists until the superstep has ended.
        unsafe {
            copy(src, kept, size);
            self.put_large(to, kept, address, size)
        }
    }

    /// Writes puts and takes over messages, including data in separate messages.
    pub(super) fn receive_with_large(&mut self) -> Result<(), Misuse> {
        let mut coming = IncomingLarge::new(&mut *self.engine);
        for from in 0..self.nprocs {
            if let Some(arrived) = coming.engine.arrived(from) {
                coming.from = from;
                // SAFETY: processors write nothing else.
                let written = unsafe { write_puts(arrived.requests, &mut coming) };
                written.map_err(|_| Misuse::Stopped)?;
                self.inbox.add(from, &arrived);
            }
        }
        self.engine.wait_out_of_band(LargeTransfer::Put).map_err(|_| Misuse::Stopped)
    }

    /// A put that is sent as a separate message, directly from its source.
    ///
    /// # Safety
    /// `size` bytes can be read at `src` until the superstep has ended.
    pub(super) unsafe fn put_large(
        &mut self,
        to: usize,
        src: *const u8,
        address: usize,
        size: usize,
    ) -> Result<(), Misuse> {
        let (out, supply) = self.to(to, Stream::Requests);
        let record = out.requests.record(record::LONG, supply)?;
        out.last_put = record::LastPut::default();
        out.puts += 1;
        out.put_bytes += size as u64;
        // SAFETY: the record has room for it; the rest by the caller.
        unsafe {
            record::write_large_put(record, address, size);
            self.engine
                .send_out_of_band(LargeTransfer::Put, to, src, size)
                .map_err(|_| Misuse::Stopped)
        }
    }
}

/// Data that arrive as separate messages from one sender.
struct IncomingLarge<'a> {
    engine: &'a mut dyn AnyEngine,
    from: usize,
    /// Their destinations: begin and end.
    in_transit: Vec<(usize, usize)>,
}

impl<'a> IncomingLarge<'a> {
    fn new(engine: &'a mut dyn AnyEngine) -> IncomingLarge<'a> {
        IncomingLarge { engine, from: 0, in_transit: Vec::new() }
    }
}

/// For engines without separate messages.
pub(super) struct NoLargePuts;

impl LargeReceiver<Infallible> for NoLargePuts {
    #[inline(always)]
    fn is_busy(&self) -> bool {
        false
    }

    fn settle(&mut self, _: *mut u8, _: usize) -> Result<(), Infallible> {
        Ok(())
    }

    unsafe fn receive(&mut self, _: *mut u8, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}

impl LargeReceiver<Stopped> for IncomingLarge<'_> {
    #[inline]
    fn is_busy(&self) -> bool {
        !self.in_transit.is_empty()
    }

    #[cold]
    fn settle(&mut self, address: *mut u8, size: usize) -> Result<(), Stopped> {
        let (from, to) = (address as usize, address as usize + size);
        if self.in_transit.iter().any(|&(begin, end)| begin < to && from < end) {
            self.engine.wait_puts_received()?;
            self.in_transit.clear();
        }
        Ok(())
    }

    unsafe fn receive(&mut self, address: *mut u8, size: usize) -> Result<(), Stopped> {
        self.settle(address, size)?;
        self.in_transit.push((address as usize, address as usize + size));
        // SAFETY: by the caller; nobody writes there before it has arrived.
        unsafe { self.engine.receive_out_of_band(LargeTransfer::Put, self.from, address, size) }
    }
}
