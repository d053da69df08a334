//! Regions put around the statements of a file that has none.

use std::collections::HashSet;

use cll_csource::directive::{Directive, Name, words};
use cll_csource::lex::{Token, TokenKind, lex};
use cll_csource::tree::{NodeId, Statement};
use cll_csource::{File, Tree, Variant};
use cll_diagnostic::Lines;
use cll_translate::{Options, Source, translate};

/// Every how many of the statements that may have a region get one.
const STRIDE: usize = 3;

/// Regions in one file at the most.
const MOST: usize = 4000;

/// A source with regions.
pub struct Annotated {
    /// The annotated text; every line of the source keeps its number.
    pub text: Vec<u8>,
    /// Regions in it.
    pub regions: usize,
    /// Regions that the translator refused, as it may where it cannot see what
    /// a macro does; they were taken out again.
    pub refused: usize,
}

/// Bytes from the first to behind the last of a statement.
type Region = std::ops::Range<usize>;

/// Puts a region around every [`STRIDE`]th statement of `text`, which compilers
/// are told is called `name`.
pub fn annotate(name: &str, text: &[u8]) -> Annotated {
    let file = File::read(text, |_, _| false);
    let variant = file.variant(&[], 0);
    let mut regions = Vec::new();
    let elses = hidden_elses(text);
    for function in variant.functions() {
        let tree = Tree::parse(&variant, &function);
        let parts: HashSet<usize> = tree
            .nodes
            .iter()
            .filter(|node| node.statement == Statement::Macro(false))
            .map(|node| node.first)
            .collect();
        // `Try { … } Catch (x) { … }`, `OPTION(x);` that begins with an `else`:
        // one statement of C in several pieces.
        let in_pieces = |token: usize| {
            parts.contains(&token)
                || variant
                    .tokens
                    .get(token)
                    .is_some_and(|token| elses.contains(&text[token.start..token.end]))
        };
        let candidates = (1..tree.nodes.len()).filter(|&node| {
            let range = &tree.nodes[node];
            may_hold(&tree, node) && !in_pieces(range.first) && !in_pieces(range.end)
        });
        regions.extend(
            candidates
                .map(|node| extent(&variant, &tree, node))
                .filter(|range| range.start < range.end && balanced(&text[range.clone()])),
        );
    }
    regions.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    regions.dedup();
    let mut regions: Vec<Region> = regions.into_iter().step_by(STRIDE).take(MOST).collect();
    let wanted = regions.len();
    loop {
        let written = write(name, text, &regions);
        let source = Source { name, text: &written };
        let bad: Vec<usize> = translate(&source, &Options::default())
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .flat_map(|diagnostic| {
                std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary)
            })
            .filter_map(|label| region_named(&written, label.span.start))
            .collect();
        if bad.is_empty() {
            let refused = wanted - regions.len();
            return Annotated { text: written, regions: regions.len(), refused };
        }
        let mut index = 0;
        regions.retain(|_| {
            index += 1;
            !bad.contains(&(index - 1))
        });
    }
}

/// The macros of a file with an `else` in their text.
fn hidden_elses(text: &[u8]) -> HashSet<&[u8]> {
    let mut bytes = HashSet::new();
    for token in lex(text).filter(|token| token.kind == TokenKind::Directive) {
        let mut words = words(text, token.start..token.end).skip(1);
        let is = |token: &Token, word: &[u8]| text[token.start..token.end] == *word;
        if words.next().is_some_and(|word| is(&word, b"define"))
            && let Some(name) = words.next()
            && words.any(|word| is(&word, b"else"))
        {
            bytes.insert(&text[name.start..name.end]);
        }
    }
    bytes
}

/// Whether a region may stand around the statement: nothing outside jumps in,
/// and it is a statement rather than a mark between statements.
fn may_hold(tree: &Tree, node: NodeId) -> bool {
    let within = |inner: NodeId, holder: NodeId| {
        inner == holder || tree.ancestors(inner).any(|up| up == holder)
    };
    let itself = &tree.nodes[node];
    if matches!(
        itself.statement,
        Statement::Label | Statement::Case | Statement::Default | Statement::Else
    ) {
        return false;
    }
    if let (true, Some(parent)) = (itself.sub, itself.parent) {
        if matches!(
            tree.nodes[parent].statement,
            Statement::Pragma(_) | Statement::Macro(_) | Statement::Switch
        ) {
            return false;
        }
        if itself.statement == Statement::If && tree.nodes[parent].statement == Statement::Else {
            return true;
        }
    }
    (node + 1..tree.nodes.len()).take_while(|&inner| within(inner, node)).all(|inner| {
        match tree.nodes[inner].statement {
            Statement::Label => false,
            Statement::Case | Statement::Default => tree
                .ancestors(inner)
                .find(|&up| tree.nodes[up].statement == Statement::Switch)
                .is_some_and(|switch| within(switch, node)),
            _ => true,
        }
    })
}

