//! Times on another machine, from counts of accesses and the costs of both machines, as `cll predict --machine --json`
//! writes them.

use cll_fit::{Fit, Unit};
use cll_machine::{Machine, Memory};
use cll_reuse::{Beyond, Growth, Population, waiting};
use serde::Serialize;

/// How times were carried to the other machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Counts of accesses and operations with the costs of both.
    OperationsAndMemory,
    /// The same, but operations are as fast as accesses to the first level.
    Memory,
    /// The operations per second of both.
    Rate,
}

/// An experiment on another machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Carried {
    /// Its name.
    pub name: String,
    /// How.
    pub by: By,
    /// The time of computation there divided by that here.
    pub computation: f64,
    /// The smallest and the largest ratio of an operation.
    pub computation_range: (f64, f64),
    /// The part of the latency beyond the first level that the program waits for, from the times here.
    pub waits: f64,
    /// The mean relative error of the times that were measured here, computed in the same way.
    pub error_here: f64,
    /// Bytes of levels, and the sizes at which distances pass them there.
    pub boundaries: Vec<CarriedBoundary>,
    /// The times.
    pub points: Vec<CarriedPoint>,
    /// What should be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Where a constant changes there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CarriedBoundary {
    /// The level that is left.
    pub level: String,
    /// The variable.
    pub variable: String,
    /// Its value.
    pub at: f64,
    /// The array.
    pub array: String,
    /// The line.
    pub line: u32,
}

/// A time on both machines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CarriedPoint {
    /// The values of the variables.
    pub at: Vec<(String, f64)>,
    /// The model's time on its own machine, seconds.
    pub here_s: f64,
    /// The time there, seconds.
    pub there_s: f64,
    /// The lower end of its range.
    pub low_s: f64,
    /// The upper end.
    pub high_s: f64,
}

/// The accesses of an experiment.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Accesses of a passage.
    pub accesses: Growth,
    /// Those with long reuse distances.
    pub populations: Vec<Population>,
}

/// The costs of a machine's levels.
pub fn beyond(memory: &Memory) -> Vec<Beyond> {
    let pairs = memory.levels.windows(2);
    let level = |pair: &[cll_machine::Level]| {
        let seconds = pair[1].latency.value - pair[0].latency.value;
        Some(Beyond { size: pair[0].size?.value, seconds: seconds.max(0.0) })
    };
    pairs.filter_map(level).collect()
}

/// The time of computation on `there` divided by that on `here`: value, smallest, largest; and by what it is known.
///
/// # Errors
/// What is missing.
pub fn computation(here: &Machine, there: &Machine) -> Result<([f64; 3], By), String> {
    let each = |machine: &Machine, name: &str, operand: &str| {
        let all = &machine.operations;
        let found =
            all.iter().find(|one| (one.name.as_str(), one.operand.as_str()) == (name, operand))?;
        found.latency.or(found.each).map(|cost| cost.value).filter(|cost| *cost > 0.0)
    };
    let ratios = here.operations.iter().filter_map(|one| {
        let there = each(there, &one.name, &one.operand)?;
        Some(there / each(here, &one.name, &one.operand)?)
    });
    let mut ratios: Vec<f64> = ratios.collect();
    let has_levels = !here.memory.levels.is_empty() && !there.memory.levels.is_empty();
    if !ratios.is_empty() && has_levels {
        ratios.sort_by(f64::total_cmp);
        let middle = ratios[ratios.len() / 2];
        return Ok(([middle, ratios[0], ratios[ratios.len() - 1]], By::OperationsAndMemory));
    }
    if has_levels {
        let first = |machine: &Machine| machine.memory.levels[0].latency.value;
        let ratio = first(there) / first(here);
        return Ok(([ratio; 3], By::Memory));
    }
    let rate = |machine: &Machine| {
        machine.classic.iter().filter_map(|one| one.rate).map(|rate| rate.value).find(|r| *r > 0.0)
    };
    match (rate(here), rate(there)) {
        (Some(from), Some(to)) => Ok(([from / to; 3], By::Rate)),
        (from, _) => {
            let silent = if from.is_none() { here } else { there };
            let levels = if there.memory.levels.is_empty() { there } else { here };
            Err(format!(
                "{} has no levels of memory, and {} no operations per second",
                levels.name, silent.name
            ))
        }
    }
}

