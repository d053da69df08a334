//! Insertions into the source.

use std::cmp::Reverse;

use cll_csource::lex::splice;

use super::team::needs_team;
use super::{Emitted, Origin, literal::literal, origin};
use crate::edits::{Act, Code};
use crate::language::Directive;
use crate::marks::MarkId;
use crate::translation::{Model, PASSAGE};

/// The purpose of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is compiled and run.
    Program,
    /// It asks the compiler whether `P` and `pid` are declared.
    Probe,
}

/// The order of texts at the same offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Start,
    Close,
    Function,
    Block,
    Wrap,
    Jump,
    Line,
    End,
}

/// A source of an MPI program need not include mpi.h: it may only call functions of other sources
/// that do.
const MPI: &str = "#ifndef MPI_VERSION\n\
    #ifdef __has_include\n\
    #if !__has_include(<mpi.h>)\n\
    #define CLL_NO_MPI\n\
    #error \"parallel MPI: mpi.h is not included here, and this compiler does not find it: \
    use the compiler of the MPI (CLL_CC=mpicc)\"\n\
    #endif\n\
    #endif\n\
    #ifndef CLL_NO_MPI\n\
    #include <mpi.h>\n\
    #endif\n\
    #endif\n";

/// Code after the last line, where the program's mpi.h has been included. A file may end with a
/// backslash.
fn behind(emitted: &Emitted<'_>) -> Option<String> {
    if emitted.parallel.model != Model::Mpi {
        return None;
    }
    let gathers = !emitted.numbers.reports.is_empty();
    let needed = [
        (gathers, "cll_mpi.h"),
        (emitted.syncs_by_mpi(), "cll_mpi_sync.h"),
        (emitted.needs_world(), "cll_mpi_world.h"),
    ];
    let includes: String = needed
        .iter()
        .filter(|(is_needed, _)| *is_needed)
        .map(|(_, name)| format!("#include \"{name}\"\n"))
        .collect();
    (!includes.is_empty()).then(|| format!("\n\n#ifndef CLL_OFF\n{MPI}{includes}#endif\n"))
}

/// An insertion at an offset.
type Insertion = (usize, Rank, String);
/// The end of a statement that began at an offset.
type StatementEnd = (usize, Reverse<usize>, String);

/// The begin of a region that has no directives, and its end if it is a block of its own; `None` for other regions.
fn around_made(
    emitted: &Emitted<'_>,
    purpose: Purpose,
    mark: MarkId,
) -> Option<(Insertion, Option<StatementEnd>)> {
    let (begin, made) = emitted.automatic(mark)?;
    let text = made_open(emitted, purpose, mark);
    let Some(close) = made.close else {
        // The next word may follow the brace directly.
        let source = emitted.marked.file.source;
        let blank = source.get(made.open).is_some_and(u8::is_ascii_whitespace);
        let text = if blank { text.trim_end() } else { &text };
        return Some(((made.open, Rank::Function, format!(" {text}")), None));
    };
    let is_first = begin.name_span.start == made.open;
    let blank = if is_first { "" } else { " " };
    // The end of the block ends a region that shares the functions.
    let end = if purpose == Purpose::Program && !emitted.is_shared(mark) {
        format!(" CLL_END_{} }}", emitted.numbers.places[&mark])
    } else {
        " }".into()
    };
    let open = (made.open, Rank::Wrap, format!("{blank}{{ {text}"));
    Some((open, Some((close, Reverse(made.open), end))))
}

