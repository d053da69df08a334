//! Checksums of files.

use std::fs;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

/// The SHA-256 of a file, hexadecimal; `None` if it cannot be read.
pub fn digest(path: &Path) -> Option<String> {
    let mut file = fs::File::open(path).ok()?;
    let (mut hash, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part).ok()? {
            0 => break,
            length => hash.update(&part[..length]),
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
