//! Programs without markers, and other programs built for comparison.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::Error;
use crate::build::{EPOCH, Sources};
use crate::folder::Folder;
use crate::settings::Settings;
use cll_driver::compiler::translated_name;
use cll_driver::compiler::{CompileUnit, Compiler, sibling_headers};
use cll_driver::library::{Library, Linked};
use cll_files as files;

/// The program of the same sources without markers.
///
/// # Errors
/// If there is no equivalent one; the text says why.
pub fn plain(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    folder: &Folder,
) -> Result<PathBuf, Error> {
    let program = folder.plain();
    let objects = folder.objects().map_err(|_| Error::NotPlain)?;
    let files = sources.plain()?;
    let quiet = QuietBuild { args, compiler, flags: &sources.flags, objects: objects.path() };
    quiet.build(&files, None, &[], &program)?;
    Ok(program)
}

/// Both programs in a folder, with debug information for callgrind: that with markers and that without.
///
/// # Errors
/// If there is no equivalent one without markers; the text says why.
pub fn for_lines(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    folder: &Folder,
    place: &Path,
) -> Result<(PathBuf, PathBuf), Error> {
    let (with, without) = (place.join("with"), place.join("without"));
    let quiet = QuietBuild { args, compiler, flags: &sources.flags, objects: place };
    let marked = |unit: &CompileUnit| {
        if unit.translation.directives_found {
            folder.path().join(translated_name(&unit.path))
        } else {
            unit.path.clone()
        }
    };
    let files: Vec<(PathBuf, &CompileUnit)> =
        sources.units.iter().map(|unit| (marked(unit), unit)).collect();
    quiet.build(&sources.plain()?, None, &["-g"], &without)?;
    quiet.build(&files, Some(folder.path()), &["-g"], &with)?;
    Ok((with, without))
}

/// A program with one empty region, and the same without it, to measure the start of the library.
///
/// # Errors
/// If it cannot be built; the text says why.
pub fn empty(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    place: &Path,
) -> Result<(PathBuf, PathBuf), Error> {
    const TEXT: &str = "int main(void)\n{\n#pragma cll empty empty[0]\n#pragma cll end empty\n    \
                        return 0;\n}\n";
    let (unit, code) = translated(compiler, sources, place, ("empty", TEXT))?;
    let (path, with, without) = (unit.path.clone(), place.join("with"), place.join("without"));
    let quiet = QuietBuild { args, compiler, flags: &sources.flags, objects: place };
    quiet.build(&[(path, &unit)], None, &[], &without)?;
    quiet.build(&[(code, &unit)], Some(place), &[], &with)?;
    Ok((with, without))
}

/// A program of a text of ours, with the compiler and the options of the user's program.
///
/// # Errors
/// If it cannot be built; the text says why.
pub fn marked(
    args: &Settings<'_>,
    compiler: &Compiler,
    sources: &Sources,
    place: &Path,
    text: (&str, &str),
) -> Result<PathBuf, Error> {
    let (unit, code) = translated(compiler, sources, place, text)?;
    let quiet = QuietBuild { args, compiler, flags: &sources.flags, objects: place };
    let program = place.join("with");
    quiet.build(&[(code, &unit)], Some(place), &[], &program)?;
    Ok(program)
}

/// Translates a text of ours in a folder; the path is that of the instrumented code.
fn translated(
    compiler: &Compiler,
    sources: &Sources,
    place: &Path,
    (name, text): (&str, &str),
) -> Result<(CompileUnit, PathBuf), Error> {
    let language = sources.units.first().map(|unit| unit.language).unwrap_or_default();
    let path = place.join(format!("{name}.c"));
    let text = text.as_bytes().to_vec();
    let unit = CompileUnit::from_text(path.clone(), language, text, compiler, &sources.flags, None)
        .map_err(|_| Error::NotPlain)?;
    let code = place.join(format!("{name}.cll.c"));
    files::write(&path, &unit.text).map_err(|_| Error::NotPlain)?;
    files::write(&code, unit.code()).map_err(|_| Error::NotPlain)?;
    let header =
        unit.translation.header.as_ref().map(cll_translate::Header::timed).unwrap_or_default();
    files::write(&place.join(&unit.header), header.as_bytes()).map_err(|_| Error::NotPlain)?;
    Ok((unit, code))
}

impl Sources {
    /// The user's files.
    fn plain(&self) -> Result<Vec<(PathBuf, &CompileUnit)>, Error> {
        if self.units.iter().any(|unit| !unit.translation.loops.is_empty()) {
            return Err(Error::PlainDoesLess);
        }
        Ok(self.units.iter().map(|unit| (unit.path.clone(), unit)).collect())
    }

    /// Whether a line belongs to these files, and is not one of our pragmas.
    pub fn is_own_line(&self, file: &str, line: u32) -> bool {
        self.units.iter().filter(|unit| files::base(&unit.path) == file).any(|unit| {
            let mut places = unit.translation.places.iter();
            let line = line as usize;
            !places.any(|place| place.line == line || place.end_line == line)
        })
    }
}

/// Builds programs that the user did not request: compiler errors are not shown.
struct QuietBuild<'a> {
    args: &'a Settings<'a>,
    compiler: &'a Compiler,
    flags: &'a [OsString],
    objects: &'a Path,
}

impl QuietBuild<'_> {
    /// Compiles files and links them; `folder` is that of generated headers.
    fn build(
        &self,
        files: &[(PathBuf, &CompileUnit)],
        folder: Option<&Path>,
        more: &[&str],
        program: &Path,
    ) -> Result<(), Error> {
        let library = Library::find().map_err(|_| Error::NotPlain)?;
        let mut link: Vec<OsString> = self.flags.to_vec();
        for (index, (source, unit)) in files.iter().enumerate() {
            let object = self.objects.join(format!("{index}.o"));
            let mut arguments =
                folder.map_or(Vec::new(), |folder| sibling_headers(&unit.path, folder));
            arguments.extend(library.compile_arguments());
            arguments.extend(self.flags.iter().cloned());
            arguments.extend(more.iter().map(OsString::from));
            arguments.extend(["-w".into(), "-c".into(), "-o".into(), object.clone().into()]);
            arguments.extend(["-x".into(), unit.language.option().into(), source.into()]);
            self.step(&arguments)?;
            link.push(object.into());
        }
        link.extend(["-o".into(), program.into()]);
        link.extend(self.args.libraries.iter().cloned());
        let is_fixed = link.iter().any(|word| word == "-static" || word == "-static-pie");
        let linked = if is_fixed { Linked::Fixed } else { Linked::Program };
        link.extend(library.link_arguments(linked));
        self.step(&link)
    }

    fn step(&self, arguments: &[OsString]) -> Result<(), Error> {
        let mut command = self.compiler.command();
        if std::env::var_os(EPOCH).is_none() {
            command.env(EPOCH, "0");
        }
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            Ok(())
        } else {
            Err(Error::NotPlain)
        }
    }
}
