//! Statements that end the thread. They end regions, too: what declares frames is not left by them.

use cll_csource::tree::{NodeId, Role, Statement};

use super::Site;
use crate::made::ThreadEnd;

/// Functions of POSIX and C that end the thread.
pub(super) const THREAD_ENDS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// The statements of a function that call one of these, in order. Not those in functions inside it, and
/// not those to which a pragma applies: a frame around them may be that of another thread.
pub(crate) fn thread_ends<'a>(
    site: &'a Site<'_>,
) -> impl Iterator<Item = (NodeId, ThreadEnd)> + 'a {
    let nodes = &site.tree.nodes;
    let calls = |&node: &NodeId| {
        nodes[node].statement == Statement::Simple
            && nodes[node].first + 1 < nodes[node].end
            && site.variant.tokens[nodes[node].first + 1].is(b'(')
            && THREAD_ENDS.contains(&site.text(nodes[node].first).as_str())
    };
    let is_another = |ancestor: NodeId| {
        matches!(nodes[ancestor].statement, Statement::Block(Role::Nested) | Statement::Pragma(_))
    };
    let numbers = (0..nodes.len()).filter(calls);
    numbers.filter(move |&node| !site.tree.ancestors(node).any(is_another)).map(|node| {
        let bytes = site.bytes(node);
        (node, ThreadEnd { start: bytes.start, end: bytes.end, braces: nodes[node].sub })
    })
}
