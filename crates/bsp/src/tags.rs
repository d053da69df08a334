//! The size of tags, which lags behind what was asked for.

/// Tag sizes in bytes: of the messages that can be read, of those that are being sent, and as asked
/// for last. A request reaches what is sent in the next superstep and what is read in the one after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagSizes {
    pub read: usize,
    pub sent: usize,
    asked: usize,
}

impl TagSizes {
    /// Asks for a size; the request before it.
    pub fn ask(&mut self, size: usize) -> usize {
        std::mem::replace(&mut self.asked, size)
    }

    /// The last request.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// The superstep ends.
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
