//! Logged runs of an MPI program: rounds of all points, then of those whose quickest runs differ.

use std::time::Duration;

use crate::Error;
use cll_contract::WIDTH;
use cll_launch::Launcher;
use cll_mpi_model::{MpiRunTime, had_whole_cores};
use cll_sampling::{Campaign, Grid, GridPoint, Launching, LoggedRun, Progress, logged_rounds};

/// When there are enough runs of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedGoal {
    /// Rounds that each point takes part in.
    pub first: u32,
    /// Rounds at most.
    pub most: u32,
    /// A point has enough runs if the two quickest of those with whole cores differ by no more than this share.
    pub settled: f64,
}

/// Receives the progress of rounds.
pub trait RoundsView: Progress {
    /// A round of so many points begins, the first one with number 0. Later rounds have fewer points.
    fn round(&mut self, round: u32, goal: &LoggedGoal, points: usize);
}

/// The times of the runs of a point.
struct Taken {
    point: GridPoint,
    runs: Vec<MpiRunTime>,
}

/// Makes the runs: `goal.first` rounds of all points of the grid, then rounds of the points that are not settled. Ends
/// after a run for which `read` gives no time: it failed, or the user has ended it. Each run is read once. Runs of the second
/// round and later wait for whole cores, as far as the first one has shown what these are.
///
/// # Errors
/// If the program cannot be started, or a run cannot be read.
pub fn logged_runs(
    campaign: &mut Campaign,
    grid: &Grid,
    goal: LoggedGoal,
    seed: u64,
    launcher: &mut dyn Launcher,
    view: &mut dyn RoundsView,
    read: &mut dyn FnMut(&LoggedRun) -> Result<Option<MpiRunTime>, Error>,
) -> Result<Vec<LoggedRun>, Error> {
    let mut least = f64::INFINITY;
    let with = |point: &GridPoint| Taken { point: point.clone(), runs: Vec::new() };
    let mut taken: Vec<Taken> = grid.points.iter().map(with).collect();
    let mut runs = Vec::new();
    for round in 0..goal.most.max(goal.first) {
        let is_open =
            |entry: &&Taken| round < goal.first || !is_settled(&entry.runs, least, goal.settled);
        let open = taken.iter().filter(is_open);
        let points: Vec<GridPoint> = open
            .map(|taken| GridPoint { rounds: round..round + 1, ..taken.point.clone() })
            .collect();
        if points.is_empty() {
            break;
        }
        view.round(round, &goal, points.len());
        let some = Grid { points, ..grid.clone() };
        let progress: &mut dyn Progress = view;
        for run in logged_rounds(campaign, &some, round..round + 1, seed, launcher, progress)? {
            let time = read(&run)?;
            let point = taken.iter_mut().find(|taken| is_of(&taken.point, &run.launching));
            runs.push(run);
            let Some(time) = time else { return Ok(runs) };
            least = time.width.map_or(least, |width| least.min(width.0));
            if let Some(point) = point {
                point.runs.push(time);
            }
        }
        if let Ok(width) = Duration::try_from_secs_f64(least) {
            let (name, value) = WIDTH.set(width);
            campaign.variables.retain(|known| known.0 != name);
            campaign.variables.push((name.to_owned(), value));
        }
    }
    Ok(runs)
}

fn is_of(point: &GridPoint, launching: &Launching) -> bool {
    point.values == launching.values && point.processors == launching.processors
}

