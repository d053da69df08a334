//! A writer that is killed loses nothing that it had written.

use std::env::{current_exe, var_os};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cll_campaign::State;
use cll_campaign_db::CampaignDb;

use crate::support::{Book, host, plan, result};

/// Names the database for the program of tests that this test starts.
const DATABASE: &str = "TEST_DATABASE";

/// The writer is killed as soon as it has said that so many runs are done: at another instant each time, since it
/// goes on meanwhile.
#[test]
fn what_was_written_before_a_kill_is_there() {
    let mut plan = plan();
    plan.rounds = 100;
    let (_folder, path) = Book::with(&plan).close();
    let mut least = 0;
    for line_count in [1, 7, 20, 50] {
        let mut writer = Command::new(current_exe().unwrap());
        writer.args(["--exact", "killed::a_writer", "--ignored", "--nocapture"]);
        writer.env(DATABASE, &path).stdout(Stdio::piped());
        let mut writer = writer.spawn().unwrap();
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let ended = lines
            .map(Result::unwrap)
            .filter(|line| line.contains("ended a run"))
            .take(line_count)
            .count();
        writer.kill().unwrap();
        writer.wait().unwrap();
        least += ended as u64;
        // The lock went with the writer.
        let database = CampaignDb::resume(&path).unwrap();
        let campaign = database.campaign().unwrap();
        let (cut, gone) = database.recover(&campaign).unwrap();
        assert!(cut <= 1 && gone == 0, "{cut} {gone}");
        let counts = database.counts().unwrap();
        assert!(counts.done >= least, "{} of {least} that were said", counts.done);
        assert_eq!((counts.all(), counts.running), (600, 0));
        least = counts.done;
        let rows = database.rows().unwrap();
        assert!(rows.iter().all(|row| (row.state == State::Done) == row.seconds.is_some()));
        // In order: those before are done.
        let waiting = database.waiting(&campaign).unwrap();
        assert_eq!(waiting[0].id, rows[least as usize].id);
    }
}

#[test]
#[ignore = "the test above starts it"]
fn a_writer() {
    let path = PathBuf::from(var_os(DATABASE).unwrap());
    let database = CampaignDb::resume(&path).unwrap();
    let environment = database.environment(&host("one")).unwrap();
    for run in database.waiting(&database.campaign().unwrap()).unwrap() {
        database.begin(run.id, environment).unwrap();
        database.end(run.id, State::Done, &result()).unwrap();
        println!("ended a run");
    }
}
