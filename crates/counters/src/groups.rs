//! Divides counters that cannot be recorded together among runs.

use cll_trace::observable::{MAX_OBSERVABLES, Observable, ObservableSource, PerfEvent};

/// Groups that can each be recorded in a run, in the order of the request. Misses are together with their accesses
/// if possible: their quotient needs samples with both.
///
/// `always` is in every run: the clauses of the program. `together` says whether events of the processor can be
/// counted at the same time; it is never called for one alone. An event that is not available makes a separate
/// group.
pub fn divide(
    wanted: &[Observable],
    always: &[Observable],
    together: &mut dyn FnMut(&[PerfEvent]) -> bool,
) -> Vec<Vec<Observable>> {
    let is_always = |candidate: &&Observable| always.contains(candidate);
    let (mut fits, free) = (Fits { always, together }, wanted.iter().filter(is_always));
    let mut groups: Vec<Vec<Observable>> = Vec::new();
    for bundle in bundles(wanted.iter().filter(|observable| !is_always(observable))) {
        let parts = if fits.alone(&bundle) {
            vec![bundle]
        } else {
            bundle.into_iter().map(|observable| vec![observable]).collect()
        };
        for part in parts {
            match groups.iter().position(|group| fits.beside(group, &part)) {
                Some(group) => groups[group].extend(part),
                None => groups.push(part),
            }
        }
    }
    // Requested by name, too, they are counted at all places; this needs no additional counter.
    let free: Vec<Observable> = free.cloned().collect();
    match groups.is_empty() {
        true if free.is_empty() => Vec::new(),
        true => vec![free],
        false => groups.into_iter().map(|group| [free.as_slice(), &group].concat()).collect(),
    }
}

/// Counters to record together if possible: misses and accesses.
fn bundles<'a>(wanted: impl Iterator<Item = &'a Observable> + Clone) -> Vec<Vec<Observable>> {
    let mut bundles: Vec<(String, Vec<Observable>)> = Vec::new();
    for observable in wanted.clone() {
        let accesses =
            observable.accesses().filter(|name| wanted.clone().any(|other| other.name == *name));
        let name = accesses.unwrap_or_else(|| observable.name.clone());
        match bundles.iter_mut().find(|(known, _)| *known == name) {
            Some((_, bundle)) => bundle.push(observable.clone()),
            None => bundles.push((name, vec![observable.clone()])),
        }
    }
    bundles.into_iter().map(|(_, bundle)| bundle).collect()
}

struct Fits<'a> {
    always: &'a [Observable],
    together: &'a mut dyn FnMut(&[PerfEvent]) -> bool,
}

impl Fits<'_> {
    fn alone(&mut self, bundle: &[Observable]) -> bool {
        bundle.len() == 1 || self.beside(&[], bundle)
    }

    fn beside(&mut self, group: &[Observable], more: &[Observable]) -> bool {
        let all = || self.always.iter().chain(group).chain(more);
        if all().count() > MAX_OBSERVABLES {
            return false;
        }
        let events: Vec<PerfEvent> = all().filter_map(of_processor).collect();
        let is_asked =
            more.iter().any(|observable| of_processor(observable).is_some()) && events.len() > 1;
        !is_asked || (self.together)(&events)
    }
}

fn of_processor(observable: &Observable) -> Option<PerfEvent> {
    match observable.source {
        ObservableSource::Perf(event) if event.is_hardware() => Some(event),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups for a processor that counts `most` events at the same time.
    fn divided(most: usize, wanted: &[&str], always: &[&str]) -> Vec<Vec<String>> {
        let observables = |names: &[&str]| -> Vec<Observable> {
            names.iter().map(|name| Observable::parse(name).expect(name)).collect()
        };
        let groups =
            divide(&observables(wanted), &observables(always), &mut |events| events.len() <= most);
        groups
            .into_iter()
            .map(|group| group.into_iter().map(|observable| observable.name).collect())
            .collect()
    }

    #[test]
    fn what_fits_is_one_group() {
        assert_eq!(divided(4, &[], &[]), Vec::<Vec<String>>::new());
        assert_eq!(divided(4, &["cpu-time", "cycles"], &[]), [["cpu-time", "cycles"]]);
        let four = ["cycles", "instructions", "branches", "page-faults", "r01", "cpu-time"];
        assert_eq!(divided(4, &four, &[]), [four]);
    }

    #[test]
    fn events_of_the_processor_are_divided_by_what_it_counts_at_once() {
        let wanted = ["cycles", "page-faults", "instructions", "r01", "r02", "r03", "cpu-time"];
        let groups = divided(2, &wanted, &[]);
        let expected: [&[&str]; 3] =
            [&["cycles", "page-faults", "instructions", "cpu-time"], &["r01", "r02"], &["r03"]];
        assert_eq!(groups, expected);
        // No call for one event alone: whether it is available is checked elsewhere.
        assert_eq!(divided(0, &["r01", "r02"], &[]), [["r01"], ["r02"]]);
    }

    #[test]
    fn misses_stay_with_their_accesses() {
        let wanted = ["LLC-load-misses", "cycles", "branch-misses", "LLC-loads", "branches", "r01"];
        let expected: [&[&str]; 2] =
            [&["LLC-load-misses", "LLC-loads", "cycles"], &["branch-misses", "branches", "r01"]];
        assert_eq!(divided(3, &wanted, &[]), expected);
        let alone: [&[&str]; 2] = [&["LLC-load-misses"], &["LLC-loads"]];
        assert_eq!(divided(1, &["LLC-load-misses", "LLC-loads"], &[]), alone);
    }

    #[test]
    fn what_clauses_ask_for_takes_its_counters_in_every_run() {
        let groups = divided(3, &["cycles", "r01", "r02", "instructions"], &["cycles", "branches"]);
        let expected: [&[&str]; 3] =
            [&["cycles", "r01"], &["cycles", "r02"], &["cycles", "instructions"]];
        assert_eq!(groups, expected);
        assert_eq!(divided(1, &["cycles"], &["cycles"]), [["cycles"]]);
    }

    #[test]
    fn records_have_room_for_so_many() {
        let names: Vec<String> = (0..20).map(|n| format!("papi::e{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let groups = divided(4, &names, &["cpu-time"]);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [15, 5]);
        assert_eq!(groups.concat(), names);
    }
}
