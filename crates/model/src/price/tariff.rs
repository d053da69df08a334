//! A machine asked for each superstep's price, once for each kind of superstep and size.

use std::collections::HashMap;

use cll_machine::{Ask, Combine, Missing, Pattern, Substitution, Synchronisation, Uncertain};
use serde::Serialize;

use super::rate::{Rate, RatePiece};
use super::{Rule, Target};
use crate::parameters::{Kind, Quantities};
use crate::program::{Ending, Object, Parameter, Shape, Superstep, Traffic};

/// What was taken for something that the machine's file lacks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Taken {
    /// By which model.
    pub rule: Rule,
    /// Processors of the machine object.
    pub processors: u32,
    /// What was asked: `shift, barrier`.
    pub asked: String,
    /// What was missing.
    pub substitution: Substitution,
    /// How many supersteps it concerns.
    pub supersteps: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kindred {
    processors: u32,
    shape: Shape,
    synchronisation: Synchronisation,
}

/// Prices that were asked for.
pub(super) struct Tariff<'a> {
    rule: Rule,
    target: &'a Target<'a>,
    quantities: &'a mut Quantities,
    taken: &'a mut Vec<Taken>,
    /// The piece of each h, with indices into `taken` of what was substituted for it.
    asked: HashMap<(Kindred, u64), (RatePiece, Vec<usize>)>,
    places: HashMap<(Kindred, String), usize>,
}

