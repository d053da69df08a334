//! Opening and closing pragmas of one function, matched by name.

use cll_csource::tree::Spot;
use cll_diagnostic::Diagnostic;

use super::{Region, Site};
use crate::language::Directive;
use crate::marks::MarkId;

struct Open {
    mark: MarkId,
    token: usize,
    spot: Spot,
}

/// The regions in order of their beginnings; what has no partner is reported.
pub(super) fn pair(site: &Site<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Region> {
    let mut open: Vec<Open> = Vec::new();
    let mut regions = Vec::new();
    // A line that could not be read may be the partner that is missing: first
    // that must be mended.
    let unread =
        site.tree.slots.iter().any(|slot| matches!(site.mark(slot).1.directive, Directive::Wrong));
    for slot in &site.tree.slots {
        let (id, mark) = site.mark(slot);
        match &mark.directive {
            Directive::Begin(_) | Directive::For(_) => {
                open.push(Open { mark: id, token: slot.token, spot: slot.spot });
            }
            Directive::End { .. } | Directive::EndFor => {
                let closed = close(site, &mut open, &mut regions, id, slot.token);
                diagnostics
                    .extend(closed.into_iter().filter(|said| !unread || said.code != "T006"));
            }
            Directive::Parallel { .. } | Directive::Report { .. } | Directive::Wrong => {}
        }
    }
    for open in open.iter().filter(|_| !unread) {
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

fn close(
    site: &Site<'_>,
    open: &mut Vec<Open>,
    regions: &mut Vec<Region>,
    id: MarkId,
    token: usize,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let fits = |open: &Open| match (
        &site.marked.marks[open.mark].directive,
        &site.marked.marks[id].directive,
    ) {
        (Directive::Begin(begin), Directive::End { name }) => begin.name == *name,
        (Directive::For(_), Directive::EndFor) => true,
        _ => false,
    };
    let words = match &site.marked.marks[id].directive {
        Directive::End { name } => format!("end {name}"),
        _ => "end for".into(),
    };
    let Some(at) = open.iter().rposition(fits) else {
        let mut diagnostic =
            Diagnostic::error("T006", site.span(id), format!("`{words}` closes what is not open"));
        if let Some(inner) = open.last() {
            diagnostic = diagnostic
                .also(site.span(inner.mark), format!("{} is open", site.called(inner.mark)));
        }
        diagnostics.push(diagnostic);
        return diagnostics;
    };
    let found = open.remove(at);
    // Those opened later than what is closed here are crossed by it.
    for crossed in open.drain(at..) {
        diagnostics.push(
            Diagnostic::error(
                "T008",
                site.span(id),
                format!("`{words}` crosses {}", site.called(crossed.mark)),
            )
            .also(site.span(crossed.mark), "opened here and still open")
            .help(format!("first `#pragma cll {}`", closing_words(site, crossed.mark))),
        );
    }
    regions.push(Region {
        open: found.mark,
        close: id,
        from: found.token,
        to: token,
        spot: found.spot,
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
