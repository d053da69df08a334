//! Messages between hosts, and the corrections of their times.
//!
//! A message cannot be received before it is sent. With a correction o of the receiver's clock, sent <= received + o,
//! which bounds o from below. Messages in the other direction bound it from above (Duda et al., *Estimating global time
//! in distributed systems*, 1987). Collectives count as messages from those that a process needs.

use std::collections::HashMap;

use cll_supersteps::{Correction, CorrectionBounds, fit_correction};
use cll_units::Seconds;

/// The number of crossings that are kept for each direction between two hosts. If there are more, the ones with the
/// tightest bounds at each time are kept.
const KEPT: usize = 1 << 13;

/// The time at which something was sent on one host, and at which it had arrived on the other.
type Crossing = (Seconds, Seconds);

/// Traffic between hosts.
#[derive(Debug, Default)]
pub(super) struct Crossings {
    /// Hosts by rank, as numbers in the order in which they are first met.
    hosts: Vec<usize>,
    pub(super) names: Vec<String>,
    between: HashMap<(usize, usize), Vec<Crossing>>,
}

impl Crossings {
    /// Makes the crossings of ranks on these hosts, none yet.
    pub(super) fn new<'a>(hosts: impl Iterator<Item = &'a str>) -> Crossings {
        let mut all = Crossings::default();
        for host in hosts {
            let known = all.names.iter().position(|name| name == host);
            all.hosts.push(known.unwrap_or(all.names.len()));
            if known.is_none() {
                all.names.push(host.to_owned());
            }
        }
        all
    }

    /// Records that something was at one rank at a time, and had arrived at another rank before a time of that rank's
    /// host.
    pub(super) fn add(&mut self, (from, sent): (usize, Seconds), (to, arrived): (usize, Seconds)) {
        let hosts = (self.hosts[from], self.hosts[to]);
        if hosts.0 == hosts.1 {
            return;
        }
        let kept = self.between.entry(hosts).or_default();
        kept.push((sent, arrived));
        if kept.len() == 2 * KEPT {
            kept.sort_by(|left, other| left.0.total_cmp(&other.0));
            let took = |crossing: &Crossing| crossing.1 - crossing.0;
            let quicker = kept.chunks(2).filter_map(|pair| {
                pair.iter().copied().min_by(|left, other| took(left).total_cmp(&took(other)))
            });
            *kept = quicker.collect();
        }
    }

    /// The correction of each host's times to those of the first host; `None` if there is not enough data.
    pub(super) fn lines(&self) -> Vec<Option<Correction>> {
        let mut lines: Vec<Option<Correction>> = vec![None; self.names.len()];
        if let Some(first) = lines.first_mut() {
            *first = Some(Correction::default());
        }
        // A host may be related to the first one through other hosts.
        loop {
            let numbers = (0..lines.len()).filter(|&own| lines[own].is_none());
            let numbers = numbers
                .filter_map(|own| Some((own, fit_correction(&self.bounds(own, &lines))?)))
                .next();
            let Some((own, line)) = numbers else { return lines };
            lines[own] = Some(line);
        }
    }

    /// Bounds of the correction of a host's times, from the messages between it and hosts that are related already.
    fn bounds(&self, own: usize, lines: &[Option<Correction>]) -> Vec<CorrectionBounds> {
        let mut bounds = Vec::new();
        for (other, line) in lines.iter().enumerate() {
            let Some(line) = line else { continue };
            let came = self.between.get(&(other, own)).into_iter().flatten();
            bounds.extend(came.map(|&(sent, arrived)| CorrectionBounds {
                time: arrived,
                low: line.correct(sent) - arrived,
                high: Seconds(f64::INFINITY),
            }));
            let went = self.between.get(&(own, other)).into_iter().flatten();
            bounds.extend(went.map(|&(sent, arrived)| CorrectionBounds {
                time: sent,
                low: Seconds(f64::NEG_INFINITY),
                high: line.correct(arrived) - sent,
            }));
        }
        bounds
    }
}
