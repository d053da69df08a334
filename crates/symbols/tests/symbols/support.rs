//! Programs that print their own call paths.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cll_symbols::{Frame, Object, ReturnAddress, resolve};

/// A folder with what was compiled; it goes with the value.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command in the folder; `$S` in arguments is the folder of the sources.
    pub fn run(&self, line: &str) -> String {
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/symbols/programs");
        let words: Vec<String> =
            line.split_whitespace().map(|word| word.replace("$S", sources)).collect();
        let done = Command::new(&words[0])
            .args(&words[1..])
            .current_dir(self.0.path())
            .env("LD_LIBRARY_PATH", self.0.path())
            .output()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    pub fn object(&self, name: &str) -> Object {
        Object::parse(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// The paths that `./program` prints, each from its first line to that of `main`.
    pub fn paths(&self) -> Vec<Vec<(String, u64)>> {
        let mut paths = vec![Vec::new()];
        let program = self.object("program");
        for line in self.run("./program").lines() {
            let (file, address) = line.split_once(' ').unwrap();
            let address = u64::from_str_radix(address, 16).unwrap();
            let file = Path::new(file).file_name().unwrap().to_str().unwrap().to_owned();
            let start = file == "program"
                && program.frames_of_return(address).iter().any(|frame| frame.function == "_start");
            paths.last_mut().unwrap().push((file, address));
            if start {
                paths.push(Vec::new());
            }
        }
        paths.pop();
        paths
    }

    /// The functions of each path, innermost first and up to `main`, with the files of `names` known.
    pub fn resolved(&self, names: &[&str]) -> Vec<Vec<Frame>> {
        let objects: HashMap<&str, Object> =
            names.iter().map(|&name| (name, self.object(name))).collect();
        let resolve_one = |path: &Vec<(String, u64)>| {
            let calls: Vec<ReturnAddress<'_>> = path
                .iter()
                .map(|(name, address)| ReturnAddress {
                    object: objects.get(&**name),
                    address: *address,
                })
                .collect();
            let mut frames: Vec<Frame> =
                resolve(&calls, |symbol| symbol.starts_with("probe")).concat();
            let main =
                |frame: &Frame| matches!(&*frame.function, "main" | "MAIN__") && !frame.tail_called;
            if let Some(main) = frames.iter().position(main) {
                frames.truncate(main + 1);
            }
            frames
        };
        self.paths().iter().map(resolve_one).collect()
    }
}

/// Names of functions; `(name)` was inlined, `name*` was left by a tail call.
pub fn names(frames: &[Frame]) -> Vec<String> {
    let name = |frame: &Frame| match frame {
        Frame { function, inlined: true, .. } => format!("({function})"),
        Frame { function, tail_called: true, .. } => format!("{function}*"),
        Frame { function, .. } => function.clone(),
    };
    frames.iter().map(name).collect()
}

/// The line of a source that has a text.
pub fn line(source: &str, text: &str) -> Option<u32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symbols/programs").join(source);
    let source = fs::read_to_string(path).unwrap();
    let index = source.lines().position(|line| line.contains(text)).expect(text);
    Some(index as u32 + 1)
}

/// Whether a program is there; what cannot be tested for want of it is reported to who counts skips.
pub fn has(program: &str, test: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        eprintln!("{test}: skipped for want of {program}");
        if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
            use std::io::Write;
            let mut list = fs::File::options().append(true).create(true).open(path).unwrap();
            writeln!(list, "{test}: {program}").unwrap();
        }
    }
    there
}
