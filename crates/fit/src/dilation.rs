//! What measuring costs the measured program.

/// The samples of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regions {
    /// How many there are in a run.
    pub count: f64,
    /// The time of a typical short one, seconds.
    pub time: f64,
}

/// What the markers cost an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dilation {
    /// Seconds that the markers of a region cost the program.
    pub per_region: f64,
    /// The experiment's markers' share of the program's time.
    pub share: f64,
    /// Whether regions are too short to be told from their markers.
    pub too_short: bool,
}

/// Regions below this, seconds, are of the size of their markers.
const TOO_SHORT: f64 = 100e-9;

/// The dilation of each experiment, from the seconds of runs with the gate open and with the gate
/// closed. The cost is shared out by number: every pair of markers costs alike. It is never below
/// zero: runs differ by more than that.
pub fn dilation(on: f64, off: f64, experiments: &[Regions]) -> Vec<Dilation> {
    let all: f64 = experiments.iter().map(|one| one.count).sum();
    let per_region = if all > 0.0 { (on - off).max(0.0) / all } else { 0.0 };
    let of = |one: &Regions| Dilation {
        per_region,
        share: if on > 0.0 { one.count * per_region / on } else { 0.0 },
        too_short: one.count > 0.0 && one.time < TOO_SHORT,
    };
    experiments.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_shared_out_by_number() {
        let long = Regions { count: 1e3, time: 1e-3 };
        let short = Regions { count: 1e6, time: 2e-8 };
        let found = dilation(1.1, 1.0, &[long, short]);
        assert!((found[0].per_region * 1.001e6 - 0.1).abs() < 1e-12);
        assert!(found[0].share < 1e-4 && found[1].share > 0.09);
        assert_eq!((found[0].too_short, found[1].too_short), (false, true));
        assert!((found[0].share + found[1].share - 0.1 / 1.1).abs() < 1e-12);
    }

    #[test]
    fn noise_is_no_gain() {
        let one = Regions { count: 10.0, time: 1.0 };
        assert_eq!(dilation(0.99, 1.0, &[one])[0].per_region, 0.0);
        assert_eq!(dilation(0.0, 0.0, &[Regions { count: 0.0, time: 0.0 }])[0].share, 0.0);
    }
}
