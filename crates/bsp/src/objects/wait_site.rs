//! Where a processor stands that waits, in a line.

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

/// For what a processor waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum WaitReason {
    /// For so many messages.
    Messages(usize),
    /// For a processor of the machine that has not come to its barrier.
    Processor(usize),
    /// For so many of them.
    Processors(usize),
    /// For the bytes of so many gets.
    Replies(usize),
    /// For the times of so many virtual processors that have sent something.
    Times(usize),
    /// For what has been sent in place to be read.
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
                let come = object.arriving.len();
                write!(f, "{come} of {wanted} messages have come")
            }
            WaitReason::Processor(pid) => write!(f, "waits for processor {pid} of it"),
            WaitReason::Processors(count) => write!(f, "waits for {count} processors of it"),
            WaitReason::Replies(count) => write!(f, "waits for what {count} gets read"),
            WaitReason::Times(count) => {
                write!(f, "waits for the end of the superstep on {count} senders")
            }
            WaitReason::Receivers => f.write_str("what was sent by bsp_hpsend is still needed"),
        }
    }
}
