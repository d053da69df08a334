//! A folder of files that a program carries, made when they are first needed.

use std::env::var_os;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::files;

/// Files by name.
type Files<'a> = [(&'a str, &'a [u8])];

/// Where a user's files can be unpacked.
pub struct Places {
    cache: Option<PathBuf>,
    temporary: PathBuf,
}

impl Places {
    /// Those that the environment names.
    #[cfg_attr(not(library_embedded), expect(dead_code, reason = "only a release unpacks"))]
    pub fn of_user() -> Places {
        let absolute =
            |name: &str| var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        Places { cache, temporary: std::env::temp_dir() }
    }

    /// The folder `name` with the files: in the user's cache, or if that cannot be written, among temporary files.
    /// Made if it does not exist. Two processes that make it at the same time make equal folders.
    pub fn unpack(&self, name: &str, files: &Files<'_>) -> Result<PathBuf, Error> {
        let cached = self.cache.as_ref().map(|cache| unpack_in(&cache.join("cll"), name, files));
        match cached {
            Some(Ok(folder)) => Ok(folder),
            _ => unpack_in(&private(&self.temporary)?, name, files),
        }
    }
}

fn unpack_in(place: &Path, name: &str, carried: &Files<'_>) -> Result<PathBuf, Error> {
    let folder = place.join(name);
    if is_whole(&folder, carried) {
        return Ok(folder);
    }
    let created = DirBuilder::new().recursive(true).mode(0o755).create(place);
    created.map_err(|source| Error::NoCache { path: place.to_path_buf(), source })?;
    let fresh = tempfile::Builder::new()
        .prefix(".unpacking-")
        .permissions(fs::Permissions::from_mode(0o755))
        .tempdir_in(place)
        .map_err(|error| files::Error::refused("make a folder in", place, error))?;
    for (name, bytes) in carried {
        let file = fresh.path().join(name);
        files::make_folder(files::folder(&file))?;
        files::write(&file, bytes)?;
    }
    if folder.exists() && !is_whole(&folder, carried) {
        // Left by a full disk, or damaged.
        fs::remove_dir_all(&folder)
            .map_err(|error| files::Error::refused("remove the damaged folder", &folder, error))?;
    }
    match fs::rename(fresh.path(), &folder) {
        Ok(()) => {
            // It was renamed, so it is not removed.
            let _ = fresh.keep();
            Ok(folder)
        }
        // Another process was faster.
        Err(_) if is_whole(&folder, carried) => Ok(folder),
        Err(error) => Err(files::Error::refused("make the folder", &folder, error).into()),
    }
}

fn is_whole(folder: &Path, carried: &Files<'_>) -> bool {
    carried.iter().all(|(name, bytes)| {
        fs::metadata(folder.join(name)).is_ok_and(|file| file.len() == bytes.len() as u64)
    })
}

/// Without a home: a folder among temporary files that only this user can use.
fn private(temporary: &Path) -> Result<PathBuf, Error> {
    let user = rustix::process::getuid();
    let folder = temporary.join(format!("cll-{}", user.as_raw()));
    let created = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    created.map_err(|error| files::Error::refused("make the folder", &folder, error))?;
    let owned = fs::symlink_metadata(&folder).is_ok_and(|metadata| {
        metadata.is_dir() && metadata.uid() == user.as_raw() && metadata.mode() & 0o022 == 0
    });
    if owned { Ok(folder) } else { Err(Error::OthersCache(folder)) }
}

#[cfg(all(test, not(library_embedded)))]
mod tests {
    use std::thread;

    use super::*;
    use crate::library::source;

    /// A release unpacks the same files that a program under development finds in its target folder.
    #[test]
    fn unpacked_files_are_those_of_the_target_folder() {
        let owned = source::files().expect("the library can be built");
        let carried: Vec<(&str, &[u8])> =
            owned.iter().map(|(name, bytes)| (*name, bytes.as_ref())).collect();
        let place = tempfile::tempdir().expect("a folder");
        let unpacked = unpack_in(place.path(), "version", &carried).expect("it can be written");
        let built = source::folder().expect("it was built");
        for name in cll_archive::Libcll::names() {
            let read = |folder: &Path| fs::read(folder.join(name)).expect("a file");
            assert!(read(&unpacked) == read(&built), "{name}");
        }
        // In a damaged folder a file is too short.
        fs::write(unpacked.join("cll.h"), "").expect("it can be written");
        unpack_in(place.path(), "version", &carried).expect("it can be written");
        assert!(is_whole(&unpacked, &carried));
    }

    #[test]
    fn without_a_cache_files_are_unpacked_in_a_private_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let (file, temporary) = (place.path().join("file"), place.path().join("tmp"));
        fs::write(&file, "").expect("it can be written");
        fs::create_dir(&temporary).expect("it can be made");
        let places = Places { cache: Some(file.join("cache")), temporary: temporary.clone() };
        let carried: [(&str, &[u8]); 1] = [("cll.h", b"text")];
        let folder = places.unpack("version", &carried).expect("a folder");
        assert!(folder.starts_with(&temporary) && is_whole(&folder, &carried), "{folder:?}");
        let private = fs::metadata(folder.parent().expect("a folder")).expect("it is there");
        assert_eq!(private.mode() & 0o077, 0);
    }

    #[test]
    fn threads_that_unpack_at_once_make_one_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let carried: [(&str, &[u8]); 2] = [("a.h", b"first"), ("b/c.h", b"second")];
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| unpack_in(place.path(), "version", &carried).expect("a folder"));
            }
        });
        let names: Vec<_> = fs::read_dir(place.path()).expect("it is there").collect();
        assert_eq!(names.len(), 1, "{names:?}");
        assert!(is_whole(&place.path().join("version"), &carried));
    }
}
