//! States of runs.

use std::fs;

use cll_campaign::State;
use cll_campaign_db::{Row, RunResult};
use cll_units::Seconds;

use crate::support::{Book, host, result};

/// The row of a run.
fn row(book: &Book, run: i64) -> Row {
    book.database.rows().unwrap().into_iter().find(|row| row.id == run).unwrap()
}

#[test]
fn a_run_is_kept_with_what_came_of_it() {
    let book = Book::new();
    let run = book.waiting()[0].id;
    let environment = book.database.environment(&host("one")).unwrap();
    book.database.begin(run, environment).unwrap();
    assert_eq!((row(&book, run).state, row(&book, run).attempts), (State::Running, 1));
    assert!(book.waiting().iter().all(|waiting| waiting.id != run));
    let ended = RunResult { trace: Some(("walk.cll.1.dat".to_owned(), 12)), ..result() };
    book.database.end(run, State::Failed, &ended).unwrap();
    let row = row(&book, run);
    assert_eq!((row.state, row.attempts, row.campaign), (State::Failed, 1, book.campaign.id));
    assert_eq!((row.started, row.seconds), (Some(ended.started), Some(ended.seconds)));
    assert_eq!((row.exit, row.signal), (Some(3), Some(11)));
    assert_eq!((row.host.as_deref(), row.load), (Some("node7"), Some(0.3)));
    assert_eq!((row.trace, row.message), (Some("walk.cll.1.dat".to_owned()), ended.message));
    assert!(!row.oversubscribed);
}

#[test]
fn runs_are_counted_by_state_and_their_time_is_that_of_those_that_ended() {
    let book = Book::new();
    for state in [State::Done, State::Done, State::Failed, State::Timeout] {
        book.run(state);
    }
    let skipped = book.waiting()[0].id;
    book.database.put(skipped, State::Skipped, Some("an equal one takes too long")).unwrap();
    let begun = book.waiting()[0].id;
    book.database.begin(begun, book.database.environment(&host("one")).unwrap()).unwrap();
    let counts = book.database.counts().unwrap();
    assert_eq!((counts.done, counts.failed, counts.timeout), (2, 1, 1));
    assert_eq!((counts.skipped, counts.running, counts.planned), (1, 1, 6));
    assert_eq!((counts.all(), counts.left(), counts.ended()), (12, 7, 4));
    assert_eq!(counts.time, Seconds((0..4).map(|_| result().seconds).sum()));
    let completed = book.database.made(&book.campaign).unwrap();
    assert_eq!(completed.len(), 4);
    assert!(completed.iter().all(|(_, seconds)| *seconds == result().seconds));
    assert_eq!(row(&book, skipped).message.as_deref(), Some("an equal one takes too long"));
}

/// One that was cut off is made again; so is one whose trace is gone or has another size.
#[test]
fn what_is_not_there_in_full_is_planned_again() {
    let book = Book::new();
    let [intact, removed, longer, folder] = [0; 4].map(|_| book.run(State::Done));
    let cut = book.waiting()[0].id;
    book.database.begin(cut, book.database.environment(&host("one")).unwrap()).unwrap();
    let trace = |run: i64| book.database.traces().join(format!("walk.cll.{run}.dat"));
    fs::remove_file(trace(removed)).unwrap();
    fs::write(trace(longer), "a trace of another length").unwrap();
    fs::remove_file(trace(folder)).unwrap();
    fs::create_dir(trace(folder)).unwrap();
    assert_eq!(book.database.recover(&book.campaign).unwrap(), (1, 3));
    assert_eq!(row(&book, intact).state, State::Done);
    for run in [removed, longer, folder] {
        let message = Some("its trace was removed: will be made again");
        assert_eq!(
            (row(&book, run).state, row(&book, run).message.as_deref()),
            (State::Planned, message)
        );
    }
    assert_eq!(row(&book, cut).state, State::Planned);
    assert_eq!(book.waiting().len(), 11);
    // The second time there is nothing to do.
    assert_eq!(book.database.recover(&book.campaign).unwrap(), (0, 0));
}

#[test]
fn failed_runs_are_made_again_and_their_attempts_are_kept() {
    let mut book = Book::new();
    let [done, failed, late] =
        [State::Done, State::Failed, State::Timeout].map(|state| book.run(state));
    let skipped = book.waiting()[0].id;
    book.database.put(skipped, State::Skipped, None).unwrap();
    assert_eq!(book.database.retry(&book.campaign).unwrap(), 3);
    let attempts = book.database.attempts().unwrap();
    assert_eq!(attempts.len(), 2, "what was skipped was never begun: {attempts:?}");
    for (run, state) in [(failed, "failed"), (late, "timeout")] {
        let [attempt] = &attempts[&run][..] else { panic!("{attempts:?}") };
        let kept = format!("walk.cll.{run}.attempt-1.dat");
        assert_eq!((attempt.attempt, attempt.state.as_str()), (1, state));
        assert_eq!((attempt.exit, attempt.signal), (Some(3), Some(11)));
        assert_eq!(
            (attempt.time, attempt.started),
            (Some(Seconds(result().seconds)), Some(result().started))
        );
        assert_eq!((&attempt.message, attempt.host.as_deref()), (&result().message, Some("node7")));
        assert_eq!(attempt.trace.as_ref(), Some(&kept));
        let trace = fs::read_to_string(book.database.traces().join(kept)).unwrap();
        assert_eq!(trace, format!("trace of {run}"));
        assert_eq!((row(&book, run).state, row(&book, run).trace), (State::Planned, None));
    }
    assert_eq!(row(&book, done).state, State::Done);
    // The second attempt fails, too.
    book.run_again(failed, State::Failed, &host("one"));
    assert_eq!(row(&book, failed).attempts, 2);
    assert_eq!(book.database.retry(&book.campaign).unwrap(), 1);
    let numbers: Vec<u32> =
        book.database.attempts().unwrap()[&failed].iter().map(|attempt| attempt.attempt).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn logs_of_an_earlier_attempt_are_kept() {
    let book = Book::new();
    for text in ["first", "second", "third"] {
        let logs = book.database.new_logs(5).unwrap();
        assert_eq!(fs::read_dir(&logs).unwrap().count(), 0);
        fs::write(logs.join("log"), text).unwrap();
    }
    let text =
        |name: &str| fs::read_to_string(book.path().join("logs").join(name).join("log")).unwrap();
    assert_eq!([text("5.attempt-1"), text("5.attempt-2"), text("5")], ["first", "second", "third"]);
}
