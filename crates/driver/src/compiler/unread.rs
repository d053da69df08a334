//! Regions that the compiler sees and the translator does not: in headers, in sources that another one includes, and
//! from `_Pragma` in macros.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::{Compiler, Language};
use crate::files;
use crate::library::Library;

/// Files that are searched for a mention of `cll` before the compiler is asked.
const MAX_FILES: usize = 1000;

/// A `#pragma cll` line in what the preprocessor makes of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadLine {
    /// The file, as the compiler names it.
    file: String,
    /// The number of the line, from 1.
    line: usize,
    /// The words after `cll`.
    words: String,
    /// Whether it is in the source itself, where a macro has made it.
    from_macro: bool,
}

impl UnreadLine {
    /// Whether a macro has made it on one of these lines of the source.
    pub fn is_made_at(&self, lines: &[usize]) -> bool {
        self.from_macro && lines.contains(&self.line)
    }

    /// The warning.
    pub fn warning(&self, source: &str) -> String {
        let UnreadLine { file, line, words, from_macro } = self;
        let mut words = words.split_whitespace();
        let first = words.next().unwrap_or_default();
        let what = match first {
            "parallel" | "report" | "for" | "while" | "do" => format!("`#pragma cll {first}`"),
            "sync" => format!("region {}", words.next().unwrap_or(first)),
            _ => format!("region {first}"),
        };
        if *from_macro {
            format!(
                "{file}:{line}: {what} is not measured: a macro makes its pragma, and only lines are read. Write \
                 `#pragma cll` lines there"
            )
        } else {
            format!(
                "{file}:{line}: {what} is not measured: {file} is included, and only {source} itself is \
                 translated. Move the region into {source}"
            )
        }
    }
}

/// The lines of a source that the translator does not read. None if no file that it includes from its own folders has
/// any, or if the compiler cannot preprocess it: it reports that itself.
pub fn unread(
    path: &Path,
    text: &[u8],
    language: Language,
    compiler: &Compiler,
    flags: &[OsString],
) -> Vec<UnreadLine> {
    if path == Path::new("-") || !is_mentioned(path, text, flags) {
        return Vec::new();
    }
    let Some(printed) = preprocessed(path, language, compiler, flags) else { return Vec::new() };
    lines(&printed, &path.to_string_lossy(), text)
}

fn preprocessed(
    path: &Path,
    language: Language,
    compiler: &Compiler,
    flags: &[OsString],
) -> Option<Vec<u8>> {
    let mut command = compiler.command();
    command.args(flags).args(Library::find().ok()?.compile_arguments());
    command.args(["-w", "-E", "-x", language.option()]).arg(files::operand(path));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// The lines in the preprocessor's output that no directive of the source itself has made; the end of a region is in
/// the warning of its begin.
fn lines(printed: &[u8], source: &str, text: &[u8]) -> Vec<UnreadLine> {
    let own: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let (mut file, mut line) = (String::new(), 0);
    let mut all = BTreeSet::new();
    for printed in printed.split(|&byte| byte == b'\n') {
        if let Some((to, name)) = line_mark(printed) {
            (line, file) = (to, name);
            continue;
        }
        let words = printed.trim_ascii_start().strip_prefix(b"#pragma").map(<[u8]>::trim_ascii);
        let words = words.and_then(|words| words.strip_prefix(b"cll"));
        if let Some(words) =
            words.filter(|words| words.first().is_some_and(u8::is_ascii_whitespace))
        {
            let words = String::from_utf8_lossy(words).trim().to_owned();
            let is_own = source.strip_prefix("./").unwrap_or(source) == file;
            let from_macro = is_own && !is_directive(&own, line);
            if (!is_own || from_macro) && words.split_whitespace().next() != Some("end") {
                let file = if is_own { source } else { &file }.to_owned();
                all.insert(UnreadLine { file, line, words, from_macro });
            }
        }
        line += 1;
    }
    all.into_iter().collect()
}

/// Whether this line of the source belongs to a directive.
fn is_directive(own: &[&[u8]], line: usize) -> bool {
    let line_at = |line: usize| line.checked_sub(1).and_then(|index| own.get(index));
    let mut line = line;
    while line > 1
        && line_at(line - 1).is_some_and(|before| before.trim_ascii_end().ends_with(b"\\"))
    {
        line -= 1;
    }
    let text = line_at(line).map_or(&b""[..], |text| text.trim_ascii_start());
    [&b"#"[..], b"%:", b"??=", b"/*"].iter().any(|start| text.starts_with(start))
}

/// Line and file of a mark such as `# 12 "reg.h" 1`.
fn line_mark(printed: &[u8]) -> Option<(usize, String)> {
    let rest = str::from_utf8(printed.strip_prefix(b"# ")?).ok()?;
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.strip_prefix('"')?;
    let name = &name[..name.rfind('"')?];
    let unescaped = name.replace("\\\"", "\"").replace("\\\\", "\\");
    let plain = unescaped.strip_prefix("./").unwrap_or(&unescaped);
    Some((number.parse().ok()?, plain.to_owned()))
}

/// Whether the text, or a file that it includes from its own folder or one of `-I`, has a pragma of ours that is no
/// line of the text itself. Without one the compiler need not be asked.
fn is_mentioned(path: &Path, text: &[u8], flags: &[OsString]) -> bool {
    if text.split(|&byte| byte == b'\n').any(|line| mentions(line) && !is_directive(&[line], 1)) {
        return true;
    }
    // A macro in the text, on a line that begins with `#define`.
    let defines = |line: &[u8]| mentions(line) && contains(line, b"_Pragma");
    if text.split(|&byte| byte == b'\n').any(defines) {
        return true;
    }
    let folders = folders(flags);
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    let mut waiting = included(text, files::folder(path), &folders);
    while let Some(header) = waiting.pop() {
        if known.len() == MAX_FILES || !known.insert(header.clone()) {
            continue;
        }
        let Ok(text) = std::fs::read(&header) else { continue };
        if text.split(|&byte| byte == b'\n').any(mentions) {
            return true;
        }
        waiting.extend(included(&text, files::folder(&header), &folders));
    }
    false
}

fn mentions(line: &[u8]) -> bool {
    let pragma = line.windows(6).position(|part| part.eq_ignore_ascii_case(b"pragma"));
    pragma.is_some_and(|offset| contains(&line[offset..], b"cll"))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|there| there == part)
}