/// Carries an experiment to another machine.
///
/// The measured times are described as `T = c·A + w·M`: A accesses of a passage, and M seconds that its accesses would
/// wait beyond the first level if nothing were done in the meantime, by reuse distances and the latencies of the machine.
/// c and w, neither below zero, follow from the times here by least squares of the relative errors. There c is
/// multiplied by the ratio of the costs of operations, and M is that of the other machine.
///
/// # Errors
/// If the machines or the fit lack what is needed.
pub fn carried(
    name: &str,
    fit: &Fit,
    counts: Option<&Counts>,
    (here, there): (&Machine, &Machine),
    points: &[Vec<f64>],
) -> Result<Carried, String> {
    if fit.unit != Unit::Seconds {
        return Err(format!("{name} is in {}, not a time", fit.unit));
    }
    let ([ratio, lowest, highest], by) = computation(here, there)?;
    let mut found = Carried {
        name: name.to_owned(),
        by,
        computation: ratio,
        computation_range: (lowest, highest),
        waits: 0.0,
        error_here: 0.0,
        boundaries: Vec::new(),
        points: Vec::new(),
        notes: Vec::new(),
    };
    let named =
        |values: &[f64]| fit.variables.iter().cloned().zip(values.iter().copied()).collect();
    let here_at = |values: &[f64]| {
        let predicted = fit.predict(values).map_err(|error| format!("{name}: {error}"))?;
        Ok::<f64, String>(predicted.value)
    };
    let Some(counts) = counts.filter(|_| by != By::Rate) else {
        for values in points {
            let value = here_at(values)?;
            let there_s = value * ratio;
            let at = named(values);
            found.points.push(CarriedPoint {
                at,
                here_s: value,
                there_s,
                low_s: there_s,
                high_s: there_s,
            });
        }
        found.notes.push(match by {
            By::Rate => "operations per second alone: caches are not known there, and an error of several times is possible",
            _ => "its accesses could not be followed: all of its time is taken as computation",
        }.to_owned());
        return Ok(found);
    };
    let places = fit.variables.iter().map(|v| fit.recorded.iter().position(|one| one == v));
    let places: Option<Vec<usize>> = places.collect();
    let places = places.ok_or_else(|| format!("{name}: its data lack a variable"))?;
    let (own, other) = (beyond(&here.memory), beyond(&there.memory));
    let cost = |levels: &[Beyond], values: &[f64]| {
        [counts.accesses.at(values), waiting(&counts.accesses, &counts.populations, levels, values)]
    };
    let rows = fit.residuals.iter().filter(|one| one.measured > 0.0).map(|one| {
        let values: Vec<f64> = places.iter().map(|place| one.values[*place]).collect();
        let [accesses, waits] = cost(&own, &values);
        [accesses / one.measured, waits / one.measured]
    });
    let rows: Vec<[f64; 2]> = rows.collect();
    let [c, w] = non_negative(&rows).ok_or_else(|| format!("{name}: too few measured times"))?;
    let error = |row: &[f64; 2]| (c * row[0] + w * row[1] - 1.0).abs();
    found.error_here = rows.iter().map(error).sum::<f64>() / rows.len() as f64;
    found.waits = w;
    let mut errors: Vec<f64> = rows.iter().map(error).collect();
    errors.sort_by(f64::total_cmp);
    let most = errors[(errors.len() * 9 / 10).min(errors.len() - 1)];
    for values in points {
        let [accesses, waits] = cost(&other, values);
        let at = |ratio: f64| c * ratio * accesses + w * waits;
        found.points.push(CarriedPoint {
            at: named(values),
            here_s: here_at(values)?,
            there_s: at(ratio),
            low_s: at(lowest) * (1.0 - most).max(0.0),
            high_s: at(highest) * (1.0 + most),
        });
    }
    Ok(found)
}

