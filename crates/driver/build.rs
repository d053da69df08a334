//! Builds libcll, which the program carries and measured programs are linked with.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

#[path = "../runtime/build/archive.rs"]
mod archive;

fn main() -> Result<(), Box<dyn Error>> {
    for input in archive::inputs()? {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    for name in ["CC", "LD", "NM", "OBJCOPY", "AR"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?);
    let made = archive::build(&out, &env::var("TARGET")?)?;
    // The headers and the archives go together.
    let mut hash = crc32fast::Hasher::new();
    let headers = archive::HEADERS.map(|name| made.header.with_file_name(name));
    for file in headers.iter().chain([&made.archive, &made.plain_bsp]) {
        hash.update(&fs::read(file)?);
    }
    println!("cargo::rustc-env=CLL_LIBRARY_HASH={:08x}", hash.finalize());
    Ok(())
}
