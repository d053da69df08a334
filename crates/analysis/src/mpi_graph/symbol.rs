//! The symbol of a call in a graph, the same whether the graph is of a run or of a source.

use cll_result::GraphSymbol;
use cll_trace::layout::call::{Class, Op};

/// Who of the processes of a node is the root of its collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// All of them.
    All,
    /// None of them.
    None,
    /// Some of them, or it is not known.
    Some,
}

/// The symbol by what a call does with data: it sends, receives, or does both. In a broadcast that hangs on who is the
/// root; an access of a window that returns what was there before does both.
pub(crate) fn symbol(op: Op, roots: Roots) -> GraphSymbol {
    match op.class() {
        Class::Send => GraphSymbol::Send,
        Class::Receive => GraphSymbol::Receive,
        Class::Exchange => GraphSymbol::Both,
        Class::Wait => GraphSymbol::Completion,
        Class::Access => match op.name() {
            "Put" | "Rput" | "Accumulate" | "Raccumulate" => GraphSymbol::Send,
            "Get" | "Rget" => GraphSymbol::Receive,
            _ => GraphSymbol::Both,
        },
        Class::Collective => {
            let name = op.each_start().name().trim_start_matches('I').to_ascii_lowercase();
            let from_root = ["bcast", "scatter", "scatterv"].contains(&name.as_str());
            let to_root = ["gather", "gatherv", "reduce"].contains(&name.as_str());
            match (from_root, to_root, roots) {
                (true, _, Roots::All) | (_, true, Roots::None) => GraphSymbol::Send,
                (true, _, Roots::None) | (_, true, Roots::All) => GraphSymbol::Receive,
                _ => GraphSymbol::Both,
            }
        }
        Class::Life
        | Class::Probe
        | Class::Request
        | Class::Epoch
        | Class::Create
        | Class::File => GraphSymbol::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_accesses_of_windows_and_collectives_do() {
        let symbol_of = |name: &str, roots| symbol(Op::named(name).expect("a call"), roots);
        for (names, expected) in [
            (&["Put", "Rput", "Accumulate", "Raccumulate"][..], GraphSymbol::Send),
            (&["Get", "Rget"], GraphSymbol::Receive),
            (
                &["Get_accumulate", "Rget_accumulate", "Fetch_and_op", "Compare_and_swap"],
                GraphSymbol::Both,
            ),
        ] {
            names
                .iter()
                .for_each(|name| assert_eq!(symbol_of(name, Roots::Some), expected, "{name}"));
        }
        let both = (symbol_of("Ibcast", Roots::All), symbol_of("Ibcast", Roots::None));
        assert_eq!(both, (GraphSymbol::Send, GraphSymbol::Receive));
        let both = (symbol_of("Reduce", Roots::All), symbol_of("Reduce", Roots::None));
        assert_eq!(both, (GraphSymbol::Receive, GraphSymbol::Send));
        assert_eq!(symbol_of("Allreduce", Roots::All), GraphSymbol::Both);
        assert_eq!(symbol_of("Scatterv", Roots::Some), GraphSymbol::Both);
    }
}
