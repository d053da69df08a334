//! Passages of a run, from callgrind's files and the traces: of each process, and of all together. A line has the
//! instructions of the process with most: of the mean, work that one process does alone would be n/P.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cll_counters::instructions;
use cll_upsilon::{Passage, Wanted};

use crate::failure::Failure;

/// Instructions by line.
type InstructionCounts = BTreeMap<usize, u64>;

/// By process, in the order in which its passages ended.
type ByProcess<T> = BTreeMap<u32, Vec<T>>;

/// The files of a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file("read", folder, error))?;
    let mut all: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    all.sort();
    Ok(all)
}

/// The counts of the passages: of lines of one source.
///
/// # Errors
/// If a file cannot be read.
pub fn counts(folder: &Path, source: &str) -> Result<ByProcess<InstructionCounts>, Failure> {
    let mut dumps: Vec<(u32, u64, PathBuf)> = Vec::new();
    for path in files(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let numbers = name.strip_prefix("counts.").and_then(|rest| rest.split_once('.'));
        let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        dumps.extend(numbers.map(|(process, number)| (process, number, path)));
    }
    dumps.sort();
    let mut all: ByProcess<InstructionCounts> = BTreeMap::new();
    for (process, _, path) in dumps {
        let text =
            fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, error))?;
        if !text.contains("Trigger: --dump-before=cll_end_") {
            continue;
        }
        let instruction_counts = instructions(&text).into_iter();
        let lines = instruction_counts.filter(|((file, _), _)| file == source);
        let lines = lines.map(|((_, line), count)| (line as usize, count)).collect();
        all.entry(process).or_default().push(lines);
    }
    Ok(all)
}

/// The values of the formula's variables in each passage of an experiment that is in this source.
///
/// # Errors
/// If there is no trace, or it cannot be read.
pub fn values(
    folder: &Path,
    wanted: &Wanted,
    source: &str,
) -> Result<ByProcess<Vec<f64>>, Failure> {
    let names: Vec<&str> =
        wanted.formula.variables().iter().map(|variable| variable.name.as_str()).collect();
    let mut found: ByProcess<Vec<f64>> = BTreeMap::new();
    for trace in files(folder)?.iter().filter(|path| path.extension().is_some_and(|e| e == "dat")) {
        let bytes = fs::read(trace).map_err(|error| Failure::file("read", trace, error))?;
        let wrong =
            |error: cll_trace::TraceError| Failure::input(format!("--counts: the trace: {error}"));
        let surveyed = cll_trace::survey(&bytes[..]).map_err(wrong)?;
        let visit = |sample: &cll_trace::Sample<'_>| {
            let place = sample.place;
            if place.experiment == wanted.name && place.file == source && !sample.left {
                let value = |name: &&str| {
                    let index = place.variables.iter().position(|known| known == name);
                    index.and_then(|index| sample.values.get(index)).copied().unwrap_or(f64::NAN)
                };
                let process = surveyed.processes.get(sample.process);
                let process = process.map_or(0, |process| process.pid);
                found.entry(process).or_default().push(names.iter().map(value).collect());
            }
            ControlFlow::Continue(())
        };
        cll_trace::stream(&bytes[..], &surveyed, visit).map_err(wrong)?;
    }
    if found.is_empty() {
        Err(Failure::program(format!("--counts: the program has not passed {}", wanted.name)))
    } else {
        Ok(found)
    }
}

/// Values with counts. Of passages that several processes make together, the k-th with the same values of each, a line
/// has the most instructions of one process: the slowest one's time is what a formula describes.
///
/// # Errors
/// If a process has other passages in its trace than were counted.
pub fn passages(
    mut counts: ByProcess<InstructionCounts>,
    values: ByProcess<Vec<f64>>,
    experiment: &str,
) -> Result<Vec<Passage>, Failure> {
    let mut found: BTreeMap<(usize, Vec<u64>), Passage> = BTreeMap::new();
    for (process, values) in values {
        let counted = counts.remove(&process).unwrap_or_default();
        if counted.len() != values.len() {
            return Err(Failure::input(format!(
                "--counts: {} passages of {experiment} were recorded and {} counted",
                values.len(),
                counted.len()
            ))
            .help("regions that are inside of themselves, or left by a jump, cannot be counted"));
        }
        let mut seen: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
        for (values, lines) in values.into_iter().zip(counted) {
            let bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
            let number = seen.entry(bits.clone()).or_default();
            *number += 1;
            let passage = found
                .entry((*number, bits))
                .or_insert_with(|| Passage { values, lines: InstructionCounts::new() });
            for (line, count) in lines {
                let most = passage.lines.entry(line).or_default();
                *most = count.max(*most);
            }
        }
    }
    Ok(found.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_pass_together_give_one_passage_with_the_most_of_each_line() {
        let lines = |all: &[(usize, u64)]| all.iter().copied().collect::<InstructionCounts>();
        let counts = BTreeMap::from([
            (7, vec![lines(&[(3, 10), (4, 1)]), lines(&[(3, 20)])]),
            (9, vec![lines(&[(3, 8), (5, 2)]), lines(&[(3, 25)])]),
        ]);
        let both = || vec![vec![100.0], vec![200.0]];
        let values = BTreeMap::from([(7, both()), (9, both())]);
        let joined = passages(counts.clone(), values, "f").unwrap();
        assert_eq!(joined.len(), 2);
        assert_eq!(joined[0].values, [100.0]);
        assert_eq!(joined[0].lines, lines(&[(3, 10), (4, 1), (5, 2)]));
        assert_eq!(joined[1].lines, lines(&[(3, 25)]));
        // Processes with sizes of their own pass each for itself.
        let own = BTreeMap::from([(7, both()), (9, vec![vec![50.0], vec![60.0]])]);
        assert_eq!(passages(counts.clone(), own, "f").unwrap().len(), 4);
        let wrong = BTreeMap::from([(7, both()), (9, vec![vec![1.0]])]);
        assert!(passages(counts, wrong, "f").is_err());
    }
}
