//! The traffic from one processor to another in a superstep: its streams, and their amounts.

/// The streams from one processor to another.
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
    /// The areas are among the requests; the receiver writes what the sender cannot access.
    Part,
}

/// Amounts that were sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Whether there are requests.
    pub requests: bool,
    /// Number of gets.
    pub gets: u32,
    pub messages: u32,
    /// Bytes of the messages' payload.
    pub message_bytes: u64,
}
