//! From a fit or a prediction to warnings that a user should know, each with a sentence and with a code that never changes.

mod code;
mod continuation;
mod first_call;
mod kind;
mod of_fit;
mod of_levels;
mod of_prediction;
mod one_at_a_time;
mod sentence;
mod text;
mod texts;
mod told_together;

pub use first_call::first_call;
pub use kind::Warning;
pub(crate) use of_fit::{notes, warnings};
pub(crate) use text::{count, list, number, percent, place, quantity};
pub use told_together::{Sentence, sentences};
