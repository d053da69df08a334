//! Tag sizes, which take effect later than they are set.

/// Tag sizes in bytes: of the messages that can be read, of those that are being sent, and the one set last. A
/// size that is set applies to messages sent in the next superstep, which are read in the one after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagSizes {
    pub read: usize,
    pub sent: usize,
    asked: usize,
}

impl TagSizes {
    /// Sets a size. Returns the one set before.
    pub fn ask(&mut self, size: usize) -> usize {
        std::mem::replace(&mut self.asked, size)
    }

    /// The size set last.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Ends the superstep.
    #[inline]
    pub fn end_superstep(&mut self) {
        self.read = self.sent;
        self.sent = self.asked;
    }
}

#[cfg(test)]
mod tests {
    use super::TagSizes;

    #[test]
    fn a_request_takes_two_supersteps_to_reach_the_reader() {
        let mut tags = TagSizes::default();
        assert_eq!(tags.ask(8), 0);
        assert_eq!(tags.ask(4), 8, "the last request, not what is in force");
        assert_eq!((tags.read, tags.sent), (0, 0));
        tags.end_superstep();
        assert_eq!((tags.read, tags.sent), (0, 4));
        tags.end_superstep();
        assert_eq!((tags.read, tags.sent), (4, 4));
    }
}
