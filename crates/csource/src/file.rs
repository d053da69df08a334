//! The tokens of a file, and its functions.

use std::borrow::Cow;
use std::ops::Range;

use crate::conditional::Conditionals;
use crate::directive::{Directive, Name};
use crate::lex::{Token, TokenKind, lex, spelling};

/// A file's tokens and conditional groups.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// The bytes.
    pub source: &'a [u8],
    tokens: Vec<Token>,
    conditionals: Conditionals,
}

impl<'a> File<'a> {
    /// Reads a file. `marks` is called for every `#pragma`, with the range of the text after that
    /// word; if it returns true the token becomes a [`TokenKind::Marker`].
    pub fn read(source: &'a [u8], mut marks: impl FnMut(&Token, Range<usize>) -> bool) -> Self {
        let mut tokens = Vec::with_capacity(source.len() / 3);
        let mut directives = Vec::new();
        for mut token in lex(source) {
            match token.kind {
                TokenKind::Space
                | TokenKind::Newline
                | TokenKind::BlockComment
                | TokenKind::LineComment => {}
                TokenKind::Directive => {
                    let directive = Directive::read(source, &token);
                    if directive.name == Name::Pragma {
                        if marks(&token, directive.rest) {
                            token.kind = TokenKind::Marker;
                        }
                        tokens.push(token);
                    } else if directive.name != Name::Other {
                        directives.push(token);
                    }
                }
                _ => tokens.push(token),
            }
        }
        let conditionals = Conditionals::read(source, &directives);
        File { source, tokens, conditionals }
    }

    /// The file's conditional groups.
    pub fn conditionals(&self) -> &Conditionals {
        &self.conditionals
    }

    /// The file as a compiler sees it with selection `number` of the groups that touch `places`;
    /// see [`Conditionals::left_out`].
    pub fn variant(&self, places: &[Range<usize>], number: usize) -> Variant<'_> {
        let left_out = self.conditionals.left_out(places, number);
        if left_out.is_empty() {
            let tokens = Cow::Borrowed(&self.tokens[..]);
            return Variant { source: self.source, tokens, left_out };
        }
        let mut gaps = left_out.iter().peekable();
        let mut tokens = Vec::with_capacity(self.tokens.len());
        for token in &self.tokens {
            while gaps.next_if(|gap| gap.end <= token.start).is_some() {}
            if gaps.peek().is_none_or(|gap| token.start < gap.start) {
                tokens.push(*token);
            }
        }
        Variant { source: self.source, tokens: Cow::Owned(tokens), left_out }
    }
}

/// A file with one branch selected in each conditional group.
#[derive(Clone, Debug)]
pub struct Variant<'a> {
    /// The bytes of the complete file.
    pub source: &'a [u8],
    /// The tokens without space, comments and directives other than pragmas.
    pub tokens: Cow<'a, [Token]>,
    /// The ranges that are left out.
    pub left_out: Vec<Range<usize>>,
}

/// A function's body in the tokens of a [`Variant`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name, as far as it is known without a preprocessor.
    pub name: String,
    /// Index of the `{`.
    pub open: usize,
    /// Index of the `}`, or the number of tokens if there is none.
    pub close: usize,
}

impl Variant<'_> {
    /// The function definitions, in order. What precedes the brace distinguishes bodies from
    /// initialisers and type definitions.
    pub fn functions(&self) -> Vec<Function> {
        Finder { variant: self, functions: Vec::new() }.run()
    }

    fn word(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        let token = self.tokens.get(index)?;
        (token.kind == TokenKind::Identifier).then(|| spelling(self.source, token))
    }

    fn at_line_start(&self, token: &Token) -> bool {
        token.start == 0 || self.source[token.start - 1] == b'\n'
    }

    /// Index of the `}` for the `{` at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            if token.is(b'{') {
                depth += 1;
            } else if token.is(b'}') {
                depth -= 1;
                if depth == 0 {
                    return index;
                }
            }
        }
        self.tokens.len()
    }
}

/// The part of the current declaration that has been read.
#[derive(Default)]
struct Segment {
    start: usize,
    assigned: bool,
    aggregate: Option<usize>,
    group: Option<usize>,
}

struct Finder<'v, 'a> {
    variant: &'v Variant<'a>,
    functions: Vec<Function>,
}