/// `c` and `w` from zero upwards with the least squares of `c·a + w·m - 1`.
fn non_negative(rows: &[[f64; 2]]) -> Option<[f64; 2]> {
    let dot = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let sum = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>();
    let (aa, am, mm) = (dot(0, 0), dot(0, 1), dot(1, 1));
    let (a, m) = (sum(0), sum(1));
    if rows.len() < 3 || aa <= 0.0 {
        return None;
    }
    let determinant = aa * mm - am * am;
    if determinant > 1e-9 * aa * mm {
        let both = [(a * mm - m * am) / determinant, (m * aa - a * am) / determinant];
        if both[0] >= 0.0 && both[1] >= 0.0 {
            return Some(both);
        }
        let squares = |[c, w]: [f64; 2]| {
            rows.iter().map(|row| (c * row[0] + w * row[1] - 1.0).powi(2)).sum::<f64>()
        };
        let (one, other) = ([a / aa, 0.0], [0.0, m / mm]);
        return Some(if squares(one) <= squares(other) { one } else { other });
    }
    Some([a / aa, 0.0])
}

/// A model's times on another machine.
#[derive(Clone, Debug, Serialize)]
pub struct OnMachine {
    format: &'static str,
    version: u32,
    /// The model's file.
    pub model: String,
    /// The machine on which it was measured.
    pub here: String,
    /// The other one.
    pub there: String,
    /// By experiment.
    pub experiments: Vec<Carried>,
    /// What concerns all of it.
    pub notes: Vec<String>,
}

impl OnMachine {
    /// Without experiments yet. `now`: the present time, `2026-01-31T12:00:00Z`.
    pub fn new(model: String, here: &Machine, there: &Machine, now: &str) -> OnMachine {
        let mut notes: Vec<String> = [here, there].map(|one| age(one, now)).into();
        for one in [here, there] {
            if one.host.as_ref().is_none_or(|host| host.kernel.is_empty()) {
                notes.push(format!(
                    "{} does not say its kernel: what has changed since is not known",
                    one.name
                ));
            }
            let disturbed = one.origin.disturbed.iter();
            notes
                .extend(disturbed.map(|why| format!("{} was measured disturbed: {why}", one.name)));
        }
        OnMachine {
            format: "cll-on-machine",
            version: 1,
            model,
            here: here.name.clone(),
            there: there.name.clone(),
            experiments: Vec::new(),
            notes,
        }
    }
}

/// How old a machine's file is.
fn age(machine: &Machine, now: &str) -> String {
    let days = days(now).zip(days(&machine.origin.when)).map(|(now, then)| now - then);
    match (days, machine.origin.when.as_str()) {
        (Some(0), _) => format!("{} was measured today", machine.name),
        (Some(1), _) => format!("{} was measured a day ago", machine.name),
        (Some(days), _) if days > 0 => format!("{} was measured {days} days ago", machine.name),
        (_, "") => format!("{} does not say when it was measured", machine.name),
        (_, when) => format!("{} was measured {when}", machine.name),
    }
}

/// The number of a day, from a time that begins with `2026-01-31`.
fn days(time: &str) -> Option<i64> {
    let mut parts = time.get(..10)?.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Years begin in March, so that the day that is sometimes missing is the last one.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_days() {
        let between = |a: &str, b: &str| days(b).unwrap() - days(a).unwrap();
        assert_eq!(between("2024-02-28T10:00:00Z", "2024-03-01"), 2);
        assert_eq!(between("2025-12-31", "2026-01-01"), 1);
        assert_eq!(between("2000-01-01", "2001-01-01"), 366);
        assert!(days("1998").is_none() && days("").is_none() && days("of old times").is_none());
    }

    #[test]
    fn costs_are_not_negative() {
        // T = 2 a + 0.5 m exactly.
        let rows = [[1.0, 4.0], [2.0, 3.0], [3.0, 9.0], [1.0, 0.5]];
        let rows = rows.map(|[a, m]| [a / (2.0 * a + 0.5 * m), m / (2.0 * a + 0.5 * m)]);
        let [c, w] = non_negative(&rows).unwrap();
        assert!((c - 2.0).abs() < 1e-9 && (w - 0.5).abs() < 1e-9, "{c} {w}");
        // Times that fall where more is missed: nothing is waited for.
        let falling = [[1.0, 0.0], [0.9, 1.0], [0.8, 2.0]].map(|[a, m]| [1.0 / a, m / a]);
        assert_eq!(non_negative(&falling).unwrap()[1], 0.0);
        assert!(non_negative(&rows[..2]).is_none());
    }
}
