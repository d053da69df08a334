//! Where the arguments of a call stand.

use super::{Class, Op};

/// Positions of a call's arguments, from 0 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// To whom it sends.
    pub to: Option<SideArguments>,
    /// From whom it receives.
    pub from: Option<SideArguments>,
    /// The root.
    pub root: Option<usize>,
    /// The number of elements and their type.
    pub size: Option<(usize, usize)>,
}

/// Positions of one side of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideArguments {
    /// The other process.
    pub partner: usize,
    /// The tag.
    pub tag: usize,
}

impl Op {
    /// Where its arguments stand, of messages and collectives.
    pub fn arguments(self) -> Arguments {
        let none = Arguments::default();
        let side = |partner: usize| Some(SideArguments { partner, tag: partner + 1 });
        let sized = |count: usize| Arguments { size: Some((count, count + 1)), ..none };
        match (self.class(), self.plain()) {
            (Class::Send, _) => Arguments { to: side(3), ..sized(1) },
            (Class::Receive, _) => Arguments { from: side(3), ..sized(1) },
            (_, Op::Sendrecv_replace) => Arguments { to: side(3), from: side(5), ..sized(1) },
            (_, Op::Sendrecv) => Arguments { to: side(3), from: side(8), ..sized(1) },
            (_, Op::Barrier) => none,
            (_, Op::Bcast) => Arguments { root: Some(3), ..sized(1) },
            (_, Op::Reduce) => Arguments { root: Some(5), ..sized(2) },
            (_, Op::Gather | Op::Scatter) => Arguments { root: Some(6), ..sized(1) },
            (_, Op::Gatherv) => Arguments { root: Some(7), ..sized(1) },
            (_, Op::Scatterv) => Arguments { root: Some(7), ..none },
            (_, Op::Allreduce | Op::Scan | Op::Exscan) => sized(2),
            (Class::Collective, _) => sized(1),
            _ => none,
        }
    }
}
