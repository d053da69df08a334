//! The records in a program, read before it is run.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use cll_diagnostic::nearest;
use cll_translate::{MODEL_MAGIC, MODEL_SECTION};
use object::{Object, ObjectSection, ObjectSymbol};
use serde::Deserialize;

use crate::files;
use crate::files::in_path;
use crate::{Error, check_clause};

/// Version of the interface between translated sources and the library: `CLL_VERSION` of `cll.h`.
const INTERFACE: u32 = 2;

/// The model of a program that includes `bsp.h`.
const BSP: &str = "BSP";
/// The model of a program that includes `pub.h`.
const PUB: &str = "PUB";

/// A program that was built from translated sources, or for BSPlib.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instrumented {
    /// The translated sources, including those of the program's libraries, and sources that include `bsp.h`.
    pub units: Vec<TranslatedUnit>,
    /// Whether it may load libraries while it runs (`dlopen`).
    pub loads: bool,
}

/// A translated source, from the record in its object.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TranslatedUnit {
    /// The source.
    pub file: String,
    /// `sequential`, `OpenMP`, …
    pub model: String,
    /// The compiler with the options.
    pub compiler: String,
    /// Version of the interface between it and the library.
    pub interface: Option<u32>,
    /// The places of the unit.
    pub places: Vec<ExperimentPlace>,
}

/// An experiment at one place.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ExperimentPlace {
    /// Name of the experiment.
    pub experiment: String,
    /// Line where it begins.
    pub line: u32,
    /// Counters that it records besides the time.
    pub counters: Vec<String>,
}

/// The executable for a word of a command line.
pub fn find(word: &OsStr) -> Result<PathBuf, Error> {
    let path = Path::new(word);
    if path.components().count() > 1 || word.as_encoded_bytes().contains(&b'/') {
        return match fs::metadata(path) {
            Err(error) => Err(not_there(path, error)),
            Ok(_) if !files::is_executable(path) => Err(Error::NotExecutable(path.to_path_buf())),
            Ok(_) => Ok(path.to_path_buf()),
        };
    }
    in_path(word).ok_or_else(|| Error::NotInPath {
        name: path.to_path_buf(),
        is_here: files::is_executable(path),
    })
}

fn not_there(path: &Path, error: std::io::Error) -> Error {
    let folder = fs::read_dir(files::folder(path)).into_iter().flatten().flatten();
    let names: Vec<String> = folder
        .filter(|entry| files::is_executable(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let near = nearest(&files::base(path), names.iter().map(String::as_str));
    Error::NoProgram {
        source: files::Error::unreadable(path, error),
        near: near.map(|near| files::folder(path).join(near)),
    }
}

impl Instrumented {
    /// Reads the records of the program and of the libraries with which it is directly linked.
    ///
    /// # Errors
    /// If it has no records, or records of another version of the library.
    pub fn read(path: &Path) -> Result<Instrumented, Error> {
        let program = Instrumented::look(path)?;
        program.check(path)?;
        Ok(program)
    }

    /// As [`Instrumented::read`]. A program without records is an error only if it loads no libraries while it
    /// runs, since those may record.
    ///
    /// # Errors
    /// As [`Instrumented::read`].
    pub fn read_or_loader(path: &Path) -> Result<Instrumented, Error> {
        let program = Instrumented::look(path)?;
        if !program.units.is_empty() || !program.loads {
            program.check(path)?;
        }
        Ok(program)
    }

    /// As [`Instrumented::look`]; a script has no records.
    ///
    /// # Errors
    /// As there.
    pub fn look_or_script(path: &Path) -> Result<Instrumented, Error> {
        let bytes = fs::read(path).map_err(|error| files::Error::unreadable(path, error))?;
        if is_script(&bytes) { Ok(Instrumented::default()) } else { Instrumented::look(path) }
    }

    /// As [`Instrumented::read`], also for a program without records.
    pub fn look(path: &Path) -> Result<Instrumented, Error> {
        let bytes = fs::read(path).map_err(|error| files::Error::unreadable(path, error))?;
        let mut program = Instrumented { units: units(path, &bytes)?, loads: loads(&bytes) };
        for library in libraries(path, &bytes) {
            if let Ok(bytes) = fs::read(&library) {
                program.units.extend(units(&library, &bytes).unwrap_or_default());
                program.loads |= loads(&bytes);
            }
        }
        Ok(program)
    }

    /// The models of its sources, each once.
    pub fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = self.units.iter().map(|unit| unit.model.as_str()).collect();
        models.sort_unstable();
        models.dedup();
        models
    }

    /// Whether it is a BSP program: it was compiled with `bsp.h` or `pub.h`, or linked with `libbsp.a`.
    pub fn is_bsp(&self) -> bool {
        self.models().contains(&BSP) || self.is_pub()
    }

    /// Whether it has machine objects: it was compiled with `pub.h`.
    pub fn is_pub(&self) -> bool {
        self.models().contains(&PUB)
    }

    /// Whether it has an experiment.
    pub fn has_places(&self) -> bool {
        self.units.iter().any(|unit| !unit.places.is_empty())
    }

    /// Returns the counters that the places record besides the time, by their clauses.
    pub fn counters(&self) -> Vec<String> {
        let places = self.units.iter().flat_map(|unit| &unit.places);
        places.flat_map(|place| place.counters.iter().cloned()).collect()
    }

    /// Whether it runs on several processors.
    pub fn is_parallel(&self) -> bool {
        self.models().iter().any(|model| *model != "sequential")
    }

    fn check(&self, path: &Path) -> Result<(), Error> {
        if self.units.is_empty() {
            return Err(Error::RecordsNothing(path.to_path_buf()));
        }
        for unit in &self.units {
            if unit.interface != Some(INTERFACE) {
                return Err(Error::OtherInterface {
                    program: path.to_path_buf(),
                    interface: unit.interface,
                    known: INTERFACE,
                    file: unit.file.clone(),
                });
            }
            if !["sequential", "OpenMP", "MPI", BSP, PUB].contains(&unit.model.as_str()) {
                return Err(Error::UnknownModel {
                    program: path.to_path_buf(),
                    model: unit.model.clone(),
                    file: unit.file.clone(),
                });
            }
            for place in &unit.places {
                check_clause(&format!("{}:{}", unit.file, place.line), &place.counters)?;
            }
        }
        Ok(())
    }
}

/// The records of an ELF file.
fn units(path: &Path, bytes: &[u8]) -> Result<Vec<TranslatedUnit>, Error> {
    if is_script(bytes) {
        return Err(Error::Script(path.to_path_buf()));
    }
    let file = object::File::parse(bytes)
        .map_err(|source| Error::NotElf { path: path.to_path_buf(), source })?;
    let Some(section) = file.section_by_name(MODEL_SECTION) else { return Ok(Vec::new()) };
    let data = section.data().unwrap_or_default();
    let mut units = Vec::new();
    for record in data.split(|&byte| byte == 0).filter(|record| !record.is_empty()) {
        units.push(unit(path, record)?);
    }
    Ok(units)
}

fn unit(path: &Path, record: &[u8]) -> Result<TranslatedUnit, Error> {
    let text = String::from_utf8_lossy(record);
    let json = text.strip_prefix(MODEL_MAGIC).ok_or_else(|| Error::OtherRecords {
        program: path.to_path_buf(),
        begin: text.chars().take(12).collect(),
    })?;
    serde_json::from_str(json)
        .map_err(|source| Error::DamagedRecords { program: path.to_path_buf(), source })
}

/// Whether a file is a script, by its first line.
pub(crate) fn is_script(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#!")
}

/// Whether an ELF file uses `dlopen`.
pub(crate) fn loads(bytes: &[u8]) -> bool {
    let Ok(file) = object::File::parse(bytes) else { return false };
    file.dynamic_symbols().any(|symbol| {
        symbol.is_undefined() && matches!(symbol.name_bytes(), Ok(b"dlopen" | b"dlmopen"))
    })
}

/// The names of the libraries with which a program is linked; none if it cannot be read.
pub fn linked_with(path: &Path) -> Vec<String> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    object::File::parse(&*bytes).map(|file| needed(&file).names).unwrap_or_default()
}