/// The insertions, ascending by offset.
pub(crate) fn insertions(emitted: &Emitted<'_>, purpose: Purpose) -> Vec<(usize, Vec<u8>)> {
    let mut texts: Vec<(usize, Rank, Vec<u8>)> = Vec::new();
    // Where several statements end at one offset, what began last ends first.
    let mut ends: Vec<StatementEnd> = Vec::new();
    let mut put =
        |offset: usize, rank: Rank, text: String| texts.push((offset, rank, text.into_bytes()));
    let edits = emitted.edits;
    let program = purpose == Purpose::Program;
    let source = emitted.marked.file.source;
    let start = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let name = literal(emitted.name);
    if !program && emitted.asks_for_values() {
        put(start, Rank::Start, format!("{}#line 1 {name}\n", integer_test()));
    }
    if program {
        put(start, Rank::Start, format!("#include \"{}.cll.h\"\n#line 1 {name}\n", emitted.unit));
        if let Some(text) = behind(emitted) {
            put(source.len(), Rank::End, text);
        }
        for (&offset, frames) in &edits.blocks {
            let frames: String = frames.iter().map(|&mark| frame(emitted, mark)).collect();
            // The next word may follow the brace directly.
            let blank = emitted.marked.file.source.get(offset).is_some_and(u8::is_ascii_whitespace);
            let frames = if blank { frames.trim_end() } else { &frames };
            put(offset, Rank::Block, format!(" {frames}"));
        }
        for (&start, leaving) in &edits.jumps {
            let left = leaving
                .regions
                .iter()
                .map(|mark| format!("CLL_LEAVE_{} ", emitted.numbers.places[mark]));
            let open = if leaving.braces { "{ " } else { "" };
            put(start, Rank::Jump, format!("{open}{}", left.collect::<String>()));
            if leaving.braces {
                ends.push((leaving.end, Reverse(start), " }".into()));
            }
        }
    }
    for (&(start, _), frames) in &edits.wraps {
        let mut text = "{ ".to_string();
        if program {
            text.extend(frames.iter().map(|&mark| frame(emitted, mark)));
        }
        put(start, Rank::Wrap, text);
    }
    for &(offset, opened) in &edits.closers {
        ends.push((offset, Reverse(opened), " }".into()));
    }
    for &mark in emitted.numbers.places.keys() {
        let Some(((at, rank, text), end)) = around_made(emitted, purpose, mark) else { continue };
        put(at, rank, text);
        ends.extend(end);
    }
    ends.sort();
    for (offset, _, text) in ends {
        put(offset, Rank::Close, text);
    }
    for (&mark, code) in &edits.lines {
        let span = emitted.marked.marks[mark].span.clone();
        put(span.start, Rank::Line, line(emitted, purpose, mark, code) + "/* ");
        for offset in comment_marks(emitted.marked.file.source, span.clone()) {
            put(offset, Rank::Line, " ".into());
        }
        put(span.end, Rank::Close, " */".into());
    }
    texts.sort_by_key(|&(offset, rank, _)| (offset, rank));
    texts.into_iter().map(|(offset, _, text)| (offset, text)).collect()
}

/// `source` with the insertions.
pub(crate) fn joined(source: &[u8], insertions: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let length = insertions.iter().map(|(_, text)| text.len()).sum::<usize>();
    let mut out = Vec::with_capacity(source.len() + length);
    let mut from = 0;
    for (offset, text) in insertions {
        out.extend_from_slice(&source[from..*offset]);
        out.extend_from_slice(text);
        from = *offset;
    }
    out.extend_from_slice(&source[from..]);
    out
}

/// The code at the begin of a region without a pragma.
fn made_open(emitted: &Emitted<'_>, purpose: Purpose, mark: MarkId) -> String {
    match purpose {
        Purpose::Program => frame(emitted, mark) + &open(emitted, mark),
        Purpose::Probe => probe(emitted, mark),
    }
}

fn frame(emitted: &Emitted<'_>, mark: MarkId) -> String {
    match (emitted.numbers.places.get(&mark), emitted.numbers.loops.get(&mark)) {
        (Some(place), _) => format!("CLL_FRAME_{place} "),
        (None, Some(number)) => format!("CLL_LOOP_{number} "),
        (None, None) => String::new(),
    }
}

/// The macro of the compiler's test for integers.
const INTEGER: &str = "cll_is_integer";

/// Characters and truth values are no sizes. In double parentheses the name of a type is an error.
fn integer_test() -> String {
    let types = [
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "short",
        "unsigned short",
    ];
    let each = types.map(|name| format!("__builtin_types_compatible_p(__typeof__((x)), {name})"));
    format!("#define {INTEGER}(x) ({})\n", each.join(" || "))
}

