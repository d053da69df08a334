//! The levels of address translation.

use cll_machine::Memory;
use cll_reuse::Level;
use schemars::JsonSchema;
use serde::Serialize;

/// A level of the address translation, as a level that pages leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Tlb {
    /// The name, the reach as the size, and the additional cost of an access beyond it.
    pub level: Level,
    /// The bytes of a page.
    pub page: f64,
}

/// A level of the address translation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WhyTlb {
    /// The name of the buffer.
    pub name: String,
    /// The bytes of pages that it reaches.
    pub bytes: f64,
    /// The bytes of a page.
    pub page: f64,
    /// The additional cost of an access beyond it, in accesses to the first level of the memory.
    pub penalty: f64,
}

impl WhyTlb {
    pub(super) fn from_tlb(tlb: &Tlb) -> WhyTlb {
        let level = &tlb.level;
        WhyTlb {
            name: level.name.clone(),
            bytes: level.size,
            page: tlb.page,
            penalty: level.penalty,
        }
    }
}

/// The levels of a memory's address translation. The cost in a file is that beyond a level compared with none, so each is
/// compared with the one before it.
pub fn translation_levels(memory: &Memory) -> Vec<Tlb> {
    let first = memory.levels.first().map_or(1e-9, |level| level.latency.value);
    let mut all = memory.translation.clone();
    all.sort_by(|a, b| {
        (a.page, a.reach.value)
            .partial_cmp(&(b.page, b.reach.value))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut found: Vec<Tlb> = Vec::new();
    let mut before = 0.0;
    for (index, translation) in all.iter().enumerate() {
        let same = |other: &&cll_machine::Translation| other.page == translation.page;
        let number = all[..index].iter().filter(same).count();
        if number == 0 {
            before = 0.0;
        }
        let name = match all.iter().filter(same).count() {
            1 => "TLB".to_owned(),
            _ => format!("L{} TLB", number + 1),
        };
        let penalty = ((translation.cost.value - before) / first).max(0.0);
        before = translation.cost.value.max(before);
        found.push(Tlb {
            level: Level { name, size: translation.reach.value, penalty },
            page: translation.page,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_machine::{Translation, Uncertain};

    #[test]
    fn costs_are_those_beyond_the_level_before() {
        let step = |reach, page, cost| Translation {
            reach: Uncertain::exact(reach),
            page,
            cost: Uncertain::exact(cost),
        };
        let level =
            cll_machine::Level { name: "L1".into(), size: None, latency: Uncertain::exact(1e-9) };
        let memory = Memory {
            levels: vec![level],
            translation: vec![
                step(6e6, 4096.0, 10e-9),
                step(256e3, 4096.0, 2e-9),
                step(64e6, 2097152.0, 7e-9),
            ],
            ..Memory::default()
        };
        let tlbs = translation_levels(&memory);
        let shown: Vec<(&str, f64, f64)> = tlbs
            .iter()
            .map(|tlb| (tlb.level.name.as_str(), tlb.level.size, tlb.level.penalty.round()))
            .collect();
        assert_eq!(shown, [("L1 TLB", 256e3, 2.0), ("L2 TLB", 6e6, 8.0), ("TLB", 64e6, 7.0)]);
    }
}
