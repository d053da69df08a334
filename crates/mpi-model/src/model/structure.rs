//! The structure that runs of different sizes have in common.

use super::run::{Passed, RunStep};

/// The steps of a rank, without times: nodes and loops are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RankStep {
    Call { node: usize, site: u32 },
    Loop { number: usize, body: Vec<RankStep> },
}

/// The structure of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    pub(super) parts: Vec<RankStep>,
    pub(super) nodes: usize,
    pub(super) loops: usize,
}

/// The steps of a run in a structure.
#[derive(Clone, Debug, Default)]
pub(super) struct Fitted {
    /// By node; `None`: it was not passed.
    pub(super) nodes: Vec<Option<Passed>>,
    /// By loop: passages each time, on average.
    pub(super) loops: Vec<f64>,
}

impl Structure {
    /// Creates the structure of the steps of a run.
    pub(super) fn new(steps: &[RunStep]) -> Structure {
        let mut structure = Structure::default();
        structure.parts = structure.parts(steps);
        structure
    }

    fn parts(&mut self, steps: &[RunStep]) -> Vec<RankStep> {
        let mut parts = Vec::new();
        for step in steps {
            parts.push(match step {
                RunStep::Call(passed) => {
                    self.nodes += 1;
                    RankStep::Call { node: self.nodes - 1, site: passed.site }
                }
                RunStep::Loop { body, .. } => {
                    self.loops += 1;
                    RankStep::Loop { number: self.loops - 1, body: self.parts(body) }
                }
            });
        }
        parts
    }

    /// Puts the steps of another run into the structure.
    ///
    /// # Errors
    /// The call path at which they differ; `None` at the end.
    pub(super) fn fit(&self, steps: &[RunStep]) -> Result<Fitted, Option<u32>> {
        let mut sums = Sums {
            nodes: vec![None; self.nodes],
            loops: vec![(0.0, 0.0); self.loops],
            far: 0,
            left: steps.len(),
        };
        match sums.list(&self.parts, steps) {
            Some(taken) if taken == steps.len() => {}
            taken => {
                let index = taken.unwrap_or(sums.far).max(sums.far).min(steps.len());
                return Err(steps.get(index).and_then(first));
            }
        }
        let loops = sums.loops.iter().map(|(all, times)| all / times.max(1.0)).collect();
        Ok(Fitted { nodes: sums.nodes, loops })
    }
}

/// The first call of a step.
fn first(step: &RunStep) -> Option<u32> {
    match step {
        RunStep::Call(passed) => Some(passed.site),
        RunStep::Loop { body, .. } => body.first().and_then(first),
    }
}

struct Sums {
    nodes: Vec<Option<Passed>>,
    /// Passages, and how often the loop itself was passed.
    loops: Vec<(f64, f64)>,
    /// How many of the outermost steps were understood.
    far: usize,
    left: usize,
}

impl Sums {
    /// Takes the steps that fit to the parts; returns how many.
    fn list(&mut self, parts: &[RankStep], steps: &[RunStep]) -> Option<usize> {
        let mut position = 0;
        for part in parts {
            position += match part {
                RankStep::Call { node, site } => match steps.get(position) {
                    Some(RunStep::Call(passed)) if passed.site == *site => {
                        self.pass(*node, passed);
                        1
                    }
                    _ => return None,
                },
                RankStep::Loop { number, body } => self.repeated(*number, body, &steps[position..]),
            };
            if steps.len() == self.left {
                self.far = self.far.max(position);
            }
        }
        Some(position)
    }

    /// A loop: as one, as steps in a row, or not at all.
    fn repeated(&mut self, number: usize, body: &[RankStep], steps: &[RunStep]) -> usize {
        let (mut taken, mut passages) = (0, 0.0);
        loop {
            match steps.get(taken) {
                Some(RunStep::Loop { passages: (least, most), body: own })
                    if self.tried(body, own) == Some(own.len()) =>
                {
                    passages += 0.5 * (least + most) as f64;
                    taken += 1;
                }
                _ => match self.tried(body, &steps[taken..]) {
                    Some(count) if count > 0 => {
                        passages += 1.0;
                        taken += count;
                    }
                    _ => break,
                },
            }
        }
        let entry = &mut self.loops[number];
        *entry = (entry.0 + passages, entry.1 + 1.0);
        taken
    }

    /// As `list`, without a trace if it does not fit.
    fn tried(&mut self, parts: &[RankStep], steps: &[RunStep]) -> Option<usize> {
        let (nodes, loops, left) = (self.nodes.clone(), self.loops.clone(), self.left);
        self.left = usize::MAX;
        let taken = self.list(parts, steps);
        self.left = left;
        if taken.is_none() {
            (self.nodes, self.loops) = (nodes, loops);
        }
        taken
    }

    fn pass(&mut self, node: usize, passed: &Passed) {
        match &mut self.nodes[node] {
            Some(known) => {
                let (own, other) = (known.times, passed.times);
                let mean = |first: f64, two: f64| (first * own + two * other) / (own + other);
                known.computed = mean(known.computed, passed.computed);
                known.called = mean(known.called, passed.called);
                known.waited = mean(known.waited, passed.waited);
                known.times += other;
                known.details.join(passed.details.clone());
            }
            none => *none = Some(passed.clone()),
        }
    }
}
