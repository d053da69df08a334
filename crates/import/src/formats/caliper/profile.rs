//! The values of a file by metric and path of regions.

use std::collections::{HashMap, HashSet};

use crate::error::ImportError;
use crate::place::PlacedText;

use super::metric::{Metric, Operation};
use super::records::{Attribute, Nodes, Record};

/// Attributes that number the threads of a process.
const THREADS: [&str; 5] = ["omp.thread.id", "thread.id", "pthread.id", "thread", "omp.thread.num"];
/// A channel of Caliper's that repeats the regions by time slices.
const TIME_SERIES: &str = "timeseries";

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Each metric's values.
    pub(super) series: Vec<Series>,
    /// Names and values of the run.
    pub(super) globals: Vec<(String, String)>,
    /// Whether there was a record of these.
    pub(super) has_globals: bool,
    /// Whether records name several threads.
    pub(super) has_threads: bool,
}

/// A metric's values by path, each with the byte of its first record.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) attribute: Attribute,
    pub(super) values: Vec<(String, f64, usize)>,
}

/// A record of measurements.
struct Snapshot {
    path: Vec<String>,
    rank: String,
    /// The thread; empty if none is named.
    thread: String,
    channel: Option<String>,
    values: Vec<(u64, f64)>,
    offset: usize,
}

/// Reads a file.
pub(super) fn read(source: PlacedText<'_>) -> Result<Profile, ImportError> {
    let mut nodes = Nodes::new();
    let mut snapshots = Vec::new();
    let mut profile = Profile::default();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        let record = Record::new(line, start);
        match record.kind() {
            Some("node") => nodes.add(source, &record)?,
            Some("ctx") => snapshots.push(snapshot(source, &nodes, &record)?),
            Some("globals") => {
                profile.globals = globals(source, &nodes, &record)?;
                profile.has_globals = true;
            }
            _ => {
                return Err(record
                    .wrong(
                        source,
                        "this is no record of a node, of measurements or of global values",
                    )
                    .help(
                        "a line of a .cali file begins with __rec=node, __rec=ctx or __rec=globals",
                    ));
            }
        }
    }
    // Time slices repeat what another channel has in all.
    let has_whole =
        snapshots.iter().any(|snapshot| snapshot.channel.as_deref() != Some(TIME_SERIES));
    snapshots.retain(|snapshot| !has_whole || snapshot.channel.as_deref() != Some(TIME_SERIES));
    let threads = |entry: &&Snapshot| !entry.path.is_empty() && !entry.thread.is_empty();
    let mut threads = snapshots.iter().filter(threads).map(|snapshot| snapshot.thread.as_str());
    let first = threads.next();
    profile.has_threads = threads.any(|thread| Some(thread) != first);
    profile.series = series(&nodes, snapshots);
    Ok(profile)
}

fn snapshot(
    source: PlacedText<'_>,
    nodes: &Nodes,
    record: &Record,
) -> Result<Snapshot, ImportError> {
    let mut snapshot = Snapshot {
        path: Vec::new(),
        rank: String::new(),
        thread: String::new(),
        channel: None,
        values: Vec::new(),
        offset: record.span.start,
    };
    for id in references(source, nodes, record)? {
        let mut path = Vec::new();
        for (attribute, value) in nodes.upwards(id) {
            let Some(attribute) = nodes.attribute(attribute) else { continue };
            match attribute.name.as_str() {
                _ if attribute.is_nested => path.push(value.to_owned()),
                "mpi.rank" => value.clone_into(&mut snapshot.rank),
                name if THREADS.contains(&name) => value.clone_into(&mut snapshot.thread),
                "spot.channel" => snapshot.channel = Some(value.to_owned()),
                _ => {}
            }
        }
        path.reverse();
        snapshot.path.extend(path);
    }
    for (id, value) in immediate(source, record)? {
        let Some(attribute) = nodes.attribute(id) else {
            return Err(record.wrong(source, format!("there is no attribute {id} above this line")));
        };
        let is_number = matches!(attribute.kind.as_str(), "int" | "uint" | "double");
        if attribute.name == "mpi.rank" {
            snapshot.rank = value;
        } else if THREADS.contains(&attribute.name.as_str()) {
            snapshot.thread = value;
        } else if is_number && !attribute.is_hidden {
            let number = value.parse().map_err(|_| {
                let (shown, name) =
                    (cll_diagnostic::escape(&value), cll_diagnostic::escape(&attribute.name));
                record.wrong(source, format!("`{shown}` is not a number (for `{name}`)"))
            })?;
            snapshot.values.push((id, number));
        }
    }
    Ok(snapshot)
}

