//! The profile format of callgrind: all metrics at once, with inherited costs.

use std::fmt::Write;

use super::{Figure, own, plain, plain_text};
use crate::profile::{NodeKind, Profile};

/// A function with several callers has a record for each of them; the reading program adds up their costs. A function
/// that is below itself gets another name there (`name'2`), so that nothing counts twice. Times are whole nanoseconds;
/// h is in the profile's unit.
pub fn callgrind(profile: &Profile) -> String {
    let mut out = String::from("# callgrind format\nversion: 1\ncreator: cll\npositions: line\n");
    let _ = writeln!(out, "cmd: {}", plain(&profile.root().kind));
    let unit = if profile.h_unit == 1 { "bytes" } else { "words" };
    let _ = writeln!(out, "event: Computation : maximum computation, ns");
    let _ = writeln!(out, "event: Communication : maximum communication, ns");
    let _ = writeln!(out, "event: Idle : maximum waiting, ns");
    let _ = writeln!(out, "event: H : maximum h-relation, {unit}");
    out.push_str("events: Computation Communication Idle H\n");
    let figures = |value_of: &dyn Fn(Figure) -> u64| {
        let all: Vec<String> =
            Figure::ALL[1..].iter().map(|&figure| value_of(figure).to_string()).collect();
        all.join(" ")
    };
    let total = &profile.root().costs;
    let _ = writeln!(out, "summary: {}\n", figures(&|figure| figure.rounded(total)));
    let names = names(profile);
    for (index, node) in profile.nodes.iter().enumerate() {
        let (file, line) = place(&node.kind);
        let _ = writeln!(out, "fl={file}\nfn={}", names[index]);
        let own = figures(&|figure| own(profile, index, |costs| figure.rounded(costs)));
        let _ = writeln!(out, "{line} {own}");
        for &child in &node.children {
            let below = &profile.nodes[child];
            let (file, at_line) = place(&below.kind);
            let calls = (below.costs.supersteps as u64).max(1);
            let inclusive = figures(&|figure| figure.rounded(&below.costs));
            let _ = writeln!(out, "cfi={file}\ncfn={}\ncalls={calls} {at_line}", names[child]);
            let _ = writeln!(out, "{line} {inclusive}");
        }
        out.push('\n');
    }
    out
}

/// The names. The name of a function that is below itself ends with the level of recursion, as callgrind does it.
fn names(profile: &Profile) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(profile.nodes.len());
    for (index, node) in profile.nodes.iter().enumerate() {
        let above = profile.path(index);
        let same = above.iter().filter(|&&number| profile.nodes[number].kind == node.kind).count();
        let scope = match (&node.kind, node.parent) {
            // A place belongs to its function.
            (kind, Some(parent)) if kind.is_centre() => {
                format!("{} ({})", plain(kind), plain(&profile.nodes[parent].kind))
            }
            (kind, _) => plain(kind),
        };
        // A number in brackets at the beginning would refer to an earlier name.
        let is_number = scope
            .strip_prefix('(')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let scope = if is_number { format!("_{scope}") } else { scope };
        names.push(if same > 1 { format!("{scope}'{same}") } else { scope });
    }
    names
}

fn place(kind: &NodeKind) -> (String, u32) {
    let (file, line) = match kind {
        NodeKind::Function(frame) => (frame.file.as_str(), frame.line),
        NodeKind::Call { file, line, .. } => (file.as_str(), *line),
        NodeKind::Centre { ends } | NodeKind::End { ends } => {
            ends.first().map_or(("", 0), |end| (end.file.as_str(), end.line))
        }
        _ => ("", 0),
    };
    (if file.is_empty() { "???".to_owned() } else { plain_text(file) }, line)
}
