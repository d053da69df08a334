//! The folder in which a benchmark keeps what it has.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::arguments::Common;
use crate::program::program;

/// The settings that all results of a folder have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub mode: String,
    /// The hash of the program's bytes.
    pub cll: String,
    pub budget_seconds: f64,
    pub truth_rounds: u32,
}

/// The folder.
pub struct Works {
    folder: PathBuf,
    /// Without `--out`.
    _temporary: Option<TempDir>,
}

impl Settings {
    /// Returns the settings of these arguments, and the path of `cll`.
    pub fn of(mode: &str, common: &Common) -> Result<(Settings, PathBuf)> {
        let cll = match &common.cll {
            Some(path) => path.clone(),
            None => program()?,
        };
        let bytes = fs::read(&cll).with_context(|| cll.display().to_string())?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let settings = Settings {
            mode: mode.to_owned(),
            cll: format!("{:016x}", hasher.finish()),
            budget_seconds: common.budget.as_secs_f64(),
            truth_rounds: common.truth_rounds,
        };
        Ok((settings, cll))
    }
}

impl Works {
    /// Opens or makes the folder; an error if it holds results of other settings.
    pub fn open(out: Option<&Path>, settings: &Settings) -> Result<Works> {
        let works = match out {
            Some(out) => Works { folder: out.to_owned(), _temporary: None },
            None => {
                let temporary = tempfile::tempdir()?;
                Works { folder: temporary.path().to_owned(), _temporary: Some(temporary) }
            }
        };
        match works.read::<Settings>("settings")? {
            None => works.write("settings", settings)?,
            Some(known) => ensure!(
                known == *settings,
                "{} holds results of another cll, or of other --budget or --truth-rounds: choose \
                 another --out",
                works.folder.display()
            ),
        }
        Ok(works)
    }

    /// Reads what is kept under a name; `None` if there is nothing.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let path = self.path(name);
        match fs::read(&path) {
            Ok(text) => {
                let value = serde_json::from_slice(&text);
                Ok(Some(value.with_context(|| path.display().to_string())?))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }

    /// Keeps a value, as a whole or not at all.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        let path = self.path(name);
        let new = path.with_extension("new");
        fs::create_dir_all(path.parent().context("a folder")?)?;
        fs::write(&new, serde_json::to_vec_pretty(value)?)?;
        fs::rename(&new, &path).with_context(|| path.display().to_string())
    }

    /// Keeps a copy of a file, if there is one.
    pub fn copy(&self, name: &str, file: &Path) -> Result<()> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().context("a folder")?)?;
        if file.exists() {
            fs::copy(file, &path).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}
