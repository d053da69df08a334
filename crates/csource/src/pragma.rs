//! Which statement other pragmas apply to.

use crate::directive::words;
use crate::lex::{TokenKind, spelling};
use std::ops::Range;

/// How a pragma applies to the statement after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliesTo {
    /// Not at all: a standalone directive, or one that compilers ignore.
    Nothing,
    /// Any statement: `omp parallel`, `omp critical`, ….
    Statement,
    /// A `for` loop, and as many nested ones as `collapse` or `ordered` requests.
    Loop {
        /// At least 1.
        nest: u32,
    },
    /// A block of `omp section`s.
    Sections,
    /// One expression statement: `omp atomic`.
    Expression,
}

/// Returns what the pragma applies to; `source[rest]` is its text after the word `pragma`.
pub fn applies_to(source: &[u8], rest: Range<usize>) -> AppliesTo {
    let mut tokens = words(source, rest.clone()).peekable();
    let Some(first) = tokens.next() else { return AppliesTo::Nothing };
    match &*spelling(source, &first) {
        b"omp" => openmp(source, rest),
        b"acc" => openacc(source, rest),
        b"GCC" => match tokens.next().as_ref().map(|token| spelling(source, token)).as_deref() {
            Some(b"ivdep" | b"unroll" | b"novector") => AppliesTo::Loop { nest: 1 },
            _ => AppliesTo::Nothing,
        },
        b"clang" => match tokens.next().as_ref().map(|token| spelling(source, token)).as_deref() {
            Some(b"loop") => AppliesTo::Loop { nest: 1 },
            _ => AppliesTo::Nothing,
        },
        b"ivdep" | b"simd" | b"unroll" | b"nounroll" | b"vector" | b"novector"
        | b"unroll_and_jam" | b"nounroll_and_jam" | b"loop_count" => AppliesTo::Loop { nest: 1 },
        _ => AppliesTo::Nothing,
    }
}