/// The code that replaces a pragma.
fn line(emitted: &Emitted<'_>, purpose: Purpose, mark: MarkId, code: &Code) -> String {
    let mut text = String::new();
    if code.brace {
        text += "{ ";
    }
    if purpose == Purpose::Probe {
        if code.act == Some(Act::Open) {
            text += &probe(emitted, mark);
        }
    } else {
        if code.frame {
            text += &frame(emitted, mark);
        }
        match code.act {
            Some(Act::Open) => text += &open(emitted, mark),
            Some(Act::Close(closed)) => {
                let numbers = emitted.numbers;
                match (numbers.places.get(&closed), numbers.loops.get(&closed)) {
                    (Some(place), _) => text += &format!("CLL_END_{place} "),
                    (None, Some(number)) => text += &format!("CLL_NEXT_{number} "),
                    (None, None) => {}
                }
            }
            None => {}
        }
    }
    for _ in 0..code.closes {
        text += "} ";
    }
    text
}

fn open(emitted: &Emitted<'_>, mark: MarkId) -> String {
    match &emitted.marked.marks[mark].directive {
        Directive::Begin(begin) => {
            let place = emitted.numbers.places[&mark];
            let values: Vec<String> = begin
                .values
                .iter()
                .filter(|value| origin(value, place, emitted.own) == Origin::Program)
                .filter(|value| value.name != PASSAGE)
                .map(|value| format!("({})", value.c))
                .collect();
            if values.is_empty() {
                format!("CLL_BEGIN_{place} ")
            } else {
                format!("CLL_BEGIN_{place}({}) ", values.join(", "))
            }
        }
        Directive::For(Some(head)) => {
            format!("CLL_FOR_{}({}) ", emitted.numbers.loops[&mark], head.text)
        }
        Directive::Report { .. } => format!("CLL_REPORT_{} ", emitted.numbers.reports[&mark]),
        _ => String::new(),
    }
}

/// Declarations that cause an error with a known name if the program declares its own `P` or `pid`
/// here, or the handle.
fn probe(emitted: &Emitted<'_>, mark: MarkId) -> String {
    let Directive::Begin(begin) = &emitted.marked.marks[mark].directive else {
        return String::new();
    };
    let place = emitted.numbers.places[&mark];
    let own = begin.values.iter().filter(|value| value.may_be_of_model());
    let own = own.map(|value| (value.name.as_str(), value.name.as_str()));
    let handle = emitted.handle().filter(|_| needs_team(begin)).map(|handle| ("handle", handle));
    let names: String = own
        .chain(handle)
        .map(|(name, c)| {
            format!("{{ extern char cll_probe_{place}_{name}[sizeof ({c}) ? -1 : 1]; }} ")
        })
        .collect();
    let values = begin.candidates.iter().enumerate().filter(|_| begin.is_searched);
    let values = values.map(|(index, value)| {
        format!("{{ extern char cll_probe_{place}_v{index}[{INTEGER}({}) ? -1 : 1]; }} ", value.c)
    });
    names + &values.collect::<String>()
}

/// Offsets in a pragma where a blank prevents `/*` and `*/` from beginning or ending a comment.
fn comment_marks(source: &[u8], span: std::ops::Range<usize>) -> Vec<usize> {
    let mut numbers = Vec::new();
    for offset in span.clone() {
        let other = match source[offset] {
            b'/' => b'*',
            b'*' => b'/',
            _ => continue,
        };
        let mut next = offset + 1;
        loop {
            match splice(source, next) {
                0 => break,
                length => next += length,
            }
        }
        if next < span.end && source[next] == other {
            numbers.push(offset + 1);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::comment_marks;

    #[test]
    fn comments_within_a_comment_are_opened_up() {
        let source = b"#pragma cll /* a */ b // c */ *\\\n/";
        let offsets = comment_marks(source, 0..source.len());
        assert_eq!(offsets, [13, 18, 28, 31]);
    }
}
