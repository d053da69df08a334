//! The library that the build script makes and this program contains.

use std::env::var_os;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files;

/// `libcll.a`.
pub const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libcll.a"));
/// `libcll.so`.
pub const SHARED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libcll.so"));
/// `libbsp.a`.
pub const PLAIN_BSP: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libbsp.a"));
/// Headers for programs, by name.
pub const HEADERS: [(&str, &[u8]); 9] = [
    ("cll.h", include_bytes!(concat!(env!("OUT_DIR"), "/cll.h"))),
    ("cll_mpi.h", include_bytes!(concat!(env!("OUT_DIR"), "/cll_mpi.h"))),
    ("cll_mpi_sync.h", include_bytes!(concat!(env!("OUT_DIR"), "/cll_mpi_sync.h"))),
    ("cll_mpi_world.h", include_bytes!(concat!(env!("OUT_DIR"), "/cll_mpi_world.h"))),
    ("bsp.h", include_bytes!(concat!(env!("OUT_DIR"), "/bsp.h"))),
    ("bsp_level1.h", include_bytes!(concat!(env!("OUT_DIR"), "/bsp_level1.h"))),
    ("mcbsp.h", include_bytes!(concat!(env!("OUT_DIR"), "/mcbsp.h"))),
    ("pub.h", include_bytes!(concat!(env!("OUT_DIR"), "/pub.h"))),
    ("pub/bsp.h", include_bytes!(concat!(env!("OUT_DIR"), "/pub/bsp.h"))),
];

/// Identifies the content: two versions never share a folder.
const NAME: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("CLL_LIBRARY_HASH"));

/// The folder with archives and headers: in the user's cache, or if that cannot be written, among temporary files.
/// Made if it does not exist. Two processes that make it at the same time make equal folders.
pub fn unpack() -> Result<PathBuf, Failure> {
    let cached = cache().map(|cache| unpack_in(&cache.join("cll")));
    match cached {
        Some(Ok(folder)) => Ok(folder),
        _ => unpack_in(&private_temporary()?),
    }
}

fn unpack_in(place: &Path) -> Result<PathBuf, Failure> {
    let folder = place.join(NAME);
    if is_whole(&folder) {
        return Ok(folder);
    }
    let made = DirBuilder::new().recursive(true).mode(0o755).create(place);
    made.map_err(|error| {
        Failure::file("make the folder", place, &error)
            .help("set XDG_CACHE_HOME to another folder for caches, or CLL_HOME to an installation")
    })?;
    let fresh = tempfile::Builder::new()
        .prefix(".unpacking-")
        .permissions(fs::Permissions::from_mode(0o755))
        .tempdir_in(place)
        .map_err(|error| Failure::file("make a folder in", place, &error))?;
    for (name, bytes) in unpacked() {
        let file = fresh.path().join(name);
        files::make_folder(files::folder(&file))?;
        files::write(&file, bytes)?;
    }
    if folder.exists() && !is_whole(&folder) {
        // Left by a full disk, or damaged.
        fs::remove_dir_all(&folder)
            .map_err(|error| Failure::file("remove the damaged folder", &folder, &error))?;
    }
    match fs::rename(fresh.path(), &folder) {
        Ok(()) => {
            // It was renamed, so it is not removed.
            let _ = fresh.keep();
            Ok(folder)
        }
        // Another process was faster.
        Err(_) if is_whole(&folder) => Ok(folder),
        Err(error) => Err(Failure::file("make the folder", &folder, &error)),
    }
}

fn is_whole(folder: &Path) -> bool {
    unpacked().all(|(name, bytes)| {
        fs::metadata(folder.join(name)).is_ok_and(|file| file.len() == bytes.len() as u64)
    })
}

/// The files of the folder.
fn unpacked() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    HEADERS.into_iter().chain([
        ("libcll.a", ARCHIVE),
        ("libcll.so", SHARED),
        ("libbsp.a", PLAIN_BSP),
    ])
}

fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

/// Without a home: a folder among temporary files that only this user can use.
fn private_temporary() -> Result<PathBuf, Failure> {
    let user = rustix::process::getuid();
    let folder = std::env::temp_dir().join(format!("cll-{}", user.as_raw()));
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|error| Failure::file("make the folder", &folder, &error))?;
    let owned = fs::symlink_metadata(&folder).is_ok_and(|found| {
        found.is_dir() && found.uid() == user.as_raw() && found.mode() & 0o022 == 0
    });
    match owned {
        true => Ok(folder),
        false => Err(Failure::system(format!(
            "{} belongs to another user: set HOME or XDG_CACHE_HOME",
            folder.display()
        ))),
    }
}
