//! Notices on a fit of something other than the time.

use cll_result::Notice;
use cll_trace::Trace;

use cll_counters::is_simulated;

/// Notices on the fitted observable, and on times that have no meaning.
pub fn about_observable(trace: &Trace, fitted: Option<&str>) -> Vec<Notice> {
    let mut all = trace.experiments.iter().flat_map(|experiment| &experiment.observables);
    let text = match fitted {
        Some("cpu-time") => {
            "the fitted value is processor time: it contains no waiting, neither for other programs nor \
             for input and locks; it contains the effect of others on the caches (some 4 to 17 % under load)"
                .to_owned()
        }
        Some(name) if is_simulated(name) => format!(
            "the fitted value is {name} of a simulation: equal in each run, with simulated caches in \
             place of this machine's"
        ),
        Some(name) => format!("the fitted value is {name}, not the time"),
        None if all.any(|observed| is_simulated(&observed.name)) => {
            "the program ran in a simulation, which takes some 50 times as long: its times are not \
             measurements; --observable sim::Ir fits the counted instructions"
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
