//! The account of all calls: sums in order, efficiencies, the critical path.

use cll_units::Seconds;

use super::account::{Account, ActivityTotal, Critical, Delay, Efficiency, KindTotal, Traffic};
use super::accounting::Accounting;
use super::sites::Activity;

impl Accounting<'_> {
    pub(super) fn finish(self, one_clock: bool) -> Account {
        let seconds = |all: Vec<f64>| all.into_iter().map(Seconds).collect::<Vec<_>>();
        let last = self.timelines.iter().max_by(|a, b| a.cursor_s.total_cmp(&b.cursor_s));
        let path = last.filter(|_| one_clock).map(|last| last.path.clone()).unwrap_or_default();
        let efficiency = self.efficiency().filter(|_| one_clock);
        let on_path = |at: usize| path.by_activity.get(at).copied().unwrap_or(0.0).max(0.0);
        let activities = self.activities.into_iter().zip(&self.sites.activities).enumerate();
        let activities = activities
            .map(|(at, ((times, time), &activity))| ActivityTotal {
                activity,
                times,
                time: seconds(time),
                critical: Seconds(on_path(at)),
            })
            .collect();
        let kinds = self.kinds.into_iter();
        let mut kinds: Vec<KindTotal> = kinds
            .map(|(kind, (calls, time))| KindTotal { kind, calls, time: Seconds(time) })
            .collect();
        kinds.sort_by(|a, b| b.time.total_cmp(&a.time));
        let delays = self.delays.into_iter();
        let mut delays: Vec<Delay> = delays
            .map(|((process, activity, site, kind), time)| Delay {
                process,
                activity,
                site,
                kind,
                time: Seconds(time),
            })
            .collect();
        delays.sort_by(|a, b| {
            let place = |one: &Delay| (one.process, one.activity, one.site, one.kind);
            b.time.total_cmp(&a.time).then(place(a).cmp(&place(b)))
        });
        let traffic = self.traffic.into_iter();
        let mut traffic: Vec<Traffic> = traffic
            .map(|((from, to), (messages, bytes))| Traffic { from, to, messages, bytes })
            .collect();
        traffic.sort_by_key(|one| (one.from, one.to));
        let critical = Critical {
            time: Seconds(path.by_process.iter().sum()),
            by_process: seconds(path.by_process),
            changes: path.changes,
        };
        Account {
            sites: self.totals,
            activities,
            kinds,
            delays,
            traffic,
            mismatches: self.mismatches,
            efficiency,
            critical,
            ledger: self.ledger,
        }
    }

    /// Of the main thread of each process: efficiencies of programs whose threads compute, too, need other measures.
    fn efficiency(&self) -> Option<Efficiency> {
        let runtime = self.last_s - self.first_s;
        let mut computed = vec![0.0; self.overviews.len()];
        for (activity, (_, time)) in self.sites.activities.iter().zip(&self.activities) {
            if matches!(activity, Activity::Computation { .. }) {
                computed.iter_mut().zip(time).for_each(|(sum, one)| *sum += one);
            }
        }
        for (process, sum) in computed.iter_mut().enumerate() {
            *sum /= self.overviews[process].lanes.len().max(1) as f64;
        }
        let most = computed.iter().copied().fold(0.0, f64::max);
        let mean = computed.iter().sum::<f64>() / computed.len().max(1) as f64;
        let ideal = self.timelines.iter().map(|one| one.ideal_s).fold(most, f64::max);
        let ideal = ideal.min(runtime);
        (runtime > 0.0 && most > 0.0).then(|| Efficiency {
            runtime: Seconds(runtime),
            load_balance: mean / most,
            serialisation: most / ideal,
            transfer: ideal / runtime,
        })
    }
}
