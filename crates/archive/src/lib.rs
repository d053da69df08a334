//! Builds libcll.a, libcll.so and libbsp.a from `crates/runtime`, and gathers the headers beside them.
//!
//! `crates/runtime` is compiled by a separate Cargo process with its own profile (no unwinding, link-time
//! optimisation over all crates), since Cargo has neither a panic setting per package nor static libraries as
//! dependencies. The result is linked into one object without unreachable code, and all its symbols except `cll_*` are
//! made local, so it clashes with no other Rust library in a program.
//!
//! A target folder has one copy, in `libcll/TARGET`: the program uses it while it is developed, a release carries it.
//!
//! Why: decision 0003.

#![forbid(unsafe_code)]

mod tools;

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use tools::{belongs_to_outer_cargo, run, tool};

/// The target for which this crate was compiled.
pub const TARGET: &str = env!("CLL_TARGET");

/// The archives and the shared library.
pub const LIBRARIES: [&str; 3] = ["libcll.a", "libcll.so", "libbsp.a"];

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

/// The files with which programs are compiled and linked.
#[derive(Clone, Debug)]
pub struct Libcll {
    /// The folder of all of them.
    pub folder: PathBuf,
    /// `cll.h`; the other [`HEADERS`] are in the same folder.
    pub header: PathBuf,
    /// `libcll.a`.
    pub archive: PathBuf,
    /// `libcll.so`.
    pub shared: PathBuf,
    /// `libbsp.a`, with BSPlib's functions under their own names; it needs one of the other libraries.
    pub plain_bsp: PathBuf,
}

/// Every file that the libraries depend on, for `cargo::rerun-if-changed`: the sources of the crate and of
/// those it uses, the workspace's manifest and lock.
///
/// # Errors
/// If a folder of the sources cannot be read.
pub fn inputs() -> io::Result<Vec<PathBuf>> {
    let workspace = workspace();
    let mut files = vec![workspace.join("Cargo.toml")];
    files.extend(Some(workspace.join("Cargo.lock")).filter(|lock| lock.exists()));
    let runtime = workspace.join("crates/runtime");
    files.push(runtime.join("Cargo.toml"));
    files.push(runtime.join("build.rs"));
    for used in ["bsp", "contract", "mpicc", "statistics", "trace", "units"]
        .map(|name| workspace.join("crates").join(name))
    {
        files.push(used.join("Cargo.toml"));
        list(&used.join("src"), &mut files)?;
    }
    for folder in
        [workspace.join("crates/archive/src"), runtime.join("src"), runtime.join("include")]
    {
        list(&folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

/// The folder of the libraries for a target, in the target folder that contains `inside`; if no target folder does,
/// in `inside` itself, or beside it if it is a file.
pub fn folder(inside: &Path, target: &str) -> PathBuf {
    let is_target_folder = |folder: &&Path| folder.join("CACHEDIR.TAG").exists();
    match inside.ancestors().find(is_target_folder) {
        Some(folder) => folder.join("libcll").join(target),
        None if inside.is_file() => inside.with_file_name("libcll"),
        None => inside.join("libcll"),
    }
}

/// Makes the libraries of a [`folder`] current. `target` is the target triple of the programs to be measured.
///
/// They are built once for all callers, and again when something that they depend on has changed. Callers at the same
/// time wait for one of them.
///
/// The tools are `cargo` (`CARGO`), `cc`, `ld`, `nm` and `objcopy` (`CC`, `LD`, `NM`, `OBJCOPY`). Settings of
/// an outer Cargo for flags, wrappers, profiles and folders are not passed on.
///
/// # Errors
/// If a source cannot be read, the folder not be written, or a tool fails.
pub fn build(folder: &Path, target: &str) -> Result<Libcll, Box<dyn Error>> {
    let built = Libcll::in_folder(folder);
    let stamp = folder.join("libcll.stamp");
    if built.is_complete() && is_newer(&stamp, &inputs()?) {
        return Ok(built);
    }
    fs::create_dir_all(folder.join("pub"))?;
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    let begin = SystemTime::now();
    let wanted = fingerprint(target)?;
    if !built.is_complete() || !fs::read_to_string(&stamp).is_ok_and(|stamped| stamped == wanted) {
        let _ = fs::remove_file(&stamp);
        make(&built, folder, target)?;
        fs::write(&stamp, wanted)?;
    }
    // What changes while they are built is newer.
    File::options().write(true).open(&stamp)?.set_modified(begin)?;
    Ok(built)
}

/// Whether no input was changed after the stamp.
fn is_newer(stamp: &Path, inputs: &[PathBuf]) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(stamped) = changed(stamp) else { return false };
    inputs.iter().all(|input| changed(input).is_some_and(|time| time < stamped))
}

impl Libcll {
    fn in_folder(folder: &Path) -> Libcll {
        Libcll {
            folder: folder.to_path_buf(),
            header: folder.join("cll.h"),
            archive: folder.join("libcll.a"),
            shared: folder.join("libcll.so"),
            plain_bsp: folder.join("libbsp.a"),
        }
    }

    /// The names of all files in the folder.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LIBRARIES.into_iter().chain(HEADERS)
    }

    fn is_complete(&self) -> bool {
        Libcll::names().all(|name| self.folder.join(name).exists())
    }

    /// Copies the files to another folder. Newer files cause other builds, so only files that differ are written.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn copy_to(&self, folder: &Path) -> io::Result<()> {
        for name in Libcll::names() {
            let (bytes, to) = (fs::read(self.folder.join(name))?, folder.join(name));
            if fs::read(&to).is_ok_and(|there| there == bytes) {
                continue;
            }
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(to, bytes)?;
        }
        Ok(())
    }
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
    if !library.exists() {
        return Err(format!("cargo built no {}", library.display()).into());
    }
    Ok(library)
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
    if symbols.is_empty() {
        Err(format!("{} defines no cll_*", library.display()).into())
    } else {
        Ok(symbols)
    }
}

/// The archive has only this object.
fn archive(object: &Path, archive: &Path) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_file(archive);
    // D: no times and owners, so that the result is the same each time.
    run(tool("AR", "ar").arg("rcsD").arg(archive).arg(object)).map(drop)
}

/// Links `libcll.so` of the same object. A `cdylib` of rustc does not export what C defines, and thread storage that C
/// reaches by name can only be defined in C.
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

/// Compiles the plain BSP library. The names in it are those of every BSPlib, so it is not part of the other libraries.
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

fn workspace() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let holds_the_runtime = |folder: &&Path| folder.join("crates/runtime/Cargo.toml").exists();
    folder.ancestors().find(holds_the_runtime).unwrap_or(folder).to_path_buf()
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, into)? } else { into.push(path) }
    }
    Ok(())
}
