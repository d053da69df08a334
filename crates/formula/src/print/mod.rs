//! Formulas as text.

pub(crate) mod text;

/// How the constants are printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constants<'a> {
    /// Their names: `f[0]`.
    Names,
    /// These values, one for each term in the order of [`Formula::terms`](crate::Formula::terms),
    /// with all digits.
    Values(&'a [f64]),
    /// The same values to this number of significant digits.
    Rounded(&'a [f64], usize),
}

impl Constants<'_> {
    /// The value for this term, and the number of digits to show.
    ///
    /// # Panics
    /// If there are fewer values than terms.
    fn value(&self, term: usize) -> Option<(f64, Option<usize>)> {
        match self {
            Constants::Names => None,
            Constants::Values(values) => Some((values[term], None)),
            Constants::Rounded(values, digits) => Some((values[term], Some(*digits))),
        }
    }
}
