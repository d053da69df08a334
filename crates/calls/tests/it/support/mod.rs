//! The parts of logs that are made by hand.
#![allow(dead_code)] // each test file uses its part

use std::io::Cursor;

use cll_calls::Input;
use cll_trace::TraceError;

pub mod ranks;
#[path = "../../../../trace/tests/it/support.rs"]
mod traces;

pub use traces::sealed;

/// Opens logs that are in memory.
pub fn opener<'l>(
    logs: &'l [impl AsRef<[u8]>],
) -> impl FnMut(usize) -> Result<Box<dyn Input + 'l>, TraceError> + 'l {
    |index| Ok(Box::new(Cursor::new(logs[index].as_ref())))
}
