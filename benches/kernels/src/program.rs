//! `cll` as it was built beside a benchmark.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

/// The program that lies beside this one. It is not built here: a Cargo inside a Cargo is asking for
/// trouble.
pub fn program() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let cll = own.parent().context("this program lies in no folder")?.join("cll");
    ensure!(cll.exists(), "{} is missing: cargo build --release first", cll.display());
    Ok(cll)
}
