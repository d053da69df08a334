//! The parser: a machine with a stack of what it is in the middle of.

use super::{DEPTH, Node, NodeId, Role, Slot, Spot, Statement, Tree};
use crate::directive::Directive;
use crate::file::{Function, Variant};
use crate::lex::{Kind, Token, spelling};
use crate::pragma::{Takes, takes};

/// What the parser is in the middle of.
enum Work {
    /// The statements of a block.
    List(NodeId),
    /// `node` wants a statement; the slots from `slots` on stand before it.
    Want { node: NodeId, slots: usize },
    /// The tokens of `node` up to its end.
    Scan(Scan),
}

struct Scan {
    node: NodeId,
    part: Part,
    /// Height of `Parser::brackets` at its beginning.
    base: usize,
    /// `?` without its `:` yet, outside brackets.
    questions: usize,
    assigned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `(…)` behind `if`, `for`, `while`, `switch`.
    Head,
    /// `(…);` behind the `while` of a `do`.
    Tail,
    /// `…:` behind `case`.
    Case,
    /// `…;`.
    Whole,
}

pub(super) struct Parser<'v, 'a> {
    variant: &'v Variant<'a>,
    tokens: &'v [Token],
    at: usize,
    nodes: Vec<Node>,
    slots: Vec<Slot>,
    addresses: Vec<usize>,
    stack: Vec<Work>,
    brackets: Vec<(u8, usize)>,
    too_deep: bool,
}

const ALWAYS_SIMPLE: [&[u8]; 3] = [b"asm", b"__asm__", b"__asm"];

impl<'v, 'a> Parser<'v, 'a> {
    pub(super) fn new(variant: &'v Variant<'a>, function: &Function) -> Self {
        let end = (function.close + 1).min(variant.tokens.len());
        Parser {
            variant,
            tokens: &variant.tokens[..end],
            at: function.open,
            nodes: Vec::new(),
            slots: Vec::new(),
            addresses: Vec::new(),
            stack: Vec::new(),
            brackets: Vec::new(),
            too_deep: false,
        }
    }

    pub(super) fn run(mut self) -> Tree {
        let root = self.node(Statement::Block(Role::Function), None, false);
        self.at += 1;
        self.stack.push(Work::List(root));
        while self.at < self.tokens.len() && !self.stack.is_empty() {
            if self.stack.len() > DEPTH {
                self.too_deep = true;
                break;
            }
            match self.stack.last() {
                Some(Work::Scan(_)) => self.scan(),
                _ => self.statement(),
            }
        }
        // What the end cut off ends here.
        for work in std::mem::take(&mut self.stack) {
            let node = match work {
                Work::List(node) | Work::Want { node, .. } => node,
                Work::Scan(scan) => scan.node,
            };
            self.nodes[node].end = self.at;
        }
        Tree {
            nodes: self.nodes,
            slots: self.slots,
            addresses: self.addresses,
            too_deep: self.too_deep,
        }
    }

    fn node(&mut self, statement: Statement, parent: Option<NodeId>, sub: bool) -> NodeId {
        self.nodes.push(Node {
            statement,
            parent,
            first: self.at,
            end: self.at + 1,
            sub,
            name: None,
        });
        self.nodes.len() - 1
    }

    /// A new statement where the parser stands.
    fn begin(&mut self, statement: Statement) -> NodeId {
        match self.stack.last() {
            Some(&Work::Want { node: owner, slots }) => {
                let node = self.node(statement, Some(owner), true);
                for slot in &mut self.slots[slots..] {
                    if let Spot::Sub { owner: by, statement } = &mut slot.spot
                        && *by == owner
                    {
                        *statement = Some(node);
                    }
                }
                node
            }
            Some(&Work::List(block)) => self.node(statement, Some(block), false),
            Some(Work::Scan(scan)) => {
                let holder = scan.node;
                self.node(statement, Some(holder), false)
            }
            None => self.node(statement, None, false),
        }
    }

    fn want(&mut self, node: NodeId) {
        self.stack.push(Work::Want { node, slots: self.slots.len() });
    }

    fn push_scan(&mut self, node: NodeId, part: Part, assigned: bool) {
        let base = self.brackets.len();
        self.stack.push(Work::Scan(Scan { node, part, base, questions: 0, assigned }));
    }

