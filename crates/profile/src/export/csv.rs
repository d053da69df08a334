//! A row for each node and metric.

use std::fmt::Write;

use super::{plain, plain_file};
use crate::metric::Metric;
use crate::profile::{NodeKind, Profile};

/// Columns: node, parent, kind, name, file, line, path (functions outermost first, separated by `;`), supersteps, metric, maximum, average,
/// minimum, then a column for each processor. Times in seconds, h in the profile's unit.
pub fn csv(profile: &Profile) -> String {
    let mut out = String::from(
        "node,parent,kind,name,file,line,path,supersteps,metric,maximum,average,minimum",
    );
    for processor in 0..profile.processors {
        let _ = write!(out, ",p{processor}");
    }
    out.push('\n');
    for (index, node) in profile.nodes.iter().enumerate() {
        let parent = node.parent.map_or(String::new(), |parent| parent.to_string());
        let (kind, file, line) = match &node.kind {
            NodeKind::Program { .. } => ("program", "", 0),
            NodeKind::Function(frame) => ("function", frame.file.as_str(), frame.line),
            NodeKind::Centre { ends } => {
                ("centre", ends.first().map_or("", |e| &e.file), ends.first().map_or(0, |e| e.line))
            }
            NodeKind::End { ends } => {
                ("end", ends.first().map_or("", |e| &e.file), ends.first().map_or(0, |e| e.line))
            }
            NodeKind::Start => ("start", "", 0),
            NodeKind::Call { file, line, .. } => ("call", file.as_str(), *line),
        };
        let path = profile.names(index, plain);
        for metric in Metric::ALL {
            let summary = node.costs.summary(metric);
            let _ = write!(
                out,
                "{index},{parent},{kind},{},{},{line},{},{},{},{},{},{}",
                quoted(&plain(&node.kind)),
                quoted(&plain_file(file)),
                quoted(&path.join(";")),
                node.costs.supersteps,
                metric.name(),
                summary.maximum,
                summary.average,
                summary.minimum
            );
            for value in &node.each[metric.index()] {
                let _ = write!(out, ",{value}");
            }
            out.push('\n');
        }
    }
    out
}

/// As RFC 4180 has it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
