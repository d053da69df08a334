//! Selects a part of an experiment's samples.

use crate::trace::{Cell, Experiment, Origin};

impl Experiment {
    /// Removes the samples for which `keep` is false for their cell and origin, and the cells
    /// without samples. Returns the number of samples removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&Cell, &Origin) -> bool) -> u64 {
        let mut left_out = 0;
        let cells = std::mem::take(&mut self.cells);
        for mut cell in cells {
            let kept: Vec<bool> = cell
                .stretches
                .iter()
                .map(|stretch| {
                    let origin = self.origins.get(stretch.origin as usize);
                    origin.is_none_or(|origin| keep(&cell, origin))
                })
                .collect();
            if kept.contains(&false) {
                left_out += cell.keep(&kept);
            }
            if !cell.inclusive.is_empty() {
                self.cells.push(cell);
            }
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Start;

    #[test]
    fn what_is_left_keeps_its_times_and_origins() {
        let origin = |switched| Origin {
            process: 0,
            thread: 0,
            place: 0,
            left: false,
            switched,
            start: Start::Own,
        };
        let mut cell = Cell::new(vec![8.0]);
        for (time, own, from) in [(1.0, 1.0, 0), (9.0, 5.0, 1), (2.0, 1.5, 0)] {
            cell.push(time, own, from);
        }
        let mut other = Cell::new(vec![9.0]);
        other.push(7.0, 7.0, 1);
        for (index, value) in [(0, 3.0), (1, 8.0)] {
            cell.observe(index, value, value - 1.0);
        }
        cell.complete(2);
        let mut experiment = Experiment {
            cells: vec![cell, other],
            origins: vec![origin(false), origin(true)],
            ..Experiment::default()
        };
        assert_eq!(experiment.clone().retain(|_, _| true), 0);
        assert_eq!(experiment.retain(|_, origin| !origin.switched), 2);
        assert_eq!(experiment.cells.len(), 1, "an empty cell is none");
        let cell = &experiment.cells[0];
        assert_eq!((&cell.inclusive[..], cell.exclusive()), (&[1.0, 2.0][..], &[1.0, 1.5][..]));
        let last =
            |index: usize| (cell.observed[index].inclusive[1], cell.observed[index].exclusive[1]);
        assert_eq!((last(0), last(1)), ((3.0, 2.0), (8.0, 7.0)));
        assert!(cell.observed.iter().all(|series| series.inclusive[0].is_nan()));
        assert!(cell.origins(&experiment).all(|origin| !origin.switched));
        assert_eq!(cell.origins(&experiment).count(), 2);
    }
}
