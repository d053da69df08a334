//! The calls of two runs compared: `docs/formats/mpi.md`.

use std::collections::BTreeMap;

use cll_units::{Bytes, Seconds};
use schemars::JsonSchema;
use serde::Serialize;

use super::{MpiDelay, MpiPath, MpiSegment, MpiStats};

/// The differences between two runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiff {
    /// The name of the format.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The first run.
    pub before: MpiDiffRun,
    /// The second one.
    pub after: MpiDiffRun,
    /// Calls by path, the largest change of time first, `MPI_Init` and `MPI_Finalize` last.
    pub by_path: Vec<MpiDiffPath>,
    /// Computation between two calls, the largest change of time first.
    pub segments: Vec<MpiDiffSegment>,
    /// The causes of waiting, the largest change first.
    pub delays: Vec<MpiDiffDelay>,
}

/// A run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffRun {
    /// The number of ranks.
    pub ranks: u32,
    /// Calls in its logs.
    pub calls: u64,
    /// From the first end of `MPI_Init` to the last begin of `MPI_Finalize`; `None`: it is not known.
    #[serde(rename = "runtime_s")]
    pub runtime: Option<Seconds>,
    /// Time outside of MPI, of all ranks.
    #[serde(rename = "outside_s")]
    pub outside: Seconds,
    /// Time in MPI, of all ranks.
    #[serde(rename = "mpi_s")]
    pub mpi: Seconds,
    /// The part of the time in MPI that was spent waiting; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
    /// Bytes that left the ranks.
    pub sent: Bytes,
}

/// The calls of a path in both runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffPath {
    /// The function, with `MPI_`.
    pub call: String,
    /// The functions that lead to it, the innermost first.
    pub path: Vec<String>,
    /// In the first run; `None`: it does not make them.
    pub before: Option<MpiDiffCalls>,
    /// In the second run.
    pub after: Option<MpiDiffCalls>,
    /// How much longer they took, of all ranks; negative: shorter.
    #[serde(rename = "more_s")]
    pub more: Seconds,
}

/// The calls of a path in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffCalls {
    /// `file:line`; empty if it is not known.
    pub place: String,
    /// How many.
    pub calls: u64,
    /// Bytes sent.
    pub sent: Bytes,
    /// Bytes received.
    pub received: Bytes,
    /// Time in them, of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The part of that time spent waiting; `None`: it is not known.
    #[serde(rename = "waiting_s")]
    pub waiting: Option<Seconds>,
}

/// Computation between two calls in both runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffSegment {
    /// The innermost function that contains both calls; empty if it is not known.
    pub function: String,
    /// In the first run; `None`: it does not do it.
    pub before: Option<MpiDiffTime>,
    /// In the second run.
    pub after: Option<MpiDiffTime>,
    /// How much longer it took, of all ranks; negative: shorter.
    #[serde(rename = "more_s")]
    pub more: Seconds,
}

/// Computation between two calls in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffTime {
    /// The call before, with its place; empty at the beginning.
    pub after: String,
    /// The call behind it, with its place.
    pub before: String,
    /// How often.
    pub times: u64,
    /// The time, of all ranks.
    #[serde(rename = "time_s")]
    pub time: Seconds,
}

/// A cause of waiting in both runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MpiDiffDelay {
    /// The rank that took longer than others.
    pub rank: u32,
    /// Doing what, in words.
    pub doing: String,
    /// Kind of waiting.
    pub kind: &'static str,
    /// The call that waited, with its place.
    pub waits: String,
    /// How long all others waited for that in the first run.
    #[serde(rename = "before_s")]
    pub before: Seconds,
    /// In the second run.
    #[serde(rename = "after_s")]
    pub after: Seconds,
}

