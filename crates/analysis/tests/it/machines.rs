//! Machines by file or name.

use std::path::Path;

use cll_analysis::Error;
use cll_analysis::machine;
use cll_machine::PUBLISHED;
use tempfile::tempdir;

use crate::support::{Told, message, parts, write};

#[test]
fn a_machine_is_named_by_its_file_or_its_published_name() {
    let folder = tempdir().unwrap();
    let name = PUBLISHED[0].name;
    let (bytes, _) = machine::text(Path::new(name)).unwrap();
    let path = write(folder.path(), "mine.toml", &bytes);
    let messages = Told::default();
    let (by_name, by_file) =
        (machine::load(Path::new(name), &messages), machine::load(&path, &messages));
    assert_eq!(by_name.unwrap().name, by_file.unwrap().name);
    assert!(messages.codes.borrow().is_empty(), "{:?}", messages.codes);
    let places: Vec<&str> = machine::folders().iter().map(|(place, _)| *place).collect();
    assert_eq!(places[0], "project");
}

#[test]
fn a_machine_that_is_not_there_or_wrong_is_told() {
    let folder = tempdir().unwrap();
    let name = PUBLISHED[0].name;
    let misspelt = format!("{name}x");
    let (error, text, help) = parts(machine::text(Path::new(&misspelt)));
    assert!(matches!(error, Error::Content(_)), "{error:?}");
    assert_eq!(text, format!("there is no file and no published machine {misspelt}"));
    assert_eq!(help, [format!("did you mean {name}?")]);
    let (_, _, help) = parts(machine::text(Path::new("nothing-like-it-at-all")));
    assert!(help[0].starts_with("cll machine list shows the published machines"), "{help:?}");
    // With a folder or an extension it is a file.
    let text = message(machine::text(&folder.path().join("none.toml")));
    assert!(text.contains("none.toml: no such file"), "{text}");
    let wrong = write(folder.path(), "wrong.toml", "cll-machine = 3\nname = 7\n");
    let messages = Told::default();
    assert!(matches!(machine::load(&wrong, &messages), Err(cll_analysis::Error::Diagnosed)));
    assert!(
        !messages.codes.borrow().is_empty()
            && messages.codes.borrow()[0].starts_with(wrong.to_str().unwrap())
    );
}
