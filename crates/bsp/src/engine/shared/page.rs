//! Pages of memory.

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;
