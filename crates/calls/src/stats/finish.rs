//! The account of all calls: sums in order, efficiencies, the critical path.

use cll_units::Seconds;

use super::account::{
    Account, ActivityTotal, Critical, Delay, Efficiency, KindTotal, Shares, Traffic, WithoutCore,
};
use super::accounting::Accounting;
use super::sites::{Activity, ActivityId};
use crate::Overview;

/// A cause with a smaller share of its time on the critical path is hidden.
const HIDDEN: f64 = 0.01;
/// If more of the critical path is unknown, no cause is known to be hidden.
const UNKNOWN: f64 = 0.05;

impl Accounting<'_> {
    pub(super) fn finish(mut self, one_clock: bool) -> Account {
        let seconds = |all: Vec<f64>| all.into_iter().map(Seconds).collect::<Vec<_>>();
        let last = self.timelines.iter().max_by(|a, b| a.cursor_s.total_cmp(&b.cursor_s));
        let path = last.filter(|_| one_clock).map(|last| last.path.clone()).unwrap_or_default();
        let shares = path.shares();
        let on_path =
            |activity| shares.iter().map(|shares| shares.time_of(activity)).sum::<Seconds>();
        let critical = Critical {
            time: shares.iter().map(Shares::sum).sum(),
            by_process: shares.iter().map(Shares::sum).collect(),
            unknown: Seconds(path.unknown_s),
            changes: path.changes,
        };
        let mut without_core = self.without_core();
        for (id, activity) in (0..).map(ActivityId).zip(&self.sites.activities) {
            if let (Some(lost), Activity::WithoutCore(_)) = (&mut without_core, activity) {
                lost.critical += on_path(id);
            }
        }
        let lost = without_core.as_ref().map_or(Seconds::ZERO, |lost| lost.critical);
        let efficiency = self.efficiency(lost.get()).filter(|_| one_clock);
        let is_path_known = critical.unknown <= critical.time * UNKNOWN;
        let mut delays = Vec::new();
        for ((process, activity, site, kind), time) in std::mem::take(&mut self.delays) {
            if let (Some(lost), Activity::WithoutCore(_)) =
                (&mut without_core, self.sites.activities[activity.0 as usize])
            {
                lost.waited += Seconds(time);
                continue;
            }
            let own = Seconds(self.activities[activity.0 as usize].1[process].max(0.0));
            let critical =
                shares.get(process).map_or(Seconds::ZERO, |shares| shares.time_of(activity));
            let is_hidden = is_path_known && critical < own * HIDDEN;
            let time = Seconds(time);
            delays.push(Delay { process, activity, site, kind, time, own, critical, is_hidden });
        }
        delays.sort_by(|a, b| {
            let place = |delay: &Delay| (delay.process, delay.activity, delay.site, delay.kind);
            b.time.total_cmp(&a.time).then(place(a).cmp(&place(b)))
        });
        let activities = (0..).map(ActivityId).zip(self.activities);
        let activities = activities
            .zip(&self.sites.activities)
            .map(|((id, (times, time)), &activity)| ActivityTotal {
                activity,
                times,
                time: seconds(time),
                critical: on_path(id),
            })
            .collect();
        let kinds = self.kinds.into_iter();
        let mut kinds: Vec<KindTotal> = kinds
            .map(|(kind, (calls, time))| KindTotal { kind, calls, time: Seconds(time) })
            .collect();
        kinds.sort_by(|a, b| b.time.total_cmp(&a.time));
        let traffic = self.traffic.into_iter();
        let mut traffic: Vec<Traffic> = traffic
            .map(|((from, to), (messages, bytes))| Traffic { from, to, messages, bytes })
            .collect();
        traffic.sort_by_key(|traffic| (traffic.from, traffic.to));
        Account {
            sites: self.totals,
            activities,
            kinds,
            delays,
            traffic,
            mismatches: self.mismatches,
            efficiency,
            critical,
            without_core,
            ledger: self.ledger,
        }
    }

    /// Time without a core by process, if all logs say it.
    fn without_core(&self) -> Option<WithoutCore> {
        let is_known = |overview: &Overview| overview.watched().is_some();
        if self.overviews.is_empty() || !self.overviews.iter().all(is_known) {
            return None;
        }
        let mut time = vec![Seconds::ZERO; self.overviews.len()];
        for (activity, (_, each)) in self.sites.activities.iter().zip(&self.activities) {
            if matches!(activity, Activity::WithoutCore(_)) {
                time.iter_mut().zip(each).for_each(|(sum, &own)| *sum += Seconds(own));
            }
        }
        Some(WithoutCore { time, ..WithoutCore::default() })
    }

    /// Computes the efficiency of the main thread of each process: programs whose threads compute, too, need other
    /// measures. `lost` is time without a core on the critical path, seconds.
    fn efficiency(&self, lost: f64) -> Option<Efficiency> {
        let elapsed = self.last_s - self.first_s;
        let runtime = elapsed - lost;
        let mut computed = vec![0.0; self.overviews.len()];
        for (activity, (_, time)) in self.sites.activities.iter().zip(&self.activities) {
            if matches!(activity, Activity::Computation { .. }) {
                computed.iter_mut().zip(time).for_each(|(sum, value)| *sum += value);
            }
        }
        for (process, sum) in computed.iter_mut().enumerate() {
            *sum /= self.overviews[process].lanes.len().max(1) as f64;
        }
        let most = computed.iter().copied().fold(0.0, f64::max);
        let mean = computed.iter().sum::<f64>() / computed.len().max(1) as f64;
        let ideal = self.timelines.iter().map(|timeline| timeline.ideal_s).fold(most, f64::max);
        let ideal = ideal.min(runtime);
        (runtime > 0.0 && most > 0.0).then(|| Efficiency {
            runtime: Seconds(elapsed),
            without_core: Seconds(lost),
            load_balance: mean / most,
            serialisation: most / ideal,
            transfer: ideal / runtime,
        })
    }
}
