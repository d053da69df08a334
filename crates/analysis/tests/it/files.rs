//! Files of every kind, and what is said of those that cannot be used.

use std::fs;
use std::path::{Path, PathBuf};

use cll_analysis::Error;
use cll_analysis::empty_files::{leave_out, refuse, with_content};
use cll_analysis::{DataSource, data_in, read_model, read_traces, traces_in, write_model};
use cll_files::Output;
use cll_import::ImportOptions;
use cll_result::ModelFile;
use tempfile::tempdir;

use crate::support::{Told, Walk, line, message, parts, read, write};

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_stands_for_its_traces_in_the_order_of_their_runs() {
    let folder = tempdir().unwrap();
    for name in ["p.cll.10.dat", "p.cll.9.dat", "p.cll.9.log", "other.dat", "p.cll.2.dat"] {
        write(folder.path(), name, "");
    }
    let file = PathBuf::from("elsewhere/x.csv");
    let traces = traces_in(&[file.clone(), folder.path().to_path_buf()]).unwrap();
    assert_eq!(
        names(&traces),
        ["x.csv", "other.dat", "p.cll.2.dat", "p.cll.9.dat", "p.cll.10.dat"]
    );
    assert_eq!(traces[0], file, "what is no folder is left to its reader");
    let book = tempdir().unwrap();
    std::fs::create_dir(book.path().join("traces")).unwrap();
    write(&book.path().join("traces"), "p.cll.1.dat", "");
    assert_eq!(names(&traces_in(&[book.path().to_path_buf()]).unwrap()), ["p.cll.1.dat"]);
    let empty = tempdir().unwrap();
    let text = message(traces_in(&[empty.path().to_path_buf()]));
    assert_eq!(text, format!("there is no trace (*.dat) in {}", empty.path().display()));
    assert_eq!(message(data_in(&[empty.path().to_path_buf()])), text);
    // Caliper's files, else Criterion's newest samples, however deep.
    for name in
        ["a/new/benchmark.json", "a/new/sample.json", "a/base/sample.json", "b/c/new/sample.json"]
    {
        write(empty.path(), name, "{}");
    }
    let paths = data_in(&[empty.path().to_path_buf()]).unwrap();
    assert_eq!(
        paths,
        ["benchmark.json", "sample.json"].map(|name| empty.path().join("a/new").join(name))
    );
    write(empty.path(), "run.cali", "");
    assert_eq!(names(&data_in(&[empty.path().to_path_buf()]).unwrap()), ["run.cali"]);
}

#[test]
fn files_without_content_are_named() {
    let folder = tempdir().unwrap();
    let intact = write(folder.path(), "walk.dat", Walk::default().bytes());
    let empty = write(folder.path(), "empty.dat", "");
    let zeros = write(folder.path(), "zeros.dat", vec![0; 65536]);
    let messages = Told::default();
    for path in [&empty, &zeros] {
        let (error, text, _) = parts(leave_out(vec![path.clone()], &messages));
        assert!(matches!(error, Error::Content(_)), "{error:?}");
        assert!(text.starts_with(&format!("{}: the file is empty", path.display())), "{text}");
        let (_, text, help) = parts(refuse(&[intact.clone(), path.clone()], &messages));
        assert!(text.contains("the file is empty"), "{text}");
        assert!(help[0].starts_with("supersteps need the logs of all processes"), "{help:?}");
    }
    assert!(messages.notices.borrow().is_empty());
    let left = leave_out(vec![empty.clone(), intact.clone(), zeros.clone()], &messages).unwrap();
    assert_eq!(left, std::slice::from_ref(&intact));
    let notices = messages.notices.borrow();
    assert!(
        notices.len() == 2 && notices.iter().all(|text| text.ends_with("; it is left out")),
        "{notices:?}"
    );
    assert_eq!(
        message(leave_out(vec![empty, zeros], &Told::default())),
        "all of these files are empty"
    );
    assert_eq!(
        leave_out(vec![intact.clone()], &Told::default()).unwrap(),
        std::slice::from_ref(&intact)
    );
    refuse(std::slice::from_ref(&intact), &Told::default()).unwrap();
    // A device is not read: it could be a pipe.
    let null = PathBuf::from("/dev/null");
    assert_eq!(with_content(vec![null.clone()], |_| panic!("nothing to say")).unwrap(), [null]);
}

