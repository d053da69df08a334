//! The options for values that are recorded beside the time: shared by `cll run` and `cll model`.

use clap::Args;

use cll_counters::{CacheSizes, Wanted};

/// Counters to record with each sample.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Counters")]
pub struct ObservingOptions {
    /// Record these with each sample, such as page-faults,cpu-time; cll counters lists the names
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub counters: Vec<String>,

    /// Run under valgrind's callgrind, and record instructions, reads, writes and cache misses. With SIZES,
    /// such as D1=32K,LL=8M, the simulated caches have other sizes than those of this machine
    #[arg(long, value_name = "SIZES", num_args = 0..=1, require_equals = true,
          default_missing_value = "", conflicts_with = "counters")]
    pub simulate_caches: Option<CacheSizes>,
}

impl ObservingOptions {
    /// The options as `cll_counters` takes them.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { counters: &self.counters, simulate_caches: self.simulate_caches.as_ref() }
    }
}

/// List all counters, and which of them this machine has
///
/// The names are for --counters, for the clause counters(NAME, …) of a program, and for
/// --observable. PAPI's events (papi::NAME) are those of the installed library; its tools papi_avail
/// and papi_native_avail list them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll counters
  cll counters --json | jq -r '.counters[] | select(.available) | .name'")]
pub struct CountersArgs {
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}
