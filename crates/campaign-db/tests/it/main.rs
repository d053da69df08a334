//! The database of a campaign, whatever happens to its file and to those who write it.

#![forbid(unsafe_code)]

mod environments;
mod files;
mod jobs;
mod killed;
mod merged;
mod states;
mod stored;
mod support;
