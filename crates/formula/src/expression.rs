//! Expressions over the variables of a formula.

/// An expression without constants of the experiment.
///
/// Chains of operators are flat, in the order of the text, and are evaluated from left to right; so
/// the depth is that of parentheses, not the length of a chain.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A finite number, not negative.
    Number(f64),
    /// A variable, as an index into [`Formula::variables`](crate::Formula::variables).
    Variable(usize),
    /// `-x`.
    Negated(Box<Expression>),
    /// `a + b - c`: at least two; `true` marks a subtracted one.
    Sum(Vec<(bool, Expression)>),
    /// `a * b / c`: at least two, the first is never a divisor; `true` marks a divisor.
    Product(Vec<(bool, Expression)>),
    /// `a % b`: C's `fmod`.
    Remainder(Box<Expression>, Box<Expression>),
    /// `a ^ b`, `pow(a, b)`.
    Power(Box<Expression>, Box<Expression>),
    /// A function of one or two arguments.
    Call(Function, Vec<Expression>),
}

/// The functions of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Natural logarithm, as in C.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// Exponential.
    Exp,
    /// Square root.
    Sqrt,
    /// Cube root.
    Cbrt,
    /// Absolute value; also written `fabs`.
    Abs,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// Largest integer that is not greater.
    Floor,
    /// Smallest integer that is not less.
    Ceil,
    /// `n!` of an integer `n >= 0`; NaN for any other number, inf above 170.
    Factorial,
}

impl Function {
    /// The name in formulas.
    pub fn name(self) -> &'static str {
        match self {
            Function::Log => "log",
            Function::Log2 => "log2",
            Function::Log10 => "log10",
            Function::Exp => "exp",
            Function::Sqrt => "sqrt",
            Function::Cbrt => "cbrt",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Factorial => "factorial",
        }
    }

    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Function::Min | Function::Max => 2,
            _ => 1,
        }
    }
}
