//! The formats, a file each.

pub(crate) mod caliper;
pub(crate) mod criterion;
pub(crate) mod extrap_json;
pub(crate) mod extrap_lines;
pub(crate) mod extrap_old_json;
pub(crate) mod go_test;
pub(crate) mod google_benchmark;
pub(crate) mod hyperfine;
pub(crate) mod jmh;
pub(crate) mod pytest_benchmark;
pub(crate) mod records;
pub(crate) mod reframe;
pub(crate) mod talpas;
