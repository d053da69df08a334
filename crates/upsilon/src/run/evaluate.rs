//! Values of expressions, and calls.

use super::{AbstractMachine, CALLS, CallFrame, Cause, Flow};
use crate::expression::Expr;
use crate::value::{Binary, Value};

impl<'p> AbstractMachine<'p> {
    pub(super) fn all(&mut self, done: &'p [Expr]) -> Value {
        done.iter().fold(Value::Unknown, |_, expr| self.value(expr))
    }

    /// The value, and what the expression changes.
    pub(super) fn value(&mut self, expr: &'p Expr) -> Value {
        match expr {
            Expr::Value(value) => *value,
            Expr::Name(name) => self.get(*name),
            Expr::Address(name) => {
                self.set(*name, Value::Unknown);
                Value::Unknown
            }
            Expr::Unary(operator, a) => self.value(a).unary(*operator),
            Expr::Binary(operator, a, b) => {
                let a = self.value(a);
                let b = self.value(b);
                a.binary(*operator, b)
            }
            Expr::And(a, b) => self.logical(a, b, false),
            Expr::Or(a, b) => self.logical(a, b, true),
            Expr::Choice(a, b, c) => match self.value(a).truth() {
                Some(true) => self.value(b),
                Some(false) => self.value(c),
                None => {
                    let b = self.on_condition(|machine| machine.value(b));
                    let c = self.on_condition(|machine| machine.value(c));
                    if b == c { b } else { Value::Unknown }
                }
            },
            Expr::Assign(name, operator, value) => {
                let value = self.value(value);
                let before = self.get(*name);
                let value = operator.map_or(value, |operator| before.binary(operator, value));
                self.set(*name, value);
                value
            }
            Expr::Step(name, by, is_prefix) => {
                let before = self.get(*name);
                let after = before.binary(Binary::Add, Value::Int(*by));
                self.set(*name, after);
                if *is_prefix { after } else { before }
            }
            Expr::Declare(name, is_real, value) => {
                let value = value.as_ref().map_or(Value::Unknown, |value| self.value(value));
                self.declare(*name, value.converted(*is_real));
                value
            }
            Expr::Convert(is_real, a) => self.value(a).converted(*is_real),
            Expr::Several(parts) => self.all(parts),
            Expr::Opaque(parts) => {
                self.all(parts);
                Value::Unknown
            }
            Expr::Call(name, arguments) => self.call(*name, arguments),
        }
    }

    fn logical(&mut self, a: &'p Expr, b: &'p Expr, decides: bool) -> Value {
        let truth = |truth: bool| Value::Int(i64::from(truth));
        match self.value(a).truth() {
            Some(known) if known == decides => truth(decides),
            Some(_) => self.value(b).truth().map_or(Value::Unknown, truth),
            None => match self.on_condition(|machine| machine.value(b)).truth() {
                Some(known) if known == decides => truth(decides),
                _ => Value::Unknown,
            },
        }
    }

    /// Does something that is perhaps done.
    pub(super) fn on_condition<T>(&mut self, done: impl FnOnce(&mut Self) -> T) -> T {
        self.conditions += 1;
        let value = done(self);
        self.conditions -= 1;
        value
    }

