//! Messages with types.

use std::panic::Location;

use bytemuck::Pod;

use super::Bsp;
use super::wrong::Wrong;
use crate::processor;

/// A message that has arrived.
///
/// ```
/// # use cll_bsp::Machine;
/// let largest = Machine::threads(3).run(|bsp| {
///     bsp.send(0, &[bsp.pid() as f64, 0.5]);
///     bsp.sync();
///     let mut sums = bsp.messages().map(|m| (m.source(), m.payload::<f64>().iter().sum::<f64>()));
///     sums.find(|(_, sum)| *sum > 1.0)
/// });
/// assert_eq!(largest.unwrap(), Some((1, 1.5)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    message: processor::Message,
    bsp: &'a Bsp,
}

/// The messages that have arrived; see [`Bsp::messages`].
///
/// ```
/// # use cll_bsp::Machine;
/// let count = Machine::threads(3).run(|bsp| {
///     bsp.send::<u8>(0, &[]);
///     bsp.sync();
///     bsp.messages().len()
/// });
/// assert_eq!(count.unwrap(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    messages: processor::Unread,
    bsp: &'a Bsp,
}

impl<'a> Iterator for Messages<'a> {
    type Item = Message<'a>;

    fn next(&mut self) -> Option<Message<'a>> {
        let message = self.messages.next()?;
        Some(Message { message, bsp: self.bsp })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.messages.size_hint()
    }
}

impl ExactSizeIterator for Messages<'_> {}

impl<'a> Message<'a> {
    /// The number of the sender.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let sources = Machine::threads(3).run(|bsp| {
    ///     bsp.send(0, &[0u8; 0]);
    ///     bsp.sync();
    ///     bsp.messages().map(|message| message.source()).collect::<Vec<_>>()
    /// });
    /// assert_eq!(sources.unwrap(), [0, 1, 2]);
    /// ```
    pub fn source(&self) -> usize {
        self.message.source
    }

    /// The bytes that were sent.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let bytes = Machine::threads(1).run(|bsp| {
    ///     bsp.send(0, &[0x0201u16.to_le()]);
    ///     bsp.sync();
    ///     bsp.messages().next().unwrap().bytes().to_vec()
    /// });
    /// assert_eq!(bytes.unwrap(), [1, 2]);
    /// ```
    pub fn bytes(&self) -> &'a [u8] {
        // SAFETY: the message stays until the next synchronisation, which needs `bsp` exclusively.
        unsafe { std::slice::from_raw_parts(self.message.payload, self.message.size) }
    }

    /// Returns the data that was sent, as elements of a type. The type need not be the sender's, but the number of
    /// bytes must fit.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let failure = Machine::threads(1).run(|bsp| {
    ///     bsp.send(0, &[1u8, 2, 3]);
    ///     bsp.sync();
    ///     bsp.messages().next().unwrap().payload::<u16>()[0]
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.contains("3 bytes from processor 0 are no sequence of elements of 2"), "{text}");
    /// ```
    #[track_caller]
    pub fn payload<T: Pod>(&self) -> &'a [T] {
        bytemuck::try_cast_slice(self.bytes()).unwrap_or_else(|_| {
            let (size, sender) = (self.message.size, self.source());
            let wrong = Wrong::Payload { size, sender, element: size_of::<T>() };
            self.bsp.refuse("Message::payload", Location::caller(), &wrong)
        })
    }

    /// The tag, as a value of the type that was set.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let tags = Machine::threads(2).run(|bsp| {
    ///     bsp.set_tag::<u32>();
    ///     bsp.sync();
    ///     bsp.send_tagged(0, &(10 + bsp.pid() as u32), b"text");
    ///     bsp.sync();
    ///     bsp.messages().map(|message| message.tag::<u32>()).collect::<Vec<_>>()
    /// });
    /// assert_eq!(tags.unwrap(), [10, 11]);
    /// ```
    #[track_caller]
    pub fn tag<G: Pod>(&self) -> G {
        let has = self.message.tag_size;
        if size_of::<G>() != has {
            let wrong = Wrong::ReadTag { requested: size_of::<G>(), has };
            self.bsp.refuse("Message::tag", Location::caller(), &wrong);
        }
        // SAFETY: as for `bytes`.
        let bytes = unsafe { std::slice::from_raw_parts(self.message.tag, has) };
        bytemuck::pod_read_unaligned(bytes)
    }
}

