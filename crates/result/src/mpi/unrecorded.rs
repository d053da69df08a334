//! Calls that logs only count, as a sentence.

use cll_diagnostic::escape;

use super::MpiUnrecorded;

/// Functions that are named.
const MAX_NAMED: usize = 4;

/// Calls that the logs only count, in a sentence.
pub fn unrecorded_text(unrecorded: &[MpiUnrecorded]) -> Option<String> {
    let calls: u64 = unrecorded.iter().map(|unrecorded| unrecorded.calls).sum();
    let mut most: Vec<&MpiUnrecorded> = unrecorded.iter().collect();
    most.sort_by_key(|unrecorded| (std::cmp::Reverse(unrecorded.calls), &unrecorded.call));
    let detail = match &most[..] {
        [] => return None,
        [unrecorded] => format!("of {}", escape(&unrecorded.call)),
        all => {
            let shown = all.iter().take(MAX_NAMED);
            let shown = shown
                .map(|unrecorded| format!("{} {}", unrecorded.calls, escape(&unrecorded.call)));
            let mut shown: Vec<String> = shown.collect();
            if all.len() > MAX_NAMED {
                let (left, functions) = (&all[MAX_NAMED..], all.len() - MAX_NAMED);
                let calls: u64 = left.iter().map(|unrecorded| unrecorded.calls).sum();
                let s = if functions == 1 { "" } else { "s" };
                shown.push(format!("{calls} of {functions} other function{s}"));
            }
            format!("({})", shown.join(", "))
        }
    };
    let (s, were) = if calls == 1 { ("", "was") } else { ("s", "were") };
    Some(format!(
        "{calls} call{s} {detail} {were} not recorded: what is said of messages, bytes and waiting is without them"
    ))
}
