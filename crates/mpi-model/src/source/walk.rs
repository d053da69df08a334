//! The steps of one rank: the statements of `main` and of the functions that communicate.

use cll_csource::tree::{NodeId, Statement};
use cll_trace::layout::call::Op;

use super::evaluate::{Values, value};
use super::operations::{Counter, Operations};
use super::program::{Body, Program, closing, head, passages, split, step_of, words};

/// The depth of calls that is followed.
const DEPTH: usize = 24;

/// A step of a rank.
#[allow(clippy::large_enum_variant)] // most steps are calls
#[derive(Clone, Debug)]
pub(super) enum Step {
    Segment {
        function: String,
        file: String,
        lines: (u32, u32),
        operations: Operations,
    },
    Call(Call),
    /// A loop, or with `is_choice` steps that are done only if a condition holds that is not known.
    Loop {
        head: String,
        passages: Option<u64>,
        is_choice: bool,
        steps: Vec<Step>,
    },
}

/// A call of MPI.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) op: Op,
    pub(super) place: String,
    /// Functions that lead to it, the innermost first.
    pub(super) path: Vec<String>,
    pub(super) to: Option<Side>,
    pub(super) from: Option<Side>,
    pub(super) root: Option<Side>,
    /// `n * n MPI_DOUBLE`.
    pub(super) size: String,
}

/// One side of a message as it is written, with its values if they are known.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) partner: String,
    pub(super) rank: Option<i64>,
    pub(super) tag: String,
    pub(super) tag_value: Option<i64>,
}

/// Follows one rank through a program.
pub(super) struct Walk<'p> {
    program: &'p Program,
    rank: i64,
    ranks: i64,
    path: Vec<String>,
    /// The computation that is not written yet: function, file, lines, operations.
    segment: Option<(String, String, u32, u32, Operations)>,
    counter: Counter<'p>,
    has_returned: bool,
}

impl<'p> Walk<'p> {
    /// The steps of a rank; `None`: there is no `main`.
    pub(super) fn rank(program: &'p Program, rank: i64, ranks: i64) -> Option<Vec<Step>> {
        let main = &program.bodies[*program.by_name.get("main")?];
        let mut walk = Walk {
            program,
            rank,
            ranks,
            path: Vec::new(),
            segment: None,
            counter: Counter { program },
            has_returned: false,
        };
        let mut values = program.constants.clone();
        let mut steps = Vec::new();
        walk.body(main, &mut values, &mut steps);
        walk.end_segment(&mut steps);
        Some(steps)
    }

    fn body(&mut self, body: &'p Body, values: &mut Values, steps: &mut Vec<Step>) {
        self.path.insert(0, body.name.clone());
        if !body.tree.nodes.is_empty() {
            self.node(body, 0, values, steps);
        }
        self.has_returned = false;
        self.path.remove(0);
    }

    fn communicates(&self, tokens: &[String]) -> bool {
        tokens.windows(2).any(|pair| {
            let is_call = pair[1] == "(";
            is_call && (step_of(&pair[0]).is_some() || self.program.communicates.contains(&pair[0]))
        })
    }

    fn node(&mut self, body: &'p Body, id: NodeId, values: &mut Values, steps: &mut Vec<Step>) {
        if self.has_returned {
            return;
        }
        let node = &body.tree.nodes[id];
        let tokens = body.text(node.first, node.end);
        let is_compound = !matches!(node.statement, Statement::Simple | Statement::Return);
        if is_compound && !self.communicates(tokens) {
            let operations = self.counter.statement(body, id, values);
            self.computes(body, node.first, node.end, operations);
            forget(tokens, values);
            // A condition that is known decides whether a function ends here.
            if node.statement != Statement::If {
                return;
            }
        }
        match node.statement {
            Statement::If => self.choice(body, id, values, steps),
            Statement::For | Statement::While | Statement::Do | Statement::Macro(true) => {
                self.repeated(body, id, values, steps);
            }
            Statement::Simple | Statement::Return => {
                self.simple(body, node.first, node.end, values, steps);
                self.has_returned |= node.statement == Statement::Return;
            }
            _ => {
                for &child in &body.children[id] {
                    self.node(body, child, values, steps);
                }
            }
        }
    }

