//! The folder that `cll model` writes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use crate::Error;
use cll_analysis::FILE_NAME;
use cll_files as files;
use cll_sampling::PLAN;

/// Marks the folder as made by `cll model`, so that its files may be replaced.
const MARKER: &str = ".made-by-cll-model";

/// A folder of `cll model`, locked until the value is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    name: String,
    _held: File,
}

impl Folder {
    /// Makes the folder, or takes one that an earlier run made.
    ///
    /// # Errors
    /// If there is something else of that name, or another run has locked it.
    pub fn claim(path: PathBuf, name: &str) -> Result<Folder, Error> {
        let marker = path.join(MARKER);
        if path.exists() && !marker.exists() && !is_empty(&path) {
            return Err(Error::OthersFolder(path));
        }
        files::make_folder(&path)?;
        let failure = |error| files::Error::refused("write", &marker, error);
        let held = File::options().create(true).append(true).open(&marker).map_err(failure)?;
        flock(&held, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| Error::Held(path.clone()))?;
        Ok(Folder { path, name: name.to_owned(), _held: held })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The executable.
    pub fn program(&self) -> PathBuf {
        if [FILE_NAME, LEFT_OUT, LOG, PLAN, PLOTS].contains(&self.name.as_str()) {
            self.path.join(format!("{}-program", self.name))
        } else {
            self.path.join(&self.name)
        }
    }

    /// The same program without markers.
    pub fn plain(&self) -> PathBuf {
        let mut name = self.program().into_os_string();
        name.push("-plain");
        name.into()
    }

    /// The model.
    pub fn model(&self) -> PathBuf {
        self.path.join(FILE_NAME)
    }

    /// The page.
    pub fn page(&self) -> PathBuf {
        self.path.join(format!("{}.html", self.name))
    }

    /// The names of what `--auto` does not measure, one a line.
    pub fn left_out(&self) -> PathBuf {
        self.path.join(LEFT_OUT)
    }

    /// The program's output.
    pub fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    /// The same, open to append to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open_log(&self) -> Result<File, Error> {
        let path = self.log();
        let opened = File::options().create(true).append(true).read(true).open(&path);
        Ok(opened.map_err(|error| files::Error::refused("write", &path, error))?)
    }

    /// The path of an experiment's plot; creates its folder.
    pub fn plot(&self, experiment: &str) -> Result<PathBuf, Error> {
        let folder = self.path.join(PLOTS);
        files::make_folder(&folder)?;
        Ok(folder.join(format!("{}.svg", files::named_by(experiment))))
    }

    /// A folder for objects, removed when the value is dropped. Its name is always the same, since compilers write
    /// it into the program.
    pub fn objects(&self) -> Result<TempDir, Error> {
        let path = self.path.join(OBJECTS);
        if path.exists() {
            fs::remove_dir_all(&path)
                .map_err(|error| files::Error::refused("replace", &path, error))?;
        }
        let directory =
            tempfile::Builder::new().prefix(OBJECTS).rand_bytes(0).tempdir_in(&self.path);
        Ok(directory.map_err(|error| files::Error::refused("make the folder", &path, error))?)
    }

    /// Removes the program and the sources that an earlier run made.
    pub fn clear_program(&self) -> Result<(), Error> {
        for path in listed(&self.path) {
            let name = files::base(&path);
            let is_program =
                path == self.program() || path == self.plain() || path == self.left_out();
            if is_program || name.ends_with(".cll.c") || name.ends_with(".cll.h") {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the files of an earlier run, except its traces with these names and their plan. Other files stay.
    pub fn clear(&self, kept: &[String]) -> Result<(), Error> {
        let traces = format!("{}.cll.", self.name);
        for path in listed(&self.path) {
            let name = files::base(&path);
            let ours = path == self.model()
                || path == self.log()
                || (name == PLAN && kept.is_empty())
                || path == self.page()
                || (name.starts_with(&traces) && name.ends_with(".dat") && !kept.contains(&name));
            if ours {
                remove(&path)?;
            }
        }
        for path in listed(&self.path.join(PLOTS)) {
            if path.extension().is_some_and(|extension| extension == "svg") {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

const LOG: &str = "output.log";
const LEFT_OUT: &str = "left_out";
const PLOTS: &str = "plots";
const OBJECTS: &str = ".objects";

/// The files in a folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| !path.is_dir()).collect()
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn remove(path: &Path) -> Result<(), files::Error> {
    fs::remove_file(path).map_err(|error| files::Error::refused("replace", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ours_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.cll");
        drop(Folder::claim(path.clone(), "x").unwrap());
        for name in
            ["x", "x.cll.c", "x.cll.3.dat", "x.html", "model.json", "notes.txt", "points.dat"]
        {
            fs::write(path.join(name), name).unwrap();
        }
        let folder = Folder::claim(path.clone(), "x").unwrap();
        fs::write(path.join("x.cll.4.dat"), "kept").unwrap();
        fs::write(path.join(PLAN), "kept").unwrap();
        folder.clear(&["x.cll.4.dat".to_owned()]).unwrap();
        assert!(!path.join("x.cll.3.dat").exists());
        assert!(path.join("x.cll.4.dat").exists() && path.join(PLAN).exists());
        folder.clear(&[]).unwrap();
        assert!(path.join("x").exists() && path.join("x.cll.c").exists());
        drop(folder.objects().unwrap());
        folder.clear_program().unwrap();
        let mut left: Vec<String> = fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, [MARKER, "notes.txt", "points.dat"]);
        assert!(Folder::claim(path, "x").is_err(), "held");
        drop(folder);
    }

    #[test]
    fn what_others_made_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("a"), "a").unwrap();
        assert!(Folder::claim(place.path().to_path_buf(), "x").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        let file = place.path().join("a");
        assert!(Folder::claim(file, "x").is_err());
    }

    #[test]
    fn a_program_may_be_called_like_a_file_of_ours() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::claim(place.path().join("p"), "plots").unwrap();
        assert!(folder.program() != place.path().join("p").join(PLOTS));
    }
}
