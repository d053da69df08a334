//! Matches opening and closing pragmas of one function by name.

use std::collections::HashMap;

use cll_csource::tree::MarkerPosition;
use cll_diagnostic::Diagnostic;

use super::{Region, Site};
use crate::language::Directive;
use crate::marks::MarkId;

struct Open {
    mark: MarkId,
    token: usize,
    spot: MarkerPosition,
}

/// The open regions and loops, in the order in which they were opened.
#[derive(Default)]
struct Stack<'a> {
    open: Vec<Open>,
    /// By the experiment's name, `None` for loops: indices in `open`, the latest last.
    by_name: HashMap<Option<&'a str>, Vec<usize>>,
}

impl<'a> Stack<'a> {
    fn push(&mut self, site: &Site<'a>, open: Open) {
        let name = name(&site.marked.marks[open.mark].directive);
        self.by_name.entry(name).or_default().push(self.open.len());
        self.open.push(open);
    }

    /// Removes the latest one with this name and those opened after it; the named one comes first.
    fn take(&mut self, site: &Site<'a>, name_of_end: Option<&str>) -> Option<Vec<Open>> {
        let index = *self.by_name.get(&name_of_end)?.last()?;
        let taken: Vec<Open> = self.open.drain(index..).collect();
        for open in &taken {
            if let Some(places) =
                self.by_name.get_mut(&name(&site.marked.marks[open.mark].directive))
            {
                places.pop();
            }
        }
        Some(taken)
    }
}

/// The name for matching: the experiment's name, none for loops.
fn name(directive: &Directive) -> Option<&str> {
    match directive {
        Directive::Begin(begin) => Some(&begin.name),
        Directive::End { name } => Some(name),
        _ => None,
    }
}

/// The regions in order of their begins; pragmas without a partner are reported.
pub(super) fn pair<'a>(site: &Site<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Region> {
    let mut stack = Stack::default();
    let mut regions = Vec::new();
    // An unreadable line may be the missing partner: its error must be corrected first.
    let unread =
        site.tree.slots.iter().any(|slot| matches!(site.mark(slot).1.directive, Directive::Wrong));
    for slot in &site.tree.slots {
        let (id, mark) = site.mark(slot);
        match &mark.directive {
            Directive::Begin(_) | Directive::For(_) => {
                stack.push(site, Open { mark: id, token: slot.token, spot: slot.spot });
            }
            Directive::End { .. } | Directive::EndFor => {
                let closed = close(site, &mut stack, &mut regions, id, slot.token);
                diagnostics.extend(
                    closed.into_iter().filter(|diagnostic| !unread || diagnostic.code != "T006"),
                );
            }
            Directive::Parallel { .. } | Directive::Report { .. } | Directive::Wrong => {}
        }
    }
    for open in stack.open.iter().filter(|_| !unread) {
        diagnostics.push(
            Diagnostic::error(
                "T007",
                site.span(open.mark),
                format!("{} is never closed", site.called(open.mark)),
            )
            .label("opened here")
            .also(function_end(site), format!("the end of `{}`", site.function.name))
            .help(format!("close it with `#pragma cll {}`", closing_words(site, open.mark))),
        );
    }
    regions.sort_by_key(|region: &Region| region.from);
    regions
}

fn close<'a>(
    site: &Site<'a>,
    stack: &mut Stack<'a>,
    regions: &mut Vec<Region>,
    id: MarkId,
    token: usize,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let words = match &site.marked.marks[id].directive {
        Directive::End { name } => format!("end {name}"),
        _ => "end for".into(),
    };
    let taken = stack.take(site, name(&site.marked.marks[id].directive));
    let Some(mut taken) = taken.map(Vec::into_iter) else {
        let mut diagnostic = Diagnostic::error(
            "T006",
            site.span(id),
            format!("`{words}` has no matching opening line"),
        );
        if let Some(inner) = stack.open.last() {
            diagnostic = diagnostic
                .also(site.span(inner.mark), format!("{} is open", site.called(inner.mark)));
        }
        diagnostics.push(diagnostic);
        return diagnostics;
    };
    let Some(open) = taken.next() else { return diagnostics };
    // Those opened after the one that is closed here overlap it.
    for crossed in taken {
        diagnostics.push(
            Diagnostic::error(
                "T008",
                site.span(id),
                format!("`{words}` overlaps {}", site.called(crossed.mark)),
            )
            .also(site.span(crossed.mark), "opened here and still open")
            .help(format!("close it first: `#pragma cll {}`", closing_words(site, crossed.mark))),
        );
    }
    regions.push(Region {
        open: open.mark,
        close: id,
        from: open.token,
        to: token,
        spot: open.spot,
    });
    diagnostics
}

fn closing_words(site: &Site<'_>, mark: MarkId) -> String {
    match &site.marked.marks[mark].directive {
        Directive::Begin(begin) => format!("end {}", begin.name),
        _ => "end for".into(),
    }
}

fn function_end(site: &Site<'_>) -> std::ops::Range<usize> {
    let tokens = &site.variant.tokens;
    let last = site.function.close.min(tokens.len() - 1);
    tokens[last].start..tokens[last].end
}
