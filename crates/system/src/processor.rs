//! Reads what the system says of the first processor.

use crate::{field, text};

/// The value of the first of these fields of `/proc/cpuinfo` that is there.
pub fn processor(names: &[&str]) -> Option<String> {
    let text = text("/proc/cpuinfo");
    names.iter().find_map(|name| field(&text, name)).map(str::to_owned)
}
