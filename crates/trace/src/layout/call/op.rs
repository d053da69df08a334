//! Calls, and the fields of their records.

use super::properties::{Class, CollectiveGroup, CollectiveKind, Flow, Return};
use super::table::{CALLS, Op, Row};
use super::{
    DONE, DONE_CANCELLED, DONE_GOT, FIRST_CALL, OFF_CORE, RETURNED, RETURNED_ERROR, RETURNED_GOT,
    RETURNED_NEW, STARTED, UNSUCCESSFUL,
};

impl Op {
    /// The call with this number.
    pub fn of_number(number: u8) -> Option<Op> {
        let place = number.checked_sub(FIRST_CALL)?;
        CALLS.get(usize::from(place)).map(|row| row.op)
    }

    /// The call with this name, without `MPI_`.
    pub fn named(name: &str) -> Option<Op> {
        CALLS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// The call of this function, such as `MPI_Send`.
    pub fn of_function(name: &str) -> Option<Op> {
        Op::named(name.strip_prefix("MPI_")?)
    }

    /// All calls.
    pub fn all() -> impl Iterator<Item = Op> {
        CALLS.iter().map(|row| row.op)
    }

    fn row(self) -> &'static Row {
        &CALLS[self as usize]
    }

    /// Returns the number of the call in records.
    pub fn number(self) -> u8 {
        FIRST_CALL + self as u8
    }

    /// Returns the name of the call without `MPI_`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the class of the call: what it does.
    pub fn class(self) -> Class {
        self.row().class
    }

    /// Whether it returns a request, whose number follows the fields, instead of waiting.
    pub fn has_request(self) -> bool {
        matches!(self.row().returns, Return::Begins | Return::Persists)
    }

    /// Whether it makes a persistent request.
    pub fn is_persistent(self) -> bool {
        self.row().returns == Return::Persists
    }

    /// Whether it only polls and returns in any case.
    pub fn is_poll(self) -> bool {
        self.row().returns == Return::Polls
    }

    /// The call that does the same work and returns when it is done: `Bcast` for `Ibcast` and
    /// `Bcast_init`. Where there is none it is the call itself.
    pub fn plain(self) -> Op {
        self.row().plain
    }

    /// The work of each start of its persistent request, as a call that returns a request: `Iallreduce`
    /// for `Allreduce_init`. Every other call is itself.
    pub fn each_start(self) -> Op {
        let is_start = |row: &&Row| row.returns == Return::Begins && row.plain == self.plain();
        if self.is_persistent() {
            CALLS.iter().find(is_start).map_or(self, |row| row.op)
        } else {
            self
        }
    }

    /// Which way it moves data.
    pub fn flow(self) -> Flow {
        self.row().flow
    }

    /// How the processes that make it together depend on each other.
    pub fn collective_kind(self) -> CollectiveKind {
        match self.flow() {
            Flow::Among(kind) => kind,
            _ => CollectiveKind::All,
        }
    }

    /// The processes that make it together and may wait for each other in it.
    pub fn group(self) -> Option<CollectiveGroup> {
        self.row().group
    }

    /// Whether it waits until other processes have started or connected.
    pub fn starts_processes(self) -> bool {
        matches!(
            self,
            Op::Comm_spawn | Op::Comm_spawn_multiple | Op::Comm_accept | Op::Comm_connect
        )
    }

    /// Whether it begins MPI, or ends it in good order.
    pub fn is_life(self) -> bool {
        self.begins_mpi() || self == Op::Finalize
    }

    /// Whether it begins MPI.
    pub fn begins_mpi(self) -> bool {
        matches!(self, Op::Init | Op::Init_thread)
    }
}

