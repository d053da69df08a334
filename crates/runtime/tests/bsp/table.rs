//! Programs that differ only in the call: a table below `situations/` has each once, for all calls
//! (`stops/drma.table` explains its format).

use std::fs;
use std::path::{Path, PathBuf};

/// Calls, and whether the own memory comes before the area.
const CALLS: [(&str, bool); 4] = [("get", false), ("hpget", false), ("put", true), ("hpput", true)];

const BEGIN: &str = "#include <bsp.h>\n\nint main(void)\n{\n    bsp_begin(bsp_nprocs());\n";
const END: &str = "    bsp_sync();\n    bsp_end();\n    return 0;\n}\n";

/// Writes the programs of a table, each to a file with its name. Returns their paths.
pub fn programs(table: &Path) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs-of-tables");
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(table).unwrap();
    let mut paths = Vec::new();
    for entry in text.split("\n== ").skip(1) {
        let (name, program) = entry.split_once('\n').unwrap();
        for (call, memory_first) in CALLS {
            let path = folder.join(format!("{call}_{name}.c"));
            write(&path, &of_call(program.trim_end(), call, memory_first));
            paths.push(path);
        }
    }
    assert!(!paths.is_empty(), "nothing in {}", table.display());
    paths
}

/// A whole program: comments, the begin of a machine, statements, its end.
fn of_call(entry: &str, call: &str, memory_first: bool) -> String {
    let lines: Vec<&str> = entry.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("    ")).expect("a statement");
    let (comments, statements) = lines.split_at(first);
    let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (_, call_and_rest) = entry.split_once("@(").expect("the call");
    let (arguments, _) = call_and_rest.split_once("); /* here */").expect("its end");
    let words: Vec<&str> = arguments.split("; ").collect();
    let [processor, area, offset, memory, size] = words[..] else { panic!("{arguments}") };
    let own = if memory_first {
        [processor, memory, area, offset, size]
    } else {
        [processor, area, offset, memory, size]
    };
    let text = format!("{}{BEGIN}{}{END}", joined(comments), joined(statements));
    let text = text.replace(&format!("@({arguments})"), &format!("@({})", own.join(", ")));
    text.replace('@', &format!("bsp_{call}"))
}

/// Tests in other processes may read it, or write the same, meanwhile.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let aside = path.with_extension(format!("{process}-{thread:?}"));
    fs::write(&aside, text).unwrap();
    fs::rename(&aside, path).unwrap();
}
