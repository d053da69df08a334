//! What should be known of a fit of something else than the time.

use cll_result::Notice;
use cll_trace::Trace;

use cll_counters::is_simulated;

/// What to say of what was fitted, and of times that mean nothing.
pub fn about_observable(trace: &Trace, fitted: Option<&str>) -> Vec<Notice> {
    let mut all = trace.experiments.iter().flat_map(|one| &one.observables);
    let text = match fitted {
        Some("cpu-time") => {
            "what is fitted is processor time: waiting is not in it, neither for other programs nor \
             for input and locks; what others do to the caches is (some 4 to 17 % under load)"
                .to_owned()
        }
        Some(name) if is_simulated(name) => format!(
            "what is fitted is {name} of a simulation: the same each time, with its own caches in \
             place of this machine's"
        ),
        Some(name) => format!("what is fitted is {name}, not the time"),
        None if all.any(|one| is_simulated(&one.name)) => {
            "the program ran in a simulation, which takes some 50 times as long: its times are no \
             measurement; --observable sim::Ir fits what was counted"
                .to_owned()
        }
        None => return Vec::new(),
    };
    let code = match fitted {
        Some("cpu-time") => "cpu-time",
        Some(_) => "observable",
        None => "simulated-time",
    };
    vec![Notice::new(code, text)]
}
