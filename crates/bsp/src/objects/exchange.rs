//! The basis of collective calls: each processor sends each other one a part, and all synchronise.

use crate::misuse::Misuse;

use super::{Delivered, Handle, Objects, kind};

impl Objects {
    /// Sends a part of a collective call, separate from messages. Its receiver has it when the superstep has
    /// ended by [`Objects::sync_collective`].
    ///
    /// # Safety
    /// `size` bytes can be read at `data`.
    pub unsafe fn send_part(
        &mut self,
        handle: Handle,
        to: usize,
        data: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let (level, there) = self.addressed(handle, to)?;
        let header = self.header(level, kind::PART, size);
        self.count(level, to, size);
        // SAFETY: by the caller.
        unsafe { self.channels.send(there, header, data) }
    }

    /// The parts that have arrived, by sender, until the machine's next synchronisation.
    pub fn parts(&self, handle: Handle) -> Result<&[Delivered], Misuse> {
        Ok(self.stack[self.level(handle)?].parts.messages())
    }
}
