//! The tree of call paths, as centres are met.

use std::collections::HashMap;

use cll_units::ProcessorId;

use crate::profile::{End, Frame, Kind};

/// A way to a place at which supersteps end: functions outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) functions: Vec<Frame>,
    pub(super) file: String,
    pub(super) line: u32,
    /// Whether it is the machine's end.
    pub(super) end: bool,
}

/// Number of a node.
pub(super) type NodeId = usize;

/// What tells a node from its siblings.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Function { function: String, file: String },
    Centre { ways: Vec<u32> },
    Start,
}

pub(super) struct Tree {
    pub(super) nodes: Vec<(Kind, Option<NodeId>)>,
    children: HashMap<(NodeId, Key), NodeId>,
    ways: Vec<Way>,
    numbers: HashMap<Way, u32>,
    /// Centres of one way.
    single: Vec<Option<NodeId>>,
}

impl Tree {
    pub(super) fn new(name: String) -> Tree {
        Tree {
            nodes: vec![(Kind::Program { name }, None)],
            children: HashMap::new(),
            ways: Vec::new(),
            numbers: HashMap::new(),
            single: Vec::new(),
        }
    }

    /// The number of a way. Lines of calls are no part of it.
    pub(super) fn way(&mut self, way: Way) -> u32 {
        let mut key = way.clone();
        key.functions.iter_mut().for_each(|frame| {
            *frame = Frame {
                function: std::mem::take(&mut frame.function),
                file: std::mem::take(&mut frame.file),
                ..Frame::default()
            };
        });
        let next = self.ways.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.ways.push(way);
            self.single.push(None);
        }
        number
    }

    /// The centre of supersteps that all processors end by this way.
    pub(super) fn centre(&mut self, way: u32) -> NodeId {
        if let Some(node) = self.single[way as usize] {
            return node;
        }
        let node = self.mixed(&[(way, Vec::new())]);
        self.single[way as usize] = Some(node);
        node
    }

    /// The centre of supersteps that processors end by several ways: below what these have in common. Ways in
    /// ascending order, each with its processors.
    pub(super) fn mixed(&mut self, ways: &[(u32, Vec<ProcessorId>)]) -> NodeId {
        let of = |way: u32| &self.ways[way as usize];
        let first = of(ways[0].0).clone();
        let same = |a: &Frame, b: &Frame| (&a.function, &a.file) == (&b.function, &b.file);
        let common = ways.iter().map(|(way, _)| {
            let pairs = first.functions.iter().zip(&of(*way).functions);
            pairs.take_while(|(a, b)| same(a, b)).count()
        });
        let common = common.min().unwrap_or(0);
        let ends = ways.iter().map(|(way, processors)| {
            let way = of(*way);
            End {
                file: way.file.clone(),
                line: way.line,
                through: way.functions[common..].iter().rev().map(|f| f.function.clone()).collect(),
                processors: processors.clone(),
            }
        });
        let ends: Vec<End> = ends.collect();
        let all_end = ways.iter().all(|(way, _)| of(*way).end);
        let mut node = 0;
        for frame in &first.functions[..common] {
            let (function, file) = (frame.function.clone(), frame.file.clone());
            node = self
                .child(node, Key::Function { function, file }, || Kind::Function(frame.clone()));
        }
        let key = Key::Centre { ways: ways.iter().map(|(way, _)| *way).collect() };
        self.child(node, key, || match all_end {
            true => Kind::End { ends },
            false => Kind::Centre { ends },
        })
    }

    /// What came before the first superstep.
    pub(super) fn start(&mut self) -> NodeId {
        self.child(0, Key::Start, || Kind::Start)
    }

    /// The processors that ended by a way, where they differ from superstep to superstep: all that did.
    pub(super) fn seen(&mut self, node: NodeId, ways: &[(u32, Vec<ProcessorId>)]) {
        let (Kind::Centre { ends } | Kind::End { ends }) = &mut self.nodes[node].0 else { return };
        for (end, (_, processors)) in ends.iter_mut().zip(ways) {
            if processors.iter().any(|one| end.processors.binary_search(one).is_err()) {
                end.processors.extend(processors);
                end.processors.sort_unstable();
                end.processors.dedup();
            }
        }
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].1
    }

    fn child(&mut self, parent: NodeId, key: Key, kind: impl FnOnce() -> Kind) -> NodeId {
        let next = self.nodes.len();
        let node = *self.children.entry((parent, key)).or_insert(next);
        if node == next {
            self.nodes.push((kind(), Some(parent)));
        }
        node
    }
}
