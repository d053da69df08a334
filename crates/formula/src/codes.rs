//! The codes of diagnostics; `docs/language.md` explains each.

/// A character that formulas cannot contain.
pub const CHARACTER: &str = "F001";
/// An invalid number.
pub const NUMBER: &str = "F002";
/// Something else where an operand is required.
pub const OPERAND: &str = "F003";
/// Two operands with no operator between them.
pub const ADJACENT: &str = "F004";
/// A bracket without the matching one.
pub const BRACKET: &str = "F005";
/// A function that formulas do not have.
pub const FUNCTION: &str = "F006";
/// A function with too few or too many arguments.
pub const ARITY: &str = "F007";
/// An operator of C that formulas do not have.
pub const OPERATOR: &str = "F008";
/// A cast that would truncate or reinterpret.
pub const CAST: &str = "F009";
/// Nested too deeply.
pub const DEPTH: &str = "F010";
/// An empty formula.
pub const EMPTY: &str = "F011";
/// The list of errors is not complete.
pub const MORE: &str = "F012";
/// Brackets of a variable (index, `sizeof`) contain something that must not be evaluated.
pub const VARIABLE: &str = "F013";
/// NaN or infinity.
pub const NOT_FINITE: &str = "F014";
/// A keyword of C.
pub const KEYWORD: &str = "F015";
/// The index of a constant is not an integer from 0 up.
pub const INDEX: &str = "F020";
/// A term without a constant.
pub const NO_CONSTANT: &str = "F021";
/// A term with several constants.
pub const SEVERAL_CONSTANTS: &str = "F022";
/// A constant that divides.
pub const DIVISOR: &str = "F023";
/// A constant inside a function, power or remainder.
pub const INSIDE: &str = "F024";
/// A constant in two terms.
pub const TWICE: &str = "F025";
/// A product with a sum that contains constants.
pub const EXPANSION: &str = "F026";
/// A numeric factor that is zero or not finite.
pub const FACTOR: &str = "F027";
/// Terms that are linearly dependent for all values.
pub const DEPENDENT: &str = "F028";
/// Too many terms or variables.
pub const TOO_MANY: &str = "F029";
/// No constant gives the name of the experiment.
pub const NO_NAME: &str = "F030";
/// A numeric factor or sign was absorbed by a constant.
pub const ABSORBED: &str = "F040";
/// The constants are not numbered consecutively.
pub const GAP: &str = "F041";
/// An array element whose name is close to that of the experiment.
pub const CLOSE_NAME: &str = "F042";
/// The experiment's name without an index.
pub const NO_INDEX: &str = "F043";
/// A quotient of integer literals, which C would truncate.
pub const QUOTIENT: &str = "F044";
/// An octal literal.
pub const OCTAL: &str = "F045";
/// A term that was no number at any point tried.
pub const UNDEFINED: &str = "F046";

/// All codes of this crate's diagnostics; `docs/language.md` explains each.
pub const CODES: &[&str] = &[
    CHARACTER,
    NUMBER,
    OPERAND,
    ADJACENT,
    BRACKET,
    FUNCTION,
    ARITY,
    OPERATOR,
    CAST,
    DEPTH,
    EMPTY,
    MORE,
    VARIABLE,
    NOT_FINITE,
    KEYWORD,
    INDEX,
    NO_CONSTANT,
    SEVERAL_CONSTANTS,
    DIVISOR,
    INSIDE,
    TWICE,
    EXPANSION,
    FACTOR,
    DEPENDENT,
    TOO_MANY,
    NO_NAME,
    ABSORBED,
    GAP,
    CLOSE_NAME,
    NO_INDEX,
    QUOTIENT,
    OCTAL,
    UNDEFINED,
];
