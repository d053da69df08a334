//! An executable or shared object, asked for its addresses.

use std::path::{Path, PathBuf};

use object::ObjectKind;
use object::read::Object as _;

use crate::calls::{Callee, Code};
use crate::debug_file::{self, DebugLink, hexadecimal};
use crate::dwarf::Lines;
use crate::error::Error;
use crate::names::readable;
use crate::table::Table;

/// A function that an address lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its name, demangled; as it stands in the file, so it is to be escaped where it is shown.
    pub function: String,
    /// The source file of the place, as the compiler was told it, with its folder.
    pub file: Option<String>,
    /// The line in `file`, from 1.
    pub line: Option<u32>,
    /// It was inlined into the next frame.
    pub inlined: bool,
    /// It ended in a call that took its place on the stack (a tail call), so no address lies in it; it is
    /// known because the next frame calls it. Its file and line are those of its first
    /// instruction.
    pub tail_called: bool,
}

/// What is known of the addresses of an executable or shared object.
pub struct Object {
    build: Option<Vec<u8>>,
    link: Option<DebugLink>,
    lines: Option<Lines>,
    pub(crate) table: Table,
    code: Code,
}

impl Object {
    /// Reads a file. Damage beyond its headers is no error: what is left is told.
    pub fn parse(bytes: &[u8]) -> Result<Object, Error> {
        let file = read(bytes)?;
        let link = file
            .gnu_debuglink()
            .ok()
            .flatten()
            .map(|(name, crc)| DebugLink { name: String::from_utf8_lossy(name).into_owned(), crc });
        let mut table = Table::default();
        table.add(&file);
        Ok(Object {
            build: build_id(&file),
            link,
            lines: Lines::of(&file),
            table,
            code: Code::of(&file),
        })
    }

    /// The build id that the linker wrote, if it did.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build.as_deref()
    }

    /// What the file says of another one that its debug information was moved to.
    pub fn debug_link(&self) -> Option<&DebugLink> {
        self.link.as_ref()
    }

    /// Whether there is debug information.
    pub fn has_lines(&self) -> bool {
        self.lines.is_some()
    }

    /// Whether functions can be told at all: a stripped file without debug information has none.
    pub fn has_functions(&self) -> bool {
        self.has_lines() || !self.table.is_empty()
    }

    /// Where debug information may lie that was moved out of this object, which was read from `path`.
    pub fn debug_files(&self, path: &Path) -> Vec<PathBuf> {
        debug_file::candidates(path, self.build_id(), self.debug_link())
    }

    /// Adds the debug information and the symbols of another file, if it is of this build: by build id, or by
    /// the checksum that this object has of it.
    pub fn add_debug(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let file = read(bytes)?;
        let other = |wanted: String, found: String| Err(Error::OtherBuild { wanted, found });
        match (&self.build, &self.link) {
            (Some(build), _) => {
                let found = build_id(&file).unwrap_or_default();
                if *build != found {
                    return other(named(build), named(&found));
                }
            }
            (None, Some(link)) => {
                let found = crc32fast::hash(bytes);
                if found != link.crc {
                    let checksum = |crc: u32| format!("checksum {crc:08x}");
                    return other(checksum(link.crc), checksum(found));
                }
            }
            (None, None) => {
                return other("no build id".into(), named(&build_id(&file).unwrap_or_default()));
            }
        }
        self.table.add(&file);
        self.lines = Lines::of(&file).or(self.lines.take());
        Ok(())
    }

    /// The functions at an address of the file, innermost first: those that were inlined there, then the
    /// one that was not. Empty if nothing is known of it.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let found = self.lines.as_ref().map(|lines| lines.find(address)).unwrap_or_default();
        let symbol = || self.table.find(address).map(|one| &*one.symbol);
        let name = |symbol: &str| readable(symbol, self.table.fortran);
        let told = |symbol: &str, fortran| readable(symbol, fortran || self.table.fortran);
        if found.is_empty() {
            let frame = |symbol| Frame {
                function: name(symbol),
                file: None,
                line: None,
                inlined: false,
                tail_called: false,
            };
            return symbol().map(frame).into_iter().collect();
        }
        let count = found.len();
        let mut frames = Vec::with_capacity(count);
        for (k, one) in found.into_iter().enumerate() {
            let last = k + 1 == count;
            let function = match (one.symbol, last) {
                // What is local to a file of C++ has its full name only in the symbol table.
                (Some(short), true) => match self.table.find(address) {
                    Some(full) if full.symbol.starts_with("_Z") && !short.starts_with("_Z") => {
                        name(&full.symbol)
                    }
                    _ => told(&short, one.fortran),
                },
                (Some(symbol), false) => told(&symbol, one.fortran),
                (None, true) => symbol().map(name).unwrap_or_default(),
                (None, false) => String::new(),
            };
            // A function without a name tells nothing.
            if !function.is_empty() {
                let (file, line) = (one.file, one.line);
                frames.push(Frame { function, file, line, inlined: !last, tail_called: false });
            }
        }
        frames
    }

    /// The functions that a return address returns to: those of the call before it, which may be the last
    /// instruction of its function.
    pub fn frames_of_return(&self, address: u64) -> Vec<Frame> {
        self.frames(address.saturating_sub(1))
    }

    /// What the call before a return address calls, if the code tells it.
    pub(crate) fn callee(&self, behind: u64) -> Option<Callee<'_>> {
        self.code.callee(behind)
    }
}

fn read(bytes: &[u8]) -> Result<object::File<'_>, Error> {
    let file = object::File::parse(bytes).map_err(|error| Error::Unreadable(error.to_string()))?;
    match file.kind() {
        ObjectKind::Executable | ObjectKind::Dynamic => Ok(file),
        ObjectKind::Relocatable => Err(Error::NotLoadable("an object file that was not linked")),
        ObjectKind::Core => Err(Error::NotLoadable("a core dump")),
        _ => Err(Error::NotLoadable("something else")),
    }
}

fn build_id(file: &object::File<'_>) -> Option<Vec<u8>> {
    file.build_id().ok().flatten().map(<[u8]>::to_vec)
}

fn named(build: &[u8]) -> String {
    if build.is_empty() { "no build id".into() } else { format!("build id {}", hexadecimal(build)) }
}
