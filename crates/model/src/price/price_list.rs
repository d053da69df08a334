//! The prices of supersteps on a machine, looked up once for each kind of superstep and size.

use std::collections::HashMap;

use cll_machine::{Ask, Combine, Missing, Pattern, Substitution, Synchronisation, Uncertain};
use schemars::JsonSchema;
use serde::Serialize;

use super::rate::{Rate, RateSegment};
use super::{Rule, Target};
use crate::parameters::{Quantities, QuantityKind};
use crate::program::{Ending, Object, Parameter, Superstep, Traffic, TrafficPattern};
use cll_units::text::{self, BinaryUnit, BytesDigits, BytesUnit};

/// A cost that is missing in the machine's file, and what was used instead.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Taken {
    /// By which model.
    pub rule: Rule,
    /// Processors of the machine object.
    pub processors: u32,
    /// The names of what was requested: `shift, barrier`.
    pub asked: String,
    /// The substitution for what was missing.
    pub substitution: Substitution,
    /// How many supersteps it concerns.
    pub supersteps: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PriceKey {
    processors: u32,
    pattern: TrafficPattern,
    synchronisation: Synchronisation,
}

/// Prices that were looked up.
pub(super) struct PriceList<'a> {
    rule: Rule,
    target: &'a Target<'a>,
    quantities: &'a mut Quantities,
    taken: &'a mut Vec<Taken>,
    /// The piece for each h, with the indices in `taken` of its substitutes.
    asked: HashMap<(PriceKey, u64), (RateSegment, Vec<usize>)>,
    places: HashMap<(PriceKey, String), usize>,
}

impl<'a> PriceList<'a> {
    pub(super) fn new(
        rule: Rule,
        target: &'a Target<'a>,
        quantities: &'a mut Quantities,
        taken: &'a mut Vec<Taken>,
    ) -> PriceList<'a> {
        let (asked, places) = (HashMap::new(), HashMap::new());
        PriceList { rule, target, quantities, taken, asked, places }
    }

    /// The price of a superstep, for each h of its processors.
    pub(super) fn rate(
        &mut self,
        object: &Object,
        superstep: &Superstep,
        combine: Combine,
    ) -> Result<Rate, Missing> {
        let oblivious = matches!(superstep.ending, Ending::Oblivious(_));
        let key_of_price = PriceKey {
            processors: object.processors,
            pattern: superstep.pattern,
            synchronisation: if oblivious && self.rule == Rule::ObspStar {
                Synchronisation::Oblivious
            } else {
                Synchronisation::Barrier
            },
        };
        let sizes = match &superstep.traffic {
            // The h that counts for a processor is the h of one of its partners.
            Traffic::Each(bytes) if oblivious && self.rule != Rule::Bsp => {
                let size_of = |&(received, sent): &(f64, f64)| match combine {
                    Combine::Max => received.max(sent),
                    Combine::Sum => received + sent,
                };
                let mut sizes: Vec<f64> = bytes.iter().map(size_of).collect();
                sizes.sort_by(f64::total_cmp);
                sizes.dedup();
                sizes
            }
            traffic => vec![traffic.largest(combine)],
        };
        let mut segments: Vec<RateSegment> = Vec::new();
        let mut noted: Vec<usize> = Vec::new();
        for h in sizes {
            let (segment, notes) = self.segment(key_of_price, h, combine)?;
            noted.extend(notes);
            match segments.last_mut() {
                Some(last) if (last.g, last.l) == (segment.g, segment.l) => last.to = h,
                _ => segments.push(RateSegment { to: h, ..segment }),
            }
        }
        noted.sort_unstable();
        noted.dedup();
        noted.into_iter().for_each(|note| self.taken[note].supersteps += 1);
        Ok(Rate::new(segments))
    }

    fn segment(
        &mut self,
        key_of_price: PriceKey,
        h: f64,
        combine: Combine,
    ) -> Result<(RateSegment, Vec<usize>), Missing> {
        let key = (key_of_price, h.to_bits());
        if let Some(known) = self.asked.get(&key) {
            return Ok(known.clone());
        }
        let (g, l, range, substitutions) = match self.rule {
            Rule::ObspStar => {
                let cost = self.target.machine.cost(&Ask {
                    engine: self.target.engine,
                    processors: key_of_price.processors,
                    oversubscribed: self.target.oversubscribed,
                    pattern: key_of_price.pattern.priced_as(),
                    synchronisation: key_of_price.synchronisation,
                    combine,
                    bytes: h,
                })?;
                let g = match cost.calls.filter(|_| self.target.requests) {
                    Some(calls) => sum(cost.g, calls),
                    None => cost.g,
                };
                let g = match cost.fetch.filter(|_| self.target.fetches) {
                    Some(fetch) => sum(g, fetch),
                    None => g,
                };
                (g, cost.l, (cost.from, cost.to), cost.substitutions)
            }
            _ => {
                let classic =
                    self.target.machine.classic(self.target.engine, key_of_price.processors)?;
                let g = if self.target.requests { classic.g } else { classic.synchronisation() };
                (g, classic.l, (0.0, f64::INFINITY), classic.substitutions)
            }
        };
        let g = self.quantity(QuantityKind::G, g, range, key_of_price, &substitutions);
        let l = self.quantity(QuantityKind::L, l, range, key_of_price, &substitutions);
        let notes = substitutions
            .into_iter()
            .map(|substitution| self.note(key_of_price, substitution))
            .collect();
        let pair = (RateSegment { to: h, g, l }, notes);
        self.asked.insert(key, pair.clone());
        Ok(pair)
    }

    fn quantity(
        &mut self,
        kind: QuantityKind,
        value: Uncertain,
        range: (f64, f64),
        key_of_price: PriceKey,
        substitutions: &[Substitution],
    ) -> Parameter {
        let letter = match (kind, self.rule) {
            (QuantityKind::G, _) => "g",
            (_, Rule::ObspStar) => "L",
            _ => "l",
        };
        let rule = self.rule;
        let name = || name(letter, rule, range, key_of_price, substitutions);
        self.quantities.shared(name, kind, value, range)
    }

    fn note(&mut self, key_of_price: PriceKey, substitution: Substitution) -> usize {
        // Sizes beyond the measured range are reported once, not for each h.
        let words = match &substitution {
            Substitution::Size { from, to, .. } => format!("{from} {to}"),
            other => other.to_string(),
        };
        let key = (key_of_price, words);
        let (taken, rule) = (&mut *self.taken, self.rule);
        *self.places.entry(key).or_insert_with(|| {
            taken.push(Taken {
                rule,
                processors: key_of_price.processors,
                asked: asked(rule, key_of_price),
                substitution,
                supersteps: 0,
            });
            taken.len() - 1
        })
    }
}

