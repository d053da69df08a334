//! The variables of a formula.

/// A value of the program that is recorded when a region begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Canonical text, white space normalised: `N`, `a->n`, `m.rows`,
    /// `len[i]`, `sizeof(Complex)`.
    pub name: String,
    /// C text that evaluates it in the program, where the region begins.
    pub c: String,
    /// The outermost form.
    pub kind: VariableKind,
}

/// The outermost form of a [`Variable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A plain name: `N`.
    Identifier,
    /// A member: `a->n`, `m.rows`.
    Member,
    /// An element: `len[i]`.
    Element,
    /// A size that only the compiler knows: `sizeof(Complex)`.
    Size,
    /// Any other C expression without side effects (only in `uses(…)`): `n * m`.
    Expression,
}
