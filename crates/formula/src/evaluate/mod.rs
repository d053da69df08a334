//! Evaluates expressions: each is compiled once to a postfix program, which runs for every row.

mod factorial;

use crate::{Expression, Function};

pub use factorial::factorial;

/// A postfix program for several expressions; the value of the i-th is the i-th output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Postfix {
    steps: Vec<Instruction>,
    /// Largest number of values on the stack.
    height: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Instruction {
    Number(f64),
    Variable(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Call(Function),
    /// Pops the value of a complete expression.
    Store(usize),
}

/// Programs that need no more than this run without allocating.
const SMALL: usize = 32;

impl Postfix {
    /// The program of `expressions`.
    pub(crate) fn new<'a>(expressions: impl IntoIterator<Item = &'a Expression>) -> Postfix {
        let mut program = Postfix::default();
        for (place, expression) in expressions.into_iter().enumerate() {
            program.compile(expression, 0);
            program.steps.push(Instruction::Store(place));
        }
        program
    }

    /// Appends the code that pushes the value of `expression` on a stack of `below` values.
    fn compile(&mut self, expression: &Expression, below: usize) {
        self.height = self.height.max(below + 1);
        match expression {
            Expression::Number(value) => self.steps.push(Instruction::Number(*value)),
            Expression::Variable(index) => self.steps.push(Instruction::Variable(*index)),
            Expression::Negated(a) => {
                self.compile(a, below);
                self.steps.push(Instruction::Negate);
            }
            Expression::Sum(parts) => {
                self.chain(parts, below, Instruction::Add, Instruction::Subtract)
            }
            Expression::Product(parts) => {
                self.chain(parts, below, Instruction::Multiply, Instruction::Divide)
            }
            Expression::Remainder(a, b) => self.pair(a, b, below, Instruction::Remainder),
            Expression::Power(a, b) => self.pair(a, b, below, Instruction::Power),
            Expression::Call(function, arguments) => {
                for (place, argument) in arguments.iter().enumerate() {
                    self.compile(argument, below + place);
                }
                self.steps.push(Instruction::Call(*function));
            }
        }
    }

    fn chain(
        &mut self,
        parts: &[(bool, Expression)],
        below: usize,
        plain: Instruction,
        inverse: Instruction,
    ) {
        for (place, (inverted, part)) in parts.iter().enumerate() {
            self.compile(part, below + usize::from(place > 0));
            if place > 0 {
                self.steps.push(if *inverted { inverse } else { plain });
            }
        }
    }

    fn pair(&mut self, a: &Expression, b: &Expression, below: usize, step: Instruction) {
        self.compile(a, below);
        self.compile(b, below + 1);
        self.steps.push(step);
    }

    /// Number of steps.
    pub(crate) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Passes the value of each expression to `out`.
    pub(crate) fn run(&self, values: &[f64], out: impl FnMut(usize, f64)) {
        if self.height <= SMALL {
            self.run_on(&mut [0.0; SMALL], values, out);
        } else {
            self.run_on(&mut vec![0.0; self.height], values, out);
        }
    }

    fn run_on(&self, stack: &mut [f64], values: &[f64], mut out: impl FnMut(usize, f64)) {
        // Index after the topmost value.
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Instruction::Number(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Instruction::Variable(index) => {
                    stack[top] = values[index];
                    top += 1;
                }
                Instruction::Negate => stack[top - 1] = -stack[top - 1],
                Instruction::Add => top = fold(stack, top, |a, b| a + b),
                Instruction::Subtract => top = fold(stack, top, |a, b| a - b),
                Instruction::Multiply => top = fold(stack, top, |a, b| a * b),
                Instruction::Divide => top = fold(stack, top, |a, b| a / b),
                Instruction::Remainder => top = fold(stack, top, |a, b| a % b),
                Instruction::Power => top = fold(stack, top, f64::powf),
                Instruction::Call(Function::Min) => top = fold(stack, top, f64::min),
                Instruction::Call(Function::Max) => top = fold(stack, top, f64::max),
                Instruction::Call(function) => stack[top - 1] = of_one(function, stack[top - 1]),
                Instruction::Store(place) => {
                    top -= 1;
                    out(place, stack[top]);
                }
            }
        }
    }
}

fn fold(stack: &mut [f64], top: usize, operator: impl Fn(f64, f64) -> f64) -> usize {
    stack[top - 2] = operator(stack[top - 2], stack[top - 1]);
    top - 1
}

fn of_one(function: Function, x: f64) -> f64 {
    match function {
        Function::Log => x.ln(),
        Function::Log2 => x.log2(),
        Function::Log10 => x.log10(),
        Function::Exp => x.exp(),
        Function::Sqrt => x.sqrt(),
        Function::Cbrt => x.cbrt(),
        Function::Abs => x.abs(),
        Function::Floor => x.floor(),
        Function::Ceil => x.ceil(),
        Function::Factorial => factorial(x),
        // Functions of two arguments are evaluated elsewhere.
        Function::Min | Function::Max => x,
    }
}
