//! Sources of Debian's archive, kept below `target/bench-auto`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::programs::{Input, Program};

const POOL: &str = "http://deb.debian.org/debian/pool/main";

/// Unpacks a program's source in a folder; fetches it at the first use.
pub fn unpack(program: &Program, kept: &Path, folder: &Path) -> Result<PathBuf> {
    let name = program.archive.rsplit('/').next().unwrap_or(program.name);
    let archive = kept.join(name);
    if !archive.exists() {
        fs::create_dir_all(kept)?;
        let url = format!("{POOL}/{}", program.archive);
        let new = kept.join(format!("{name}.new"));
        let done = Command::new("curl").args(["-sSfL", "-o"]).arg(&new).arg(&url).status();
        ensure!(done.context("curl")?.success(), "{url} cannot be fetched");
        fs::rename(&new, &archive)?;
    }
    let sum = Sha256::digest(fs::read(&archive)?);
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    ensure!(sum == program.sha256, "{}: its SHA-256 is {sum}", archive.display());
    fs::create_dir_all(folder)?;
    let done = Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder).status()?;
    ensure!(done.success(), "{} cannot be unpacked", archive.display());
    Ok(folder.join(program.folder))
}

/// Writes what the program reads.
pub fn write_input(program: &Program, size: u64, folder: &Path) -> Result<()> {
    let mut state = 2003u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let put =
        |name: &str, content: &[u8]| fs::write(folder.join(format!("{name}.{size}")), content);
    match program.input {
        Input::Nothing => {}
        Input::Words => {
            let words: Vec<String> = (0..4000)
                .map(|_| {
                    let letters = 2 + random() % 8;
                    (0..letters).map(|_| char::from(b'a' + (random() % 26) as u8)).collect()
                })
                .collect();
            let mut text = Vec::new();
            while text.len() < size as usize {
                // Some words are more frequent.
                let at = (random() % 4000).min(random() % 4000);
                text.extend_from_slice(words[at as usize].as_bytes());
                text.push(if random() % 12 == 0 { b'\n' } else { b' ' });
            }
            text.truncate(size as usize);
            put("text", &text)?;
        }
        Input::TwoFiles => {
            let mut bytes: Vec<u8> = (0..size).map(|_| random() as u8).collect();
            put("old", &bytes)?;
            (0..size / 1000).for_each(|_| {
                let at = (random() % size) as usize;
                bytes[at] ^= 0x55;
            });
            put("new", &bytes)?;
        }
        Input::Digits => put("sqrt", format!("scale={size}\nsqrt(2)\nquit\n").as_bytes())?,
        Input::Distances => {
            let points: Vec<[f64; 3]> = (0..size)
                .map(|_| [(); 3].map(|()| random() as f64 / f64::from(1u32 << 31)))
                .collect();
            let mut text = format!("{size}\n");
            for (row, from) in points.iter().enumerate() {
                text.push_str(&format!("s{row:<9}"));
                for to in &points {
                    let squares = from.iter().zip(to).map(|(a, b)| (a - b) * (a - b));
                    text.push_str(&format!(" {:.5}", squares.sum::<f64>().sqrt()));
                }
                text.push('\n');
            }
            put("distances", text.as_bytes())?;
        }
    }
    Ok(())
}
