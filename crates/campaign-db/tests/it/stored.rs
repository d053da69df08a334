//! A plan becomes runs, and is read again as it was.

use std::collections::BTreeSet;
use std::path::Path;

use cll_campaign::{Batch, Launcher, Plan, PlannedPoint, order};
use cll_campaign_db::CampaignDb;
use cll_campaign_db::Error;

use crate::support::{Book, HOME, parts, plan};

/// A plan in which every field has a value of its own.
fn full_plan() -> Plan {
    Plan {
        name: "all".to_owned(),
        program: "bin/all of it".to_owned(),
        arguments: vec!["-n".to_owned(), "{N}".to_owned(), "it's".to_owned()],
        parameters: vec![
            ("N".to_owned(), vec![1.0, 1e15, 0.1 + 0.2]),
            ("eps".to_owned(), vec![1e-9, -2.5]),
        ],
        processors: vec![1, 4],
        points: vec![PlannedPoint {
            values: vec![1.0, -2.5],
            processors: Some(4),
            rounds: Some(3),
        }],
        rounds: 2,
        repetitions: 3,
        timeout: 1.5,
        budget: Some(1e6),
        is_core_time: true,
        expect: Some(0.25),
        seed: Some(u64::MAX),
        environment: vec![("WORD".to_owned(), "a b=c".to_owned())],
        counters: vec![vec!["cycles".to_owned()], vec!["page-faults".to_owned()]],
        log: true,
        launcher: Launcher::Slurm,
        oversubscribe: true,
        batch: Batch {
            queue: Some("short".to_owned()),
            account: Some("m1".to_owned()),
            per_node: Some(8),
            starter: Some("srun -n {P}".to_owned()),
            options: vec!["--exclusive".to_owned()],
            before: vec!["module load openmpi".to_owned()],
        },
    }
}

#[test]
fn a_plan_is_read_as_it_was_stored() {
    let book = Book::with(&full_plan());
    let (key, created) = (book.campaign.key.clone(), book.campaign.created);
    let (_folder, path) = book.close();
    for database in [CampaignDb::open(&path), CampaignDb::resume(&path)] {
        let campaign = database.unwrap().campaign().unwrap();
        assert_eq!(campaign.plan, full_plan());
        assert_eq!((campaign.folder.as_path(), campaign.seed), (Path::new(HOME), 7));
        assert_eq!((&campaign.key, campaign.created), (&key, created));
    }
}

/// A seed is a number without a sign, which SQLite does not have.
#[test]
fn the_largest_seed_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.campaign");
    let database = CampaignDb::create(&path, &plan(), Path::new(HOME), u64::MAX).unwrap();
    let campaign = database.campaign().unwrap();
    assert_eq!(campaign.seed, u64::MAX);
    let launched = database.waiting(&campaign).unwrap().into_iter().map(|run| run.launching.seed);
    let ordered = order(&plan().grid(), 0, u64::MAX).into_iter().map(|launching| launching.seed);
    assert_eq!(launched.step_by(2).take(3).collect::<Vec<_>>(), ordered.collect::<Vec<_>>());
}

#[test]
fn runs_wait_in_the_order_of_their_rounds_each_repetition_after_the_other() {
    let book = Book::new();
    let waiting = book.waiting();
    assert_eq!(waiting.len() as u64, plan().runs());
    let mut expected = Vec::new();
    for round in 0..2 {
        for launching in order(&plan().grid(), round, 7) {
            expected.extend([(round, launching.values.clone()), (round, launching.values)]);
        }
    }
    let run =
        |run: &cll_campaign_db::PlannedRun| (run.launching.round, run.launching.values.clone());
    assert_eq!(waiting.iter().map(run).collect::<Vec<_>>(), expected);
    assert!(waiting.iter().all(|run| run.job.is_none() && run.launching.processors.is_none()));
}

#[test]
fn values_of_points_are_read_by_the_names_of_their_parameters() {
    let mut plan = full_plan();
    plan.points.clear();
    plan.rounds = 1;
    let book = Book::with(&plan);
    let waiting = book.waiting();
    // Numbers of processors × values × groups of counters × repetitions.
    assert_eq!(waiting.len(), 2 * 6 * 2 * 3);
    let points: BTreeSet<String> = waiting
        .iter()
        .map(|run| format!("{:?} {:?}", run.launching.processors, run.launching.values))
        .collect();
    assert_eq!(points.len(), 12, "{points:?}");
    // Exact, although the database keeps them as text.
    let exact = format!("Some(4) {:?}", [0.1 + 0.2, 1e-9]);
    assert!(points.contains(&exact), "{exact}: {points:?}");
    let groups: Vec<usize> = waiting.iter().map(|run| run.launching.group).collect();
    assert_eq!((groups[0], groups[36]), (0, 1));
    let row = &book.database.rows().unwrap()[0];
    let parameters = &row.parameters;
    assert!(parameters.starts_with("{\"N\":") && parameters.contains(",\"eps\":"), "{parameters}");
    assert!([1, 4].contains(&row.processors), "{row:?}");
}

#[test]
fn a_database_is_opened_by_its_folder_and_by_its_file() {
    let book = Book::new();
    let (folder, path) = book.close();
    let file = path.join("book.sqlite");
    for way in [&path, &file] {
        assert!(cll_campaign_db::is_campaign_db(way), "{}", way.display());
        assert_eq!(CampaignDb::open(way).unwrap().folder(), path);
    }
    assert!(!cll_campaign_db::is_campaign_db(folder.path()));
    let (error, message, help) = parts(CampaignDb::open(folder.path()));
    assert!(matches!(error, Error::NoCampaign(_)), "{error:?}");
    assert!(message.ends_with("is not a campaign: it has no book.sqlite"), "{message}");
    assert_eq!(help, ["cll campaign run PLAN.toml makes one"]);
}

#[test]
fn a_database_is_not_replaced() {
    let (_folder, path) = Book::new().close();
    let (error, message, _) = parts(CampaignDb::create(&path, &plan(), Path::new(HOME), 7));
    assert!(matches!(error, Error::Exists(_)), "{error:?}");
    assert!(message.ends_with("walk.campaign exists already"), "{message}");
}

/// Two plans of one text are two campaigns.
#[test]
fn each_campaign_has_its_own_key() {
    assert_ne!(Book::new().campaign.key, Book::new().campaign.key);
}
