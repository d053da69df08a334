//! Reads what Linux says of this machine and its processes, in `/proc`, `/sys` and control groups.
//!
//! Data that the system does not give are missing; nothing is guessed.

#![forbid(unsafe_code)]

mod control_groups;
mod load;
mod memory;
mod process;
mod processor;
mod written;

pub use control_groups::{ControlGroup, control_groups};
pub use load::{Load, load};
pub use memory::{AvailableMemory, available_memory, page_size};
pub use process::{ProcessStat, children, descendants, is_running, processes};
pub use processor::processor;
pub use written::{bytes, field, number, numbers, text};
