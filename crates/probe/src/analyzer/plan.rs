//! The launches of a round, and the points of each.

use cll_machine::{Access, Cache, Pages};

use super::kernels::Kernel;

/// The parts that are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Supersteps of BSP.
    pub supersteps: bool,
    /// Memory.
    pub memory: bool,
    /// Operations, and the start of a process.
    pub operations: bool,
    /// The primitives of MPIs.
    pub mpi: bool,
}

impl Parts {
    /// Whether the analyzer has something to do.
    pub fn needs_analyzer(self) -> bool {
        self.memory || self.operations
    }
}

/// The sizes of what is measured, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The largest working set of a chase.
    pub largest: u64,
    /// Working sets to an octave.
    pub per_octave: u32,
    /// Cores that can be used at the same time.
    pub cores: u32,
    /// The size of a page.
    pub page: u64,
    /// Whether the system says how much memory there is.
    pub knows_memory: bool,
}

/// A launch of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelLaunch {
    /// The program.
    pub kernel: Kernel,
    /// Cores in use.
    pub cores: u32,
    /// The arguments, a point each.
    pub points: Vec<String>,
    /// The share of a round's time.
    pub share: f64,
}

/// The smallest working set.
const MIN_BYTES: f64 = 4096.0;
/// Bytes of a cache line.
const LINE: u64 = 64;
/// Beyond this, address translation is slow even with huge pages (on a virtual machine from 240 MiB on), which would look like
/// a level; and building the cycle takes longer than is good for a round.
const MAX_BYTES: u64 = 192 << 20;
const MAX_BYTES_QUICK: u64 = 128 << 20;
/// If the system names no cache.
const USUAL_CACHE: u64 = 32 << 20;
/// The largest working set is this many times the last cache, as the system says.
const BEYOND_CACHES: u64 = 8;
/// If the system does not say how much memory is available.
const USUAL_MEMORY: u64 = 256 << 20;
/// The divisor of the available memory: at most one part of this many is used.
const MEMORY_SHARE: u64 = 4;
/// More pages than any translation buffer has entries.
const MAX_PAGES: u64 = 16384;
/// The other strides.
const STRIDES: [u64; 2] = [256, 1024];
/// The pauses of the cores that read while another one waits, in additions after each 4 KiB.
const PAUSES: [u64; 8] = [0, 100, 300, 1000, 3000, 10_000, 30_000, 1_000_000];

impl Plan {
    /// For a machine whose system says this of its caches. The system may be wrong: the sizes go well beyond them.
    pub fn new(
        caches: &[Cache],
        cores: u32,
        page: u64,
        available: Option<u64>,
        quick: bool,
    ) -> Plan {
        let last = caches.iter().map(|cache| cache.bytes.as_f64() as u64).max();
        let wanted = last.unwrap_or(USUAL_CACHE).max(USUAL_CACHE / 2).saturating_mul(BEYOND_CACHES);
        let most = if quick { MAX_BYTES_QUICK } else { MAX_BYTES };
        let memory = available.unwrap_or(USUAL_MEMORY);
        let largest = wanted.min(most).min(memory / MEMORY_SHARE).max(1 << 20);
        Plan { largest, per_octave: 4, cores, page, knows_memory: available.is_some() }
    }

    /// The launches of a round.
    pub fn launches(self, parts: Parts, quick: bool) -> Vec<KernelLaunch> {
        let mut all = Vec::new();
        if parts.memory {
            all.push(KernelLaunch {
                kernel: Kernel::Memory,
                cores: 1,
                points: self.chases(quick),
                share: 6.0,
            });
            for cores in numbers(self.cores) {
                let points = self.streams(cores, quick);
                all.push(KernelLaunch { kernel: Kernel::Bandwidth, cores, points, share: 2.0 });
            }
        }
        if parts.operations {
            let points = operations();
            all.push(KernelLaunch { kernel: Kernel::Operations, cores: 1, points, share: 1.0 });
        }
        all
    }

    fn chases(self, quick: bool) -> Vec<String> {
        let word =
            |pages: Pages, stride: u64, bytes: u64| format!("{}:{stride}:{bytes}", pages.name());
        let dense = sizes(self.largest, self.per_octave);
        let mut words: Vec<String> = dense.map(|bytes| word(Pages::Large, LINE, bytes)).collect();
        // A line in each page: the working set is 64 bytes a page. The same lines side by side are what both have in common.
        let most = (MAX_PAGES * LINE).min(self.largest * LINE / self.page);
        for bytes in page_sizes(most, self.per_octave) {
            words.push(word(Pages::Small, LINE, bytes));
            words.push(word(Pages::Small, self.page + LINE, bytes));
        }
        let misses = |access: Access, pages: Pages, stride: u64, bytes: u64| {
            format!("{}-{}:{stride}:{bytes}", access.name(), pages.name())
        };
        for access in [Access::Read, Access::Write] {
            let sizes = sizes(self.largest, if quick { 1 } else { 2 });
            words.extend(sizes.map(|bytes| misses(access, Pages::Large, LINE, bytes)));
            for bytes in page_sizes(most, if quick { 1 } else { 2 }) {
                words.push(misses(access, Pages::Small, LINE, bytes));
                words.push(misses(access, Pages::Small, self.page + LINE, bytes));
            }
        }
        if !quick {
            for stride in STRIDES {
                let sizes = sizes(self.largest * LINE / stride, 2);
                words.extend(sizes.map(|bytes| word(Pages::Large, stride, bytes)));
            }
        }
        words
    }

