//! Errors of a program in addition to those of [`Misuse`].

use crate::Misuse;

/// Why a call cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum Wrong {
    #[error(transparent)]
    Misuse(#[from] Misuse),
    #[error("the area is not one of this processor in this machine")]
    ForeignArea,
    #[error("elements {from} to {to} are wanted of an area that has {length} here")]
    BeyondOwn { from: usize, to: usize, length: usize },
    #[error(
        "the tag has {given} bytes, but what is sent in this superstep has tags of {wanted}; a tag type counts from the superstep after Bsp::set_tag"
    )]
    SentTag { given: usize, wanted: usize },
    #[error(
        "a tag of {asked} bytes is asked for, but what has arrived has tags of {has}; a tag type is that of what arrives two supersteps after Bsp::set_tag"
    )]
    ReadTag { asked: usize, has: usize },
    #[error("{size} bytes from processor {sender} are no sequence of elements of {element} bytes")]
    Payload { size: usize, sender: usize, element: usize },
    #[error(
        "messages were sent in this superstep, and a collective is a superstep of its own: call Bsp::sync before it"
    )]
    SentBefore,
    #[error("there are {given} parts for {wanted} processors")]
    Parts { given: usize, wanted: usize },
}