    fn choice(&mut self, body: &'p Body, id: NodeId, values: &mut Values, steps: &mut Vec<Step>) {
        let node = &body.tree.nodes[id];
        let (condition, behind) = head(body, node.first, node.end);
        self.simple(body, node.first + 1, behind, values, steps);
        let is_else = |&&child: &&NodeId| body.tree.nodes[child].statement == Statement::Else;
        let children = &body.children[id];
        let then = children.iter().find(|child| !is_else(child)).copied();
        let other = children.iter().find(is_else).copied();
        match value(condition, values) {
            Some(0) => {
                if let Some(other) = other {
                    self.inside(body, other, values, steps);
                }
            }
            Some(_) => {
                if let Some(then) = then {
                    self.node(body, then, values, steps);
                }
            }
            None => {
                let written = words(condition);
                let heads =
                    [(then, format!("if ({written})")), (other, format!("unless ({written})"))];
                for (child, head) in heads {
                    let Some(child) = child else { continue };
                    let part = &body.tree.nodes[child];
                    if !self.communicates(body.text(part.first, part.end)) {
                        continue;
                    }
                    self.end_segment(steps);
                    let mut own = values.clone();
                    let mut inner = Vec::new();
                    self.inside(body, child, &mut own, &mut inner);
                    self.end_segment(&mut inner);
                    self.has_returned = false;
                    let passages = None;
                    steps.push(Step::Loop { head, passages, is_choice: true, steps: inner });
                }
                forget(body.text(node.first, node.end), values);
            }
        }
    }

    /// An `else` contains its statement.
    fn inside(&mut self, body: &'p Body, id: NodeId, values: &mut Values, steps: &mut Vec<Step>) {
        match body.tree.nodes[id].statement {
            Statement::Else => {
                for &child in &body.children[id] {
                    self.node(body, child, values, steps);
                }
            }
            _ => self.node(body, id, values, steps),
        }
    }

    fn repeated(&mut self, body: &'p Body, id: NodeId, values: &mut Values, steps: &mut Vec<Step>) {
        let node = &body.tree.nodes[id];
        let (head, _) = head(body, node.first, node.end);
        let keyword = body.text(node.first, node.first + 1).first().cloned().unwrap_or_default();
        let passages = match node.statement {
            Statement::For => passages(head, values),
            Statement::While if value(head, values) == Some(0) => Some(0),
            _ => None,
        };
        if passages == Some(0) {
            return;
        }
        self.end_segment(steps);
        forget(body.text(node.first, node.end), values);
        let mut inner = Vec::new();
        for &child in &body.children[id] {
            self.node(body, child, values, &mut inner);
        }
        self.end_segment(&mut inner);
        self.has_returned = false;
        let head = format!("{keyword} ({})", words(head));
        steps.push(Step::Loop { head, passages, is_choice: false, steps: inner });
        forget(body.text(node.first, node.end), values);
    }

    /// A statement or a condition: its calls of MPI and of functions that communicate, then its assignments.
    fn simple(
        &mut self,
        body: &'p Body,
        first: usize,
        end: usize,
        values: &mut Values,
        steps: &mut Vec<Step>,
    ) {
        let tokens = body.text(first, end);
        let mut has_called = false;
        let mut index = 0;
        while index + 1 < tokens.len() {
            let name = tokens[index].as_str();
            if tokens[index + 1] != "(" {
                index += 1;
                continue;
            }
            let close = closing(tokens, index + 1);
            let arguments = split(&tokens[(index + 2).min(close)..close], ",");
            let pointed = |position: usize| match arguments.get(position).copied() {
                Some([and, name]) if and == "&" => Some(name.clone()),
                _ => None,
            };
            match name {
                "MPI_Comm_rank" | "MPI_Comm_size" => {
                    let is_world = arguments
                        .first()
                        .is_some_and(|argument| words(argument) == "MPI_COMM_WORLD");
                    let known = if name == "MPI_Comm_rank" { self.rank } else { self.ranks };
                    if let Some(variable) = pointed(1) {
                        values.insert(variable, Some(known).filter(|_| is_world));
                    }
                    has_called = true;
                }
                _ if step_of(name).is_some() => {
                    self.end_segment(steps);
                    let line = body.line(first + index);
                    if let Some(op) = step_of(name) {
                        let place = format!("{}:{line}", body.file);
                        steps.push(Step::Call(call(op, place, &self.path, &arguments, values)));
                    }
                    has_called = true;
                }
                _ if self.program.communicates.contains(name) => {
                    has_called = true;
                    let called = self
                        .program
                        .by_name
                        .get(name)
                        .map(|&body_index| &self.program.bodies[body_index]);
                    let is_known =
                        !self.path.iter().any(|text| text == name) && self.path.len() < DEPTH;
                    if let Some(called) = called.filter(|_| is_known) {
                        let mut own = self.program.constants.clone();
                        for (parameter, argument) in called.parameters.iter().zip(&arguments) {
                            own.insert(parameter.clone(), value(argument, values));
                        }
                        self.body(called, &mut own, steps);
                    }
                }
                // Any other function may change what it is given the address of.
                _ => (0..arguments.len()).filter_map(pointed).for_each(|name| {
                    values.insert(name, None);
                }),
            }
            index += 1;
        }
        // What neither calls a function nor uses an array takes no time that is worth a segment.
        let is_work = |pair: &[String]| pair[0] == "[" || pair[1] == "(" && is_name(&pair[0]);
        if !has_called && tokens.windows(2).any(is_work) {
            let operations = self.counter.expression(tokens, values);
            self.computes(body, first, end, operations);
        }
        for part in split(tokens, ",").into_iter().flat_map(|part| split(part, ";")) {
            assign(part, values);
        }
    }

