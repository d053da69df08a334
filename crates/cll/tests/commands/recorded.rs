//! Recorded runs (`tests/recorded`) for tests of commands that read logs: no program is compiled or run. `cargo xtask
//! record` makes them anew.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::PathBuf;

use cll_trace::layout::{BlockHeader, FORMAT_VERSION, HEADER_SIZE, KIND_META};
use serde::Deserialize;
use serde_json::Value;

use crate::mpi_calls::MPIS;
use crate::support::Place;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded");

#[derive(Deserialize)]
struct Table {
    recording: Vec<Recording>,
}

/// A line of `recordings.toml`, as far as tests read it.
#[derive(Deserialize)]
struct Recording {
    name: String,
    source: String,
    ranks: u32,
    by: Vec<String>,
    files: Option<usize>,
}

fn table() -> Vec<Recording> {
    let text = fs::read_to_string(format!("{RECORDED}/recordings.toml")).expect("the table");
    toml::from_str::<Table>(&text).expect("the table").recording
}

impl Recording {
    fn source(&self) -> PathBuf {
        if self.source.contains('/') {
            PathBuf::from(format!("{RECORDED}/../../../../{}", self.source))
        } else {
            PathBuf::from(format!("{RECORDED}/sources/{}", self.source))
        }
    }

    /// The source's name, without its ending.
    fn stem(&self) -> String {
        self.source().file_stem().unwrap().to_str().unwrap().to_owned()
    }

    fn logs(&self, by: &str) -> Vec<PathBuf> {
        let folder = format!("{RECORDED}/{by}/{}", self.name);
        let Ok(entries) = fs::read_dir(&folder) else { panic!("{folder}: cargo xtask record") };
        let mut logs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        logs.sort();
        logs
    }
}

fn find(name: &str, by: &str) -> Recording {
    let listed = |recording: &Recording| {
        recording.name == name && recording.by.iter().any(|other| other == by)
    };
    table().into_iter().find(listed).unwrap_or_else(|| panic!("no recording {name} by {by}"))
}

/// A recorded run of a program of MPI in a folder of the place, its program and its source beside that: the logs.
pub fn logs(place: &Place, mpi: &str, name: &str) -> Vec<String> {
    logs_in(place, mpi, name, &format!("out-{name}-{mpi}"))
}

/// The same in a folder of this name.
pub fn logs_in(place: &Place, mpi: &str, name: &str, folder: &str) -> Vec<String> {
    let recording = find(name, mpi);
    let program = format!("{}-{mpi}", recording.stem());
    place.write(&program, fs::read(format!("{RECORDED}/{mpi}/programs/{program}")).unwrap());
    let source = recording.source();
    place.write(source.file_name().unwrap().to_str().unwrap(), fs::read(&source).unwrap());
    let copied = recording.logs(mpi).into_iter().map(|log| {
        let to = format!("{folder}/{}", log.file_name().unwrap().to_str().unwrap());
        place.write(&to, fs::read(log).unwrap());
        to
    });
    copied.collect()
}

/// The log of a recorded run of a BSP program, under another name.
pub fn log(place: &Place, engine: &str, name: &str, to: &str) {
    let logs = find(name, engine).logs(engine);
    place.write(to, fs::read(&logs[0]).unwrap());
}

/// Why a recording cannot be used any more.
fn trouble(bytes: &[u8]) -> Result<(), String> {
    let anew = "cargo xtask record";
    let mut rest = bytes;
    let mut format = None;
    while !rest.is_empty() {
        let header = BlockHeader::decode(rest).filter(BlockHeader::is_plausible);
        let header = header.ok_or(format!("something that is no block: {anew}"))?;
        let block = rest.get(..header.capacity as usize).ok_or(format!("a cut block: {anew}"))?;
        let used = &block[HEADER_SIZE..HEADER_SIZE + header.used as usize];
        if header.is_sealed() && crc32fast::hash(used) != header.payload_crc {
            return Err(format!("a damaged block: {anew}"));
        }
        if header.kind == KIND_META {
            let tables = used.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            for table in tables {
                let table: Value = serde_json::from_slice(table)
                    .map_err(|error| format!("a table that is no JSON ({error}): {anew}"))?;
                format = format.or(table["format"].as_u64());
            }
        }
        rest = &rest[block.len()..];
    }
    match format {
        None => Err(format!("it does not have its format: {anew}")),
        Some(format) if format != u64::from(FORMAT_VERSION) => {
            Err(format!("made by an older format ({format}, now {FORMAT_VERSION}): {anew}"))
        }
        Some(_) => Ok(()),
    }
}

#[test]
fn recordings_have_the_format_of_today_and_are_of_their_sources() {
    let checksums = fs::read_to_string(format!("{RECORDED}/made.toml")).expect("checksums");
    let made: BTreeMap<String, String> = toml::from_str(&checksums).expect("checksums");
    let mut known = HashSet::from(["programs".to_owned()]);
    let mut wrong = Vec::new();
    for recording in table() {
        let source = fs::read(recording.source()).expect("its source");
        if made.get(&recording.name) != Some(&format!("{:08x}", crc32fast::hash(&source))) {
            let name = &recording.source;
            wrong.push(format!("{}: {name} has changed: cargo xtask record", recording.name));
        }
        for by in &recording.by {
            let logs = recording.logs(by);
            let is_mpi = MPIS.contains(&by.as_str());
            let files =
                recording.files.unwrap_or(if is_mpi { recording.ranks as usize } else { 1 });
            assert_eq!(logs.len(), files, "{} by {by}", recording.name);
            for log in logs {
                if let Err(why) = trouble(&fs::read(&log).unwrap()) {
                    wrong.push(format!("{}: {why}", log.display()));
                }
            }
        }
        known.insert(recording.name);
    }
    // Those that nobody reads any more.
    for by in fs::read_dir(RECORDED).unwrap().map(|entry| entry.unwrap().path()) {
        if by.is_dir() && !by.ends_with("sources") {
            let names = fs::read_dir(by).unwrap().map(|entry| entry.unwrap().file_name());
            let names = names.map(|name| name.into_string().unwrap());
            wrong.extend(
                names
                    .filter(|name| !known.contains(name))
                    .map(|name| format!("{name} is not in recordings.toml")),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_recording_of_an_older_format_and_a_damaged_one_are_named() {
    let log = find("slaves", "mpich").logs("mpich").remove(0);
    let bytes = fs::read(log).unwrap();
    assert_eq!(trouble(&bytes), Ok(()));
    let says = |bytes: &[u8], expected: &str| {
        assert_eq!(trouble(bytes), Err(format!("{expected}: cargo xtask record")));
    };
    // The same tables with another number, and the checksum of that.
    let text = format!("\"format\":{FORMAT_VERSION}");
    let position = bytes.windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
    let mut older = bytes.clone();
    older[position + text.len() - 1] = b'1';
    says(&older, "a damaged block");
    let mut first = BlockHeader::decode(&older).unwrap();
    assert_eq!(first.kind, KIND_META);
    first.payload_crc = crc32fast::hash(&older[HEADER_SIZE..HEADER_SIZE + first.used as usize]);
    first.header_crc = first.checksum();
    older[..HEADER_SIZE].copy_from_slice(&first.encode());
    says(&older, &format!("made by an older format (1, now {FORMAT_VERSION})"));
    says(&bytes[..bytes.len() - 8], "a cut block");
    says(&[&b"text"[..], &bytes].concat(), "something that is no block");
    says(b"", "it does not have its format");
}
