//! Failures in words, names of files, outputs that are not files, and a page that is served.

#![forbid(unsafe_code)]

mod serve;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use cll_files::*;
use tempfile::tempdir;

/// The error, with its message and its help.
#[track_caller]
fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}

#[test]
fn the_systems_reasons_are_fragments() {
    let reason_of = |number: i32| reason(&io::Error::from_raw_os_error(number));
    assert_eq!(reason_of(2), "no such file or directory");
    assert_eq!(reason_of(13), "permission denied");
    assert_eq!(reason_of(28), "no space left on device");
    assert_eq!(reason_of(27), "file too large (ulimit -f limits the size of files)");
    assert_eq!(reason(&io::Error::other("GPU is gone")), "GPU is gone", "no acronym is changed");
    assert_eq!(lower_first("No such file"), "no such file");
    for text in ["ELF is wrong", "", "A", "already lower"] {
        assert_eq!(lower_first(text), text);
    }
    assert_eq!(lower_first("Öffnen"), "öffnen");
}

#[test]
fn exit_codes_are_those_of_a_shell() {
    for (raw, code) in [(0, 0), (7 << 8, 7), (9, 137), (11 | 0x80, 139), (0x7f, 1)] {
        assert_eq!(exit_code(ExitStatus::from_raw(raw)), code, "{raw}");
    }
}

#[test]
fn names_from_elsewhere_become_names_of_files() {
    for (name, expected) in [
        ("main/solve:time", "main_solve_time"),
        ("a b\n\0c", "a_b__c"),
        ("..", ".."),
        ("größe-1.5_x", "größe-1.5_x"),
        ("", ""),
    ] {
        assert_eq!(named_by(name), expected);
    }
    let (long, other) = ("ü".repeat(200), format!("{}x", "ü".repeat(200)));
    let (first, second) = (named_by(&long), named_by(&other));
    assert!(first.len() <= 120 && second.len() <= 120, "{first}");
    assert_ne!(first, second, "what is cut off still counts");
    assert!(first.starts_with(&"ü".repeat(50)));
    assert_eq!(named_by(&"x".repeat(120)), "x".repeat(120));
    assert_eq!(in_folder(Path::new("."), "x"), Path::new("x"));
    assert_eq!(in_folder(Path::new("a"), "x"), Path::new("a/x"));
    assert_eq!(
        (base(Path::new("a/b.c")), base(Path::new("/"))),
        ("b.c".to_owned(), "/".to_owned())
    );
}

#[test]
fn a_folder_in_the_way_of_a_file() {
    let place = tempdir().unwrap();
    let path_of = |name: &str| place.path().join(name);
    make_folder(&path_of("a/b/c")).unwrap();
    make_folder(&path_of("a/b/c")).unwrap();
    fs::write(path_of("file"), "").unwrap();
    let (error, message, help) = parts(make_folder(&path_of("file")));
    assert!(matches!(error, Error::NoFolder { .. }), "{error:?}");
    assert!(message.ends_with("file must be a folder, and is not one"), "{message}");
    assert_eq!(help, ["choose another name, or move the file"]);
    let (_, message, _) = parts(make_folder(&path_of("file/x")));
    assert!(
        message.contains("cannot make the folder") && message.ends_with("file/x: not a directory"),
        "{message}"
    );
    let (_, message, _) = parts(keep_as(&path_of("none"), &path_of("new")));
    assert!(
        message.contains("cannot rename to") && message.contains("new: no such file"),
        "{message}"
    );
    let (_, message, _) = parts(write(&path_of("none/x"), b""));
    assert!(message.contains("none/x: no such file"), "{message}");
    assert!(temporary_folder().unwrap().path().is_dir());
}

#[test]
fn who_may_read_may_execute() {
    let place = tempdir().unwrap();
    let path = place.path().join("p");
    for (before, after) in [(0o644, 0o755), (0o600, 0o700), (0o640, 0o750), (0o444, 0o555)] {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
        assert!(!is_executable(&path));
        make_executable(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, after);
        assert!(is_executable(&path));
        fs::remove_file(&path).unwrap();
    }
    // A device keeps its mode.
    let before = fs::metadata("/dev/null").unwrap().permissions();
    make_executable(Path::new("/dev/null")).unwrap();
    assert_eq!(fs::metadata("/dev/null").unwrap().permissions(), before);
    assert!(!is_executable(place.path()), "a folder");
    assert!(in_path("sh").is_some_and(|path| is_executable(&path)));
    assert_eq!(in_path("no-such-program-anywhere"), None);
}

