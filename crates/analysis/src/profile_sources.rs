//! The sources of a profile's places.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cll_profile::{NodeKind, Profile};
use cll_result::ProfileSource;

use cll_files::reason;

/// A larger file is not shown.
const MAX_BYTES: u64 = 1 << 20;
/// Nor is a file if those before it have more than this together.
const MAX_ALL_BYTES: u64 = 8 << 20;

/// Every file that a place of the profile is in, with its text if it is found: by its name, or in this folder.
pub fn profile_sources(profile: &Profile, folder: &Path) -> Vec<ProfileSource> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for node in &profile.nodes {
        match &node.kind {
            NodeKind::Centre { ends } | NodeKind::End { ends } => {
                names.extend(ends.iter().map(|end| end.file.as_str()));
            }
            NodeKind::Function(frame) => drop(names.insert(&frame.file)),
            NodeKind::Call { file, .. } => drop(names.insert(file)),
            NodeKind::Program { .. } | NodeKind::Start => {}
        }
    }
    sources_of(names, folder)
}

/// Every file of these names with its text if it is found: by its name, or in this folder.
pub fn sources_of<'n>(
    names: impl IntoIterator<Item = &'n str>,
    folder: &Path,
) -> Vec<ProfileSource> {
    let mut all = 0;
    names
        .into_iter()
        .filter(|name| !name.is_empty())
        .map(|name| {
            let result = read(name, folder, &mut all);
            let (text, note) = match result {
                Ok(text) => (Some(text), String::new()),
                Err(note) => (None, note),
            };
            ProfileSource { file: name.to_owned(), text, note }
        })
        .collect()
}

/// The text, or why it is not shown.
fn read(name: &str, folder: &Path, all: &mut u64) -> Result<String, String> {
    let mut why = "It was not found when this page was made.".to_owned();
    for path in [PathBuf::from(name), folder.join(name)] {
        let size = match fs::metadata(&path) {
            Ok(file) if file.is_file() => file.len(),
            _ => continue,
        };
        if size > MAX_BYTES || *all + size > MAX_ALL_BYTES {
            return Err("It is too large for this page.".to_owned());
        }
        match fs::read(&path) {
            Ok(bytes) => {
                *all += size;
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            Err(error) => why = format!("It could not be read: {}.", reason(&error)),
        }
    }
    Err(why)
}
