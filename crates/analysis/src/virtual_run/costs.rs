//! The communication costs of a machine, as virtual processors receive them: a table of pieces.

use std::path::Path;

use crate::Error;
use cll_contract::{self as contract, CostSegment, CostTable};
use cll_machine::{Ask, Combine, Machine, Pattern, Synchronisation};
use cll_model::Target;

use crate::machine::load;
use crate::messages::Messages;

/// The largest number of pieces of one line of a machine; more would mean an endless line.
const MAX_PIECES: usize = 64;

/// The costs of a machine with several engines.
const ENGINE: &str = "processes";

/// A machine's costs of supersteps.
#[derive(Debug)]
pub struct Costs {
    machine: Machine,
    table: CostTable,
    /// A note if the machine's data are few, and substitutions for missing data.
    pub substitutions: Vec<String>,
}

impl Costs {
    /// The costs from a file, for machine objects of up to this number of processors.
    ///
    /// # Errors
    /// If the file cannot be read, or has no costs of supersteps.
    pub fn read(path: &Path, processors: u32, messages: &dyn Messages) -> Result<Costs, Error> {
        let machine = load(path, messages)?;
        Costs::new(machine, processors).map_err(|missing| {
            Error::content(format!("{}: {missing}", path.display()))
                .advise("cll machine probe --bsp measures the cost of supersteps here")
        })
    }

    /// The costs of a machine.
    fn new(machine: Machine, processors: u32) -> Result<Costs, cll_machine::Missing> {
        let known = machine.engines();
        let engine = known.contains(&"processes").then_some(ENGINE);
        let combine = machine.combine.unwrap_or(Combine::Max);
        let mut table = CostTable {
            combine: match combine {
                Combine::Max => contract::Combine::Max,
                Combine::Sum => contract::Combine::Sum,
            },
            ..CostTable::default()
        };
        let mut substitutions: Vec<String> = machine.reservation().into_iter().collect();
        for count in counts(processors) {
            for synchronisation in [Synchronisation::Barrier, Synchronisation::Oblivious] {
                let mut bytes = 0.0;
                for _ in 0..MAX_PIECES {
                    let cost = machine.cost(&Ask {
                        engine,
                        processors: count,
                        oversubscribed: Some(false),
                        pattern: Pattern::Random,
                        synchronisation,
                        combine,
                        bytes,
                    })?;
                    for substitution in &cost.substitutions {
                        let text = substitution.to_string();
                        // A program may send larger relations than were measured.
                        let is_size =
                            matches!(substitution, cll_machine::Substitution::Size { .. });
                        if count == processors && !is_size && !substitutions.contains(&text) {
                            substitutions.push(text);
                        }
                    }
                    let fetch = cost.fetch.map_or(0.0, |fetch| fetch.value);
                    let (g, l) = (cost.g.value + fetch, cost.l.value);
                    table.segments.push(CostSegment {
                        oblivious: synchronisation == Synchronisation::Oblivious,
                        processors: count,
                        from: bytes as u64,
                        g,
                        l,
                    });
                    // A message has at least one byte.
                    let next = if bytes == 0.0 { 1.0 } else { (cost.to + 1.0).floor() };
                    if !next.is_finite() || next <= bytes {
                        break;
                    }
                    bytes = next;
                }
            }
        }
        Ok(Costs { machine, table, substitutions })
    }

    /// The machine's name.
    pub fn name(&self) -> &str {
        &self.machine.name
    }

    /// The costs as models use them.
    pub fn target(&self) -> Target<'_> {
        let machine = &self.machine;
        Target {
            machine,
            engine: machine.engines().contains(&ENGINE).then_some(ENGINE),
            oversubscribed: Some(false),
            combine: machine.combine.unwrap_or(Combine::Max),
            // A phase contains the time of its requests.
            requests: false,
            fetches: true,
        }
    }

    /// The value of `CLL_COSTS`.
    pub fn table(&self) -> CostTable {
        self.table.clone()
    }
}

/// Powers of two up to a number, and the number.
fn counts(processors: u32) -> Vec<u32> {
    let powers = (0..32).map(|power| 1u32 << power).take_while(|&power| power < processors);
    powers.chain([processors]).collect()
}

#[cfg(test)]
mod tests {
    use cll_machine::{Line, Uncertain};

    use super::*;

    fn line(processors: u32, g: f64) -> Line {
        let piece = |from, to, g, l| cll_machine::Segment {
            from,
            to,
            g: Uncertain::exact(g),
            l: Uncertain::exact(l),
        };
        Line {
            engine: Some("processes".to_owned()),
            processors,
            oversubscribed: false,
            pattern: Pattern::Random,
            synchronisation: Synchronisation::Barrier,
            combine: Combine::Max,
            segments: vec![piece(8.0, 1000.0, g, 1e-6), piece(1000.0, 1e6, 2.0 * g, 2e-6)],
            calls: None,
            fetch: None,
        }
    }

    #[test]
    fn the_table_has_the_pieces_of_all_numbers_of_processors() {
        let oblivious = Line {
            synchronisation: Synchronisation::Oblivious,
            fetch: Some(Uncertain::exact(4e-9)),
            ..line(2, 1e-9)
        };
        let machine = Machine {
            name: "mine".to_owned(),
            communication: vec![line(2, 1e-9), line(4, 3e-9), oblivious],
            ..Machine::default()
        };
        let costs = Costs::new(machine, 3).unwrap();
        let (_, table) = contract::COSTS.set(costs.table());
        let table = table.into_string().unwrap();
        let pieces: Vec<&str> = table.split(';').collect();
        assert_eq!(pieces[0], "max");
        for wanted in ["b,2,1,1e-9,1e-6", "b,2,1001,2e-9,2e-6", "o,2,1,5e-9,1e-6"] {
            assert!(pieces.contains(&wanted), "{table}");
        }
        assert!(
            costs.substitutions.iter().any(|substitution| substitution.contains('3')),
            "{costs:?}"
        );
    }

    #[test]
    fn numbers_of_processors_are_powers_of_two_and_the_last() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(6), [1, 2, 4, 6]);
        assert_eq!(counts(8), [1, 2, 4, 8]);
    }
}
