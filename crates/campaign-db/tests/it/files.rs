//! Files that are damaged, of other versions, or in use.

use std::fs;
use std::path::Path;
use std::thread;

use cll_campaign::State;
use cll_campaign_db::CampaignDb;
use cll_campaign_db::Error;
use rusqlite::Connection;

use crate::support::{Book, HOME, host, parts, plan};

/// Runs SQL on the closed database of a folder.
fn change(path: &Path, sql: &str) {
    Connection::open(path.join("book.sqlite")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_damaged_file_is_told_and_the_traces_are_pointed_out() {
    let book = Book::new();
    book.run(State::Done);
    let (_folder, path) = book.close();
    let file = path.join("book.sqlite");
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.len() > 8192);
    let mut overwritten = bytes.clone();
    overwritten[4096..].fill(0x55);
    for (what, content) in [
        (
            "another file",
            b"no database at all, but long enough for a header, or so it seems".repeat(9),
        ),
        ("overwritten pages", overwritten),
        ("cut short", bytes[..bytes.len() / 2].to_vec()),
    ] {
        fs::write(&file, content).unwrap();
        let read = CampaignDb::open(&path).and_then(|database| database.rows());
        let (error, message, help) = parts(read);
        assert!(matches!(error, Error::Damaged { .. }), "{what}: {message}");
        assert!(message.contains("book.sqlite is damaged"), "{what}: {message}");
        assert_eq!(help, ["the traces beside it are unchanged: cll fit reads them"], "{what}");
    }
    // An empty file is a database without tables.
    fs::write(&file, "").unwrap();
    let (_, message, _) = parts(CampaignDb::open(&path));
    assert!(message.contains("a campaign of version 0"), "{message}");
}

#[test]
fn a_plan_that_cannot_be_read_is_told() {
    let (_folder, path) = Book::new().close();
    for plan in ["{}", "{\"name\":", "{\"name\":\"x\",\"of tomorrow\":1}"] {
        change(&path, &format!("UPDATE campaign SET plan = '{plan}'"));
        let (error, message, _) = parts(CampaignDb::open(&path).unwrap().campaign());
        assert!(matches!(error, Error::Plan { .. }), "{error:?}");
        assert!(message.contains("walk.campaign: a plan in it cannot be read:"), "{message}");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let (_folder, path) = Book::new().close();
    change(&path, "PRAGMA user_version = 3");
    for database in [CampaignDb::open(&path), CampaignDb::resume(&path)] {
        let (error, message, _) = parts(database);
        assert!(matches!(error, Error::Version { .. }), "{error:?}");
        assert!(
            message.ends_with("is a campaign of version 3; this cll reads version 2"),
            "{message}"
        );
    }
}

/// Version 1 had no attempts.
#[test]
fn a_database_of_version_1_is_read_and_continued() {
    let book = Book::new();
    let failed = book.run(State::Failed);
    let (_folder, path) = book.close();
    change(&path, "DROP TABLE attempt; PRAGMA user_version = 1");
    let read = CampaignDb::open(&path).unwrap();
    assert!(read.attempts().unwrap().is_empty());
    // Reading does not change it.
    let version = |path: &Path| -> i64 {
        let connection = Connection::open(path.join("book.sqlite")).unwrap();
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    assert_eq!(version(&path), 1);
    let copy = path.with_extension("merged");
    cll_campaign_db::merge(&copy, &[read]).unwrap();
    assert_eq!(CampaignDb::open(&copy).unwrap().counts().unwrap().failed, 1);
    let mut database = CampaignDb::resume(&path).unwrap();
    let campaign = database.campaign().unwrap();
    assert_eq!(database.retry(&campaign).unwrap(), 1);
    assert_eq!(database.attempts().unwrap()[&failed].len(), 1);
    drop(database);
    assert_eq!(version(&path), 2);
}

#[test]
fn one_writer_at_a_time_and_readers_meanwhile() {
    let book = Book::new();
    book.run(State::Done);
    let path = book.path();
    for writer in [
        CampaignDb::resume(&path),
        CampaignDb::create(&path.join("."), &plan(), Path::new(HOME), 1),
    ] {
        let (_, message, _) = parts(writer);
        assert!(
            message.contains("another cll campaign uses") || message.contains("exists already"),
            "{message}"
        );
    }
    let (error, _, help) = parts(CampaignDb::resume(&path));
    assert!(matches!(error, Error::Held(_)), "{error:?}");
    assert_eq!(help, ["wait for it; cll campaign status shows its progress"]);
    assert_eq!(CampaignDb::open(&path).unwrap().counts().unwrap().done, 1);
    book.run(State::Done);
    assert_eq!(CampaignDb::open(&path).unwrap().counts().unwrap().done, 2);
    let (_folder, path) = book.close();
    assert_eq!(CampaignDb::resume(&path).unwrap().counts().unwrap().done, 2);
}

/// Each sees a state between two runs.
#[test]
fn readers_see_whole_runs_while_one_writes() {
    let mut plan = plan();
    plan.rounds = 20;
    let book = Book::with(&plan);
    let path = book.path();
    let reader = thread::spawn(move || {
        let mut done = 0;
        while done < 120 {
            let database = CampaignDb::open(&path).unwrap();
            for row in database.rows().unwrap().iter().filter(|row| row.state == State::Done) {
                assert!(
                    row.seconds.is_some() && row.host.is_some() && row.attempts == 1,
                    "{row:?}"
                );
            }
            let now = database.counts().unwrap().done;
            assert!(now >= done, "{now} after {done}");
            done = now;
        }
    });
    for run in book.waiting() {
        book.run_again(run.id, State::Done, &host("one"));
    }
    reader.join().unwrap();
}

/// Also when a first try was killed before the database had its name.
#[test]
fn leftovers_of_an_interrupted_creation_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.campaign");
    fs::create_dir_all(path.join("traces")).unwrap();
    for name in ["book.sqlite.new", "book.sqlite.new-journal", "book.sqlite.new-wal", ".held"] {
        fs::write(path.join(name), "half of it").unwrap();
    }
    assert!(!cll_campaign_db::is_campaign_db(&path));
    let database = CampaignDb::create(&path, &plan(), Path::new(HOME), 7).unwrap();
    assert_eq!(database.counts().unwrap().planned, 12);
    assert!(!path.join("book.sqlite.new").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let path = folder.path().join("file/walk.campaign");
    let (error, message, _) = parts(CampaignDb::create(&path, &plan(), Path::new(HOME), 7));
    assert!(matches!(error, Error::Files(_)), "{error:?}");
    assert!(message.contains("file/walk.campaign"), "{message}");
}