/// The numbers as a C header for the wrapper.
pub fn c_header() -> String {
    let mut text = String::new();
    let mut define =
        |name: &str, number: u8| text.push_str(&format!("#define CLL_{name} {number}\n"));
    for (name, number) in [
        ("RETURNED", RETURNED),
        ("RETURNED_GOT", RETURNED_GOT),
        ("RETURNED_NEW", RETURNED_NEW),
        ("RETURNED_ERROR", RETURNED_ERROR),
        ("DONE", DONE),
        ("DONE_GOT", DONE_GOT),
        ("DONE_CANCELLED", DONE_CANCELLED),
        ("STARTED", STARTED),
        ("UNSUCCESSFUL", UNSUCCESSFUL),
        ("OFF_CORE", OFF_CORE),
    ] {
        define(name, number);
    }
    for op in Op::all() {
        define(&format!("OP_{}", op.name()), op.number());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_a_number_of_its_own() {
        assert!(CALLS.len() <= 256 - usize::from(FIRST_CALL));
        for (place, op) in Op::all().enumerate() {
            assert_eq!(op as usize, place);
            assert_eq!(Op::of_number(op.number()), Some(op));
            assert_eq!(Op::named(op.name()), Some(op), "{} is there twice", op.name());
        }
        assert_eq!((Op::of_number(0), Op::of_number(255)), (None, None));
    }

    #[test]
    fn each_start_of_a_persistent_request_is_a_call() {
        assert_eq!(Op::Allreduce_init.each_start(), Op::Iallreduce);
        assert_eq!(Op::Ssend_init.each_start(), Op::Issend);
        for op in [Op::Allreduce, Op::Iallreduce, Op::Start] {
            assert_eq!(op.each_start(), op);
        }
        for op in Op::all() {
            assert_eq!(op.is_persistent(), op.each_start() != op, "{}", op.name());
            assert_eq!(op.class(), op.each_start().class());
        }
        // Each collective that returns a request can be persistent.
        let once = Op::all().filter(|op| op.class() == Class::Collective && op.has_request());
        let (persistent, once): (Vec<Op>, Vec<Op>) = once.partition(|op| op.is_persistent());
        assert_eq!(persistent.iter().map(|op| op.each_start()).collect::<Vec<Op>>(), once);
    }

    /// The names of the standard say what is begun, made persistent and done at once.
    #[test]
    fn a_plain_call_does_the_same_at_once() {
        for op in Op::all() {
            let plain = op.plain();
            assert_eq!((plain.plain(), plain.has_request()), (plain, false), "{op:?}");
            assert_eq!((plain.class(), plain.flow()), (op.class(), op.flow()), "{op:?}");
            let (name, plain_name) =
                (op.name().to_ascii_lowercase(), plain.name().to_ascii_lowercase());
            let begun = [
                format!("i{plain_name}"),
                format!("r{plain_name}"),
                plain_name.replacen('_', "_i", 1),
            ];
            let persistent = format!("{plain_name}_init");
            match (op.is_persistent(), plain == op) {
                (true, _) => assert_eq!(name, persistent),
                (false, false) => assert!(begun.contains(&name), "{op:?}"),
                (false, true) => assert!(!op.has_request(), "{op:?}"),
            }
        }
    }

    #[test]
    fn dependencies_are_those_of_the_plain_call() {
        for (op, kind) in [
            (Op::Ibcast, CollectiveKind::FromRoot),
            (Op::Bcast, CollectiveKind::FromRoot),
            (Op::Igatherv, CollectiveKind::ToRoot),
            (Op::Iallgatherv, CollectiveKind::Exchange),
            (Op::Iallreduce, CollectiveKind::All),
            (Op::Exscan, CollectiveKind::Prefix),
            (Op::Ineighbor_alltoall, CollectiveKind::Neighbours),
            (Op::Win_fence, CollectiveKind::All),
        ] {
            assert_eq!(op.collective_kind(), kind, "{op:?}");
        }
    }

    #[test]
    fn what_returns_a_request_has_no_group_but_collectives() {
        for op in Op::all().filter(|op| op.group().is_some() && op.has_request()) {
            assert_eq!(op.class(), Class::Collective, "{op:?}");
        }
        assert_eq!(Op::File_read_all_end.group(), Some(CollectiveGroup::Files));
        assert_eq!((Op::File_read_all_begin.group(), Op::File_iread_all.group()), (None, None));
    }
}
