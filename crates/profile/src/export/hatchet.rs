//! Hatchet's literal: the tree as nested dictionaries.

use serde_json::{Map, Value, json};

use super::plain;
use crate::metric::{Costs, Metric};
use crate::profile::Profile;

/// A list with the root. For Hatchet a column whose name has `(inc)` in it includes the nodes below; any other column
/// is the node's own part. So each of `time`, `supersteps`, `computation`, `computation avg`, `computation min` and so
/// on is there twice. Python reads the text with `json.load`, and `hatchet.GraphFrame.from_literal` takes it.
pub fn hatchet(profile: &Profile) -> Value {
    // Children come after their parents. So in reverse order all nodes below a node are complete before it.
    let mut below: Vec<Vec<Value>> = vec![Vec::new(); profile.nodes.len()];
    for index in (1..profile.nodes.len()).rev() {
        let value = node(profile, index, std::mem::take(&mut below[index]));
        if let Some(parent) = profile.nodes[index].parent {
            below[parent].push(value);
        }
    }
    json!([node(profile, 0, std::mem::take(&mut below[0]))])
}

fn node(profile: &Profile, index: usize, mut children: Vec<Value>) -> Value {
    children.reverse();
    let node = &profile.nodes[index];
    let mut metrics = Map::new();
    let mut add = |name: &str, of: &dyn Fn(&Costs) -> f64| {
        let inclusive = of(&node.costs);
        // Without nodes below, the own part is the whole, without a rounding error.
        let below: f64 = node.children.iter().map(|&child| of(&profile.nodes[child].costs)).sum();
        let rounding = 1e-12 * (inclusive.abs() + below.abs());
        let own = inclusive - below;
        let own = if own > rounding || own < 0.0 && node.children.is_empty() { own } else { 0.0 };
        metrics.insert(name.to_owned(), json!(own));
        metrics.insert(format!("{name} (inc)"), json!(inclusive));
    };
    add("time", &Costs::time);
    add("supersteps", &|costs| costs.supersteps);
    for metric in Metric::ALL {
        let name = metric.name();
        add(name, &|costs| costs.summary(metric).maximum);
        add(&format!("{name} avg"), &|costs| costs.summary(metric).average);
        add(&format!("{name} min"), &|costs| costs.summary(metric).minimum);
    }
    let kind = if node.kind.is_centre() { "statement" } else { "function" };
    json!({
        "frame": {"name": plain(&node.kind), "type": kind},
        "metrics": metrics,
        "children": children,
    })
}
