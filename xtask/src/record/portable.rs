//! Logs without what is of one machine only: paths are relative, and the unused parts of blocks are gone.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use cll_trace::layout::{BlockHeader, HEADER_SIZE, KIND_META, compact, round_up};
use serde_json::Value;

/// The name of the machine in recordings.
const HOST: &str = "recorder";

/// Where libraries are in recordings. There are none: another machine has others, and to read the debug information of
/// the C library takes longer than all the rest.
const LIBRARIES: &str = "/recorded";

/// A log that was made in the folder `work`.
pub fn log(bytes: &[u8], work: &Path) -> Result<Vec<u8>> {
    let work = work.to_str().context("a path that is no text")?;
    let mut portable = Vec::new();
    let mut rest = bytes;
    while let Some(header) = BlockHeader::decode(rest) {
        let size = header.capacity as usize;
        ensure!(size >= HEADER_SIZE && size <= rest.len(), "a block of {size} bytes");
        let (block, behind) = rest.split_at(size);
        rest = behind;
        let mut block = block.to_vec();
        if header.kind == KIND_META {
            block = tables(&block, header, work)?;
        }
        // A block without a kind is empty.
        if compact(&mut block) {
            portable.extend(block);
        }
    }
    ensure!(rest.iter().all(|byte| *byte == 0), "{} bytes that are in no block", rest.len());
    let is_left = |what: &str| portable.windows(what.len()).any(|bytes| bytes == what.as_bytes());
    ensure!(!is_left(work), "the path {work} is left in it");
    Ok(portable)
}

/// A block of tables with other texts.
fn tables(block: &[u8], header: BlockHeader, work: &str) -> Result<Vec<u8>> {
    let used = block.get(HEADER_SIZE..HEADER_SIZE + header.used as usize).context("a cut block")?;
    let mut text = Vec::new();
    for line in used.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut table: Value = serde_json::from_slice(line).context("a table that is no JSON")?;
        without_machine(&mut table, work);
        if table["type"] == "module"
            && let Some(library) = table["path"].as_str().filter(|path| path.starts_with('/'))
        {
            let name = library.rsplit('/').next().unwrap_or(library);
            table["path"] = format!("{LIBRARIES}/{name}").into();
        }
        serde_json::to_writer(&mut text, &table)?;
        text.push(b'\n');
    }
    let used = text.len() as u32;
    let capacity = round_up(HEADER_SIZE + text.len(), 8);
    let mut header = BlockHeader { used, capacity: capacity as u32, ..header };
    if header.is_sealed() {
        header.payload_crc = crc32fast::hash(&text);
        header.header_crc = header.checksum();
    }
    let mut block = header.encode().to_vec();
    block.extend(text);
    block.resize(capacity, 0);
    Ok(block)
}

fn without_machine(value: &mut Value, work: &str) {
    match value {
        Value::String(text) => {
            *text = text.replace(&format!("{work}/"), "").replace(work, ".");
        }
        Value::Array(all) => all.iter_mut().for_each(|value| without_machine(value, work)),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match name.as_str() {
                    "host" | "clock_of" => *value = HOST.into(),
                    _ => without_machine(value, work),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cll_trace::layout::{BlockHeader, HEADER_SIZE, KIND_META, meta_block};
    use cll_trace::meta::{Meta, Module, Process};

    /// The tables of a log of one block.
    fn tables(log: &[u8]) -> (BlockHeader, Vec<Meta>) {
        let header = BlockHeader::decode(log).expect("a block");
        let used = &log[HEADER_SIZE..HEADER_SIZE + header.used as usize];
        let lines = used.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        (header, lines.map(|line| serde_json::from_slice(line).expect("a table")).collect())
    }

    #[test]
    fn nothing_of_the_machine_is_left() {
        let process = Process {
            program: "/tmp/work/ring".to_owned(),
            args: vec!["/tmp/work/data".to_owned(), "40".to_owned()],
            cwd: "/tmp/work".to_owned(),
            host: "here".to_owned(),
            ..Process::default()
        };
        let module = |id, path: &str| {
            Meta::Module(Module { id, path: path.to_owned(), ..Module::default() })
        };
        let metas =
            [Meta::Process(process), module(0, "/tmp/work/ring"), module(1, "/lib/libc.so.6")];
        let mut log = meta_block(&metas, BlockHeader::default());
        // Room that is not used, as a program leaves it.
        let (mut header, _) = tables(&log);
        log.resize(log.len() + 4096, 0);
        header.capacity = log.len() as u32;
        header.header_crc = header.checksum();
        log[..HEADER_SIZE].copy_from_slice(&header.encode());
        log.extend([0; 512]);

        let portable = super::log(&log, Path::new("/tmp/work")).expect("a log");
        assert!(portable.len() < 700, "{}", portable.len());
        let (header, metas) = tables(&portable);
        assert!(header.is_plausible() && header.kind == KIND_META);
        let used = &portable[HEADER_SIZE..HEADER_SIZE + header.used as usize];
        assert_eq!(header.payload_crc, crc32fast::hash(used));
        let Meta::Process(process) = &metas[0] else { panic!("{metas:?}") };
        assert_eq!((process.program.as_str(), process.cwd.as_str()), ("ring", "."));
        assert_eq!(
            (process.args.as_slice(), process.host.as_str()),
            (&["data".to_owned(), "40".to_owned()][..], "recorder")
        );
        let paths = metas[1..].iter().map(|meta| match meta {
            Meta::Module(module) => module.path.as_str(),
            other => panic!("{other:?}"),
        });
        assert_eq!(paths.collect::<Vec<_>>(), ["ring", "/recorded/libc.so.6"]);
        assert!(super::log(b"no block", Path::new("/tmp/work")).is_err());
    }
}
