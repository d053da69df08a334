//! Models: comparison. Fits, planning and ranking are the crate `analysis`'.

mod comparing;

pub use comparing::Older;
