//! How sure a prediction is: by the model OBSP*, from the log.

use cll_machine::Uncertain;
use cll_model::log::program;
use cll_model::{Draws, Interval, Pricing, Rule, interval};
use cll_trace::log::{Contention, Log};

use super::costs::Costs;

/// Processor-supersteps that all draws together go through: some seconds.
const MOST: u64 = 200_000_000;

/// The time by OBSP*, g and L by the pattern of each superstep, with the interval that the machine's spreads and
/// that of contention give it. `None` where the log is not that of a whole run.
pub fn by_model(log: &Log, costs: &Costs, contention: Option<&Contention>) -> Option<Interval> {
    let mut logged = program(log, true).ok()?;
    if let Some(Contention { factor, low, high, .. }) = contention {
        let spread = Uncertain { value: 1.0, low: low / factor, high: high / factor };
        logged.rescale("contention", spread);
    }
    let mut quantities = logged.quantities;
    let target = costs.target();
    let rule = Rule::ObspStar;
    let pricing =
        Pricing::new(&logged.program, rule, &target, &mut quantities, &mut Vec::new()).ok()?;
    let afford = usize::try_from(MOST / logged.program.size().max(1)).unwrap_or(usize::MAX);
    let draws = Draws { count: Draws::default().count.min(afford.max(20)), ..Draws::default() };
    Some(interval(&logged.program, &pricing, &quantities, &draws))
}
