//! The folder of compiled files: `$XDG_CACHE_HOME/cll/mpi`, otherwise `~/.cache/cll/mpi`, otherwise a folder of
//! this user in the temporary folder.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use rustix::process::geteuid;

use crate::NoMpi;

/// The folder, created if it does not exist. No other user may write to it, since files from it are loaded.
pub fn folder() -> Result<PathBuf, NoMpi> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    if let Some(folder) = cache.map(|cache| cache.join("cll/mpi"))
        && usable(&folder).is_ok()
    {
        return Ok(folder);
    }
    let aside = std::env::temp_dir().join(format!("cll-{}", geteuid().as_raw()));
    let folder = aside.join("mpi");
    usable(&aside).and_then(|()| usable(&folder)).map_err(|error| {
        NoMpi::new(
            format_args!("cannot keep compiled files in {}: {error}", folder.display()),
            "XDG_CACHE_HOME names a folder that this user can write to",
        )
    })?;
    Ok(folder)
}

fn usable(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let data = fs::symlink_metadata(folder)?;
    if !data.is_dir() || data.uid() != geteuid().as_raw() || data.mode() & 0o022 != 0 {
        return Err(io::Error::other("other users can write there"));
    }
    rustix::fs::access(folder, Access::WRITE_OK).map_err(io::Error::from)
}
