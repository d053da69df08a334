//! The file format of speedscope: a sampled profile for each figure.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Figure, own, plain, plain_file};
use crate::profile::{NodeKind, Profile};

/// Writes one JSON document. A node with costs of its own is a stack with a weight. A function is one frame,
/// independent of the path that leads to it, since speedscope sums the weights of each frame.
pub fn speedscope(profile: &Profile) -> Value {
    let mut frames: Vec<Value> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let frame_of = profile.nodes.iter().map(|node| {
        let frame = match &node.kind {
            NodeKind::Function(frame) if !frame.file.is_empty() => {
                json!({"name": plain(&node.kind), "file": plain_file(&frame.file)})
            }
            NodeKind::Centre { ends } | NodeKind::End { ends } if !ends.is_empty() => {
                json!({"name": plain(&node.kind), "file": plain_file(&ends[0].file), "line": ends[0].line})
            }
            NodeKind::Call { file, line, .. } if !file.is_empty() => {
                json!({"name": plain(&node.kind), "file": plain_file(file), "line": line})
            }
            kind => json!({"name": plain(kind)}),
        };
        *known.entry(frame.to_string()).or_insert_with(|| {
            frames.push(frame);
            frames.len() - 1
        })
    });
    let frame_of: Vec<usize> = frame_of.collect();
    let profiles = Figure::ALL.map(|figure| {
        let (unit, scale) = match figure {
            Figure::Maximum(metric) if !metric.is_time() => match profile.h_unit {
                1 => ("bytes", 1.0),
                _ => ("none", 1.0),
            },
            _ => ("seconds", 1e-9),
        };
        let mut samples = Vec::new();
        let mut weights = Vec::new();
        for index in 0..profile.nodes.len() {
            let count = own(profile, index, |costs| figure.rounded(costs));
            if count > 0 {
                samples.push(
                    profile
                        .path(index)
                        .iter()
                        .map(|&ancestor| frame_of[ancestor])
                        .collect::<Vec<_>>(),
                );
                weights.push(count as f64 * scale);
            }
        }
        let end: f64 = weights.iter().sum();
        json!({
            "type": "sampled", "name": figure.name(), "unit": unit,
            "startValue": 0, "endValue": end, "samples": samples, "weights": weights,
        })
    });
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "cll",
        "name": plain(&profile.root().kind),
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": profiles,
    })
}
