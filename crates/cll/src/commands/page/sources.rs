//! The program's sources, if they have not changed since the measurement.

use std::fs;
use std::path::{Path, PathBuf};

use cll_report::{PageRegion, PageSource};
use cll_result::{ModelFile, SourceModel};

use crate::failure::reason;

/// Larger files are not included in a page.
const MAX_BYTES: u64 = 16 << 20;

/// Every source of the program with its regions, and where those that can be shown are.
pub fn sources(
    model: &ModelFile,
    regions: &[(String, PageRegion)],
    folder: &Path,
) -> Vec<(PageSource, Option<PathBuf>)> {
    let named = model.program.iter().flat_map(|program| &program.sources);
    named
        .map(|source| {
            let (text, note, path) = match read(source, folder) {
                Ok((text, note, path)) => (Some(text), note, Some(path)),
                Err(note) => (None, note, None),
            };
            let own = regions.iter().filter(|(file, _)| *file == source.file);
            let regions = own.map(|(_, region)| *region).collect();
            (PageSource { file: source.file.clone(), text, note, regions, sets: None }, path)
        })
        .collect()
}

/// The text, a note on it and its place, or the reason why it is not shown.
fn read(source: &SourceModel, folder: &Path) -> Result<(String, String, PathBuf), String> {
    let mut why = String::from("It was not found when this page was made.");
    for path in places(&source.file, folder) {
        match fs::metadata(&path) {
            Ok(file) if !file.is_file() => continue,
            Ok(file) if file.len() > MAX_BYTES => {
                return Err("It is too large for a page.".to_owned());
            }
            Ok(_) => {}
            Err(_) => continue,
        }
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                why = format!("It could not be read when this page was made: {}.", reason(&error));
                continue;
            }
        };
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        if source.crc32.is_empty() {
            let note = "The source when this page was made. Without a checksum it may differ from \
                        the measured one.";
            return Ok((text(), note.to_owned(), path));
        }
        if format!("{:08x}", crc32fast::hash(&bytes)) == source.crc32 {
            return Ok((text(), String::new(), path));
        }
        why = "It has changed since it was measured, so it is not shown.".to_owned();
    }
    Err(why)
}

/// The paths that a source may have: as it was named, or relative to the folder where the model's folder was made.
fn places(file: &str, folder: &Path) -> Vec<PathBuf> {
    let above = folder.parent().unwrap_or(Path::new("."));
    vec![PathBuf::from(file), above.join(file), folder.join(file)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_shown_if_it_is_what_was_measured() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("x.cll");
        fs::write(place.path().join("x.c"), "int x;\n").unwrap();
        let source = |crc32: &str| SourceModel { file: "x.c".into(), crc32: crc32.into() };
        let right = format!("{:08x}", crc32fast::hash(b"int x;\n"));
        let expected = ("int x;\n".into(), String::new(), place.path().join("x.c"));
        assert_eq!(read(&source(&right), &folder), Ok(expected));
        assert!(read(&source(""), &folder).unwrap().1.contains("Without a checksum"));
        assert!(read(&source("00000000"), &folder).unwrap_err().contains("changed"));
        let gone = SourceModel { file: "y.c".into(), crc32: String::new() };
        assert!(read(&gone, &folder).unwrap_err().contains("not found"));
        let folder_itself = SourceModel { file: ".".into(), crc32: String::new() };
        assert!(read(&folder_itself, &folder).is_err());
    }
}
