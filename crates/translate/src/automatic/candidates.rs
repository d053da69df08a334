//! The values that an experiment without a formula saves: integer parameters that were not changed before, and the
//! bounds of loops.
//!
//! Whether a candidate is an integer in scope only the compiler knows: it is asked. What it is asked about is chosen so
//! that it has a value where the region begins: parameters; and operands of a loop's bound that nothing in the region
//! changes before the loop.

use std::collections::BTreeSet;

use cll_csource::file::{Function, Variant};
use cll_csource::tree::{Statement, Tree};
use cll_csource::{Token, TokenKind, spelling};

use super::parameters::parameters;
use crate::language::{Value, written_paths};

/// Values that are saved at most: more cannot be told apart.
const MAX_VALUES: usize = 6;

/// The candidates of the region of the tokens `from..to`.
pub(crate) fn candidates(
    variant: &Variant<'_>,
    function: &Function,
    tree: &Tree,
    from: usize,
    to: usize,
) -> Vec<Value> {
    let source = variant.source;
    let mut found: Vec<Value> = Vec::new();
    let tokens = &variant.tokens;
    let body = function.open + 1..from.max(function.open + 1);
    let before = roots(source, &tokens[body]);
    for name in parameters(variant, function) {
        if !before.contains(name.as_bytes()) {
            add(&mut found, &name, &name);
        }
    }
    // What the first loop's head reads is certainly read.
    let mut read: BTreeSet<String> = BTreeSet::new();
    for node in &tree.nodes {
        let is_loop = matches!(node.statement, Statement::For | Statement::While);
        if !is_loop || node.first < from || node.end > to {
            continue;
        }
        // With a stray brace the statement ends within its head.
        let Some(head) = head(tokens, node.first).filter(|head| head.1 <= node.end) else {
            continue;
        };
        let inside = &tokens[head.0..head.1];
        let changed = roots(source, &tokens[from..head.0]);
        let is_first = node.first == from;
        let is_for = node.statement == Statement::For;
        let body = &tokens[head.1..node.end];
        for bound in bounds(source, inside, body, is_for) {
            let parent = container(&bound).to_owned();
            let is_plain = parent.is_empty() || read.contains(&parent);
            if !changed.contains(root(&bound).as_bytes()) && (is_first || is_plain) {
                read.insert(parent);
                add(&mut found, &bound, &bound);
            }
        }
    }
    found.truncate(MAX_VALUES);
    found
}

fn add(values: &mut Vec<Value>, name: &str, c: &str) {
    if !values.iter().any(|known| known.name == name) {
        values.push(Value { name: name.to_owned(), c: c.to_owned(), is_named: true });
    }
}

/// The first words of what the tokens write.
fn roots(source: &[u8], tokens: &[Token]) -> BTreeSet<Vec<u8>> {
    let written = written_paths(source, tokens).into_iter();
    written.filter_map(|(path, _)| path.into_iter().next()).collect()
}

