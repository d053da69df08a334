//! Which global values of runs are parameters.

use std::collections::{HashMap, HashSet};

use crate::distinct::distinct;

/// Where the number of processes of MPI stands.
const PROCESSES: [&str; 2] = ["mpi.world.size", "jobsize"];
/// Numbers that say how or when a run went, and not what it computed.
const OWN: [&str; 16] = [
    "launchdate",
    "launchday",
    "launchtime",
    "uid",
    "gid",
    "walltime",
    "cputime",
    "systime",
    "elapsed_time",
    "elapsedtime",
    "figure_of_merit",
    "fom",
    "numhosts",
    "run_id",
    "jobid",
    "job_id",
];

/// The parameters of each file.
pub(super) struct Chosen {
    pub(super) values: Vec<Vec<(String, f64)>>,
    pub(super) notes: Vec<String>,
}

/// The numbers in which the files differ, and those that formulas use. The number of processes is P.
pub(super) fn chosen(files: &[&[(String, String)]], used: &[String]) -> Chosen {
    let mut notes = Vec::new();
    let mut candidates: Vec<(&str, Vec<f64>)> = Vec::new();
    // The first candidate with such values.
    let mut of_values: HashMap<Vec<u64>, usize> = HashMap::new();
    let all = files.iter().flat_map(|globals| globals.iter());
    let mut names = distinct(all.map(|(name, _)| name.as_str()));
    // Of several values of a name the first counts.
    let by_name: Vec<HashMap<&str, &str>> = files
        .iter()
        .map(|globals| {
            let globals = globals.iter().rev();
            globals.map(|(name, value)| (name.as_str(), value.as_str())).collect()
        })
        .collect();
    names.sort_by_key(|name| !PROCESSES.contains(name));
    for name in names {
        let number = |globals: &HashMap<&str, &str>| {
            let text = globals.get(name)?;
            text.parse::<f64>().ok().filter(|value| value.is_finite())
        };
        let is_used = used.iter().any(|known| known == name || known == called(name));
        let is_own = OWN.contains(&name.to_lowercase().as_str())
            || ["cali.", "spot.", "caliper."].iter().any(|start| name.starts_with(start));
        let values: Vec<Option<f64>> = by_name.iter().map(number).collect();
        let whole: Option<Vec<f64>> = values.iter().copied().collect();
        let Some(numbers) = whole else {
            let some = values.iter().any(Option::is_some);
            if some && !is_own {
                notes.push(format!("{name} is no parameter: not every file has it as a number"));
            }
            continue;
        };
        let differs = numbers.iter().any(|value| *value != numbers[0]);
        if !is_used && (is_own || !differs) {
            continue;
        }
        let bits: Vec<u64> = numbers.iter().map(|value| (value + 0.0).to_bits()).collect();
        match of_values.get(&bits).map(|&index: &usize| &candidates[index]) {
            Some((same, _)) if !is_used && !PROCESSES.contains(&name) => {
                notes.push(format!("{name} is no parameter: it is always {}", called(same)));
            }
            Some((same, _)) if called(same) == called(name) => {}
            _ => {
                of_values.entry(bits).or_insert(candidates.len());
                candidates.push((name, numbers));
            }
        }
    }
    if let Some((name, _)) = candidates.iter().find(|(name, _)| PROCESSES.contains(name)) {
        notes.push(format!("{name} is P in formulas"));
    }
    let mut taken: HashSet<&str> = HashSet::new();
    candidates.retain(|(name, _)| taken.insert(called(name)));
    let values = (0..files.len())
        .map(|file| {
            candidates.iter().map(|(name, all)| (called(name).to_owned(), all[file])).collect()
        })
        .collect();
    if files.len() == 1 && candidates.is_empty() {
        notes.push("one file is one point: give the files of several runs".to_owned());
    }
    Chosen { values, notes }
}

fn called(name: &str) -> &str {
    if PROCESSES.contains(&name) { "P" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(values: &[(&str, &str)]) -> Vec<(String, String)> {
        values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_differs_between_runs_is_a_parameter() {
        let files = [
            file(&[
                ("launchdate", "1"),
                ("mpi.world.size", "2"),
                ("jobsize", "2"),
                ("n", "8"),
                ("k", "7"),
                ("user", "x"),
            ]),
            file(&[
                ("launchdate", "2"),
                ("mpi.world.size", "4"),
                ("jobsize", "4"),
                ("n", "9"),
                ("k", "7"),
                ("user", "y"),
            ]),
        ];
        let files: Vec<&[(String, String)]> = files.iter().map(Vec::as_slice).collect();
        let choice = chosen(&files, &[]);
        let expected = [("P".to_owned(), 2.0), ("n".to_owned(), 8.0)];
        assert_eq!(choice.values[0], expected);
        assert_eq!(choice.values[1][0].1, 4.0);
        let used = chosen(&files, &["k".to_owned()]);
        assert_eq!(used.values[0][2], ("k".to_owned(), 7.0));
    }
}
