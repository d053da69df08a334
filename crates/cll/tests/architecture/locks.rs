//! The workspaces beside that of the crates have lock files of their own, which cargo does not update with it. Checked
//! without a network: packages of theirs may never have been fetched here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use toml::{Table, Value};

use crate::metadata::root;

#[test]
fn lock_files_of_other_workspaces_name_what_the_crates_use() {
    let shared = read("Cargo.toml")["workspace"]["dependencies"].as_table().unwrap().clone();
    for folder in ["fuzz", "viewer/predict"] {
        let manifests = manifests(folder);
        let lock = read(&format!("{folder}/Cargo.lock"));
        let ours = lock["package"].as_array().unwrap().iter().filter(|p| p.get("source").is_none());
        let mut seen = 0;
        for package in ours {
            let name = package["name"].as_str().unwrap();
            let manifest = manifests
                .get(name)
                .unwrap_or_else(|| panic!("{folder}/Cargo.lock: {name} is gone"));
            let (needed, optional) = dependencies(manifest, &shared);
            let locked: BTreeSet<String> =
                package.get("dependencies").map_or_else(BTreeSet::new, |all| {
                    let names = all.as_array().unwrap().iter().map(|d| d.as_str().unwrap());
                    names.map(|d| d.split(' ').next().unwrap().to_string()).collect()
                });
            let missing: Vec<_> = needed.difference(&locked).collect();
            let extra: Vec<_> =
                locked.iter().filter(|d| !needed.contains(*d) && !optional.contains(*d)).collect();
            assert!(
                missing.is_empty() && extra.is_empty(),
                "{folder}/Cargo.lock, {name}: {missing:?} missing, {extra:?} not used. \
                 Run: cargo update --workspace --manifest-path {folder}/Cargo.toml"
            );
            seen += 1;
        }
        assert!(seen > 3, "{folder}/Cargo.lock has {seen} packages of ours");
    }
}

fn read(path: &str) -> Table {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"));
    text.parse().unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The manifests of the crates, and of the workspace of this folder, by the names of the packages.
fn manifests(folder: &str) -> BTreeMap<String, Table> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let crates =
        crates.map(|entry| format!("crates/{}", entry.unwrap().file_name().to_str().unwrap()));
    crates
        .chain([folder.to_string()])
        .map(|folder| format!("{folder}/Cargo.toml"))
        .filter(|path| root().join(path).exists())
        .map(|path| read(&path))
        .map(|manifest| (manifest["package"]["name"].as_str().unwrap().to_string(), manifest))
        .collect()
}

/// The packages that a manifest needs to be built, and those that it may need.
fn dependencies(manifest: &Table, shared: &Table) -> (BTreeSet<String>, BTreeSet<String>) {
    let tables = |table: &Table| {
        ["dependencies", "build-dependencies"]
            .map(|key| table.get(key).and_then(Value::as_table).cloned())
    };
    let targets =
        manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let targets: Vec<_> = targets.flat_map(|target| tables(target.as_table().unwrap())).collect();
    let all = tables(manifest).into_iter().chain(targets).flatten().flatten();
    let (mut needed, mut optional) = (BTreeSet::new(), BTreeSet::new());
    for (key, value) in all {
        let is = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
        let renamed = if is("workspace") {
            shared.get(&key).and_then(|d| d.get("package"))
        } else {
            value.get("package")
        };
        let name = renamed.and_then(Value::as_str).unwrap_or(&key).to_string();
        if is("optional") { &mut optional } else { &mut needed }.insert(name);
    }
    (needed, optional)
}
