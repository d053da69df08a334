//! Reads the inside of a statement: finds its end and its kind.

use super::super::{MarkerPosition, NodeId, Role, Slot, Statement};
use super::{Parser, StatementPart, Work};
use crate::lex::TokenKind;

const ALWAYS_SIMPLE: [&[u8]; 3] = [b"asm", b"__asm__", b"__asm"];

impl Parser<'_, '_> {
    /// One step inside a statement.
    pub(super) fn scan(&mut self) {
        let opens_block = self.is(self.position + 1, b'{');
        let Some(Work::Scan(scan)) = self.stack.last_mut() else { return };
        let (node, part, base) = (scan.node, scan.part, scan.base);
        let inside = self.brackets.len() > base;
        let token = self.tokens[self.position];
        match token.byte {
            b'(' if opens_block => {
                self.brackets.push((b'(', self.position));
                self.position += 1;
                let block = self.begin(Statement::Block(Role::Expression));
                self.position += 1;
                self.stack.push(Work::List(block));
            }
            byte @ (b'(' | b'[') => {
                self.brackets.push((byte, self.position));
                self.position += 1;
            }
            b')' | b']' => self.close_bracket(node, part, base),
            b'{' => self.brace(node, part, inside),
            b'}' => {
                if let Some(open) =
                    self.brackets[base..].iter().rposition(|&(open, _)| open == b'{')
                {
                    self.brackets.truncate(base + open);
                    self.position += 1;
                } else {
                    self.brackets.truncate(base);
                    self.complete(node);
                }
            }
            b';' if !inside => {
                self.position += 1;
                self.complete(node);
            }
            b'?' if !inside => {
                scan.questions += 1;
                self.position += 1;
            }
            b':' if !inside => {
                if scan.questions > 0 {
                    scan.questions -= 1;
                    self.position += 1;
                } else {
                    self.position += 1;
                    if part == StatementPart::Case {
                        self.stack.pop();
                        self.labelled(node);
                    }
                }
            }
            b'=' if !inside => {
                scan.assigned = true;
                self.position += 1;
            }
            _ => match token.kind {
                TokenKind::Marker => self.marker(node, inside),
                TokenKind::Identifier if !inside && part == StatementPart::Whole => {
                    self.scan_word(node)
                }
                TokenKind::Identifier => {
                    self.address();
                    self.position += 1;
                }
                _ => self.position += 1,
            },
        }
    }

    /// Closes a bracket, which may be the last one of a part of the statement.
    fn close_bracket(&mut self, node: NodeId, part: StatementPart, base: usize) {
        let inside = self.brackets.len() > base;
        if inside && self.brackets.last().is_some_and(|&(open, _)| open != b'{') {
            self.brackets.pop();
        }
        self.position += 1;
        if self.brackets.len() != base {
            return;
        }
        match part {
            StatementPart::Head => {
                self.stack.pop();
                self.want(node);
            }
            StatementPart::Tail => {
                if self.is(self.position, b';') {
                    self.position += 1;
                }
                self.complete(node);
            }
            StatementPart::Case | StatementPart::Whole => {}
        }
    }

    /// Records `&&name` at the begin of an operand.
    fn address(&mut self) {
        if self.position < 2 {
            return;
        }
        let ampersands = &self.tokens[self.position - 1];
        if ampersands.end - ampersands.start != 2
            || &self.variant.source[ampersands.start..ampersands.end] != b"&&"
        {
            return;
        }
        let before = &self.tokens[self.position - 2];
        let operand_ends = match before.kind {
            TokenKind::Identifier => self.word(self.position - 2).as_deref() != Some(b"return"),
            TokenKind::Number | TokenKind::String | TokenKind::Character => true,
            // `(void *) &&label` is as likely as `(a) && b`: it depends on whether the label
            // exists.
            _ => before.is(b']'),
        };
        if !operand_ends {
            self.addresses.push(self.position);
        }
    }

    /// A name outside brackets in a simple statement. A keyword ends the statement: then it was a
    /// macro.
    fn scan_word(&mut self, node: NodeId) {
        let first = self.nodes[node].first;
        self.address();
        let keyword = matches!(
            self.word(self.position).as_deref(),
            Some(
                b"if"
                    | b"for"
                    | b"while"
                    | b"do"
                    | b"switch"
                    | b"return"
                    | b"goto"
                    | b"break"
                    | b"continue"
                    | b"case"
                    | b"else"
            )
        );
        let in_macro = self.position > first
            && self.nodes[node].statement == Statement::Simple
            && !self.word(first).is_some_and(|word| ALWAYS_SIMPLE.contains(&&*word));
        if in_macro && keyword {
            let token = self.tokens[self.position];
            let is_else = self.word(self.position).as_deref() == Some(b"else");
            let is_case = self.word(self.position).as_deref() == Some(b"case");
            let takes = self.tokens[self.position - 1].is(b')')
                && !is_else
                && !is_case
                && (!token.first || self.looks_like_loop(first));
            if takes {
                self.become_macro(node);
            } else {
                self.complete(node);
            }
        } else if in_macro
            && self.tokens[self.position].first
            && self.is(self.position + 1, b':')
            && self.tokens[self.position - 1].is(b')')
            && matches!(self.stack.last(), Some(Work::Scan(scan)) if scan.questions == 0)
        {
            // A label after a macro without `;`.
            self.complete(node);
        } else {
            self.position += 1;
        }
    }

