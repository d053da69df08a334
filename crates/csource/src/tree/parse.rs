//! The parser: a machine with a stack of unfinished work.

mod scan;

use super::{DEPTH, MarkerPosition, NodeId, Role, Slot, Statement, StatementNode, Tree};
use crate::directive::Directive;
use crate::file::{Function, Variant};
use crate::lex::{Token, TokenKind, spelling};
use crate::pragma::{AppliesTo, applies_to};

/// Unfinished work of the parser.
enum Work {
    /// The statements of a block.
    List(NodeId),
    /// `node` requires a statement; the slots from `slots` on are before it.
    Want { node: NodeId, slots: usize },
    /// The tokens of `node` up to its end.
    Scan(Scan),
}

struct Scan {
    node: NodeId,
    part: StatementPart,
    /// Number of `Parser::brackets` at its begin.
    base: usize,
    /// `?` without its `:` yet, outside brackets.
    questions: usize,
    assigned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementPart {
    /// `(…)` after `if`, `for`, `while`, `switch`.
    Head,
    /// `(…);` after the `while` of a `do`.
    Tail,
    /// `…:` after `case`.
    Case,
    /// `…;`.
    Whole,
}

pub(super) struct Parser<'v, 'a> {
    variant: &'v Variant<'a>,
    tokens: &'v [Token],
    position: usize,
    nodes: Vec<StatementNode>,
    slots: Vec<Slot>,
    addresses: Vec<usize>,
    stack: Vec<Work>,
    brackets: Vec<(u8, usize)>,
    too_deep: bool,
}

impl<'v, 'a> Parser<'v, 'a> {
    pub(super) fn new(variant: &'v Variant<'a>, function: &Function) -> Self {
        let end = (function.close + 1).min(variant.tokens.len());
        Parser {
            variant,
            tokens: &variant.tokens[..end],
            position: function.open,
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
        self.position += 1;
        self.stack.push(Work::List(root));
        while self.position < self.tokens.len() && !self.stack.is_empty() {
            if self.stack.len() > DEPTH {
                self.too_deep = true;
                break;
            }
            match self.stack.last() {
                Some(Work::Scan(_)) => self.scan(),
                _ => self.statement(),
            }
        }
        // The end of the input ends all unfinished statements.
        for work in std::mem::take(&mut self.stack) {
            let node = match work {
                Work::List(node) | Work::Want { node, .. } => node,
                Work::Scan(scan) => scan.node,
            };
            self.nodes[node].end = self.position;
        }
        Tree {
            nodes: self.nodes,
            slots: self.slots,
            addresses: self.addresses,
            too_deep: self.too_deep,
        }
    }

    fn node(&mut self, statement: Statement, parent: Option<NodeId>, sub: bool) -> NodeId {
        self.nodes.push(StatementNode {
            statement,
            parent,
            first: self.position,
            end: self.position + 1,
            sub,
            name: None,
        });
        self.nodes.len() - 1
    }

    /// A new statement at the current token.
    fn begin(&mut self, statement: Statement) -> NodeId {
        match self.stack.last() {
            Some(&Work::Want { node: owner, slots }) => {
                let node = self.node(statement, Some(owner), true);
                for slot in &mut self.slots[slots..] {
                    if let MarkerPosition::Sub { owner: by, statement } = &mut slot.spot
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

    fn push_scan(&mut self, node: NodeId, part: StatementPart, assigned: bool) {
        let base = self.brackets.len();
        self.stack.push(Work::Scan(Scan { node, part, base, questions: 0, assigned }));
    }

    fn word(&self, index: usize) -> Option<std::borrow::Cow<'v, [u8]>> {
        let token = self.tokens.get(index)?;
        (token.kind == TokenKind::Identifier).then(|| spelling(self.variant.source, token))
    }

    fn is(&self, index: usize, byte: u8) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is(byte))
    }

    /// One step at the begin of a statement.
    fn statement(&mut self) {
        let token = self.tokens[self.position];
        match token.kind {
            TokenKind::Marker => {
                let spot = match self.stack.last() {
                    Some(&Work::Want { node: owner, .. }) => {
                        MarkerPosition::Sub { owner, statement: None }
                    }
                    Some(&Work::List(block)) => MarkerPosition::List { block, after_call: None },
                    _ => MarkerPosition::Inside { call: None },
                };
                self.slots.push(Slot { token: self.position, spot });
                self.position += 1;
            }
            TokenKind::Directive => {
                let rest = Directive::read(self.variant.source, &token).rest;
                match applies_to(self.variant.source, rest) {
                    AppliesTo::Nothing => self.position += 1,
                    taken => {
                        let node = self.begin(Statement::Pragma(taken));
                        self.position += 1;
                        self.want(node);
                    }
                }
            }
            TokenKind::Identifier => self.word_statement(),
            _ if token.is(b'{') => {
                let node = self.begin(Statement::Block(Role::Plain));
                self.position += 1;
                self.stack.push(Work::List(node));
            }
            _ if token.is(b'}') => self.close_block(),
            _ => {
                let node = self.begin(Statement::Simple);
                self.push_scan(node, StatementPart::Whole, false);
            }
        }
    }

    fn word_statement(&mut self) {
        let word = self.word(self.position).unwrap_or_default();
        let headed = match &*word {
            b"if" => Some(Statement::If),
            b"for" => Some(Statement::For),
            b"while" => Some(Statement::While),
            b"switch" => Some(Statement::Switch),
            _ => None,
        };
        if let Some(statement) = headed
            && self.is(self.position + 1, b'(')
        {
            let node = self.begin(statement);
            self.position += 1;
            self.push_scan(node, StatementPart::Head, false);
            return;
        }
        let jump = match &*word {
            b"return" => Some(Statement::Return),
            b"break" => Some(Statement::Break),
            b"continue" => Some(Statement::Continue),
            b"goto" if self.is(self.position + 1, b'*') => Some(Statement::ComputedGoto),
            b"goto" => Some(Statement::Goto),
            _ => None,
        };
        if let Some(statement) = jump {
            let node = self.begin(statement);
            if statement == Statement::Goto {
                self.nodes[node].name = Some(self.position + 1);
            }
            self.position += 1;
            self.push_scan(node, StatementPart::Whole, true);
            return;
        }
        match &*word {
            b"do" => {
                let node = self.begin(Statement::Do);
                self.position += 1;
                self.want(node);
            }
            b"else" => {
                let node = self.begin(Statement::Else);
                self.position += 1;
                self.want(node);
            }
            b"case" => {
                let node = self.begin(Statement::Case);
                self.position += 1;
                self.push_scan(node, StatementPart::Case, false);
            }
            _ if self.is(self.position + 1, b':') => {
                let statement =
                    if &*word == b"default" { Statement::Default } else { Statement::Label };
                let node = self.begin(statement);
                self.nodes[node].name = Some(self.position);
                self.position += 2;
                self.labelled(node);
            }
            _ => {
                let node = self.begin(Statement::Simple);
                self.push_scan(node, StatementPart::Whole, false);
            }
        }
    }

    /// After the colon of a label: in a list it is a separate item.
    fn labelled(&mut self, node: NodeId) {
        self.nodes[node].end = self.position;
        if self.nodes[node].sub {
            self.want(node);
        }
    }

    fn close_block(&mut self) {
        match self.stack.last() {
            Some(&Work::List(node)) => {
                self.position += 1;
                self.complete(node);
            }
            // A statement is missing and the block ends.
            Some(&Work::Want { node, .. }) => self.complete(node),
            _ => self.position += 1,
        }
    }

    /// `node` ends before the current token; continues with the statement that contains it.
    fn complete(&mut self, mut node: NodeId) {
        loop {
            self.nodes[node].end = self.position;
            self.stack.pop();
            let Some(&Work::Want { node: owner, .. }) = self.stack.last() else { return };
            match self.nodes[owner].statement {
                Statement::If => {
                    let next = self.past_pragmas();
                    if self.word(next).as_deref() == Some(b"else") {
                        self.slots_until(next, MarkerPosition::BeforeElse);
                        let other = self.node(Statement::Else, Some(owner), false);
                        self.position += 1;
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
                    self.nodes[owner].end = self.position;
                    self.stack.pop();
                    node = self.nodes[owner].parent.unwrap_or(owner);
                    continue;
                }
                Statement::Do => {
                    let next = self.past_pragmas();
                    if self.word(next).as_deref() == Some(b"while") && self.is(next + 1, b'(') {
                        self.slots_until(next, MarkerPosition::BeforeWhile);
                        self.stack.pop();
                        self.position += 1;
                        self.push_scan(owner, StatementPart::Tail, false);
                        return;
                    }
                }
                _ => {}
            }
            node = owner;
        }
    }

    fn past_pragmas(&self) -> usize {
        let pragmas = self.tokens[self.position..]
            .iter()
            .take_while(|token| matches!(token.kind, TokenKind::Marker | TokenKind::Directive));
        self.position + pragmas.count()
    }

    /// Moves on to `next`; the markers in between get the position `spot`.
    fn slots_until(&mut self, next: usize, spot: MarkerPosition) {
        for index in self.position..next {
            if self.tokens[index].kind == TokenKind::Marker {
                self.slots.push(Slot { token: index, spot });
            }
        }
        self.position = next;
    }
}
