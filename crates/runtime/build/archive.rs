// Makes libcll.a, libcll.so and libbsp.a of the crate beside this file. Plain std, to be
// included as a module by a build script, a test or a benchmark.
//
// The crate is compiled by a Cargo of its own, in a profile of its own (no
// unwinding, link-time optimisation over all crates), since Cargo has neither
// a panic setting per package nor static libraries as dependencies. Then one object is
// linked of it, without what nothing reaches, and all its symbols but `cll_*` are
// made local: so it clashes with no other Rust library in a program.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs are compiled and linked with.
#[derive(Clone, Debug)]
pub struct Libcll {
    /// `cll.h`; the other [`HEADERS`] lie beside it.
    pub header: PathBuf,
    /// `libcll.a`.
    pub archive: PathBuf,
    /// `libcll.so`.
    pub shared: PathBuf,
    /// `libbsp.a`, with BSPlib's functions under their own names; it needs one of the others.
    pub plain_bsp: PathBuf,
}

/// What programs include.
pub const HEADERS: [&str; 5] = ["cll.h", "bsp.h", "mcbsp.h", "pub.h", "pub/bsp.h"];

/// Every file that the libraries depend on, for `cargo::rerun-if-changed`: the
/// sources of the crate and of those it uses, the workspace's manifest and lock.
pub fn inputs() -> io::Result<Vec<PathBuf>> {
    let workspace = workspace();
    let mut files = vec![workspace.join("Cargo.toml")];
    files.extend(Some(workspace.join("Cargo.lock")).filter(|lock| lock.exists()));
    let runtime = workspace.join("crates/runtime");
    files.push(runtime.join("Cargo.toml"));
    files.push(runtime.join("build.rs"));
    for used in ["bsp", "trace"].map(|name| workspace.join("crates").join(name)) {
        files.push(used.join("Cargo.toml"));
        list(&used.join("src"), &mut files)?;
    }
    for folder in [runtime.join("build"), runtime.join("src"), runtime.join("include")] {
        list(&folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

/// Builds the libraries into `out`, or finds them there if nothing has changed since.
/// `target` is a target triple, that of the programs to be measured.
///
/// The tools are `cargo` (`CARGO`), `cc`, `ld`, `nm` and `objcopy` (`CC`, `LD`,
/// `NM`, `OBJCOPY`); settings of an outer Cargo for flags, wrappers, profiles and folders
/// are not handed on.
pub fn build(out: &Path, target: &str) -> Result<Libcll, Box<dyn Error>> {
    fs::create_dir_all(out.join("pub"))?;
    let made = Libcll {
        header: out.join("cll.h"),
        archive: out.join("libcll.a"),
        shared: out.join("libcll.so"),
        plain_bsp: out.join("libbsp.a"),
    };
    let stamp = out.join("libcll.stamp");
    let wanted = fingerprint(target)?;
    let headers = HEADERS.map(|name| out.join(name));
    let complete = [&made.archive, &made.shared, &made.plain_bsp]
        .into_iter()
        .chain(&headers)
        .all(|file| file.exists());
    if complete && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(made);
    }
    let _ = fs::remove_file(&stamp);
    let library = compile(&out.join("libcll"), target)?;
    let object = out.join("libcll.o");
    link_one_object(&library, &object)?;
    archive(&object, &made.archive)?;
    share(&object, &made.shared)?;
    let object = out.join("libbsp.o");
    compile_plain_bsp(&object)?;
    archive(&object, &made.plain_bsp)?;
    for (name, to) in HEADERS.iter().zip(&headers) {
        fs::copy(workspace().join("crates/runtime/include").join(name), to)?;
    }
    fs::write(&stamp, wanted)?;
    Ok(made)
}

/// The static library as Cargo makes it.
fn compile(target_folder: &Path, target: &str) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        if belongs_to_outer_cargo(&name.to_string_lossy()) {
            cargo.env_remove(name);
        }
    }
    // Set and empty, so that neither the environment nor a configuration file gives others.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "");
    cargo.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    cargo.current_dir(workspace());
    cargo.args(["rustc", "--quiet", "--profile", "runtime", "--package", "cll-runtime", "--lib"]);
    // Were the crate also made into a Rust library, there would be no link-time optimisation.
    cargo.args(["--crate-type", "staticlib"]);
    cargo.arg("--target").arg(target).arg("--target-dir").arg(target_folder);
    if workspace().join("Cargo.lock").exists() {
        cargo.arg("--locked");
    }
    run(&mut cargo)?;
    let library = target_folder.join(target).join("runtime/libcll_runtime.a");
    match library.exists() {
        true => Ok(library),
        false => Err(format!("cargo built no {}", library.display()).into()),
    }
}

