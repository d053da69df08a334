//! The machine that something belongs to.

use serde::{Deserialize, Serialize};

/// What the system says of the machine; nothing of it is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name.
    pub host: String,
    /// Model name of its processor.
    pub cpu: String,
    /// Processors that can be used.
    pub processors: u32,
    /// The caches that a program on the first processor has.
    pub caches: Vec<Cache>,
}

impl Machine {
    /// Name and bytes of each cache.
    pub fn sizes(&self) -> Vec<(String, u64)> {
        self.caches.iter().map(|cache| (cache.name.clone(), cache.bytes)).collect()
    }
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    /// `L1`, `L2`, …
    pub name: String,
    /// Its size.
    pub bytes: u64,
}
