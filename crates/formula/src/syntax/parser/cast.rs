//! Casts: to a floating type they have no effect, to other types they are rejected.

use cll_diagnostic::Diagnostic;

use super::{Ast, Parser, SIGN, TokenKind};
use crate::codes;
use crate::syntax::names;

impl Parser<'_> {
    /// A cast and its operand, if the current parenthesis opens one.
    pub(super) fn cast(&mut self) -> Option<Ast> {
        let open = self.span();
        let mut words: Vec<&str> = Vec::new();
        let mut pointer = false;
        let mut position = self.position + 1;
        loop {
            let token = &self.tokens[position];
            match token.kind {
                TokenKind::Word if !pointer => words.push(&self.text[token.span.clone()]),
                TokenKind::Symbol("*") if !words.is_empty() => pointer = true,
                TokenKind::Symbol(")") if !words.is_empty() => break,
                _ => return None,
            }
            position += 1;
        }
        let after = self.tokens.get(position + 1).map_or(TokenKind::End, |token| token.kind);
        let operand =
            matches!(after, TokenKind::Number(_) | TokenKind::Word | TokenKind::Symbol("("));
        let typed = names::is_type_word(words[0])
            || pointer
            || (words.len() == 1 && names::is_type_name(words[0]) && operand);
        if !typed {
            return None;
        }
        let close = self.tokens[position].span.clone();
        self.position = position + 1;
        let floating = !pointer
            && words
                .iter()
                .all(|word| matches!(*word, "double" | "float" | "long" | "const" | "volatile"))
            && words.iter().any(|word| matches!(*word, "double" | "float"));
        if floating {
            let inner = self.expression(SIGN);
            return Some(Ast { span: open.start..inner.span.end, ..inner });
        }
        let target = &self.text[open.end..close.start];
        let target = target.split_whitespace().collect::<Vec<_>>().join(" ");
        let integer = !pointer
            && !words.iter().any(|word| matches!(*word, "struct" | "union" | "void" | "_Complex"));
        let help = if integer {
            "all arithmetic of formulas is in double precision: write `floor(…)` to cut off a \
             fraction"
        } else {
            "save the value in a variable of the program"
        };
        self.report.push(
            Diagnostic::error(
                codes::CAST,
                open.start..close.end,
                format!("a formula has no cast to `{target}`"),
            )
            .help(help),
        );
        Some(self.broken_with(open.start, SIGN))
    }
}
