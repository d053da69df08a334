//! The call paths of points, each named once.

use std::collections::HashMap;

use cll_supersteps::Processor;
use cll_trace::meta::{Module, Point};

use crate::profile::Frame;

use super::tree::{CallPath, Tree};

/// Call paths, by the numbers that a processor gives to its points.
pub(super) struct CallPaths {
    /// The paths of known points: to a synchronisation, and to an end.
    pub(super) known: Vec<[u32; 2]>,
    /// The paths of points that no table has.
    pub(super) unknown: [u32; 2],
}

/// The parts that determine a point's name: its modules, the call path in them, file and line.
type Named<'a> = (usize, &'a [(u32, u64)], &'a str, u32);

/// Names points. If the modules of processors have the same numbers, a path means the same on all of them, so it is
/// looked up only for the first.
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

    /// The call paths of a processor's points.
    pub(super) fn paths_of(&mut self, processor: &'a Processor, tree: &mut Tree) -> CallPaths {
        let unknown = both(tree, Vec::new(), "", 0);
        let modules = self.modules(&processor.modules);
        let mut known = Vec::new();
        for point in &processor.points {
            let id = point.id as usize;
            // Numbers are consecutive. Only in damaged logs some are missing or wrong.
            if id >= usize::from(u16::MAX) {
                continue;
            }
            if known.len() <= id {
                known.resize(id + 1, unknown);
            }
            let key = (modules, &point.path[..], &point.file[..], point.line);
            known[id] = *self.known.entry(key).or_insert_with(|| {
                let functions = outermost_first((self.functions)(processor, point));
                both(tree, functions, &point.file, point.line)
            });
        }
        CallPaths { known, unknown }
    }

    /// Which table of modules it is.
    fn modules(&mut self, own: &'a [Module]) -> usize {
        let same_module = |module: &Module, other: &Module| {
            (module.id, &module.path, &module.build) == (other.id, &other.path, &other.build)
        };
        let same = |known: &&[Module]| {
            known.len() == own.len() && known.iter().zip(own).all(|(a, b)| same_module(a, b))
        };
        self.modules.iter().position(same).unwrap_or_else(|| {
            self.modules.push(own);
            self.modules.len() - 1
        })
    }
}

/// The call path to a synchronisation at a place, and to the machine's end there.
fn both(tree: &mut Tree, functions: Vec<Frame>, file: &str, line: u32) -> [u32; 2] {
    let path = CallPath { functions, file: file.to_owned(), line, end: false };
    let end = CallPath { end: true, ..path.clone() };
    [tree.path(path), tree.path(end)]
}

/// Callers of `main` are not part of the program.
fn outermost_first(mut functions: Vec<Frame>) -> Vec<Frame> {
    if let Some(main) = functions.iter().rposition(|frame| frame.function == "main") {
        functions.truncate(main + 1);
    }
    functions.reverse();
    functions
}
