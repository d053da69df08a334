//! `docs/environment.md` is generated from the list of variables. `UPDATE_PAGE=1` writes it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use cll_contract::{ALL, Section};

const SECTIONS: &[(Section, &str, &str)] = &[
    (
        Section::Measured,
        "What a program records",
        "Read by the library once, before `main`. A program with more rights than its user (set-uid) ignores \
         them. A value that is not understood is reported on standard error, and the default is used.",
    ),
    (
        Section::Bsp,
        "Processors of BSP programs",
        "Read by the library when the processors begin. A value that is not understood ends the program with a message.",
    ),
    (
        Section::Virtual,
        "Virtual processors",
        "Without `cll run` a variable has the effect of the option. Nothing is reported at the end, but the log (`CLL_LOG=1`) \
         is written.",
    ),
    (Section::Program, "`cll` itself", "Read by `cll`; `CLL_MPICC` also by the library."),
    (
        Section::Internal,
        "Set by `cll`",
        "`cll` and the library pass values to each other with these; there is no reason to set them by hand.",
    ),
];

fn page() -> String {
    let mut page = "# Environment variables\n\nThis page is generated from `crates/contract`, which defines each variable for \
                    program and library. An empty value counts as not set."
        .to_owned();
    for (section, title, text) in SECTIONS {
        write!(page, "\n\n## {title}\n\n{text}\n\n").unwrap();
        page += "| variable | value | otherwise | set by |\n|---|---|---|---|";
        for about in ALL.iter().filter(|about| about.section == *section) {
            let name = about.name.to_str().unwrap();
            let cell = |text: &str| if text.is_empty() { " ".into() } else { format!(" {text} ") };
            let (otherwise, option) = (cell(about.otherwise), cell(about.option));
            write!(page, "\n| `{name}` | {} |{otherwise}|{option}|", about.meaning).unwrap();
        }
    }
    page + "\n"
}

#[test]
fn the_page_is_that_of_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/environment.md");
    let wanted = page();
    if std::env::var_os("UPDATE_PAGE").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text == wanted,
        "UPDATE_PAGE=1 cargo test -p cll-contract writes docs/environment.md:\n{wanted}"
    );
}

#[test]
fn names_are_there_once_and_in_sections() {
    let mut names: Vec<&str> = ALL.iter().map(|about| about.name.to_str().unwrap()).collect();
    assert!(names.iter().all(|name| name.starts_with("CLL_")), "{names:?}");
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
