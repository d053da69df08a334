//! Actions that are forbidden to a program, and the messages about them.

/// Why all processors must stop. The text is the end of a message and says what was wrong; function, place and
/// processor come before it.
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
    #[error("processor {0} has no area in this registration: it registered the null pointer")]
    NoPart(usize),
    #[error(
        "offset {offset} with {size} bytes reaches beyond the {registered} bytes that processor {pid} registered"
    )]
    Beyond { pid: usize, offset: usize, size: usize, registered: usize },
    #[error(
        "the memory to be read on processor {0} does not exist any more: it was freed while it was registered"
    )]
    Gone(usize),
    #[error(
        "memory of processor {0} cannot be read before the superstep ends: {1}\n  help: bsp_get reads it in bsp_sync, on every engine"
    )]
    NotAtOnce(usize, String),
    #[error("no area is registered at this address ({0:#x}), so none can be removed")]
    PopOfUnknown(usize),
    #[error("no registration has the null pointer on every processor, so none can be removed")]
    PopOfNull,
    #[error("more than {0} registrations at a time")]
    TooManyAreas(usize),
    #[error(
        "the queue has no message to move; bsp_qsize and bsp_get_tag report whether there is one"
    )]
    EmptyQueue,
    #[error("{0}")]
    Differ(Difference),
    #[error("no memory left: {0}")]
    NoMemory(String),
    #[error("this engine does not support parts of machines")]
    NoObjects,
    #[error(
        "this machine object is not open here: bsplib_init or bsp_partition has not created it, or bsp_done has closed it"
    )]
    NotOpen,
    #[error(
        "this processor is in a part of this machine, created by bsp_partition; until bsp_done closes the part, bsp_pid and bsp_nprocs of the machine can be called, but it cannot communicate, synchronise or be divided again"
    )]
    PartIsOpen,
    #[error(
        "this is the machine of all processors, which bsp_partition has not created; bsplib_done ends it"
    )]
    DoneOfWhole,
    #[error(
        "parts must be closed in the reverse order of their creation; the part created last is still open"
    )]
    DoneOutOfOrder,
    #[error("{0} is still open; bsp_done must close it first")]
    EndsInPart(Members),
    #[error(
        "part {index} ends before processor {bound}, but the one before it ends before processor {before}: bounds must ascend"
    )]
    BoundsDescend { index: usize, bound: usize, before: usize },
    #[error(
        "the last bound is {last}, but the machine has {nprocs} processors: parts must include all of them, so the last bound must be bsp_nprocs"
    )]
    LastBound { last: usize, nprocs: usize },
    #[error("there is no part: at least one is needed")]
    NoParts,
    #[error("bound {0} is negative: bounds are numbers of processors")]
    NegativeBound(i64),
    #[error("the index is negative: {0}")]
    NegativeIndex(i64),
    #[error("the number of messages is negative: {0}")]
    NegativeCount(i64),
    #[error("there is no message {0}; {1} have arrived (numbered from 0)")]
    NoSuchMessage(usize, usize),
    #[error(
        "{announced} {} announced for superstep {superstep} of {machine}, but at least {came} have arrived",
        if *announced == 1 { "message was" } else { "messages were" }
    )]
    Excess { announced: u64, came: u64, superstep: u64, machine: Members },
    #[error(
        "superstep {superstep} of {machine} ends in bsp_oblsync on this processor, but its processor {pid} is in bsp_sync or bsplib_done: all must end it in the same way"
    )]
    SyncMeetsOblivious { pid: usize, superstep: u64, machine: Members },
    #[error(
        "this superstep has registrations, puts or gets, so it cannot end in bsp_oblsync\n  help: end it with bsp_sync on all processors of the machine, or send messages instead"
    )]
    AccessMeetsOblivious,
    #[error("{machine} ends here in superstep {superstep}, but its processor {pid} is in bsp_sync")]
    DoneMeetsSync { pid: usize, superstep: u64, machine: Members },
    #[error(
        "{machine} ends here in superstep {done}, but its processor {pid} is in a later one: all must have the same number of supersteps"
    )]
    MoreSupersteps { pid: usize, done: u64, machine: Members },
    #[error(
        "processor {from} of the whole program has sent data as a processor of {machine}, to which it does not belong here: bsp_partition must have the same bounds on all processors"
    )]
    OtherParts { machine: Members, from: usize },
    #[error(
        "processor {from} has sent data in a machine that this processor has not created: all processors of a machine must call bsp_partition in the same way"
    )]
    NoSuchMachine { from: usize },
    #[error("deadlock: all processors wait for each other\n{0}")]
    Deadlock(String),
    /// The memory of virtual processors.
    #[error("{0}")]
    DoesNotFit(String),
    /// Another processor has stopped the machine and has given the reason.
    #[error("another processor has stopped the machine")]
    Stopped,
}

/// A difference between processors in an action that all must do in the same way in a superstep.
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
        "processor {0} {1}, processor {2} {3}, but with different arguments: all must call the same collective, with the same root and size"
    )]
    Kinds(usize, String, usize, String),
    #[error(
        "in this superstep the processors called bsp_push_reg, bsp_pop_reg or bsp_set_tagsize in different orders"
    )]
    Order,
}

/// The processors of a machine object, by their numbers in the whole program, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members {
    /// The lowest number.
    pub first: usize,
    /// Their number.
    pub count: usize,
}

impl std::fmt::Display for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Members { first, count } = self;
        match count {
            1 => write!(f, "the machine of processor {first} alone"),
            _ => write!(f, "the machine of processors {first} to {}", first + count - 1),
        }
    }
}

/// A number of areas, in words.
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

/// A number of times, in words.
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
