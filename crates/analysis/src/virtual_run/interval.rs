//! The uncertainty of a prediction: by the model OBSP*, from the log.

use cll_machine::{Classic, Combine, Machine, Uncertain};
use cll_model::log::program;
use cll_model::{Draws, Interval, Pricing, Rule, Target, interval};
use cll_supersteps::{Contention, Log};

use super::costs::Costs;

/// Processor-supersteps evaluated in all draws together: some seconds.
const MAX_DRAWN_SUPERSTEPS: u64 = 200_000_000;

/// The time by OBSP*, with g and L by the pattern of each superstep, and the interval that the spread of the
/// machine's data and of contention gives it. If contention was measured, phases have the time that they take
/// alone, unless `keeps`. `None` if the log is incomplete, or if nothing is uncertain.
pub fn by_model(
    log: &Log,
    costs: Option<&Costs>,
    contention: Option<&Contention>,
    keeps: bool,
) -> Option<Interval> {
    let mut logged = match contention {
        None if costs.is_none() => return None,
        Some(contention) if !keeps => {
            let mut log = log.clone();
            contention.equalise(&mut log);
            program(&log)
        }
        _ => program(log),
    }
    .ok()?;
    if let Some(Contention { factor, low, high, .. }) = contention {
        let scale = if keeps {
            Uncertain { value: 1.0, low: low / factor, high: high / factor }
        } else {
            Uncertain { value: 1.0 / factor, low: 1.0 / high, high: 1.0 / low }
        };
        logged.rescale("contention", scale);
    }
    let mut quantities = logged.quantities;
    let free = free();
    let target = costs.map_or_else(|| without_costs(&free), Costs::target);
    let rule = Rule::ObspStar;
    let pricing =
        Pricing::new(&logged.program, rule, &target, &mut quantities, &mut Vec::new()).ok()?;
    let afford =
        usize::try_from(MAX_DRAWN_SUPERSTEPS / logged.program.size().max(1)).unwrap_or(usize::MAX);
    let draws = Draws { count: Draws::default().count.min(afford.max(20)), ..Draws::default() };
    Some(interval(&logged.program, &pricing, &quantities, &draws))
}

/// A machine whose communication takes no time.
fn free() -> Machine {
    let nothing = Classic {
        engine: None,
        processors: 1,
        oversubscribed: false,
        rate: None,
        g: Uncertain::ZERO,
        l: Uncertain::ZERO,
        calls: None,
    };
    Machine { classic: vec![nothing], ..Machine::default() }
}

fn without_costs(machine: &Machine) -> Target<'_> {
    Target {
        machine,
        engine: None,
        oversubscribed: None,
        combine: Combine::Max,
        requests: false,
        fetches: false,
    }
}
