//! The files of traces.

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use cll_launch::Recorder;
use cll_trace::layout::{BlockHeader, meta_block};
use cll_trace::meta::{Meta, Run};
use tempfile::tempdir;

fn block() -> Vec<u8> {
    meta_block(&[Meta::Run(Run::default())], BlockHeader::default())
}

#[test]
fn numbers_are_the_first_that_are_free() {
    let folder = tempdir().unwrap();
    for (number, name) in ["p.cll.0.dat", "p.cll.1.dat", "p.cll.2.dat"].into_iter().enumerate() {
        let mut recorder = Recorder::new(folder.path(), "p", "dat").unwrap();
        recorder.append(&block());
        assert_eq!(
            (recorder.number(), recorder.path()),
            (number as u32, &*folder.path().join(name))
        );
        assert_eq!(recorder.finish(Run::default()).trace, Some(folder.path().join(name)));
    }
    // A log has numbers of its own, and so has another program.
    assert_eq!(Recorder::new(folder.path(), "p", "log").unwrap().number(), 0);
    assert_eq!(Recorder::new(folder.path(), "q", "dat").unwrap().number(), 0);
}

#[test]
fn an_attempt_replaces_the_file_of_its_number() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("p.cll.7.dat"), vec![1; 10_000]).unwrap();
    let mut recorder = Recorder::numbered(folder.path(), "p", "dat", 7).unwrap();
    recorder.append(&block());
    let run = Run {
        command: vec!["./p".to_owned(), "9".to_owned()],
        number: 7,
        exit: Some(3),
        ..Run::default()
    };
    let trace = recorder.finish(run).trace.unwrap();
    let read = cll_trace::read(File::open(trace).unwrap()).unwrap();
    assert_eq!(read.runs[1].table.command, ["./p", "9"]);
    assert_eq!((read.runs[1].table.number, read.runs[1].table.exit), (7, Some(3)));
}

#[test]
fn a_program_that_recorded_nothing_leaves_no_file() {
    let folder = tempdir().unwrap();
    let recorder = Recorder::new(folder.path(), "p", "dat").unwrap();
    let path = recorder.path().to_path_buf();
    assert!(path.exists());
    let finished = recorder.finish(Run::default());
    assert!(finished.trace.is_none() && finished.lost.is_none() && finished.moved.is_none());
    assert!(!path.exists());
}

/// The device says what a full disk says.
#[test]
fn blocks_that_a_full_disk_does_not_take_are_counted() {
    let folder = tempdir().unwrap();
    symlink("/dev/full", folder.path().join("p.cll.0.dat")).unwrap();
    let mut recorder = Recorder::numbered(folder.path(), "p", "dat", 0).unwrap();
    assert!(recorder.has_lost().is_none());
    recorder.append(&block());
    recorder.append(&block());
    assert_eq!(recorder.has_lost().unwrap().raw_os_error(), Some(28));
    let finished = recorder.finish(Run::default());
    let lost = finished.lost.unwrap();
    assert_eq!((lost.blocks, lost.bytes, lost.kept), (2, 2 * block().len() as u64, 0));
    assert!(finished.trace.is_none());
}

#[test]
fn a_folder_that_is_none_is_named() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let error = Recorder::new(&folder.path().join("file/x"), "p", "dat").unwrap_err();
    assert!(error.to_string().contains("file/x"), "{error:?}");
}
