//! The symbol of a call in a graph, the same whether the graph is of a run or of a source.

use cll_result::GraphSymbol;
use cll_trace::layout::call::{Class, CollectiveKind, Flow, Op};

/// Who of the processes of a node is the root of its collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// All of them.
    All,
    /// None of them.
    None,
    /// Some of them, or it is not known.
    Some,
}

/// The symbol by what a call does with data: it sends, receives, or does both. In a broadcast that hangs on who is the
/// root; an access of a window that returns what was there before does both.
pub fn symbol(op: Op, roots: Roots) -> GraphSymbol {
    match op.flow() {
        Flow::Out => GraphSymbol::Send,
        Flow::In => GraphSymbol::Receive,
        Flow::Both => GraphSymbol::Both,
        Flow::Among(kind) => match (kind, roots) {
            (CollectiveKind::FromRoot, Roots::All) | (CollectiveKind::ToRoot, Roots::None) => {
                GraphSymbol::Send
            }
            (CollectiveKind::FromRoot, Roots::None) | (CollectiveKind::ToRoot, Roots::All) => {
                GraphSymbol::Receive
            }
            _ => GraphSymbol::Both,
        },
        Flow::Nothing if op.class() == Class::Wait => GraphSymbol::Completion,
        Flow::Nothing => GraphSymbol::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_accesses_of_windows_and_collectives_do() {
        for (ops, expected) in [
            (&[Op::Put, Op::Rput, Op::Accumulate, Op::Raccumulate][..], GraphSymbol::Send),
            (&[Op::Get, Op::Rget], GraphSymbol::Receive),
            (
                &[Op::Get_accumulate, Op::Rget_accumulate, Op::Fetch_and_op, Op::Compare_and_swap],
                GraphSymbol::Both,
            ),
        ] {
            ops.iter().for_each(|&op| assert_eq!(symbol(op, Roots::Some), expected, "{op:?}"));
        }
        let both = (symbol(Op::Ibcast, Roots::All), symbol(Op::Ibcast, Roots::None));
        assert_eq!(both, (GraphSymbol::Send, GraphSymbol::Receive));
        let both = (symbol(Op::Reduce, Roots::All), symbol(Op::Reduce, Roots::None));
        assert_eq!(both, (GraphSymbol::Receive, GraphSymbol::Send));
        assert_eq!(symbol(Op::Allreduce, Roots::All), GraphSymbol::Both);
        assert_eq!(symbol(Op::Scatterv, Roots::Some), GraphSymbol::Both);
    }
}
