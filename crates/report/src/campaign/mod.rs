//! Campaigns: the state of one, and two of one plan compared.

mod comparison;
mod status;

pub use comparison::comparison_text;
pub use status::{campaign_counts_text, campaign_status_text, plan_text};
