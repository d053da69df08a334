//! Reads what a complete program of `situations/` says about itself in the comments at its beginning:
//!
//! ```text
//! // processors: 2 3 8        numbers of processors to run it with
//! // dialect: int             only in this one
//! // engine: processes        only with this one
//! // not with: threads         with any but this one
//! // input: 1 2               its standard input
//! // output: {p} processors   a line of its standard output; all of them, in order
//! // unordered                ... in any order
//! // deadlock: 0.5             seconds after which a deadlock is one
//! // status: 3                its exit status; `not 0` where a signal may end it
//! // expect: bsp_put at {here}: .. 4 bytes    parts of what it says when it is stopped
//! ```
//!
//! `{p}` is the number of processors, `{last}` the highest, `{sum}` the sum of all; `{here}` the line
//! with the comment `/* here */`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use crate::engines::Dialect;
use crate::table;

/// A program, and its expected results.
#[derive(Debug)]
pub struct Stated {
    pub name: String,
    pub path: PathBuf,
    processors: Option<Vec<usize>>,
    dialect: Option<Dialect>,
    engine: Option<String>,
    not_with: Option<String>,
    pub input: String,
    output: Vec<String>,
    pub unordered: bool,
    pub status: Status,
    pub deadlock: Option<String>,
    expect: Option<String>,
    here: Option<usize>,
}

/// How a program must end.
#[derive(Clone, Copy, Debug)]
pub enum Status {
    /// 0, or 1 for one that is stopped.
    AsUsual,
    Is(i32),
    NotZero,
}

impl Status {
    pub fn is(self, status: ExitStatus, usual: i32) -> bool {
        match self {
            Status::AsUsual => status.code() == Some(usual),
            Status::Is(code) => status.code() == Some(code),
            Status::NotZero => !status.success(),
        }
    }
}

impl Stated {
    /// All programs below a folder of `situations/`, and those of its tables, by name.
    pub fn all(folder: &str) -> Vec<Stated> {
        let mut paths = Vec::new();
        sources(&situations().join(folder), &mut paths);
        for path in crate::support::list(&situations().join(folder)) {
            if path.extension().is_some_and(|extension| extension == "table") {
                paths.extend(table::programs(&path));
            }
        }
        paths.sort_by_key(|path| name_of(path));
        assert!(!paths.is_empty(), "no programs in {folder}");
        paths.iter().map(|path| Stated::read(path)).collect()
    }

    fn read(path: &Path) -> Stated {
        let text = fs::read_to_string(path).unwrap();
        let here = text.lines().position(|line| line.ends_with("/* here */"));
        let mut stated = Stated {
            name: name_of(path),
            path: path.to_owned(),
            processors: None,
            dialect: None,
            engine: None,
            not_with: None,
            input: String::new(),
            output: Vec::new(),
            unordered: false,
            status: Status::AsUsual,
            deadlock: None,
            expect: None,
            here: here.map(|line| line + 1),
        };
        for line in text.lines().filter_map(|line| line.strip_prefix("// ")) {
            let (key, value) = line.split_once(": ").unwrap_or((line, ""));
            match key {
                "processors" => {
                    let numbers = value.split(' ').map(|number| number.parse().unwrap());
                    stated.processors = Some(numbers.collect());
                }
                "dialect" => {
                    let named = |dialect: &&Dialect| dialect.to_string() == value;
                    stated.dialect = Some(*Dialect::ALL.iter().find(named).unwrap());
                }
                "engine" => stated.engine = Some(value.to_owned()),
                "not with" => stated.not_with = Some(value.to_owned()),
                "input" => stated.input = value.to_owned(),
                "output" => stated.output.push(value.to_owned()),
                "unordered" => stated.unordered = true,
                "deadlock" => stated.deadlock = Some(value.to_owned()),
                "status" if value == "not 0" => stated.status = Status::NotZero,
                "status" => stated.status = Status::Is(value.parse().unwrap()),
                "expect" => stated.expect = Some(value.to_owned()),
                other => panic!("{}: nothing is called {other:?}", path.display()),
            }
        }
        stated
    }

    /// Numbers of processors to run it with.
    pub fn processors(&self, default: &[usize]) -> Vec<usize> {
        self.processors.clone().unwrap_or_else(|| default.to_vec())
    }

    /// The engines on which it runs.
    pub fn engines<'e>(&self, all: &[&'e str]) -> Vec<&'e str> {
        all.iter().filter(|engine| self.is_carried_by(engine)).copied().collect()
    }

    pub fn is_carried_by(&self, engine: &str) -> bool {
        self.engine.as_deref().is_none_or(|only| only == engine)
            && self.not_with.as_deref() != Some(engine)
    }

    /// Whether it may run on MPI.
    pub fn is_for_mpi(&self) -> bool {
        self.engine.as_deref().is_none_or(|only| matches!(only, "openmpi" | "mpich"))
    }

    pub fn is_for(&self, dialect: Dialect) -> bool {
        self.dialect.is_none_or(|only| only == dialect)
    }

    /// The lines of its standard output.
    pub fn output(&self, processors: usize) -> Vec<String> {
        self.output.iter().map(|line| self.fill_in(line, processors)).collect()
    }

    /// Whether a message has all the parts that are expected, in this order.
    pub fn is_said(&self, message: &str, processors: usize) -> bool {
        let expected = self.expected(processors);
        // The compiler was given complete paths.
        let message = message.replace(self.path.to_str().unwrap(), &format!("{}.c", self.name));
        let mut rest = message.as_str();
        expected.split(" .. ").all(|part| match rest.split_once(part) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        })
    }

    pub fn expected(&self, processors: usize) -> String {
        let expected = self.expect.as_ref();
        let expected = expected.unwrap_or_else(|| panic!("{}: expects nothing", self.name));
        self.fill_in(expected, processors)
    }

    fn fill_in(&self, text: &str, p: usize) -> String {
        let text = text.replace("{p}", &p.to_string()).replace("{last}", &(p - 1).to_string());
        let text = text.replace("{sum}", &(p * (p - 1) / 2).to_string());
        if !text.contains("{here}") {
            return text;
        }
        let line = self.here.unwrap_or_else(|| panic!("{}: where is here?", self.name));
        text.replace("{here}", &format!("{}.c:{line}", self.name))
    }
}

pub fn situations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(crate::SITUATIONS)
}

pub fn name_of(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The C files below a folder.
pub fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in crate::support::list(folder) {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            into.push(path);
        }
    }
}
