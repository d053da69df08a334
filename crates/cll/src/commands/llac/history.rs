//! Where typed statements are kept between sessions.

use std::env::var_os;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

/// Statements that are kept.
pub const KEPT: usize = 2000;

/// The file, in a folder that is made if it is not there; `None`: there is no place for it.
pub fn file() -> Option<PathBuf> {
    let absolute = |name: &str| var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state =
        absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    let folder = state.join("cll");
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    Some(folder.join("llac_history"))
}
