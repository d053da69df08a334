//! A region between two pragmas: its statements, and what is known where it begins.

use cll_csource::file::Variant;
use cll_csource::tree::{NodeId, Statement};
use cll_diagnostic::Lines;

use crate::program::{Node, PieceId, SourceProgram};
use crate::run::{AbstractMachine, Count};
use crate::value::Value;

/// A region that was found.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    body: usize,
    /// The outermost statements, in order.
    statements: Vec<NodeId>,
}

impl Region {
    /// The region between the pragmas at these lines; `None` if no function contains it.
    pub(crate) fn find(
        program: &SourceProgram,
        variant: &Variant<'_>,
        lines: &Lines,
        (line, end_line): (usize, usize),
    ) -> Option<Region> {
        let line_of = |index: usize| variant.tokens.get(index).map(|token| lines.line(token.start));
        let first = variant.tokens.iter().find(|token| lines.line(token.start) > line)?;
        let body = program.body_at(variant, first.start)?;
        let nodes = &program.bodies[body].nodes;
        let is_inside = |id: NodeId| {
            let (first, end) = nodes[id].tokens;
            line_of(first).is_some_and(|token_line| token_line > line)
                && end
                    .checked_sub(1)
                    .and_then(line_of)
                    .is_some_and(|token_line| token_line < end_line)
        };
        let mut statements: Vec<NodeId> = Vec::new();
        let mut behind = 0;
        for (id, node) in nodes.iter().enumerate().skip(1) {
            if node.tokens.0 >= behind && is_inside(id) {
                statements.push(id);
                behind = node.tokens.1;
            }
        }
        Some(Region { body, statements })
    }

    /// The statements, and those of the functions that it calls, by file and in order.
    pub(crate) fn pieces(&self, program: &SourceProgram) -> Vec<PieceId> {
        let nodes = &program.bodies[self.body].nodes;
        let ends: Vec<(usize, usize)> =
            self.statements.iter().map(|statement| nodes[*statement].tokens).collect();
        let is_inside = |node: &&Node| {
            ends.iter().any(|(first, end)| node.tokens.0 >= *first && node.tokens.1 <= *end)
        };
        let own: Vec<&Node> = nodes.iter().filter(is_inside).collect();
        let called = program.called(own.iter().copied());
        let of_called = called.iter().flat_map(|body| &program.bodies[*body].nodes);
        let all = own.into_iter().chain(of_called).flat_map(|node| node.head.pieces());
        // Parts that are no statement have no number among them.
        let all: std::collections::BTreeSet<PieceId> =
            all.filter(|piece| *piece < program.pieces.len()).collect();
        all.into_iter().collect()
    }

    /// Counts its statements, and those of the functions that it calls; `None` if that takes too long. A lenient count
    /// takes a recursion that is too deep for one that depends on data.
    pub(crate) fn count(
        &self,
        program: &SourceProgram,
        known: &[(usize, Value)],
        lenient: bool,
    ) -> Option<Vec<Count>> {
        let mut machine = AbstractMachine::new(program);
        machine.is_lenient = lenient;
        machine.fixed = known.iter().map(|(name, _)| *name).collect();
        machine.silently(|machine| self.before(program, known, machine));
        for &statement in &self.statements {
            machine.run(self.body, statement);
        }
        (!machine.is_stopped()).then_some(machine.counts)
    }

    /// Runs the statements before the region, to learn what they say of variables: those on the way to it, without
    /// loops and branches.
    fn before(
        &self,
        program: &SourceProgram,
        known: &[(usize, Value)],
        machine: &mut AbstractMachine<'_>,
    ) {
        let nodes = &program.bodies[self.body].nodes;
        let pin = |machine: &mut AbstractMachine<'_>| {
            known.iter().for_each(|(name, value)| machine.set(*name, *value));
        };
        pin(machine);
        let Some(&target) = self.statements.first() else { return };
        let target = nodes[target].tokens.0;
        let mut holder = 0;
        'down: loop {
            for &child in &nodes[holder].children {
                let (first, end) = nodes[child].tokens;
                let node = &nodes[child];
                if end <= target {
                    match node.statement {
                        Statement::Simple => machine.run(self.body, child),
                        _ => node.writes.iter().for_each(|name| machine.set(*name, Value::Unknown)),
                    }
                } else if first < target {
                    let is_loop = matches!(
                        node.statement,
                        Statement::For | Statement::While | Statement::Do | Statement::Macro(_)
                    );
                    if is_loop {
                        node.writes.iter().for_each(|name| machine.set(*name, Value::Unknown));
                    }
                    pin(machine);
                    holder = child;
                    continue 'down;
                } else {
                    break;
                }
                pin(machine);
            }
            break;
        }
        pin(machine);
    }
}