/// The directive's words before the first clause, and its clauses with a number: `collapse(2)`.
fn openmp(source: &[u8], rest: Range<usize>) -> AppliesTo {
    const LOOPS: [&[u8]; 7] =
        [b"for", b"simd", b"loop", b"taskloop", b"distribute", b"tile", b"unroll"];
    const STATEMENTS: [&[u8]; 15] = [
        b"parallel",
        b"single",
        b"master",
        b"masked",
        b"critical",
        b"task",
        b"taskgroup",
        b"target",
        b"teams",
        b"ordered",
        b"workshare",
        b"scope",
        b"section",
        b"dispatch",
        b"assume",
    ];
    let tokens: Vec<_> = words(source, rest).skip(1).collect();
    let text = |index: usize| tokens.get(index).map(|token| spelling(source, token));
    let mut own: Vec<Vec<u8>> = Vec::new();
    let mut nest = 1;
    let mut depends = false;
    let mut depth = 0usize;
    let mut in_name = true;
    for (index, token) in tokens.iter().enumerate() {
        if token.is(b'(') {
            depth += 1;
        } else if token.is(b')') {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.kind == TokenKind::Identifier {
            let word = spelling(source, token).into_owned();
            let opens = tokens.get(index + 1).is_some_and(|next| next.is(b'('));
            match word.as_slice() {
                b"collapse" | b"ordered" if opens => {
                    let count = text(index + 2).and_then(|text| number(&text));
                    nest = nest.max(count.unwrap_or(1));
                }
                b"depend" | b"doacross" => depends = true,
                _ => {}
            }
            if in_name {
                own.push(word);
            }
            in_name = in_name && !opens;
        }
    }
    let has = |word: &[u8]| own.iter().any(|own| own == word);
    match own.first().map(Vec::as_slice) {
        None => AppliesTo::Nothing,
        Some(b"declare" | b"end" | b"begin" | b"cancel" | b"cancellation") => AppliesTo::Nothing,
        Some(b"target") if has(b"enter") || has(b"exit") || has(b"update") => AppliesTo::Nothing,
        Some(b"ordered") if depends => AppliesTo::Nothing,
        Some(b"atomic") => AppliesTo::Expression,
        Some(b"sections") => AppliesTo::Sections,
        Some(first) => {
            // `parallel for`, `parallel sections`: the last construct decides.
            let construct: Vec<_> = own
                .iter()
                .take_while(|word| {
                    LOOPS.contains(&word.as_slice())
                        || STATEMENTS.contains(&word.as_slice())
                        || matches!(word.as_slice(), b"sections" | b"data")
                })
                .collect();
            if construct.iter().any(|word| LOOPS.contains(&word.as_slice())) {
                AppliesTo::Loop { nest }
            } else if construct.iter().any(|word| word.as_slice() == b"sections") {
                AppliesTo::Sections
            } else if STATEMENTS.contains(&first) {
                AppliesTo::Statement
            } else {
                AppliesTo::Nothing
            }
        }
    }
}

fn openacc(source: &[u8], rest: Range<usize>) -> AppliesTo {
    let own: Vec<_> = words(source, rest)
        .skip(1)
        .take_while(|token| token.kind == TokenKind::Identifier)
        .map(|token| spelling(source, &token).into_owned())
        .collect();
    match own.first().map(Vec::as_slice) {
        Some(b"loop") => AppliesTo::Loop { nest: 1 },
        Some(b"parallel" | b"kernels" | b"serial") => {
            if own.get(1).is_some_and(|word| word == b"loop") {
                AppliesTo::Loop { nest: 1 }
            } else {
                AppliesTo::Statement
            }
        }
        Some(b"data" | b"host_data") => AppliesTo::Statement,
        Some(b"atomic") => AppliesTo::Expression,
        _ => AppliesTo::Nothing,
    }
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_and_what_they_take() {
        for (pragma, expected) in [
            (" omp parallel num_threads(4) private(i)", AppliesTo::Statement),
            (" omp parallel for", AppliesTo::Loop { nest: 1 }),
            (" omp parallel for private(x) collapse ( 2 )", AppliesTo::Loop { nest: 2 }),
            (" omp target teams distribute parallel for simd", AppliesTo::Loop { nest: 1 }),
            (" omp for ordered(3)", AppliesTo::Loop { nest: 3 }),
            (" omp parallel if(simd)", AppliesTo::Statement),
            (" omp parallel sections", AppliesTo::Sections),
            (" omp sections nowait", AppliesTo::Sections),
            (" omp section", AppliesTo::Statement),
            (" omp barrier", AppliesTo::Nothing),
            (" omp taskwait", AppliesTo::Nothing),
            (" omp flush(x)", AppliesTo::Nothing),
            (" omp atomic update", AppliesTo::Expression),
            (" omp ordered depend(source)", AppliesTo::Nothing),
            (" omp ordered", AppliesTo::Statement),
            (" omp target data map(to: x)", AppliesTo::Statement),
            (" omp target enter data map(to: x)", AppliesTo::Nothing),
            (" omp declare simd", AppliesTo::Nothing),
            (" omp critical (name)", AppliesTo::Statement),
            (" acc parallel loop", AppliesTo::Loop { nest: 1 }),
            (" acc data copy(x)", AppliesTo::Statement),
            (" acc wait", AppliesTo::Nothing),
            (" GCC ivdep", AppliesTo::Loop { nest: 1 }),
            (" GCC diagnostic push", AppliesTo::Nothing),
            (" clang loop vectorize(enable)", AppliesTo::Loop { nest: 1 }),
            (" pack(1)", AppliesTo::Nothing),
            ("", AppliesTo::Nothing),
        ] {
            assert_eq!(applies_to(pragma.as_bytes(), 0..pragma.len()), expected, "{pragma}");
        }
    }
}
