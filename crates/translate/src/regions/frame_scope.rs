//! Where the frame of a region is declared.
//!
//! JumpOut the block of a frame closes its region, even through a hidden jump. So the frame is
//! declared in the innermost block that contains the region and into which nothing jumps past the
//! declaration: no `switch` body, no block with a label that is reached from outside. If only a
//! statement outside a block qualifies, braces are put around it. A frame never leaves the block of
//! an OpenMP construct, since each thread needs its own.

use cll_csource::TokenKind;
use cll_csource::pragma::AppliesTo;
use cll_csource::tree::{MarkerPosition, NodeId, Statement};

use super::{Region, Site};

/// Where the frame of a region is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameScope {
    /// In separate braces for the region.
    Own,
    /// At the beginning of this block.
    Block(NodeId),
    /// In braces put around this statement.
    Wrap(NodeId),
}

impl FrameScope {
    /// The tokens in the scope of the frame.
    pub(super) fn tokens(self, site: &Site<'_>, region: &Region) -> (usize, usize) {
        match self {
            FrameScope::Own => (region.from, region.to),
            FrameScope::Block(node) | FrameScope::Wrap(node) => {
                (site.tree.nodes[node].first, site.tree.nodes[node].end)
            }
        }
    }
}

impl Site<'_> {
    /// Chooses where the frame of `region`, one of `all`, is declared; `entered` says for every
    /// statement whether something jumps into it from outside.
    pub(super) fn scope(&self, region: &Region, all: &[Region], entered: &[bool]) -> FrameScope {
        let block = match region.spot {
            MarkerPosition::List { block, after_call } => {
                let taken = after_call.is_some() && self.is_one_statement(region, block);
                if taken || self.is_taken_by_call(region, all) {
                    return FrameScope::Own;
                }
                block
            }
            _ => return FrameScope::Own,
        };
        let mut current = block;
        loop {
            let node = &self.tree.nodes[current];
            if matches!(node.statement, Statement::Block(_))
                && !entered[current]
                && !self.is_switch_body(current)
                && !self.is_sections(current)
            {
                return FrameScope::Block(current);
            }
            if node.sub && !entered[current] && self.may_be_wrapped(current) {
                return FrameScope::Wrap(current);
            }
            match node.parent {
                Some(parent) => current = parent,
                // Nothing can jump into a function.
                None => return FrameScope::Block(current),
            }
        }
    }

    fn is_switch_body(&self, node: NodeId) -> bool {
        self.tree.is_switch_body(node)
    }

    fn is_sections(&self, node: NodeId) -> bool {
        self.tree.nodes[node].parent.is_some_and(|parent| {
            self.tree.nodes[parent].statement == Statement::Pragma(AppliesTo::Sections)
        })
    }

    /// Whether braces around the required statement `node` change nothing.
    fn may_be_wrapped(&self, node: NodeId) -> bool {
        let Some(parent) = self.tree.nodes[node].parent else { return false };
        let first = &self.variant.tokens[self.tree.nodes[node].first];
        if matches!(first.kind, TokenKind::Directive | TokenKind::Marker) {
            // A directive's line cannot contain a brace.
            return false;
        }
        matches!(
            self.tree.nodes[parent].statement,
            Statement::If
                | Statement::Else
                | Statement::For
                | Statement::While
                | Statement::Do
                | Statement::Macro(_)
                | Statement::Label
                | Statement::Case
                | Statement::Default
                | Statement::Pragma(AppliesTo::Statement)
        )
    }

    /// After `NAME(…)` without `;`: whether the region contains one statement that is no
    /// declaration. Then it may be the macro's statement, and braces do no harm if it is not.
    fn is_one_statement(&self, region: &Region, block: NodeId) -> bool {
        let nodes = &self.tree.nodes;
        let from = nodes.partition_point(|node| node.first <= region.from);
        let mut statements = nodes[from..]
            .iter()
            .take_while(|node| node.first < region.to)
            .filter(|node| node.parent == Some(block));
        let (Some(only), None) = (statements.next(), statements.next()) else { return false };
        if only.statement != Statement::Simple {
            return !matches!(
                only.statement,
                Statement::Label | Statement::Case | Statement::Default
            );
        }
        let tokens = &self.variant.tokens;
        let name = |index: usize| tokens[index].kind == TokenKind::Identifier;
        let declares = name(only.first)
            && tokens
                .get(only.first + 1)
                .is_some_and(|next| next.kind == TokenKind::Identifier || next.is(b'*'));
        !declares
    }

    /// Whether the region is directly inside one that is a macro's statement; `all` are in order of
    /// their begins.
    fn is_taken_by_call(&self, region: &Region, all: &[Region]) -> bool {
        let mut start = region.from;
        while self.variant.tokens[start - 1].kind == TokenKind::Marker
            && let Ok(outer) = all.binary_search_by_key(&start, |outer| outer.from + 1)
        {
            let outer = &all[outer];
            if let MarkerPosition::List { block, after_call: Some(_) } = outer.spot {
                return outer.to > region.to && self.is_one_statement(outer, block);
            }
            start = outer.from;
        }
        false
    }
}
