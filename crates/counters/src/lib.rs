//! Determines what is recorded besides the times of a program, before it is run.

#![forbid(unsafe_code)]

mod about;
mod availability;
mod caches;
mod error;
mod groups;
mod lines;
mod machine;
mod names;
mod processor;
mod simulation;

use cll_contract::{COUNTERS, SIMULATION};
use cll_trace::observable::{MAX_OBSERVABLES, Observable, PerfEvent};

pub use about::{about, is_own_doing};
pub use availability::Availability;
pub use caches::CacheSizes;
pub use cll_symbols::callgrind::{OPTIONS as CALLGRIND, instructions};
pub use error::Error;
pub use lines::differing;
pub use machine::{system, this_machine};
pub use names::{check_clause, named, names};
pub use processor::counts_together;
pub use simulation::{Simulation, is_simulated, valgrind};

use groups::divide;
use names::only_simulated;

/// Counters that a user wants.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Names of counters; PAPI's events are `papi::NAME`.
    pub counters: &'a [String],
    /// Whether the program runs under callgrind, and with which caches; caches that are not given are this
    /// machine's.
    pub simulate_caches: Option<&'a CacheSizes>,
}

/// The observables that a program records, and how it is run for that.
#[derive(Debug, Default)]
pub struct Observing {
    /// Names for the program's environment, each once.
    pub names: Vec<String>,
    /// The names in groups for separate runs; empty if they are not divided.
    pub groups: Vec<Vec<String>>,
    /// The simulation, if it runs under one.
    pub simulation: Option<Simulation>,
}

impl Observing {
    /// The counters for the options and for an observable to fit.
    ///
    /// # Errors
    /// If a counter does not exist, or is known not to be available.
    pub fn from_options(options: &Wanted<'_>, fitted: Option<&str>) -> Result<Observing, Error> {
        let mut names = names(options)?;
        if let Some(name) = fitted {
            let observable = named(name)?;
            if is_simulated(&observable.name) && options.simulate_caches.is_none() {
                return Err(only_simulated(name));
            }
            if !names.contains(&observable.name) {
                names.push(observable.name);
            }
        }
        let here = Availability::query();
        for name in names.iter().filter_map(|name| Observable::parse(name)) {
            if let Some(why) = here.refuses(&name) {
                return Err(Error::NotAvailable { name: name.name, why });
            }
        }
        let simulation = match options.simulate_caches {
            None => None,
            Some(sizes) => {
                let events = Simulation::events();
                if let Some(other) = names.iter().find(|name| !events.contains(name)) {
                    let name = other.clone();
                    return Err(Error::NotSimulated { name, simulated: events });
                }
                names = events;
                Some(Simulation::prepare(sizes)?)
            }
        };
        Ok(Observing { names, groups: Vec::new(), simulation })
    }

    /// These names, in several runs; each run records one group.
    pub fn in_groups(groups: Vec<Vec<String>>) -> Observing {
        let names = groups.concat();
        Observing { names, groups, simulation: None }
    }

    /// Divides the names into groups that can be recorded together, with those of the program's clauses.
    pub fn divide(&mut self, clauses: &[String]) {
        // A simulation has all its counters.
        if self.simulation.is_none() {
            self.groups = divided(&self.names, clauses, &mut counts_together);
        }
    }

    /// For one run that records all names: a notice on those that take turns in it.
    ///
    /// # Errors
    /// If there are more than a record has space for; the help lists runs for all of them.
    pub fn at_once(&mut self, clauses: &[String]) -> Result<Option<String>, Error> {
        self.divide(clauses);
        if self.groups.len() < 2 {
            return Ok(None);
        }
        let runs = self.groups.iter().map(|group| format!("--counters {}", group.join(",")));
        let count = in_record(&self.names, clauses);
        if count > MAX_OBSERVABLES {
            return Err(Error::TooMany { count, most: MAX_OBSERVABLES, runs: runs.collect() });
        }
        Ok(Some(format!(
            "the processor cannot count all of these at the same time: they take turns, and counts are \
             extrapolated. Runs that have them whole: {}; cll fit takes their traces together",
            runs.collect::<Vec<_>>().join("; ")
        )))
    }

    /// Records one more from now on, if nothing else is recorded; returns whether it does.
    pub fn also(&mut self, name: &str) -> bool {
        let is_free = self.names.is_empty() && self.groups.is_empty() && self.simulation.is_none();
        if is_free {
            self.names.push(name.to_owned());
        }
        is_free
    }

    /// The notice on counters in several runs; `None` if all are in one.
    pub fn in_words(&self) -> Option<String> {
        let groups: Vec<String> = self.groups.iter().map(|group| group.join(", ")).collect();
        (groups.len() > 1).then(|| {
            format!(
                "the counters cannot be recorded together: {} groups, each in separate \
                 runs: {}",
                groups.len(),
                groups.join("; ")
            )
        })
    }

    /// Whether the recorded values are equal in each run.
    pub fn is_simulated(&self) -> bool {
        self.simulation.is_some()
    }

