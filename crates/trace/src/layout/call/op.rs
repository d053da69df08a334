//! The calls, and the fields of their records.

use super::{
    DONE, DONE_CANCELLED, DONE_GOT, FIRST_CALL, OFF_CORE, RETURNED, RETURNED_ERROR, RETURNED_GOT,
    RETURNED_NEW, STARTED, UNSUCCESSFUL,
};

/// What a call does; this determines the fields of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Begin and end of MPI; no fields.
    Life,
    /// Sends a message: communicator, partner, tag, bytes.
    Send,
    /// Receives a message: the same, bytes are the size of the buffer.
    Receive,
    /// Sends and receives: communicator, partner, tag, bytes sent; partner, tag, size of the
    /// buffer.
    Exchange,
    /// Probes for a message: communicator, partner, tag.
    Probe,
    /// Tests requests or waits for them: how many, and the number of the first if there is one.
    Wait,
    /// Starts, frees or cancels requests: as [`Class::Wait`].
    Request,
    /// A collective: communicator, root + 1 or 0, bytes sent by this process, bytes received by it.
    Collective,
    /// One-sided access: window, partner, bytes put, bytes got.
    Access,
    /// Synchronisation of a window: window, partner.
    Epoch,
    /// Makes or frees a communicator or window: communicator.
    Create,
    /// Input and output: number of the communicator that the file was opened on + 1 or 0, bytes to
    /// write, bytes to read, as requested.
    File,
}

/// A call of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(u8);

