//! What communication costs on a machine, as virtual processors are told: a table of pieces.

use std::path::Path;

use cll_machine::{Ask, Combine, Machine, Pattern, Synchronisation};

use crate::failure::Failure;
use crate::terminal::Terminal;

/// Pieces that one line of a machine can have; more would be an endless one.
const MOST_PIECES: usize = 64;

/// A machine's costs of supersteps.
#[derive(Debug)]
pub struct Costs {
    name: String,
    table: String,
    /// What was missing in the machine's file, and taken instead.
    pub substitutions: Vec<String>,
}

impl Costs {
    /// Of a file, for machine objects of up to so many processors.
    pub fn read(path: &Path, processors: u32, terminal: &Terminal) -> Result<Costs, Failure> {
        let machine = machine(path, terminal)?;
        Costs::of(&machine, processors).map_err(|missing| {
            Failure::input(format!("{}: {missing}", super::shown(path)))
                .help("cll machine probe --bsp measures what supersteps cost here")
        })
    }

    /// Of a machine.
    fn of(machine: &Machine, processors: u32) -> Result<Costs, cll_machine::Missing> {
        let known = machine.engines();
        let engine = known.contains(&"processes").then_some("processes");
        let combine = machine.combine.unwrap_or(Combine::Max);
        let mut table = match combine {
            Combine::Max => "max".to_owned(),
            Combine::Sum => "sum".to_owned(),
        };
        let mut substitutions = Vec::new();
        for count in counts(processors) {
            for (letter, synchronisation) in
                [('b', Synchronisation::Barrier), ('o', Synchronisation::Oblivious)]
            {
                let mut bytes = 0.0;
                for _ in 0..MOST_PIECES {
                    let cost = machine.cost(&Ask {
                        engine,
                        processors: count,
                        oversubscribed: Some(false),
                        pattern: Pattern::Random,
                        synchronisation,
                        combine,
                        bytes,
                    })?;
                    for one in &cost.substitutions {
                        let text = one.to_string();
                        // Beyond the sizes that were measured is of interest where a program is.
                        let is_size = matches!(one, cll_machine::Substitution::Size { .. });
                        if count == processors && !is_size && !substitutions.contains(&text) {
                            substitutions.push(text);
                        }
                    }
                    let (g, l) = (cost.g.value, cost.l.value);
                    table += &format!(";{letter},{count},{bytes},{g:e},{l:e}");
                    // What is sent at all begins with a byte.
                    let next = if bytes == 0.0 { 1.0 } else { (cost.to + 1.0).floor() };
                    if !next.is_finite() || next <= bytes || (bytes > 0.0 && !cost.inside) {
                        break;
                    }
                    bytes = next;
                }
            }
        }
        Ok(Costs { name: machine.name.clone(), table, substitutions })
    }

    /// The machine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As `CLL_COSTS` has it.
    pub fn table(&self) -> String {
        self.table.clone()
    }
}

/// Powers of two up to a number, and the number.
fn counts(processors: u32) -> Vec<u32> {
    let powers = (0..32).map(|power| 1u32 << power).take_while(|&power| power < processors);
    powers.chain([processors]).collect()
}

/// The machine that a file describes.
fn machine(path: &Path, _: &Terminal) -> Result<Machine, Failure> {
    Err(Failure::input(format!("{}: cannot be read yet", path.display())))
}
