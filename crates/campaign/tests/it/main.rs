//! Plans of campaigns, and the jobs they become.

mod batch;
mod plan;
