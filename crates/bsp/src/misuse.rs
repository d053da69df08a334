//! What a program must not do, and what is said of it.

/// Why all processors must stop. Its text is the end of a message: what was wrong; function, place
/// and processor come before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's text says it")]
pub enum Misuse {
    #[error("there is no processor {0}; the machine has {1} (numbered from 0)")]
    NoSuchProcessor(usize, usize),
    #[error("there is no processor {0}: they are numbered from 0")]
    NegativePid(i64),
    #[error("the size is negative: {0} bytes")]
    NegativeSize(i64),
    #[error("the offset is negative: {0} bytes")]
    NegativeOffset(i64),
    #[error("{0} is a null pointer")]
    NullPointer(&'static str),
    #[error("an area at the null pointer has no bytes, but {0} are registered there")]
    NullArea(usize),
    #[error(
        "no area is registered at this address ({0:#x}); the address must be the one that was given to bsp_push_reg, not one inside the area"
    )]
    NotRegistered(usize),
    #[error(
        "the area at this address ({0:#x}) was registered in this superstep; it can be used after the next bsp_sync"
    )]
    JustRegistered(usize),
    #[error("processor {0} takes no part in this registration: it registered the null pointer")]
    NoPart(usize),
    #[error(
        "offset {offset} with {size} bytes reaches beyond the {registered} bytes that processor {pid} registered"
    )]
    Beyond { pid: usize, offset: usize, size: usize, registered: usize },
    #[error("no area is registered at this address ({0:#x}), so none can be removed")]
    PopOfUnknown(usize),
    #[error("no registration has the null pointer on every processor, so none can be removed")]
    PopOfNull,
    #[error("more than {0} registrations at a time")]
    TooManyAreas(usize),
    #[error(
        "the queue has no message to move; bsp_qsize and bsp_get_tag tell whether there is one"
    )]
    EmptyQueue,
    #[error("{0}")]
    Differ(Difference),
    #[error("no memory left for what is sent: {0}")]
    NoMemory(String),
    #[error("no processor can go on: all wait for each other\n{0}")]
    Deadlock(String),
    /// Another processor has stopped the machine and has said why.
    #[error("another processor has stopped the machine")]
    Stopped,
}

/// What all processors must do alike in a superstep, and did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's text says it")]
pub enum Difference {
    #[error("processor {0} {1}, but processor {2} {3}")]
    Ends(usize, String, usize, String),
    #[error(
        "processor {0} registered {1} in this superstep (bsp_push_reg), processor {2} {3}; all must register together"
    )]
    Pushes(usize, Areas, usize, u64),
    #[error(
        "processor {0} removed {1} in this superstep (bsp_pop_reg), processor {2} {3}; all must remove together"
    )]
    Pops(usize, Areas, usize, u64),
    #[error(
        "the {0}. bsp_pop_reg of this superstep removes one registration on processor {1} and another on processor {2}; all must remove the same ones in the same order"
    )]
    PopsOther(u64, usize, usize),
    #[error("processor {0} called bsp_set_tagsize {1} in this superstep, processor {2} {3}")]
    TagCalls(usize, Times, usize, Times),
    #[error(
        "processor {0} sets the tag size to {1}, processor {2} to {3}; it must be the same everywhere"
    )]
    TagSizes(usize, u64, usize, u64),
    #[error(
        "processor {0} {1}, processor {2} {3}, but not for the same: all must call the same collective, with the same root and size where they have one"
    )]
    Kinds(usize, String, usize, String),
    #[error(
        "the processors registered, removed or set tag sizes in different orders in this superstep"
    )]
    Order,
}

/// So many areas, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas(pub u64);

impl std::fmt::Display for Areas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("no area"),
            1 => f.write_str("1 area"),
            n => write!(f, "{n} areas"),
        }
    }
}

/// So many times, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times(pub u64);

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("not at all"),
            1 => f.write_str("once"),
            n => write!(f, "{n} times"),
        }
    }
}
