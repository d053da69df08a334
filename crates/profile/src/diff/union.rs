//! The trees of several runs, merged into one tree.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::metric::{Costs, Metric};
use crate::profile::{NodeKind, Profile};

/// The trees of several runs in one.
pub(super) struct Union {
    pub(super) nodes: Vec<Merged>,
    pub(super) runs: usize,
}

pub(super) struct Merged {
    pub(super) kind: NodeKind,
    /// The key that identifies the node: without lines of calls and what else differs from run to run.
    pub(super) key: NodeKind,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// By run.
    pub(super) costs: Vec<Costs>,
    /// The node of the first run, if it is there.
    pub(super) first: Option<usize>,
}

impl Union {
    pub(super) fn new(profiles: &[Profile]) -> Union {
        let runs = profiles.len();
        let mut nodes: Vec<Merged> = Vec::new();
        let mut index: HashMap<(Option<usize>, NodeKind), usize> = HashMap::new();
        for (run, profile) in profiles.iter().enumerate() {
            let mut merged = Vec::with_capacity(profile.nodes.len());
            for (number, node) in profile.nodes.iter().enumerate() {
                let parent = node.parent.map(|parent| merged[parent]);
                let next = nodes.len();
                let key = key(&node.kind);
                let position = *index.entry((parent, key.clone())).or_insert(next);
                if position == next {
                    let (kind, costs) = (node.kind.clone(), vec![Costs::default(); runs]);
                    let first = (run == 0).then_some(number);
                    nodes.push(Merged { kind, key, parent, children: Vec::new(), costs, first });
                    if let Some(parent) = parent {
                        nodes[parent].children.push(position);
                    }
                }
                nodes[position].costs[run] += node.costs;
                merged.push(position);
            }
        }
        Union { nodes, runs }
    }

    pub(super) fn label(&self, node: usize) -> String {
        self.nodes[node].kind.label()
    }

    /// The name, if it is a function.
    pub(super) fn function(&self, node: usize) -> Option<&str> {
        match &self.nodes[node].kind {
            NodeKind::Function(frame) => Some(&frame.function),
            _ => None,
        }
    }

    /// Whether the compiler has inlined it into its caller.
    pub(super) fn is_inlined(&self, node: usize) -> bool {
        matches!(&self.nodes[node].kind, NodeKind::Function(frame) if frame.inlined)
    }

    /// The file, by the name that both sides have for it; empty if unknown.
    pub(super) fn file(&self, node: usize) -> &str {
        file(&self.nodes[node].key)
    }

    /// The line of a place, 0 if unknown.
    pub(super) fn line(&self, node: usize) -> u32 {
        match &self.nodes[node].kind {
            NodeKind::Centre { ends } | NodeKind::End { ends } => {
                ends.first().map_or(0, |end| end.line)
            }
            NodeKind::Call { line, .. } => *line,
            _ => 0,
        }
    }

    /// How many supersteps, mean of the runs.
    pub(super) fn supersteps(&self, node: usize) -> f64 {
        self.nodes[node].costs.iter().map(|costs| costs.supersteps).sum::<f64>() / self.runs as f64
    }

    /// The maximum h-relation, mean of the runs.
    pub(super) fn h(&self, node: usize) -> f64 {
        let h = |costs: &Costs| costs.summary(Metric::HRelation).maximum;
        self.nodes[node].costs.iter().map(h).sum::<f64>() / self.runs as f64
    }

    /// The names below a node in their order, without its own: of functions, and of files of places. If there are many,
    /// only those nearest to the node: every node on a path is compared, so the work would grow with the square of the
    /// depth.
    pub(super) fn below(&self, node: usize) -> Vec<&str> {
        const MAX_NAMES: usize = 1000;
        let mut names = Vec::new();
        let mut queue: VecDeque<usize> = self.nodes[node].children.iter().copied().collect();
        while let Some(current) = queue.pop_front().filter(|_| names.len() < MAX_NAMES) {
            names.push(self.function(current).unwrap_or_else(|| self.file(current)));
            queue.extend(&self.nodes[current].children);
        }
        names.sort_unstable();
        names
    }

    /// The files of each function; if the file of a function is unknown, those of its places.
    fn homes(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut homes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for node in 0..self.nodes.len() {
            let within = self.nodes[node].parent.and_then(|parent| self.function(parent));
            if let Some(name) = self.function(node).or(within) {
                homes.entry(name).or_default().insert(self.file(node));
            }
        }
        homes
    }

    fn files(&self) -> BTreeSet<String> {
        (0..self.nodes.len()).map(|node| self.file(node).to_owned()).collect()
    }
}

/// If a file was renamed or moved to another folder, gives it the name that it had before. Such files are those that
/// only one side has, and that contain functions of the same names.
pub(super) fn same_files(old: &Union, new: &mut Union) {
    let (before, after) = (old.files(), new.files());
    let mut common: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (homes, others) = (old.homes(), new.homes());
    for (name, files) in &homes {
        for &file in files {
            for &other in others.get(name).into_iter().flatten() {
                *common.entry((file, other)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<(usize, String, String)> = common
        .into_iter()
        .filter(|((a, b), _)| !a.is_empty() && !b.is_empty())
        .filter(|((a, b), _)| !after.contains(*a) && !before.contains(*b))
        .map(|((a, b), count)| (count, a.to_owned(), b.to_owned()))
        .collect();
    // Those with most names in common first; if they have equally many, those with the same file name.
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    pairs.sort_by_key(|(count, a, b)| (std::cmp::Reverse(*count), last(a) != last(b)));
    let mut names: HashMap<String, String> = HashMap::new();
    for (_, a, b) in pairs {
        if !names.contains_key(&b) && !names.values().any(|taken| *taken == a) {
            names.insert(b, a);
        }
    }
    if names.is_empty() {
        return;
    }
    let rename = |file: &mut String| {
        if let Some(name) = names.get(file.as_str()) {
            file.clone_from(name);
        }
    };
    for node in &mut new.nodes {
        match &mut node.key {
            NodeKind::Function(frame) => rename(&mut frame.file),
            NodeKind::Call { file, .. } => rename(file),
            NodeKind::Centre { ends } | NodeKind::End { ends } => {
                ends.iter_mut().for_each(|end| rename(&mut end.file));
            }
            NodeKind::Program { .. } | NodeKind::Start => {}
        }
    }
}

/// Without what differs from run to run (who ended where, lines of calls), and what only compilers decide.
fn key(kind: &NodeKind) -> NodeKind {
    let mut key = kind.clone();
    match &mut key {
        NodeKind::Function(frame) => {
            (frame.line, frame.inlined, frame.tail_called) = (0, false, false);
        }
        NodeKind::Centre { ends } | NodeKind::End { ends } => {
            ends.iter_mut().for_each(|end| end.processors.clear());
        }
        NodeKind::Program { name } => name.clear(),
        NodeKind::Start | NodeKind::Call { .. } => {}
    }
    key
}

fn file(kind: &NodeKind) -> &str {
    match kind {
        NodeKind::Centre { ends } | NodeKind::End { ends } => {
            ends.first().map_or("", |end| &end.file)
        }
        NodeKind::Function(frame) => &frame.file,
        NodeKind::Call { file, .. } => file,
        _ => "",
    }
}
