//! Complexity formulas of experiments: parse, canonical form, evaluate, print.
//!
//! A formula is a sum of terms; each term is one constant of the experiment, `NAME[k]`, times an
//! expression of recorded variables without constants. [`parse`] reads a formula and reports
//! errors; a [`Formula`] gives the rows of a design matrix ([`Formula::terms_at`]), the value for
//! given constants ([`Formula::evaluate`]), and itself as text.
//!
//! A [`Complexity`] is a formula as users write it: some of its exponents may be constants, too.
//!
//! [`parse_quantity`] reads an expression without constants and keeps its numbers.
//!
//! All arithmetic is in double precision, whatever the C types of the variables: `N/P` is a real
//! quotient.

#![forbid(unsafe_code)]

mod along;
mod canonical;
mod codes;
mod complexity;
mod evaluate;
mod expression;
mod formula;
mod power;
mod print;
mod products;
mod quantity;
mod syntax;
mod term;
mod variable;

pub use along::{Along, TermAlong};
pub use codes::CODES;
pub use complexity::Complexity;
pub use evaluate::factorial;
pub use expression::{Expression, Function};
pub use formula::{Formula, Parsed, ParsedVariables, parse, parse_anonymous, parse_variables};
pub use power::{MAX_EXPONENTS, PowerFormula};
pub use print::Constants;
pub use quantity::{ParsedQuantity, Quantity, parse_quantity};
pub use term::Term;
pub use variable::{Variable, VariableKind};