/// The libraries that the program names and that are in its own search path or beside it. System libraries have no
/// records.
fn libraries(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let needed = needed(&file);
    let folder = files::folder(path);
    let search: Vec<PathBuf> = std::env::var_os("LD_LIBRARY_PATH")
        .map(|paths| std::env::split_paths(&paths).collect())
        .unwrap_or_default();
    let places = needed.runpath.iter().map(|place| {
        PathBuf::from(
            place.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", &folder.to_string_lossy()),
        )
    });
    let places: Vec<PathBuf> = places.chain(search).collect();
    needed
        .names
        .iter()
        .filter_map(|name| {
            places.iter().map(|place| place.join(name)).find(|library| library.is_file())
        })
        .collect()
}

#[derive(Default)]
struct Needed {
    names: Vec<String>,
    runpath: Vec<String>,
}

/// `DT_NEEDED` and `DT_RUNPATH` or `DT_RPATH` of the dynamic section.
fn needed(file: &object::File<'_>) -> Needed {
    const NEEDED: u64 = 1;
    const RPATH: u64 = 15;
    const RUNPATH: u64 = 29;
    let mut needed = Needed::default();
    let data = |name: &str| file.section_by_name(name).and_then(|section| section.data().ok());
    let (Some(dynamic), Some(strings)) = (data(".dynamic"), data(".dynstr")) else {
        return needed;
    };
    if !file.is_64() || !file.is_little_endian() {
        return needed;
    }
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    for entry in dynamic.chunks_exact(16) {
        let (tag, value) = (word(&entry[..8]), word(&entry[8..]) as usize);
        let text = strings.get(value..).and_then(|rest| rest.split(|&byte| byte == 0).next());
        let text = text.map(|text| String::from_utf8_lossy(text).into_owned());
        match tag {
            NEEDED => needed.names.extend(text),
            RPATH | RUNPATH => {
                needed.runpath.extend(text.unwrap_or_default().split(':').map(str::to_owned));
            }
            _ => {}
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_interface_is_that_of_the_header() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/include");
        let header = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let line = format!("#define CLL_VERSION {}", super::INTERFACE);
        assert!(header("cll.h").lines().any(|found| found == line), "{line}");
        let record = format!(
            "\\\"model\\\":\\\"BSP\\\",\\\"places\\\":[],\\\"interface\\\":{}}}",
            super::INTERFACE
        );
        assert!(header("bsp.h").contains(&record), "{record}");
        let record = record.replace("BSP", "PUB");
        assert!(header("pub.h").contains(&record), "{record}");
    }
}
