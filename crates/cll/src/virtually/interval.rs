//! How sure a prediction is: by the model OBSP*, from the log.

use cll_machine::{Classic, Combine, Machine, Uncertain};
use cll_model::log::program;
use cll_model::{Draws, Interval, Pricing, Rule, Target, interval};
use cll_supersteps::{Contention, Log};

use super::costs::Costs;

/// Processor-supersteps that all draws together go through: some seconds.
const MOST: u64 = 200_000_000;

/// The time by OBSP*, g and L by the pattern of each superstep, with the interval that the machine's spreads and
/// that of contention give it. Phases are taken to be as long as they are alone, where it is known what others cost
/// them, unless it `keeps` what was measured. `None` where the log is not that of a whole run, or nothing is known
/// that the processors' clocks did not know.
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
        let scale = match keeps {
            true => Uncertain { value: 1.0, low: low / factor, high: high / factor },
            false => Uncertain { value: 1.0 / factor, low: 1.0 / high, high: 1.0 / low },
        };
        logged.rescale("contention", scale);
    }
    let mut quantities = logged.quantities;
    let free = free();
    let target = costs.map_or_else(|| without_costs(&free), Costs::target);
    let rule = Rule::ObspStar;
    let pricing =
        Pricing::new(&logged.program, rule, &target, &mut quantities, &mut Vec::new()).ok()?;
    let afford = usize::try_from(MOST / logged.program.size().max(1)).unwrap_or(usize::MAX);
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