/// Whether a second run was as quick as the quickest, of those with whole cores. Other disturbances only add, and hardly
/// two runs get the same: what two runs reach is the time without them.
fn is_settled(runs: &[MpiRunTime], least: f64, share: f64) -> bool {
    let unshared = runs.iter().filter(|run| had_whole_cores(run.width, least));
    let mut all: Vec<f64> = unshared.map(|run| run.seconds).collect();
    all.sort_by(f64::total_cmp);
    match all[..] {
        [first, second, ..] => second - first <= share * first,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    use cll_launch::{Outcome, Run};
    use cll_sampling::Template;

    use super::*;

    /// Launches nothing: the time of a run is that of its argument, with seeded noise for some.
    struct Pretended {
        noisy: fn(f64) -> bool,
        random: fastrand::Rng,
        fails_at: Option<usize>,
        launches: usize,
    }

    impl Launcher for Pretended {
        fn launch(&mut self, run: Run<'_>) -> Result<Outcome, cll_launch::Error> {
            let size: f64 = run.launch.command.arguments[0].to_str().unwrap().parse().unwrap();
            let noise =
                if (self.noisy)(size) { self.random.f64() } else { 0.01 * self.random.f64() };
            self.launches += 1;
            let status = if self.fails_at == Some(self.launches) { 256 } else { 0 };
            Ok(Outcome::ended(
                0,
                ExitStatus::from_raw(status),
                Duration::from_secs_f64(size * (1.0 + noise)),
            ))
        }
    }

    /// The number of points of each round.
    #[derive(Default)]
    struct Rounds(Vec<usize>);

    impl Progress for Rounds {
        fn begins(&mut self, _: &Launching) {}
        fn ended(&mut self, _: &Outcome) {}
    }

    impl RoundsView for Rounds {
        fn round(&mut self, _: u32, _: &LoggedGoal, points: usize) {
            self.0.push(points);
        }
    }

    fn run_campaign(
        goal: LoggedGoal,
        launcher: &mut Pretended,
    ) -> (Vec<LoggedRun>, Vec<usize>, usize) {
        let mut campaign = Campaign {
            logged: Some(Vec::new()),
            ..Campaign::new(
                "x".into(),
                Template::parse(&["{n}".into()], &["n"]).unwrap(),
                ".".into(),
                tempfile::tempfile().unwrap(),
                Duration::from_secs(1),
            )
        };
        let point = |n: u32| GridPoint {
            values: vec![f64::from(n)],
            processors: Some(2),
            rounds: 0..u32::MAX,
        };
        let grid = Grid { points: (1..=8).map(point).collect(), ..Grid::default() };
        let (mut view, mut read) = (Rounds::default(), 0);
        let runs = logged_runs(&mut campaign, &grid, goal, 1, launcher, &mut view, &mut |run| {
            read += 1;
            let is_good = run.outcome.status.success();
            let seconds = run.outcome.wall.as_secs_f64();
            Ok(is_good.then_some(MpiRunTime { seconds, width: None }))
        });
        (runs.unwrap(), view.0, read)
    }

    fn times(runs: &[LoggedRun]) -> BTreeMap<u32, Vec<f64>> {
        let mut by: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for run in runs {
            let seconds = by.entry(run.launching.values[0] as u32).or_default();
            seconds.push(run.outcome.wall.as_secs_f64());
        }
        by
    }

    const GOAL: LoggedGoal = LoggedGoal { first: 5, most: 15, settled: 0.02 };

    #[test]
    fn points_with_noise_get_more_runs_until_two_agree() {
        let mut more = 0;
        for seed in 0..50 {
            let mut launcher = Pretended {
                noisy: |size| size > 5.0,
                random: fastrand::Rng::with_seed(seed),
                fails_at: None,
                launches: 0,
            };
            let (runs, rounds, read) = run_campaign(GOAL, &mut launcher);
            assert_eq!(read, runs.len());
            assert_eq!(rounds[..5], [8; 5]);
            assert!(rounds[5..].iter().all(|&points| points <= 3), "{rounds:?}");
            for (size, all) in times(&runs) {
                let is_settled = |all: &[f64]| {
                    let run = |&seconds: &f64| MpiRunTime { seconds, width: None };
                    is_settled(&all.iter().map(run).collect::<Vec<_>>(), 0.0, GOAL.settled)
                };
                let before = is_settled(&all[..all.len() - 1]);
                match size {
                    ..=5 => assert_eq!(all.len(), 5),
                    _ => assert!((5..=15).contains(&all.len())),
                }
                // It went on as long as it had to, and no longer.
                assert!(all.len() == 5 || !before, "{seed} {size}: {all:?}");
                assert!(all.len() == 15 || is_settled(&all), "{seed} {size}: {all:?}");
                more += usize::from(all.len() > 5);
            }
        }
        assert!(more > 50, "{more}");
    }

    #[test]
    fn runs_with_shared_cores_settle_nothing() {
        let run = |seconds, most| MpiRunTime { seconds, width: Some((1e-5, most)) };
        let shared = [run(3.0, 1.6e-5), run(3.01, 1.4e-5), run(2.0, 1.01e-5)];
        assert!(!is_settled(&shared, 1e-5, 0.02));
        let unshared = [shared[0], shared[2], run(2.02, 1e-5)];
        assert!(is_settled(&unshared, 1e-5, 0.02));
        assert!(!is_settled(&unshared, 0.9e-5, 0.02), "a core was wider elsewhere");
    }

    #[test]
    fn a_given_number_of_rounds_is_that_number() {
        let mut launcher = Pretended {
            noisy: |_| true,
            random: fastrand::Rng::with_seed(1),
            fails_at: None,
            launches: 0,
        };
        let goal = LoggedGoal { first: 3, most: 3, settled: 0.02 };
        let (runs, rounds, _) = run_campaign(goal, &mut launcher);
        assert_eq!((runs.len(), rounds), (24, vec![8; 3]));
        // Each round has its own order.
        let order = |round: usize| {
            let round_runs = &runs[8 * round..8 * round + 8];
            round_runs.iter().map(|run| run.launching.values[0]).collect::<Vec<_>>()
        };
        assert_ne!(order(0), order(1));
    }

    #[test]
    fn a_run_that_fails_ends_it_and_is_the_last() {
        let mut launcher = Pretended {
            noisy: |_| true,
            random: fastrand::Rng::with_seed(1),
            fails_at: Some(12),
            launches: 0,
        };
        let (runs, rounds, read) = run_campaign(GOAL, &mut launcher);
        assert_eq!((runs.len(), rounds.len(), read), (12, 2, 12));
        assert!(!runs[11].outcome.status.success());
    }
}
