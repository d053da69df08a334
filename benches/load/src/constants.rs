//! Constants of two fits beside each other.

use std::fmt;

use cll_fit::{Estimate, Fit};

/// How many constants agree.
#[derive(Default)]
pub struct Agreement {
    /// Constants that were compared.
    pub constants: usize,
    /// Those that agree.
    pub agreeing: usize,
    /// Those that do not, in words.
    pub apart: Vec<String>,
}

impl Agreement {
    /// Adds another one's constants.
    pub fn add(&mut self, more: Agreement) {
        self.constants += more.constants;
        self.agreeing += more.agreeing;
        self.apart.extend(more.apart);
    }

    /// Share of the constants that agree.
    pub fn share(&self) -> f64 {
        self.agreeing as f64 / self.constants.max(1) as f64
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreement { constants, agreeing, .. } = self;
        write!(f, "{agreeing} of {constants} constants agree ({:.0}%)", 100.0 * self.share())
    }
}

/// Compares the constants that hold in the middle of each interval of the first fit.
pub fn compare(a: &Fit, b: &Fit) -> Agreement {
    let mut agreement = Agreement::default();
    for (k, constant) in a.constants.iter().enumerate() {
        for segment in &constant.segments {
            let (first, last) =
                (&a.intervals[segment.first_interval], &a.intervals[segment.last_interval]);
            let middle = (first.first.max(1.0) * last.last.max(1.0)).sqrt();
            let interval = b.boundaries.iter().take_while(|boundary| middle > boundary.at).count();
            let other = &b.intervals[interval].constants[k];
            let (Some(own), Some(theirs)) = (ends(&segment.estimate), ends(other)) else {
                continue;
            };
            agreement.constants += 1;
            if own.0 <= theirs.1 && theirs.0 <= own.1 {
                agreement.agreeing += 1;
            } else {
                agreement.apart.push(format!(
                    "{} is {:.4e} to {:.4e} and {:.4e} to {:.4e} at {middle:.0}",
                    constant.constant, own.0, own.1, theirs.0, theirs.1
                ));
            }
        }
    }
    agreement
}

fn ends(estimate: &Estimate) -> Option<(f64, f64)> {
    Some((estimate.low?, estimate.high?))
}