    /// The environment of a run that records all names.
    pub fn environment(&self) -> Vec<(&'static str, std::ffi::OsString)> {
        self.environment_with(&self.names)
    }

    /// The environment of a run that records a group, by its number.
    pub fn environment_of(&self, group: usize) -> Vec<(&'static str, std::ffi::OsString)> {
        self.environment_with(self.group(group))
    }

    /// The names of a group; all if they are not divided.
    pub fn group(&self, group: usize) -> &[String] {
        self.groups.get(group).unwrap_or(&self.names)
    }

    fn environment_with(&self, names: &[String]) -> Vec<(&'static str, std::ffi::OsString)> {
        let counters = (!names.is_empty()).then(|| COUNTERS.set(names.to_vec()));
        let file = self.simulation.as_ref().map(|simulation| SIMULATION.set(&simulation.file()));
        counters.into_iter().chain(file).collect()
    }

    /// The command before the program.
    pub fn wrapper(&self) -> Vec<std::ffi::OsString> {
        self.simulation.as_ref().map(Simulation::words).unwrap_or_default()
    }
}

/// The largest number of observables in a record, with those of clauses.
fn in_record(names: &[String], clauses: &[String]) -> usize {
    let clauses = observables(clauses);
    let own =
        observables(names).into_iter().filter(|observable| !clauses.contains(observable)).count();
    own + clauses.len()
}

/// Divides the names into groups. Each group can be recorded together with the counters of clauses. `together` says
/// which events of the processor can be counted together.
pub fn divided(
    names: &[String],
    clauses: &[String],
    together: &mut dyn FnMut(&[PerfEvent]) -> bool,
) -> Vec<Vec<String>> {
    let groups = divide(&observables(names), &observables(clauses), together);
    groups
        .into_iter()
        .map(|group| group.into_iter().map(|observable| observable.name).collect())
        .collect()
}

/// The observables of the names, each once.
fn observables(names: &[String]) -> Vec<Observable> {
    let mut found: Vec<Observable> = Vec::new();
    for observable in names.iter().filter_map(|name| Observable::parse(name)) {
        if !found.contains(&observable) {
            found.push(observable);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_files::Advice;

    fn observing(counters: &[&str], simulate: Option<&str>) -> Result<Observing, String> {
        let counters = owned(counters);
        let sizes: Option<CacheSizes> = simulate.map(|sizes| sizes.parse().unwrap());
        let options = Wanted { counters: &counters, simulate_caches: sizes.as_ref() };
        Observing::from_options(&options, None).map_err(|error| error.to_string())
    }

    fn owned(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn one_run_has_as_many_as_a_record() {
        let own: Vec<String> = (0..15).map(|n| format!("papi::e{n}")).collect();
        let run = |clauses: &[&str]| {
            let mut all = Observing { names: own.clone(), ..Observing::default() };
            all.at_once(&owned(clauses))
                .map_err(|error| format!("{error}\n{}", error.help().join("\n")))
        };
        assert_eq!(run(&[]), Ok(None));
        assert_eq!(run(&["papi::e3", "cpu-time", "cpu-time"]), Ok(None));
        let why = run(&["page-faults", "cpu-time"]).unwrap_err();
        assert!(why.starts_with("17 counters are too many: 16 can be recorded"), "{why}");
        assert!(why.contains("\na run: --counters papi::e14\n"), "{why}");
    }

    #[test]
    fn a_run_records_its_group() {
        let wanted = owned(&["cycles", "cpu-time", "instructions"]);
        let groups = divided(&wanted, &[], &mut |events| events.len() < 2);
        let all = Observing::in_groups(groups);
        assert_eq!(all.environment_of(0), [("CLL_COUNTERS", "cycles,cpu-time".into())]);
        assert_eq!(all.environment_of(1), [("CLL_COUNTERS", "instructions".into())]);
        let notice = all.in_words().expect("two groups");
        assert!(
            notice.ends_with("2 groups, each in separate runs: cycles, cpu-time; instructions")
        );
        let single_run = Observing { names: wanted, ..Observing::default() };
        assert_eq!(single_run.environment_of(0), single_run.environment());
        assert_eq!(single_run.in_words(), None);
    }

    #[test]
    fn names_are_checked_before_anything_is_run() {
        let names = observing(&["cpu-time", " perf::faults ", "cpu-time", ""], None).unwrap().names;
        assert_eq!(names, ["cpu-time", "page-faults"]);
        assert_eq!(observing(&[], None).unwrap().environment(), []);
        let wrong = observing(&["page-falts"], None).unwrap_err();
        assert!(wrong.contains("no counter page-falts: did you mean page-faults?"), "{wrong}");
        assert!(observing(&["sim::Ir"], None).unwrap_err().contains("simulation only"));
        let clause = check_clause("a.c:3", &["cpu-time".into(), "cycels".into()]);
        assert_eq!(
            clause.unwrap_err().to_string(),
            "a.c:3: there is no counter cycels: did you mean cycles?"
        );
    }
}