    fn call(&mut self, name: usize, arguments: &'p [Expr]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|expr| self.value(expr)).collect();
        let program = self.program;
        let Some(&body) = program.functions.get(&name) else {
            if let Some(processors) = self.number_of_processors(name, arguments) {
                return processors;
            }
            self.forget_given(name, arguments);
            return Value::Unknown;
        };
        if self.is_stopped() || self.is_silent {
            return Value::Unknown;
        }
        let function = &program.bodies[body];
        let is_recursive = self.active.contains(&body);
        let is_open = self.conditions > 0 || !self.causes.is_empty();
        if is_recursive && is_open {
            let line = function.nodes.first().map_or(0, |node| node.line);
            self.without_count(body, Cause::Recursion(line));
            return Value::Unknown;
        }
        if is_recursive && self.is_lenient && self.unbounded.contains(&body) {
            return Value::Unknown;
        }
        // It is left under a condition that is not known. What it calls needs room, too.
        let is_deep = self.frames.len() >= CALLS / 2;
        if is_recursive && is_deep && self.is_lenient && self.left {
            let line = function.nodes.first().map_or(0, |node| node.line);
            self.without_count(body, Cause::Recursion(line));
            return Value::Unknown;
        }
        if self.frames.len() >= CALLS {
            self.steps = u64::MAX / 2;
            return Value::Unknown;
        }
        let mut frame = CallFrame::default();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let Some(parameter) = *parameter else { continue };
            let value = values.get(index).copied().unwrap_or(Value::Unknown);
            frame.values.push((parameter, value));
            if let Some(Expr::Name(root) | Expr::Address(root)) = arguments.get(index) {
                self.pass_members(*root, parameter, &mut frame);
            }
        }
        self.frames.push(frame);
        self.active.push(body);
        let left = std::mem::replace(&mut self.left, false);
        let flow = self.statement(body, 0);
        self.left = left;
        self.active.pop();
        let frame = self.frames.pop().unwrap_or_default();
        match (flow, frame.result) {
            (Flow::Stop, _) | (_, None) => Value::Unknown,
            (_, Some(value)) => value,
        }
    }

    /// A macro may change what it is given.
    fn forget_given(&mut self, function: usize, arguments: &'p [Expr]) {
        let program = self.program;
        let known = program.macros.get(&function);
        let is_macro = known.is_some() || is_upper(program.names.text(function));
        for (index, argument) in arguments.iter().enumerate().filter(|_| is_macro) {
            let Expr::Name(name) = argument else { continue };
            // Of one that is not in this file, sizes are hardly changed.
            let may_change = match known {
                Some(changed) => changed.get(index).copied().unwrap_or(true),
                None => !self.fixed.contains(name),
            };
            if may_change {
                self.set(*name, Value::Unknown);
            }
        }
    }

    /// The number of processors, if the formula has it.
    pub(super) fn processors(&self) -> Option<f64> {
        let name = self.program.names.find("P")?;
        match self.get(name) {
            Value::Int(processors) if processors > 0 => Some(processors as f64),
            _ => None,
        }
    }

    /// The value of a call that asks for the number of processors.
    fn number_of_processors(&mut self, function: usize, arguments: &'p [Expr]) -> Option<Value> {
        let processors = Value::Int(self.processors()? as i64);
        match self.program.names.text(function) {
            "bsp_nprocs" | "omp_get_num_threads" | "omp_get_max_threads" => Some(processors),
            "MPI_Comm_size" => {
                let Some(Expr::Address(name)) = arguments.get(1) else { return None };
                self.set(*name, processors);
                Some(Value::Unknown)
            }
            _ => None,
        }
    }

    /// Members of an argument are those of the parameter: `m->n` is `p->n` in `f(m)`.
    fn pass_members(&self, root: usize, parameter: usize, frame: &mut CallFrame) {
        let all = &self.program.members;
        let (Some(wanted), Some(given)) = (all.get(&parameter), all.get(&root)) else { return };
        for (member, rest) in wanted {
            if let Some((id, _)) = given.iter().find(|(_, other)| other == rest) {
                frame.values.push((*member, self.get(*id)));
            }
        }
    }

    /// All statements of a function, and of those that it calls, are executed more often than is counted.
    fn without_count(&mut self, body: usize, cause: Cause) {
        if self.unbounded.contains(&body) {
            return;
        }
        self.unbounded.push(body);
        let program = self.program;
        self.pieces_without_count(&program.bodies[body].nodes, cause);
        for called in program.called(&program.bodies[body].nodes) {
            self.pieces_without_count(&program.bodies[called].nodes, cause);
        }
    }

    pub(super) fn pieces_without_count(&mut self, nodes: &'p [crate::program::Node], cause: Cause) {
        if self.is_silent {
            return;
        }
        for piece in nodes.iter().flat_map(|node| node.head.pieces()) {
            if let Some(count) = self.counts.get_mut(piece) {
                count.unknown = count.unknown.or(Some(cause));
            }
        }
    }
}

/// Whether a name looks like that of a macro.
fn is_upper(name: &str) -> bool {
    name.chars().any(|letter| letter.is_uppercase())
        && !name.chars().any(|letter| letter.is_lowercase())
}