fn folders(flags: &[OsString]) -> Vec<PathBuf> {
    const OPTIONS: [&str; 4] = ["-I", "-iquote", "-isystem", "-idirafter"];
    let mut folders = Vec::new();
    let mut flags = flags.iter().map(|flag| flag.to_string_lossy());
    while let Some(flag) = flags.next() {
        let Some(option) = OPTIONS.iter().find(|option| flag.starts_with(**option)) else {
            continue;
        };
        let rest = &flag[option.len()..];
        let folder = if rest.is_empty() { flags.next() } else { Some(rest.to_owned().into()) };
        folders.extend(folder.map(|folder| PathBuf::from(&*folder)));
    }
    folders
}

/// The files that `#include` lines name, as far as they are in one of the folders.
fn included(text: &[u8], own: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let name = |line: &[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let rest = str::from_utf8(rest.strip_prefix(b"include")?.trim_ascii()).ok()?;
        let close = match rest.chars().next()? {
            '<' => '>',
            '"' => '"',
            _ => return None,
        };
        Some(rest[1..].split(close).next()?.to_owned())
    };
    let names = text.split(|&byte| byte == b'\n').filter_map(name);
    let place = |name: String| {
        let all = std::iter::once(own).chain(folders.iter().map(PathBuf::as_path));
        all.map(|folder| folder.join(&name)).find(|path| path.is_file())
    };
    names.filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_macros_and_of_included_files_are_told() {
        let text = b"#include \"reg.h\"\n#pragma cll own own[0]\nf();\n#pragma cll end own\n\
                     BEGIN(g) f(); END\n  # pragma \\\n cll late late[0]\n";
        let printed = b"# 1 \"./a.c\"\n# 1 \"./reg.h\" 1\n\nint g(void) {\n#pragma cll sync h h[0]\n f();\n#pragma cll end h\n}\n\
                        # 2 \"./a.c\" 2\n#pragma cll own own[0]\nf();\n#pragma cll end own\n\
                        # 5 \"./a.c\"\n#pragma cll g g[0]\n# 5 \"./a.c\"\n f();\n# 5 \"./a.c\"\n#pragma cll end g\n\
                        # 7 \"./a.c\"\n#pragma cll late late[0]\n#pragma clle x\n#pragma omp parallel\n";
        let all = lines(printed, "a.c", text);
        let told: Vec<String> = all.iter().map(|line| line.warning("a.c")).collect();
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(told[0].starts_with("a.c:5: region g is not measured: a macro"), "{told:#?}");
        assert!(told[1].starts_with("reg.h:3: region h is not measured: reg.h is included"));
    }

    #[test]
    fn the_compiler_is_asked_only_where_a_file_mentions_it() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text).unwrap();
        std::fs::create_dir(place.path().join("inc")).unwrap();
        write("plain.h", "#include \"deep.h\"\n");
        write("deep.h", "int x; // pragma\n");
        write("inc/reg.h", "#define BEGIN _Pragma(\"cll f f[0]\")\n");
        let flags = [OsString::from("-I"), place.path().join("inc").into()];
        let asks = |text: &str| is_mentioned(&place.path().join("a.c"), text.as_bytes(), &flags);
        assert!(!asks("#include \"plain.h\"\n#include <stdio.h>\n#pragma cll f f[0]\n"));
        assert!(asks("#include <reg.h>\n"));
        assert!(asks("#define B _Pragma(\"cll f f[0]\")\n"));
        assert!(asks("  _Pragma (\"cll f\") g();\n"));
        write("deep.h", "#pragma cll f f[0]\n");
        assert!(asks("#include \"plain.h\"\n"));
    }
}
