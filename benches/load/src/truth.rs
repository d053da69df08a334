//! Measures how long sizes take on a quiet machine.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::arguments::Common;
use crate::programs::Program;
use crate::quiet::Watch;
use crate::record::verdict;
use crate::stop::{Stop, now};
use crate::tool::Tool;
use crate::works::Works;

/// An occasion that was not quiet is tried so many times in all.
const TRIES: usize = 3;

/// A program measured directly on one occasion, with a build of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub program: Program,
    /// From 1 on.
    pub occasion: usize,
    /// Seconds since 1970.
    pub ended: f64,
    /// How often it was tried.
    pub tries: usize,
    /// Whether `cll model` found the machine quiet, or found only some rounds disturbed, which it left
    /// out, and this program's own canaries found the machine quiet.
    pub quiet: bool,
    /// The verdict of `cll model`.
    pub state: String,
    pub reasons: Vec<String>,
    /// The observations of the canaries.
    pub canaries: String,
    /// The median over all rounds, seconds.
    pub points: Vec<Point>,
}

/// One size.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Point {
    pub size: u64,
    pub median: f64,
}

/// The truth of a size, seconds: from the least to the largest median of several occasions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Truth {
    pub low: f64,
    /// The median of the occasions.
    pub middle: f64,
    pub high: f64,
    pub occasions: usize,
}

/// The truths of programs and sizes.
pub type Truths = BTreeMap<(Program, u64), Truth>;

impl Truth {
    /// Computes the truth from medians; `None` if there are none.
    pub fn of(mut medians: Vec<f64>) -> Option<Truth> {
        medians.sort_by(f64::total_cmp);
        let (low, high) = (*medians.first()?, *medians.last()?);
        let half = medians.len() / 2;
        let middle = match medians.len() % 2 {
            0 => (medians[half - 1] + medians[half]) / 2.0,
            _ => medians[half],
        };
        Some(Truth { low, middle, high, occasions: medians.len() })
    }
}

/// The truths of these measurements. Of a program that has two or more on a quiet machine only
/// these count: the others would make its truth wide, and each prediction right.
pub fn truths<'a>(all: impl IntoIterator<Item = &'a Measured>) -> Truths {
    let mut programs: BTreeMap<Program, Vec<&Measured>> = BTreeMap::new();
    for measured in all {
        programs.entry(measured.program).or_default().push(measured);
    }
    for measured in programs.values_mut() {
        if measured.iter().filter(|measurement| measurement.quiet).count() >= 2 {
            measured.retain(|measurement| measurement.quiet);
        }
    }
    let mut medians: BTreeMap<(Program, u64), Vec<f64>> = BTreeMap::new();
    for measured in programs.into_values().flatten() {
        for point in &measured.points {
            medians.entry((measured.program, point.size)).or_default().push(point.median);
        }
    }
    medians.into_iter().filter_map(|(at, medians)| Some((at, Truth::of(medians)?))).collect()
}

/// All that is kept of these programs.
pub fn kept(works: &Works, programs: &[Program]) -> Result<Vec<Measured>> {
    let mut all = Vec::new();
    for &program in programs {
        for occasion in 1.. {
            let Some(measured) = works.read(&name(program, occasion))? else { break };
            all.push(measured);
        }
    }
    Ok(all)
}

/// How many occasions all of these programs have.
pub fn complete(all: &[Measured], programs: &[Program]) -> usize {
    let of = |program| all.iter().filter(|measured| measured.program == program).count();
    programs.iter().map(|&program| of(program)).min().unwrap_or(0)
}

/// When the last occasion was, seconds since 1970; 0 if there was none.
pub fn last(all: &[Measured]) -> f64 {
    all.iter().map(|measured| measured.ended).fold(0.0, f64::max)
}

