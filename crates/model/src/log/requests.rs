//! The time of requests: the copies of `bsp_put`, which a log counts as computation.

use std::collections::HashMap;
use std::sync::Arc;

use cll_machine::{Ask, Combine, Missing, Pattern, Synchronisation, Uncertain};

use super::Logged;
use crate::parameters::QuantityKind;
use crate::price::Target;
use crate::program::{Ending, Parameter, Phase, Work};

impl Logged {
    /// Subtracts from the computation the time of requests on the machine (and engine) of the log, and adds their time
    /// on another machine: W - c·h + c'·h, where c is the seconds per byte of max(in, out) of the superstep's pattern.
    /// Whether both machines have that for some superstep.
    ///
    /// # Errors
    /// If one of the machines has no data for the engine.
    pub fn exchange_requests(
        &mut self,
        from: &Target<'_>,
        to: &Target<'_>,
    ) -> Result<bool, Missing> {
        let mut known: HashMap<(u32, Pattern, Synchronisation), Option<(f64, Parameter)>> =
            HashMap::new();
        let mut exchanged = false;
        let quantities = &mut self.quantities;
        for object in self.program.objects_mut() {
            let processors = object.processors;
            for superstep in &mut object.supersteps {
                if superstep.traffic.is_empty() {
                    continue;
                }
                let synchronisation = match superstep.ending {
                    Ending::Nothing => continue,
                    Ending::Barrier => Synchronisation::Barrier,
                    Ending::Oblivious(_) => Synchronisation::Oblivious,
                };
                let pattern = superstep.pattern.priced_as();
                let bytes = superstep.traffic.largest(Combine::Max);
                let calls = |target: &Target<'_>| -> Result<Option<Uncertain>, Missing> {
                    let cost = target.machine.cost(&Ask {
                        engine: target.engine,
                        processors,
                        oversubscribed: target.oversubscribed,
                        pattern,
                        synchronisation,
                        combine: Combine::Max,
                        bytes,
                    })?;
                    Ok(cost.calls)
                };
                let key = (processors, pattern, synchronisation);
                let pair = match known.get(&key) {
                    Some(known) => *known,
                    None => {
                        let pair = match (calls(from)?, calls(to)?) {
                            (Some(had), Some(has)) => {
                                let name =
                                    format!("requests ({}, p = {processors})", pattern.name());
                                Some((had.value, quantities.add(name, QuantityKind::G, has)))
                            }
                            _ => None,
                        };
                        known.insert(key, pair);
                        pair
                    }
                };
                let Some((had, has)) = pair else { continue };
                let h = |processor| superstep.traffic.processor_bytes(processor, Combine::Max);
                // In most programs requests are near the end of a superstep's computation.
                let last = superstep.phases.iter_mut().rev().find_map(|phase| match phase {
                    Phase::Work(Work::Each { factors, .. }) => Some(factors),
                    _ => None,
                });
                let Some(last) = last else { continue };
                let less = |(i, seconds): (usize, &f64)| (seconds - had * h(i)).max(0.0);
                *last = last.iter().enumerate().map(less).collect::<Vec<f64>>().into();
                let factors: Arc<[f64]> = (0..processors as usize).map(h).collect();
                superstep.phases.push(Phase::Work(Work::Each { parameter: has, factors }));
                exchanged = true;
            }
        }
        Ok(exchanged)
    }
}
