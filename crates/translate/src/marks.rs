//! Finds the pragmas of a file that are ours.

use std::ops::Range;

use cll_csource::directive::words;
use cll_csource::lex::splice;
use cll_csource::{File, Token, TokenKind, spelling};
use cll_diagnostic::Diagnostic;
use memchr::memmem;

use crate::language::{self, Directive, Formulas, Line};

/// Index of a pragma of ours, in order of position.
pub(crate) type MarkId = usize;

/// One pragma of ours.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// From `#` to the end of its last line.
    pub span: Range<usize>,
    pub directive: Directive,
    /// The diagnostics, reported only if the pragma is compiled.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file and its pragmas.
pub(crate) struct Marked<'a> {
    pub file: File<'a>,
    pub marks: Vec<Mark>,
    /// Whether the file uses OpenMP directives.
    pub openmp: bool,
}

impl Mark {
    /// Whether no pragma is there: the experiment is one of `--auto`.
    pub(crate) fn is_made(&self) -> bool {
        matches!(&self.directive, Directive::Begin(begin) if begin.extent.is_some())
    }
}

impl Marked<'_> {
    /// The names of all experiments.
    pub(crate) fn names(&self) -> std::collections::HashSet<String> {
        let names = self.marks.iter().filter_map(|mark| match &mark.directive {
            Directive::Begin(begin) => Some(begin.name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// The pragma of this token.
    pub(crate) fn id(&self, token: &Token) -> MarkId {
        self.marks.partition_point(|mark| mark.span.start < token.start)
    }
}

/// Whether the text may contain a pragma at all: quickly false for most files.
fn may_hold_pragma(source: &[u8]) -> bool {
    memmem::find(source, b"ragma").is_some()
        || memchr::memchr_iter(b'\\', source).any(|offset| {
            // A word divided by a splice.
            offset > 0 && source[offset - 1].is_ascii_lowercase() && splice(source, offset) > 0
        })
}

/// Finds the pragmas; `None` if there is none, nothing to report, and the file is not wanted in any case.
pub(crate) fn find<'a>(
    source: &'a [u8],
    is_wanted: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Marked<'a>> {
    if !is_wanted && !may_hold_pragma(source) {
        return None;
    }
    let mut pragmas = Vec::new();
    let mut openmp = false;
    let file = File::read(source, |token, rest| {
        let line = language::classify(source, rest.clone());
        if line != Line::Other {
            pragmas.push((token.start..token.end, rest, line));
        } else if !openmp {
            openmp =
                words(source, rest).next().is_some_and(|word| &*spelling(source, &word) == b"omp");
        }
        line != Line::Other
    });
    if memmem::find(source, b"_Pragma").is_some() {
        operators(source, &file, diagnostics);
    }
    let any = pragmas.iter().any(|(_, _, line)| matches!(line, Line::Ours | Line::Syntax2001));
    let mut marks = Vec::new();
    let mut formulas = Formulas::new();
    for (span, rest, line) in pragmas {
        let Some(first) = words(source, rest.clone()).next() else { continue };
        let mut messages = Vec::new();
        let directive = match line {
            Line::Other => continue,
            Line::Ours => language::read(
                source,
                span.clone(),
                first.end..rest.end,
                &mut formulas,
                &mut messages,
            ),
            Line::Syntax2001 => {
                messages.push(
                    Diagnostic::note(
                        "T019",
                        first.start..first.end,
                        "`#pragma parallel` is the spelling of 2001",
                    )
                    .label("read as `cll parallel`"),
                );
                language::read(source, span.clone(), rest, &mut formulas, &mut messages)
            }
            Line::Misspelt => {
                messages.push(nearly(source, &first, &span, any));
                Directive::Wrong
            }
        };
        marks.push(Mark { span, directive, diagnostics: messages });
    }
    if !any && !is_wanted {
        // Nothing is translated, but probable misspellings are reported.
        diagnostics.extend(marks.into_iter().flat_map(|mark| mark.diagnostics));
        return None;
    }
    Some(Marked { file, marks, openmp })
}

fn nearly(source: &[u8], first: &Token, span: &Range<usize>, any: bool) -> Diagnostic {
    let written = String::from_utf8_lossy(&spelling(source, first)).into_owned();
    let behind = String::from_utf8_lossy(&source[first.end..span.end]);
    let behind = behind.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = format!("pragma `{written}` is probably `cll` misspelt");
    let place = first.start..first.end;
    // In a file with pragmas of ours a misspelling unbalances regions; elsewhere it may be another
    // compiler's pragma.
    if any {
        Diagnostic::error("T001", place, message)
    } else {
        Diagnostic::warning("T001", place, message)
    }
    .label("did you mean `cll`?")
    .help(format!("write `#pragma cll {behind}`"))
}

/// Reports each `_Pragma("cll …")`.
fn operators(source: &[u8], file: &File<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let variant = file.variant(&[], 0);
    for three in variant.tokens.windows(3) {
        let [word, open, text] = three else { continue };
        if word.kind != TokenKind::Identifier
            || !open.is(b'(')
            || text.kind != TokenKind::String
            || &*spelling(source, word) != b"_Pragma"
        {
            continue;
        }
        let inside = spelling(source, text);
        let Some(quote) = inside.iter().position(|&byte| byte == b'"') else { continue };
        let inside = inside[quote + 1..].trim_ascii_start();
        if inside.starts_with(b"cll")
            && !inside.get(3).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        {
            diagnostics.push(
                Diagnostic::warning(
                    "T018",
                    word.start..text.end,
                    "`_Pragma(\"cll …\")` is not read",
                )
                .help("write it as a separate line: `#pragma cll …`"),
            );
        }
    }
}