impl<'a> Tariff<'a> {
    pub(super) fn new(
        rule: Rule,
        target: &'a Target<'a>,
        quantities: &'a mut Quantities,
        taken: &'a mut Vec<Taken>,
    ) -> Tariff<'a> {
        let (asked, places) = (HashMap::new(), HashMap::new());
        Tariff { rule, target, quantities, taken, asked, places }
    }

    /// The price of a superstep, for every h that its processors have.
    pub(super) fn rate(
        &mut self,
        object: &Object,
        superstep: &Superstep,
        combine: Combine,
    ) -> Result<Rate, Missing> {
        let oblivious = matches!(superstep.ending, Ending::Oblivious(_));
        let kindred = Kindred {
            processors: object.processors,
            shape: superstep.shape,
            synchronisation: match oblivious && self.rule == Rule::ObspStar {
                true => Synchronisation::Oblivious,
                false => Synchronisation::Barrier,
            },
        };
        let sizes = match &superstep.traffic {
            // h of a processor is that of one of its partners.
            Traffic::Each(bytes) if oblivious && self.rule != Rule::Bsp => {
                let of = |&(received, sent): &(f64, f64)| match combine {
                    Combine::Max => received.max(sent),
                    Combine::Sum => received + sent,
                };
                let mut sizes: Vec<f64> = bytes.iter().map(of).collect();
                sizes.sort_by(f64::total_cmp);
                sizes.dedup();
                sizes
            }
            traffic => vec![traffic.largest(combine)],
        };
        let mut pieces: Vec<RatePiece> = Vec::new();
        let mut noted: Vec<usize> = Vec::new();
        for h in sizes {
            let (piece, notes) = self.piece(kindred, h, combine)?;
            noted.extend(notes);
            match pieces.last_mut() {
                Some(last) if (last.g, last.l) == (piece.g, piece.l) => last.to = h,
                _ => pieces.push(RatePiece { to: h, ..piece }),
            }
        }
        noted.sort_unstable();
        noted.dedup();
        noted.into_iter().for_each(|note| self.taken[note].supersteps += 1);
        Ok(Rate::new(pieces))
    }

    fn piece(
        &mut self,
        kindred: Kindred,
        h: f64,
        combine: Combine,
    ) -> Result<(RatePiece, Vec<usize>), Missing> {
        let key = (kindred, h.to_bits());
        if let Some(known) = self.asked.get(&key) {
            return Ok(known.clone());
        }
        let (g, l, range, substitutions) = match self.rule {
            Rule::ObspStar => {
                let cost = self.target.machine.cost(&Ask {
                    engine: self.target.engine,
                    processors: kindred.processors,
                    oversubscribed: self.target.oversubscribed,
                    pattern: kindred.shape.pattern(),
                    synchronisation: kindred.synchronisation,
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
                let of = self.target.machine.classic(self.target.engine, kindred.processors)?;
                let g = if self.target.requests { of.g } else { of.synchronisation() };
                (g, of.l, (0.0, f64::INFINITY), of.substitutions)
            }
        };
        let g = self.quantity(Kind::G, g, range, kindred, &substitutions);
        let l = self.quantity(Kind::L, l, range, kindred, &substitutions);
        let notes = substitutions.into_iter().map(|one| self.note(kindred, one)).collect();
        let found = (RatePiece { to: h, g, l }, notes);
        self.asked.insert(key, found.clone());
        Ok(found)
    }

    fn quantity(
        &mut self,
        kind: Kind,
        value: Uncertain,
        range: (f64, f64),
        kindred: Kindred,
        substitutions: &[Substitution],
    ) -> Parameter {
        let letter = match (kind, self.rule) {
            (Kind::G, _) => "g",
            (_, Rule::ObspStar) => "L",
            _ => "l",
        };
        let rule = self.rule;
        let name = || name(letter, rule, range, kindred, substitutions);
        self.quantities.shared(name, kind, value, range)
    }

    fn note(&mut self, kindred: Kindred, substitution: Substitution) -> usize {
        // Sizes beyond what was measured are told once, not for each h.
        let words = match &substitution {
            Substitution::Size { from, to, .. } => format!("{from} {to}"),
            other => other.to_string(),
        };
        let key = (kindred, words);
        let (taken, rule) = (&mut *self.taken, self.rule);
        *self.places.entry(key).or_insert_with(|| {
            taken.push(Taken {
                rule,
                processors: kindred.processors,
                asked: asked(rule, kindred),
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

fn asked(rule: Rule, kindred: Kindred) -> String {
    match rule {
        Rule::ObspStar => format!(
            "{}, {}, p = {}",
            kindred.shape.name(),
            kindred.synchronisation.name(),
            kindred.processors
        ),
        _ => format!("(s, g, l), p = {}", kindred.processors),
    }
}

/// Named after the line that was found.
fn name(
    letter: &str,
    rule: Rule,
    range: (f64, f64),
    kindred: Kindred,
    substitutions: &[Substitution],
) -> String {
    let processors = substitutions.iter().find_map(|one| match one {
        Substitution::Processors { taken, .. } => Some(*taken),
        _ => None,
    });
    let p = processors.unwrap_or(kindred.processors);
    if rule != Rule::ObspStar || substitutions.contains(&Substitution::Classic) {
        return format!("{letter} (classic, p = {p})");
    }
    let pattern = substitutions.iter().find_map(|one| match one {
        Substitution::Pattern { taken, .. } => Some(*taken),
        _ => None,
    });
    let pattern = match (range.1 <= 0.0, pattern.unwrap_or(kindred.shape.pattern())) {
        (true, _) => "empty",
        (false, pattern) => Pattern::name(pattern),
    };
    let sizes = match range {
        (_, to) if to <= 0.0 => String::new(),
        (from, to) if to.is_finite() => format!(", {} to {}", bytes(from), bytes(to)),
        (from, _) => format!(", from {}", bytes(from)),
    };
    format!("{letter} ({pattern}, {}, p = {p}{sizes})", kindred.synchronisation.name())
}

/// `8 B`, `4 KiB`.
fn bytes(count: f64) -> String {
    let (unit, size) = [("MiB", 1048576.0), ("KiB", 1024.0), ("B", 1.0)]
        .into_iter()
        .find(|(_, size)| count >= *size)
        .unwrap_or(("B", 1.0));
    let digits = format!("{:.1}", count / size);
    format!("{} {unit}", digits.strip_suffix(".0").unwrap_or(&digits))
}