/// Every call: its name without `MPI_`, its class, whether it returns a request (whose number
/// follows the fields). New ones are added at the end: the position is the number.
const CALLS: &[(&str, Class, bool)] = {
    use Class::*;
    &[
        ("Init", Life, false),
        ("Init_thread", Life, false),
        ("Finalize", Life, false),
        ("Abort", Life, false),
        ("Send", Send, false),
        ("Bsend", Send, false),
        ("Ssend", Send, false),
        ("Rsend", Send, false),
        ("Isend", Send, true),
        ("Ibsend", Send, true),
        ("Issend", Send, true),
        ("Irsend", Send, true),
        ("Send_init", Send, true),
        ("Bsend_init", Send, true),
        ("Ssend_init", Send, true),
        ("Rsend_init", Send, true),
        ("Recv", Receive, false),
        ("Mrecv", Receive, false),
        ("Irecv", Receive, true),
        ("Imrecv", Receive, true),
        ("Recv_init", Receive, true),
        ("Sendrecv", Exchange, false),
        ("Sendrecv_replace", Exchange, false),
        ("Probe", Probe, false),
        ("Iprobe", Probe, false),
        ("Mprobe", Probe, false),
        ("Improbe", Probe, false),
        ("Wait", Wait, false),
        ("Waitany", Wait, false),
        ("Waitall", Wait, false),
        ("Waitsome", Wait, false),
        ("Test", Wait, false),
        ("Testany", Wait, false),
        ("Testall", Wait, false),
        ("Testsome", Wait, false),
        ("Start", Request, false),
        ("Startall", Request, false),
        ("Cancel", Request, false),
        ("Request_free", Request, false),
        ("Barrier", Collective, false),
        ("Bcast", Collective, false),
        ("Gather", Collective, false),
        ("Gatherv", Collective, false),
        ("Scatter", Collective, false),
        ("Scatterv", Collective, false),
        ("Allgather", Collective, false),
        ("Allgatherv", Collective, false),
        ("Alltoall", Collective, false),
        ("Alltoallv", Collective, false),
        ("Alltoallw", Collective, false),
        ("Reduce", Collective, false),
        ("Allreduce", Collective, false),
        ("Reduce_scatter", Collective, false),
        ("Reduce_scatter_block", Collective, false),
        ("Scan", Collective, false),
        ("Exscan", Collective, false),
        ("Neighbor_allgather", Collective, false),
        ("Neighbor_allgatherv", Collective, false),
        ("Neighbor_alltoall", Collective, false),
        ("Neighbor_alltoallv", Collective, false),
        ("Neighbor_alltoallw", Collective, false),
        ("Ibarrier", Collective, true),
        ("Ibcast", Collective, true),
        ("Igather", Collective, true),
        ("Igatherv", Collective, true),
        ("Iscatter", Collective, true),
        ("Iscatterv", Collective, true),
        ("Iallgather", Collective, true),
        ("Iallgatherv", Collective, true),
        ("Ialltoall", Collective, true),
        ("Ialltoallv", Collective, true),
        ("Ialltoallw", Collective, true),
        ("Ireduce", Collective, true),
        ("Iallreduce", Collective, true),
        ("Ireduce_scatter", Collective, true),
        ("Ireduce_scatter_block", Collective, true),
        ("Iscan", Collective, true),
        ("Iexscan", Collective, true),
        ("Ineighbor_allgather", Collective, true),
        ("Ineighbor_allgatherv", Collective, true),
        ("Ineighbor_alltoall", Collective, true),
        ("Ineighbor_alltoallv", Collective, true),
        ("Ineighbor_alltoallw", Collective, true),
        ("Put", Access, false),
        ("Get", Access, false),
        ("Accumulate", Access, false),
        ("Get_accumulate", Access, false),
        ("Fetch_and_op", Access, false),
        ("Compare_and_swap", Access, false),
        ("Rput", Access, true),
        ("Rget", Access, true),
        ("Raccumulate", Access, true),
        ("Rget_accumulate", Access, true),
        ("Win_fence", Epoch, false),
        ("Win_start", Epoch, false),
        ("Win_complete", Epoch, false),
        ("Win_post", Epoch, false),
        ("Win_wait", Epoch, false),
        ("Win_test", Epoch, false),
        ("Win_lock", Epoch, false),
        ("Win_unlock", Epoch, false),
        ("Win_lock_all", Epoch, false),
        ("Win_unlock_all", Epoch, false),
        ("Win_flush", Epoch, false),
        ("Win_flush_all", Epoch, false),
        ("Win_flush_local", Epoch, false),
        ("Win_flush_local_all", Epoch, false),
        ("Win_free", Epoch, false),
        ("Win_create", Create, false),
        ("Win_allocate", Create, false),
        ("Win_allocate_shared", Create, false),
        ("Win_create_dynamic", Create, false),
        ("Comm_dup", Create, false),
        ("Comm_dup_with_info", Create, false),
        ("Comm_idup", Create, true),
        ("Comm_split", Create, false),
        ("Comm_split_type", Create, false),
        ("Comm_create", Create, false),
        ("Comm_create_group", Create, false),
        ("Comm_free", Create, false),
        ("Comm_disconnect", Create, false),
        ("Cart_create", Create, false),
        ("Cart_sub", Create, false),
        ("Graph_create", Create, false),
        ("Dist_graph_create", Create, false),
        ("Dist_graph_create_adjacent", Create, false),
        ("Intercomm_create", Create, false),
        ("Intercomm_merge", Create, false),
        ("Comm_spawn", Create, false),
        ("Comm_spawn_multiple", Create, false),
        ("Comm_accept", Create, false),
        ("Comm_connect", Create, false),
        ("File_open", File, false),
        ("File_close", File, false),
        ("File_read", File, false),
        ("File_read_all", File, false),
        ("File_read_shared", File, false),
        ("File_read_ordered", File, false),
        ("File_read_at", File, false),
        ("File_read_at_all", File, false),
        ("File_write", File, false),
        ("File_write_all", File, false),
        ("File_write_shared", File, false),
        ("File_write_ordered", File, false),
        ("File_write_at", File, false),
        ("File_write_at_all", File, false),
        ("File_iread", File, true),
        ("File_iread_shared", File, true),
        ("File_iread_at", File, true),
        ("File_iwrite", File, true),
        ("File_iwrite_shared", File, true),
        ("File_iwrite_at", File, true),
        ("File_iread_all", File, true),
        ("File_iread_at_all", File, true),
        ("File_iwrite_all", File, true),
        ("File_iwrite_at_all", File, true),
        ("File_read_all_begin", File, false),
        ("File_read_all_end", File, false),
        ("File_read_at_all_begin", File, false),
        ("File_read_at_all_end", File, false),
        ("File_read_ordered_begin", File, false),
        ("File_read_ordered_end", File, false),
        ("File_write_all_begin", File, false),
        ("File_write_all_end", File, false),
        ("File_write_at_all_begin", File, false),
        ("File_write_at_all_end", File, false),
        ("File_write_ordered_begin", File, false),
        ("File_write_ordered_end", File, false),
        ("File_set_size", File, false),
        ("File_preallocate", File, false),
        ("File_set_view", File, false),
        ("File_seek_shared", File, false),
        ("File_sync", File, false),
        ("Request_get_status", Wait, false),
        ("Barrier_init", Collective, true),
        ("Bcast_init", Collective, true),
        ("Gather_init", Collective, true),
        ("Gatherv_init", Collective, true),
        ("Scatter_init", Collective, true),
        ("Scatterv_init", Collective, true),
        ("Allgather_init", Collective, true),
        ("Allgatherv_init", Collective, true),
        ("Alltoall_init", Collective, true),
        ("Alltoallv_init", Collective, true),
        ("Alltoallw_init", Collective, true),
        ("Reduce_init", Collective, true),
        ("Allreduce_init", Collective, true),
        ("Reduce_scatter_init", Collective, true),
        ("Reduce_scatter_block_init", Collective, true),
        ("Scan_init", Collective, true),
        ("Exscan_init", Collective, true),
        ("Neighbor_allgather_init", Collective, true),
        ("Neighbor_allgatherv_init", Collective, true),
        ("Neighbor_alltoall_init", Collective, true),
        ("Neighbor_alltoallv_init", Collective, true),
        ("Neighbor_alltoallw_init", Collective, true),
    ]
};