fn extent(variant: &Variant<'_>, tree: &Tree, node: NodeId) -> Region {
    let node = &tree.nodes[node];
    match variant.tokens.get(node.first..node.end) {
        Some([first, .., last]) => first.start..last.end,
        Some([only]) => only.start..only.end,
        _ => 0..0,
    }
}

/// Whether every conditional group that begins in `text` ends in it, and none
/// of an outer group goes on.
fn balanced(text: &[u8]) -> bool {
    let mut depth = 0i64;
    for token in lex(text).filter(|token| token.kind == TokenKind::Directive) {
        let line = &text[token.start..token.end];
        let word: Vec<u8> = line
            .iter()
            .copied()
            .skip_while(|byte| !byte.is_ascii_alphabetic())
            .take_while(u8::is_ascii_alphabetic)
            .collect();
        match &word[..] {
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" => depth -= 1,
            b"else" | b"elif" if depth == 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The line numbers that compilers see: those of the text, or those that its own
/// `#line` directives say (text that bison wrote, for instance).
struct Numbers {
    lines: Lines,
    /// Offset of each `#line`, and what it adds to the number of a line behind.
    line_directives: Vec<(usize, isize)>,
}

impl Numbers {
    fn new(text: &[u8]) -> Numbers {
        let lines = Lines::new(text);
        let line_directives = lex(text)
            .filter(|token| token.kind == TokenKind::Directive)
            .filter_map(|token| {
                let line = std::str::from_utf8(&text[token.start..token.end]).ok()?;
                let rest = line.trim_start_matches('#').trim_start();
                let number = rest.strip_prefix("line").unwrap_or(rest).split_whitespace().next()?;
                let number: isize = number.parse().ok()?;
                Some((token.start, number - lines.line(token.end) as isize - 1))
            })
            .collect();
        Numbers { lines, line_directives }
    }

    fn line(&self, offset: usize) -> isize {
        let before = self.line_directives.partition_point(|&(start, _)| start < offset);
        let added = before.checked_sub(1).map_or(0, |last| self.line_directives[last].1);
        self.lines.line(offset) as isize + added
    }
}

fn write(name: &str, text: &[u8], regions: &[Region]) -> Vec<u8> {
    let lines = Numbers::new(text);
    // At one place regions close before others open, inner ones first; the
    // longest opens first.
    let mut insertions: Vec<(usize, (bool, usize), String)> = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        let every = if index % 4 == 3 { "every(3) " } else { "" };
        let opening = format!("region{index} {every}region{index}[0]");
        let length = region.end - region.start;
        for (offset, order, words) in [
            (region.start, (true, usize::MAX - length), opening),
            (region.end, (false, length), format!("end region{index}")),
        ] {
            let line = lines.line(offset);
            insertions.push((offset, order, format!("\n#pragma cll {words}\n#line {line}\n")));
        }
    }
    // In a branch that is not taken `#line` is not obeyed: said again behind it.
    for token in lex(text).filter(|token| token.kind == TokenKind::Directive) {
        if matches!(Directive::read(text, &token).name, Name::Elif | Name::Else | Name::Endif) {
            let line = format!("\n#line {}", lines.line(token.end) + 1);
            insertions.push((token.end, (false, 0), line));
        }
    }
    insertions.sort();
    let mut out = format!("#line 1 \"{name}\"\n").into_bytes();
    let mut position = 0;
    for (offset, _, inserted) in insertions {
        out.extend_from_slice(&text[position..offset]);
        out.extend_from_slice(inserted.as_bytes());
        position = offset;
    }
    out.extend_from_slice(&text[position..]);
    out
}

/// Which region is named on the line at `offset` of an annotated text.
fn region_named(text: &[u8], offset: usize) -> Option<usize> {
    let start =
        text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = text[start..].split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let (_, rest) = line.split_once("region")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
