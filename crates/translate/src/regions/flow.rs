//! Whether control reaches the end of a region.
//!
//! With code after a `return` a compiler would assume that the end of the function is reached, and
//! warn. If the end of a region is not reached nothing is inserted there; the frame closes the
//! region.

use std::collections::HashMap;

use cll_csource::TokenKind;
use cll_csource::pragma::AppliesTo;
use cll_csource::tree::{MarkerPosition, NodeId, Statement};

use super::thread_end::THREAD_ENDS;
use super::{Region, Site};

/// Functions of C and POSIX that do not return.
const NEVER_RETURN: [&str; 14] = [
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_abort",
    "unreachable",
    "err",
    "errx",
];

/// The statements of a function, by parent and end.
pub(super) struct Flow {
    last: HashMap<(NodeId, usize), NodeId>,
    wanted: HashMap<NodeId, NodeId>,
    broken: std::collections::HashSet<NodeId>,
}

impl Flow {
    pub(super) fn new(site: &Site<'_>) -> Flow {
        let mut flow =
            Flow { last: HashMap::new(), wanted: HashMap::new(), broken: Default::default() };
        for (id, node) in site.tree.nodes.iter().enumerate() {
            let Some(parent) = node.parent else { continue };
            flow.last.insert((parent, node.end), id);
            if node.sub {
                flow.wanted.insert(parent, id);
            }
            if node.statement == Statement::Break
                && let Some(target) = site.tree.target(id)
            {
                flow.broken.insert(target);
            }
        }
        flow
    }

    /// Whether control can reach the region's closing pragma.
    pub(super) fn reaches(&self, site: &Site<'_>, region: &Region) -> bool {
        let statement = match region.spot {
            MarkerPosition::Sub { statement, .. } => {
                statement.filter(|&statement| site.tree.nodes[statement].end <= region.to)
            }
            MarkerPosition::List { block, .. } => site
                .before(region.to)
                .filter(|&last| last > region.from)
                .and_then(|last| self.last.get(&(block, last + 1)).copied()),
            _ => None,
        };
        statement.is_none_or(|statement| self.completes(site, statement))
    }

    fn completes(&self, site: &Site<'_>, node: NodeId) -> bool {
        let within = &site.tree.nodes[node];
        let wanted = || self.wanted.get(&node).is_none_or(|&sub| self.completes(site, sub));
        match within.statement {
            Statement::Return
            | Statement::Break
            | Statement::Continue
            | Statement::Goto
            | Statement::ComputedGoto => false,
            Statement::Simple => {
                let calls =
                    site.variant.tokens.get(within.first + 1).is_some_and(|token| token.is(b'('));
                let name = site.text(within.first);
                let name = name.as_str();
                !(calls && (NEVER_RETURN.contains(&name) || THREAD_ENDS.contains(&name)))
            }
            Statement::Block(_) => site
                .before(within.end - 1)
                .and_then(|last| self.last.get(&(node, last + 1)))
                .is_none_or(|&last| self.completes(site, last)),
            Statement::If => {
                let other = self
                    .last
                    .get(&(node, within.end))
                    .filter(|&&other| site.tree.nodes[other].statement == Statement::Else);
                other.is_none_or(|&other| self.completes(site, other)) || wanted()
            }
            Statement::Else | Statement::Pragma(AppliesTo::Statement) => wanted(),
            Statement::Label | Statement::Case | Statement::Default if within.sub => wanted(),
            Statement::For | Statement::While => {
                self.broken.contains(&node) || !forever(site, node)
            }
            _ => true,
        }
    }
}

/// `for (…;;…)`, `while (1)`, `while (true)`.
fn forever(site: &Site<'_>, node: NodeId) -> bool {
    let node = &site.tree.nodes[node];
    let tokens = &site.variant.tokens[node.first..node.end];
    if node.statement == Statement::While {
        return matches!(tokens, [_, _, value, close, ..]
            if close.is(b')')
                && matches!(value.kind, TokenKind::Number | TokenKind::Identifier)
                && matches!(site.text(node.first + 2).as_str(), "1" | "true" | "TRUE"));
    }
    let condition = tokens.iter().position(|token| token.is(b';') || token.is(b'{'));
    condition.is_some_and(|index| {
        tokens[index].is(b';') && tokens.get(index + 1).is_some_and(|token| token.is(b';'))
    })
}