impl Bsp {
    /// Sends a copy of elements, without a tag. It can be read in the next superstep.
    ///
    /// It costs g for each byte, at the sender and at the receiver.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let all = Machine::threads(3).run(|bsp| {
    ///     bsp.send(0, &vec![bsp.pid(); bsp.pid()]);
    ///     bsp.sync();
    ///     bsp.messages().flat_map(|m| m.payload::<usize>().to_vec()).collect::<Vec<_>>()
    /// });
    /// assert_eq!(all.unwrap(), [1, 2, 2]);
    /// ```
    #[track_caller]
    #[inline]
    pub fn send<T: Pod>(&self, to: usize, payload: &[T]) {
        self.send_bytes("Bsp::send", Location::caller(), to, &[], bytemuck::cast_slice(payload));
    }

    /// Sends a copy of elements, with a tag of the type that was set in an earlier superstep.
    ///
    /// It costs g for each byte of both, at the sender and at the receiver.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let failure = Machine::threads(2).run(|bsp| {
    ///     bsp.set_tag::<u64>();
    ///     bsp.send_tagged(1, &7u64, &[0u8]);
    ///     bsp.sync();
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.contains("a tag type takes effect in the superstep after Bsp::set_tag"), "{text}");
    /// ```
    #[track_caller]
    #[inline]
    pub fn send_tagged<G: Pod, T: Pod>(&self, to: usize, tag: &G, payload: &[T]) {
        let (tag, payload) = (bytemuck::bytes_of(tag), bytemuck::cast_slice(payload));
        self.send_bytes("Bsp::send_tagged", Location::caller(), to, tag, payload);
    }

    pub(super) fn send_bytes(
        &self,
        function: &str,
        place: &'static Location<'static>,
        to: usize,
        tag: &[u8],
        payload: &[u8],
    ) {
        self.go_on();
        let mut processor = self.processor.borrow_mut();
        let wanted = processor.sent_tag_size();
        let done = if tag.len() == wanted {
            // SAFETY: both exist, and the tag has the size of tags that are sent now.
            unsafe { processor.send(to, tag.as_ptr(), payload.as_ptr(), payload.len()) }
                .map_err(Wrong::from)
        } else {
            Err(Wrong::SentTag { given: tag.len(), wanted })
        };
        drop(processor);
        self.checked(function, place, done);
    }

    /// Sets the type of tags for messages that are sent from the next superstep on. All processors do so
    /// together. `()` means no tag, which is the initial value.
    ///
    /// It costs nothing.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// Machine::threads(2).run(|bsp| {
    ///     bsp.set_tag::<[u16; 3]>();
    ///     bsp.sync();
    ///     bsp.send_tagged(1, &[1u16, 2, 3], b"tagged");
    ///     bsp.set_tag::<()>();
    ///     bsp.sync();
    ///     assert!(bsp.messages().all(|message| message.tag::<[u16; 3]>() == [1, 2, 3]));
    ///     bsp.send(1, b"not tagged");
    /// }).unwrap();
    /// ```
    #[track_caller]
    pub fn set_tag<G: Pod>(&self) {
        self.go_on();
        self.processor.borrow_mut().set_tagsize(size_of::<G>());
    }

    /// The messages that were sent to this processor in the previous superstep: by sender, then in the order in
    /// which they were sent. It can be called again. The next synchronisation discards them.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let text = Machine::threads(3).run(|bsp| {
    ///     let words = ["bulk ", "synchronous ", "parallel"];
    ///     bsp.send(0, words[bsp.pid()].as_bytes());
    ///     bsp.sync();
    ///     bsp.messages().map(|m| String::from_utf8_lossy(m.bytes())).collect::<String>()
    /// });
    /// assert_eq!(text.unwrap(), "bulk synchronous parallel");
    /// ```
    pub fn messages(&self) -> Messages<'_> {
        self.go_on();
        Messages { messages: self.processor.borrow().unread(), bsp: self }
    }
}
