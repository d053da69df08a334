//! The machine code of a program with markers: the same instructions for the program's own lines as
//! without, in the same places.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use cll_symbols::callgrind::{OPTIONS, instructions};
use cll_translate::{Options, Source, translate};
use tempfile::TempDir;

use crate::run::of_test;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A program built in its own folder, with markers or without.
struct Built {
    folder: TempDir,
    name: &'static str,
}

impl Built {
    fn new(name: &'static str) -> Built {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let text = fs::read(tests().join("code").join(name)).expect("a source");
        let unit = name.trim_end_matches(".c").to_owned();
        let options = Options { unit: unit.clone(), compiler: "gcc".into(), ..Options::default() };
        let translation = translate(&Source { name, text: &text }, &options);
        assert!(!translation.failed(), "{name}: {:#?}", translation.diagnostics);
        let write = |file: &str, bytes: &[u8]| fs::write(path.join(file), bytes).expect(file);
        write(name, &text);
        write("marked.c", translation.code.as_deref().expect("code"));
        write(&format!("{unit}.cll.h"), translation.header.expect("a header").timed().as_bytes());
        fs::copy(tests().join("../../runtime/include/cll.h"), path.join("cll.h")).expect("cll.h");
        fs::copy(tests().join("stub/fast.c"), path.join("fast.c")).expect("fast.c");
        Built { folder, name }
    }

    fn compile(&self, level: &str, is_marked: bool) -> PathBuf {
        let files: &[&str] = if is_marked { &["marked.c", "fast.c"] } else { &[self.name] };
        let program = self.folder.path().join(if is_marked { "with" } else { "without" });
        let mut command = Command::new("gcc");
        command.current_dir(self.folder.path()).args([level, "-g", "-w"]).args(files);
        let status = command.arg("-o").arg(&program).arg("-lm").status().expect("gcc");
        assert!(status.success(), "{} {level}", self.name);
        program
    }

    /// Instructions of each file's lines, by callgrind.
    fn count(&self, program: &Path) -> BTreeMap<(String, u32), u64> {
        let out = self.folder.path().join("counts");
        let mut option = std::ffi::OsString::from("--callgrind-out-file=");
        option.push(&out);
        let mut command = Command::new("valgrind");
        command.args(OPTIONS).arg(option).arg(program).output().expect("valgrind");
        instructions(&fs::read_to_string(out).expect("counts"))
    }

    /// Instructions of the program's own lines.
    fn own(&self, program: &Path) -> u64 {
        let counts = self.count(program);
        counts.iter().filter(|((file, _), _)| file == self.name).map(|(_, count)| count).sum()
    }
}

/// Whether a program is installed; if not, the test is reported as skipped.
fn have(program: &str, test: &str) -> bool {
    let installed = Command::new(program).arg("--version").output().is_ok();
    if !installed {
        eprintln!("skipped: {test}: {program} is missing");
        if let Some(path) = std::env::var_os("CLL_TEST_SKIPS") {
            let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
            writeln!(file, "{test}: {program} is missing").unwrap();
        }
    }
    installed
}

/// Own lines have the same number of instructions with markers as without, to 2 %.
fn is_kept(name: &'static str, levels: &[&str]) {
    if !have("valgrind", &format!("code::{name}")) {
        return;
    }
    let built = Built::new(name);
    for level in of_test(name, levels) {
        let (with, without) = (built.compile(level, true), built.compile(level, false));
        let (with, without) = (built.own(&with), built.own(&without));
        let ratio = with as f64 / without as f64;
        assert!((ratio - 1.0).abs() < 0.02, "{name} {level}: {with} in place of {without}");
    }
}

macro_rules! programs {
    ($($name:ident: $($level:literal)*;)*) => {
        $(#[test] fn $name() { is_kept(concat!(stringify!($name), ".c"), &[$($level),*]); })*
    };
}

// At -O1 gcc does not keep registers over calls on rare paths (-fcaller-saves is of -O2).
// What is missing at -O3 is work that is the same in each passage of a region: without markers the
// compiler does it once.
programs! {
    in_main: "-O1" "-O2" "-O3";
    accumulators: "-O2" "-O3";
    address_taken: "-O1" "-O2";
    local_array: "-O1" "-O2" "-O3";
    left_by_return: "-O1" "-O2" "-O3";
    called_in_loop: "-O1" "-O2" "-O3";
    called_twice: "-O1" "-O2" "-O3";
    matrices: "-O1" "-O2" "-O3";
    recursive: "-O1" "-O2" "-O3";
    rows: "-O1" "-O2" "-O3";
    inlined: "-O2";
}

/// A marker must not become more expensive: 87 instructions for a region with one value if the
/// compiler sees it as one instruction.
#[test]
fn a_region_takes_few_instructions() {
    if !have("valgrind", "code::a_region_takes_few_instructions")
        || cfg!(not(target_arch = "x86_64"))
    {
        return;
    }
    let built = Built::new("empty.c");
    let counts = built.count(&built.compile("-O2", true));
    let ours = ["empty.c", "cll.h", "empty.cll.h"];
    let all: u64 = counts
        .iter()
        .filter(|((file, _), _)| ours.contains(&&**file))
        .map(|(_, count)| count)
        .sum();
    let each = all as f64 / 1e4;
    assert!((20.0..=89.0).contains(&each), "{each}");
}

/// Code before a region is executed before it begins, code in it before it ends, and nothing of
/// later code: the library reads the program's memory there.
#[test]
fn no_work_moves_over_the_edge_of_a_region() {
    let built = Built::new("order.c");
    let looks = tests().join("stub/looks.c");
    fs::copy(looks, built.folder.path().join("fast.c")).expect("looks.c");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let output = Command::new(built.compile(level, true)).output().expect("the program");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(printed, "begin 512 0 0\nend 512 512 0\n", "{level}");
    }
}
