//! The parameters of a function, as far as the text before its body shows them.

use cll_csource::file::{Function, Variant};
use cll_csource::{Token, TokenKind, spelling};

/// Tokens before a body in which its parameters are looked for.
const MAX_HEAD: usize = 600;

/// The tokens between the function's name and its body; empty if the name is not found.
pub(super) fn head<'v>(variant: &'v Variant<'_>, function: &Function) -> &'v [Token] {
    let from = function.open.saturating_sub(MAX_HEAD);
    let tokens = &variant.tokens[from..function.open];
    let name = |pair: &[Token]| {
        pair[1].is(b'(') && &*spelling(variant.source, &pair[0]) == function.name.as_bytes()
    };
    match tokens.windows(2).rposition(name) {
        Some(index) => &tokens[index + 1..],
        None => &[],
    }
}

/// Names of parameters that may be numbers, in order.
pub(super) fn parameters(variant: &Variant<'_>, function: &Function) -> Vec<String> {
    let head = head(variant, function);
    let mut depth = 0usize;
    let mut last: Option<&Token> = None;
    let mut is_plain = true;
    let mut names = Vec::new();
    for token in head {
        match token.byte {
            b'(' => {
                is_plain = is_plain && depth == 0;
                depth += 1;
            }
            b')' | b',' if depth == 1 => {
                let name = last.take().filter(|_| is_plain);
                names.extend(name.map(|token| text(variant, token)));
                is_plain = true;
                if token.is(b')') {
                    break;
                }
            }
            b')' => depth = depth.saturating_sub(1),
            b'*' | b'[' | b'.' => is_plain = false,
            _ if token.kind == TokenKind::Identifier => last = Some(token),
            _ => {}
        }
    }
    // The count of arguments is no size.
    names.retain(|name| name != "void" && name != "argc");
    names
}

pub(super) fn text(variant: &Variant<'_>, token: &Token) -> String {
    String::from_utf8_lossy(&spelling(variant.source, token)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_csource::File;

    #[test]
    fn what_may_be_a_number() {
        for (source, expected) in [
            ("int f(int n, double *a, const size_t m) {}", vec!["n", "m"]),
            ("void f(void) {}", vec![]),
            ("int f(n, a) int n; char *a; {}", vec!["n", "a"]),
            ("int f(int a[], int (*call)(int x), unsigned k) {}", vec!["k"]),
            ("static int f(struct s *p, int n) __attribute__((noinline)) {}", vec!["n"]),
            ("int main(int argc, char **argv) {}", vec![]),
            ("int f(int n, ...) {}", vec!["n"]),
        ] {
            let file = File::read(source.as_bytes(), |_, _| false);
            let variant = file.variant(&[], 0);
            let function = &variant.functions()[0];
            assert_eq!(parameters(&variant, function), expected, "{source}");
        }
    }
}
