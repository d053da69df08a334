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
        let sized = |count: usize, kind: usize| Arguments { size: Some((count, kind)), ..none };
        match (self.class(), self.plain()) {
            (Class::Send, _) => Arguments { to: side(3), ..sized(1, 2) },
            // The probe before it has its partner.
            (_, Op::Mrecv) => sized(1, 2),
            (Class::Receive, _) => Arguments { from: side(3), ..sized(1, 2) },
            (_, Op::Sendrecv_replace) => Arguments { to: side(3), from: side(5), ..sized(1, 2) },
            (_, Op::Sendrecv) => Arguments { to: side(3), from: side(8), ..sized(1, 2) },
            (_, Op::Barrier) => none,
            (_, Op::Bcast) => Arguments { root: Some(3), ..sized(1, 2) },
            (_, Op::Reduce) => Arguments { root: Some(5), ..sized(2, 3) },
            (_, Op::Gather | Op::Scatter) => Arguments { root: Some(6), ..sized(1, 2) },
            (_, Op::Gatherv) => Arguments { root: Some(7), ..sized(1, 2) },
            // What each receives.
            (_, Op::Scatterv) => Arguments { root: Some(7), ..sized(5, 6) },
            (_, Op::Allreduce | Op::Scan | Op::Exscan) => sized(2, 3),
            (_, Op::Reduce_scatter | Op::Reduce_scatter_block) => sized(2, 3),
            (_, Op::Alltoallv | Op::Alltoallw) => sized(1, 3),
            (_, Op::Neighbor_alltoallv | Op::Neighbor_alltoallw) => sized(1, 3),
            (Class::Collective, _) => sized(1, 2),
            _ => none,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters of functions, as the standard declares them.
    const DECLARED: [(Op, &str); 16] = [
        (Op::Isend, "buf count datatype dest tag comm request"),
        (Op::Recv_init, "buf count datatype source tag comm request"),
        (Op::Imrecv, "buf count datatype message request"),
        (
            Op::Sendrecv,
            "sendbuf count datatype dest tag recvbuf recvcount recvtype source recvtag comm status",
        ),
        (Op::Sendrecv_replace, "buf count datatype dest tag source recvtag comm status"),
        (Op::Bcast, "buffer count datatype root comm"),
        (Op::Ireduce, "sendbuf recvbuf count datatype op root comm request"),
        (Op::Gather, "sendbuf count datatype recvbuf recvcount recvtype root comm"),
        (Op::Gatherv, "sendbuf count datatype recvbuf recvcounts displs recvtype root comm"),
        (Op::Scatterv, "sendbuf sendcounts displs sendtype recvbuf count datatype root comm"),
        (Op::Scan, "sendbuf recvbuf count datatype op comm"),
        (Op::Reduce_scatter, "sendbuf recvbuf count datatype op comm"),
        (Op::Ireduce_scatter_block, "sendbuf recvbuf count datatype op comm request"),
        (Op::Alltoallv, "sendbuf count sdispls datatype recvbuf recvcounts rdispls recvtype comm"),
        (Op::Neighbor_alltoallw, "sendbuf count sdispls datatype recvbuf recvcounts rdispls"),
        (Op::Allgather_init, "sendbuf count datatype recvbuf recvcount recvtype comm info request"),
    ];

    #[test]
    fn arguments_stand_where_the_standard_has_them() {
        for (op, declared) in DECLARED {
            let words: Vec<&str> = declared.split(' ').collect();
            let place = |word: &str| words.iter().position(|text| *text == word);
            let side = |partner: &str, tag: &str| {
                place(partner).zip(place(tag)).map(|(partner, tag)| SideArguments { partner, tag })
            };
            let is_both = place("recvtag").is_some();
            let expected = Arguments {
                to: side("dest", "tag"),
                from: side("source", if is_both { "recvtag" } else { "tag" }),
                root: place("root"),
                size: place("count").zip(place("datatype")),
            };
            assert_eq!(op.arguments(), expected, "{op:?}");
        }
        assert_eq!(Op::Ibarrier.arguments(), Arguments::default());
        assert_eq!(Op::Put.arguments(), Arguments::default());
    }
}
