//! Sources with their diagnostics; without errors also the resulting text and header.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use cll_diagnostic::Lines;
use cll_translate::{Options, Source, Translation, translate};
use expect_test::expect_file;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("a folder of the tests")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

fn read(path: &Path) -> (Vec<u8>, Translation) {
    let text = fs::read(path).expect("a source of the tests");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let options = Options {
        unit: name.trim_end_matches(".c").into(),
        compiler: "gcc".into(),
        ..Options::default()
    };
    let translation = translate(&Source { name: &name, text: &text }, &options);
    (text, translation)
}

/// Every diagnostic with the text it points at.
fn rendered(text: &[u8], translation: &Translation) -> String {
    let lines = Lines::new(text);
    let place = |span: &std::ops::Range<usize>| {
        let shown = String::from_utf8_lossy(&text[span.clone()]);
        let mut shown: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        if shown.len() > 50 {
            shown.truncate(50);
        }
        format!("{}: `{shown}`", lines.line(span.start))
    };
    let mut out = String::new();
    for diagnostic in &translation.diagnostics {
        let _ = writeln!(out, "{diagnostic}");
        let _ =
            writeln!(out, "    {} {}", place(&diagnostic.primary.span), diagnostic.primary.text);
        for label in &diagnostic.secondary {
            let _ = writeln!(out, "    {} {}", place(&label.span), label.text);
        }
        for help in &diagnostic.help {
            let _ = writeln!(out, "    = {help}");
        }
    }
    out
}

#[test]
fn invalid_sources_are_reported_with_the_reason() {
    for path in sources(&folder("invalid")) {
        let (text, translation) = read(&path);
        assert!(translation.failed(), "{}", path.display());
        assert!(translation.code.is_none() && translation.header.is_none());
        expect_file![path.with_extension("said")].assert_eq(&rendered(&text, &translation));
    }
}

#[test]
fn valid_sources_and_what_becomes_of_them() {
    for path in sources(&folder("valid")) {
        let (text, translation) = read(&path);
        let messages = rendered(&text, &translation);
        assert!(!translation.failed(), "{messages}");
        let code = translation.code.expect("code");
        let shown = format!(
            "{messages}--\n{}--\n{}",
            String::from_utf8_lossy(&code),
            translation.header.expect("a header").timed()
        );
        expect_file![path.with_extension("out")].assert_eq(&shown);
    }
}

#[test]
fn sources_without_pragmas_are_not_touched() {
    for text in ["", "int main(void) { return 0; }", "#pragma omp parallel\n", "#pragma dll x\n"] {
        let translation =
            translate(&Source { name: "x.c", text: text.as_bytes() }, &Options::default());
        assert!(!translation.directives_found && translation.code.is_none());
        assert!(!translation.failed(), "{text}");
    }
}
