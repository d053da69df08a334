//! Campaigns: how far one is, and two of one plan beside each other.

mod comparison;
mod status;

pub use comparison::comparison_text;
pub use status::{campaign_counts_text, campaign_status_text, plan_text};
