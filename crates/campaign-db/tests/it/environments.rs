//! Environments: the things besides their plan that runs depend on.

use cll_campaign::State;
use cll_campaign_db::{Environment, RunResult};
use cll_launch::identity::{Identity, Library};

use crate::support::{Book, host, result};

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// One in which all is known.
fn known() -> Environment {
    Environment {
        host: "node7".to_owned(),
        cpu: "a processor".to_owned(),
        processors: 8,
        kernel: "6.1".to_owned(),
        scheduler: "fifo".to_owned(),
        launcher: "mpirun".to_owned(),
        program: "0123456789abcdef".to_owned(),
        compilers: vec!["gcc -O2".to_owned()],
        sources: vec![pair("a.c", "11"), pair("b.c", "22")],
        commit: "c0ffee".to_owned(),
        changed: false,
        variables: vec![pair("WORD", "x")],
        identity: Some(Identity {
            program: "0123456789abcdef".to_owned(),
            libraries: vec![Library {
                name: "libm.so.6".to_owned(),
                file: "/lib/libm.so.6".to_owned(),
                known_by: "12 bytes".to_owned(),
            }],
            launcher: vec![pair("version", "4.1")],
            variables: vec![pair("OMP_PROC_BIND", "true")],
            clock: "tsc".to_owned(),
        }),
    }
}

#[test]
fn an_environment_is_stored_once_and_read_as_it_was() {
    let book = Book::new();
    let first = book.database.environment(&known()).unwrap();
    let other = book.database.environment(&Environment { changed: true, ..known() }).unwrap();
    assert_ne!(first, other);
    assert_eq!(book.database.environment(&known()).unwrap(), first);
    let all = book.database.environments().unwrap();
    assert_eq!(all, [known(), Environment { changed: true, ..known() }]);
}

/// Older versions knew fewer fields, newer ones will know more.
#[test]
fn fields_of_other_versions_are_no_error() {
    let text = r#"{"host":"h","processors":2,"program":"ab","of tomorrow":[1]}"#;
    let environment: Environment = serde_json::from_str(text).unwrap();
    let expected = Environment { processors: 2, program: "ab".to_owned(), ..host("h") };
    assert_eq!(environment, expected);
}

#[test]
fn only_runs_that_may_be_fitted_tell_the_environments() {
    let book = Book::new();
    let run = |name: &str, state: State, started: f64, oversubscribed: bool| {
        let run = book.waiting()[0].id;
        let environment = book.database.environment(&host(name)).unwrap();
        book.database.begin(run, environment).unwrap();
        let ended = RunResult { started, oversubscribed, ..result() };
        book.database.end(run, state, &ended).unwrap();
    };
    run("later", State::Done, 20.0, false);
    run("first", State::Done, 10.0, false);
    run("later", State::Done, 5.5, true);
    run("later", State::Done, 30.0, false);
    run("failed", State::Failed, 1.0, false);
    let all = book.database.environments_of_done(Some(&book.campaign)).unwrap();
    assert_eq!(all, [(host("first"), 1), (host("later"), 2)]);
    assert_eq!(book.database.environments_of_done(None).unwrap(), all);
}

#[test]
fn another_program_is_told_with_the_sources_that_changed() {
    let now = Environment {
        program: "fedcba9876543210".to_owned(),
        sources: vec![pair("a.c", "33"), pair("b.c", "22"), pair("new.c", "44")],
        ..known()
    };
    let text = "the program was another one (SHA-256 01234567…, and is fedcba98…): a.c changed";
    assert_eq!(now.is_other(&known()), [text]);
    assert!(known().is_other(&known()).is_empty());
    let unknown = Environment { program: String::new(), ..known() };
    let text = "the program was another one (SHA-256 unknown…, and is 01234567…)";
    assert_eq!(known().is_other(&unknown), [text]);
}

/// Where the identity is known the launcher is in it; a database of an older version has only the word.
#[test]
fn another_launcher_is_told_by_what_is_known_of_it() {
    let with = |launcher: &str, version: Option<&str>| {
        let mut environment = known();
        environment.launcher = launcher.to_owned();
        match version {
            Some(version) => {
                environment.identity.as_mut().unwrap().launcher = vec![pair("version", version)];
            }
            None => environment.identity = None,
        }
        environment
    };
    let differences = with("srun", Some("5.0")).is_other(&with("mpirun", Some("4.1")));
    assert_eq!(differences, ["the launcher's version was `4.1`, and is `5.0`"]);
    let differences = with("srun", Some("5.0")).is_other(&with("mpirun", None));
    assert_eq!(differences, ["the launcher was `mpirun`, and is `srun`"]);
    assert!(with("srun", Some("4.1")).is_other(&with("mpirun", Some("4.1"))).is_empty());
}

#[test]
fn all_differences_are_named_but_those_that_cannot_be_known() {
    let now = Environment {
        processors: 16,
        changed: true,
        variables: Vec::new(),
        identity: Some(Identity { clock: "hpet".to_owned(), ..known().identity.unwrap() }),
        ..known()
    };
    let text =
        |what: &'static str, before: &str, now: &str| (what, before.to_owned(), now.to_owned());
    let expected = [
        text("processors", "8", "16"),
        text("files that differ from it", "no", "yes"),
        text("variables", "WORD=x", ""),
        text("clock", "tsc", "hpet"),
    ];
    assert_eq!(now.differs(&known()), expected);
    let old = Environment { identity: None, ..known() };
    assert_eq!(now.differs(&old), expected[..3]);
    assert!(known().differs(&known()).is_empty());
}
