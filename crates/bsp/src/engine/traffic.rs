//! What one processor sends to another in a superstep: its streams, and how much is in them.

/// The streams from a processor to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Requests,
    Messages,
}

/// Whether the sender of requests offers to carry them out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Offer {
    #[default]
    Nothing,
    All,
    /// The areas are among the requests; the receiver writes what the sender cannot reach.
    Part,
}

/// How much was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Whether there are requests.
    pub requests: bool,
    /// Requests to read.
    pub gets: u32,
    pub messages: u32,
    /// Bytes of the messages' payload.
    pub message_bytes: u64,
}
