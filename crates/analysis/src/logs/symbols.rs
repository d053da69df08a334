//! Function names for the addresses of a log, from its programs and libraries.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use cll_profile::Frame;
use cll_supersteps::Processor;
use cll_symbols::{Object, ReturnAddress, resolve};
use cll_trace::meta::{Module, Point};

/// Programs and libraries, each read at its first use.
#[derive(Default)]
pub struct Symbols {
    objects: HashMap<(String, String), Option<Object>>,
    paths: HashMap<Vec<(String, String, u64)>, Vec<Frame>>,
    /// Those that have changed since the run, or have no symbols.
    silent: BTreeSet<String>,
}

/// Calls that end supersteps.
const ENDS: [&str; 6] = ["cll_", "bsp_", "pub_", "MPI_", "PMPI_", "mpi_"];

impl Symbols {
    /// The functions of a point's path, innermost first.
    pub fn functions(&mut self, processor: &Processor, point: &Point) -> Vec<Frame> {
        let module = |id: u32| processor.modules.iter().find(|module| module.id == id);
        let key: Vec<(String, String, u64)> = point
            .path
            .iter()
            .map(|(id, offset)| match module(*id) {
                Some(Module { path, build, .. }) => (path.clone(), build.clone(), *offset),
                None => (format!("module {id}"), String::new(), *offset),
            })
            .collect();
        if let Some(known) = self.paths.get(&key) {
            return known.clone();
        }
        for (path, build, _) in &key {
            let entry = self.objects.entry((path.clone(), build.clone()));
            entry.or_insert_with(|| object(path, build));
        }
        let objects: Vec<Option<&Object>> = key
            .iter()
            .map(|(path, build, _)| self.objects.get(&(path.clone(), build.clone()))?.as_ref())
            .collect();
        let calls: Vec<ReturnAddress<'_>> = objects
            .iter()
            .zip(&key)
            .map(|(object, (_, _, address))| ReturnAddress { object: *object, address: *address })
            .collect();
        let ends = |symbol: &str| ENDS.iter().any(|start| symbol.starts_with(start));
        let mut frames = Vec::new();
        for (resolved, (path, _, offset)) in resolve(&calls, ends).into_iter().zip(&key) {
            if resolved.is_empty() {
                let name = path.rsplit('/').next().unwrap_or(path);
                let function = format!("{name}+{offset:#x}");
                frames.push(Frame { function, ..Frame::default() });
            }
            frames.extend(resolved.into_iter().map(|frame| Frame {
                function: frame.function,
                file: frame.file.unwrap_or_default(),
                line: frame.line.unwrap_or(0),
                inlined: frame.inlined,
                tail_called: frame.tail_called,
            }));
        }
        without_library(&mut frames);
        // Functions before main need not have symbols.
        let main = frames.iter().position(|frame| frame.function == "main");
        let own = key.first().filter(|_| main.is_none());
        if let Some((path, ..)) = own
            && frames.iter().any(|frame| frame.function.contains("+0x"))
        {
            self.silent.insert(path.clone());
        }
        self.paths.insert(key, frames.clone());
        frames
    }

    /// Programs and libraries whose functions are not named.
    pub fn silent(self) -> Vec<String> {
        self.silent.into_iter().collect()
    }

    /// The same, while more are looked up.
    pub(super) fn without_names(&self) -> Vec<String> {
        self.silent.iter().cloned().collect()
    }
}

/// Leaves out the library's functions. Processors reach the program in different ways: `main` of the first one
/// calls the parallel part; in the others `bsp_init` or their thread calls it, without their own `main`.
fn without_library(frames: &mut Vec<Frame>) {
    let is_library = |frame: &Frame| frame.function.starts_with("cll_");
    if !frames.iter().any(|frame| frame.function == "main")
        && let Some(starter) = frames.iter().rposition(is_library)
    {
        frames.truncate(starter);
        frames.push(Frame { function: "main".to_owned(), ..Frame::default() });
    }
    frames.retain(|frame| !is_library(frame));
}

/// A program or library, if it has not changed since the run.
fn object(path: &str, build: &str) -> Option<Object> {
    let bytes = fs::read(path).ok()?;
    let mut object = Object::parse(&bytes).ok()?;
    let id = object.build_id().map(hexadecimal).unwrap_or_default();
    if !build.is_empty() && id != build {
        return None;
    }
    if !object.has_lines() {
        for file in object.debug_files(std::path::Path::new(path)) {
            if fs::read(&file).is_ok_and(|bytes| object.add_debug(&bytes).is_ok()) {
                break;
            }
        }
    }
    Some(object)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
