//! Jumps into regions are errors; before jumps out of them regions are closed.

use std::collections::HashMap;
use std::ops::Range;

use cll_csource::TokenKind;
use cll_csource::tree::{NodeId, Statement};
use cll_diagnostic::Diagnostic;

use super::frame_scope::FrameScope;
use super::{Region, Site};
use crate::edits::{Edits, JumpOut};
use crate::language::Directive;

/// The labels and jumps of a function.
pub(super) struct Jumps {
    /// For every statement whether something jumps into it from outside.
    pub enters: Vec<bool>,
    /// Labels, with the tokens that jump to them.
    labels: Vec<Label>,
    by_name: HashMap<String, usize>,
    /// `break`, `continue`, `goto`.
    leaving: Vec<NodeId>,
    computed: Vec<usize>,
}

struct Label {
    name: String,
    node: NodeId,
    sources: Vec<usize>,
    /// Whether a computed `goto` may jump there.
    address_taken: bool,
}

impl Jumps {
    pub(super) fn new(site: &Site<'_>) -> Jumps {
        let nodes = &site.tree.nodes;
        let mut jumps = Jumps {
            enters: vec![false; nodes.len()],
            labels: Vec::new(),
            by_name: HashMap::new(),
            leaving: Vec::new(),
            computed: Vec::new(),
        };
        for (id, node) in nodes.iter().enumerate() {
            match (node.statement, node.name) {
                (Statement::Label, Some(name)) => {
                    let name = site.text(name);
                    jumps.by_name.entry(name.clone()).or_insert(jumps.labels.len());
                    jumps.labels.push(Label {
                        name,
                        node: id,
                        sources: Vec::new(),
                        address_taken: false,
                    });
                }
                (Statement::Break | Statement::Continue | Statement::Goto, _) => {
                    jumps.leaving.push(id);
                }
                (Statement::ComputedGoto, _) => jumps.computed.push(node.first),
                _ => {}
            }
        }
        jumps.find_sources(site);
        jumps.mark_entered(site);
        jumps
    }

    fn find_sources(&mut self, site: &Site<'_>) {
        for &id in &self.leaving {
            let node = &site.tree.nodes[id];
            if node.statement == Statement::Goto
                && let Some(name) = node.name.filter(|&name| name < node.end)
                && let Some(&label) = self.by_name.get(&site.text(name))
            {
                self.labels[label].sources.push(node.first);
            }
        }
        for &token in &site.tree.addresses {
            if let Some(&label) = self.by_name.get(&site.text(token)) {
                self.labels[label].address_taken = true;
            }
        }
        if !self.computed.is_empty() {
            for label in self.labels.iter_mut().filter(|label| label.address_taken) {
                label.sources.extend_from_slice(&self.computed);
            }
        }
        // `asm goto` names the labels that it may jump to.
        if self.labels.is_empty() {
            return;
        }
        for node in site.tree.nodes.iter().filter(|node| node.statement == Statement::Simple) {
            if !matches!(site.text(node.first).as_str(), "asm" | "__asm__" | "__asm") {
                continue;
            }
            for token in node.first..node.end {
                if site.variant.tokens[token].kind == TokenKind::Identifier
                    && let Some(&label) = self.by_name.get(&site.text(token))
                {
                    self.labels[label].sources.push(node.first);
                }
            }
        }
    }

    fn mark_entered(&mut self, site: &Site<'_>) {
        let nodes = &site.tree.nodes;
        for label in &self.labels {
            let (Some(&low), Some(&high)) =
                (label.sources.iter().min(), label.sources.iter().max())
            else {
                continue;
            };
            for ancestor in site.tree.ancestors(label.node) {
                if nodes[ancestor].first <= low && high < nodes[ancestor].end {
                    break;
                }
                self.enters[ancestor] = true;
            }
        }
        for (id, node) in nodes.iter().enumerate() {
            if matches!(node.statement, Statement::Case | Statement::Default) {
                for ancestor in site.tree.ancestors(id) {
                    if nodes[ancestor].statement == Statement::Switch {
                        break;
                    }
                    self.enters[ancestor] = true;
                }
            }
        }
    }

