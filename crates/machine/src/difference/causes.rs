//! The causes of differences between two measurements of one machine: the machine was not in the same regime.

use super::PropertyOwner;
use crate::machine::Machine;
use crate::regimes::NEIGHBOURS;
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit, PercentDigits, bytes, percent};

/// The causes that are known.
pub(super) struct Causes {
    /// Messages between two processors took another time.
    processors: Option<String>,
    /// From the level of this number on, others use it too.
    shared: Option<(usize, String)>,
}

/// A cache of which accesses find less than the system says by this factor belongs to others as well.
const SHARED: f64 = 1.5;

impl Causes {
    /// Compares the regimes of two machines. They explain nothing if the two are not one computer.
    pub(super) fn new(first: &Machine, second: &Machine) -> Causes {
        let same = match (&first.host, &second.host) {
            (Some(a), Some(b)) => a.cpu == b.cpu && a.cores == b.cores,
            _ => false,
        };
        let none = Causes { processors: None, shared: None };
        if !same {
            none
        } else {
            Causes { processors: processors(first, second), shared: shared(first, second) }
        }
    }

    /// The cause of a difference in a value of this place.
    pub(super) fn find(&self, place: PropertyOwner) -> Option<String> {
        match (place, &self.shared) {
            (PropertyOwner::Processors, _) => self.processors.clone(),
            (PropertyOwner::Level(level), Some((from, why))) if level >= *from => Some(why.clone()),
            _ => None,
        }
    }
}

fn processors(first: &Machine, second: &Machine) -> Option<String> {
    let (regimes, other) = (first.regimes(NEIGHBOURS)?, second.regimes(NEIGHBOURS)?);
    let times = |machine_regimes: &crate::Regimes| {
        let each = machine_regimes.seen.iter().map(|regime| {
            if regime.share < 1.0 {
                let share = percent(regime.share, PercentDigits::Decimals(0));
                format!("{:.0} ns ({share})", 1e9 * regime.at)
            } else {
                format!("{:.0} ns", 1e9 * regime.at)
            }
        });
        each.collect::<Vec<_>>().join(" and ")
    };
    (!regimes.overlap(other)).then(|| {
        format!(
            "the processors were in another regime: a message between two of them took {} in A, {} in B",
            times(regimes),
            times(other)
        )
    })
}

fn shared(first: &Machine, second: &Machine) -> Option<(usize, String)> {
    let caches = &first.host.as_ref()?.caches;
    let claimed = caches.iter().enumerate().find_map(|(k, cache)| {
        let size = |machine: &Machine| Some(machine.memory.levels.get(k)?.size?.value);
        let (a, b) = (size(first)?, size(second)?);
        (a.max(b) * SHARED < cache.bytes.as_f64()).then_some((k, cache, a, b))
    });
    let (level, cache, a, b) = claimed?;
    let mib = |size: f64| bytes(size, BytesUnit::Only(BinaryUnit::Mib), BytesDigits::Decimals(1));
    Some((
        level,
        format!(
            "{} and what is beyond it are shared with others on this host: the system says {}, accesses found {} in A, {} \
             in B",
            cache.name,
            mib(cache.bytes.as_f64()),
            mib(a),
            mib(b)
        ),
    ))
}
