//! Finds the library with which measured programs are linked.

#[cfg_attr(library_embedded, path = "carried.rs")]
#[cfg_attr(not(library_embedded), path = "target.rs")]
mod source;
#[cfg_attr(
    not(any(library_embedded, test)),
    expect(dead_code, reason = "only releases carry files")
)]
mod unpack;

use std::borrow::Cow;
use std::env::{current_exe, var_os};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cll_contract::HOME;

pub use source::files;

use crate::Error;

/// A file that programs are compiled or linked with: its name in the folder of the library, its content.
pub type File = (&'static str, Cow<'static, [u8]>);

/// Library and headers on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Folder of `cll.h`, `bsp.h` and the others.
    pub include: PathBuf,
    /// `libcll.a`.
    pub archive: PathBuf,
}

impl Library {
    /// In `CLL_HOME`, beside this program, in its `../lib` and `../include`, or the copy in this program, unpacked
    /// into the user's cache; a development build carries none and uses that of its target folder.
    pub fn find() -> Result<Library, Error> {
        if let Some(home) = var_os(HOME.name()).filter(|home| !home.is_empty()) {
            let home = PathBuf::from(home);
            let library = Library::installed(&home).or_else(|| Library::flat(&home));
            return library.ok_or(Error::NoInstallation(home));
        }
        let beside = current_exe().ok().and_then(|path| path.canonicalize().ok());
        let option = beside.as_deref().and_then(Path::parent).and_then(|folder| {
            Library::flat(folder).or_else(|| Library::installed(folder.parent()?))
        });
        match option {
            Some(library) => Ok(library),
            None => Library::flat(&source::folder()?).ok_or(Error::LibraryRemoved),
        }
    }

    /// An installation under a prefix.
    fn installed(prefix: &Path) -> Option<Library> {
        Library::in_folders(prefix.join("include"), prefix.join("lib"))
    }

    /// Everything in one folder.
    fn flat(folder: &Path) -> Option<Library> {
        Library::in_folders(folder.to_path_buf(), folder.to_path_buf())
    }

    fn in_folders(include: PathBuf, lib: PathBuf) -> Option<Library> {
        let archive = lib.join("libcll.a");
        (archive.is_file() && include.join("cll.h").is_file())
            .then_some(Library { include, archive })
    }

    /// `libcll.so`, for programs that others have linked: beside the archive, or the copy in this program.
    pub fn shared(&self) -> Result<PathBuf, Error> {
        let beside = self.archive.with_file_name("libcll.so");
        if beside.is_file() { Ok(beside) } else { Ok(source::folder()?.join("libcll.so")) }
    }

    /// The compiler's options for the headers, after all others: a header of the same name in the user's folders
    /// is found first. They are system headers, so the user's warning options do not apply to them.
    pub fn compile_arguments(&self) -> Vec<OsString> {
        // A default folder of the compiler in the options would change the search order.
        let known = ["/usr/include", "/usr/local/include"];
        if known.iter().any(|folder| self.include == Path::new(folder)) {
            Vec::new()
        } else {
            vec!["-isystem".into(), self.include.clone().into()]
        }
    }

    /// The last arguments of a command that links.
    pub fn link_arguments(&self, linked: Linked) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let plain_bsp = self.archive.with_file_name("libbsp.a");
        // A shared object takes BSPlib's functions from the program that loads it.
        if linked != Linked::Shared && plain_bsp.is_file() {
            arguments.push(plain_bsp.into());
        }
        arguments.push(self.archive.clone().into());
        arguments.extend(NATIVE.iter().map(OsString::from));
        if linked == Linked::Program {
            arguments.push(EXPORT.into());
        }
        arguments
    }
}

/// The kind of a linked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linked {
    /// A program that may load instrumented shared objects: they use its copy of the library.
    Program,
    /// A program that loads none (`-static`, `-static-pie`). A `-static-pie` program with exported names would
    /// crash before `main`, since it would look up thread-local storage before there is any.
    Fixed,
    /// A shared object.
    Shared,
}

/// Libraries of the system that ours needs; in newer C libraries they are empty.
pub const NATIVE: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Exports the library from an executable.
pub const EXPORT: &str = "-Wl,--export-dynamic-symbol=cll_*";
