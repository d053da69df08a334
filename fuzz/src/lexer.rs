//! C as it is: tokens, conditional groups, functions, statement trees.

use cll_csource::{File, Tree, lex};
use cll_diagnostic::Lines;

/// Reads `data` as C; panics if a byte is lost or a part lies outside.
pub fn check(data: &[u8]) {
    let mut end = 0;
    for token in lex::lex(data) {
        assert_eq!(token.start, end, "a gap or overlap at byte {end}");
        assert!(token.end > token.start, "an empty token at byte {end}");
        end = token.end;
    }
    assert_eq!(end, data.len(), "the tokens end before the text");

    let lines = Lines::new(data);
    assert!(lines.line(0) == 1 && lines.line(data.len()) >= 1);

    let file = File::read(data, |_, rest| rest.end <= data.len());
    for number in 0..2 {
        let whole = 0..data.len();
        let variant = file.variant(std::slice::from_ref(&whole), number);
        for function in variant.functions() {
            assert!(function.open <= function.close && function.close <= variant.tokens.len());
            let _ = Tree::parse(&variant, &function);
        }
    }
}
