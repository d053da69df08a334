//! Which time of a region is meant.

/// The time (or observable) of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// With the regions inside it.
    #[default]
    Inclusive,
    /// Without the regions inside it.
    Exclusive,
}
