//! The counters that can be recorded: `cll counters --json`.

use schemars::JsonSchema;
use serde::Serialize;

/// All counters, available on this machine or not.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownCounters {
    format: &'static str,
    version: u32,
    /// PAPI's library; `None` if it is not installed.
    pub papi: Option<String>,
    /// In their order.
    pub counters: Vec<KnownCounter>,
}

/// Something that can be counted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownCounter {
    /// The name of the counter: `page-faults`.
    pub name: String,
    /// Unit of its values.
    pub unit: &'static str,
    /// The source: `system`, `kernel`, `processor`, `papi`, `simulation`.
    pub source: &'static str,
    /// A description of the counter.
    pub about: &'static str,
    /// Whether values of parts add up.
    pub additive: bool,
    /// Whether it can be had here.
    pub available: bool,
    /// Why not.
    pub why_not: Option<String>,
}

impl KnownCounters {
    /// With PAPI's library, if there is one.
    pub fn new(papi: Option<String>, counters: Vec<KnownCounter>) -> KnownCounters {
        KnownCounters { format: "cll-counters", version: 1, papi, counters }
    }
}
