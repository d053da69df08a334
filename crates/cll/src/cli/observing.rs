//! What is recorded beside the time: shared by `cll run` and `cll model`.

use clap::Args;

use cll_counters::{CacheSizes, Wanted};

/// What is recorded with each sample.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Counters")]
pub struct ObservingOptions {
    /// Record these with each sample, such as page-faults,cpu-time; cll counters lists them
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub counters: Vec<String>,

    /// Run under valgrind's callgrind: instructions, reads, writes, misses of caches. SIZES, such
    /// as D1=32K,LL=8M, replaces those of this machine's caches
    #[arg(long, value_name = "SIZES", num_args = 0..=1, require_equals = true,
          default_missing_value = "", conflicts_with = "counters")]
    pub simulate_caches: Option<CacheSizes>,
}

impl ObservingOptions {
    /// As the crate of counters takes it.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { counters: &self.counters, simulate_caches: self.simulate_caches.as_ref() }
    }
}

/// Print what can be counted, and whether it can be here
///
/// Every name is one for --counters, for the clause counters(NAME, …) of a program, and for
/// --observable. Events of PAPI (papi::NAME) are those of the installed library; it has tools that
/// list them: papi_avail, papi_native_avail.
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
