//! Damage and missing ranks in the logs of a run, in words.

use std::collections::BTreeSet;
use std::path::PathBuf;

use cll_trace::Cause;
use cll_trace::layout::KIND_CALLS;

use crate::Overview;

/// Ranks or stretches of ranks that are named.
const NAMED: usize = 12;

/// Damage and missing parts, each with the name of its file; ranks that did not end normally are together in one
/// sentence if there are several.
pub fn damage_of(overviews: &[Overview], paths: &[PathBuf]) -> Vec<String> {
    let mut ranks = BTreeSet::new();
    let (mut unsealed, mut lines) = (0, Vec::new());
    let has_no_end = |overview: &&Overview| {
        overview.damage.iter().any(|damage| matches!(damage.cause, Cause::NoEnd { .. }))
    };
    let are_several = overviews.iter().filter(has_no_end).count() > 1;
    for (overview, path) in overviews.iter().zip(paths) {
        for damage in &overview.damage {
            match damage.cause {
                Cause::NoEnd { processor: Some(rank), .. } if are_several => {
                    ranks.insert(rank);
                }
                Cause::Unsealed { kind: KIND_CALLS, count, .. } if are_several => unsealed += count,
                _ => lines.push(format!("{}: {damage}", path.display())),
            }
        }
    }
    if !ranks.is_empty() {
        let open = match unsealed {
            0 => String::new(),
            1 => "; 1 call is in a block that was still open: it has no checksum, so damage to it would not be noticed"
                .to_owned(),
            count => format!(
                "; {count} calls are in blocks that were still open: they have no checksum, so damage to them would \
                 not be noticed"
            ),
        };
        let named = named(&ranks);
        let line = format!(
            "{named} did not end normally: only what they recorded before that is here{open}"
        );
        lines.insert(0, line);
    }
    lines
}

/// Ranks in words: `ranks 0 to 3, 7 and 9`.
fn named(ranks: &BTreeSet<u32>) -> String {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => stretches.push((rank, rank)),
        }
    }
    let shown = stretches.iter().take(NAMED).map(|&(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    let mut shown: Vec<String> = shown.collect();
    let left: u32 = stretches.iter().skip(NAMED).map(|&(first, last)| last - first + 1).sum();
    if left > 0 {
        shown.push(format!("{left} others"));
    }
    match shown.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("ranks {} and {last}", before.join(", "))
        }
        _ => format!("ranks {}", shown.join("")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_trace::Damage;
    use cll_units::Bytes;

    fn died(rank: u32) -> Overview {
        let process = 100 + rank;
        let causes = [
            Cause::NoEnd { process, processor: Some(rank) },
            Cause::Unsealed { process, kind: KIND_CALLS, count: 5 },
        ];
        let damage = |cause| Damage { trace: 0, offset: None, lost: Bytes(0), cause };
        Overview { damage: causes.map(damage).into(), ..Overview::default() }
    }

    #[test]
    fn ranks_that_died_are_in_one_line() {
        let all: Vec<u32> = (0..60).chain([62]).collect();
        let overviews: Vec<Overview> = all.iter().map(|&rank| died(rank)).collect();
        let paths: Vec<PathBuf> = all.iter().map(|rank| format!("p.{rank}.dat").into()).collect();
        let lines = damage_of(&overviews, &paths);
        assert_eq!(lines.len(), 1, "{lines:?}");
        let start = "ranks 0 to 59 and 62 did not end normally: only what they recorded before that is here; 305 calls";
        assert!(lines[0].starts_with(start), "{lines:?}");
        // Of one its file is named.
        let lines = damage_of(&overviews[..1], &paths);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.starts_with("p.0.dat: ")), "{lines:?}");
        let many: BTreeSet<u32> = (0..40).map(|rank| 3 * rank).collect();
        assert!(named(&many).ends_with("33 and 28 others"), "{}", named(&many));
    }
}
