//! The files that a folder stands for.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use cll_campaign_db::TRACES;

/// The traces that the user means. A folder means the traces in it, or those of the campaign that it is.
///
/// # Errors
/// If a folder cannot be read or has no traces.
pub fn traces_in(files: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for path in files {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let is_trace = |path: &PathBuf| path.extension().is_some_and(|end| end == "dat");
        let mut found: Vec<PathBuf> = entries(path)?.into_iter().filter(is_trace).collect();
        let campaigns = path.join(TRACES);
        if found.is_empty() && campaigns.is_dir() {
            found = entries(&campaigns)?.into_iter().filter(is_trace).collect();
        }
        // By the run's number, if names have one.
        found.sort_by_key(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let number = stem.rsplit('.').next().and_then(|digits| digits.parse::<u32>().ok());
            (number, stem)
        });
        if found.is_empty() {
            return Err(Error::content(format!("there is no trace (*.dat) in {}", path.display())));
        }
        all.extend(found);
    }
    Ok(all)
}

/// The files that the user means: a folder stands for the traces in it, else for Caliper's files in it, or for
/// Criterion's below it.
///
/// # Errors
/// If a folder cannot be read or has no data.
pub fn data_in(files: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for path in files {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let paths = match traces_in(std::slice::from_ref(path)) {
            Ok(paths) => paths,
            Err(failure) => {
                let mut paths = Vec::new();
                let is_cali = |path: &Path| path.extension().is_some_and(|end| end == "cali");
                for entry in entries(path)? {
                    if is_cali(&entry) {
                        paths.push(entry);
                    }
                }
                if paths.is_empty() {
                    of_criterion(path, &mut paths)?;
                }
                if paths.is_empty() {
                    return Err(failure);
                }
                paths
            }
        };
        all.extend(paths);
    }
    Ok(all)
}

/// The paths in a folder by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let dir = fs::read_dir(folder).map_err(|error| cll_files::Error::unreadable(folder, error))?;
    let mut paths: Vec<PathBuf> = dir.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Criterion's newest samples below a folder, each with the file that names the benchmark.
fn of_criterion(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    let new = folder.join("new");
    let both = ["benchmark.json", "sample.json"].map(|name| new.join(name));
    if both.iter().all(|path| path.is_file()) {
        paths.extend(both);
    }
    for path in entries(folder)? {
        // Links could lead back.
        if path.is_dir() && !path.is_symlink() {
            of_criterion(&path, paths)?;
        }
    }
    Ok(())
}
