//! The points of the probe of an MPI.

/// Where two processes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessPair {
    /// On one host.
    Within,
    /// On two.
    Between,
}

impl ProcessPair {
    /// As the probe says it.
    pub fn name(self) -> &'static str {
        match self {
            ProcessPair::Within => "within",
            ProcessPair::Between => "between",
        }
    }
}

/// The sizes and numbers of processes.
#[derive(Clone, Debug, PartialEq)]
pub struct MpiPlan {
    /// The largest message, bytes.
    pub largest: u64,
    /// Sizes to an octave.
    pub per_octave: u32,
    /// Processes of the collectives.
    pub processes: Vec<u32>,
}

/// Calls between two processes, and what the other one does. `send` gives the receive, too.
const CALLS: [(&str, &str); 8] = [
    ("send", "posted"),
    ("send", "late"),
    ("bsend", "posted"),
    ("ssend", "posted"),
    ("ssend", "late"),
    ("rsend", "posted"),
    ("isend", "posted"),
    ("irecv", "early"),
];
const COLLECTIVES: [&str; 7] =
    ["bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall"];
/// The point of the eager limits.
pub(super) const EAGER: &str = "eager";
/// Bytes of the smallest message.
const SMALLEST: f64 = 8.0;

impl MpiPlan {
    /// Messages of up to 4 MiB, four sizes to an octave; quickly 1 MiB and two. Collectives of 2, 4, … processes up to `most`.
    pub fn new(most: u32, quick: bool) -> MpiPlan {
        let (largest, per_octave) = if quick { (1 << 20, 2) } else { (4 << 20, 4) };
        let most = most.max(2);
        let mut processes: Vec<u32> =
            std::iter::successors(Some(2u32), |number| number.checked_mul(2))
                .take_while(|number| *number < most)
                .collect();
        processes.push(most);
        MpiPlan { largest, per_octave, processes }
    }

    /// Lists the measurements of two processes.
    pub fn messages(&self) -> Vec<String> {
        let points_of =
            |bytes: u64| CALLS.map(|(call, partner)| format!("{call}:{partner}:{bytes}"));
        self.sizes().flat_map(points_of).collect()
    }

    /// Lists the measurements of all processes together.
    pub fn collectives(&self) -> Vec<String> {
        let points_of = |bytes: u64| COLLECTIVES.map(|call| format!("{call}::{bytes}"));
        let mut all: Vec<String> = self.sizes().flat_map(points_of).collect();
        all.push("barrier::0".to_owned());
        all
    }

    /// Multiples of 8, for the sums of doubles.
    fn sizes(&self) -> impl Iterator<Item = u64> {
        let step = f64::from(self.per_octave);
        let count = ((self.largest as f64 / SMALLEST).log2() * step).floor() as u32;
        let size = move |k: u32| (2f64.powf(f64::from(k) / step).round() as u64) * SMALLEST as u64;
        let mut last = 0;
        (0..=count).map(size).filter(move |bytes| std::mem::replace(&mut last, *bytes) < *bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_and_processes_double() {
        let quick = MpiPlan::new(2, true);
        let sizes: Vec<u64> = quick.sizes().collect();
        assert_eq!(sizes[..5], [8, 16, 24, 32, 48]);
        assert_eq!(sizes.last(), Some(&(1 << 20)));
        assert!(sizes.windows(2).all(|two| two[0] < two[1]));
        assert_eq!(quick.messages().len(), 8 * sizes.len());
        assert_eq!(quick.processes, [2]);
        assert_eq!(MpiPlan::new(1, false).processes, [2]);
        assert_eq!(MpiPlan::new(6, false).processes, [2, 4, 6]);
    }
}
