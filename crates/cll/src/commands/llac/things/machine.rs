//! A machine: its report, and the cost of a superstep.

use std::any::Any;
use std::path::Path;

use cll_analysis::machine::load;
use cll_llac::Thing;
use cll_llac::value::{Quantity, Unit};
use cll_machine::{Ask, Combine, Pattern, Synchronisation};
use cll_report::{Style, machine_text};
use cll_result::MachineJson;
use serde_json::Value as Json;

use super::super::heard::Heard;
use crate::failure::Failure;

/// A machine of the database.
#[derive(Debug)]
pub struct MachineThing {
    /// As it was named: a file, or a published machine.
    pub word: String,
    machine: cll_machine::Machine,
}

impl MachineThing {
    /// Reads its file.
    pub fn read(path: &Path, heard: &Heard) -> Result<MachineThing, Failure> {
        Ok(MachineThing { word: path.display().to_string(), machine: load(path, heard)? })
    }
}

impl Thing for MachineThing {
    fn kind(&self) -> &'static str {
        "machine"
    }

    fn summary(&self) -> String {
        self.word.clone()
    }

    fn text(&self, style: &Style) -> String {
        machine_text(&self.machine, style)
    }

    fn json(&self) -> Json {
        serde_json::to_value(MachineJson::of(&self.machine)).unwrap_or_default()
    }

    /// `mine(P = 4, h = 16000)`: the time `L + g·h` of a superstep in which all send to all.
    fn call(&self, arguments: &[(String, f64)], _: f64) -> Option<Result<Quantity, String>> {
        let value =
            |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        if let Some((unknown, _)) = arguments.iter().find(|(name, _)| name != "P" && name != "h") {
            return Some(Err(format!(
                "a machine has no `{unknown}`: it takes P, processors, and h, bytes"
            )));
        }
        let (Some(processors), Some(bytes)) = (value("P"), value("h")) else {
            return Some(Err("a machine takes P, processors, and h, bytes".to_owned()));
        };
        let ask = Ask {
            engine: None,
            processors: processors.max(1.0) as u32,
            oversubscribed: None,
            pattern: Pattern::TotalExchange,
            synchronisation: Synchronisation::Barrier,
            combine: self.machine.combine.unwrap_or(Combine::Max),
            bytes,
        };
        let cost = match self.machine.cost(&ask) {
            Ok(cost) => cost,
            Err(missing) => return Some(Err(missing.to_string())),
        };
        let value = cost.l.value + cost.g.value * bytes;
        let band = (cost.l.low + cost.g.low * bytes, cost.l.high + cost.g.high * bytes);
        let exact = Quantity::with_unit(value, Unit::seconds());
        Some(Ok(Quantity { band: Some(band), beyond: !cost.inside, ..exact }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
