//! Which points count less or not at all.

use super::huber::{SETTLED, STEPS, reweigh};
use crate::input::Samples;
use crate::intervals::Fitted;
use crate::{Exclusion, Loss, Options, Outliers};

/// Points that count less or not at all: each fit decides about the next one.
pub(crate) struct Cleaning {
    /// Steps of Huber's loss that are left.
    steps: usize,
    outliers: Outliers,
    left_out: usize,
    most_left_out: usize,
}

impl Cleaning {
    pub(crate) fn new(samples: &Samples, options: &Options) -> Cleaning {
        Cleaning {
            steps: if options.loss == Loss::Huber { STEPS } else { 0 },
            outliers: options.outliers,
            left_out: 0,
            most_left_out: samples.points.len() / 5,
        }
    }

    /// Changes weights or leaves out a point by what a fit says; whether the fit is to be repeated.
    pub(crate) fn is_to_be_repeated(&mut self, samples: &mut Samples, fitted: &Fitted) -> bool {
        if self.steps > 0 {
            self.steps -= 1;
            if reweigh(samples, fitted) > SETTLED {
                return true;
            }
            self.steps = 0;
        }
        if let Outliers::Points { limit } = self.outliers
            && self.left_out < self.most_left_out
            && let Some(point) = outlier(fitted, limit)
        {
            samples.points[point].excluded = Some(Exclusion::Outlier);
            if samples.distinct() > samples.terms + 1 {
                self.left_out += 1;
                return true;
            }
            samples.points[point].excluded = None;
        }
        false
    }
}

/// The point with the largest deleted studentised residual, if that is above the limit.
fn outlier(fitted: &Fitted, limit: f64) -> Option<usize> {
    let dof = fitted.ordered.len() as f64 - fitted.solved.free as f64;
    let floor = fitted.ordered.resolution();
    if dof < 2.0 {
        return None;
    }
    fitted
        .solved
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.residual.abs() > floor && row.leverage < 1.0 - 1e-9)
        .map(|(i, row)| {
            let own = row.residual * row.residual / (1.0 - row.leverage);
            let deleted = ((fitted.solved.rss - own) / (dof - 1.0)).max(floor * floor);
            (i, (own / deleted).sqrt())
        })
        .filter(|(_, t)| *t > limit)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| fitted.ordered.point(i))
}
