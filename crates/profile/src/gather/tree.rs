//! The tree of call paths, as centres are met.

use std::collections::HashMap;

use cll_units::ProcessorId;

use crate::profile::{End, Frame, NodeKind};

/// A call path to a place at which supersteps end: functions outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CallPath {
    pub(super) functions: Vec<Frame>,
    pub(super) file: String,
    pub(super) line: u32,
    /// Whether it is the machine's end.
    pub(super) end: bool,
}

/// Number of a node.
pub(super) type NodeId = usize;

/// The properties that distinguish a node from its siblings.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Function { function: String, file: String },
    Centre { paths: Vec<u32> },
    Start,
}

pub(super) struct Tree {
    pub(super) nodes: Vec<(NodeKind, Option<NodeId>)>,
    children: HashMap<(NodeId, Key), NodeId>,
    paths: Vec<CallPath>,
    numbers: HashMap<CallPath, u32>,
    /// Centres of one way.
    single: Vec<Option<NodeId>>,
}

impl Tree {
    pub(super) fn new(name: String) -> Tree {
        Tree {
            nodes: vec![(NodeKind::Program { name }, None)],
            children: HashMap::new(),
            paths: Vec::new(),
            numbers: HashMap::new(),
            single: Vec::new(),
        }
    }

    /// The number of a way. Lines of calls are no part of it.
    pub(super) fn path(&mut self, path: CallPath) -> u32 {
        let mut key = path.clone();
        key.functions.iter_mut().for_each(|frame| {
            *frame = Frame {
                function: std::mem::take(&mut frame.function),
                file: std::mem::take(&mut frame.file),
                ..Frame::default()
            };
        });
        let next = self.paths.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.paths.push(path);
            self.single.push(None);
        }
        number
    }

    /// The centre of supersteps that all processors end by this call path.
    pub(super) fn centre(&mut self, path: u32) -> NodeId {
        if let Some(node) = self.single[path as usize] {
            return node;
        }
        let node = self.mixed(&[(path, Vec::new())]);
        self.single[path as usize] = Some(node);
        node
    }

    /// The centre of supersteps that processors end by several call paths: it is below the common part of these. Paths
    /// in ascending order, each with its processors.
    pub(super) fn mixed(&mut self, paths: &[(u32, Vec<ProcessorId>)]) -> NodeId {
        let path_of = |path: u32| &self.paths[path as usize];
        let first = path_of(paths[0].0).clone();
        let same = |a: &Frame, b: &Frame| (&a.function, &a.file) == (&b.function, &b.file);
        let common = paths.iter().map(|(path, _)| {
            let pairs = first.functions.iter().zip(&path_of(*path).functions);
            pairs.take_while(|(a, b)| same(a, b)).count()
        });
        let common = common.min().unwrap_or(0);
        let ends = paths.iter().map(|(path, processors)| {
            let path = path_of(*path);
            End {
                file: path.file.clone(),
                line: path.line,
                through: path.functions[common..]
                    .iter()
                    .rev()
                    .map(|f| f.function.clone())
                    .collect(),
                processors: processors.clone(),
            }
        });
        let ends: Vec<End> = ends.collect();
        let all_end = paths.iter().all(|(path, _)| path_of(*path).end);
        let mut node = 0;
        for frame in &first.functions[..common] {
            let (function, file) = (frame.function.clone(), frame.file.clone());
            node = self.child(node, Key::Function { function, file }, || {
                NodeKind::Function(frame.clone())
            });
        }
        let key = Key::Centre { paths: paths.iter().map(|(path, _)| *path).collect() };
        self.child(node, key, || {
            if all_end { NodeKind::End { ends } } else { NodeKind::Centre { ends } }
        })
    }

    /// Returns the node of the time before the first superstep.
    pub(super) fn start(&mut self) -> NodeId {
        self.child(0, Key::Start, || NodeKind::Start)
    }

    /// Records which processors ended supersteps by each call path. If they differ between supersteps, it is all that
    /// ever did.
    pub(super) fn seen(&mut self, node: NodeId, paths: &[(u32, Vec<ProcessorId>)]) {
        let (NodeKind::Centre { ends } | NodeKind::End { ends }) = &mut self.nodes[node].0 else {
            return;
        };
        for (end, (_, processors)) in ends.iter_mut().zip(paths) {
            if processors.iter().any(|id| end.processors.binary_search(id).is_err()) {
                end.processors.extend(processors);
                end.processors.sort_unstable();
                end.processors.dedup();
            }
        }
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].1
    }

    fn child(&mut self, parent: NodeId, key: Key, kind: impl FnOnce() -> NodeKind) -> NodeId {
        let next = self.nodes.len();
        let node = *self.children.entry((parent, key)).or_insert(next);
        if node == next {
            self.nodes.push((kind(), Some(parent)));
        }
        node
    }
}
