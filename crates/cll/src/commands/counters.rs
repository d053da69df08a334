//! `cll counters`: lists the counters, and which are available here.

use cll_report::counters_text;
use cll_result::{KnownCounter, KnownCounters};
use cll_trace::observable::{Observable, ObservableSource};

use crate::cli::CountersArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use cll_counters::{Availability, about};

/// Prints the list.
pub fn run(args: &CountersArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let here = Availability::query();
    let counters: Vec<KnownCounter> = Observable::known()
        .iter()
        .filter_map(|name| Observable::parse(name))
        .map(|observable| counter(&observable, &here))
        .collect();
    let known = KnownCounters::new(here.papi().map(|path| path.display().to_string()), counters);
    if args.json {
        terminal.json(&known)?
    } else {
        terminal.print(counters_text(&known, &terminal.style()))?
    }
    Ok(0)
}

fn counter(observable: &Observable, here: &Availability) -> KnownCounter {
    let why_not = here.refuses(observable);
    KnownCounter {
        name: observable.name.clone(),
        unit: observable.unit(),
        source: match &observable.source {
            ObservableSource::Perf(event) if event.is_hardware() => "processor",
            ObservableSource::Perf(_) => "kernel",
            ObservableSource::Papi(_) => "papi",
            ObservableSource::Simulated(_) => "simulation",
            _ => "system",
        },
        about: about(observable),
        additive: observable.is_additive(),
        available: why_not.is_none(),
        why_not,
    }
}
