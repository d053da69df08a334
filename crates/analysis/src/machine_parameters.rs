//! The values of `bsp_s`, `bsp_l`, `bsp_g`, `bsp_nhalf` for a program that is run.

use std::path::Path;

use crate::Error;
use cll_contract::{MACHINE, PARAMETERS, ParametersOf, Setting};
use cll_machine::{Combine, Line, Machine, Synchronisation};

use crate::machine::load;
use crate::messages::Messages;

/// The variable for a BSP program, if `CLL_MACHINE` names a machine.
///
/// # Errors
/// If the machine cannot be read.
pub fn machine_parameters(engine: &str, messages: &dyn Messages) -> Result<Option<Setting>, Error> {
    let Some(file) = std::env::var_os(MACHINE.name()).filter(|file| !file.is_empty()) else {
        return Ok(None);
    };
    let machine = load(Path::new(&file), messages)?;
    Ok(Some(PARAMETERS.set(table(&machine, engine))))
}

/// In the literature's units: operations per second, operations, operations per word, words.
fn table(machine: &Machine, engine: &str) -> Vec<ParametersOf> {
    let classics = machine
        .classic
        .iter()
        .filter(|classic| classic.engine.as_deref().is_none_or(|e| e == engine));
    let rows = classics.map(|classic| {
        let rate = classic.rate.map(|rate| rate.value);
        let l = rate.map(|rate| classic.l.value * rate);
        let g = rate.map(|rate| 4.0 * classic.g.value * rate);
        let half = half(machine, engine, classic.processors, classic.oversubscribed);
        ParametersOf { processors: classic.processors, rate, l, g, half }
    });
    rows.collect()
}

/// The number of words of a transfer that takes twice as long as at the rate of large ones: what the first piece
/// of the worst pattern takes beyond an empty superstep, divided by the g of the last piece.
fn half(machine: &Machine, engine: &str, processors: u32, oversubscribed: bool) -> Option<f64> {
    let here = |name: Option<&str>, p: u32, shared: bool, kind: Synchronisation| {
        name.is_none_or(|name| name == engine)
            && (p, shared, kind) == (processors, oversubscribed, Synchronisation::Barrier)
    };
    let empty = machine.empty.iter().find(|empty| {
        here(empty.engine.as_deref(), empty.processors, empty.oversubscribed, empty.synchronisation)
    })?;
    let lines = machine.communication.iter().filter(|line| {
        line.combine == Combine::Max
            && here(
                line.engine.as_deref(),
                line.processors,
                line.oversubscribed,
                line.synchronisation,
            )
    });
    let g = |line: &Line| {
        let calls = line.calls.map_or(0.0, |calls| calls.value);
        line.segments.last().map_or(0.0, |segment| segment.g.value + calls)
    };
    let worst = lines.max_by(|a, b| g(a).total_cmp(&g(b)))?;
    let start = (worst.segments.first()?.l.value - empty.l.value).max(0.0);
    (g(worst) > 0.0).then(|| start / g(worst) / 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_machine::Published;

    #[test]
    fn published_machines_have_no_half() {
        let machine = Published::named("sgi-powerchallenge").unwrap().machine();
        let rows = PARAMETERS.set(table(&machine, "threads")).1.into_string().unwrap();
        let four = rows.split(';').nth(3).unwrap();
        let numbers: Vec<&str> = four.split(' ').collect();
        assert_eq!((numbers.len(), numbers[0], numbers[1], numbers[4]), (5, "4", "7.4e7", "-"));
        let number = |k: usize| numbers[k].parse::<f64>().unwrap();
        assert!((number(2) - 1902.0).abs() < 1e-9 && (number(3) - 9.3).abs() < 1e-9, "{four}");
    }
}