    /// The statement is a macro that applies to the next one.
    fn become_macro(&mut self, node: NodeId) {
        let looks = self.looks_like_loop(self.nodes[node].first);
        self.nodes[node].statement = Statement::Macro(looks);
        self.stack.pop();
        self.want(node);
    }

    fn looks_like_loop(&self, index: usize) -> bool {
        let Some(word) = self.word(index) else { return false };
        let word = word.to_ascii_lowercase();
        [&b"for"[..], b"each", b"loop", b"while", b"iterate", b"repeat"]
            .iter()
            .any(|part| memchr::memmem::find(&word, part).is_some())
    }

    /// A marker inside a statement. After `name(…)` or a lone `name` the statement was a macro
    /// without `;`.
    fn marker(&mut self, node: NodeId, inside: bool) {
        let first = self.nodes[node].first;
        if !inside
            && self.nodes[node].statement == Statement::Simple
            && self.word(first).is_some()
            && matches!(self.stack.last(), Some(Work::Scan(scan)) if !scan.assigned && scan.part == StatementPart::Whole)
            && self.is_call(first, self.position)
        {
            if self.looks_like_loop(first) && self.tokens[self.position - 1].is(b')') {
                self.become_macro(node);
                return;
            }
            let called = self.tokens[self.position - 1].is(b')');
            self.complete(node);
            if called && let Some(&Work::List(block)) = self.stack.last() {
                // Only the first marker can be before the macro's statement.
                self.slots.push(Slot {
                    token: self.position,
                    spot: MarkerPosition::List { block, after_call: Some(node) },
                });
                self.position += 1;
            }
            return;
        }
        let call = self
            .brackets
            .iter()
            .rev()
            .find(|(open, _)| *open == b'(')
            .and_then(|&(_, index)| index.checked_sub(1))
            .filter(|&index| self.tokens[index].kind == TokenKind::Identifier);
        self.slots.push(Slot { token: self.position, spot: MarkerPosition::Inside { call } });
        self.position += 1;
    }

    /// Whether the tokens from `first` to `end` are `name` or `name(…)`.
    fn is_call(&self, first: usize, end: usize) -> bool {
        if end == first + 1 {
            return true;
        }
        if !self.is(first + 1, b'(') {
            return false;
        }
        let mut depth = 0usize;
        for (index, token) in self.tokens[..end].iter().enumerate().skip(first + 1) {
            match token.byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index + 1 == end;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// `{` inside a statement: data, a nested function, or a macro's statement.
    fn brace(&mut self, node: NodeId, part: StatementPart, inside: bool) {
        let assigned = matches!(self.stack.last(), Some(Work::Scan(scan)) if scan.assigned);
        if inside || assigned || part != StatementPart::Whole || self.is_type_body(node) {
            self.brackets.push((b'{', self.position));
            self.position += 1;
            return;
        }
        let first = self.nodes[node].first;
        let before = &self.tokens[self.position - 1];
        if before.is(b')') && self.tokens[first].is(b'(') {
            // A compound literal.
            self.brackets.push((b'{', self.position));
            self.position += 1;
        } else if before.is(b')') && !self.is_call(first, self.position) {
            let looks_nested = self.word(first + 1).is_some() || self.is(first + 1, b'*');
            if looks_nested {
                self.stack.pop();
                self.want(node);
                let block = self.begin(Statement::Block(Role::Nested));
                self.position += 1;
                self.stack.push(Work::List(block));
            } else {
                self.brackets.push((b'{', self.position));
                self.position += 1;
            }
        } else if before.is(b')') || before.kind == TokenKind::Identifier {
            self.become_macro(node);
        } else {
            self.brackets.push((b'{', self.position));
            self.position += 1;
        }
    }

    fn is_type_body(&self, node: NodeId) -> bool {
        // A type's name and attributes are short.
        let first = self.nodes[node].first.max(self.position.saturating_sub(32));
        let names = |index: usize| {
            index >= first
                && matches!(self.word(index).as_deref(), Some(b"struct" | b"union" | b"enum"))
        };
        let before = self.position - 1;
        if names(before) || before > first && names(before - 1) {
            return true;
        }
        // `struct __attribute__((…)) name {`
        (first..self.position).any(names)
            && (first..self.position)
                .any(|index| matches!(self.word(index).as_deref(), Some(b"__attribute__")))
    }
}