    /// Reports regions that are entered elsewhere than at their begin.
    pub(super) fn check_entries(
        &self,
        site: &Site<'_>,
        regions: &[Region],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let nodes = &site.tree.nodes;
        for region in regions {
            let called = site.called(region.open);
            let labels = self.labels.iter().filter(|label| region.holds(nodes[label.node].first));
            for label in labels {
                let outside = label
                    .sources
                    .iter()
                    .find(|&&source| !region.holds(source) && !self.computed.contains(&source));
                let place = name_span(site, label.node);
                if let Some(&source) = outside {
                    let jump = &site.variant.tokens[source];
                    diagnostics.push(
                        Diagnostic::error(
                            "T010",
                            place,
                            format!("{called} is entered by a jump to `{}`", label.name),
                        )
                        .also(jump.start..jump.end, "the jump from outside")
                        .also(
                            site.span(region.open),
                            "the begin of the region, which the jump skips",
                        )
                        .help("put the label before the region, or the jump into it"),
                    );
                } else if label.address_taken
                    && self.computed.iter().any(|&token| !region.holds(token))
                {
                    diagnostics.push(
                        Diagnostic::warning(
                            "T011",
                            place,
                            format!("a computed `goto` may enter {called} at `{}`", label.name),
                        )
                        .also(
                            site.span(region.open),
                            "the begin of the region, which the jump skips",
                        ),
                    );
                }
            }
            self.check_cases(site, region, diagnostics);
            if matches!(site.marked.marks[region.open].directive, Directive::Begin(_)) {
                for &token in self.computed.iter().filter(|&&token| region.holds(token)) {
                    let jump = &site.variant.tokens[token];
                    diagnostics.push(
                        Diagnostic::warning(
                            "T011",
                            jump.start..jump.end,
                            format!("a computed `goto` may leave {called} unnoticed"),
                        )
                        .help("the region is then closed where its block is left"),
                    );
                }
            }
        }
    }

    fn check_cases(&self, site: &Site<'_>, region: &Region, diagnostics: &mut Vec<Diagnostic>) {
        let nodes = &site.tree.nodes;
        let from = nodes.partition_point(|node| node.first <= region.from);
        for (id, node) in nodes.iter().enumerate().skip(from) {
            if node.first >= region.to {
                break;
            }
            if !matches!(node.statement, Statement::Case | Statement::Default) {
                continue;
            }
            let switch = site
                .tree
                .ancestors(id)
                .find(|&ancestor| nodes[ancestor].statement == Statement::Switch);
            let outside = switch.filter(|&switch| nodes[switch].first < region.from);
            if let Some(switch) = outside {
                let head = &site.variant.tokens[nodes[switch].first];
                diagnostics.push(
                    Diagnostic::error(
                        "T010",
                        name_span(site, id),
                        format!("{} is entered by a label of a `switch`", site.called(region.open)),
                    )
                    .also(head.start..head.end, "the switch outside")
                    .also(site.span(region.open), "the begin of the region, which the jump skips")
                    .help("close the region before the label and open it again after it"),
                );
                return;
            }
        }
    }

    /// Closes regions before jumps that leave the region but not the block of its frame.
    pub(super) fn leave(
        &self,
        site: &Site<'_>,
        regions: &[Region],
        scopes: &[FrameScope],
        edits: &mut Edits,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let nodes = &site.tree.nodes;
        let mut closes: HashMap<NodeId, Vec<(usize, bool)>> = HashMap::new();
        // Outer regions come before inner ones.
        for (index, (region, scope)) in regions.iter().zip(scopes).enumerate() {
            if !matches!(site.marked.marks[region.open].directive, Directive::Begin(_)) {
                continue;
            }
            let scope = scope.tokens(site, region);
            let from = self.leaving.partition_point(|&jump| nodes[jump].first < region.from);
            for &jump in &self.leaving[from..] {
                if nodes[jump].first >= region.to {
                    break;
                }
                let target = self.target(site, jump);
                let (leaves, leaves_home) = match target {
                    Target::Before(first) => (first < region.from, first < scope.0),
                    Target::At(token) => {
                        (!region.holds(token), token < scope.0 || token >= scope.1)
                    }
                    Target::Unknown => (true, false),
                };
                if leaves {
                    closes.entry(jump).or_default().push((index, !leaves_home));
                }
            }
        }
        for (jump, left) in closes {
            // The outermost region that must be closed explicitly needs the inner ones closed
            // first: samples are recorded from the inside outwards.
            let Some(first) = left.iter().position(|&(_, by_hand)| by_hand) else { continue };
            let marks = left[first..].iter().rev().map(|&(index, _)| regions[index].open);
            let bytes = site.bytes(jump);
            let leaving =
                JumpOut { end: bytes.end, braces: nodes[jump].sub, regions: marks.collect() };
            edits.jump(bytes.start, leaving, diagnostics);
        }
    }

    fn target(&self, site: &Site<'_>, jump: NodeId) -> Target {
        let nodes = &site.tree.nodes;
        match nodes[jump].statement {
            Statement::Goto => nodes[jump]
                .name
                .and_then(|name| self.by_name.get(&site.text(name)))
                .map_or(Target::Unknown, |&label| Target::At(nodes[self.labels[label].node].first)),
            // Without a visible loop it must be a macro's.
            _ => site
                .tree
                .target(jump)
                .or_else(|| {
                    site.tree
                        .ancestors(jump)
                        .find(|&ancestor| matches!(nodes[ancestor].statement, Statement::Macro(_)))
                })
                .map_or(Target::Unknown, |target| Target::Before(nodes[target].first)),
        }
    }
}

enum Target {
    /// After or at the head of the loop or `switch` that begins with this token.
    Before(usize),
    /// At this token.
    At(usize),
    /// Hidden by a macro.
    Unknown,
}

fn name_span(site: &Site<'_>, node: NodeId) -> Range<usize> {
    let token = &site.variant.tokens[site.tree.nodes[node].first];
    token.start..token.end
}
