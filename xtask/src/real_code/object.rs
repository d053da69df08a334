//! Describes what an object file does, without the names of the files it came from.

use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};

/// Sections by name with their bytes and relocations, and the symbols.
#[derive(PartialEq, Eq)]
pub struct Code {
    sections: Vec<(String, Vec<u8>, Vec<String>)>,
    symbols: Vec<String>,
}

impl Code {
    /// Reads an ELF object file; debugging information, comments and the
    /// source's name are left out.
    pub fn read(path: &Path) -> Result<Code> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let file = object::File::parse(&*bytes)?;
        let mut sections = Vec::new();
        for section in file.sections() {
            let name = section.name()?.to_string();
            let counts = matches!(
                section.kind(),
                SectionKind::Text
                    | SectionKind::Data
                    | SectionKind::ReadOnlyData
                    | SectionKind::ReadOnlyString
                    | SectionKind::ReadOnlyDataWithRel
                    | SectionKind::UninitializedData
                    | SectionKind::Tls
                    | SectionKind::UninitializedTls
            );
            if !counts || name.starts_with(".debug") || name == ".comment" {
                continue;
            }
            let relocations = section
                .relocations()
                .map(|(offset, relocation)| {
                    let target = match relocation.target() {
                        RelocationTarget::Symbol(index) => file
                            .symbol_by_index(index)
                            .map(|symbol| symbol_name(&file, &symbol))
                            .unwrap_or_default(),
                        other => format!("{other:?}"),
                    };
                    format!(
                        "{offset:x} {target} {:x} {:?}",
                        relocation.addend(),
                        relocation.flags()
                    )
                })
                .collect();
            sections.push((name, section.data()?.to_vec(), relocations));
        }
        let mut symbols: Vec<String> = file
            .symbols()
            .filter(|symbol| symbol.kind() != object::SymbolKind::File)
            .map(|symbol| {
                format!(
                    "{} {:x} {:x}",
                    symbol_name(&file, &symbol),
                    symbol.address(),
                    symbol.size()
                )
            })
            .collect();
        symbols.sort();
        Ok(Code { sections, symbols })
    }

    /// The first thing in which two object files differ.
    pub fn difference(&self, other: &Code) -> Option<String> {
        for (mine, theirs) in self.sections.iter().zip(&other.sections) {
            if mine != theirs {
                return Some(format!("section {}", mine.0));
            }
        }
        if self.sections.len() != other.sections.len() {
            return Some("number of sections".into());
        }
        (self.symbols != other.symbols).then(|| "symbols".into())
    }
}

fn symbol_name(file: &object::File, symbol: &object::Symbol) -> String {
    let section = symbol
        .section_index()
        .and_then(|index| file.section_by_index(index).ok())
        .and_then(|section| section.name().ok().map(str::to_string));
    format!("{}@{}", symbol.name().unwrap_or_default(), section.unwrap_or_default())
}
