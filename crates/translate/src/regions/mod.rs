//! The regions of one function: pairs pragmas, checks them, and decides what to insert.

mod flow;
mod frame_scope;
mod jumps;
mod pair;
mod placement;
mod thread_end;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cll_csource::file::{Function, Variant};
use cll_csource::tree::{MarkerPosition, NodeId, Slot, Tree};
use cll_diagnostic::Diagnostic;

use crate::automatic::candidates;
use crate::edits::{Act, Code, Edits, JumpOut};
use crate::language::{Directive, written_paths};
use crate::made::ThreadEnd;
use crate::marks::{Mark, MarkId, Marked};
use frame_scope::FrameScope;

pub(crate) use thread_end::thread_ends;

/// A function of one variant, with its pragmas.
pub(crate) struct Site<'a> {
    pub marked: &'a Marked<'a>,
    pub variant: &'a Variant<'a>,
    pub function: &'a Function,
    pub tree: &'a Tree,
}

/// For every statement of a function whether something jumps into it from outside.
pub(crate) fn entered(site: &Site<'_>) -> Vec<bool> {
    jumps::Jumps::new(site).enters
}

/// The code between two pragmas: an experiment's region or a loop's body.
#[derive(Clone, Debug)]
struct Region {
    open: MarkId,
    close: MarkId,
    /// Index of the opening pragma's token.
    from: usize,
    /// Index of the closing pragma's token.
    to: usize,
    spot: MarkerPosition,
}

impl Region {
    fn holds(&self, token: usize) -> bool {
        self.from < token && token < self.to
    }
}