impl Finder<'_, '_> {
    fn run(mut self) -> Vec<Function> {
        let tokens = &self.variant.tokens;
        let mut segment = Segment::default();
        let mut old_style: Option<String> = None;
        let mut parens = 0usize;
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            if token.is(b'{') && parens > 0 && self.variant.at_line_start(token) {
                parens = 0;
            }
            match token.byte {
                b'(' => {
                    if parens == 0 && index > segment.start && self.declares(index - 1) {
                        segment.group = Some(index);
                    }
                    parens += 1;
                }
                b')' => parens = parens.saturating_sub(1),
                _ if parens > 0 => {}
                b'=' => segment.assigned = true,
                b';' => {
                    let ends_in_group = index > 0 && tokens[index - 1].is(b')');
                    if segment.group.is_some() {
                        old_style = (!ends_in_group && !segment.assigned)
                            .then(|| self.name(&segment, index));
                    }
                    segment = Segment { start: index + 1, ..Segment::default() };
                }
                b'{' => {
                    let close = match self.opened(&segment, index, old_style.is_some()) {
                        Opened::Nothing => index,
                        Opened::Data => self.variant.closing(index),
                        Opened::Body => {
                            let close = self.variant.closing(index);
                            let name = old_style
                                .take()
                                .filter(|_| segment.group.is_none())
                                .unwrap_or_else(|| self.name(&segment, index));
                            self.functions.push(Function { name, open: index, close });
                            segment = Segment { start: close + 1, ..Segment::default() };
                            old_style = None;
                            close
                        }
                    };
                    if close == index {
                        segment = Segment { start: index + 1, ..Segment::default() };
                    }
                    index = close;
                }
                b'}' => segment = Segment { start: index + 1, ..Segment::default() },
                _ => {
                    if let Some(b"struct" | b"union" | b"enum") =
                        self.variant.word(index).as_deref()
                    {
                        segment.aggregate = Some(index);
                    }
                }
            }
            index += 1;
        }
        self.functions
    }

    fn opened(&self, segment: &Segment, index: usize, old_style: bool) -> Opened {
        let tokens = &self.variant.tokens;
        let Some(before) = index.checked_sub(1).map(|previous| &tokens[previous]) else {
            return Opened::Data;
        };
        if segment.assigned {
            return Opened::Data;
        }
        if before.kind == TokenKind::String
            && index >= 2
            && self.variant.word(index - 2).as_deref() == Some(b"extern")
        {
            return Opened::Nothing;
        }
        if segment.group.is_some() && segment.aggregate <= segment.group {
            return Opened::Body;
        }
        if segment.aggregate.is_some() {
            return Opened::Data;
        }
        if old_style && before.is(b';') || before.kind == TokenKind::Identifier {
            return Opened::Body;
        }
        Opened::Data
    }

    /// Whether a parenthesis after the token at `index` may contain parameters.
    fn declares(&self, index: usize) -> bool {
        match self.variant.word(index).as_deref() {
            Some(
                b"__attribute__" | b"__attribute" | b"__declspec" | b"_Alignas" | b"alignas"
                | b"__asm__" | b"asm" | b"__asm" | b"__typeof__" | b"typeof" | b"_Atomic",
            ) => false,
            Some(_) => true,
            None => self.variant.tokens[index].is(b')'),
        }
    }

    fn name(&self, segment: &Segment, end: usize) -> String {
        const TYPES: [&[u8]; 13] = [
            b"void",
            b"char",
            b"short",
            b"int",
            b"long",
            b"float",
            b"double",
            b"signed",
            b"unsigned",
            b"const",
            b"volatile",
            b"static",
            b"extern",
        ];
        let plain = |index: usize| {
            self.variant
                .word(index)
                .filter(|word| !TYPES.contains(&&**word))
                .map(|word| String::from_utf8_lossy(&word).into_owned())
        };
        let named = segment.group.and_then(|group| plain(group.checked_sub(1)?)).or_else(|| {
            (segment.start..end.saturating_sub(1)).find_map(|index| {
                let opens = self.variant.tokens[index + 1].is(b'(');
                (opens && self.declares(index)).then(|| plain(index)).flatten()
            })
        });
        named.or_else(|| plain(end.checked_sub(1)?)).unwrap_or_default()
    }
}

enum Opened {
    /// `extern "C" {`: ignored.
    Nothing,
    /// An initialiser or a type.
    Data,
    /// A function's body.
    Body,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let file = File::read(source.as_bytes(), |_, _| false);
        file.variant(&[], 0).functions().into_iter().map(|function| function.name).collect()
    }

    #[test]
    fn functions_are_distinguished_from_data() {
        for (source, expected) in [
            ("int main(void) { return 0; }", vec!["main"]),
            ("int x[] = { 1, 2 }; struct s { int a; } y; enum { A }; int f() {}", vec!["f"]),
            ("struct s *f(struct s *p) { } struct t g(void) { }", vec!["f", "g"]),
            ("int f(a, b) int a; char *b; { } int g(void);", vec!["f"]),
            ("extern \"C\" { int f(void) { } } int g() {}", vec!["f", "g"]),
            ("static void (*signal(int s, void (*h)(int)))(int) { }", vec!["signal"]),
            ("int f(void) __attribute__((noinline)) { }", vec!["f"]),
            ("struct __attribute__((packed)) s { int a; }; int f() {}", vec!["f"]),
            ("TEST(name) { } EXPORT(int) f(int x) { }", vec!["TEST", "f"]),
            ("typedef struct { int (*call)(int); } t; t f(t x) { }", vec!["f"]),
            ("t x = (t){ 1 }; int (*a[])(void) = { f, g }; void h(void) { }", vec!["h"]),
            (
                "#if X\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\nint g() {}",
                vec!["f", "g"],
            ),
            ("}}} ) int f() {", vec!["f"]),
            ("MACRO(x\nint f(void)\n{\n}", vec!["MACRO"]),
        ] {
            assert_eq!(names(source), expected, "{source}");
        }
    }
}
