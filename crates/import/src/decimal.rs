//! The decimal sign of numbers.

/// The character before a fraction. The other one may separate thousands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    /// `0.5`, `1,000.5`
    #[default]
    Point,
    /// `0,5`, `1.000,5`
    Comma,
}

impl Decimal {
    /// The character.
    pub fn sign(self) -> char {
        match self {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        }
    }

    /// The sign of this character.
    pub fn of(character: char) -> Option<Decimal> {
        [Decimal::Point, Decimal::Comma].into_iter().find(|sign| sign.sign() == character)
    }

    pub(crate) fn other(self) -> Decimal {
        match self {
            Decimal::Point => Decimal::Comma,
            Decimal::Comma => Decimal::Point,
        }
    }
}
