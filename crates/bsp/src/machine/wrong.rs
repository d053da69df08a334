//! Errors of a program in addition to those of [`Misuse`].

use crate::Misuse;

/// Why a call cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum Wrong {
    #[error(transparent)]
    Misuse(#[from] Misuse),
    #[error("the area is not one of this processor in this machine")]
    ForeignArea,
    #[error("elements {from} to {to} are requested, but the area has {length} elements here")]
    BeyondOwn { from: usize, to: usize, length: usize },
    #[error(
        "the tag has {given} bytes, but messages of this superstep have tags of {wanted} bytes; a tag type takes effect in the superstep after Bsp::set_tag"
    )]
    SentTag { given: usize, wanted: usize },
    #[error(
        "a tag of {requested} bytes is requested, but the messages that have arrived have tags of {has} bytes; a tag type applies to messages that arrive two supersteps after Bsp::set_tag"
    )]
    ReadTag { requested: usize, has: usize },
    #[error("{size} bytes from processor {sender} are no sequence of elements of {element} bytes")]
    Payload { size: usize, sender: usize, element: usize },
    #[error(
        "messages were sent in this superstep, and a collective is a separate superstep: call Bsp::sync before it"
    )]
    SentBefore,
    #[error("there are {given} parts for {wanted} processors")]
    Parts { given: usize, wanted: usize },
}