impl MpiDiff {
    /// Compares two runs. Calls belong together if they are of one function with the same call path. Of several such in
    /// one function, those belong together that have the same order, or, if their numbers differ, the same line.
    pub fn new(before: &MpiStats, after: &MpiStats) -> MpiDiff {
        let path_key = |mpi_path: &MpiPath| (mpi_path.call.clone(), mpi_path.path.join("\n"));
        let (old, new) = (&before.detail, &after.detail);
        let paths = pairs(&old.by_path, &new.by_path, path_key, |path| path.place.clone());
        let mut by_path: Vec<MpiDiffPath> = paths.into_iter().filter_map(path).collect();
        // The time of beginning and ending MPI is not of the program.
        let is_life = |diff_path: &MpiDiffPath| {
            diff_path.call.starts_with("MPI_Init") || diff_path.call == "MPI_Finalize"
        };
        by_path.sort_by(|path, other| {
            let more = other.more.abs().total_cmp(&path.more.abs());
            is_life(path).cmp(&is_life(other)).then(more)
        });
        let segment_key = |mpi_segment: &MpiSegment| {
            (
                mpi_segment.function.clone(),
                format!("{}\n{}", name(&mpi_segment.after), name(&mpi_segment.before)),
            )
        };
        let place =
            |mpi_segment: &MpiSegment| format!("{} {}", mpi_segment.after, mpi_segment.before);
        let segments = pairs(&old.segments, &new.segments, segment_key, place);
        let mut segments: Vec<MpiDiffSegment> = segments.into_iter().filter_map(segment).collect();
        segments.sort_by(|segment, other| other.more.abs().total_cmp(&segment.more.abs()));
        MpiDiff {
            format: "cll-mpi-diff",
            version: 1,
            before: run(before),
            after: run(after),
            by_path,
            segments,
            delays: delays(&old.delays, &new.delays),
        }
    }
}

impl MpiDiffRun {
    /// Time in MPI that is not waiting.
    pub fn transfer(&self) -> Seconds {
        (self.mpi - self.waiting.unwrap_or_default()).max(Seconds::ZERO)
    }
}

fn run(stats: &MpiStats) -> MpiDiffRun {
    let waiting = stats.by_rank.iter().map(|rank| rank.waiting).sum::<Option<Seconds>>();
    MpiDiffRun {
        ranks: stats.ranks,
        calls: stats.calls,
        runtime: stats.detail.efficiency.as_ref().map(|efficiency| efficiency.runtime),
        outside: stats.by_rank.iter().map(|rank| rank.computation()).sum(),
        mpi: stats.by_rank.iter().map(|rank| rank.mpi).sum(),
        waiting,
        sent: stats.by_rank.iter().map(|rank| rank.sent).sum(),
    }
}

/// A call without its place.
fn name(call: &str) -> &str {
    call.split_once(' ').map_or(call, |(name, _)| name)
}

/// The numbers in a place, by which places of one function are ordered.
fn lines(place: &str) -> Vec<u64> {
    let digits = place.split(|letter: char| !letter.is_ascii_digit());
    digits.filter_map(|digits| digits.parse().ok()).collect()
}

/// Pairs the items that belong together. If equally many items of both sides have a key, they are paired in the order
/// of their places. Otherwise items with the same place are paired.
fn pairs<'a, T, K: Ord>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&T) -> K,
    place: impl Fn(&T) -> String,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let mut groups: BTreeMap<K, [Vec<&'a T>; 2]> = BTreeMap::new();
    for (side, all) in [before, after].into_iter().enumerate() {
        for item in all {
            groups.entry(key(item)).or_default()[side].push(item);
        }
    }
    let mut pairs = Vec::new();
    for [mut old, mut new] in groups.into_values() {
        for side in [&mut old, &mut new] {
            side.sort_by_cached_key(|item| (lines(&place(item)), place(item)));
        }
        if old.len() == new.len() {
            pairs.extend(old.into_iter().zip(new).map(|(old, new)| (Some(old), Some(new))));
            continue;
        }
        for pair in old {
            let same = new.iter().position(|other| place(other) == place(pair));
            pairs.push((Some(pair), same.map(|position| new.remove(position))));
        }
        pairs.extend(new.into_iter().map(|pair| (None, Some(pair))));
    }
    pairs
}

fn path((before, after): (Option<&MpiPath>, Option<&MpiPath>)) -> Option<MpiDiffPath> {
    let either = before.or(after)?;
    let side = |mpi_path: &MpiPath| MpiDiffCalls {
        place: mpi_path.place.clone(),
        calls: mpi_path.calls,
        sent: mpi_path.sent,
        received: mpi_path.received,
        time: mpi_path.time,
        waiting: mpi_path.waiting,
    };
    let time = |mpi_path: Option<&MpiPath>| mpi_path.map_or(Seconds::ZERO, |path| path.time);
    Some(MpiDiffPath {
        call: either.call.clone(),
        path: either.path.clone(),
        before: before.map(side),
        after: after.map(side),
        more: time(after) - time(before),
    })
}

