//! Whether two offsets are always compiled together.

use std::ops::Range;

use cll_csource::TokenKind;
use cll_csource::directive::{Directive, Name};
use cll_csource::lex::lex;

/// The directives of conditional groups, by offset.
pub(super) struct Groups(Vec<(usize, Name)>);

impl Groups {
    pub(super) fn new(source: &[u8]) -> Groups {
        let tokens = lex(source).filter(|token| token.kind == TokenKind::Directive);
        let named = tokens.map(|token| (token.start, Directive::read(source, &token).name));
        Groups(named.filter(|(_, name)| !matches!(name, Name::Pragma | Name::Other)).collect())
    }

    /// Whether both ends of `bytes` are in the same branch of the same groups.
    pub(super) fn holds_together(&self, bytes: &Range<usize>) -> bool {
        let from = self.0.partition_point(|(offset, _)| *offset < bytes.start);
        let mut depth = 0usize;
        for (_, name) in self.0[from..].iter().take_while(|(offset, _)| *offset < bytes.end) {
            match name {
                Name::If => depth += 1,
                Name::Endif if depth == 0 => return false,
                Name::Endif => depth -= 1,
                _ if depth == 0 => return false,
                _ => {}
            }
        }
        depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_divide() {
        let source = b"a\n#if X\nb\n#else\nc\n#endif\nd\n";
        let groups = Groups::new(source);
        let position_of = |letter: u8| source.iter().position(|&byte| byte == letter).unwrap();
        for (from, to, together) in
            [(b'a', b'd', true), (b'a', b'b', false), (b'b', b'c', false), (b'c', b'd', false)]
        {
            assert_eq!(
                groups.holds_together(&(position_of(from)..position_of(to))),
                together,
                "{from} {to}"
            );
        }
    }
}
