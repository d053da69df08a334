//! Declarations.

use super::parse::Parser;
use super::types::{is_real, is_type};
use super::{Expr, Tokens};
use crate::names::Names;

/// A statement without a head: declared variables, or an expression. Empty if there is nothing to do.
pub(crate) fn simple(tokens: Tokens<'_>, names: &mut Names) -> Vec<Expr> {
    if tokens.is_done() {
        return Vec::new();
    }
    if is_declaration(&tokens) {
        declarations(tokens, names)
    } else {
        vec![super::expression(tokens, names)]
    }
}

/// Whether a declaration begins here. A type's name is one that a name follows.
fn is_declaration(tokens: &Tokens<'_>) -> bool {
    let Some(first) = tokens.name(0) else { return false };
    if first == "return" || first == "sizeof" {
        return false;
    }
    if is_type(&first) || tokens.name(1).is_some() {
        return true;
    }
    // `T *a;`, `T *a = …`: a product would have no use.
    let mut stars = 0;
    while tokens.is(1 + stars, "*") {
        stars += 1;
    }
    let after = 2 + stars;
    stars > 0
        && tokens.name(1 + stars).is_some()
        && (tokens.peek(after).is_none() || matches!(tokens.word(after), "=" | "," | "["))
}

fn declarations(tokens: Tokens<'_>, names: &mut Names) -> Vec<Expr> {
    let mut parser = Parser { tokens, names, depth: 0 };
    let mut real = false;
    // The type: names up to the last that no name follows.
    while let Some(word) = parser.tokens.name(0) {
        let is_body = parser.tokens.is(1, "{");
        let goes_on = parser.tokens.name(1).is_some() || parser.tokens.is(1, "*") || is_body;
        if !goes_on {
            break;
        }
        real |= is_real(&word);
        parser.tokens.skip(1);
        if is_body {
            let close = parser.tokens.closing();
            parser.tokens.go_to(close + 1);
        }
    }
    let mut exprs = Vec::new();
    while !parser.tokens.is_done() {
        let mut is_pointer = false;
        while matches!(parser.tokens.word(0), "*" | "const" | "restrict" | "volatile") {
            is_pointer |= parser.tokens.is(0, "*");
            parser.tokens.skip(1);
        }
        let Some(name) = parser.tokens.name(0) else { break };
        parser.tokens.skip(1);
        let name = parser.names.id(&name);
        let mut is_array = false;
        while matches!(parser.tokens.word(0), "[" | "(") {
            is_array = true;
            let close = parser.tokens.closing();
            parser.tokens.go_to(close + 1);
        }
        let value = match parser.tokens.take("=") {
            true if is_array || parser.tokens.is(0, "{") => {
                parser.assignment();
                None
            }
            true => Some(Box::new(parser.assignment())),
            false => None,
        };
        exprs.push(Expr::Declare(name, real && !is_pointer, value));
        if !parser.tokens.take(",") {
            break;
        }
    }
    exprs
}

#[cfg(test)]
mod tests {
    use cll_csource::File;

    use super::*;
    use crate::value::{Binary, Value};

    fn read(source: &str) -> (Vec<Expr>, Names) {
        let file = File::read(source.as_bytes(), |_, _| false);
        let variant = file.variant(&[], 0);
        let mut names = Names::default();
        let read = simple(Tokens::new(&variant, 0, variant.tokens.len()), &mut names);
        (read, names)
    }

    #[test]
    fn declarations_and_products_are_told_apart() {
        let count = |source: &str| {
            let (exprs, _) = read(source);
            exprs.iter().filter(|expr| matches!(expr, Expr::Declare(..))).count()
        };
        assert_eq!(count("int i, j = 2, k"), 3);
        assert_eq!(count("Complex *B = A, *C = A + n"), 2);
        assert_eq!(count("size_t n = (size_t)N * N"), 1);
        assert_eq!(count("struct point p = { 1, 2 }, q"), 2);
        assert_eq!(count("double x[3] = { 0 }"), 1);
        assert_eq!(count("a = b * c"), 0);
        assert_eq!(count("f(a, b)"), 0);
        assert_eq!(count("i++"), 0);
    }

    #[test]
    fn expressions_bind_as_in_c() {
        let (exprs, _) = read("1 + 2 * 3 < 8 && !0");
        let two = |operator, a, b| Expr::Binary(operator, Box::new(a), Box::new(b));
        let number = |number| Expr::Value(Value::Int(number));
        let product = two(Binary::Multiply, number(2), number(3));
        let sum = two(Binary::Add, number(1), product);
        let less = two(Binary::Less, sum, number(8));
        let Expr::And(left, _) = &exprs[0] else { panic!("{exprs:?}") };
        assert_eq!(**left, less);
    }

    #[test]
    fn members_are_names() {
        let (exprs, names) = read("i < m->rows");
        let Expr::Binary(Binary::Less, _, right) = &exprs[0] else { panic!("{exprs:?}") };
        assert_eq!(**right, Expr::Name(names.find("m->rows").unwrap()));
    }

    #[test]
    fn damaged_text_ends() {
        for source in
            ["(", ")", "a[", "a ? b", "= 3", "int", "int *", "x +", "&&", "sizeof(", "(((("]
        {
            read(source);
        }
        read(&"(".repeat(5000));
        read(&"-".repeat(5000));
    }
}