fn segment((before, after): (Option<&MpiSegment>, Option<&MpiSegment>)) -> Option<MpiDiffSegment> {
    let side = |mpi_segment: &MpiSegment| MpiDiffTime {
        after: mpi_segment.after.clone(),
        before: mpi_segment.before.clone(),
        times: mpi_segment.times,
        time: mpi_segment.time,
    };
    let time = |mpi_segment: Option<&MpiSegment>| {
        mpi_segment.map_or(Seconds::ZERO, |segment| segment.time)
    };
    Some(MpiDiffSegment {
        function: before.or(after)?.function.clone(),
        before: before.map(side),
        after: after.map(side),
        more: time(after) - time(before),
    })
}

/// Lines of places may differ between builds; then a cause is in both lists, with 0 in the other run.
fn delays(before: &[MpiDelay], after: &[MpiDelay]) -> Vec<MpiDiffDelay> {
    let mut all: BTreeMap<(u32, &str, &str, &'static str), [Seconds; 2]> = BTreeMap::new();
    for (side, delays) in [before, after].into_iter().enumerate() {
        for delay in delays {
            let key = (delay.rank, delay.doing.as_str(), delay.waits.as_str(), delay.kind);
            all.entry(key).or_default()[side] += delay.time;
        }
    }
    let all = all.into_iter().map(|((rank, doing, waits, kind), [before, after])| MpiDiffDelay {
        rank,
        doing: doing.to_owned(),
        kind,
        waits: waits.to_owned(),
        before,
        after,
    });
    let mut all: Vec<MpiDiffDelay> = all.collect();
    let more = |entry: &MpiDiffDelay| (entry.after - entry.before).abs();
    all.sort_by(|delay, other| more(other).total_cmp(&more(delay)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(paths: &[(&str, &str, f64)]) -> MpiStats {
        let path = |&(call, place, seconds): &(&str, &str, f64)| MpiPath {
            call: call.to_owned(),
            place: place.to_owned(),
            path: vec!["step".to_owned(), "main".to_owned()],
            calls: 1,
            time: Seconds(seconds),
            ..MpiPath::default()
        };
        let mut stats = MpiStats::new();
        stats.detail.by_path = paths.iter().map(path).collect();
        stats
    }

    /// Places before and after, with the change.
    fn compared(
        before: &[(&str, &str, f64)],
        after: &[(&str, &str, f64)],
    ) -> Vec<(String, String, i64)> {
        let diff = MpiDiff::new(&stats(before), &stats(after));
        let place = |side: &Option<MpiDiffCalls>| {
            side.as_ref().map_or("-".to_owned(), |side| side.place.clone())
        };
        let row = |diff_path: &MpiDiffPath| {
            (place(&diff_path.before), place(&diff_path.after), diff_path.more.get().round() as i64)
        };
        diff.by_path.iter().map(row).collect()
    }

    #[test]
    fn places_that_moved_belong_together_in_their_order() {
        let before = [("MPI_Send", "a.c:9", 1.0), ("MPI_Send", "a.c:20", 2.0)];
        let after = [("MPI_Send", "a.c:30", 7.0), ("MPI_Send", "a.c:20", 2.0)];
        let row = |first: &str, other: &str, more| (first.to_owned(), other.to_owned(), more);
        assert_eq!(
            compared(&before, &after),
            [row("a.c:20", "a.c:30", 5), row("a.c:9", "a.c:20", 1)]
        );
    }

    #[test]
    fn of_different_numbers_only_the_same_places_belong_together() {
        let before = [("MPI_Send", "a.c:9", 1.0), ("MPI_Recv", "a.c:20", 2.0)];
        let after = [("MPI_Send", "a.c:9", 4.0), ("MPI_Send", "a.c:12", 5.0)];
        let row = |first: &str, other: &str, more| (first.to_owned(), other.to_owned(), more);
        assert_eq!(
            compared(&before, &after),
            [row("-", "a.c:12", 5), row("a.c:9", "a.c:9", 3), row("a.c:20", "-", -2)]
        );
    }
}
