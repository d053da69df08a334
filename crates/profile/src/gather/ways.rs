//! The ways of points, each named once.

use std::collections::HashMap;

use cll_supersteps::Processor;
use cll_trace::meta::{Module, Point};

use crate::profile::Frame;

use super::tree::{Tree, Way};

/// Ways by a processor's own numbers of points.
pub(super) struct Ways {
    /// Of points: to a synchronisation, and to an end.
    pub(super) known: Vec<[u32; 2]>,
    /// Of those that the tables do not tell.
    pub(super) untold: [u32; 2],
}

/// What a point's name depends on: its modules, the call path in them, file and line.
type Named<'a> = (usize, &'a [(u32, u64)], &'a str, u32);

/// Names points. Processors whose modules have the same numbers mean the same by a path, so it is looked up for
/// the first of them alone.
pub(super) struct Names<'a, F> {
    functions: F,
    /// Tables of modules that were met; as a rule all processors have the same.
    modules: Vec<&'a [Module]>,
    known: HashMap<Named<'a>, [u32; 2]>,
}

impl<'a, F: FnMut(&Processor, &Point) -> Vec<Frame>> Names<'a, F> {
    pub(super) fn new(functions: F) -> Names<'a, F> {
        Names { functions, modules: Vec::new(), known: HashMap::new() }
    }

    /// The ways of a processor's points.
    pub(super) fn of(&mut self, processor: &'a Processor, tree: &mut Tree) -> Ways {
        let untold = both(tree, Vec::new(), "", 0);
        let modules = self.modules(&processor.modules);
        let mut known = Vec::new();
        for point in &processor.points {
            let id = point.id as usize;
            // Numbers come in their order; only damage leaves some out, or makes them up.
            if id >= usize::from(u16::MAX) {
                continue;
            }
            if known.len() <= id {
                known.resize(id + 1, untold);
            }
            let key = (modules, &point.path[..], &point.file[..], point.line);
            known[id] = *self.known.entry(key).or_insert_with(|| {
                let functions = outermost_first((self.functions)(processor, point));
                both(tree, functions, &point.file, point.line)
            });
        }
        Ways { known, untold }
    }

    /// Which table of modules it is.
    fn modules(&mut self, own: &'a [Module]) -> usize {
        let alike = |one: &Module, other: &Module| {
            (one.id, &one.path, &one.build) == (other.id, &other.path, &other.build)
        };
        let same = |known: &&[Module]| {
            known.len() == own.len() && known.iter().zip(own).all(|(a, b)| alike(a, b))
        };
        self.modules.iter().position(same).unwrap_or_else(|| {
            self.modules.push(own);
            self.modules.len() - 1
        })
    }
}

/// The way to a synchronisation at a place, and to the machine's end there.
fn both(tree: &mut Tree, functions: Vec<Frame>, file: &str, line: u32) -> [u32; 2] {
    let way = Way { functions, file: file.to_owned(), line, end: false };
    let end = Way { end: true, ..way.clone() };
    [tree.way(way), tree.way(end)]
}

/// What calls `main` is no part of the program.
fn outermost_first(mut functions: Vec<Frame>) -> Vec<Frame> {
    if let Some(main) = functions.iter().rposition(|frame| frame.function == "main") {
        functions.truncate(main + 1);
    }
    functions.reverse();
    functions
}
