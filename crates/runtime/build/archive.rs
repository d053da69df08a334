// Builds libcll.a, libcll.so and libbsp.a from the crate beside this file. It uses only std and is included as
// a module by a build script, a test or a benchmark.
//
// The crate is compiled by a separate Cargo process with its own profile (no unwinding, link-time optimisation
// over all crates), since Cargo has neither a panic setting per package nor static libraries as dependencies.
// The result is linked into one object without unreachable code, and all its symbols except `cll_*` are made
// local, so it clashes with no other Rust library in a program.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files with which programs are compiled and linked.
#[derive(Clone, Debug)]
pub struct Libcll {
    /// `cll.h`; the other [`HEADERS`] are in the same folder.
    pub header: PathBuf,
    /// `libcll.a`.
    pub archive: PathBuf,
    /// `libcll.so`.
    pub shared: PathBuf,
    /// `libbsp.a`, with BSPlib's functions under their own names; it needs one of the other libraries.
    pub plain_bsp: PathBuf,
}

/// The headers that programs include.
pub const HEADERS: [&str; 9] = [
    "cll.h",
    "cll_mpi.h",
    "cll_mpi_sync.h",
    "cll_mpi_world.h",
    "bsp.h",
    "bsp_level1.h",
    "mcbsp.h",
    "pub.h",
    "pub/bsp.h",
];

