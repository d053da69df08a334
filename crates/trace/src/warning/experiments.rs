//! Sentences of warnings about the samples of an experiment.

use super::kind::Warning;

/// The sentence of a warning about the samples of an experiment; `None` for any other.
pub(super) fn experiments(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Formulas { name, formulas } => {
            let all: Vec<String> =
                formulas.iter().map(|(formula, place)| format!("`{formula}` at {place}")).collect();
            format!(
                "experiment {name} has {} formulas: {}; each is fitted on its own: give them different names",
                formulas.len(),
                all.join("; ")
            )
        }
        Warning::Variables { name, variables } => {
            let all: Vec<String> = variables
                .iter()
                .map(|(names, place)| format!("{} at {place}", names.join(", ")))
                .collect();
            format!(
                "the places of experiment {name} record different variables: {}; missing values are NaN",
                all.join("; ")
            )
        }
        Warning::Processors { name, recorded, launched } => format!(
            "experiment {name} has P = {recorded} at most, and {launched} processes were \
             started: its `parallel` line names a smaller communicator, or the launcher \
             belongs to another MPI and each process ran alone"
        ),
        Warning::Uneven { name, threads, fewest, most } => format!(
            "the {threads} threads of experiment {name} have {fewest} to {most} samples at \
             the same values: these cannot be paired, so each is fitted separately; record a \
             variable that distinguishes the teams (P, or uses(…))"
        ),
        Warning::Unpaired { name, threads } => format!(
            "up to {threads} threads of each processor executed experiment {name} at the \
             same values: their samples cannot be paired with those of other processors; \
             pairing needs an OpenMP source with a sync that all threads execute equally \
             often"
        ),
        Warning::Absent { name, runs, processors, of: total } => {
            let list: Vec<String> = processors.iter().map(u32::to_string).collect();
            let which = if list.len() == 1 { "processor" } else { "processors" };
            format!(
                "in {runs} runs not all processors executed experiment {name}: in the first \
                 of them {which} {} of {total} did not",
                list.join(", ")
            )
        }
        _ => return None,
    })
}
