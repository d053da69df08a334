//! What can be counted, as people read it.

use cll_result::{KnownCounter, KnownCounters};

/// A part for each source: what can be had, and what not, with the reason.
pub fn counters_text(known: &KnownCounters) -> String {
    let mut text = String::new();
    for (source, title) in SECTIONS {
        let own = known.counters.iter().filter(|one| one.source == source);
        let (there, missing): (Vec<&KnownCounter>, Vec<&KnownCounter>) =
            own.partition(|one| one.available);
        text += &format!("{title}\n");
        let width = there.iter().map(|one| one.name.len()).max().unwrap_or(0);
        for one in &there {
            text += &format!("  {:width$}  {} [{}]\n", one.name, one.about, one.unit);
        }
        for (why, names) in by_reason(&missing) {
            let verb = if there.is_empty() && names.len() > 1 { "none of them" } else { "not" };
            text += &format!("  {verb} here: {why}\n");
            for line in names.chunks(5) {
                text += &format!("    {}\n", line.join("  "));
            }
        }
        text.push('\n');
    }
    text += "By PAPI (papi::NAME, or PAPI_… and …:::… as they are)\n";
    text += &match &known.papi {
        Some(path) => {
            format!("  {path}; papi_avail and papi_native_avail list its events\n")
        }
        None => {
            "  not here: libpapi.so is not installed; Debian's package is libpapi-dev\n".to_owned()
        }
    };
    text
}

const SECTIONS: [(&str, &str); 4] = [
    ("system", "Kept by the kernel of every thread"),
    ("kernel", "Events that the kernel counts"),
    (
        "processor",
        "Events that the processor counts, in the program's own code (also rUUEE: by number)",
    ),
    ("simulation", "By a simulation (--simulate-caches)"),
];

/// Names by why they cannot be had.
fn by_reason<'a>(missing: &[&'a KnownCounter]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in missing {
        let why = one.why_not.as_deref().unwrap_or_default();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&one.name),
            None => reasons.push((why, vec![&one.name])),
        }
    }
    reasons
}