/// Measures a program unless that is there; again where the machine was not quiet. `None` if an end
/// is wanted.
pub fn measure(
    works: &Works,
    tool: &Tool,
    common: &Common,
    stop: &Stop,
    (program, occasion): (Program, usize),
    sizes: &[u64],
) -> Result<Option<Measured>> {
    if let Some(known) = works.read(&name(program, occasion))? {
        return Ok(Some(known));
    }
    let mut best: Option<Measured> = None;
    for tries in 1..=TRIES {
        let measured = once(tool, common.truth_rounds, (program, occasion), sizes);
        if stop.is_wanted() {
            return Ok(None);
        }
        let measured = measured?;
        let Measured { state, canaries, quiet, .. } = &measured;
        eprintln!(
            "occasion {occasion} {:<8} {}, cll: {state}, canaries: {canaries}",
            program.name(),
            if *quiet { "quiet" } else { "NOT QUIET" },
        );
        let is_better = best.as_ref().is_none_or(|best| rank(&measured) > rank(best));
        if is_better {
            best = Some(measured);
        }
        if let Some(best) = &mut best {
            best.tries = tries;
            if best.quiet {
                break;
            }
        }
    }
    let best = best.context("nothing was measured")?;
    works.write(&name(program, occasion), &best)?;
    Ok(Some(best))
}

fn once(
    tool: &Tool,
    rounds: u32,
    (program, occasion): (Program, usize),
    sizes: &[u64],
) -> Result<Measured> {
    let mut watch = Watch::begin()?;
    watch.round();
    let made =
        tool.model(program, sizes, &["--loaded", "accept", "--launches", &rounds.to_string()])?;
    watch.round();
    let seen = watch.end()?;
    let (state, reasons) = verdict(&made.model);
    let residuals = made.model.pointer("/experiments/0/fit/residuals");
    let residuals = residuals.and_then(|all| all.as_array()).with_context(|| {
        format!("{} was not measured, exit code {}: {}", program.name(), made.exit, made.messages)
    })?;
    let points = residuals.iter().filter_map(|residual| {
        let size = residual["values"][0].as_f64()? as u64;
        Some(Point { size, median: residual["measured"].as_f64()? })
    });
    Ok(Measured {
        program,
        occasion,
        ended: now(),
        tries: 1,
        quiet: state == "quiet" || (state == "disturbed" && seen.is_quiet()),
        state,
        reasons,
        canaries: seen.to_string(),
        points: points.collect(),
    })
}

/// A better one is larger.
fn rank(measured: &Measured) -> (bool, u8) {
    let state = match measured.state.as_str() {
        "quiet" => 2,
        "disturbed" => 1,
        _ => 0,
    };
    (measured.quiet, state)
}

fn name(program: Program, occasion: usize) -> String {
    format!("truth/{occasion}/{}", program.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_is_the_range_of_the_occasions() {
        let truth = |medians: &[f64]| Truth::of(medians.to_vec());
        assert_eq!(truth(&[]), None);
        assert_eq!(
            truth(&[3.0, 1.0, 2.5]),
            Some(Truth { low: 1.0, middle: 2.5, high: 3.0, occasions: 3 })
        );
        assert_eq!(truth(&[3.0, 1.0]).map(|truth| truth.middle), Some(2.0));
    }

    #[test]
    fn what_was_not_quiet_counts_only_where_there_is_not_enough_else() {
        let measured = |occasion, quiet, median| Measured {
            program: Program::Sieve,
            occasion,
            ended: 0.0,
            tries: 1,
            quiet,
            state: String::new(),
            reasons: Vec::new(),
            canaries: String::new(),
            points: vec![Point { size: 9, median }],
        };
        let high = |quiet: [bool; 3]| {
            let all: Vec<Measured> =
                (0..3).map(|k| measured(k + 1, quiet[k], 1.0 + k as f64)).collect();
            truths(&all)[&(Program::Sieve, 9)].high
        };
        assert_eq!(high([true, true, false]), 2.0);
        assert_eq!(high([true, false, false]), 3.0);
        assert_eq!(high([true, true, true]), 3.0);
    }
}
