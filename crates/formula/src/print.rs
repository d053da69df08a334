//! Formulas as text, C and LaTeX.

/// What stands for the constants in a printed formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constants<'a> {
    /// Their names: `f[0]`.
    Names,
    /// These values, one for each term in the order of
    /// [`Formula::terms`](crate::Formula::terms), with all digits that tell them apart.
    Values(&'a [f64]),
    /// The same values to this number of significant digits (C keeps all digits).
    Rounded(&'a [f64], usize),
}