    fn streams(self, cores: u32, quick: bool) -> Vec<String> {
        // Each core has its own.
        let largest = (self.largest / 2).min(self.largest * 2 / u64::from(cores.max(1)));
        let mut words = Vec::new();
        for bytes in sizes(largest, if quick { 1 } else { 2 }) {
            // Three arrays of whole vectors.
            let bytes = bytes.div_ceil(3072) * 3072;
            words.extend(Access::ALL.map(|access| format!("{}:{cores}:{bytes}", access.name())));
        }
        if cores > 1 && cores == self.cores {
            let bytes = self.largest / 2;
            words.extend(PAUSES.map(|pause| format!("loaded:{cores}:{bytes}:{pause}")));
        }
        words
    }
}

/// Working sets from the smallest on, whole lines.
fn sizes(largest: u64, per_octave: u32) -> impl Iterator<Item = u64> {
    let step = f64::from(per_octave);
    let count = ((largest as f64 / MIN_BYTES).log2() * step).floor().max(0.0) as u32;
    (0..=count).map(move |k| {
        let bytes = MIN_BYTES * 2f64.powf(f64::from(k) / step);
        (bytes / LINE as f64).round() as u64 * LINE
    })
}

/// From eight pages on.
fn page_sizes(largest: u64, per_octave: u32) -> impl Iterator<Item = u64> {
    const FIRST: f64 = 512.0;
    let step = f64::from(per_octave);
    let count = ((largest as f64 / FIRST).log2() * step).floor().max(0.0) as u32;
    (0..=count)
        .map(move |k| (FIRST * 2f64.powf(f64::from(k) / step) / LINE as f64).round() as u64 * LINE)
}

/// Numbers of cores: doubling, and all.
fn numbers(cores: u32) -> Vec<u32> {
    let mut all: Vec<u32> = std::iter::successors(Some(1u32), |number| number.checked_mul(2))
        .take_while(|number| *number < cores)
        .collect();
    all.push(cores.max(1));
    all
}

fn operations() -> Vec<String> {
    let mut words = Vec::new();
    for operand in ["double", "single"] {
        for name in ["add", "multiply", "fma", "divide", "sqrt"] {
            words.push(format!("{name}_{operand}"));
        }
    }
    words.extend(
        ["add_integer", "multiply_integer", "divide_integer", "branch", "process", "page"]
            .map(str::to_owned),
    );
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_units::Bytes;

    fn plan(last: u64, available: u64, cores: u32) -> Plan {
        let caches = [
            Cache { name: "L1".into(), bytes: Bytes(48 << 10) },
            Cache { name: "L3".into(), bytes: Bytes(last) },
        ];
        Plan::new(&caches, cores, 4096, Some(available), false)
    }

    #[test]
    fn sizes_go_beyond_the_caches_and_not_beyond_the_memory() {
        assert_eq!(plan(20 << 20, 64 << 30, 2).largest, 160 << 20);
        assert_eq!(plan(480 << 20, 64 << 30, 2).largest, 192 << 20);
        assert_eq!(plan(32 << 20, 100 << 20, 2).largest, 25 << 20);
        // A virtual machine may name a small cache only.
        assert_eq!(plan(48 << 10, 64 << 30, 2).largest, 128 << 20);
        assert_eq!(plan(32 << 20, 0, 2).largest, 1 << 20);
        let unknown = Plan::new(&[], 2, 4096, None, false);
        assert_eq!((unknown.largest, unknown.knows_memory), (64 << 20, false));
    }

    #[test]
    fn a_single_core_has_no_neighbours() {
        let parts = Parts { supersteps: false, memory: true, operations: true, mpi: false };
        let all = plan(32 << 20, 64 << 30, 1).launches(parts, false);
        assert_eq!(all.len(), 3);
        assert!(
            all.iter().flat_map(|launch| &launch.points).all(|point| !point.starts_with("loaded"))
        );
        let two = plan(32 << 20, 64 << 30, 2).launches(parts, false);
        assert_eq!(two.iter().filter(|launch| launch.kernel == Kernel::Bandwidth).count(), 2);
        assert!(
            two.iter()
                .flat_map(|launch| &launch.points)
                .any(|point| point.starts_with("loaded:2:"))
        );
    }

    #[test]
    fn four_working_sets_to_an_octave() {
        let all: Vec<u64> = sizes(16384, 4).collect();
        assert_eq!(all, [4096, 4864, 5824, 6912, 8192, 9728, 11584, 13760, 16384]);
        assert_eq!(numbers(6), [1, 2, 4, 6]);
        assert_eq!(numbers(1), [1]);
    }
}
