//! Statements and expressions, each with its place.

use std::ops::Range;

use super::words::{ClauseWord, Verb};

/// Byte offsets into the text.
pub type Span = Range<usize>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The place of the statement, without the line end.
    pub span: Span,
    /// The kind of the statement.
    pub kind: StatementKind,
}

/// The kind of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `big = f where N > 4096`.
    Assign {
        /// The name that is given.
        name: Name,
        /// The value that it names.
        value: Expr,
    },
    /// `phi(N, P) = …`: a function. Its body is evaluated at each call.
    Define {
        /// The function's name.
        name: Name,
        /// The parameters' names, each once.
        parameters: Vec<Name>,
        /// The body.
        body: Expr,
    },
    /// An expression, whose value is shown.
    Value(Expr),
    /// `cll profile show run.log`: a command of the program, as words of a shell.
    Command {
        /// The words after `cll`.
        arguments: Vec<String>,
    },
}

/// A name and its place. In backquotes it may be any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without backquotes.
    pub text: String,
    /// The place of the name, with backquotes.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The place of the expression.
    pub span: Span,
    /// The kind of the expression.
    pub kind: ExprKind,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `4096`, `2.5e-6 s`, `16 KiB`, `10%` (0.1).
    Number {
        /// The number as it is written; of a percentage the hundredth.
        value: f64,
        /// The unit after it.
        unit: Option<Name>,
    },
    /// `"fft.svg"`.
    Text(String),
    /// `true`, `false`.
    Bool(bool),
    /// A name: of a value, or of a variable where a condition or a table is evaluated.
    Name(String),
    /// `-x`, `not x`.
    Unary(Unary, Box<Expr>),
    /// `x + y`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if P == 1 then x else y`.
    If {
        /// The condition that decides.
        condition: Box<Expr>,
        /// The value if it is true.
        then: Box<Expr>,
        /// The value if it is false.
        otherwise: Box<Expr>,
    },
    /// `phi(N/2, P = 4)`: a function, a model or an experiment called with values.
    Call {
        /// The function that is called.
        function: Box<Expr>,
        /// The arguments of the call.
        arguments: Vec<Argument>,
    },
    /// `m.f`, `f.time`.
    Member(Box<Expr>, Name),
    /// `m.f[2]`, `list[0]`.
    Index(Box<Expr>, Box<Expr>),
    /// `64:4096:*2`, `1:9`, `100:500:+50`.
    Range {
        /// The first value.
        first: Box<Expr>,
        /// The last value.
        last: Box<Expr>,
        /// From each value to the next; `None`: 1 more.
        step: Option<(RangeStep, Box<Expr>)>,
    },
    /// `[1, 2, 4]`.
    List(Vec<Expr>),
    /// `f where N > 4096 and P <= 16`.
    Where(Box<Expr>, Box<Expr>),
    /// `f set bytes = 8*N*N, time = time/N`: new or changed columns.
    Set(Box<Expr>, Vec<Argument>),
    /// `fit big with intervals = greedy`.
    Verb {
        /// The verb.
        verb: Verb,
        /// The arguments that the verb is applied to.
        arguments: Vec<Argument>,
        /// How, in the order of the text. Each word at most once.
        clauses: Vec<Clause>,
    },
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Minus,
    /// `not`
    Not,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
    /// `mod`
    Remainder,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `and`
    And,
    /// `or`
    Or,
    /// `P in [1, 2, 4]`, `P in 1:8`
    In,
}

/// How a range goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeStep {
    /// `:+50` or `:50`
    Add,
    /// `:*2`
    Multiply,
}

/// An argument or an item of a clause, with a name or without.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `N` of `N = 64`.
    pub name: Option<Name>,
    /// The value of the argument.
    pub value: Expr,
}

/// `at N = 2^21, P = 32`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The word of the clause.
    pub word: ClauseWord,
    /// The word's place.
    pub span: Span,
    /// At least one.
    pub items: Vec<Argument>,
}
