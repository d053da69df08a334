//! In what the launches of a measurement differ.

use super::{Measured, Setting, middle};
use crate::uncertain::Uncertain;

impl Measured {
    /// The g of (s, g, l) with an interval that has the g of each launch in it, if they are few; else that of their median.
    pub(super) fn over_launches(&self, setting: &Setting, g: Uncertain) -> Uncertain {
        let mut rounds: Vec<usize> = self.samples.iter().map(|sample| sample.round).collect();
        rounds.sort_unstable();
        rounds.dedup();
        let of_round = |round: usize| {
            let samples = self.samples.iter();
            let samples =
                samples.filter(|sample| sample.round == round && sample.setting == *setting);
            let measured = Measured { samples: samples.cloned().collect(), ..Measured::default() };
            Some(measured.classic(setting, Some(Uncertain::ZERO))?.g.value)
        };
        let found: Vec<f64> = rounds.into_iter().filter_map(of_round).collect();
        match middle(found, 0.0) {
            Some(each) => Uncertain { low: g.low.min(each.low), high: g.high.max(each.high), ..g },
            None => g,
        }
    }
}
