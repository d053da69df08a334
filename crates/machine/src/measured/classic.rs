//! The classic (s, g, l): one g for all.

use super::lines::per_byte;
use super::{Measured, Setting, middle};
use crate::communication::{Classic, Pattern, Synchronisation};
use crate::uncertain::Uncertain;

impl Measured {
    /// g is that of the slowest pattern, for large sizes, including requests and synchronisation; l is the time of the
    /// empty superstep.
    pub(super) fn classic(&self, setting: &Setting, l: Option<Uncertain>) -> Option<Classic> {
        let costs_of = |pattern: Pattern| {
            let samples = self.samples.iter().filter(move |sample| {
                sample.setting == *setting
                    && sample.synchronisation == Synchronisation::Barrier
                    && sample.pattern == pattern
            });
            let samples: Vec<_> = samples.collect();
            let totals =
                samples.iter().map(|sample| (sample.h_max, (sample.time + sample.calls).get()));
            let g = per_byte(totals, self.disagreement)?;
            let calls = samples.iter().map(|sample| (sample.h_max, sample.calls.get()));
            Some((g, per_byte(calls, self.disagreement)))
        };
        let worst = Pattern::ALL.into_iter().filter_map(costs_of);
        let (g, calls) = worst.max_by(|a, b| a.0.value.total_cmp(&b.0.value))?;
        Some(Classic {
            engine: Some(setting.engine.clone()),
            processors: setting.processors,
            oversubscribed: setting.oversubscribed,
            rate: middle(self.rates.clone(), 0.0).filter(|rate| rate.low > 0.0),
            g,
            l: l?,
            calls,
        })
    }
}
