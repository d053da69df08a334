//! Models: comparison, planning and ranking. Fits are the crate `analysis`'.

mod comparing;
mod planning;
mod ranking;

pub use comparing::Older;
pub use planning::{PROCESSORS, Planning, PlanningInput, candidates};
pub use ranking::{MAIN, RankedRun, RankingInput, powers_of_two, ranking};
