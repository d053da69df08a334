//! No circle of files: a file may be read after those that it uses.
//!
//! The graph has the files of a crate, and an edge from each to those that it names by a path (`use`, or in its
//! code). A name that a module only hands on (`pub use`) counts for the file in which it is defined. A file may name
//! the modules in which it lies: the fields of a type are visible only in its module and below, so a type with
//! several files of methods stands in the module's own file. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::metadata::root;

/// A file of a crate: the module that it is.
#[derive(Debug, Default)]
struct File {
    /// Paths in its code, as they are written.
    paths: Vec<Vec<String>>,
    /// The names that the file hands on, each with the path that it stands for.
    hands_on: Vec<(String, Vec<String>)>,
}

type Module = Vec<String>;

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let texts = circles(&files(&folder.join("src")));
        wrong.extend(texts.iter().map(|circle| {
            let modules: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            format!("{name}: {}", modules.join(", "))
        }));
    }
    assert!(wrong.is_empty(), "files that use each other in a circle:\n{}", wrong.join("\n"));
}

/// The files of a crate by their modules; the root is empty.
fn files(src: &Path) -> BTreeMap<Module, File> {
    let mut files = BTreeMap::new();
    let mut folders = vec![src.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(src).unwrap().with_extension("");
            let mut module: Module =
                inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            let is_test = module.iter().any(|part| part.ends_with("tests"));
            if !is_test && path.extension().is_some_and(|extension| extension == "rs") {
                files.insert(module, read(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// Reads the names in a file, outside of comments and of tests at its end.
fn read(text: &str) -> File {
    let code: Vec<&str> = text
        .lines()
        .take_while(|line| {
            !line.trim().starts_with("#[cfg(test)]") && !line.contains("cfg(all(test")
        })
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let mut file = File::default();
    let mut rest = code.as_str();
    // Declarations of `use`, then everything that begins with `crate::` or `super::`.
    while let Some(start) = rest.find("use ") {
        let before = rest[..start].rsplit('\n').next().unwrap_or("").trim();
        let end = rest[start..].find(';').map_or(rest.len(), |end| start + end);
        if before.is_empty() || before.starts_with("pub") {
            for path in leaves(&rest[start + 4..end]) {
                let last = path.last().cloned().unwrap_or_default();
                if before.is_empty() {
                    file.paths.push(path)
                } else {
                    file.hands_on.push((last, path))
                }
            }
            rest = &rest[end..];
        } else {
            rest = &rest[start + 4..];
        }
    }
    for begin in ["crate::", "super::"] {
        let outside = |position: usize| {
            let line = code[..position].rsplit('\n').next().unwrap_or("");
            let inner =
                line.chars().last().is_some_and(|c| c.is_alphanumeric() || ":_$".contains(c));
            !inner && !line.contains("use ")
        };
        for (position, _) in code.match_indices(begin).filter(|(position, _)| outside(*position)) {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let end =
                code[position..].find(|c| !is_name(c)).map_or(code.len(), |end| position + end);
            let parts = code[position..end].split("::").filter(|part| !part.is_empty());
            file.paths.push(parts.map(str::to_owned).collect());
        }
    }
    file
}

/// The paths of a `use` with its braces.
fn leaves(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or("");
        let parts = path.split("::").map(|part| part.trim().to_owned());
        return vec![parts.filter(|part| !part.is_empty() && part != "self").collect()];
    };
    let head: Vec<String> = tree[..open]
        .split("::")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty() && part != "self")
        .collect();
    let (mut depth, mut begin, mut texts) = (0, open + 1, Vec::new());
    for (position, c) in tree.char_indices().skip(open) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if (c == ',' && depth == 1) || (c == '}' && depth == 0) {
            if !tree[begin..position].trim().is_empty() {
                let inner = leaves(&tree[begin..position]);
                texts.extend(inner.into_iter().map(|path| [head.clone(), path].concat()));
            }
            begin = position + 1;
        }
    }
    texts
}

/// The file in which a path's last name is defined.
fn resolve(
    files: &BTreeMap<Module, File>,
    from: &Module,
    path: &[String],
    depth: usize,
) -> Option<Module> {
    let mut module = from.clone();
    let mut rest = path;
    let first = path.first()?;
    match first.as_str() {
        "crate" => (module, rest) = (Module::new(), &path[1..]),
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                module.pop()?;
                rest = &rest[1..];
            }
        }
        _ if files.contains_key(&[from.clone(), vec![first.clone()]].concat()) => {}
        _ => return None,
    }
    while let Some(next) = rest.first() {
        let below = [module.clone(), vec![next.clone()]].concat();
        if files.contains_key(&below) {
            (module, rest) = (below, &rest[1..]);
            continue;
        }
        let handed_on = files.get(&module)?.hands_on.iter().find(|(name, _)| name == next);
        return match handed_on {
            Some((_, path)) if depth > 0 => {
                resolve(files, &module, path, depth - 1).or(Some(module.clone()))
            }
            _ => Some(module),
        };
    }
    Some(module)
}

/// Sets of files each of which reaches all others of its set.
fn circles(files: &BTreeMap<Module, File>) -> Vec<BTreeSet<Module>> {
    let mut edges: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in files {
        let used = file.paths.iter().filter_map(|path| resolve(files, module, path, 9));
        // The modules in which it lies are no edge; nor is the file itself.
        edges.insert(module, used.filter(|other| !module.starts_with(other)).collect());
    }
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Module> = edges[from].iter().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next.clone()) {
                open.extend(&edges[next]);
            }
        }
        seen
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> =
        files.keys().map(|module| (module, reached(module))).collect();
    let mut found: Vec<BTreeSet<Module>> = Vec::new();
    for (module, reaches) in all.iter().filter(|(module, reaches)| reaches.contains(**module)) {
        if !found.iter().any(|circle| circle.contains(*module)) {
            found.push(
                reaches.iter().filter(|other| all[other].contains(*module)).cloned().collect(),
            );
        }
    }
    found
}

#[test]
fn circles_are_found_through_names_that_are_handed_on() {
    let file = |text: &str| read(text);
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let mut all = BTreeMap::from([
        (Module::new(), file("mod a;\nmod b;\n")),
        (module("a"), file("mod inner;\npub use inner::Thing;\nuse crate::b::{self, Other};\n")),
        (module("a::inner"), file("use super::Parent;\npub struct Thing;\n")),
        (module("b"), file("pub struct Other;\n// crate::a::x\nfn f() -> crate::a::Thing {}\n")),
    ]);
    assert!(circles(&all).is_empty());
    all.insert(module("a::inner"), file("use crate::b::Other;\n"));
    assert_eq!(circles(&all), [BTreeSet::from([module("a::inner"), module("b")])]);
}