/// The nodes that a record refers to.
fn references(
    source: PlacedText<'_>,
    nodes: &Nodes,
    record: &Record,
) -> Result<Vec<u64>, ImportError> {
    let all = record.ids(source, "ref")?;
    match all.iter().find(|id| !nodes.has(**id)) {
        Some(id) => Err(record.wrong(source, format!("there is no node {id} above this line"))),
        None => Ok(all),
    }
}

/// The values that stand in a record, with their attributes.
fn immediate(source: PlacedText<'_>, record: &Record) -> Result<Vec<(u64, String)>, ImportError> {
    let attributes = record.ids(source, "attr")?;
    let values = record.get("data").unwrap_or_default();
    if attributes.len() != values.len() {
        let message =
            format!("this record has {} attributes and {} values", attributes.len(), values.len());
        return Err(record.wrong(source, message).help("the file may be cut off here"));
    }
    Ok(attributes.into_iter().zip(values.iter().cloned()).collect())
}

fn globals(
    source: PlacedText<'_>,
    nodes: &Nodes,
    record: &Record,
) -> Result<Vec<(String, String)>, ImportError> {
    let mut globals = Vec::new();
    for id in references(source, nodes, record)? {
        for (attribute, value) in nodes.upwards(id) {
            if let Some(attribute) = nodes.attribute(attribute) {
                globals.push((attribute.name.clone(), value.to_owned()));
            }
        }
    }
    for (id, value) in immediate(source, record)? {
        if let Some(attribute) = nodes.attribute(id) {
            globals.push((attribute.name.clone(), value));
        }
    }
    Ok(globals)
}

/// The values by metric and path: those of one thread of a rank are combined as the metric was made, of all threads
/// and ranks the largest counts. Where only times without inner regions were recorded, those with them are added up.
fn series(nodes: &Nodes, snapshots: Vec<Snapshot>) -> Vec<Series> {
    let mut order: Vec<u64> = Vec::new();
    let mut all: HashMap<u64, ByPath> = HashMap::new();
    for snapshot in snapshots {
        if snapshot.path.is_empty() {
            continue;
        }
        for (id, value) in snapshot.values {
            let Some(attribute) = nodes.attribute(id) else { continue };
            let by_path = all.entry(id).or_insert_with(|| {
                order.push(id);
                ByPath::new(Metric::new(attribute).operation())
            });
            // Channels that name no thread stand for the whole rank.
            let lane = format!("{}/{}", snapshot.rank, snapshot.thread);
            by_path.add(&snapshot.path, &lane, value, snapshot.offset);
        }
    }
    let names: HashSet<&str> = order
        .iter()
        .filter_map(|id| nodes.attribute(*id))
        .map(|attribute| attribute.name.as_str())
        .collect();
    let mut series = Vec::new();
    for id in &order {
        let (Some(attribute), Some(by_path)) = (nodes.attribute(*id), all.get(id)) else {
            continue;
        };
        series.push(Series { attribute: attribute.clone(), values: by_path.values() });
        let inclusive =
            Metric::new(attribute).inclusive_name().filter(|name| !names.contains(name.as_str()));
        if let Some(name) = inclusive {
            let attribute = Attribute { name, ..attribute.clone() };
            series.push(Series { attribute, values: by_path.with_inner().values() });
        }
    }
    series
}

/// Values by path and rank.
#[derive(Clone, Debug)]
struct ByPath {
    operation: Operation,
    order: Vec<Vec<String>>,
    values: HashMap<Vec<String>, HashMap<String, (f64, usize)>>,
}

impl ByPath {
    fn new(operation: Operation) -> ByPath {
        ByPath { operation, order: Vec::new(), values: HashMap::new() }
    }

    fn add(&mut self, path: &[String], rank: &str, value: f64, offset: usize) {
        if !self.values.contains_key(path) {
            self.order.push(path.to_vec());
            self.values.insert(path.to_vec(), HashMap::new());
        }
        let Some(ranks) = self.values.get_mut(path) else { return };
        match ranks.get_mut(rank) {
            Some((known, _)) => *known = self.operation.combine(*known, value),
            None => {
                ranks.insert(rank.to_owned(), (value, offset));
            }
        }
    }

    /// The same with the values of all inner regions.
    fn with_inner(&self) -> ByPath {
        let mut inclusive = ByPath::new(Operation::Sum);
        // Outer regions that have no record of their own appear, too, in the order of the file.
        for path in &self.order {
            for (rank, (value, offset)) in &self.values[path] {
                for length in 1..=path.len() {
                    inclusive.add(&path[..length], rank, *value, *offset);
                }
            }
        }
        inclusive
    }

    fn values(&self) -> Vec<(String, f64, usize)> {
        let largest = |path: &Vec<String>| {
            let ranks = self.values[path].values().copied();
            let (value, offset) = ranks.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            Some((path.join("/"), value, offset))
        };
        self.order.iter().filter_map(largest).collect()
    }
}
