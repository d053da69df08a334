//! Runs the sessions in the documentation. (The messages in `docs/language.md` are
//! tested where they are made: `crates/translate/tests/it/documented.rs`.)
//!
//! In the Markdown files listed below
//! - a fenced block whose first line is ```` ```c NAME ```` (or another language
//!   and a name) is a file, written to a folder of the document's own;
//! - a ```` ```console ```` block is a session in that folder: lines that begin
//!   with `$ ` are run by `sh`, one after the other; the lines after one are what
//!   it prints, standard error too, then `? CODE` where it does not exit with 0.
//!
//! In what is printed `[..]` stands for any text within a line, and a line `...`
//! for any number of lines. Blocks of other kinds are not run.

#![forbid(unsafe_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn guide() {
    run("docs/guide.md");
}

#[test]
fn language_of_the_analyzer() {
    run("docs/llac.md");
}

#[test]
fn sets_of_statements() {
    run("docs/upsilon.md");
}

#[test]
fn causes_and_changes() {
    run("docs/why.md");
}

#[test]
fn imports() {
    run("docs/formats/imports.md");
}

#[test]
fn bsp() {
    run("docs/bsp.md");
}

#[test]
fn virtual_processors() {
    run("docs/virtual.md");
}

#[test]
fn profiling() {
    run("docs/profiling.md");
}

#[test]
fn the_viewer_is_right() {
    run("docs/viewer.md");
}

#[test]
fn machine_objects() {
    run("docs/pub.md");
}

#[test]
fn mpi() {
    let answers = Command::new("mpirun").arg("--version").output();
    let is_open_mpi = answers.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.contains("Open MPI") || text.contains("OpenRTE")
    });
    if !is_open_mpi {
        eprintln!("skipped: mpi: mpirun is none of Open MPI's");
        if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
            let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            writeln!(file, "docs/mpi.md: Open MPI's mpirun (Debian: openmpi-bin)").unwrap();
        }
        return;
    }
    run("docs/mpi.md");
}

#[test]
fn profile() {
    run("docs/profile.md");
}

#[test]
fn obsp() {
    run("docs/obsp.md");
}

#[test]
fn machines() {
    run("docs/machines.md");
}

#[test]
fn counters() {
    run("docs/counters.md");
}

#[test]
fn commands() {
    run("docs/commands.md");
}

/// One `$ ` line of a session, and what the document says that it does.
#[derive(Debug, Default, PartialEq)]
struct Step {
    line: usize,
    command: String,
    output: Vec<String>,
    code: i32,
}

#[derive(Debug, PartialEq)]
enum Block {
    File { name: String, text: String },
    Session(Vec<Step>),
}

fn run(document: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let text = fs::read_to_string(root.join(document)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    copy(&root.join("examples"), &folder.path().join("examples"));
    let mut wrong = Vec::new();
    let mut steps = 0;
    for block in blocks(&text) {
        match block {
            Block::File { name, text } => fs::write(folder.path().join(name), text).unwrap(),
            Block::Session(session) => {
                for step in session {
                    steps += 1;
                    let (output, code) = execute(&step.command, folder.path());
                    if code != step.code || !matches(&step.output, &output) {
                        wrong.push(format!(
                            "{document}:{}: $ {}\nexpected:\n{}\n? {}\nprinted:\n{}\n? {code}\n",
                            step.line,
                            step.command,
                            step.output.join("\n"),
                            step.code,
                            output.join("\n"),
                        ));
                    }
                }
            }
        }
    }
    assert!(steps > 0, "{document} has no session");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Runs a line as a person would who has just installed `cll`: it is in the
/// path, and nothing of this test's surroundings reaches it.
fn execute(command: &str, folder: &Path) -> (Vec<String>, i32) {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_cll"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let mut shell = Command::new("sh");
    // Containers in which tests run have no other user.
    shell.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CLL_") {
            shell.env_remove(name);
        }
    }
    let output = shell
        .arg("-c")
        .arg(format!("exec 2>&1; {command}"))
        .current_dir(folder)
        .env("PATH", path)
        // Other tests run meanwhile.
        .env("CLL_LOADED", "accept")
        .env("CLL_BUDGET", "5s")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "80")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    (text.lines().map(|line| line.trim_end().to_owned()).collect(), output.status.code().unwrap())
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        if info == "console" {
            blocks.push(Block::Session(session(&body)));
        } else if let Some((_, name)) = info.split_once(' ') {
            let text = body.iter().map(|(_, line)| format!("{line}\n")).collect();
            blocks.push(Block::File { name: name.to_owned(), text });
        }
    }
    blocks
}

fn session(body: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in body {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { line: number + 1, command: command.to_owned(), ..Step::default() });
            continue;
        }
        let Some(step) = steps.last_mut() else { continue };
        if step.output.is_empty() && step.command.ends_with('\\') {
            step.command.push('\n');
            step.command.push_str(line);
        } else if let Some(code) = line.strip_prefix("? ") {
            step.code = code.parse().unwrap();
        } else {
            step.output.push(line.trim_end().to_owned());
        }
    }
    for step in &mut steps {
        while step.output.last().is_some_and(String::is_empty) {
            step.output.pop();
        }
    }
    steps
}

/// Whether printed lines are as expected; empty lines at the end do not count, nor do notes that only a loaded
/// machine gives.
fn matches(expected: &[String], printed: &[String]) -> bool {
    let is_loaded = |line: &&String| {
        line.contains(" readings of its counters (")
            || line.starts_with("warning: the model was measured on a disturbed machine")
    };
    let printed: Vec<String> = printed.iter().filter(|line| !is_loaded(line)).cloned().collect();
    let end = printed.iter().rposition(|line| !line.is_empty()).map_or(0, |k| k + 1);
    lines_match(expected, &printed[..end])
}

fn lines_match(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        Some((first, rest)) => {
            printed.first().is_some_and(|line| line_matches(first, line))
                && lines_match(rest, &printed[1..])
        }
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == printed,
        Some((before, after)) => printed.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&k| rest.is_char_boundary(k))
                .any(|k| line_matches(after, &rest[k..]))
        }),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && entry.path().extension().is_none() {
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn documents_are_read_as_described() {
    let text = "Text.\n```c a.c\nint x;\n```\n```console\n$ cat a.c\nint x;\n\n$ false \\\n&& true\n? 1\n```\n```text\n$ not run\n```\n";
    let blocks = blocks(text);
    assert_eq!(blocks[0], Block::File { name: "a.c".into(), text: "int x;\n".into() });
    let Block::Session(steps) = &blocks[1] else { panic!("{blocks:?}") };
    assert_eq!(steps[0].output, ["int x;"]);
    assert_eq!((steps[1].command.as_str(), steps[1].code), ("false \\\n&& true", 1));
    assert_eq!(blocks.len(), 2);
}

#[test]
fn wildcards_match_what_they_say() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (expected, printed, answer) in [
        ("a\nb", "a\nb\n\n", true),
        ("a", "a\nb", false),
        ("a\n...\nd", "a\nb\nc\nd", true),
        ("...\nd", "d", true),
        ("t = [..] ms", "t = 3.4 ms", true),
        ("t = [..] ms", "t = 3.4 s", false),
        ("[..]x[..]", "axb", true),
    ] {
        assert_eq!(matches(&lines(expected), &lines(printed)), answer, "{expected:?} {printed:?}");
    }
}