/// Every file that the libraries depend on, for `cargo::rerun-if-changed`: the sources of the crate and of
/// those it uses, the workspace's manifest and lock.
pub fn inputs() -> io::Result<Vec<PathBuf>> {
    let workspace = workspace();
    let mut files = vec![workspace.join("Cargo.toml")];
    files.extend(Some(workspace.join("Cargo.lock")).filter(|lock| lock.exists()));
    let runtime = workspace.join("crates/runtime");
    files.push(runtime.join("Cargo.toml"));
    files.push(runtime.join("build.rs"));
    for used in ["bsp", "contract", "mpicc", "statistics", "trace"]
        .map(|name| workspace.join("crates").join(name))
    {
        files.push(used.join("Cargo.toml"));
        list(&used.join("src"), &mut files)?;
    }
    for folder in [runtime.join("build"), runtime.join("src"), runtime.join("include")] {
        list(&folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

/// Builds the libraries in `out`. `target` is the target triple of the programs to be measured.
///
/// They are built once for all callers with one target folder (checks and builds run the same build script
/// separately), and again when something that they depend on has changed.
///
/// The tools are `cargo` (`CARGO`), `cc`, `ld`, `nm` and `objcopy` (`CC`, `LD`, `NM`, `OBJCOPY`). Settings of
/// an outer Cargo for flags, wrappers, profiles and folders are not passed on.
pub fn build(out: &Path, target: &str) -> Result<Libcll, Box<dyn Error>> {
    fs::create_dir_all(out)?;
    let common = common_folder(out, target);
    fs::create_dir_all(common.join("pub"))?;
    let lock = File::create(common.join("lock"))?;
    lock.lock()?;
    let built = Libcll::in_folder(&common);
    let stamp = common.join("libcll.stamp");
    let wanted = fingerprint(target)?;
    if !built.is_complete() || !fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        let _ = fs::remove_file(&stamp);
        make(&built, &common, target)?;
        fs::write(&stamp, wanted)?;
    }
    let made = Libcll::in_folder(out);
    for (from, to) in built.files().iter().zip(&made.files()) {
        copy_if_other(from, to)?;
    }
    Ok(made)
}

impl Libcll {
    fn in_folder(folder: &Path) -> Libcll {
        Libcll {
            header: folder.join("cll.h"),
            archive: folder.join("libcll.a"),
            shared: folder.join("libcll.so"),
            plain_bsp: folder.join("libbsp.a"),
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let headers = HEADERS.iter().map(|name| self.header.with_file_name(name));
        let libraries = [&self.archive, &self.shared, &self.plain_bsp];
        libraries.into_iter().cloned().chain(headers).collect()
    }

    fn is_complete(&self) -> bool {
        self.files().iter().all(|file| file.exists())
    }
}

/// A folder in the target folder that contains `out`; if there is none, `out` itself.
fn common_folder(out: &Path, target: &str) -> PathBuf {
    let is_target_folder = |folder: &&Path| folder.join("CACHEDIR.TAG").exists();
    match out.ancestors().find(is_target_folder) {
        Some(folder) => folder.join("libcll").join(target),
        None => out.join("libcll"),
    }
}

/// Newer files cause other builds, so only files that differ are written.
fn copy_if_other(from: &Path, to: &Path) -> io::Result<()> {
    let bytes = fs::read(from)?;
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(to, bytes)
}

fn make(built: &Libcll, folder: &Path, target: &str) -> Result<(), Box<dyn Error>> {
    let library = compile(&folder.join("cargo"), target)?;
    let object = folder.join("libcll.o");
    link_one_object(&library, &object)?;
    archive(&object, &built.archive)?;
    share(&object, &built.shared)?;
    let object = folder.join("libbsp.o");
    compile_plain_bsp(&object)?;
    archive(&object, &built.plain_bsp)?;
    for name in HEADERS {
        let from = workspace().join("crates/runtime/include").join(name);
        fs::copy(from, built.header.with_file_name(name))?;
    }
    Ok(())
}

/// The static library as Cargo makes it.
fn compile(target_folder: &Path, target: &str) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        if belongs_to_outer_cargo(&name.to_string_lossy()) {
            cargo.env_remove(name);
        }
    }
    // Set and empty, so that neither the environment nor a configuration file sets others.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "");
    cargo.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    cargo.current_dir(workspace());
    cargo.args(["rustc", "--quiet", "--profile", "runtime", "--package", "cll-runtime", "--lib"]);
    // If the crate were also compiled as a Rust library, there would be no link-time optimisation.
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
    // Without section groups: of two groups with one name the linker drops the second, and in ours the symbols
    // that other Rust code would look for in it are local.
    ld.args(["-r", "--gc-sections", "--force-group-allocation", "-o"]).arg(object);
    // Sorted by name, so that the result is the same each time.
    for symbol in public_symbols(library)? {
        ld.arg("-u").arg(symbol);
    }
    run(ld.arg(library))?;
    let mut objcopy = tool("OBJCOPY", "objcopy");
    objcopy.args(["--wildcard", "--keep-global-symbol=cll_*", "--strip-debug"]);
    // Bitcode of parts of Rust's own library: a linker with LLVM's plugin would take it for the whole object.
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

/// The archive has only this object.
fn archive(object: &Path, archive: &Path) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_file(archive);
    // D: no times and owners, so that the result is the same each time.
    run(tool("AR", "ar").arg("rcsD").arg(archive).arg(object)).map(drop)
}

fn share(object: &Path, shared: &Path) -> Result<(), Box<dyn Error>> {
    let mut cc = tool("CC", "cc");
    cc.args(["-shared", "-o"]).arg(shared).arg(object);
    // The ends of threads and `exit` call into it, so it must stay loaded.
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

/// Its names are those of every BSPlib, so it is not part of the other libraries.
fn compile_plain_bsp(object: &Path) -> Result<(), Box<dyn Error>> {
    let runtime = workspace().join("crates/runtime");
    let mut cc = tool("CC", "cc");
    cc.args(["-O2", "-fPIC", "-c", "-I"]).arg(runtime.join("include"));
    cc.arg("-o").arg(object).arg(runtime.join("src/bsp/libbsp.c"));
    run(&mut cc)?;
    // `cll cc` names it in every command that links: a function that the program defines itself takes
    // precedence.
    let mut objcopy = tool("OBJCOPY", "objcopy");
    run(objcopy.args(["--wildcard", "--weaken-symbol=bsp_*"]).arg(object)).map(drop)
}

/// A change of this value means a change of the libraries.
fn fingerprint(target: &str) -> Result<String, Box<dyn Error>> {
    // FNV-1a, 64 bits. It distinguishes versions of our own files and need not resist attacks.
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
    // Only build scripts know its path; its version output is the same for all callers.
    let mut compiler = tool("RUSTC", "rustc");
    add(run(compiler.current_dir(workspace()).arg("-vV"))?.as_bytes());
    for name in ["CC", "LD", "NM", "OBJCOPY", "AR"] {
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

/// Returns its standard output.
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
    fn settings_for_rustup_reach_the_inner_build() {
        for name in ["RUSTUP_AUTO_INSTALL", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "RUSTC", "PATH"] {
            assert!(!belongs_to_outer_cargo(name), "{name}");
        }
        for name in ["RUSTFLAGS", "CARGO_MANIFEST_DIR", "OUT_DIR"] {
            assert!(belongs_to_outer_cargo(name), "{name}");
        }
    }
}
