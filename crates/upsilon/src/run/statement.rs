//! Statements.

use cll_csource::tree::{NodeId, Statement};

use super::{AbstractMachine, Cause, DEPTH, Flow};
use crate::expression::Expr;
use crate::program::Node;
use crate::value::Value;

impl<'p> AbstractMachine<'p> {
    /// Executes a statement of a function.
    pub(crate) fn run(&mut self, body: usize, id: NodeId) {
        self.active = vec![body];
        self.statement(body, id);
    }

    pub(super) fn statement(&mut self, body: usize, id: NodeId) -> Flow {
        if self.depth >= DEPTH {
            self.steps = u64::MAX / 2;
        }
        if self.is_stopped() {
            return Flow::Stop;
        }
        self.depth += 1;
        let flow = self.execute(body, id);
        self.depth -= 1;
        flow
    }

    fn execute(&mut self, body: usize, id: NodeId) -> Flow {
        let node = &self.program.bodies[body].nodes[id];
        match node.statement {
            Statement::Block(_) => self.list(body, &node.children),
            Statement::If => self.branches(body, node),
            Statement::For | Statement::While | Statement::Do => self.repeat(body, node),
            Statement::Switch => {
                if let Some((piece, condition)) = &node.head.condition {
                    self.count(*piece);
                    self.value(condition);
                }
                // Which case it is, is not followed: each of them is executed at most.
                self.on_condition(|machine| machine.list(body, &node.children));
                self.forget(node.writes.iter().copied());
                if self.is_stopped() { Flow::Stop } else { Flow::Normal }
            }
            Statement::Macro(true) => self.without_end(body, node, Cause::Loop(node.line, None)),
            Statement::Return => {
                let mut value = Value::Unknown;
                if let Some((piece, done)) = &node.head.first {
                    self.count(*piece);
                    value = self.all(done);
                }
                let frame = self.frame();
                let same = frame.result.is_none_or(|before| before == value);
                frame.result = Some(if same { value } else { Value::Unknown });
                Flow::Return
            }
            Statement::Break => Flow::Break,
            Statement::Continue => Flow::Continue,
            Statement::Goto | Statement::ComputedGoto => {
                self.left = true;
                let nodes = &self.program.bodies[body].nodes;
                self.pieces_without_count(nodes, Cause::Goto(node.line));
                Flow::Normal
            }
            Statement::Simple => {
                if let Some((piece, done)) = &node.head.first {
                    self.count(*piece);
                    self.all(done);
                }
                Flow::Normal
            }
            Statement::Else | Statement::Label | Statement::Macro(false) => {
                self.list(body, &node.children)
            }
            Statement::Pragma(_) => {
                let before = self.share;
                if node.is_shared
                    && let Some(processors) = self.processors()
                {
                    self.share /= processors;
                }
                let flow = self.list(body, &node.children);
                self.share = before;
                flow
            }
            Statement::Case | Statement::Default => {
                self.list(body, &node.children);
                Flow::Normal
            }
        }
    }

    fn list(&mut self, body: usize, children: &'p [NodeId]) -> Flow {
        for &child in children {
            match self.statement(body, child) {
                Flow::Normal => {}
                // In a `switch` the next case follows.
                Flow::Break if self.is_in_switch(body, child) => {}
                other => return other,
            }
        }
        Flow::Normal
    }

    /// Whether the statement stands among the cases of a `switch`.
    fn is_in_switch(&self, body: usize, child: NodeId) -> bool {
        let nodes = &self.program.bodies[body].nodes;
        let holder = nodes.iter().position(|node| node.children.contains(&child));
        let above =
            holder.and_then(|holder| nodes.iter().find(|node| node.children.contains(&holder)));
        above.is_some_and(|node| node.statement == Statement::Switch)
    }

    fn branches(&mut self, body: usize, node: &'p Node) -> Flow {
        let mut truth = None;
        if let Some((piece, condition)) = &node.head.condition {
            self.count(*piece);
            truth = self.value(condition).truth();
        }
        let (yes, no) = (node.children.first(), node.children.get(1));
        match truth {
            Some(true) => yes.map_or(Flow::Normal, |&yes| self.statement(body, yes)),
            Some(false) => no.map_or(Flow::Normal, |&no| self.statement(body, no)),
            None => {
                let before = self.frame().clone();
                let globals = self.globals.clone();
                let side = |machine: &mut Self, child: Option<&NodeId>| {
                    let child = *child?;
                    Some(machine.on_condition(|machine| machine.statement(body, child)))
                };
                let first = side(self, yes).unwrap_or(Flow::Normal);
                let after_first = std::mem::replace(self.frame(), before);
                let globals_first = std::mem::replace(&mut self.globals, globals);
                let second = side(self, no).unwrap_or(Flow::Normal);
                if first == second {
                    self.merge(after_first, globals_first);
                    return first;
                }
                if first == Flow::Stop || second == Flow::Stop {
                    return Flow::Stop;
                }
                // One side goes on: its values hold afterwards.
                self.left = true;
                if first == Flow::Normal {
                    let result = self.frame().result;
                    *self.frame() = after_first;
                    self.frame().result = result.or(self.frame().result);
                    self.globals = globals_first;
                }
                Flow::Normal
            }
        }
    }

