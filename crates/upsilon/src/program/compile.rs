//! One function.

use std::collections::BTreeSet;

use cll_csource::file::{Function, Variant};
use cll_csource::tree::{NodeId, Statement, Tree};
use cll_csource::{TokenKind, spelling};
use cll_diagnostic::Lines;

use super::{Body, Head, Node, Piece, PieceId, SourceProgram, extent};
use crate::expression::{Expr, Tokens, expression, simple, split, text};

/// Tokens before a body in which its parameters are looked for.
const MAX_HEAD: usize = 600;

pub(super) struct Compiler<'c, 'v> {
    pub variant: &'c Variant<'v>,
    pub lines: &'c Lines,
    pub program: &'c mut SourceProgram,
    pub function: &'c Function,
}

impl Compiler<'_, '_> {
    pub(super) fn body(mut self, tree: &Tree) -> Body {
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.nodes.len());
        let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); tree.nodes.len()];
        for (id, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(id);
            }
        }
        for (id, node) in tree.nodes.iter().enumerate() {
            let end = node.end.min(self.variant.tokens.len());
            let head = self.head(node.statement, node.first, end, &children[id], tree);
            let line = self.line(node.first);
            nodes.push(Node {
                statement: node.statement,
                children: std::mem::take(&mut children[id]),
                tokens: (node.first, end),
                line,
                is_shared: self.is_shared(node.statement, node.first),
                writes: writes(&head),
                head,
            });
        }
        // Children come after their parents.
        for id in (1..nodes.len()).rev() {
            if let Some(parent) = tree.nodes[id].parent {
                let inner = nodes[id].writes.clone();
                nodes[parent].writes.extend(inner);
            }
        }
        let parameters = self.parameters();
        Body { parameters, nodes, tokens: extent(self.function) }
    }

    /// Whether a pragma is `omp for`, `omp parallel for`, … .
    fn is_shared(&self, statement: Statement, first: usize) -> bool {
        let Some(token) = self.variant.tokens.get(first) else { return false };
        if !matches!(statement, Statement::Pragma(_)) || token.kind != TokenKind::Directive {
            return false;
        }
        let text = String::from_utf8_lossy(&self.variant.source[token.start..token.end]);
        let mut words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        words.any(|word| word == "omp") && words.any(|word| word == "for")
    }

    fn line(&self, token: usize) -> usize {
        self.variant.tokens.get(token).map_or(0, |token| self.lines.line(token.start))
    }

    fn head(
        &mut self,
        statement: Statement,
        first: usize,
        end: usize,
        children: &[NodeId],
        tree: &Tree,
    ) -> Head {
        match statement {
            Statement::Simple | Statement::Return => {
                let is_return = statement == Statement::Return;
                // A statement with another in it (`({ … })`, a nested function) is one piece.
                let end = self.without_semicolon(first, end);
                let from = if is_return { first + 1 } else { first };
                if from >= end {
                    return Head::default();
                }
                let tokens = Tokens::new(self.variant, from, end);
                let done = if is_return {
                    vec![expression(tokens, &mut self.program.names)]
                } else {
                    simple(tokens, &mut self.program.names)
                };
                if has_no_cost(&done) {
                    return Head { first: None, ..Head::default() }.declaring(done);
                }
                let piece = self.piece(first, end, &done);
                Head { first: Some((piece, done)), ..Head::default() }
            }
            Statement::If | Statement::While | Statement::Switch => {
                let Some((open, close)) = self.bracket(first + 1) else { return Head::default() };
                Head { condition: self.condition(open + 1, close), ..Head::default() }
            }
            Statement::Do => {
                let after = children.last().map_or(first + 1, |&child| tree.nodes[child].end);
                let tokens = &self.variant.tokens[after.min(end)..end];
                let ahead = tokens.iter().position(|token| token.is(b'(')).unwrap_or(0);
                let Some((open, close)) = self.bracket(after + ahead) else {
                    return Head::default();
                };
                Head { condition: self.condition(open + 1, close), ..Head::default() }
            }
            Statement::For => {
                let Some((open, close)) = self.bracket(first + 1) else { return Head::default() };
                let parts = split(self.variant, open + 1, close, b';');
                let &[init, condition, step] = &parts[..] else { return Head::default() };
                let mut several = |(from, to): (usize, usize)| {
                    let tokens = Tokens::new(self.variant, from, to);
                    let done = simple(tokens, &mut self.program.names);
                    (from < to).then(|| (self.piece(from, to, &done), done))
                };
                let first = several(init);
                let step = several(step);
                Head { first, condition: self.condition(condition.0, condition.1), step }
            }
            _ => Head::default(),
        }
    }

    fn condition(&mut self, from: usize, to: usize) -> Option<(PieceId, Expr)> {
        if from >= to {
            return None;
        }
        let tokens = Tokens::new(self.variant, from, to);
        let read = expression(tokens, &mut self.program.names);
        let piece = self.piece(from, to, std::slice::from_ref(&read));
        Some((piece, read))
    }

    /// The brackets that open at this token.
    fn bracket(&self, open: usize) -> Option<(usize, usize)> {
        self.variant.tokens.get(open).filter(|token| token.is(b'('))?;
        let close = Tokens::new(self.variant, open, self.variant.tokens.len()).closing();
        Some((open, close))
    }

    fn without_semicolon(&self, first: usize, end: usize) -> usize {
        let is_semicolon = |index: usize| self.variant.tokens[index].is(b';');
        if end > first && is_semicolon(end - 1) { end - 1 } else { end }
    }

    fn piece(&mut self, from: usize, to: usize, done: &[Expr]) -> PieceId {
        let mut calls = BTreeSet::new();
        let names = &self.program.names;
        for expr in done {
            expr.visit(&mut |part| {
                if let Expr::Call(name, _) = part {
                    calls.insert(names.text(*name).to_owned());
                }
            });
        }
        self.program.pieces.push(Piece {
            function: self.function.name.clone(),
            line: self.line(from),
            offset: self.variant.tokens.get(from).map_or(0, |token| token.start),
            text: text(self.variant, from, to),
            calls: calls.into_iter().collect(),
        });
        self.program.pieces.len() - 1
    }

    /// The names of the parameters, in order.
    fn parameters(&mut self) -> Vec<Option<usize>> {
        let from = self.function.open.saturating_sub(MAX_HEAD);
        let source = self.variant.source;
        let tokens = &self.variant.tokens[from..self.function.open];
        let is_name = |pair: &[cll_csource::Token]| {
            pair[1].is(b'(') && &*spelling(source, &pair[0]) == self.function.name.as_bytes()
        };
        let Some(index) = tokens.windows(2).rposition(is_name) else { return Vec::new() };
        let open = from + index + 1;
        let close = Tokens::new(self.variant, open, self.function.open).closing();
        let parts = split(self.variant, open + 1, close, b',');
        let mut named = Vec::new();
        for (from, to) in parts {
            let last = self.variant.tokens[from..to].iter().rev();
            let mut last = last.skip_while(|token| token.kind != TokenKind::Identifier);
            let name = last.next().map(|token| spelling(source, token));
            let name = name.map(|name| String::from_utf8_lossy(&name).into_owned());
            named.push(name.map(|name| self.program.names.id(&name)));
        }
        named
    }
}

impl Head {
    /// Declarations without a first value cost nothing, but make names local.
    fn declaring(mut self, done: Vec<Expr>) -> Head {
        if !done.is_empty() {
            self.first = Some((NO_PIECE, done));
        }
        self
    }
}

/// The piece of expressions that are executed but counted nowhere.
pub(crate) const NO_PIECE: PieceId = PieceId::MAX;

/// Whether nothing is executed: declarations without a value, an empty statement, a name alone.
fn has_no_cost(done: &[Expr]) -> bool {
    done.iter().all(|expr| matches!(expr, Expr::Declare(_, _, None)))
}

/// The variables that are given a value.
fn writes(head: &Head) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    let lists = [&head.first, &head.step];
    let several = lists.into_iter().flatten().flat_map(|(_, done)| done);
    for expr in several.chain(head.condition.iter().map(|(_, expr)| expr)) {
        expr.visit(&mut |part| {
            if let Expr::Assign(name, ..)
            | Expr::Step(name, ..)
            | Expr::Declare(name, ..)
            | Expr::Address(name) = part
            {
                numbers.insert(*name);
            }
        });
    }
    numbers
}
