//! The JSON of campaigns.

use cll_campaign::{Attempt, Counts, Plan, State, TimeChange};
use cll_result::*;
use cll_units::Seconds;
use serde_json::{Value, json};

#[test]
fn a_comparison_of_campaigns() {
    let point = |interval: Option<(f64, f64)>| Compared {
        experiment: "(whole run)".to_owned(),
        point: "N=1000".to_owned(),
        change: TimeChange { ratio: 1.25, interval, confidence: 0.95 },
        runs: (4, 5),
    };
    let differs = vec![("compiler", "gcc 11".to_owned(), "gcc 12".to_owned())];
    let compared = vec![point(Some((1.1, 1.4))), point(None), point(Some((0.9, 1.4)))];
    let comparison = Comparison::new(compared, differs, 0.95);
    assert!(!comparison.is_empty() && Comparison::new(Vec::new(), Vec::new(), 0.95).is_empty());
    let row = |changed: Value, low: Value, high: Value| {
        json!({ "at": "N=1000", "changed": changed, "experiment": "(whole run)", "high": high, "low": low,
            "ratio": 1.25, "runs": [4, 5] })
    };
    assert_eq!(
        serde_json::to_value(comparison).unwrap(),
        json!({
            "confidence": 0.95,
            "environments": [{ "after": "gcc 12", "before": "gcc 11", "what": "compiler" }],
            "format": "cll-campaign-compare",
            "points": [row(true.into(), 1.1.into(), 1.4.into()), row(Value::Null, Value::Null, Value::Null),
                row(false.into(), 0.9.into(), 1.4.into())],
            "version": 1,
        })
    );
}

#[test]
fn the_status_of_a_campaign() {
    let attempt = Attempt {
        attempt: 1,
        state: "timeout".to_owned(),
        host: None,
        started: Some(10.5),
        time: Some(Seconds(2.0)),
        exit: None,
        signal: Some(9),
        trace: None,
        message: Some("too long".to_owned()),
    };
    let run = CampaignRun {
        attempts: 2,
        campaign: 1,
        earlier: vec![attempt],
        exit: Some(0),
        host: Some("node7".to_owned()),
        load: Some(0.25),
        message: None,
        oversubscribed: false,
        parameters: vec![("Z".to_owned(), 1.into()), ("A".to_owned(), json!(2.5))],
        processors: None,
        round: 3,
        run: 17,
        time: Some(Seconds(0.5)),
        signal: None,
        started: Some(1e9),
        state: State::Done,
        trace: Some("walk.cll.17.dat".to_owned()),
    };
    let mut more = serde_json::Map::new();
    more.insert("kernel".to_owned(), "6.1".into());
    let environment = RunEnvironment {
        compilers: vec!["gcc".to_owned()],
        cpu: "a processor".to_owned(),
        host: "node7".to_owned(),
        more,
    };
    let campaign = PlannedCampaign {
        campaign: 1,
        created: 1e9,
        key: "00ff".to_owned(),
        plan: Plan::new("walk".to_owned(), "./walk".to_owned()),
        seed: u64::MAX,
    };
    let counts = Counts {
        planned: 1,
        submitted: 2,
        running: 3,
        done: 4,
        failed: 5,
        timeout: 6,
        skipped: 7,
        time: Seconds(9.5),
    };
    let status = CampaignStatus::new(
        vec![campaign],
        vec![environment],
        vec![run],
        counts,
        Some(Seconds(1.5)),
    );
    let json = serde_json::to_value(&status).unwrap();
    assert_eq!((&json["format"], &json["version"]), (&"cll-campaign-status".into(), &1.into()));
    assert_eq!((&json["time_s"], &json["left_s"]), (&json!(9.5), &json!(1.5)));
    assert_eq!(
        json["counts"],
        json!({ "done": 4, "failed": 5, "planned": 1, "running": 3, "skipped": 7, "submitted": 2, "timeout": 6 })
    );
    assert_eq!(
        json["environments"],
        json!([{ "compilers": ["gcc"], "cpu": "a processor", "host": "node7", "kernel": "6.1" }])
    );
    assert_eq!(json["campaigns"][0]["seed"], u64::MAX);
    let plan: Plan = serde_json::from_value(json["campaigns"][0]["plan"].clone()).unwrap();
    assert_eq!(plan, status.campaigns[0].plan);
    assert_eq!(
        json["runs"][0],
        json!({
            "attempts": 2, "campaign": 1,
            "earlier": [{ "attempt": 1, "state": "timeout", "host": null, "started": 10.5, "time_s": 2.0, "exit": null,
                "signal": 9, "trace": null, "message": "too long" }],
            "exit": 0, "host": "node7", "load": 0.25, "message": null, "oversubscribed": false,
            "parameters": { "A": 2.5, "Z": 1 }, "processors": null, "round": 3, "run": 17, "time_s": 0.5,
            "signal": null, "started": 1e9, "state": "done", "trace": "walk.cll.17.dat",
        })
    );
    // As text, parameters are sorted by name and fields are in their order.
    let text = serde_json::to_string(&status).unwrap();
    assert!(text.contains("\"parameters\":{\"A\":2.5,\"Z\":1}"), "{text}");
}
