//! In a release build, makes libcll for the program to carry. While the program is developed, it finds libcll in the
//! target folder, so that a change of the library compiles nothing here again.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use cll_archive::Libcll;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(library_embedded)");
    let variable = |name| env::var(name).map_err(|error| format!("{name}: {error}"));
    let (out, target) = (PathBuf::from(variable("OUT_DIR")?), variable("TARGET")?);
    let folder = cll_archive::folder(&out, &target);
    // Cargo says "release" for all profiles that inherit it, those of `cargo install` and `cargo bench` among them.
    if variable("PROFILE")? == "debug" {
        println!("cargo::rustc-env=CLL_LIBRARY_FOLDER={}", folder.display());
        println!("cargo::rustc-env=CLL_LIBRARY_TARGET={target}");
        return Ok(());
    }
    for input in cll_archive::inputs()? {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    for name in ["CC", "LD", "NM", "OBJCOPY", "AR"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    cll_archive::build(&folder, &target)?.copy_to(&out)?;
    // The headers and the archives go together.
    let mut hash = crc32fast::Hasher::new();
    let mut list = String::from("[\n");
    for name in Libcll::names() {
        hash.update(&fs::read(out.join(name))?);
        writeln!(
            list,
            "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), {:?}))),",
            format!("/{name}")
        )?;
    }
    fs::write(out.join("embedded_files.rs"), list + "]\n")?;
    println!("cargo::rustc-env=CLL_LIBRARY_HASH={:08x}", hash.finalize());
    println!("cargo::rustc-cfg=library_embedded");
    Ok(())
}