#[test]
fn files_of_launches_are_found_by_run_and_rank() {
    let place = tempdir().unwrap();
    let touch = |name: &str| fs::write(place.path().join(name), "").unwrap();
    for name in [
        "heat.cll.0.0.dat",
        "heat.cll.0.1.dat",
        "heat.cll.0.10.dat",
        "heat.cll.7.dat",
        "heat.cll.x.dat",
        "a.cll.b.cll.2.0.dat",
        "heat.cll.0.0.log",
        "heat.cll.-1.0.dat",
    ] {
        touch(name);
    }
    let launches = launches_in(place.path());
    let keys: Vec<(&str, u32)> = launches.keys().map(|(name, run)| (name.as_str(), *run)).collect();
    assert_eq!(keys, [("a.cll.b", 2), ("heat", 0)]);
    let names: Vec<String> =
        launches[&("heat".to_owned(), 0)].iter().map(|path| base(path)).collect();
    assert_eq!(names, ["heat.cll.0.0.dat", "heat.cll.0.1.dat", "heat.cll.0.10.dat"]);
    assert_eq!(wholes_in(place.path(), "heat.cll").keys().copied().collect::<Vec<_>>(), [7]);
    assert!(wholes_in(&place.path().join("none"), "heat.cll").is_empty());
    touch("heat.cll.8.0.dat");
    let new = launches_since(place.path(), &launches);
    assert_eq!((new.len(), new[0].name.as_str(), new[0].run), (1, "heat", 8));
    assert!(launches_since(place.path(), &launches_in(place.path())).is_empty());
    assert_eq!(launches_since(place.path(), &BTreeMap::new()).len(), 3);
}

#[test]
fn a_folder_that_cannot_be_written_gets_no_number() {
    let place = tempdir().unwrap();
    let (error, message, help) = parts(numbered(&place.path().join("none"), "p.cll", "dat"));
    assert!(matches!(error, Error::Unnumbered { .. }), "{error:?}");
    assert!(message.contains("none/p.cll.0.dat: no such file"), "{message}");
    assert_eq!(help, ["-o DIR chooses another folder for the trace"]);
}

/// The bytes that were written before stay, and later ones are added.
#[test]
fn an_open_file_of_this_process_goes_on_at_its_position() {
    let place = tempdir().unwrap();
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(place.path().join("all"))
        .unwrap();
    file.write_all(b"head\n").unwrap();
    let name = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let output = Output::at(&name).unwrap();
    assert!(!output.is_file());
    output.write(b"middle\n").unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(b"tail\n").unwrap();
    assert_eq!(fs::read_to_string(place.path().join("all")).unwrap(), "head\nmiddle\ntail\n");
}

#[test]
fn a_full_device_is_a_failure_and_stays() {
    let place = tempdir().unwrap();
    let link = place.path().join("full");
    symlink("/dev/full", &link).unwrap();
    for path in [Path::new("/dev/full"), &link] {
        let (error, message, _) = parts(replace(path, b"text"));
        assert!(matches!(error, Error::Unwritten { .. }), "{error:?}");
        assert_eq!(message, format!("cannot write {}: no space left on device", path.display()));
    }
    assert!(link.is_symlink());
    replace(Path::new("/dev/null"), b"text").unwrap();
}

/// A writer's own error is passed on.
#[test]
fn writers_may_have_errors_of_their_own() {
    #[derive(Debug)]
    enum Wrong {
        Own,
        System,
    }
    impl From<io::Error> for Wrong {
        fn from(_: io::Error) -> Wrong {
            Wrong::System
        }
    }
    let place = tempdir().unwrap();
    let path = place.path().join("out");
    fs::write(&path, "old").unwrap();
    let wrong = Output::at(&path).unwrap().write_as(|out| {
        out.write_all(b"half")?;
        Err(Wrong::Own)
    });
    assert!(matches!(wrong, Err(Wrong::Own)));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    let full = Output::at(Path::new("/dev/full"))
        .unwrap()
        .write_as(|out| Ok::<(), Wrong>(out.write_all(b"x")?));
    assert!(matches!(full, Err(Wrong::System)));
}

#[test]
fn times_are_copied_where_they_can_be() {
    let place = tempdir().unwrap();
    let (from, to) = (place.path().join("from"), place.path().join("to"));
    fs::write(&from, "").unwrap();
    fs::write(&to, "").unwrap();
    let early = std::time::UNIX_EPOCH + std::time::Duration::from_secs(86_400);
    File::options().write(true).open(&from).unwrap().set_modified(early).unwrap();
    copy_time(&from, &to);
    assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), early);
    copy_time(&place.path().join("none"), &to);
    assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), early);
}
