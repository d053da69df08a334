//! Several databases in one.

use std::fs;
use std::path::Path;

use cll_campaign::State;
use cll_campaign_db::Error;
use cll_campaign_db::{CampaignDb, merge};

use crate::support::{Book, HOME, host, parts, plan};

/// The part of a run that two databases must have in common.
fn content(database: &CampaignDb) -> Vec<String> {
    let text = |row: &cll_campaign_db::Row| {
        let trace = row
            .trace
            .as_ref()
            .map(|name| fs::read_to_string(database.traces().join(name)).unwrap());
        format!(
            "{} {} {} {:?} {} {:?} {:?} {:?} {:?} {:?} {trace:?}",
            row.round,
            row.processors,
            row.parameters,
            row.state,
            row.attempts,
            row.host,
            row.started,
            row.seconds,
            row.exit,
            row.message,
        )
    };
    database.rows().unwrap().iter().map(text).collect()
}

#[test]
fn each_campaign_is_merged_once_with_all_of_it() {
    let (first, second) = (Book::new(), Book::new());
    first.run(State::Done);
    first.run(State::Failed);
    second.run(State::Timeout);
    let folder = first.folder.path().join("both.campaign");
    let again = CampaignDb::open(&first.path()).unwrap();
    let keys = [first.campaign.key.clone(), second.campaign.key.clone()];
    let expected = [content(&first.database), content(&second.database)].concat();
    let (Book { database, folder: _first, .. }, Book { database: other, folder: _second, .. }) =
        (first, second);
    let twice = merge(&folder, &[database, other, again]).unwrap();
    assert_eq!(twice, [format!("walk ({})", keys[0])]);
    let merged = CampaignDb::open(&folder).unwrap();
    let campaigns = merged.campaigns().unwrap();
    assert_eq!(
        campaigns.iter().map(|campaign| &campaign.key).collect::<Vec<_>>(),
        keys.iter().collect::<Vec<_>>()
    );
    assert!(
        campaigns
            .iter()
            .all(|campaign| campaign.plan == plan() && campaign.folder == Path::new(HOME))
    );
    assert_eq!(content(&merged), expected);
    assert_eq!(merged.counts().unwrap().all(), 24);
    // One host was in both.
    assert_eq!(merged.environments().unwrap(), [host("one")]);
    let (error, message, help) = parts(merged.campaign());
    assert!(matches!(error, Error::Several { .. }), "{error:?}");
    assert!(message.ends_with("has 2 campaigns and cannot be continued"), "{message}");
    assert_eq!(help, ["continue the campaign from which it was merged"]);
}

/// They get the run's new number.
#[test]
fn attempts_go_with_their_run() {
    let (first, mut second) = (Book::new(), Book::new());
    let run = second.run(State::Failed);
    second.database.retry(&second.campaign).unwrap();
    second.run_again(run, State::Done, &host("two"));
    let folder = first.folder.path().join("both.campaign");
    merge(&folder, &[first.database, second.database]).unwrap();
    let merged = CampaignDb::open(&folder).unwrap();
    let attempts = merged.attempts().unwrap();
    let ([(new, all)], row) = (
        &attempts.iter().collect::<Vec<_>>()[..],
        merged.rows().unwrap().into_iter().find(|row| row.state == State::Done).unwrap(),
    ) else {
        panic!("{attempts:?}")
    };
    assert_eq!(**new, row.id);
    assert_ne!(**new, run, "it would be overwritten");
    let trace = |name: &str| fs::read_to_string(merged.traces().join(name)).unwrap();
    assert_eq!(row.trace, Some(format!("walk.cll.{new}.dat")));
    assert_eq!(all[0].trace, Some(format!("walk.cll.{new}.attempt-1.dat")));
    assert_eq!(trace(all[0].trace.as_ref().unwrap()), format!("trace of {run}"));
    assert_eq!(trace(row.trace.as_ref().unwrap()), format!("trace of {run}"));
    assert_eq!(merged.environments().unwrap(), [host("two"), host("one")]);
}

#[test]
fn a_missing_trace_leaves_no_merged_database() {
    let book = Book::new();
    let run = book.run(State::Done);
    fs::remove_file(book.database.traces().join(format!("walk.cll.{run}.dat"))).unwrap();
    let folder = book.folder.path().join("both.campaign");
    let (error, message, _) = parts(merge(&folder, &[book.database]));
    assert!(matches!(error, Error::Files(cll_files::Error::Unreadable { .. })), "{error:?}");
    assert!(message.contains(&format!("walk.cll.{run}.dat: no such file")), "{message}");
    assert!(!cll_campaign_db::is_campaign_db(&folder));
    // What was begun is not in the way of another try.
    assert!(merge(&folder, &[]).unwrap().is_empty());
}

#[test]
fn a_database_is_not_merged_into_one_that_exists() {
    let book = Book::new();
    let (error, message, _) = parts(merge(&book.path(), &[]));
    assert!(matches!(error, Error::Exists(_)), "{error:?}");
    assert!(message.ends_with("exists already"), "{message}");
}
