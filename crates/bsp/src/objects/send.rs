//! Messages: sending and reading.

use crate::misuse::Misuse;

use super::{Delivered, Handle, Objects, kind};

impl Objects {
    /// Sends a copy of the bytes to a processor of the machine.
    ///
    /// # Safety
    /// `size` bytes can be read at `data`.
    #[inline]
    pub unsafe fn send(
        &mut self,
        handle: Handle,
        to: usize,
        data: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let (level, there) = self.addressed(handle, to)?;
        let header = self.header(level, kind::MESSAGE, size);
        self.count(level, to, size);
        // SAFETY: by the caller.
        unsafe { self.channels.send(there, header, data) }
    }

    /// As [`Objects::send`], but bytes may be read at any time until the machine's next synchronisation has
    /// returned.
    ///
    /// # Safety
    /// As for `send`; and nobody writes there until then.
    #[inline]
    pub unsafe fn hpsend(
        &mut self,
        handle: Handle,
        to: usize,
        data: *const u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let (level, there) = self.addressed(handle, to)?;
        let header = self.header(level, kind::MESSAGE, size);
        self.count(level, to, size);
        self.in_place = !self.copies_always;
        // SAFETY: by the caller.
        unsafe { self.channels.send_in_place(there, header, data) }
    }

    /// The messages that the machine's last synchronisation has delivered: by sender, then in the order in
    /// which they were sent. They stay until the machine's next synchronisation, or until it has ended.
    #[inline]
    pub fn messages(&self, handle: Handle) -> Result<&[Delivered], Misuse> {
        Ok(self.stack[self.level(handle)?].inbox.messages())
    }

    /// The message with this index, from 0.
    #[inline]
    pub fn message(&self, handle: Handle, index: usize) -> Result<&Delivered, Misuse> {
        let messages = self.messages(handle)?;
        messages.get(index).ok_or(Misuse::NoSuchMessage(index, messages.len()))
    }

    /// The message with this index, from 0, among those of a sender, if it exists.
    pub fn find(
        &self,
        handle: Handle,
        source: usize,
        index: usize,
    ) -> Result<Option<&Delivered>, Misuse> {
        let object = &self.stack[self.level(handle)?];
        if source < object.nprocs {
            Ok(object.inbox.find(source, index))
        } else {
            Err(Misuse::NoSuchProcessor(source, object.nprocs))
        }
    }
}
