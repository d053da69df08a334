//! The head of a `cll for`: the variables that it sets and uses.

use std::ops::Range;

use cll_csource::{Token, TokenKind, spelling};
use cll_diagnostic::Diagnostic;

/// A variable, as far as its name shows: `a`, `a.b`, `a->b`.
pub(crate) type Path = Vec<Vec<u8>>;

/// INIT, COND and STEP.
#[derive(Clone, Debug)]
pub(crate) struct LoopHead {
    /// `INIT; COND; STEP` on one line without comments.
    pub text: String,
    /// The variables that INIT and STEP assign, as C text, in order.
    pub variables: Vec<String>,
    /// The paths that INIT, COND and STEP read or write.
    pub uses: Vec<Path>,
    /// The paths that INIT, COND and STEP write.
    pub writes: Vec<Path>,
    /// Whether it has the word `ordered`.
    pub ordered: bool,
    /// From the opening to the closing parenthesis.
    pub span: Range<usize>,
}

impl LoopHead {
    /// Reads `(INIT; COND; STEP)`; `tokens` include the parentheses.
    pub(super) fn read(
        source: &[u8],
        tokens: &[Token],
        ordered: bool,
    ) -> Result<LoopHead, Box<Diagnostic>> {
        let span = tokens[0].start..tokens[tokens.len() - 1].end;
        let inside = &tokens[1..tokens.len() - 1];
        let parts: Vec<&[Token]> = split(inside, b';');
        let &[init, condition, step] = &parts[..] else {
            return Err(Box::new(
                Diagnostic::error(
                    "T013",
                    span,
                    format!("`cll for` has {} parts, not INIT; COND; STEP", parts.len()),
                )
                .help("write it as C does: `#pragma cll for (N = 1024; N < 262144; N *= 2)`"),
            ));
        };
        if condition.is_empty() {
            return Err(Box::new(Diagnostic::error(
                "T013",
                span,
                "`cll for` without a condition never ends",
            )));
        }
        let mut variables: Vec<String> = Vec::new();
        let mut known = 0;
        for piece in [init, step].into_iter().flat_map(|part| split(part, b',')) {
            for target in targets(source, piece) {
                if is_declaration(source, target) {
                    let name = text(source, &target[target.len() - 1..]);
                    return Err(Box::new(
                        Diagnostic::error(
                            "T013",
                            range(target),
                            format!("`cll for` declares `{name}`"),
                        )
                        .help(format!(
                            "declare `{name}` before the pragma: the program without the \
                             pragma needs it too"
                        )),
                    ));
                }
                known += 1;
                let variable = text(source, target);
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
        let assignments = inside.iter().filter(|token| assigns(source, token)).count();
        if assignments > known {
            return Err(Box::new(
                Diagnostic::error("T013", span, "`cll for` assigns within an expression").help(
                    "INIT and STEP are assignments separated by commas; COND assigns nothing",
                ),
            ));
        }
        if variables.is_empty() {
            return Err(Box::new(Diagnostic::error("T013", span, "`cll for` sets no variable")));
        }
        Ok(LoopHead {
            text: text(source, inside),
            variables,
            uses: paths(source, inside).map(|(path, _)| path).collect(),
            writes: written_paths(source, inside).into_iter().map(|(path, _)| path).collect(),
            ordered,
            span,
        })
    }
}

/// `tokens` divided at the punctuator `separator` outside brackets.
pub(super) fn split(tokens: &[Token], separator: u8) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            byte if byte == separator && depth == 0 => {
                parts.push(&tokens[from..index]);
                from = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[from..]);
    parts
}

/// The tokens as C text on one line, without comments.
pub(super) fn text(source: &[u8], tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end < token.start) {
            out.push(' ');
        }
        out += &String::from_utf8_lossy(&spelling(source, token));
        end = Some(token.end);
    }
    out
}

pub(super) fn range(tokens: &[Token]) -> Range<usize> {
    match tokens {
        [] => 0..0,
        [first, .., last] => first.start..last.end,
        [token] => token.start..token.end,
    }
}

/// `=`, `+=`, `++` and the like.
fn assigns(source: &[u8], token: &Token) -> bool {
    if token.kind != TokenKind::Punctuator {
        return false;
    }
    let text = &source[token.start..token.end];
    match text {
        b"==" | b"<=" | b">=" | b"!=" => false,
        b"++" | b"--" => true,
        _ => text.last() == Some(&b'='),
    }
}

fn steps(source: &[u8], token: &Token) -> bool {
    matches!(&source[token.start..token.end], b"++" | b"--")
}

/// The variables that an expression of INIT or STEP assigns, outside brackets.
fn targets<'t>(source: &[u8], piece: &'t [Token]) -> Vec<&'t [Token]> {
    if let [first, rest @ ..] = piece
        && steps(source, first)
    {
        return vec![rest];
    }
    if let [rest @ .., last] = piece
        && steps(source, last)
    {
        return vec![rest];
    }
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    for (index, token) in piece.iter().enumerate() {
        match token.byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && assigns(source, token) && !steps(source, token) => {
                if index > from {
                    tokens.push(&piece[from..index]);
                }
                from = index + 1;
            }
            _ => {}
        }
    }
    tokens
}