    fn computes(&mut self, body: &Body, first: usize, end: usize, operations: Operations) {
        let (from, to) = (body.line(first), body.line(end.saturating_sub(1)));
        match &mut self.segment {
            Some((function, _, _, last, sum)) => {
                if *function == body.name {
                    *last = to.max(*last);
                }
                sum.add(operations);
            }
            none => *none = Some((body.name.clone(), body.file.clone(), from, to, operations)),
        }
    }

    fn end_segment(&mut self, steps: &mut Vec<Step>) {
        if let Some((function, file, from, to, operations)) = self.segment.take() {
            steps.push(Step::Segment { function, file, lines: (from, to), operations });
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// `name = expression`, `name++`, `name += expression`.
fn assign(tokens: &[String], values: &mut Values) {
    if let Some(equals) = tokens.iter().position(|token| token == "=") {
        let Some(name) =
            equals.checked_sub(1).map(|index| &tokens[index]).filter(|name| is_name(name))
        else {
            return;
        };
        let is_plain = equals < 2 || !matches!(tokens[equals - 2].as_str(), "." | "->");
        if is_plain {
            values.insert(name.clone(), value(&tokens[equals + 1..], values));
        }
        return;
    }
    let changes = ["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"];
    if tokens.iter().any(|token| changes.contains(&token.as_str())) {
        tokens.iter().filter(|token| is_name(token)).for_each(|name| {
            values.entry(name.clone()).and_modify(|value| *value = None);
        });
    }
}

/// Forgets the values of variables that statements may change.
fn forget(tokens: &[String], values: &mut Values) {
    for pair in tokens.windows(2) {
        let changed = match (pair[0].as_str(), pair[1].as_str()) {
            ("++" | "--" | "&", name) => name,
            (name, "=" | "++" | "--" | "+=" | "-=" | "*=" | "/=" | "%=" | "<<=" | ">>=" | "|=") => {
                name
            }
            _ => continue,
        };
        values.entry(changed.to_owned()).and_modify(|value| *value = None);
    }
}

/// A call with its partners and size, by the positions of its arguments.
fn call(op: Op, place: String, path: &[String], arguments: &[&[String]], values: &Values) -> Call {
    let written =
        |index: usize| arguments.get(index).map_or(String::new(), |argument| words(argument));
    let known = |index: usize| arguments.get(index).and_then(|argument| value(argument, values));
    let side = |partner: usize, tag: usize| Side {
        partner: written(partner),
        rank: known(partner),
        tag: written(tag),
        tag_value: known(tag),
    };
    let root = |index: usize| Side { tag: String::new(), tag_value: None, ..side(index, index) };
    let positions = op.arguments();
    Call {
        op,
        place,
        path: path.to_vec(),
        to: positions.to.map(|to| side(to.partner, to.tag)),
        from: positions.from.map(|from| side(from.partner, from.tag)),
        root: positions.root.map(root),
        size: positions
            .size
            .map_or(String::new(), |(count, kind)| format!("{} {}", written(count), written(kind))),
    }
}
