//! Programs priced by BSP, OBSP and OBSP\*: from logs ([`ReadLogs`], several runs as [`Set`]s), and from descriptions
//! in formulas ([`Described`]).

mod described;
mod logged;
mod runs;

use std::path::PathBuf;

use crate::Error;
use cll_machine::{Combine, Machine};
use cll_model::{Draws, Target};
use cll_result::obsp::{self, Prediction, Subject};

pub use described::Described;
pub use logged::{ReadLogs, price_logs};
pub use runs::{Set, sets};

/// Processor-supersteps evaluated in all draws together: about ten seconds for all three models.
const MAX_DRAWN_SUPERSTEPS: u64 = 600_000_000;

/// With fewer draws an interval would be random.
const MIN_DRAWS: usize = 20;

/// How programs are priced.
#[derive(Clone, Debug)]
pub struct ObspOptions {
    /// The engine whose costs are used; `None`: that of the log, else the first in the machine's file.
    pub engine: Option<String>,
    /// The definition of h; `None`: as in the machine's file, else the larger of bytes in and out.
    pub combine: Option<Combine>,
    /// Whether only costs are used that were measured with a core for each processor.
    pub own_cores: bool,
    /// The machine on which a log was measured, so that computation is scaled by the rates of both.
    pub measured_on: Option<PathBuf>,
    /// How intervals are drawn; a very large program is drawn less often.
    pub draws: Draws,
    /// Bytes that the evaluation of a log may use.
    pub memory: u64,
}

impl Default for ObspOptions {
    fn default() -> ObspOptions {
        ObspOptions {
            engine: None,
            combine: None,
            own_cores: false,
            measured_on: None,
            draws: Draws::default(),
            memory: 500 << 20,
        }
    }
}

impl ObspOptions {
    /// The costs for a program; with `requests` those of its requests, too, which the computation of a log contains.
    pub fn target<'a>(&'a self, machine: &'a Machine, requests: bool) -> Target<'a> {
        Target {
            machine,
            engine: self.engine.as_deref(),
            oversubscribed: self.own_cores.then_some(false),
            requests,
            fetches: false,
            combine: self.combine.or(machine.combine).unwrap_or(Combine::Max),
        }
    }

    /// The draws for a program with this number of processor-supersteps.
    pub fn draws(&self, size: u64) -> Draws {
        Draws { count: affordable(self.draws.count, size), ..self.draws }
    }

    /// The warning on intervals from fewer draws than requested.
    pub fn fewer_draws(&self, size: u64) -> Option<String> {
        let asked = self.draws.count;
        let count = affordable(asked, size);
        (count < asked).then(|| {
            format!(
                "the program has {size} supersteps of processors, so its intervals are from {count} draws, not from \
                 {asked}: their ends are less sure"
            )
        })
    }
}

fn affordable(asked: usize, size: u64) -> usize {
    let afford = usize::try_from(MAX_DRAWN_SUPERSTEPS / size.max(1)).unwrap_or(usize::MAX);
    asked.min(afford.max(MIN_DRAWS))
}

/// Prices a program by all three models; with `deep` also breaks down the time of the last one.
///
/// # Errors
/// If the machine's file has not the costs.
pub fn predict(
    subject: Subject<'_>,
    target: &Target<'_>,
    draws: &Draws,
    deep: bool,
) -> Result<Prediction, Error> {
    obsp::predict(subject, target, draws, deep).map_err(|missing| unpriced(&missing))
}

/// The failure for a machine's file without what a program needs.
pub(crate) fn unpriced(missing: &impl ToString) -> Error {
    Error::content(missing.to_string())
        .advise("cll machine show MACHINE shows the data of a machine's file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_programs_are_drawn_less_often_and_that_is_said() {
        let notice = |count, size| {
            let draws = Draws { count, ..Draws::default() };
            ObspOptions { draws, ..ObspOptions::default() }.fewer_draws(size)
        };
        assert_eq!((affordable(400, 1000), affordable(0, 1 << 40)), (400, 0));
        assert_eq!((affordable(400, 6_000_000), affordable(400, 1 << 40)), (100, 20));
        assert_eq!(notice(400, 1_500_000), None);
        let text = notice(400, 6_000_000).unwrap();
        assert!(text.contains("from 100 draws, not from 400"), "{text}");
        assert_eq!(notice(20, 1 << 40), None);
    }
}
