//! Times of virtual processors and ranks, each as if it had its own core: [`Costs`] of communication that a run gets,
//! and the predictions from its log.

mod costs;
mod interval;
mod prediction;
mod ranks;
mod real;
mod rounds;

pub use costs::Costs;
pub use prediction::virtual_prediction;
pub use ranks::RankCosts;
pub use rounds::of_rounds;
