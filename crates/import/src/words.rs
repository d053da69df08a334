//! Words of columns' names: which are times, results, repetitions or counts.

/// Names of times, in the order of the search; without unit, in lower case, with `_` between words.
const RESULTS: [&str; 26] = [
    "time",
    "walltime",
    "wall_time",
    "wallclock",
    "wall_clock",
    "wallclock_time",
    "wall_clock_time",
    "wall",
    "elapsed",
    "elapsed_time",
    "runtime",
    "run_time",
    "duration",
    "real_time",
    "real",
    "total_time",
    "cpu_time",
    "seconds",
    "t",
    "laufzeit",
    "zeit",
    "dauer",
    "temps",
    "tiempo",
    "tempo",
    "czas",
];
/// Names of several columns of results with a number behind each, besides those of times.
const REPEATED: [&str; 8] =
    ["run", "rep", "repetition", "repeat", "trial", "sample", "measurement", "value"];

/// Names of times that a program measures beside its result.
const OTHER_TIMES: [&str; 3] = ["user", "system", "sys"];
/// Words of names that are counts, sizes, rates or shares, and no times.
const COUNTS: [&str; 62] = [
    "flop",
    "flops",
    "gflop",
    "gflops",
    "mflop",
    "mflops",
    "tflops",
    "kflops",
    "cycles",
    "instructions",
    "instr",
    "ipc",
    "cpi",
    "memory",
    "mem",
    "rss",
    "vmem",
    "heap",
    "bytes",
    "kb",
    "mb",
    "gb",
    "tb",
    "kib",
    "mib",
    "gib",
    "performance",
    "perf",
    "throughput",
    "bandwidth",
    "bw",
    "rate",
    "speed",
    "speedup",
    "efficiency",
    "utilization",
    "misses",
    "hits",
    "faults",
    "branches",
    "references",
    "refs",
    "accesses",
    "loads",
    "stores",
    "energy",
    "power",
    "joules",
    "watts",
    "calls",
    "messages",
    "allocations",
    "allocs",
    "items",
    "events",
    "iops",
    "hz",
    "mhz",
    "ghz",
    "percent",
    "accuracy",
    "residual",
];

/// Whether a header of this name, normalised and without unit, is that of a result.
pub(crate) fn is_result(plain: &str) -> bool {
    RESULTS.contains(&plain)
}

/// The place of a known name of a result, less is better.
pub(crate) fn rank(plain: &str) -> Option<usize> {
    RESULTS.iter().position(|known| *known == plain)
}

/// Whether a normalised name is that of a time.
pub(crate) fn is_time(plain: &str) -> bool {
    const LAST: [&str; 7] =
        ["time", "walltime", "seconds", "elapsed", "duration", "latency", "runtime"];
    let last = plain.rsplit('_').next().unwrap_or_default();
    is_result(plain) || OTHER_TIMES.contains(&plain) || LAST.contains(&last)
}

/// Whether columns of this name with a number behind it are repetitions.
pub(crate) fn is_repeated(stem: &str) -> bool {
    REPEATED.contains(&stem)
}

/// Whether a header is that of a count, a size, a rate or a share: `memory_mb`, `GB/s`.
pub(crate) fn is_count(header: &str) -> bool {
    let lower = header.to_lowercase();
    let is_rate =
        ["/s", "/sec", "_per_s", "_per_second", "_per_sec"].iter().any(|end| lower.ends_with(end));
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    // `50%` is a percentile.
    let is_share = lower.strip_suffix('%').is_some_and(|name| name.parse::<f64>().is_err());
    is_rate || is_share || words.any(|word| COUNTS.contains(&word))
}
