//! Reduces the samples that the threads of an OpenMP program took of the same passage to one.
//!
//! Only after a `sync` all threads of a team are known to take part: OpenMP has no barrier inside a
//! worksharing construct. Other samples of several threads are kept one by one.

use std::collections::BTreeMap;

use cll_trace::Warning;
use cll_trace::{Cell, Experiment, Imbalance, Origin, Start};

/// Whether all threads of a team reach the samples of an origin before any of them starts.
pub(crate) fn is_in_team(experiment: &Experiment, origin: &Origin) -> bool {
    let place = experiment.places.get(origin.place as usize);
    origin.start == Start::Barrier && place.is_some_and(|place| place.model == "OpenMP")
}

/// Keeps the sample of the slowest thread of each passage: the k-th of a thread at a tuple of
/// values is of the same passage as the k-th of every other, if all have the same number. Otherwise
/// there is a warning. `is_alone` says whether a process is not part of a parallel program with
/// others.
pub(crate) fn keep_slowest(
    experiment: &mut Experiment,
    is_alone: &dyn Fn(u32) -> bool,
) -> Option<Warning> {
    let in_teams: Vec<bool> = experiment
        .origins
        .iter()
        .map(|origin| is_alone(origin.process) && is_in_team(experiment, origin))
        .collect();
    if !in_teams.contains(&true) {
        return None;
    }
    let mut imbalance = experiment.imbalance.unwrap_or_default();
    let mut uneven = None;
    let mut cells = std::mem::take(&mut experiment.cells);
    for cell in &mut cells {
        let teams = teams(cell, experiment, &in_teams);
        let mut kept: Vec<usize> = teams.alone;
        for threads in teams.processes.into_values() {
            let counts = || threads.values().map(Vec::len);
            let (most, fewest) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
            if most != fewest {
                let threads_met = threads.len() as u32;
                uneven.get_or_insert((threads_met, fewest as u64, most as u64));
                kept.extend(threads.into_values().flatten());
                continue;
            }
            for passage in 0..most {
                let samples = || threads.values().map(|samples| samples[passage]);
                let times = &cell.inclusive;
                let longest = samples().max_by(|&a, &b| times[a].total_cmp(&times[b]));
                kept.extend(longest);
                super::add(&mut imbalance, samples().map(|sample| times[sample]));
            }
        }
        kept.sort_unstable();
        cell.keep_samples(&kept);
    }
    experiment.cells = cells;
    experiment.imbalance = Some(imbalance).filter(|all: &Imbalance| all.passages > 0);
    let (threads, fewest, most) = uneven?;
    Some(Warning::Uneven { name: experiment.name.clone(), threads, fewest, most })
}

/// The samples of a cell: their indices.
#[derive(Default)]
struct Teams {
    /// For each process the samples of each of its threads.
    processes: BTreeMap<u32, BTreeMap<u32, Vec<usize>>>,
    /// Samples outside any team.
    alone: Vec<usize>,
}

fn teams(cell: &Cell, experiment: &Experiment, in_teams: &[bool]) -> Teams {
    let mut teams = Teams::default();
    let mut sample = 0;
    for stretch in &cell.stretches {
        let samples = sample..sample + stretch.count as usize;
        sample = samples.end;
        let origin = experiment.origins.get(stretch.origin as usize);
        match origin.filter(|_| in_teams.get(stretch.origin as usize) == Some(&true)) {
            Some(origin) => {
                let threads = teams.processes.entry(origin.process).or_default();
                threads.entry(origin.thread).or_default().extend(samples);
            }
            None => teams.alone.extend(samples),
        }
    }
    teams
}

#[cfg(test)]
mod tests {
    use cll_units::Seconds;

    use super::*;
    use cll_trace::{Origin, Place};

    /// Samples of `(process, thread, start, time)` at one tuple of values, of a place of a model.
    fn experiment(model: &str, samples: &[(u32, u32, Start, f64)]) -> Experiment {
        let place = Place { model: model.to_owned(), ..Place::default() };
        let mut experiment = Experiment { places: vec![place], ..Experiment::default() };
        let mut cell = Cell::new(vec![1.0]);
        for &(process, thread, start, time) in samples {
            let origin = Origin { process, thread, place: 0, left: false, switched: false, start };
            cell.push(time, time, experiment.origins.len() as u32);
            experiment.origins.push(origin);
        }
        experiment.cells.push(cell);
        experiment
    }

    const TEAM: Start = Start::Barrier;

    #[test]
    fn the_slowest_thread_of_each_passage_is_left() {
        let samples = [
            (0, 0, TEAM, 1.0),
            (0, 0, TEAM, 7.0),
            (0, 1, TEAM, 4.0),
            (0, 1, TEAM, 2.0),
            // Outside the team, and of another process.
            (0, 0, Start::Own, 9.0),
            (1, 0, TEAM, 3.0),
            (1, 1, TEAM, 5.0),
        ];
        let mut experiment = experiment("OpenMP", &samples);
        assert_eq!(keep_slowest(&mut experiment, &|_| true), None);
        assert_eq!(experiment.cells[0].inclusive, [7.0, 4.0, 9.0, 5.0]);
        let imbalance = experiment.imbalance.unwrap();
        assert_eq!((imbalance.passages, imbalance.processors), (3, 2));
        assert_eq!(imbalance.longest, Seconds(4.0 + 7.0 + 5.0));
        assert_eq!(imbalance.shortest, Seconds(1.0 + 2.0 + 3.0));
        assert_eq!(imbalance.mean, Seconds(2.5 + 4.5 + 4.0));
    }

    #[test]
    fn threads_with_different_numbers_of_samples_are_reported_and_left_alone() {
        let samples = [(0, 0, TEAM, 1.0), (0, 0, TEAM, 7.0), (0, 1, TEAM, 4.0), (0, 2, TEAM, 4.0)];
        let mut experiment = experiment("OpenMP", &samples);
        let reported = keep_slowest(&mut experiment, &|_| true);
        assert_eq!(
            reported,
            Some(Warning::Uneven { name: String::new(), threads: 3, fewest: 1, most: 2 })
        );
        assert_eq!((experiment.cells[0].inclusive.len(), experiment.imbalance), (4, None));
    }

    #[test]
    fn what_no_team_has_passed_stays() {
        for (model, start) in [("OpenMP", Start::Own), ("MPI", TEAM)] {
            let mut experiment = experiment(model, &[(0, 0, start, 1.0), (0, 1, start, 4.0)]);
            let before = experiment.clone();
            assert_eq!(keep_slowest(&mut experiment, &|_| true), None);
            assert_eq!(experiment, before);
        }
    }
}
