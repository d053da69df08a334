//! JSON lines of Extra-P.

use serde_json::json;

use super::{Figure, plain};
use crate::profile::Profile;

/// A line for each node and figure, with the number of processors as parameter `P` and those that are given.
pub fn extrap(profile: &Profile, parameters: &[(String, f64)]) -> String {
    let mut params = serde_json::Map::new();
    params.insert("P".into(), json!(profile.processors));
    for (name, value) in parameters {
        params.insert(name.clone(), json!(value));
    }
    let mut out = String::new();
    for (index, node) in profile.nodes.iter().enumerate() {
        let path = profile.names(index, |kind| plain(kind).replace("->", "-"));
        for figure in Figure::ALL {
            let line = json!({
                "params": params, "callpath": path.join("->"), "metric": figure.name(),
                "value": figure.value(&node.costs),
            });
            out.push_str(&line.to_string());
            out.push('\n');
        }
    }
    out
}
