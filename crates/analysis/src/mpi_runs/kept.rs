//! Runs whose logs were kept: what they were run with is in the logs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::Error;
use cll_calls::Overview;
use cll_campaign::{Template, placeholders};
use cll_files::{base, folder, run_and_rank};
use cll_mpi_model::MpiRuns;

use super::read::{MpiLaunch, MpiReader};
use crate::folders::traces_in;
use crate::logs::surveys;

/// So many runs that are left out are named.
const NAMED: usize = 3;

/// Runs of one program, read from their logs.
pub struct KeptRuns {
    /// The program's name.
    pub program: String,
    /// The variables, as the arguments name them.
    pub variables: Vec<String>,
    /// The runs.
    pub runs: MpiRuns,
    /// Which runs are left out, and why.
    pub notes: Vec<String>,
}

/// A launch by its logs.
struct Launch {
    name: String,
    logs: Vec<PathBuf>,
    arguments: Vec<String>,
    processors: u32,
    is_read: bool,
    /// Why it cannot be used.
    why: Option<&'static str>,
}

impl Launch {
    fn read((name, logs): (String, Vec<PathBuf>)) -> Launch {
        // A rank that was killed early leaves an empty one.
        let overviews = surveys(&logs).unwrap_or_default();
        let first = overviews.first();
        let program = first.map(|log| base(Path::new(&log.process.program))).unwrap_or_default();
        let why = match overviews.as_slice() {
            [] => Some("cannot be read"),
            all if !all.iter().all(|log| log.mpi.is_some()) => Some("have no calls of MPI"),
            all if all.iter().any(|log| log.virtually.is_some()) => Some("are of ranks in turns"),
            all if !is_whole(all) => Some("did not come to MPI_Finalize on all ranks"),
            _ => None,
        };
        Launch {
            name: if program.is_empty() { name } else { program },
            arguments: first.map_or(Vec::new(), |log| log.process.args.clone()),
            processors: first.and_then(Overview::rank).map_or(1, |(_, ranks)| ranks),
            is_read: first.is_some(),
            logs,
            why,
        }
    }

    /// How messages name it: by its first log, and its arguments.
    fn named(&self) -> String {
        let log = self.logs.first().map(|log| log.display().to_string()).unwrap_or_default();
        if self.is_read {
            format!("{log} (P={}: `{}`)", self.processors, self.arguments.join(" "))
        } else {
            log
        }
    }
}

fn is_whole(all: &[Overview]) -> bool {
    let ranks = all.first().and_then(Overview::rank).map_or(0, |(_, ranks)| ranks);
    all.iter().all(|log| log.ended) && all.len() >= ranks as usize
}

/// Reads the runs whose logs these are, or lie in these folders. `arguments` are those that the program had, with `{NAME}` in
/// place of the value of a variable and `{P}` in place of the number of processes; if there are none all runs have the same.
///
/// # Errors
/// If a log cannot be read, if they are of several programs, or if no run has such arguments.
pub fn kept_runs(paths: &[PathBuf], arguments: &[String]) -> Result<KeptRuns, Error> {
    let launches: Vec<Launch> = launches(traces_in(paths)?).into_iter().map(Launch::read).collect();
    let (usable, unusable): (Vec<&Launch>, Vec<&Launch>) =
        launches.iter().partition(|launch| launch.why.is_none());
    let Some(first) = usable.first() else {
        let why = unusable.first().map_or("", |launch| launch.why.unwrap_or_default());
        return Err(Error::content(format!("there is no run to make a model of: all {why}")));
    };
    if let Some(other) = usable.iter().find(|launch| launch.name != first.name) {
        let text = format!("these are logs of several programs: {}, {}", first.name, other.name);
        return Err(Error::request(text).advise("name the logs of one: 'logs/heat.cll.*.dat'"));
    }
    if arguments.is_empty()
        && let Some(other) = usable.iter().find(|launch| launch.arguments != first.arguments)
    {
        let (own, other) = (&first.arguments, &other.arguments);
        let text = format!("the arguments differ: `{}`, `{}`", own.join(" "), other.join(" "));
        return Err(Error::request(text)
            .advise(format!("name what differs behind --, such as -- {}", guessed(own, other))));
    }
    let given: Vec<String> = match arguments {
        [] => first.arguments.iter().map(|word| word.replace('{', "{{")).collect(),
        given => given.to_vec(),
    };
    let variables = placeholders(&given);
    let names: Vec<&str> = variables.iter().map(String::as_str).collect();
    let template = Template::parse(&given, &names).map_err(|wrong| {
        let failure = Error::request(wrong.to_string());
        wrong.help.into_iter().fold(failure, Error::advise)
    })?;
    let mut reader = MpiReader::default();
    let mut others: Vec<&Launch> = Vec::new();
    for launch in &usable {
        let values = template.values(&launch.arguments, launch.processors, names.len());
        match values {
            Some(values) => {
                reader.read(&MpiLaunch {
                    values,
                    processors: launch.processors,
                    logs: launch.logs.clone(),
                    wall: None,
                })?;
            }
            None => others.push(launch),
        }
    }
    let runs = reader.into_runs();
    if runs.runs.is_empty() {
        let text = format!("no run has arguments like `{}`", arguments.join(" "));
        return Err(Error::request(text).advise(format!("a run is {}", first.named())));
    }
    let mut notes: Vec<String> = Vec::new();
    notes.extend(left_out(&others, "have other arguments"));
    let mut reasons: BTreeMap<&str, Vec<&Launch>> = BTreeMap::new();
    for launch in unusable {
        reasons.entry(launch.why.unwrap_or_default()).or_default().push(launch);
    }
    notes.extend(reasons.into_iter().filter_map(|(why, launches)| left_out(&launches, why)));
    Ok(KeptRuns { program: first.name.clone(), variables, runs, notes })
}

