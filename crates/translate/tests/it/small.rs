//! Places without a pragma: what they add to an object and to the text that the compiler reads, and that registers
//! keep their values.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cll_translate::{Automatic, Options, OwnNames, Source, Translation, translate};

/// Functions of the program, each with two loops, each of these a place.
const FUNCTIONS: usize = 60;

/// Functions of some twenty lines.
fn program() -> String {
    let mut text = String::from("#include <stddef.h>\n");
    for number in 0..FUNCTIONS {
        let _ = write!(
            text,
            "double work_{number}(const double *values, int count, size_t rounds)\n{{\n    \
             double sum = {number}, least = 1e300, most = -1e300;\n    size_t round;\n    int index;\n    \
             for (round = 0; round < rounds; round++)\n        \
             for (index = 0; index < count; index++) {{\n            \
             const double value = values[index] * (double)(round + {number});\n            \
             if (value < least)\n                least = value;\n            \
             if (value > most)\n                most = value;\n            \
             sum += value / (1 + value * value) - (index % 7 == 3 ? value : -value);\n        }}\n    \
             if (sum < least)\n        return least - sum;\n    \
             for (index = 1; index < count; index++) {{\n        \
             const double step = values[index] - values[index - 1];\n        \
             sum += step > 0 ? step * step / (index + {number}) : -step;\n        \
             if (sum > 1e200)\n            return sum * 1e-200;\n    }}\n    \
             return sum + most;\n}}\n"
        );
    }
    text
}

fn gcc(folder: &Path, options: &[&str]) -> String {
    let include = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../runtime/include");
    let output =
        Command::new("gcc").current_dir(folder).arg("-I").arg(include).args(options).output();
    let output = output.expect("gcc");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() || options.contains(&"-fsyntax-only"),
        "{options:?}: {message}"
    );
    message
}

/// Bytes of the sections of an object that are in memory.
fn loaded(folder: &Path, object: &str) -> usize {
    let output = Command::new("size").current_dir(folder).arg(object).output().expect("size");
    let text = String::from_utf8(output.stdout).expect("text");
    let total = text.lines().nth(1).and_then(|line| line.split_whitespace().nth(3));
    total.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// Translates a program, and writes it as it is (`plain.c`) and as it becomes (`marked.c`).
fn translated(folder: &Path, text: &str) -> Translation {
    fs::write(folder.join("plain.c"), text).expect("to write");
    let source = Source { name: "plain.c", text: text.as_bytes() };
    let automatic = Some(Automatic::default());
    let mut options = Options { unit: "plain".into(), automatic, ..Options::default() };
    let probe = translate(&source, &options).probe.expect("a question");
    fs::write(folder.join("probe.c"), probe).expect("to write");
    let message = gcc(folder, &["-fsyntax-only", "-w", "probe.c"]);
    options.own = OwnNames::from_compiler(&message);
    let translation = translate(&source, &options);
    let write = |name: &str, text: &[u8]| fs::write(folder.join(name), text).expect(name);
    write("marked.c", translation.code.as_deref().expect("code"));
    write("plain.cll.h", translation.header.as_ref().expect("a header").timed().as_bytes());
    translation
}

/// Vectors and numbers of the old coprocessor are in registers while regions begin and end.
const VECTORS: &str = "#include <stdio.h>\n\
    typedef double four __attribute__((vector_size(32)));\n\
    static inline __attribute__((always_inline)) four step(four a, four b, int n)\n\
    { return a * b + (double)n; }\n\
    int main(void)\n{\n    \
    four a = { 1, 2, 3, 4 }, b = { .5, .25, .125, .75 }, sum = { 0 };\n    \
    long double product = 1.25L;\n    int i;\n    \
    for (i = 0; i < 300; i++) {\n        \
    a = step(a, b, i % 5);\n        sum += a;\n        product = product * 0.9L + 1;\n    }\n    \
    printf(\"%.17g %.17g %.17g %.17g %.20Lg\\n\", sum[0], sum[1], sum[2], sum[3], product);\n    \
    return 0;\n}\n";

#[test]
fn registers_keep_their_values_on_the_rare_paths() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    translated(folder, VECTORS);
    // With these functions all passages take the rare paths.
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stub/cll.c");
    gcc(folder, &["-c", &stub.to_string_lossy(), "-o", "cll.o"]);
    let output = |name: &str| {
        let mut program = Command::new(folder.join(name));
        let output = program.env("CLL_TRACE", folder.join("trace")).output().expect(name);
        assert!(output.status.success(), "{name}");
        String::from_utf8(output.stdout).expect("text")
    };
    for options in [["-O2", "-w"], ["-O3", "-march=native"]] {
        gcc(folder, &[&options[..], &["plain.c", "-o", "plain"]].concat());
        gcc(folder, &[&options[..], &["marked.c", "cll.o", "-o", "marked"]].concat());
        assert_eq!(output("marked"), output("plain"), "{options:?}");
        let trace = fs::read_to_string(folder.join("trace")).expect("a trace");
        let passages = trace.lines().filter(|line| line.split(' ').next() == Some("step"));
        assert_eq!(passages.count(), 300);
    }
}

#[test]
fn places_without_a_pragma_add_little() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let text = program();
    let Translation { regions, code, header, .. } = translated(folder, &text);
    let (code, header) = (code.expect("code"), header.expect("a header"));
    let places = regions.len();
    assert_eq!(places, 3 * FUNCTIONS);

    let added = header.timed().len() + code.len() - text.len();
    assert!(added < 800 * places, "{added} bytes of text for {places} places");
    gcc(folder, &["-E", "-P", "plain.c", "-o", "plain.i"]);
    gcc(folder, &["-E", "-P", "marked.c", "-o", "marked.i"]);
    let bytes = |name: &str| fs::read(folder.join(name)).expect(name).len();
    let read = bytes("marked.i") - bytes("plain.i");
    assert!(read < 800 * places, "the compiler reads {read} bytes more for {places} places");

    for (level, most) in [("-O2", 250), ("-O0", 330)] {
        gcc(folder, &[level, "-c", "plain.c", "-o", "plain.o"]);
        gcc(folder, &[level, "-c", "marked.c", "-o", "marked.o"]);
        let (plain, marked) = (loaded(folder, "plain.o"), loaded(folder, "marked.o"));
        let each = (marked - plain) / places;
        assert!(each < most, "{level}: {each} bytes for a place: {plain}, {marked}");
    }
}
