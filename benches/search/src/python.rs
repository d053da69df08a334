//! Python with Extra-P, of PyPI.

use std::path::PathBuf;
use std::process::Command;

/// The version that the figures of the documentation are of.
pub const VERSION: &str = "extrap==4.2.5";

/// The Python of a virtual environment with Extra-P, made when it is first needed; `None` if it cannot be had, with
/// the reason printed.
pub fn python() -> Option<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let folder = target.join("bench-search-extrap");
    let python = folder.join("bin/python");
    if !folder.join("ready").exists() {
        let is_installed =
            Command::new("python3").args(["-m", "venv"]).arg(&folder).status().ok()?.success()
                && Command::new(&python)
                    .args(["-m", "pip", "install", "--quiet", VERSION])
                    .status()
                    .ok()?
                    .success();
        if !is_installed {
            eprintln!("Extra-P is not run: {VERSION} could not be installed");
            return None;
        }
        std::fs::write(folder.join("ready"), VERSION).ok()?;
    }
    Some(python)
}