    /// Merges the values after the two sides of a condition: a value that differs is not known.
    fn merge(&mut self, other: super::CallFrame, globals: Vec<(usize, Value)>) {
        let frame = self.frame();
        for (name, value) in other.values {
            match frame.values.iter_mut().find(|(id, _)| *id == name) {
                Some((_, here)) if *here == value => {}
                Some((_, here)) => *here = Value::Unknown,
                None => frame.values.push((name, Value::Unknown)),
            }
        }
        if frame.result != other.result {
            frame.result = Some(Value::Unknown);
        }
        for (name, value) in globals {
            match self.globals.iter_mut().find(|(id, _)| *id == name) {
                Some((_, here)) if *here == value => {}
                Some((_, here)) => *here = Value::Unknown,
                None => self.globals.push((name, Value::Unknown)),
            }
        }
    }

    fn repeat(&mut self, body: usize, node: &'p Node) -> Flow {
        if let Some((piece, done)) = &node.head.first {
            self.count(*piece);
            self.all(done);
        }
        let left = std::mem::replace(&mut self.left, false);
        let is_do = node.statement == Statement::Do;
        let is_endless = node.head.condition.as_ref().is_none_or(|(_, expr)| expr.is_constant());
        let mut passages = 0u64;
        let flow = loop {
            if self.is_stopped() {
                break Flow::Stop;
            }
            if let Some((piece, condition)) =
                node.head.condition.as_ref().filter(|_| !is_do || passages > 0)
            {
                self.count(*piece);
                match self.value(condition).truth() {
                    Some(true) => {}
                    Some(false) => break Flow::Normal,
                    None => {
                        let unknown = self.unknown_in(condition, node);
                        break self.without_end(body, node, Cause::Loop(node.line, unknown));
                    }
                }
            }
            // Only a condition that is not known ends it.
            if is_endless && passages > 0 && self.left {
                break self.without_end(body, node, Cause::Loop(node.line, None));
            }
            self.steps += 1;
            passages += 1;
            match self.list(body, &node.children) {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => break Flow::Normal,
                other => break other,
            }
            if let Some((piece, done)) = &node.head.step {
                self.count(*piece);
                self.all(done);
            }
        };
        if self.left && flow != Flow::Stop {
            self.at_most_in(body, node);
        }
        self.left |= left;
        flow
    }

    /// A variable of a loop's condition that has no value, and that the loop does not change.
    fn unknown_in(&self, condition: &Expr, node: &Node) -> Option<usize> {
        let mut number = None;
        condition.visit(&mut |part| {
            if let Expr::Name(name) = part
                && self.get(*name) == Value::Unknown
                && !node.writes.contains(name)
            {
                number = number.or(Some(*name));
            }
        });
        number
    }

    /// Marks the counts of the pieces in a loop that is perhaps left early as upper limits.
    fn at_most_in(&mut self, body: usize, node: &'p Node) {
        if self.is_silent {
            return;
        }
        for inner in inside(&self.program.bodies[body].nodes, node) {
            for piece in inner.head.pieces() {
                if let Some(count) = self.counts.get_mut(piece) {
                    count.at_most = true;
                }
            }
        }
    }

    /// A loop without a count: one passage, in which nothing that the loop changes is known.
    fn without_end(&mut self, body: usize, node: &'p Node, cause: Cause) -> Flow {
        self.forget(node.writes.iter().copied());
        self.causes.push(cause);
        if let Some((piece, condition)) = &node.head.condition {
            self.count(*piece);
            self.value(condition);
        }
        let flow = self.on_condition(|machine| machine.list(body, &node.children));
        if let Some((piece, done)) = &node.head.step {
            self.count(*piece);
            self.all(done);
        }
        self.causes.pop();
        self.forget(node.writes.iter().copied());
        match flow {
            Flow::Stop => Flow::Stop,
            _ => Flow::Normal,
        }
    }

    /// Executes without counting.
    pub(crate) fn silently(&mut self, done: impl FnOnce(&mut Self)) {
        self.is_silent = true;
        done(self);
        self.is_silent = false;
        self.steps = 0;
    }
}

/// The statements whose tokens are in those of a statement, without itself.
fn inside<'p>(nodes: &'p [Node], statement: &'p Node) -> impl Iterator<Item = &'p Node> {
    let (first, end) = statement.tokens;
    nodes.iter().filter(move |node| node.tokens.0 > first && node.tokens.1 <= end)
}