impl Site<'_> {
    fn mark(&self, slot: &Slot) -> (MarkId, &Mark) {
        let id = self.marked.id(&self.variant.tokens[slot.token]);
        (id, &self.marked.marks[id])
    }

    fn span(&self, mark: MarkId) -> Range<usize> {
        self.marked.marks[mark].span.clone()
    }

    fn text(&self, token: usize) -> String {
        let token = &self.variant.tokens[token];
        String::from_utf8_lossy(&cll_csource::spelling(self.variant.source, token)).into_owned()
    }

    /// Bytes of a statement.
    fn bytes(&self, node: NodeId) -> Range<usize> {
        let node = &self.tree.nodes[node];
        self.variant.tokens[node.first].start..self.variant.tokens[node.end - 1].end
    }

    /// How messages name what pragma `mark` opens.
    fn called(&self, mark: MarkId) -> String {
        match &self.marked.marks[mark].directive {
            Directive::Begin(begin) => format!("region `{}`", begin.name),
            Directive::For(_) => "`cll for`".into(),
            _ => "this".into(),
        }
    }

    /// Whether the last token before `index`, apart from markers, is `last`.
    fn follows(&self, index: usize, last: usize) -> bool {
        self.before(index) == Some(last)
    }

    /// The last token before `index`, apart from markers.
    fn before(&self, index: usize) -> Option<usize> {
        (0..index)
            .rev()
            .find(|&position| self.variant.tokens[position].kind != cll_csource::TokenKind::Marker)
    }

    /// Analyses this function.
    pub(crate) fn analyse(&self, edits: &mut Edits, diagnostics: &mut Vec<Diagnostic>) {
        if self.tree.too_deep {
            let span = self.variant.tokens[self.function.open].start;
            diagnostics.push(Diagnostic::error(
                "T017",
                span..span + 1,
                format!("function `{}` nests too deeply to be analysed", self.function.name),
            ));
            return;
        }
        let before = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let regions = pair::pair(self, diagnostics);
        for region in &regions {
            self.check_placement(region, diagnostics);
        }
        let jumps = jumps::Jumps::new(self);
        jumps.check_entries(self, &regions, diagnostics);
        for region in &regions {
            self.check_loop(region, diagnostics);
        }
        let after = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        if after > before {
            return;
        }
        let scopes: Vec<FrameScope> =
            regions.iter().map(|region| self.scope(region, &regions, &jumps.enters)).collect();
        self.lines(&regions, &scopes, edits, diagnostics);
        jumps.leave(self, &regions, &scopes, edits, diagnostics);
        self.end_with_threads(&regions, edits, diagnostics);
    }

    /// Closes the regions in which a statement ends the thread, from the inside outwards.
    fn end_with_threads(
        &self,
        regions: &[Region],
        edits: &mut Edits,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for (node, ThreadEnd { start, end, braces }) in thread_ends(self) {
            let first = self.tree.nodes[node].first;
            let opened = |region: &&Region| {
                region.holds(first)
                    && matches!(self.marked.marks[region.open].directive, Directive::Begin(_))
            };
            let regions: Vec<MarkId> =
                regions.iter().filter(opened).rev().map(|region| region.open).collect();
            if !regions.is_empty() {
                edits.jump(start, JumpOut { end, braces, regions }, diagnostics);
            }
        }
    }

    /// Decides the code for every pragma, and where frames are declared.
    fn lines(
        &self,
        regions: &[Region],
        scopes: &[FrameScope],
        edits: &mut Edits,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut codes: BTreeMap<MarkId, Code> =
            self.tree.slots.iter().map(|slot| (self.mark(slot).0, Code::default())).collect();
        let mut wraps: BTreeMap<NodeId, BTreeSet<MarkId>> = BTreeMap::new();
        let flow = flow::Flow::new(self);
        for (region, scope) in regions.iter().zip(scopes) {
            edits.ends.entry(region.open).or_insert(region.close);
            edits.functions.insert(region.open, self.function.name.clone());
            if let Directive::Begin(begin) = &self.marked.marks[region.open].directive
                && begin.is_searched
                && begin.values.is_empty()
            {
                edits.candidates.entry(region.open).or_insert_with(|| {
                    candidates(self.variant, self.function, self.tree, region.from + 1, region.to)
                });
            }
            codes.entry(region.open).or_default().act = Some(Act::Open);
            if flow.reaches(self, region) {
                codes.entry(region.close).or_default().act = Some(Act::Close(region.open));
            }
            match *scope {
                FrameScope::Block(node) => {
                    edits.blocks.entry(self.beginning(node)).or_default().insert(region.open);
                }
                FrameScope::Wrap(node) => {
                    wraps.entry(node).or_default().insert(region.open);
                }
                FrameScope::Own => {
                    let open = codes.entry(region.open).or_default();
                    open.brace = true;
                    open.frame = true;
                    if self.is_empty_before_statement(region) {
                        self.close_behind(region.from, regions, &mut codes, edits);
                    } else {
                        codes.entry(region.close).or_default().closes += 1;
                    }
                }
            }
        }
        for (node, frames) in wraps {
            let bytes = self.bytes(node);
            let key = (bytes.start, Reverse(bytes.end));
            edits.wraps.entry(key).or_default().extend(frames);
            let end = self.tree.nodes[node].end;
            self.close(self.tree.nodes[node].first..end, bytes, regions, &mut codes, edits);
        }
        for slot in &self.tree.slots {
            let (id, mark) = self.mark(slot);
            if let Directive::Report { .. } = mark.directive {
                codes.entry(id).or_default().act = Some(Act::Open);
                if let MarkerPosition::Sub { .. } = slot.spot {
                    codes.entry(id).or_default().brace = true;
                    self.close_behind(slot.token, regions, &mut codes, edits);
                }
            }
        }
        for (mark, code) in codes {
            edits.line(mark, self.span(mark), code, diagnostics);
        }
    }

    /// Where declarations may begin in a block: after `{` and declarations of local labels.
    pub(crate) fn beginning(&self, block: NodeId) -> usize {
        let mut position = self.tree.nodes[block].first;
        let end = self.tree.nodes[block].end;
        while position + 1 < end && self.text(position + 1) == "__label__" {
            while position + 1 < end && !self.variant.tokens[position + 1].is(b';') {
                position += 1;
            }
            position += 1;
        }
        self.variant.tokens[position.min(end - 1)].end
    }

    /// Whether the region ends before the statement that is required at its begin.
    fn is_empty_before_statement(&self, region: &Region) -> bool {
        match region.spot {
            MarkerPosition::Sub { statement: Some(statement), .. } => {
                region.to < self.tree.nodes[statement].first
            }
            _ => false,
        }
    }

    /// Closes the brace opened by the pragma at `token`, before a required statement.
    fn close_behind(
        &self,
        token: usize,
        regions: &[Region],
        codes: &mut BTreeMap<MarkId, Code>,
        edits: &mut Edits,
    ) {
        if let Some(MarkerPosition::Sub { statement: Some(statement), .. }) =
            self.slot_at(token).map(|slot| slot.spot)
        {
            let inside = token + 1..self.tree.nodes[statement].end;
            let opened = self.variant.tokens[token].start;
            let bytes = opened..self.bytes(statement).end;
            self.close(inside, bytes, regions, codes, edits);
        }
    }

    /// Closes a brace opened before the tokens `inside`: at their last byte, or after the end of
    /// regions that begin among them and end after them.
    fn close(
        &self,
        inside: Range<usize>,
        bytes: Range<usize>,
        regions: &[Region],
        codes: &mut BTreeMap<MarkId, Code>,
        edits: &mut Edits,
    ) {
        let last = regions
            .iter()
            .filter(|region| inside.contains(&region.from) && region.to >= inside.end)
            .max_by_key(|region| region.to);
        match last {
            Some(region) => codes.entry(region.close).or_default().closes += 1,
            None => {
                edits.closers.insert((bytes.end, bytes.start));
            }
        }
    }

    /// The values of a sampling loop must not depend on its body.
    fn check_loop(&self, region: &Region, diagnostics: &mut Vec<Diagnostic>) {
        let Directive::For(Some(head)) = &self.marked.marks[region.open].directive else { return };
        let source = self.variant.source;
        let clash = |path: &[Vec<u8>]| {
            head.uses.iter().any(|used| {
                let shared = used.len().min(path.len());
                used[..shared] == path[..shared]
            })
        };
        let body = &self.variant.tokens[region.from + 1..region.to];
        let mut written: Vec<_> = written_paths(source, body);
        for token in body.iter().filter(|token| token.kind == cll_csource::TokenKind::Marker) {
            let mark = &self.marked.marks[self.marked.id(token)];
            if let Directive::For(Some(inner)) = &mark.directive {
                written.extend(inner.writes.iter().map(|path| (path.clone(), inner.span.clone())));
            }
        }
        written.sort_by_key(|(_, span)| span.start);
        if let Some((path, span)) = written.into_iter().find(|(path, _)| clash(path)) {
            let name = String::from_utf8_lossy(&path.join(&b'.')).into_owned();
            diagnostics.push(
                Diagnostic::error("T014", span, format!("the body of `cll for` writes `{name}`"))
                    .label("written here, or its address taken")
                    .also(head.span.clone(), "the values come from here, before the body runs")
                    .help(format!(
                        "use a copy of `{name}` in the body: only the head determines the values"
                    )),
            );
        }
    }
}
