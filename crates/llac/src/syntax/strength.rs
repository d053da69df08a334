//! How strongly operators bind: the same for reading and for writing.

use super::ast::Binary;

/// `or`
pub(super) const OR: u8 = 1;
/// `and`
pub(super) const AND: u8 = 2;
/// `not`
pub(super) const NOT: u8 = 3;
/// Comparisons and `in`; none of them after another.
pub(super) const COMPARISON: u8 = 4;
/// `a:b:c`
pub(super) const RANGE: u8 = 5;
/// `+` and `-`
pub(super) const SUM: u8 = 6;
/// `*`, `/` and `mod`
pub(super) const PRODUCT: u8 = 7;
/// `-` before a value
pub(super) const MINUS: u8 = 8;
/// `^`, from right to left
pub(super) const POWER: u8 = 9;
/// Calls, members, indices
pub(super) const POSTFIX: u8 = 10;
/// Names, numbers, texts, lists
pub(super) const PRIMARY: u8 = 11;

/// The strength of an operator between values.
pub(super) fn binary(operator: Binary) -> u8 {
    match operator {
        Binary::Or => OR,
        Binary::And => AND,
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::In => COMPARISON,
        Binary::Add | Binary::Subtract => SUM,
        Binary::Multiply | Binary::Divide | Binary::Remainder => PRODUCT,
        Binary::Power => POWER,
    }
}