fn link_one_object(library: &Path, object: &Path) -> Result<(), Box<dyn Error>> {
    let mut ld = tool("LD", "ld");
    // Without groups: of two with one name the linker drops the second, and in ours what
    // other Rust code would look for in it is local.
    ld.args(["-r", "--gc-sections", "--force-group-allocation", "-o"]).arg(object);
    // In the order of their names, so that the result is the same each time.
    for symbol in public_symbols(library)? {
        ld.arg("-u").arg(symbol);
    }
    run(ld.arg(library))?;
    let mut objcopy = tool("OBJCOPY", "objcopy");
    objcopy.args(["--wildcard", "--keep-global-symbol=cll_*", "--strip-debug"]);
    // Bitcode of parts of Rust's own library: a linker with LLVM's plugin would take all for it.
    objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
    run(objcopy.arg(object)).map(drop)
}

fn public_symbols(library: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut nm = tool("NM", "nm");
    let table =
        run(nm.args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(library))?;
    let symbols: BTreeSet<String> =
        table.lines().filter(|name| name.starts_with("cll_")).map(str::to_owned).collect();
    match symbols.is_empty() {
        true => Err(format!("{} defines no cll_*", library.display()).into()),
        false => Ok(symbols),
    }
}

/// The archive has the object alone.
fn archive(object: &Path, archive: &Path) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_file(archive);
    // D: no times and owners, so that the result is the same each time.
    run(tool("AR", "ar").arg("rcsD").arg(archive).arg(object)).map(drop)
}

fn share(object: &Path, shared: &Path) -> Result<(), Box<dyn Error>> {
    let mut cc = tool("CC", "cc");
    cc.args(["-shared", "-o"]).arg(shared).arg(object);
    // Threads and exit call into it, so it must stay loaded.
    cc.args([
        "-Wl,-soname,libcll.so",
        "-Wl,-z,nodelete",
        "-Wl,-z,defs",
        "-lpthread",
        "-ldl",
        "-lm",
    ]);
    run(&mut cc).map(drop)
}

/// Its names are those of every BSPlib, so it is no part of the others.
fn compile_plain_bsp(object: &Path) -> Result<(), Box<dyn Error>> {
    let runtime = workspace().join("crates/runtime");
    let mut cc = tool("CC", "cc");
    cc.args(["-O2", "-fPIC", "-c", "-I"]).arg(runtime.join("include"));
    cc.arg("-o").arg(object).arg(runtime.join("src/bsp/libbsp.c"));
    run(&mut cc).map(drop)
}

/// A change of this is a change of the libraries.
fn fingerprint(target: &str) -> io::Result<String> {
    // FNV-1a, 64 bits: told apart are versions of our own files, not attacks.
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    for file in inputs()? {
        add(file.as_os_str().as_encoded_bytes());
        add(&fs::read(file)?);
    }
    for name in ["CC", "LD", "NM", "OBJCOPY", "AR", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        add(env::var_os(name).unwrap_or_default().as_encoded_bytes());
        add(b"\n");
    }
    Ok(format!("{hash:016x} {target}\n"))
}

fn belongs_to_outer_cargo(name: &str) -> bool {
    let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTC"];
    let outer = ["CARGO", "RUST", "CLIPPY", "MAKEFLAGS", "MFLAGS", "DEP_"];
    let exact = ["OUT_DIR", "TARGET", "HOST", "NUM_JOBS", "OPT_LEVEL", "PROFILE", "DEBUG"];
    !kept.contains(&name)
        // The user's: without RUSTUP_AUTO_INSTALL=0 a build might change their toolchains.
        && !name.starts_with("RUSTUP_")
        && !name.starts_with("CARGO_HTTP_")
        && !name.starts_with("CARGO_REGISTR")
        && (outer.iter().any(|prefix| name.starts_with(prefix)) || exact.contains(&name))
}

fn tool(variable: &str, default: &str) -> Command {
    let set = env::var_os(variable).filter(|value| !value.is_empty());
    let set = set.unwrap_or_else(|| OsString::from(default));
    let text = set.to_string_lossy();
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next().map_or(OsStr::new(default), OsStr::new));
    command.args(words);
    command
}

/// What it prints on standard output.
fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{name} failed ({}):\n{said}\nthe command: {command:?}", output.status)
                .into())
        }
    }
}

fn workspace() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let holds_the_runtime = |folder: &&Path| folder.join("crates/runtime/Cargo.toml").exists();
    folder.ancestors().find(holds_the_runtime).unwrap_or(folder).to_path_buf()
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, into)?,
            false => into.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::belongs_to_outer_cargo;

    #[test]
    fn what_the_user_tells_rustup_reaches_the_inner_build() {
        for name in ["RUSTUP_AUTO_INSTALL", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "RUSTC", "PATH"] {
            assert!(!belongs_to_outer_cargo(name), "{name}");
        }
        for name in ["RUSTFLAGS", "CARGO_MANIFEST_DIR", "OUT_DIR"] {
            assert!(belongs_to_outer_cargo(name), "{name}");
        }
    }
}
