//! Debian source packages, unpacked below `target/real-code`.
//!
//! apt is given a source list and folders of its own, so that the system's
//! settings are neither needed nor touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Where packages come from and where they are unpacked.
pub struct Archive {
    folder: PathBuf,
}

const SUITE: &str = "bookworm";

impl Archive {
    /// Reads the archive's list of source packages, if it is not there yet.
    pub fn open(folder: &Path) -> Result<Archive> {
        let archive = Archive { folder: folder.to_path_buf() };
        for part in ["lists/partial", "archives/partial", "parts", "sources"] {
            fs::create_dir_all(folder.join(part))?;
        }
        fs::write(
            folder.join("parts/source.sources"),
            format!(
                "Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: {SUITE}\n\
                 Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
            ),
        )?;
        let listed = fs::read_dir(folder.join("lists"))?
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().contains("Sources"));
        if !listed {
            archive.apt(&["update"], folder).context("cannot read the list of source packages")?;
        }
        Ok(archive)
    }

    /// The unpacked source of a package, fetched at its first use.
    pub fn source(&self, package: &str) -> Result<PathBuf> {
        let parent = self.folder.join("sources").join(package);
        if let Some(unpacked) = only_folder(&parent) {
            return Ok(unpacked);
        }
        fs::create_dir_all(&parent)?;
        self.apt(&["source", package], &parent)?;
        only_folder(&parent).with_context(|| format!("{package} was fetched but not unpacked"))
    }

    fn apt(&self, arguments: &[&str], folder: &Path) -> Result<()> {
        let own = |key: &str, part: &str| format!("{key}={}", self.folder.join(part).display());
        let output = Command::new("apt-get")
            .args(["-q", "-o", "Dir::Etc::sourcelist=/dev/null", "-o"])
            .arg(own("Dir::Etc::sourceparts", "parts"))
            .arg("-o")
            .arg(own("Dir::State::lists", "lists"))
            .arg("-o")
            .arg(own("Dir::Cache::archives", "archives"))
            .args(["-o", "Dir::Cache::srcpkgcache=", "-o", "Dir::Cache::pkgcache="])
            .args(arguments)
            .current_dir(folder)
            .output()
            .context("cannot start apt-get")?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            bail!(
                "apt-get {}: {}",
                arguments.join(" "),
                message.lines().last().unwrap_or("failed")
            );
        }
        Ok(())
    }
}

fn only_folder(parent: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(parent).ok()?;
    entries.flatten().map(|entry| entry.path()).find(|path| path.is_dir())
}
