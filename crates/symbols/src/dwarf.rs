//! Debug information, read by addr2line.

use std::sync::Arc;

use gimli::{Dwarf, EndianArcSlice, RunTimeEndian, SectionId};
use object::read::{Object as _, ObjectSection as _};

/// The largest ratio of compression; a file that claims more is damaged or malicious.
const MAX_COMPRESSION: u64 = 4096;

type DwarfReader = EndianArcSlice<RunTimeEndian>;

/// Debug information of a file.
pub struct Lines {
    context: addr2line::Context<DwarfReader>,
}

/// A function that contains an address, by DWARF.
pub struct DwarfFunction {
    /// The linkage name if there is one, else the name; `None` if only the line is known.
    pub symbol: Option<String>,
    /// Whether the function is Fortran.
    pub fortran: bool,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

impl Lines {
    /// The debug information in a file; `None` if it has none, or none that can be read.
    pub fn read(file: &object::File<'_>) -> Option<Lines> {
        file.section_by_name(".debug_line")?;
        let endian = match file.endianness() {
            object::Endianness::Little => RunTimeEndian::Little,
            object::Endianness::Big => RunTimeEndian::Big,
        };
        let load = |id: SectionId| -> Result<DwarfReader, gimli::Error> {
            let bytes = section(file, id.name()).unwrap_or_default();
            Ok(EndianArcSlice::new(bytes, endian))
        };
        let context = addr2line::Context::from_dwarf(Dwarf::load(load).ok()?).ok()?;
        Some(Lines { context })
    }

    /// The functions at an address, inlined ones first; empty if none is known.
    pub fn find(&self, address: u64) -> Vec<DwarfFunction> {
        let mut founds = Vec::new();
        // Information in .dwo files is skipped; lines are in this file anyway.
        if let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() {
            while let Ok(Some(frame)) = frames.next() {
                let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
                let language = frame.function.as_ref().and_then(|name| name.language);
                founds.push(DwarfFunction {
                    fortran: language.is_some_and(is_fortran),
                    symbol: name.map(|name| name.into_owned()),
                    file: frame
                        .location
                        .as_ref()
                        .and_then(|location| location.file)
                        .map(str::to_owned),
                    line: frame
                        .location
                        .as_ref()
                        .and_then(|location| location.line)
                        .filter(|&line| line > 0),
                    column: frame
                        .location
                        .as_ref()
                        .and_then(|location| location.column)
                        .filter(|&column| column > 0),
                });
            }
        }
        founds
    }
}

fn is_fortran(language: gimli::DwLang) -> bool {
    [
        gimli::DW_LANG_Fortran77,
        gimli::DW_LANG_Fortran90,
        gimli::DW_LANG_Fortran95,
        gimli::DW_LANG_Fortran03,
        gimli::DW_LANG_Fortran08,
        gimli::DW_LANG_Fortran18,
    ]
    .contains(&language)
}

fn section(file: &object::File<'_>, name: &str) -> Option<Arc<[u8]>> {
    let section = file.section_by_name(name)?;
    let data = section.compressed_data().ok()?;
    if data.uncompressed_size / MAX_COMPRESSION > data.data.len() as u64 {
        return None;
    }
    Some(data.decompress().ok()?.into())
}
