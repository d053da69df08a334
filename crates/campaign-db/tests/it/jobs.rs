//! Jobs of batch systems.

use std::path::Path;

use cll_campaign::State;

use crate::support::{Book, host, result};

/// A job with the first runs of a campaign.
fn submit(book: &mut Book, count: usize) -> (i64, Vec<i64>) {
    let runs: Vec<i64> = book.waiting().iter().take(count).map(|run| run.id).collect();
    let environment = book.database.environment(&host("head")).unwrap();
    let (campaign, folder) = (book.campaign.clone(), Path::new("/scratch/job"));
    let job =
        book.database.submitting(&campaign, ("slurm", 4), folder, (&runs, environment)).unwrap();
    (job, runs)
}

/// In the database before the system has it: after a crash its number is unknown, and it may exist.
#[test]
fn a_job_is_kept_before_it_is_submitted() {
    let mut book = Book::new();
    let (job, runs) = submit(&mut book, 3);
    let jobs = book.database.jobs(&book.campaign).unwrap();
    assert_eq!((jobs.len(), jobs[0].id, &jobs[0].number), (1, job, &None));
    assert_eq!(jobs[0].folder, Path::new("/scratch/job"));
    book.database.submitted(job, "4711").unwrap();
    assert_eq!(book.database.jobs(&book.campaign).unwrap()[0].number.as_deref(), Some("4711"));
    let waiting = book.waiting();
    assert_eq!(waiting.len(), 12, "submitted runs wait, too");
    for run in &waiting {
        assert_eq!(run.job, Some(job).filter(|_| runs.contains(&run.id)));
    }
    assert_eq!(book.database.counts().unwrap().submitted, 3);
}

#[test]
fn the_runs_of_a_refused_job_are_planned_as_if_it_had_never_been() {
    let mut book = Book::new();
    let (job, runs) = submit(&mut book, 2);
    book.database.not_submitted(job).unwrap();
    assert!(book.database.jobs(&book.campaign).unwrap().is_empty());
    for row in book.database.rows().unwrap().iter().filter(|row| runs.contains(&row.id)) {
        assert_eq!((row.state, row.attempts), (State::Planned, 0));
    }
    assert!(book.waiting().iter().all(|run| run.job.is_none()));
}

#[test]
fn a_job_whose_runs_have_ended_is_not_waited_for() {
    let mut book = Book::new();
    let (job, runs) = submit(&mut book, 2);
    book.database.submitted(job, "1").unwrap();
    book.database.end(runs[0], State::Done, &result()).unwrap();
    assert_eq!(book.database.jobs(&book.campaign).unwrap().len(), 1);
    book.database.end(runs[1], State::Failed, &result()).unwrap();
    assert!(book.database.jobs(&book.campaign).unwrap().is_empty());
}
