//! Files in the format of programs, with sections and nothing to run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file to write.
#[derive(Clone, Debug, Default)]
pub struct Elf {
    /// The records of translated sources; `None`: no such section.
    pub records: Option<Vec<u8>>,
    /// The libraries that it needs.
    pub needed: Vec<String>,
    /// Where they are searched.
    pub runpath: String,
    /// The functions that it has from libraries.
    pub functions: Vec<String>,
}

/// The record of a source: JSON after the magic.
pub fn record(json: &str) -> Vec<u8> {
    format!("CLLMODEL 1 {json}\0").into_bytes()
}

/// A record of a source with a model, of this version's interface.
pub fn unit(model: &str) -> Vec<u8> {
    record(&format!(
        r#"{{"file":"a.c","model":"{model}","compiler":"gcc -O2","interface":2,"places":[{{"experiment":"f","line":3}}]}}"#
    ))
}

struct Section {
    name: &'static str,
    kind: u32,
    link: u32,
    entry: u64,
    data: Vec<u8>,
}

impl Elf {
    /// With these records.
    pub fn with(records: Vec<u8>) -> Elf {
        Elf { records: Some(records), ..Elf::default() }
    }

    /// Returns the bytes of the file, for x86-64.
    pub fn bytes(&self) -> Vec<u8> {
        const PROGBITS: u32 = 1;
        const STRTAB: u32 = 3;
        const DYNAMIC: u32 = 6;
        const DYNSYM: u32 = 11;
        let mut strings = vec![0];
        let mut word = |text: &str| {
            let place = strings.len() as u64;
            strings.extend(text.bytes().chain([0]));
            place
        };
        let mut dynamic: Vec<u64> = self.needed.iter().flat_map(|name| [1, word(name)]).collect();
        dynamic.extend([29, word(&self.runpath), 0, 0]);
        let mut symbols = vec![0; 24];
        for name in &self.functions {
            // A global function that is defined elsewhere.
            symbols.extend((word(name) as u32).to_le_bytes());
            symbols.extend([0x12, 0, 0, 0]);
            symbols.extend([0; 16]);
        }
        let section = |name, kind, link, entry, data| Section { name, kind, link, entry, data };
        let dynamic = dynamic.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut sections = vec![
            section("", 0, 0, 0, Vec::new()),
            section(".dynstr", STRTAB, 0, 0, strings),
            section(".dynamic", DYNAMIC, 1, 16, dynamic),
            section(".dynsym", DYNSYM, 1, 24, symbols),
        ];
        let records = self.records.iter();
        sections.extend(records.map(|data| section(".cll.model", PROGBITS, 0, 0, data.clone())));
        sections.push(section(".shstrtab", STRTAB, 0, 0, Vec::new()));
        let last = sections.len() - 1;
        let mut names = Vec::new();
        let mut starts = Vec::new();
        for section in &sections {
            starts.push(names.len() as u32);
            names.extend(section.name.bytes().chain([0]));
        }
        sections[last].data = names;
        let mut bytes = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let data: usize = sections.iter().map(|section| section.data.len()).sum();
        let table = (64 + data).next_multiple_of(8) as u64;
        bytes.extend([3, 0, 62, 0, 1, 0, 0, 0]);
        bytes.extend([0; 16]);
        bytes.extend(table.to_le_bytes());
        let halves = [0, 0, 64, 0, 0, 64, sections.len() as u16, last as u16];
        bytes.extend(halves.iter().flat_map(|half: &u16| half.to_le_bytes()));
        let mut headers = Vec::new();
        for (section, start) in sections.iter().zip(starts) {
            headers.extend(start.to_le_bytes());
            headers.extend(section.kind.to_le_bytes());
            headers.extend([0; 16]);
            headers.extend((bytes.len() as u64).to_le_bytes());
            headers.extend((section.data.len() as u64).to_le_bytes());
            headers.extend(section.link.to_le_bytes());
            headers.extend([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
            headers.extend(section.entry.to_le_bytes());
            bytes.extend(&section.data);
        }
        bytes.resize(table as usize, 0);
        bytes.extend(headers);
        bytes
    }

    /// Writes it; returns its path.
    pub fn write(&self, folder: &Path, name: &str) -> PathBuf {
        executable(folder, name, &self.bytes())
    }
}

/// A file that may be executed.
pub fn executable(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