/// The range of tokens between the parentheses of a loop's head.
fn head(tokens: &[Token], keyword: usize) -> Option<(usize, usize)> {
    tokens.get(keyword + 1).filter(|token| token.is(b'('))?;
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(keyword + 1) {
        match token.byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((keyword + 2, index));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the operands that bound a loop: those of its condition that neither head nor body changes; if there is none,
/// those of the first value; else those that only the loop itself changes.
fn bounds(source: &[u8], head: &[Token], body: &[Token], is_for: bool) -> Vec<String> {
    let parts: Vec<&[Token]> =
        if is_for { head.split(|token| token.is(b';')).collect() } else { vec![&[], head, &[]] };
    let &[init, condition, step] = &parts[..] else { return Vec::new() };
    let begun = roots(source, init);
    let mut changed = begun.clone();
    changed.extend([step, condition, body].into_iter().flat_map(|part| roots(source, part)));
    let without = |paths: &[String], left_out: &BTreeSet<Vec<u8>>| -> Vec<String> {
        paths.iter().filter(|path| !left_out.contains(root(path).as_bytes())).cloned().collect()
    };
    let all = operands(source, condition);
    let value = init.iter().position(|token| is_assignment(source, token));
    let value = operands(source, value.map_or(&[][..], |index| &init[index + 1..]));
    let choices = [without(&all, &changed), without(&value, &begun), without(&all, &begun)];
    choices.into_iter().find(|texts| !texts.is_empty()).unwrap_or_default()
}

/// Returns the path that a member is read from: `a->b` of `a->b.n`; empty for a variable.
fn container(path: &str) -> &str {
    let end = path.rfind(['.', '>']).unwrap_or(0);
    path[..end].trim_end_matches('-')
}

fn root(path: &str) -> &str {
    path.split(['.', '-']).next().unwrap_or_default()
}

fn is_assignment(source: &[u8], token: &Token) -> bool {
    token.kind == TokenKind::Punctuator && &source[token.start..token.end] == b"="
}

/// The variables of an expression that is certainly evaluated, and that only compares and calculates; nothing of any
/// other.
fn operands(source: &[u8], tokens: &[Token]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match token.kind {
            TokenKind::Identifier => {
                let mut path = String::from_utf8_lossy(&spelling(source, token)).into_owned();
                while let (Some(dot), Some(name)) = (tokens.get(index + 1), tokens.get(index + 2)) {
                    let joint = &source[dot.start..dot.end];
                    let joins = joint == b"." || joint == b"->";
                    if !joins || name.kind != TokenKind::Identifier {
                        break;
                    }
                    path += &String::from_utf8_lossy(joint);
                    path += &String::from_utf8_lossy(&spelling(source, name));
                    index += 2;
                }
                // A call, an element, a cast or a word of C.
                let next = tokens.get(index + 1);
                let is_taken = next.is_some_and(|next| {
                    next.is(b'(') || next.is(b'[') || next.kind == TokenKind::Identifier
                });
                if is_taken {
                    return Vec::new();
                }
                if is_cast(tokens, index) {
                    index += 1;
                    continue;
                }
                if !found.contains(&path) {
                    found.push(path);
                }
            }
            TokenKind::Number => {}
            TokenKind::Punctuator => {
                let allowed: [&[u8]; 17] = [
                    b"<", b">", b"<=", b">=", b"!=", b"==", b"+", b"-", b"/", b"%", b"(", b")",
                    b"*", b"<<", b">>", b"++", b"--",
                ];
                let text = &source[token.start..token.end];
                if !allowed.contains(&text) {
                    return Vec::new();
                }
                // `*p` reads what p points to.
                let is_prefix = index.checked_sub(1).is_none_or(|before| {
                    let before = &tokens[before];
                    before.kind == TokenKind::Punctuator && !before.is(b')')
                });
                if text == b"*" && is_prefix {
                    return Vec::new();
                }
            }
            _ => return Vec::new(),
        }
        index += 1;
    }
    found
}

/// Whether the name is the type of a cast: `(size_t)n`. Of `(n)*m` only the compiler knows what it is.
fn is_cast(tokens: &[Token], index: usize) -> bool {
    let opens = index.checked_sub(1).is_some_and(|before| tokens[before].is(b'('));
    let closes = tokens.get(index + 1).is_some_and(|next| next.is(b')'));
    let operand = tokens.get(index + 2).is_some_and(|next| {
        matches!(next.kind, TokenKind::Identifier | TokenKind::Number) || next.is(b'(')
    });
    opens && closes && operand
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_csource::File;

    fn of_whole(source: &str) -> Vec<String> {
        let file = File::read(source.as_bytes(), |_, _| false);
        let variant = file.variant(&[], 0);
        let function = &variant.functions()[0];
        let tree = Tree::parse(&variant, function);
        let all = candidates(&variant, function, &tree, function.open + 1, function.close);
        all.into_iter().map(|value| value.name).collect()
    }

    #[test]
    fn bounds_that_have_a_value_where_the_region_begins() {
        for (body, expected) in [
            ("for (i = 0; i < n; i++) a[i] = 0;", vec!["n"]),
            ("for (int i = n - 1; i >= 0; i--) a[i] = 0;", vec!["n"]),
            ("for (i = 0; i < n; i++) for (j = 0; j < m; j++) ;", vec!["n", "m"]),
            ("for (i = 0; i < n; i++) for (j = 0; j < i; j++) ;", vec!["n"]),
            ("for (i = 0; i < g->n; i++) ;", vec!["g->n"]),
            ("for (i = 0; i < g->n; i++) for (j = 0; j < g->m; j++) ;", vec!["g->n", "g->m"]),
            ("for (i = 0; i < n; i++) for (j = 0; j < g->m; j++) ;", vec!["n"]),
            ("x = 1; for (i = 0; i < g->n; i++) ;", vec![]),
            ("n = read(); for (i = 0; i < n; i++) ;", vec![]),
            ("get(&n); while (i < n) i++;", vec![]),
            ("while (k > 0) k /= 2;", vec!["k"]),
            ("while (k-- > 0) ;", vec!["k"]),
            ("while (p && p->next < n) p = p->next;", vec![]),
            ("for (i = 0; i < f(n); i++) ;", vec![]),
            ("for (i = 0; i < a[n]; i++) ;", vec![]),
            ("for (i = lo; i < hi; i++) ;", vec!["hi"]),
            ("for (i = 0; i < rows * cols; i++) ;", vec!["rows", "cols"]),
            ("for (i = 0; i < *p; i++) ;", vec![]),
            ("for (k = 0; k < (size_t)N * N; k++) ;", vec!["N"]),
            ("for (k = 0; k < (size_t)(N + M); k++) ;", vec!["N", "M"]),
            ("for (k = 0; k < (N) - 1; k++) ;", vec!["N"]),
        ] {
            assert_eq!(of_whole(&format!("void f(void) {{{body}}}")), expected, "{body}");
        }
        assert_eq!(of_whole("void f(int k, int n) { k = 2; }"), ["k", "n"]);
    }
}
