//! Logs of supersteps: reading and export.

mod log;
mod log_export;
mod support;