    fn word(&self, index: usize) -> Option<std::borrow::Cow<'v, [u8]>> {
        let token = self.tokens.get(index)?;
        (token.kind == Kind::Identifier).then(|| spelling(self.variant.source, token))
    }

    fn is(&self, index: usize, byte: u8) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is(byte))
    }

    /// One step where a statement begins.
    fn statement(&mut self) {
        let token = self.tokens[self.at];
        match token.kind {
            Kind::Marker => {
                let spot = match self.stack.last() {
                    Some(&Work::Want { node: owner, .. }) => Spot::Sub { owner, statement: None },
                    Some(&Work::List(block)) => Spot::List { block, after_call: None },
                    _ => Spot::Inside { call: None },
                };
                self.slots.push(Slot { token: self.at, spot });
                self.at += 1;
            }
            Kind::Directive => {
                let rest = Directive::read(self.variant.source, &token).rest;
                match takes(self.variant.source, rest) {
                    Takes::Nothing => self.at += 1,
                    taken => {
                        let node = self.begin(Statement::Pragma(taken));
                        self.at += 1;
                        self.want(node);
                    }
                }
            }
            Kind::Identifier => self.word_statement(),
            _ if token.is(b'{') => {
                let node = self.begin(Statement::Block(Role::Plain));
                self.at += 1;
                self.stack.push(Work::List(node));
            }
            _ if token.is(b'}') => self.close_block(),
            _ => {
                let node = self.begin(Statement::Simple);
                self.push_scan(node, Part::Whole, false);
            }
        }
    }

    fn word_statement(&mut self) {
        let word = self.word(self.at).unwrap_or_default();
        let headed = match &*word {
            b"if" => Some(Statement::If),
            b"for" => Some(Statement::For),
            b"while" => Some(Statement::While),
            b"switch" => Some(Statement::Switch),
            _ => None,
        };
        if let Some(statement) = headed
            && self.is(self.at + 1, b'(')
        {
            let node = self.begin(statement);
            self.at += 1;
            self.push_scan(node, Part::Head, false);
            return;
        }
        let jump = match &*word {
            b"return" => Some(Statement::Return),
            b"break" => Some(Statement::Break),
            b"continue" => Some(Statement::Continue),
            b"goto" if self.is(self.at + 1, b'*') => Some(Statement::ComputedGoto),
            b"goto" => Some(Statement::Goto),
            _ => None,
        };
        if let Some(statement) = jump {
            let node = self.begin(statement);
            if statement == Statement::Goto {
                self.nodes[node].name = Some(self.at + 1);
            }
            self.at += 1;
            self.push_scan(node, Part::Whole, true);
            return;
        }
        match &*word {
            b"do" => {
                let node = self.begin(Statement::Do);
                self.at += 1;
                self.want(node);
            }
            b"else" => {
                let node = self.begin(Statement::Else);
                self.at += 1;
                self.want(node);
            }
            b"case" => {
                let node = self.begin(Statement::Case);
                self.at += 1;
                self.push_scan(node, Part::Case, false);
            }
            _ if self.is(self.at + 1, b':') => {
                let statement =
                    if &*word == b"default" { Statement::Default } else { Statement::Label };
                let node = self.begin(statement);
                self.nodes[node].name = Some(self.at);
                self.at += 2;
                self.labelled(node);
            }
            _ => {
                let node = self.begin(Statement::Simple);
                self.push_scan(node, Part::Whole, false);
            }
        }
    }

    /// Behind the colon of a label: in a list it is an item of its own.
    fn labelled(&mut self, node: NodeId) {
        self.nodes[node].end = self.at;
        if self.nodes[node].sub {
            self.want(node);
        }
    }

    fn close_block(&mut self) {
        match self.stack.last() {
            Some(&Work::List(node)) => {
                self.at += 1;
                self.complete(node);
            }
            // Somebody wants a statement and the block ends.
            Some(&Work::Want { node, .. }) => self.complete(node),
            _ => self.at += 1,
        }
    }

    /// `node` ends before the token at hand; goes on with whoever waited for it.
    fn complete(&mut self, mut node: NodeId) {
        loop {
            self.nodes[node].end = self.at;
            self.stack.pop();
            let Some(&Work::Want { node: owner, .. }) = self.stack.last() else { return };
            match self.nodes[owner].statement {
                Statement::If => {
                    let next = self.past_pragmas();
                    if self.word(next).as_deref() == Some(b"else") {
                        self.slots_until(next, Spot::BeforeElse);
                        let other = self.node(Statement::Else, Some(owner), false);
                        self.at += 1;
                        self.want(other);
                        return;
                    }
                }
                // The `if` ends with its `else`.
                Statement::Else
                    if self.nodes[owner].parent.is_some_and(|parent| {
                        self.nodes[parent].statement == Statement::If && !self.nodes[owner].sub
                    }) =>
                {
                    self.nodes[owner].end = self.at;
                    self.stack.pop();
                    node = self.nodes[owner].parent.unwrap_or(owner);
                    continue;
                }
                Statement::Do => {
                    let next = self.past_pragmas();
                    if self.word(next).as_deref() == Some(b"while") && self.is(next + 1, b'(') {
                        self.slots_until(next, Spot::BeforeWhile);
                        self.stack.pop();
                        self.at += 1;
                        self.push_scan(owner, Part::Tail, false);
                        return;
                    }
                }
                _ => {}
            }
            node = owner;
        }
    }

    fn past_pragmas(&self) -> usize {
        let pragmas = self.tokens[self.at..]
            .iter()
            .take_while(|token| matches!(token.kind, Kind::Marker | Kind::Directive));
        self.at + pragmas.count()
    }

    /// Moves on to `next`; the markers passed stand at `spot`.
    fn slots_until(&mut self, next: usize, spot: Spot) {
        for index in self.at..next {
            if self.tokens[index].kind == Kind::Marker {
                self.slots.push(Slot { token: index, spot });
            }
        }
        self.at = next;
    }

    /// One step within a statement.
    fn scan(&mut self) {
        let opens_block = self.is(self.at + 1, b'{');
        let Some(Work::Scan(scan)) = self.stack.last_mut() else { return };
        let (node, part, base) = (scan.node, scan.part, scan.base);
        let inside = self.brackets.len() > base;
        let token = self.tokens[self.at];
        match token.byte {
            b'(' if opens_block => {
                self.brackets.push((b'(', self.at));
                self.at += 1;
                let block = self.begin(Statement::Block(Role::Expression));
                self.at += 1;
                self.stack.push(Work::List(block));
            }
            byte @ (b'(' | b'[') => {
                self.brackets.push((byte, self.at));
                self.at += 1;
            }
            b')' | b']' => {
                if inside && self.brackets.last().is_some_and(|&(open, _)| open != b'{') {
                    self.brackets.pop();
                }
                self.at += 1;
                if self.brackets.len() == base {
                    match part {
                        Part::Head => {
                            self.stack.pop();
                            self.want(node);
                        }
                        Part::Tail => {
                            if self.is(self.at, b';') {
                                self.at += 1;
                            }
                            self.complete(node);
                        }
                        Part::Case | Part::Whole => {}
                    }
                }
            }
            b'{' => self.brace(node, part, inside),
            b'}' => {
                if let Some(open) =
                    self.brackets[base..].iter().rposition(|&(open, _)| open == b'{')
                {
                    self.brackets.truncate(base + open);
                    self.at += 1;
                } else {
                    self.brackets.truncate(base);
                    self.complete(node);
                }
            }
            b';' if !inside => {
                self.at += 1;
                self.complete(node);
            }
            b'?' if !inside => {
                scan.questions += 1;
                self.at += 1;
            }
            b':' if !inside => {
                if scan.questions > 0 {
                    scan.questions -= 1;
                    self.at += 1;
                } else {
                    self.at += 1;
                    if part == Part::Case {
                        self.stack.pop();
                        self.labelled(node);
                    }
                }
            }
            b'=' if !inside => {
                scan.assigned = true;
                self.at += 1;
            }
            _ => match token.kind {
                Kind::Marker => self.marker(node, inside),
                Kind::Identifier if !inside && part == Part::Whole => self.scan_word(node),
                Kind::Identifier => {
                    self.address();
                    self.at += 1;
                }
                _ => self.at += 1,
            },
        }
    }

    /// Notes `&&name` that stands where an operand begins.
    fn address(&mut self) {
        if self.at < 2 {
            return;
        }
        let ampersands = &self.tokens[self.at - 1];
        if ampersands.end - ampersands.start != 2
            || &self.variant.source[ampersands.start..ampersands.end] != b"&&"
        {
            return;
        }
        let before = &self.tokens[self.at - 2];
        let operand_ends = match before.kind {
            Kind::Identifier => self.word(self.at - 2).as_deref() != Some(b"return"),
            Kind::Number | Kind::String | Kind::Character => true,
            // `(void *) &&label` is as likely as `(a) && b`: told by the label's existence.
            _ => before.is(b']'),
        };
        if !operand_ends {
            self.addresses.push(self.at);
        }
    }

    /// A name outside brackets in a simple statement: a keyword ends it, for
    /// then it was a macro.
    fn scan_word(&mut self, node: NodeId) {
        let first = self.nodes[node].first;
        self.address();
        let keyword = matches!(
            self.word(self.at).as_deref(),
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
        let in_macro = self.at > first
            && self.nodes[node].statement == Statement::Simple
            && !self.word(first).is_some_and(|word| ALWAYS_SIMPLE.contains(&&*word));
        if in_macro && keyword {
            let token = self.tokens[self.at];
            let is_else = self.word(self.at).as_deref() == Some(b"else");
            let is_case = self.word(self.at).as_deref() == Some(b"case");
            let takes = self.tokens[self.at - 1].is(b')')
                && !is_else
                && !is_case
                && (!token.first || self.looks_like_loop(first));
            if takes {
                self.become_macro(node);
            } else {
                self.complete(node);
            }
        } else if in_macro
            && self.tokens[self.at].first
            && self.is(self.at + 1, b':')
            && self.tokens[self.at - 1].is(b')')
            && matches!(self.stack.last(), Some(Work::Scan(scan)) if scan.questions == 0)
        {
            // A label behind a macro without `;`.
            self.complete(node);
        } else {
            self.at += 1;
        }
    }

    /// The statement is a macro that takes the next one.
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

    /// A marker within a statement. Behind `name(…)` or a lone `name` the
    /// statement was a macro without `;`.
    fn marker(&mut self, node: NodeId, inside: bool) {
        let first = self.nodes[node].first;
        if !inside
            && self.nodes[node].statement == Statement::Simple
            && self.word(first).is_some()
            && matches!(self.stack.last(), Some(Work::Scan(scan)) if !scan.assigned && scan.part == Part::Whole)
            && self.is_call(first, self.at)
        {
            if self.looks_like_loop(first) && self.tokens[self.at - 1].is(b')') {
                self.become_macro(node);
                return;
            }
            let called = self.tokens[self.at - 1].is(b')');
            self.complete(node);
            if called && let Some(&Work::List(block)) = self.stack.last() {
                // Only the first marker may stand before what the macro takes.
                self.slots.push(Slot {
                    token: self.at,
                    spot: Spot::List { block, after_call: Some(node) },
                });
                self.at += 1;
            }
            return;
        }
        let call = self
            .brackets
            .iter()
            .rev()
            .find(|(open, _)| *open == b'(')
            .and_then(|&(_, at)| at.checked_sub(1))
            .filter(|&at| self.tokens[at].kind == Kind::Identifier);
        self.slots.push(Slot { token: self.at, spot: Spot::Inside { call } });
        self.at += 1;
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

    /// `{` within a statement: data, a nested function, or what a macro takes.
    fn brace(&mut self, node: NodeId, part: Part, inside: bool) {
        let assigned = matches!(self.stack.last(), Some(Work::Scan(scan)) if scan.assigned);
        if inside || assigned || part != Part::Whole || self.is_type_body(node) {
            self.brackets.push((b'{', self.at));
            self.at += 1;
            return;
        }
        let first = self.nodes[node].first;
        let before = &self.tokens[self.at - 1];
        if before.is(b')') && self.tokens[first].is(b'(') {
            // A compound literal.
            self.brackets.push((b'{', self.at));
            self.at += 1;
        } else if before.is(b')') && !self.is_call(first, self.at) {
            let looks_nested = self.word(first + 1).is_some() || self.is(first + 1, b'*');
            if looks_nested {
                self.stack.pop();
                self.want(node);
                let block = self.begin(Statement::Block(Role::Nested));
                self.at += 1;
                self.stack.push(Work::List(block));
            } else {
                self.brackets.push((b'{', self.at));
                self.at += 1;
            }
        } else if before.is(b')') || before.kind == Kind::Identifier {
            self.become_macro(node);
        } else {
            self.brackets.push((b'{', self.at));
            self.at += 1;
        }
    }

    fn is_type_body(&self, node: NodeId) -> bool {
        // A type's name and attributes are short.
        let first = self.nodes[node].first.max(self.at.saturating_sub(32));
        let names = |index: usize| {
            index >= first
                && matches!(self.word(index).as_deref(), Some(b"struct" | b"union" | b"enum"))
        };
        let before = self.at - 1;
        if names(before) || before > first && names(before - 1) {
            return true;
        }
        // `struct __attribute__((…)) name {`
        (first..self.at).any(names)
            && (first..self.at)
                .any(|index| matches!(self.word(index).as_deref(), Some(b"__attribute__")))
    }
}