#[test]
fn files_that_cannot_be_used_say_why() {
    let folder = tempdir().unwrap();
    let file = |name: &str, content: &[u8]| write(folder.path(), name, content);
    for (path, part) in [
        (file("empty", b" \n"), "the file is empty"),
        (file("archive", b"PK\x03\x04rest"), "this is an archive (zip), which is not read"),
        (file("noise", &[0xff, 0, 1, 2, 3, 0, 0, 0, 0xfe].repeat(50)), "noise: "),
        (folder.path().join("none"), "none: no such file or directory"),
        (folder.path().to_path_buf(), "is a folder: name the files in it"),
        (file("one", b"N,time\n"), "one: "),
    ] {
        let (error, text, _) = parts(DataSource::read(&[path], &ImportOptions::default()));
        assert!(
            matches!(error, Error::Content(_) | Error::Files(cll_files::Error::Unreadable { .. })),
            "{text}"
        );
        assert!(text.contains(part), "{part}: {text}");
    }
    // Where a trace is needed.
    for (path, part) in [
        (file("table", line().as_bytes()), "this is not a trace"),
        (file("json", b"{\"format\":\"cll-model\"}"), "this is JSON, not a trace or a table"),
    ] {
        let text = message(read_traces(&[path]));
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn files_that_cannot_be_fitted_together_are_refused() {
    let folder = tempdir().unwrap();
    let table = write(folder.path(), "t.csv", line());
    let trace = write(folder.path(), "walk.dat", Walk::default().bytes());
    let extrap = write(
        folder.path(),
        "e.txt",
        "PARAMETER N\nPOINTS 1 2 3\nREGION f\nMETRIC time\nDATA 1\nDATA 2\nDATA 3\n",
    );
    let together = |files: &[&PathBuf]| {
        let files: Vec<PathBuf> = files.iter().map(|path| (*path).clone()).collect();
        parts(DataSource::read(&files, &ImportOptions::default()))
    };
    assert_eq!(together(&[&trace, &table]).1, "traces and tables cannot be fitted together");
    assert_eq!(together(&[&extrap, &trace]).1, "traces and tables cannot be fitted together");
    assert_eq!(together(&[&table, &table]).1, "only one table can be fitted at a time");
    let (error, text, help) = together(&[&table, &extrap]);
    assert!(matches!(error, Error::Request(_)), "{error:?}");
    assert_eq!(text, "these files are of different formats");
    assert_eq!(help, ["--from FORMAT names the format of all"]);
    // Each of several tables is a part; twice the same is a mistake.
    let other = write(folder.path(), "u.csv", line());
    let both = read(&[table.clone(), other], ImportOptions::default()).unwrap();
    let labels: Vec<&str> = both.parts.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, ["t", "u"]);
    assert!(!both.has_trace());
    let twice = message(read(&[table.clone(), table.clone()], ImportOptions::default()));
    assert_eq!(twice, format!("{} is given twice", table.display()));
    // Of one name in two folders.
    let far = write(folder.path(), "far/t.csv", line());
    let both = read(&[table.clone(), far.clone()], ImportOptions::default()).unwrap();
    assert_eq!(both.parts[1].label, far.display().to_string());
}

#[test]
fn a_model_is_read_from_its_file_or_its_folder() {
    let folder = tempdir().unwrap();
    let model = ModelFile::new("2026-01-31T12:00:00Z".to_owned());
    let path = folder.path().join("model.json");
    write_model(&model, Output::at(&path).unwrap()).unwrap();
    assert_eq!(read_model(&path).unwrap(), model);
    assert_eq!(read_model(folder.path()).unwrap(), model);
    let wrong = |text: &str| {
        fs::write(&path, text).unwrap();
        let (error, message, help) = parts(read_model(folder.path()));
        assert!(matches!(error, Error::Content(_)), "{error:?}");
        let message =
            message.strip_prefix(&format!("{}: ", path.display())).expect("its name").to_owned();
        (message, help.len())
    };
    assert_eq!(
        wrong("{\"format\":\"cll-next\"}"),
        ("this is no model (its format is not \"cll-model\")".to_owned(), 1)
    );
    let (newer, help) = wrong("{\"format\":\"cll-model\",\"version\":9}");
    assert!(newer.contains("version 9") && help == 0, "{newer}");
    assert!(
        message(read_model(Path::new("/no/model.json"))).starts_with("cannot read /no/model.json")
    );
}
