//! Checks that a region covers complete statements, where C allows them.

use cll_csource::pragma::AppliesTo;
use cll_csource::tree::{MarkerPosition, NodeId, Role, Slot, Statement};
use cll_diagnostic::Diagnostic;

use super::{Region, Site};

impl Site<'_> {
    /// Reports a region at an invalid position.
    pub(super) fn check_placement(&self, region: &Region, diagnostics: &mut Vec<Diagnostic>) {
        let called = self.called(region.open);
        let close_spot = self.slot_at(region.to).map(|slot| slot.spot);
        let ends_outside = |label: &str| {
            Diagnostic::error(
                "T009",
                self.span(region.close),
                format!("{called} starts in one branch and ends outside of it"),
            )
            .label(label)
            .also(self.span(region.open), "opened here")
        };
        for (mark, spot) in [(region.open, Some(region.spot)), (region.close, close_spot)] {
            if let Some(MarkerPosition::Inside { call }) = spot {
                diagnostics.push(self.inside(mark, call));
                return;
            }
        }
        match region.spot {
            MarkerPosition::Sub { owner, statement } => {
                if let Statement::Pragma(taken) = self.tree.nodes[owner].statement
                    && let Some(wants) = wants(taken)
                {
                    diagnostics.push(
                        Diagnostic::error(
                            "T015",
                            self.span(region.open),
                            format!("{called} is between a pragma and the {wants} it needs"),
                        )
                        .also(self.pragma_bytes(owner), format!("must be followed by its {wants}"))
                        .help("put the region around both, or into the loop's body"),
                    );
                    return;
                }
                let covers = statement.is_some_and(|statement| {
                    region.to < self.tree.nodes[statement].first
                        || self.follows(region.to, self.tree.nodes[statement].end - 1)
                });
                if !covers {
                    let mut diagnostic = ends_outside("closed here");
                    if let Some(statement) = statement {
                        diagnostic = diagnostic
                            .also(self.bytes(statement), "the branch is this statement alone");
                    }
                    diagnostics.push(diagnostic.help("put braces around everything in the region"));
                }
            }
            MarkerPosition::List { block, .. } => match close_spot {
                Some(MarkerPosition::List { block: end, .. }) if end == block => {
                    self.check_block(region, block, diagnostics);
                }
                Some(MarkerPosition::BeforeElse) => diagnostics.push(
                    ends_outside("closed between an `if` and its `else`")
                        .help("close the region after the `else` branch"),
                ),
                Some(MarkerPosition::BeforeWhile) => diagnostics.push(
                    ends_outside("closed between a `do` and its `while`")
                        .help("close the region after the `while (…);`"),
                ),
                _ => diagnostics.push(
                    ends_outside("closed here, in another block")
                        .help("open and close the region in the same block"),
                ),
            },
            MarkerPosition::BeforeElse | MarkerPosition::BeforeWhile => diagnostics.push(
                Diagnostic::error(
                    "T005",
                    self.span(region.open),
                    format!("{called} is opened between the two parts of a statement"),
                )
                .help("a region can begin only where a statement may begin"),
            ),
            MarkerPosition::Inside { .. } => {}
        }
    }

    fn check_block(&self, region: &Region, block: NodeId, diagnostics: &mut Vec<Diagnostic>) {
        let node = &self.tree.nodes[block];
        let parent = node.parent.map(|parent| self.tree.nodes[parent].statement);
        if parent == Some(Statement::Pragma(AppliesTo::Sections)) {
            diagnostics.push(
                Diagnostic::error(
                    "T015",
                    self.span(region.open),
                    format!("{} is between the sections", self.called(region.open)),
                )
                .help("put the region into a section's own block"),
            );
        }
        if let Some(pragma) = self.collapsed(block) {
            diagnostics.push(
                Diagnostic::error(
                    "T015",
                    self.span(region.open),
                    format!("{} is between collapsed loops", self.called(region.open)),
                )
                .also(self.pragma_bytes(pragma), "these loops become one")
                .help("put the region around the loops or into the innermost body"),
            );
        }
        let value = region.to + 1;
        if node.statement == Statement::Block(Role::Expression)
            && self.variant.tokens[region.to..node.end]
                .iter()
                .find(|token| token.kind != cll_csource::TokenKind::Marker)
                .is_some_and(|token| token.is(b'}'))
            && value < node.end
            && self.last_is_simple(block, region.to)
        {
            diagnostics.push(
                Diagnostic::error(
                    "T020",
                    self.span(region.close),
                    format!(
                        "{} ends after the value of a statement expression",
                        self.called(region.open)
                    ),
                )
                .help("close the region before the last statement: its value is the result"),
            );
        }
    }

    /// The pragma that collapses several loops, if `block` is between them.
    fn collapsed(&self, block: NodeId) -> Option<NodeId> {
        let mut loops = 0;
        let mut current = block;
        while self.tree.nodes[current].sub || self.tree.nodes[current].statement == Statement::For {
            let parent = self.tree.nodes[current].parent?;
            match self.tree.nodes[parent].statement {
                Statement::For => loops += 1,
                Statement::Block(_) => {}
                Statement::Pragma(AppliesTo::Loop { nest }) => {
                    return (loops < nest && loops > 0).then_some(parent);
                }
                _ => return None,
            }
            current = parent;
        }
        None
    }

    /// Whether the last statement of the list before token `end` may be a value.
    fn last_is_simple(&self, block: NodeId, end: usize) -> bool {
        let Some(last) = self.before(end) else { return false };
        self.tree.nodes.iter().any(|node| {
            node.parent == Some(block)
                && node.end == last + 1
                && node.statement == Statement::Simple
        })
    }

    pub(super) fn slot_at(&self, token: usize) -> Option<&Slot> {
        let index = self.tree.slots.binary_search_by_key(&token, |slot| slot.token).ok()?;
        self.tree.slots.get(index)
    }

    /// Bytes of a pragma without the statement it applies to.
    fn pragma_bytes(&self, node: NodeId) -> std::ops::Range<usize> {
        let token = &self.variant.tokens[self.tree.nodes[node].first];
        token.start..token.end
    }

    /// The error for a pragma of ours inside a statement.
    pub(crate) fn inside(&self, mark: usize, call: Option<usize>) -> Diagnostic {
        let span = self.span(mark);
        match call {
            Some(call) => Diagnostic::error(
                "T005",
                span,
                format!("a cll line is among the arguments of `{}`", self.text(call)),
            ),
            None => Diagnostic::error("T005", span, "a cll line is inside a statement"),
        }
        .help("a region can begin and end only where a statement may begin")
    }
}

fn wants(taken: AppliesTo) -> Option<&'static str> {
    match taken {
        AppliesTo::Loop { .. } => Some("loop"),
        AppliesTo::Expression => Some("expression"),
        AppliesTo::Sections => Some("block of sections"),
        AppliesTo::Nothing | AppliesTo::Statement => None,
    }
}
