//! A line about where a processor is and what it waits for.

use std::fmt;

use crate::place::Place;

use super::object::Object;

/// A wait in a synchronisation.
#[derive(Clone, Copy)]
pub(super) struct WaitSite<'a> {
    /// The function.
    pub call: &'static str,
    pub place: Place,
    pub object: &'a Object,
    pub waits: WaitReason,
}

/// The event that a processor waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum WaitReason {
    /// This number of messages.
    Messages(usize),
    /// A processor of the machine that has not reached its barrier.
    Processor(usize),
    /// This number of processors.
    Processors(usize),
    /// The data of this number of gets.
    Replies(usize),
    /// The times of this number of virtual processors that have sent something.
    Times(usize),
    /// The receivers, to read what was sent in place.
    Receivers,
}

impl fmt::Display for WaitSite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitSite { call, place, object, waits } = self;
        f.write_str(call)?;
        if place.file().is_some() {
            write!(f, " at {place}")?;
        }
        write!(f, ", superstep {} of {}: ", object.superstep, object.members())?;
        match waits {
            WaitReason::Messages(wanted) => {
                let arrived = object.arriving.len();
                write!(f, "{arrived} of {wanted} messages have arrived")
            }
            WaitReason::Processor(pid) => write!(f, "waits for its processor {pid}"),
            WaitReason::Processors(count) => write!(f, "waits for {count} of its processors"),
            WaitReason::Replies(count) => write!(f, "waits for the data of {count} gets"),
            WaitReason::Times(count) => {
                write!(f, "waits for the end of the superstep on {count} senders")
            }
            WaitReason::Receivers => f.write_str("waits until the data of bsp_hpsend are read"),
        }
    }
}
