//! Searches the formula of data.
//!
//! [`search`] takes [`Data`](cll_fit::Data) and gives a [`Search`]: formulas that are sums of products of powers
//! and logarithms, each with its constants and its weight beside the others; what the data cannot distinguish; and
//! predictions averaged over all that are possible ([`Search::predict`]).
//!
//! [`suggest`] repairs a given formula: it names a term that is missing, superfluous or of another shape. An
//! [`Average`] is what a stored model needs to average predictions as the search does.
//!
//! Models are weighed by their evidence (`evidence.rs` has the equation), which measured better than Akaike weights;
//! these and the error at sizes that were left out are given beside it. All models of one and two variables with up
//! to two terms (three with a product) are tried, more by local search. Method and measurements:
//! `docs/statistics.md`.
//!
//! Nothing here reads files, the clock or the environment.
#![forbid(unsafe_code)]

mod average;
mod block;
mod candidates;
mod common;
mod division;
mod evidence;
mod exhaustive;
mod factor;
mod given;
mod judge;
mod left_out;
mod local;
mod mixture;
mod observed;
mod options;
mod predict;
mod pursuit;
mod relevant;
mod result;
mod search;
mod solution;
mod suggest;
mod task;
mod term;
mod thinned;
mod tie;
mod weigh;
mod weighted;

pub use average::{Average, AverageError, AveragedFormula, AveragedVariable, ReadyAverage};
pub use division::{search, search_all, search_undivided};
pub use factor::Factor;
pub use options::{Dictionary, Options};
pub use predict::Averaged;
pub use result::{Candidate, Distinction, Division, Miss, NoFormula, Note, Search, SearchError};
pub use search::FEW;
pub use suggest::{Change, Judged, SuggestError, SuggestedConstant, Suggestion, suggest};
pub use thinned::{only_value, search_thinned};
