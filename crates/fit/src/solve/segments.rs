//! Which constants change at which boundary, and which parameter a constant is in each interval.

/// For each constant and each boundary whether the constant changes there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segments {
    pub(crate) columns: usize,
    pub(crate) boundaries: usize,
    /// `changes[constant * boundaries + boundary]`.
    changes: Vec<bool>,
    /// For regions, which have no order: `groups[constant * intervals + interval]`, the parameter.
    groups: Vec<usize>,
}

impl Segments {
    /// Every constant changes at every boundary.
    pub(crate) fn free(columns: usize, boundaries: usize) -> Segments {
        let changes = vec![true; columns * boundaries];
        Segments { columns, boundaries, changes, groups: Vec::new() }
    }

    /// For each constant the groups of regions in which it has one value.
    pub(crate) fn grouped(regions: usize, constants: &[Vec<Vec<usize>>]) -> Segments {
        let mut segments = Segments::free(constants.len(), regions - 1);
        segments.groups = vec![0; constants.len() * regions];
        let all = constants.iter().enumerate().flat_map(|(k, own)| own.iter().map(move |g| (k, g)));
        for (parameter, (constant, group)) in all.enumerate() {
            for region in group {
                segments.groups[constant * regions + region] = parameter;
            }
        }
        segments
    }

    /// Groups of intervals with one value of a constant.
    pub(crate) fn groups(&self, constant: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for interval in 0..self.intervals() {
            let own = self.parameter(constant, interval);
            match groups.iter_mut().find(|group| self.parameter(constant, group[0]) == own) {
                Some(group) => group.push(interval),
                None => groups.push(vec![interval]),
            }
        }
        groups
    }

    pub(crate) fn intervals(&self) -> usize {
        self.boundaries + 1
    }

    /// Number of parameters.
    pub(crate) fn parameters(&self) -> usize {
        match self.groups.iter().max() {
            Some(last) => last + 1,
            None => self.columns + self.changes.iter().filter(|&&c| c).count(),
        }
    }

    pub(crate) fn changes(&self, constant: usize, boundary: usize) -> bool {
        self.changes[constant * self.boundaries + boundary]
    }

    pub(crate) fn set(&mut self, constant: usize, boundary: usize, changes: bool) {
        self.changes[constant * self.boundaries + boundary] = changes;
    }

    /// Index of the parameter that is the constant's value in the interval. The parameters of one
    /// constant are adjacent, in the order of the axis.
    pub(crate) fn parameter(&self, constant: usize, interval: usize) -> usize {
        if !self.groups.is_empty() {
            return self.groups[constant * self.intervals() + interval];
        }
        let before = &self.changes[..constant * self.boundaries + interval];
        constant + before.iter().filter(|&&c| c).count()
    }

    /// Expands a row over the constants to a row over the parameters.
    pub(crate) fn expand(&self, interval: usize, row: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        if !self.groups.is_empty() {
            for (constant, x) in row.iter().enumerate().take(self.columns) {
                out[self.parameter(constant, interval)] = *x;
            }
            return;
        }
        // As `parameter` says, with the changes counted once.
        let (mut changes, mut seen) = (0, 0);
        for (constant, x) in row.iter().enumerate().take(self.columns) {
            let until = constant * self.boundaries + interval;
            changes += self.changes[seen..until].iter().filter(|&&c| c).count();
            seen = until;
            out[constant + changes] = *x;
        }
    }
}
