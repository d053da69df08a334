//! The runs in which a program is followed.

use std::ffi::OsString;

use crate::Error;
use cll_driver::compiler::split_words;
use cll_result::ModelFile;

use super::build::Built;
use super::follow::Wanted;

/// Different arguments of a model's runs that are used.
const RUNS: usize = 8;
/// Numbers of processes that are run.
const MOST: usize = 4;

/// The runs: with the arguments that are asked for, each the words of a shell, or those of the model's runs; of an MPI program
/// with each number of processes.
///
/// # Errors
/// If arguments are no words of a shell, or processes are asked for and the program has none.
pub fn wanted(
    built: &Built,
    model: Option<&ModelFile>,
    arguments: &[String],
    processes: Option<&[u32]>,
) -> Result<Vec<Wanted>, Error> {
    let mut runs: Vec<Wanted> = Vec::new();
    for text in arguments {
        let arguments = split_words(text.as_ref())
            .map_err(|source| Error::Arguments { text: text.clone(), source })?;
        runs.push(Wanted { text: text.clone(), arguments, processes: None });
    }
    if runs.is_empty() {
        for run in model.iter().flat_map(|model| &model.runs) {
            let arguments: Vec<OsString> = run.arguments.iter().map(OsString::from).collect();
            if !runs.iter().any(|known| known.arguments == arguments) {
                runs.push(Wanted { text: run.arguments.join(" "), arguments, processes: None });
            }
        }
        runs.truncate(RUNS);
    }
    if runs.is_empty() {
        runs.push(Wanted::default());
    }
    let Some(mpi) = &built.mpi else {
        return match processes {
            None => Ok(runs),
            Some(_) => Err(Error::NotMpi),
        };
    };
    let counts = counts(processes, &mpi.processes, model);
    let each = |run: Wanted| {
        let with = move |&count: &u32| Wanted { processes: Some(count), ..run.clone() };
        counts.iter().map(with).collect::<Vec<_>>()
    };
    Ok(runs.into_iter().flat_map(each).collect())
}

/// The numbers of processes: those that are asked for, or of the model's runs, or that the source names; else 2. One process
/// sends nothing.
fn counts(asked: Option<&[u32]>, named: &[u32], model: Option<&ModelFile>) -> Vec<u32> {
    if let Some(asked) = asked {
        return asked.to_vec();
    }
    let runs = model.iter().flat_map(|model| &model.runs);
    let mut counts: Vec<u32> = runs.filter_map(|run| run.processors).collect();
    if counts.is_empty() {
        counts.extend(named);
    }
    counts.sort_unstable();
    counts.dedup();
    if counts.iter().any(|&count| count > 1) {
        counts.retain(|&count| count > 1);
    }
    counts.truncate(MOST);
    if counts.is_empty() { vec![2] } else { counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_sends_nothing() {
        assert_eq!(counts(None, &[], None), [2]);
        assert_eq!(counts(None, &[1, 2, 4, 8, 16, 32], None), [2, 4, 8, 16]);
        assert_eq!(counts(None, &[1], None), [1]);
        assert_eq!(counts(Some(&[3, 1]), &[2], None), [3, 1]);
    }
}
