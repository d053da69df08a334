//! Finds points measured only by the first call of each launch, such as a library's warm-up at its
//! own size.

use std::collections::HashMap;

use cll_trace::{Cell, Experiment};

/// Indices of the cells with one sample from nearly every process that has samples there, the
/// process's first of the experiment. Empty if half of the cells or more are like that: then it
/// means nothing.
pub fn first_calls(experiment: &Experiment) -> Vec<usize> {
    let found: Vec<usize> = (0..experiment.cells.len())
        .filter(|&index| is_first_call(experiment, &experiment.cells[index]))
        .collect();
    if 2 * found.len() < experiment.cells.len() { found } else { Vec::new() }
}

fn is_first_call(experiment: &Experiment, cell: &Cell) -> bool {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    for stretch in &cell.stretches {
        let Some(origin) = experiment.origins.get(stretch.origin as usize) else { continue };
        *counts.entry(origin.process).or_default() += u64::from(stretch.count);
    }
    let first = |(process, count): &(&u32, &u64)| **count == 1 && cell.first_of.contains(process);
    let firsts = counts.iter().filter(first).count();
    // A launch may have measured at the same values for another reason.
    firsts > 0 && 3 * firsts >= 2 * counts.len()
}

#[cfg(test)]
mod tests {
    use cll_trace::{Cell, Experiment, Origin, Start};

    /// An experiment of cells, each with the number of samples of each process and the processes
    /// whose first sample it has.
    fn experiment(cells: &[(&[u64], &[u32])]) -> Experiment {
        let processes = cells.iter().map(|(counts, _)| counts.len()).max().unwrap_or(0);
        let origin = |process| Origin {
            process,
            thread: 0,
            place: 0,
            left: false,
            switched: false,
            start: Start::Own,
        };
        let cell = |(index, (counts, first_of)): (usize, &(&[u64], &[u32]))| {
            let mut cell = Cell::new(vec![index as f64]);
            for (process, count) in counts.iter().enumerate() {
                (0..*count).for_each(|_| cell.push(1.0, 1.0, process as u32));
            }
            cell.first_of = first_of.to_vec();
            cell
        };
        Experiment {
            cells: cells.iter().enumerate().map(cell).collect(),
            origins: (0..processes as u32).map(origin).collect(),
            ..Experiment::default()
        }
    }

    #[test]
    fn a_warm_up_of_each_launch_is_found() {
        let first_calls = |cells: &[(&[u64], &[u32])]| super::first_calls(&experiment(cells));
        // Two launches; each begins with a call at its own size.
        assert_eq!(first_calls(&[(&[1, 1], &[0, 1]), (&[5, 5], &[]), (&[5, 5], &[])]), [0]);
        // Each size once in a launch, in shuffled order.
        assert_eq!(first_calls(&[(&[1, 1], &[0]), (&[1, 1], &[1]), (&[1, 1], &[])]), [0_usize; 0]);
        // One size in each launch.
        assert_eq!(first_calls(&[(&[1, 0], &[0]), (&[0, 1], &[1])]), [0_usize; 0]);
        // One of three launches also measures at the size of the warm-up.
        let cells: &[(&[u64], &[u32])] =
            &[(&[1, 1, 6], &[0, 1, 2]), (&[5, 0, 0], &[]), (&[0, 5, 0], &[])];
        assert_eq!(first_calls(cells), [0]);
        // Several first calls: not a single one.
        assert_eq!(
            first_calls(&[(&[2, 2], &[0, 1]), (&[5, 5], &[]), (&[5, 5], &[])]),
            [0_usize; 0]
        );
        assert_eq!(first_calls(&[]), [0_usize; 0]);
    }
}