fn sum(a: Uncertain, b: Uncertain) -> Uncertain {
    Uncertain { value: a.value + b.value, low: a.low + b.low, high: a.high + b.high }
}

fn asked(rule: Rule, key_of_price: PriceKey) -> String {
    match rule {
        Rule::ObspStar => format!(
            "{}, {}, p = {}",
            key_of_price.pattern.name(),
            key_of_price.synchronisation.name(),
            key_of_price.processors
        ),
        _ => format!("(s, g, l), p = {}", key_of_price.processors),
    }
}

/// Named after the line that was found.
fn name(
    letter: &str,
    rule: Rule,
    range: (f64, f64),
    key_of_price: PriceKey,
    substitutions: &[Substitution],
) -> String {
    let processors = substitutions.iter().find_map(|substitution| match substitution {
        Substitution::Processors { taken, .. } => Some(*taken),
        _ => None,
    });
    let p = processors.unwrap_or(key_of_price.processors);
    if rule != Rule::ObspStar || substitutions.contains(&Substitution::Classic) {
        return format!("{letter} (classic, p = {p})");
    }
    let pattern = substitutions.iter().find_map(|substitution| match substitution {
        Substitution::Pattern { taken, .. } => Some(*taken),
        _ => None,
    });
    let pattern = match (range.1 <= 0.0, pattern.unwrap_or(key_of_price.pattern.priced_as())) {
        (true, _) => "empty",
        (false, pattern) => Pattern::name(pattern),
    };
    let sizes = match range {
        (_, to) if to <= 0.0 => String::new(),
        (from, to) if to.is_finite() => format!(", {} to {}", bytes(from), bytes(to)),
        (from, _) => format!(", from {}", bytes(from)),
    };
    format!("{letter} ({pattern}, {}, p = {p}{sizes})", key_of_price.synchronisation.name())
}

/// `8 B`, `4 KiB`.
fn bytes(count: f64) -> String {
    text::bytes(count, BytesUnit::Largest(BinaryUnit::Mib), BytesDigits::Trimmed)
}