/// `int N`, `size_t *p`: two names without an operator that joins them.
fn is_declaration(source: &[u8], target: &[Token]) -> bool {
    let name = |token: &Token| token.kind == TokenKind::Identifier;
    match target {
        [first, second, ..] if name(first) => {
            name(second) || second.is(b'*') || &*spelling(source, first) == b"struct"
        }
        _ => false,
    }
}

/// The variables named by the tokens, each with the index after it.
fn paths<'t>(
    source: &'t [u8],
    tokens: &'t [Token],
) -> impl Iterator<Item = (Path, Range<usize>)> + 't {
    let mut index = 0;
    std::iter::from_fn(move || {
        loop {
            let token = tokens.get(index)?;
            let start = index;
            index += 1;
            if token.kind != TokenKind::Identifier {
                continue;
            }
            let mut path = vec![spelling(source, token).into_owned()];
            while let (Some(dot), Some(name)) = (tokens.get(index), tokens.get(index + 1)) {
                let joins = dot.is(b'.') || &source[dot.start..dot.end] == b"->";
                if !joins || name.kind != TokenKind::Identifier {
                    break;
                }
                path.push(spelling(source, name).into_owned());
                index += 2;
            }
            return Some((path, start..index));
        }
    })
}

/// The variables that the tokens assign, increment, decrement or take the address of, with their
/// positions.
pub(crate) fn written_paths(source: &[u8], tokens: &[Token]) -> Vec<(Path, Range<usize>)> {
    let mut written = Vec::new();
    for (path, span) in paths(source, tokens) {
        let mut behind = span.end;
        // `a[i][j] = …` writes a.
        while tokens.get(behind).is_some_and(|token| token.is(b'[')) {
            let mut depth = 0usize;
            let mut end = behind;
            // No index is this long; the bound keeps the time linear for hostile text.
            for (index, token) in tokens.iter().enumerate().skip(behind).take(512) {
                match token.byte {
                    b'[' => depth += 1,
                    b']' => depth -= 1,
                    _ => {}
                }
                end = index + 1;
                if depth == 0 {
                    break;
                }
            }
            behind = end;
        }
        let assigned = tokens.get(behind).is_some_and(|token| assigns(source, token));
        let before = span.start.checked_sub(1).map(|index| &tokens[index]);
        let stepped = before.is_some_and(|token| steps(source, token));
        let addressed = before.is_some_and(|token| token.is(b'&'))
            && span.start.checked_sub(2).is_none_or(|index| {
                let token = &tokens[index];
                !(matches!(token.kind, TokenKind::Identifier | TokenKind::Number)
                    || token.is(b')')
                    || token.is(b']'))
            });
        if assigned || stepped || addressed {
            written.push((path, tokens[span.start].start..tokens[span.end - 1].end));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_csource::directive::words;

    fn read(source: &str) -> Result<LoopHead, Box<Diagnostic>> {
        let tokens: Vec<_> = words(source.as_bytes(), 0..source.len()).collect();
        LoopHead::read(source.as_bytes(), &tokens, false)
    }

    #[test]
    fn variables_of_heads() {
        for (source, variables) in [
            ("(N=1024; N<262144; N*=2)", &["N"][..]),
            ("(N = 1, m.n = N; N < 9; N++, --m.n)", &["N", "m.n"]),
            ("(a[0] = b = 1; a[0] < f(1, 2); a[0] <<= 1)", &["a[0]", "b"]),
            ("(; N /* c */ < 9; ++N)", &["N"]),
        ] {
            assert_eq!(read(source).expect(source).variables, variables, "{source}");
        }
    }

    #[test]
    fn heads_that_are_refused() {
        for (source, message) in [
            ("(int N = 1; N < 9; N++)", "`cll for` declares `N`"),
            ("(size_t *p = q; p; p++)", "`cll for` declares `p`"),
            ("(N = 1; N < 9)", "`cll for` has 2 parts, not INIT; COND; STEP"),
            ("(N = 1; ; N++)", "`cll for` without a condition never ends"),
            ("(f(); g(); h())", "`cll for` sets no variable"),
            ("(N = 1; (N *= 2) < 9; )", "`cll for` assigns within an expression"),
        ] {
            assert_eq!(read(source).expect_err(source).message, message);
        }
    }

    #[test]
    fn what_code_writes() {
        let source = b"N = 1; a == b; c.d += 2; scanf(\"%d\", &e); f & g; ++h; i[j][k]--; l(m);";
        let tokens: Vec<_> = words(source, 0..source.len()).collect();
        let written: Vec<_> = written_paths(source, &tokens)
            .into_iter()
            .map(|(path, _)| String::from_utf8_lossy(&path.join(&b'.')).into_owned())
            .collect();
        assert_eq!(written, ["N", "c.d", "e", "h", "i"]);
    }
}