impl Op {
    /// The call with this number.
    pub fn of_number(number: u8) -> Option<Op> {
        let place = number.checked_sub(FIRST_CALL)?;
        (usize::from(place) < CALLS.len()).then_some(Op(place))
    }

    /// The call with this name, without `MPI_`.
    pub fn named(name: &str) -> Option<Op> {
        CALLS.iter().position(|call| call.0 == name).map(|place| Op(place as u8))
    }

    /// All calls.
    pub fn all() -> impl Iterator<Item = Op> {
        (0..CALLS.len()).map(|place| Op(place as u8))
    }

    /// Its number in records.
    pub fn number(self) -> u8 {
        FIRST_CALL + self.0
    }

    /// Its name without `MPI_`.
    pub fn name(self) -> &'static str {
        CALLS[usize::from(self.0)].0
    }

    /// What it does.
    pub fn class(self) -> Class {
        CALLS[usize::from(self.0)].1
    }

    /// Whether it returns a request instead of waiting.
    pub fn has_request(self) -> bool {
        CALLS[usize::from(self.0)].2
    }

    /// Whether it makes a persistent request.
    pub fn is_persistent(self) -> bool {
        self.has_request() && self.name().ends_with("_init")
    }

    /// The work of each start of its persistent request, as a call that returns a request: `Iallreduce`
    /// for `Allreduce_init`. Every other call is itself.
    pub fn each_start(self) -> Op {
        let plain = self.name().strip_suffix("_init").filter(|_| self.has_request());
        let name = plain.map(|plain| format!("I{}", plain.to_ascii_lowercase()));
        name.and_then(|name| Op::named(&name)).unwrap_or(self)
    }

    /// Whether it only polls and returns in any case.
    pub fn is_poll(self) -> bool {
        matches!(
            self.name(),
            "Test"
                | "Testany"
                | "Testall"
                | "Testsome"
                | "Iprobe"
                | "Improbe"
                | "Win_test"
                | "Request_get_status"
        )
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
        for op in Op::all() {
            assert_eq!(Op::of_number(op.number()), Some(op));
            assert_eq!(Op::named(op.name()), Some(op), "{} is there twice", op.name());
        }
        assert_eq!((Op::of_number(0), Op::of_number(255)), (None, None));
    }

    #[test]
    fn each_start_of_a_persistent_request_is_a_call() {
        let of = |name: &str| Op::named(name).expect("a call").each_start().name();
        assert_eq!((of("Allreduce_init"), of("Ssend_init")), ("Iallreduce", "Issend"));
        assert_eq!(
            (of("Allreduce"), of("Iallreduce"), of("Start")),
            ("Allreduce", "Iallreduce", "Start")
        );
        for op in Op::all() {
            assert_eq!(op.is_persistent(), op.each_start() != op, "{}", op.name());
            assert_eq!(op.class(), op.each_start().class());
        }
        // Each collective that returns a request can be persistent.
        let once = Op::all().filter(|op| op.class() == Class::Collective && op.has_request());
        let (persistent, once): (Vec<Op>, Vec<Op>) = once.partition(|op| op.is_persistent());
        assert_eq!(persistent.iter().map(|op| op.each_start()).collect::<Vec<Op>>(), once);
    }
}
