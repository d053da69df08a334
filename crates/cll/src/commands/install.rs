//! `cll install`: installs all files under a prefix.

use std::env::{current_exe, split_paths, var_os};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::pages::{completion, write_pages};
use crate::cli::{BSP_LINKS, InstallArgs, LINKS, Shell};
use crate::failure::Failure;
use crate::files::{self, Kept, Output};
use crate::library::{self, EXPORT, NATIVE};
use crate::terminal::Terminal;

/// Installs; prints where.
pub fn run(args: &InstallArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let prefix = std::path::absolute(&args.prefix)
        .map_err(|error| Failure::file("use the prefix", &args.prefix, error))?;
    // Packages are built in another place than they will have.
    let root = match var_os("DESTDIR").filter(|place| !place.is_empty()) {
        None => prefix.clone(),
        Some(place) => PathBuf::from(place).join(prefix.strip_prefix("/").unwrap_or(&prefix)),
    };
    let mut names = LINKS.to_vec();
    if args.bsp_names {
        names.extend(BSP_LINKS);
    }
    let bin = root.join("bin");
    // Checked before anything is written.
    for name in &names {
        check_link(&bin.join(name))?;
    }
    let library = library::files()?;
    program(&root)?;
    for name in &names {
        link(&bin.join(name))?;
    }
    for (name, bytes) in &library {
        let folder = if name.ends_with(".h") { "include" } else { "lib" };
        file(&root, &format!("{folder}/{name}"), bytes)?;
    }
    file(&root, "lib/pkgconfig/cll.pc", package_config(&prefix).as_bytes())?;
    file(&root, "lib/cmake/cll/cll-config.cmake", cmake().as_bytes())?;
    file(&root, "lib/cmake/cll/cll-config-version.cmake", cmake_version().as_bytes())?;
    write_pages(&root.join("share/man/man1"))?;
    for (name, shell) in [
        ("share/bash-completion/completions/cll", Shell::Bash),
        ("share/zsh/site-functions/_cll", Shell::Zsh),
        ("share/fish/vendor_completions.d/cll.fish", Shell::Fish),
    ] {
        file(&root, name, &completion(shell))?;
    }
    terminal.line(format!("installed in {}", root.display()))?;
    let bin = prefix.join("bin");
    let path: Vec<PathBuf> = split_paths(&var_os("PATH").unwrap_or_default()).collect();
    if !path.contains(&bin) {
        terminal.note(&format!("{} is not in PATH", bin.display()));
    }
    for name in BSP_LINKS.iter().filter(|_| args.bsp_names) {
        let others = path.iter().filter(|folder| **folder != bin).map(|folder| folder.join(name));
        for other in others.filter(|other| files::is_executable(other) && !is_ours(other)) {
            terminal.note(&format!(
                "PATH also has {}, of another BSPlib: the first in PATH is used",
                other.display()
            ));
        }
    }
    Ok(0)
}

fn file(root: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = root.join(name);
    files::make_folder(files::folder(&path))?;
    let kind = if name.ends_with(".toml") { Kept::Machine } else { Kept::Source };
    Ok(Output::of_kind(&path, kind)?.write(bytes)?)
}

/// This program's file.
fn program(root: &Path) -> Result<(), Failure> {
    let own = current_exe()
        .map_err(|error| Failure::system(format!("cannot find this program's file: {error}")))?;
    let target = root.join("bin/cll");
    let same = own.canonicalize().ok() == target.canonicalize().ok();
    if !same || !target.exists() {
        let bytes = fs::read(&own).map_err(|error| Failure::file("read", &own, error))?;
        file(root, "bin/cll", &bytes)?;
        files::make_executable(&target)?;
    }
    Ok(())
}

/// Whether a path is one of our links.
fn is_ours(path: &Path) -> bool {
    fs::read_link(path).is_ok_and(|to| to.file_name().is_some_and(|name| name == "cll"))
}

/// Checks that the path is free or has one of our links.
fn check_link(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_ok() && !is_ours(path) {
        Err(Failure::system(format!("{} exists and is not a link of cll", path.display()))
            .help("remove it, or choose another prefix"))
    } else {
        Ok(())
    }
}

/// A link to the program, under another name.
fn link(path: &Path) -> Result<(), Failure> {
    if fs::read_link(path).is_ok_and(|to| to == Path::new("cll")) {
        return Ok(());
    }
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path).map_err(|error| Failure::file("replace", path, error))?;
    }
    symlink("cll", path).map_err(|error| Failure::file("make the link", path, error))
}

fn package_config(prefix: &Path) -> String {
    // Spaces in a path are escaped there.
    let prefix = prefix.display().to_string().replace('\\', "\\\\").replace(' ', "\\ ");
    format!(
        "prefix={prefix}\n\
         includedir=${{prefix}}/include\n\
         libdir=${{prefix}}/lib\n\n\
         Name: cll\n\
         Description: BSPlib, and measuring the regions of annotated C programs\n\
         Version: {}\n\
         Cflags: -I${{includedir}}\n\
         Libs: ${{libdir}}/libcll.a {} {EXPORT}\n",
        env!("CARGO_PKG_VERSION"),
        NATIVE.join(" "),
    )
}

fn cmake() -> String {
    let native: Vec<&str> = NATIVE.iter().map(|flag| flag.trim_start_matches("-l")).collect();
    format!(
        "# find_package(cll): cll::cll for programs that include bsp.h or were translated, and\n\
         # cll_translate(TARGET) for annotated sources.\n\
         get_filename_component(_cll_prefix \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)\n\
         set(CLL_EXECUTABLE \"${{_cll_prefix}}/bin/cll\")\n\
         if(NOT TARGET cll::cll)\n\
        \x20 add_library(cll::cll STATIC IMPORTED)\n\
        \x20 set_target_properties(cll::cll PROPERTIES\n\
        \x20   IMPORTED_LOCATION \"${{_cll_prefix}}/lib/libcll.a\"\n\
        \x20   INTERFACE_INCLUDE_DIRECTORIES \"${{_cll_prefix}}/include\"\n\
        \x20   INTERFACE_LINK_LIBRARIES \"{};{EXPORT}\")\n\
         endif()\n\
         unset(_cll_prefix)\n\n\
         # Compiles the C sources of a target by `cll cc`, behind which the compiler of CMake works.\n\
         function(cll_translate target)\n\
        \x20 set_target_properties(${{target}} PROPERTIES\n\
        \x20   C_COMPILER_LAUNCHER \"${{CLL_EXECUTABLE}};cc;--launch\")\n\
        \x20 target_link_libraries(${{target}} PRIVATE cll::cll)\n\
         endfunction()\n",
        native.join(";"),
    )
}

fn cmake_version() -> String {
    format!(
        "set(PACKAGE_VERSION \"{}\")\n\
         if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n\
        \x20 set(PACKAGE_VERSION_COMPATIBLE FALSE)\n\
         else()\n\
        \x20 set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
        \x20 if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)\n\
        \x20   set(PACKAGE_VERSION_EXACT TRUE)\n\
        \x20 endif()\n\
         endif()\n",
        env!("CARGO_PKG_VERSION"),
    )
}
