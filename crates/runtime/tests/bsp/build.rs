//! Compiles many small files as one, which takes a second instead of a minute. The compiler still
//! names each file and its lines.

use std::borrow::Borrow;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::engines::Dialect;
use crate::stated::{Stated, name_of, situations, sources};
use crate::support::{Build, Program, compile_to};

/// `play.c` with all situations of `ok/`.
pub fn played(dialect: Dialect, flags: &[&str]) -> Program {
    let mut files = Vec::new();
    sources(&situations().join("ok"), &mut files);
    files.sort();
    let mut text = String::new();
    for file in &files {
        writeln!(text, "#include \"{}\"", file.display()).unwrap();
    }
    text.push_str("static const struct situation all[] = {\n");
    for name in files.iter().map(|file| name_of(file)) {
        writeln!(text, "    {{ \"{name}\", situation_{name} }},").unwrap();
    }
    text.push_str("};\n");
    let program = Program::in_new_folder("situations");
    fs::write(program.folder.path().join("all_situations.h"), text).unwrap();
    // Sanitizers do not support programs that are loaded several times.
    match flags {
        [] => compile_loadable(&situations().join("play.c"), &program, dialect, &[]),
        flags => compile(&situations().join("play.c"), &program, dialect, flags),
    }
    program
}

/// How many situations there are in `ok/`.
pub fn number_of_situations() -> usize {
    let mut files = Vec::new();
    sources(&situations().join("ok"), &mut files);
    files.len()
}

/// Whole programs in one: its first argument names the one to be run.
pub fn chosen_by_name(programs: &[impl Borrow<Stated>], dialect: Dialect) -> Program {
    let programs = || programs.iter().map(Borrow::borrow);
    let mut text = format!("#include <{}>\n#include <string.h>\n", crate::HEADER);
    for Stated { name, path, .. } in programs() {
        for function in crate::FUNCTIONS {
            writeln!(text, "#define {function} {function}_of_{name}").unwrap();
        }
        writeln!(text, "#include \"{}\"", path.display()).unwrap();
        for function in crate::FUNCTIONS {
            writeln!(text, "#undef {function}").unwrap();
        }
    }
    // Some have main(void): all are called with their own type.
    text.push_str("int main(int argc, char **argv)\n{\n    (void)argc;\n");
    for Stated { name, path, .. } in programs() {
        let has_arguments = fs::read_to_string(path).unwrap().contains("int main(int argc");
        let arguments = if has_arguments { "argc - 1, argv + 1" } else { "" };
        writeln!(text, "    if (strcmp(argv[1], \"{name}\") == 0)").unwrap();
        writeln!(text, "        return main_of_{name}({arguments});").unwrap();
    }
    text.push_str("    return 99;\n}\n");
    let program = Program::in_new_folder("programs");
    let source = program.folder.path().join("programs.c");
    fs::write(&source, text).unwrap();
    compile_loadable(&source, &program, dialect, &[]);
    program
}

/// One source, in the int dialect.
pub fn alone(source: &Path, flags: &[&str]) -> Program {
    let program = Program::in_new_folder(&name_of(source));
    compile(source, &program, Dialect::Int, flags);
    program
}

/// One source, in the int dialect, for every engine.
pub fn loadable(source: &Path, flags: &[&str]) -> Program {
    let program = Program::in_new_folder(&name_of(source));
    compile_loadable(source, &program, Dialect::Int, flags);
    program
}

fn compile_loadable(source: &Path, program: &Program, dialect: Dialect, more: &[&str]) {
    let loadable = program.loadable();
    let flags: Vec<&str> =
        more.iter().copied().chain(loadable.iter().map(String::as_str)).collect();
    compile(source, program, dialect, &flags);
}

fn compile(source: &Path, program: &Program, dialect: Dialect, more: &[&str]) {
    let (situations, folder) = (situations(), program.folder.path());
    let mut flags = vec!["-O1", "-g", crate::WARNINGS, "-I", situations.to_str().unwrap()];
    flags.extend(["-I", folder.to_str().unwrap()]);
    flags.extend(dialect.flags().iter().chain(more));
    compile_to(source, &program.path, Build { flags: &flags, ..Build::default() });
}
