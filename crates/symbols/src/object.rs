//! An executable or shared object: functions by address.

use std::path::{Path, PathBuf};

use object::ObjectKind;
use object::read::Object as _;

use crate::calls::{Callee, Code};
use crate::debug_file::{self, DebugLink, hexadecimal};
use crate::dwarf::Lines;
use crate::error::Error;
use crate::names::readable;
use crate::table::SymbolTable;

/// A function that contains an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The name, demangled. Not escaped: escape it for output.
    pub function: String,
    /// The source file of the address, as it was given to the compiler, with its folder.
    pub file: Option<String>,
    /// The line in `file`, from 1.
    pub line: Option<u32>,
    /// The column in the line, from 1, if the compiler wrote it.
    pub column: Option<u32>,
    /// It was inlined into the next frame.
    pub inlined: bool,
    /// It ended with a tail call, so no address of it is on the stack; it is known because the next frame calls
    /// it. Its file and line are those of its first instruction.
    pub tail_called: bool,
}

/// The symbols and debug information of an executable or shared object.
pub struct Object {
    build: Option<Vec<u8>>,
    link: Option<DebugLink>,
    lines: Option<Lines>,
    pub(crate) table: SymbolTable,
    code: Code,
}

impl Object {
    /// Reads a file. Damage after its headers is not an error: the readable part is used.
    pub fn parse(bytes: &[u8]) -> Result<Object, Error> {
        let file = read(bytes)?;
        let link = file
            .gnu_debuglink()
            .ok()
            .flatten()
            .map(|(name, crc)| DebugLink { name: String::from_utf8_lossy(name).into_owned(), crc });
        let mut table = SymbolTable::default();
        table.add(&file);
        Ok(Object {
            build: build_id(&file),
            link,
            lines: Lines::read(&file),
            table,
            code: Code::read(&file),
        })
    }

    /// The build id, if the linker wrote one.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build.as_deref()
    }

    /// The name and checksum of the file with its debug information, if that is separate.
    pub fn debug_link(&self) -> Option<&DebugLink> {
        self.link.as_ref()
    }

    /// Whether there is debug information.
    pub fn has_lines(&self) -> bool {
        self.lines.is_some()
    }

    /// Whether functions are known: a stripped file without debug information has none.
    pub fn has_functions(&self) -> bool {
        self.has_lines() || !self.table.is_empty()
    }

    /// Paths where separate debug information of this object, which was read from `path`, may be.
    pub fn debug_files(&self, path: &Path) -> Vec<PathBuf> {
        debug_file::candidates(path, self.build_id(), self.debug_link())
    }

    /// Adds the debug information and the symbols of another file, if it is of this build: by build id, or by the
    /// checksum in this object.
    pub fn add_debug(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let file = read(bytes)?;
        let other = |wanted: String, found: String| Err(Error::OtherBuild { wanted, found });
        match (&self.build, &self.link) {
            (Some(build), _) => {
                let bytes = build_id(&file).unwrap_or_default();
                if *build != bytes {
                    return other(named(build), named(&bytes));
                }
            }
            (None, Some(link)) => {
                let number = crc32fast::hash(bytes);
                if number != link.crc {
                    let checksum = |crc: u32| format!("checksum {crc:08x}");
                    return other(checksum(link.crc), checksum(number));
                }
            }
            (None, None) => {
                return other("no build id".into(), named(&build_id(&file).unwrap_or_default()));
            }
        }
        self.table.add(&file);
        self.lines = Lines::read(&file).or(self.lines.take());
        Ok(())
    }

    /// The functions at an address of the file, innermost first: inlined ones, then the one that is not inlined.
    /// Empty if it is not known.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let founds = self.lines.as_ref().map(|lines| lines.find(address)).unwrap_or_default();
        let symbol = || self.table.find(address).map(|function| &*function.symbol);
        let name = |symbol: &str| readable(symbol, self.table.fortran);
        let readable_name = |symbol: &str, fortran| readable(symbol, fortran || self.table.fortran);
        if founds.is_empty() {
            let frame = |symbol| Frame {
                function: name(symbol),
                file: None,
                line: None,
                column: None,
                inlined: false,
                tail_called: false,
            };
            return symbol().map(frame).into_iter().collect();
        }
        let count = founds.len();
        let mut frames = Vec::with_capacity(count);
        for (k, raw_frame) in founds.into_iter().enumerate() {
            let last = k + 1 == count;
            let function = match (raw_frame.symbol, last) {
                // Only the symbol table has the full names of local C++ functions.
                (Some(short), true) => match self.table.find(address) {
                    Some(full) if full.symbol.starts_with("_Z") && !short.starts_with("_Z") => {
                        name(&full.symbol)
                    }
                    _ => readable_name(&short, raw_frame.fortran),
                },
                (Some(symbol), false) => readable_name(&symbol, raw_frame.fortran),
                (None, true) => symbol().map(name).unwrap_or_default(),
                (None, false) => String::new(),
            };
            // A function without a name is not useful.
            if !function.is_empty() {
                let (file, line, column) = (raw_frame.file, raw_frame.line, raw_frame.column);
                let inlined = !last;
                frames.push(Frame { function, file, line, column, inlined, tail_called: false });
            }
        }
        frames
    }

    /// The functions to which a return address returns: those of the call before it, which may be the last
    /// instruction of its function.
    pub fn frames_of_return(&self, address: u64) -> Vec<Frame> {
        self.frames(address.saturating_sub(1))
    }

    /// The function that the call before a return address calls, if the code shows it.
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
