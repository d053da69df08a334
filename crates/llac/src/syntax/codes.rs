//! The codes of diagnostics of the syntax; `docs/llac.md` explains each.

/// A character that the language does not have.
pub const CHARACTER: &str = "L001";
/// A text or a name in backquotes without its end, or with an unknown `\` in it.
pub const QUOTE: &str = "L002";
/// An invalid number.
pub const NUMBER: &str = "L003";
/// An unknown unit.
pub const UNIT: &str = "L004";
/// A bracket without the matching one.
pub const BRACKET: &str = "L005";
/// Something else where a value is required.
pub const VALUE: &str = "L006";
/// Something that cannot follow here.
pub const UNEXPECTED: &str = "L007";
/// A word of the language where a name is required.
pub const RESERVED: &str = "L008";
/// `=` where two values are compared.
pub const EQUALS: &str = "L009";
/// Comparisons one after the other.
pub const CHAIN: &str = "L010";
/// A clause without items, given twice, or without a verb.
pub const CLAUSE: &str = "L011";
/// An unknown verb.
pub const VERB: &str = "L012";
/// A verb inside an expression.
pub const INSIDE: &str = "L013";
/// Nested too deeply.
pub const DEPTH: &str = "L014";
/// A value is given to something that is no name and no function.
pub const TARGET: &str = "L015";
/// The parameters of a function.
pub const PARAMETERS: &str = "L016";
/// The words of a command.
pub const COMMAND: &str = "L017";
/// `if` without `then` or `else`.
pub const IF: &str = "L018";
/// An item that needs a name.
pub const ITEM: &str = "L019";
/// The list of errors is not complete.
pub const MORE: &str = "L020";

/// All codes of the syntax; `docs/llac.md` explains each.
pub const CODES: &[&str] = &[
    CHARACTER, QUOTE, NUMBER, UNIT, BRACKET, VALUE, UNEXPECTED, RESERVED, EQUALS, CHAIN, CLAUSE,
    VERB, INSIDE, DEPTH, TARGET, PARAMETERS, COMMAND, IF, ITEM, MORE,
];
