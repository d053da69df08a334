//! By how much the machine may have lengthened the times of a round.

use super::marks::Signs;

/// A program may lose more than the test loop, because it uses the core differently.
const CORE: f64 = 1.25;
/// The clock rate varies by this share on a quiet machine.
const CLOCK: f64 = 0.02;
/// The cost of refilling caches for a program that shared its processor: 4 to 17 % were measured
/// beside five to eight busy programs.
const CACHES: f64 = 0.15;
/// The same for programs on other processors, which share the last-level cache and the memory.
const MEMORY: f64 = 0.10;

impl Signs {
    /// The largest share by which the median times of a round may be longer than on a quiet
    /// machine: the product of what each sign explains. Times are never shorter than on a quiet
    /// machine.
    pub fn inflation(&self) -> f64 {
        let taken = |share: f64| 1.0 / (1.0 - share.clamp(0.0, 0.99));
        let processor = match self.waiting {
            Some(_) if self.sheltered => 1.0,
            Some(waiting) => taken(waiting),
            None => taken(self.others),
        };
        // Who is stopped is ready and does not run, so both may show the same time.
        let processor = processor.max(taken(self.stopped));
        let own = self.polluted.clamp(0.0, 1.0);
        let narrow = 1.0 + CORE * self.pressed.unwrap_or(0.0).max(0.0);
        let clock = 1.0 + (self.chain.unwrap_or(1.0) - 1.0 - CLOCK).max(0.0);
        let partner = self.partner.unwrap_or(1.0).max(1.0);
        let caches = (1.0 + CACHES * own) * (1.0 + MEMORY * self.elsewhere.clamp(0.0, 1.0));
        processor * taken(self.steal) * narrow * clock * partner * caches - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_machine_lengthens_nothing_and_each_sign_its_own() {
        assert_eq!(Signs::default().inflation(), 0.0);
        let near = |signs: Signs, expected: f64| {
            let value = signs.inflation();
            assert!((value - expected).abs() < 1e-9, "{value} for {signs:?}");
        };
        near(Signs { waiting: Some(0.5), ..Signs::default() }, 1.0);
        near(Signs { waiting: Some(0.5), sheltered: true, ..Signs::default() }, 0.0);
        near(Signs { stopped: 0.8, ..Signs::default() }, 4.0);
        near(Signs { stopped: 0.5, waiting: Some(0.5), ..Signs::default() }, 1.0);
        near(Signs { polluted: 1.0, ..Signs::default() }, CACHES);
        near(Signs { others: 0.5, ..Signs::default() }, 1.0);
        near(Signs { steal: 0.2, ..Signs::default() }, 0.25);
        near(Signs { pressed: Some(0.4), ..Signs::default() }, 0.5);
        near(Signs { chain: Some(1.12), ..Signs::default() }, 0.10);
        near(Signs { elsewhere: 1.0, ..Signs::default() }, MEMORY);
        let both = Signs { steal: 0.2, pressed: Some(0.4), ..Signs::default() };
        near(both, 1.25 * 1.5 - 1.0);
    }
}