fn left_out(runs: &[&Launch], why: &str) -> Option<String> {
    let named: Vec<String> = runs.iter().take(NAMED).map(|launch| launch.named()).collect();
    let more = match runs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!runs.is_empty()).then(|| format!("runs that {why} are left out: {}{more}", named.join(", ")))
}

/// The logs of each launch, by the names of the files: `NAME.cll.RUN.RANK.dat` are those of a run. Any other file is one.
fn launches(logs: Vec<PathBuf>) -> Vec<(String, Vec<PathBuf>)> {
    let mut runs: BTreeMap<(PathBuf, String, Option<u32>), BTreeMap<u32, PathBuf>> =
        BTreeMap::new();
    for log in logs {
        let file = log.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned();
        let stem = file.rsplit_once(".cll.").map(|(name, _)| name.to_owned());
        let ranked = stem.as_ref().and_then(|name| run_and_rank(&file, &format!("{name}.cll")));
        let (name, run, rank) = match (stem, ranked) {
            (Some(name), Some((run, rank))) => (name, Some(run), rank),
            _ => (file, None, 0),
        };
        runs.entry((folder(&log).to_owned(), name, run)).or_default().insert(rank, log);
    }
    runs.into_iter().map(|((_, name, _), logs)| (name, logs.into_values().collect())).collect()
}

/// Arguments with names for the numbers in which two runs differ.
fn guessed(own: &[String], other: &[String]) -> String {
    let mut names = ["n", "m", "k"].into_iter();
    let word = |(index, word): (usize, &String)| {
        let differs = other.get(index) != Some(word);
        if differs && word.parse::<f64>().is_ok() {
            names.next().map_or_else(|| word.clone(), |name| format!("{{{name}}}"))
        } else {
            word.clone()
        }
    };
    let words: Vec<String> = own.iter().enumerate().map(word).collect();
    words.iter().map(|word| cll_diagnostic::shell_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_a_run_are_together_and_of_two_folders_apart() {
        let paths = ["a/h.cll.0.1.dat", "b/h.cll.0.0.dat", "a/h.cll.0.0.dat", "a/h.cll.1.0.dat"];
        let runs = launches(paths.map(PathBuf::from).to_vec());
        let files: Vec<usize> = runs.iter().map(|(_, logs)| logs.len()).collect();
        assert_eq!(files, [2, 1, 1]);
        assert_eq!(runs[0].1, ["a/h.cll.0.0.dat", "a/h.cll.0.1.dat"].map(PathBuf::from));
        assert!(runs.iter().all(|(name, _)| name == "h"));
        // One log of all ranks.
        assert_eq!(launches(vec!["a/h.cll.3.dat".into(), "a/h.cll.4.dat".into()]).len(), 2);
    }

    #[test]
    fn numbers_that_differ_get_names() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let guess = guessed(&words("200 50 -v a b"), &words("400 50 -v c 3"));
        assert_eq!(guess, "'{n}' 50 -v a b");
    }
}
