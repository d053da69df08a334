//! Pages for the viewer's tests: `cargo run -p cll-report --example pages -- FOLDER`; with `large` behind it the large ones.
//!
//! Known data, so that what the pages show is known: one variable with intervals, several
//! variables, hostile names, many samples, a sampling, no fit at all.

#[path = "../tests/it/scenes/mod.rs"]
mod scenes;

use std::fs;
use std::path::Path;

use cll_fit::{Data, Fit, Options, Residual};
use cll_report::{Page, PageRegion, PageSets, PageSource, page};
use cll_result::{Predicted, PredictionView, Predictions};
use cll_upsilon::{By, Sets, Statement, Wanted, crc32, propose};
use scenes::Noise;
use scenes::calls;
use scenes::profiles::{self, Shown, broadcasts};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    // For benches/viewer; the tests have no time for it.
    if std::env::args().nth(2).is_some_and(|what| what == "large") {
        let pages = [("large", [100_000, 1024, 2000]), ("million", [1_000_000, 64, 100])];
        for (name, [nodes, processors, supersteps]) in pages {
            let page = profiles::page_of(&[profiles::large(nodes, processors, supersteps, 8)]);
            fs::write(folder.join(format!("profile-{name}.html")), page)?;
        }
        return Ok(());
    }
    let mut native = Vec::new();
    for scene in [
        matrix(),
        doubtful(),
        several(),
        crowd(),
        hostile(),
        many(),
        bare(),
        sets(None),
        sets(Some("v1")),
    ] {
        fs::write(folder.join(format!("{}.html", scene.name)), scene.page())?;
        native.extend(scene.native());
    }
    fs::write(folder.join("native.json"), serde_json::to_string(&native)?)?;
    let (as_it_is, corrected) = files_of_sets();
    fs::write(folder.join("sets.toml"), as_it_is)?;
    fs::write(folder.join("sets.corrected.toml"), corrected)?;
    for (name, profiles) in profiles() {
        let page = scenes::profiles::page_of(&profiles);
        fs::write(folder.join(format!("profile-{name}.html")), page)?;
    }
    fs::write(folder.join("profile-runs.html"), scenes::profiles::several_runs())?;
    let evil = "</script><img src=x onerror=alert(1)><!--\u{202e}gnp";
    for (name, program) in [("graph", "farm"), ("graph-hostile", evil)] {
        fs::write(folder.join(format!("{name}.html")), scenes::graphs::page(program))?;
    }
    Ok(())
}

/// Pages of profiles.
fn profiles() -> Vec<(&'static str, Vec<Shown>)> {
    let mut oxford = broadcasts(false);
    oxford.supersteps = None;
    vec![
        ("broadcasts", vec![broadcasts(false)]),
        ("compared", vec![broadcasts(false), broadcasts(true)]),
        ("sums", vec![oxford]),
        ("hostile", vec![profiles::hostile()]),
        ("alone", vec![profiles::alone()]),
        ("nothing", vec![profiles::nothing()]),
        ("calls", vec![calls::wavefront(false)]),
        ("calls-compared", vec![calls::wavefront(false), calls::wavefront(true)]),
        ("wide", vec![profiles::wide()]),
        ("deep", vec![profiles::deep()]),
        ("large", vec![profiles::large(100_000, 1024, 2000, 8)]),
    ]
}

/// A page to be.
struct Scene {
    name: &'static str,
    model: Value,
    predictions: Vec<Vec<PredictionView>>,
    samples: Vec<Option<Data>>,
    sources: Vec<PageSource>,
}

impl Scene {
    /// The output of `cll predict` for each experiment inside, between and beyond the data, to compare the page with.
    fn native(&self) -> Vec<Value> {
        let model = scenes::models::model(&self.model);
        let mut out = Vec::new();
        for (index, experiment) in model.experiments.iter().enumerate() {
            let Some(fit) = &experiment.fit else { continue };
            for part in [0.0, 0.13, 0.5, 0.77, 1.0, 3.5] {
                let ranges = fit.variables.iter().map(|name| {
                    let range = fit.domain.iter().find(|range| range.variable == *name);
                    range.map_or(1.0, |range| range.low + part * (range.high - range.low))
                });
                let view = PredictionView::new(fit, &ranges.collect::<Vec<f64>>());
                let predicted = [Predicted::new(index, fit, view)];
                let answer = serde_json::to_value(Predictions::of(&model, &predicted));
                let answer = answer.map_or(Value::Null, |answer| answer["predictions"][0].clone());
                out.push(json!({ "page": self.name, "experiment": index, "answer": answer }));
            }
        }
        out
    }

    fn page(&self) -> String {
        let model = scenes::models::model(&self.model);
        page(&Page {
            model: &model,
            title: None,
            comparisons: &[],
            predicted: &scenes::models::predicted(&model, &self.predictions),
            samples: &self.samples,
            sources: &self.sources,
            notes: &[],
            live: None,
        })
    }
}

fn model(name: &str, experiments: Vec<Value>) -> Value {
    json!({
        "format": "cll-model",
        "version": 1,
        "tool": "cll 0.1.0",
        "created": "2026-01-31T12:00:00Z",
        "program": {
            "name": name,
            "model": "sequential",
            "sources": [],
            "compiled": { "command": "cc -O2", "version": "cc 12.2.0" },
        },
        "machine": {
            "host": "host",
            "cpu": "processor",
            "processors": 2,
            "caches": [
                { "name": "L1", "bytes": 32 << 10 },
                { "name": "L2", "bytes": 1 << 20 },
                { "name": "L3", "bytes": 16 << 20 },
            ],
        },
        "clock": "tsc",
        "seed": 17,
        "runs": [{ "trace": "", "arguments": ["a b"], "processors": null, "order": "shuffled 17",
                   "exit": 0, "signal": null, "timed_out": false, "time_s": 1.25 }],
        "experiments": experiments,
        "warnings": [],
    })
}

fn experiment(name: &str, fit: &Fit, places: &[&str], working_set: Option<&str>) -> Value {
    json!({
        "name": name,
        "formula": fit.formula.text(),
        "places": places,
        "variables": fit.recorded,
        "unit": match &fit.unit {
            cll_fit::Unit::Seconds => "s",
            cll_fit::Unit::Other(name) => name,
        },
        "time": "inclusive",
        "samples": fit.quality.observations,
        "working_set": working_set,
        "fit": fit,
        "failure": null,
        "warnings": [],
    })
}

/// Samples about the points of a fit, so many each.
fn samples(fit: &Fit, each: usize) -> Option<Data> {
    let mut noise = Noise::new(19);
    let points = fit.residuals.iter().map(|residual| {
        let sample = |_| residual.measured * (1.0 + noise.normal(0.02)).max(0.1);
        (residual.values.clone(), (0..each).map(sample).collect())
    });
    let names: Vec<&str> = fit.recorded.iter().map(String::as_str).collect();
    let points: Vec<(Vec<f64>, Vec<f64>)> = points.collect();
    Some(scenes::data(&names, points))
}

/// A counter that has so much at each point of a fit, in three samples.
fn counter(name: &str, unit: &str, fit: &Fit, value_of: impl Fn(&Residual) -> f64) -> Value {
    let points = fit.residuals.iter().map(|residual| {
        let median = value_of(residual);
        json!({ "values": residual.values, "count": 3, "median": median,
                "minimum": 0.9 * median, "maximum": 1.2 * median })
    });
    let points: Vec<Value> = points.collect();
    json!({ "name": name, "unit": unit, "samples": 3 * points.len(), "points": points })
}

/// Misses of which so large a share of the accesses is at each point.
fn misses(name: &str, accesses: &str, fit: &Fit, share_of: impl Fn(f64) -> f64) -> Value {
    let points = fit.residuals.iter().map(|residual| {
        json!({ "values": residual.values, "time_s": residual.measured,
                "share": share_of(residual.values[0]) })
    });
    let points: Vec<Value> = points.collect();
    json!({ "misses": name, "accesses": accesses, "share": 0.0321, "points": points })
}

/// One variable, two intervals, a prediction, caches, a sampling in which some rounds are marked, counters of which
/// one was not there and some are of runs of their own.
fn matrix() -> Scene {
    let fit = scenes::matrix();
    let mut model =
        model("matrix", vec![experiment("init", &fit, &["matrix.c:12"], Some("8*N*N"))]);
    model["sampling"] = sampling();
    let run = model["runs"][0].clone();
    let own: [&[&str]; 3] =
        [&["LLC-loads", "LLC-load-misses"], &["LLC-loads", "LLC-load-misses"], &["page-faults"]];
    let run = |counters: &[&str]| {
        let mut run = run.clone();
        run["counters"] = json!(counters);
        run
    };
    model["runs"] = own.map(run).into();
    let value = &mut model["experiments"][0];
    let share = |n: f64| if n < 1579.0 { 0.004 + n * 1e-6 } else { 0.09 };
    let loads = |r: &Residual| (r.values[0] * r.values[0] / 8.0).round();
    let faults = |r: &Residual| if r.values[0] < 200.0 { 0.0 } else { loads(r) };
    value["counters"] = json!([
        counter("LLC-loads", "events", &fit, loads),
        counter("LLC-load-misses", "misses", &fit, |r| (share(r.values[0]) * loads(r)).round()),
        counter("page-faults", "faults", &fit, faults),
        counter("cpu-time", "s", &fit, |r| 0.97 * r.measured),
        json!({ "name": "r01c2", "unit": "events", "samples": 0, "points": [] }),
    ]);
    value["misses"] = json!([misses("LLC-load-misses", "LLC-loads", &fit, share)]);
    let text: String = (1..=60).map(|line| format!("    a[{line}] = 0; /* <b> & */\n")).collect();
    Scene {
        name: "matrix",
        model,
        predictions: vec![vec![PredictionView::new(&fit, &[9000.0])]],
        samples: vec![samples(&fit, 5)],
        sources: vec![PageSource {
            file: "matrix.c".into(),
            text: Some(text),
            note: String::new(),
            regions: vec![PageRegion { experiment: 0, begin: 12, end: 15 }],
            sets: None,
        }],
    }
}

/// The same from a machine that was not fit to be measured on.
fn doubtful() -> Scene {
    let mut scene = Scene { name: "doubtful", ..matrix() };
    scene.model["sampling"]["verdict"]["state"] = json!("not-measurable");
    scene
}

fn sampling() -> Value {
    let rounds: Vec<Value> = (0..12)
        .map(|round| {
            let slow = if round % 5 == 3 { 1.4 } else { 1.01 };
            json!({
                "round": round, "runs": [round], "started": f64::from(round) * 1.3, "wall": 1.2,
                "cpu": 1.1, "involuntary": 3, "voluntary": 1, "steal": 0.004, "others": 0.02,
                "elsewhere": 0.1,
                "canary": { "chain": slow, "width": slow * 1.05, "narrow": 0.02, "partner": null },
                "marked": if slow > 1.1 { vec!["regime"] } else { vec![] },
                "used": slow < 1.1,
            })
        })
        .collect();
    json!({
        "seed": 17, "precision": 0.02, "reached": 0.018, "widest": "init at N=9000",
        "budget_s": 60, "wanted": ["N=9000"],
        "stopped": "precise", "pinned": [0, 1], "scheduler": "fifo 1", "canary_known": true,
        "verdict": {
            "state": "disturbed",
            "reasons": [{ "code": "regime", "text": "2 of 12 rounds were slower" }],
            "advice": ["close other programs"],
        },
        "rounds": rounds,
        "discarded": { "samples": 4, "switched": 3 },
        "measuring": { "against": "plain", "because": null, "run": "N=4000", "pairs": 7,
                       "with": 1.011, "without": 1.0, "start": 0.001, "share": 0.01, "low": 0.008,
                       "high": 0.012,
                       "code": [{ "file": "fft.c", "line": 17, "with": 137, "without": 100 }] },
        "overhead": [{ "experiment": "init", "gate_on": 1.01, "gate_off": 1.0, "share": 0.01,
                       "share_low": 0.008, "share_high": 0.012, "per_region": 2e-8,
                       "per_region_low": 1.6e-8, "per_region_high": 2.4e-8, "too_short": false }],
    })
}

/// Two variables and one that the formula does not use; a second experiment without a fit.
fn several() -> Scene {
    let (fit, walk) = (scenes::fft(), scenes::counted());
    let mut first = experiment("fft", &fit, &["fft.c:3"], None);
    first["counters"] = json!([counter("sim::Dr", "reads", &fit, |r| r.values[0])]);
    let points = [10.0, 20.0, 40.0].map(|n| {
        json!({ "values": [n], "count": 1, "median": n * n, "minimum": n * n, "maximum": n * n })
    });
    let counted = json!({ "name": "sim::Dr", "unit": "reads", "samples": 3, "points": points });
    let lost = json!({
        "name": "lost", "formula": "lost[0]*N", "places": [], "variables": ["N"], "unit": "s",
        "counters": [counted],
        "time": "inclusive", "samples": 0, "fit": null, "failure": "it was never reached",
        "warnings": [],
    });
    Scene {
        name: "several",
        model: model("fft", vec![first, lost, experiment("walk", &walk, &["fft.c:9"], None)]),
        predictions: vec![
            [[2097152.0, 32.0], [4096.0, 3.0]].map(|at| PredictionView::new(&fit, &at)).into(),
            Vec::new(),
            vec![PredictionView::new(&walk, &[3000.0])],
        ],
        samples: vec![samples(&fit, 3), None, samples(&walk, 2)],
        sources: Vec::new(),
    }
}

/// As many experiments as `cll model --auto` finds in a program; one has no fit, and some are from a machine that was not
/// fit to be measured on.
fn crowd() -> Scene {
    const COUNT: usize = 60;
    let fits = [scenes::fft(), scenes::counted(), scenes::matrix()];
    let fit_of = |index: usize| &fits[index % 3];
    let mut experiments: Vec<Value> = (0..COUNT)
        .map(|index| {
            experiment(&format!("loop_{index}"), fit_of(index), &[&format!("app.c:{index}")], None)
        })
        .collect();
    for value in experiments.iter_mut().skip(5).step_by(20) {
        value["doubts"] = json!([{ "code": "not-measurable", "text": "other programs ran" }]);
    }
    experiments[7]["fit"] = Value::Null;
    experiments[7]["failure"] = json!("it was never reached");
    let point_of = |index: usize| -> &[f64] {
        if index.is_multiple_of(3) { &[65536.0, 8.0] } else { &[3000.0] }
    };
    let predictions = (0..COUNT).map(|index| match index {
        7 => Vec::new(),
        _ => vec![PredictionView::new(fit_of(index), point_of(index))],
    });
    Scene {
        name: "crowd",
        model: model("app", experiments),
        predictions: predictions.collect(),
        samples: (0..COUNT).map(|index| samples(fit_of(index), 2)).collect(),
        sources: Vec::new(),
    }
}

/// The loops of figure 3 of the 2003 paper, with one whose end depends on data, and a text that TOML quotes.
const CLEAR: &str = "\
/* Figure 3. */
static double a[700][700];

static void note(const char *text);

static void clear(int N)
{
    int i, j;
#pragma cll init init[0] + init[1]*N + init[2]*N*N
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++) {
            a[i][j] = 0;
            while (a[i][j] > 0) a[i][j]--;
        }
    note(\"it's\\tdone\"); note(\"done\");
#pragma cll end init
    note(\"after\");
}
";

fn sets_of_clear() -> Sets {
    let formula = "init[0] + init[1]*N + init[2]*N*N";
    let formula = cll_formula::parse("init", formula).formula.expect("it is a formula");
    let wanted = Wanted { name: "init".into(), formula, regions: vec![(9, 16)] };
    Sets {
        source: "clear.c".into(),
        crc32: crc32(CLEAR.as_bytes()),
        by: "cll 0.1.0".into(),
        experiments: propose(CLEAR.as_bytes(), &[wanted]),
    }
}

/// The file of the sets, and the one that a page gives after `i = 0` was put into init[2], too, and the statement after
/// the region into init[0].
fn files_of_sets() -> (String, String) {
    let mut sets = sets_of_clear();
    let before = cll_upsilon::write(&sets);
    let statements = &mut sets.experiments[0].statements;
    if let Some(statement) = statements.iter_mut().find(|statement| statement.text == "i = 0") {
        statement.constants.push("init[2]".into());
        statement.by = By::Hand;
    }
    statements.push(Statement {
        line: 17,
        text: "note(\"after\")".into(),
        function: "clear".into(),
        constants: vec!["init[0]".into()],
        by: By::Hand,
        ..Statement::default()
    });
    (before, cll_upsilon::write(&sets))
}

/// The statements of each constant, which can be corrected; with a version as it is served.
fn sets(version: Option<&str>) -> Scene {
    let mut scene = matrix();
    scene.name = if version.is_some() { "sets-served" } else { "sets" };
    scene.model["experiments"][0]["places"] = json!(["clear.c:9"]);
    scene.sources = vec![PageSource {
        file: "clear.c".into(),
        text: Some(CLEAR.into()),
        note: String::new(),
        regions: vec![PageRegion { experiment: 0, begin: 9, end: 16 }],
        sets: Some(PageSets {
            sets: sets_of_clear(),
            file: "clear.upsilon.toml".into(),
            is_kept: version.is_some(),
            statements: cll_upsilon::statements(CLEAR.as_bytes()),
            version: version.map(str::to_owned),
        }),
    }];
    scene
}

/// Names that would be markup, obeyed, or endless.
fn hostile() -> Scene {
    let evil = "</script><img src=x onerror=alert(1)><!--\u{202e}gnp\u{0}\u{7}'\"&amp; שלום 🦀";
    let mut fit = scenes::fft();
    let rename = |name: &mut String| {
        if name == "team" {
            *name = evil.to_owned();
        }
    };
    fit.recorded.iter_mut().for_each(rename);
    let mut value = experiment(evil, &fit, &[evil], None);
    value["formula"] = json!(format!("{evil} + {}", "N*".repeat(500_000)));
    // As no program writes them: of no number, of other variables, twice, of a megabyte.
    let odd = json!([
        { "values": [null, 1.0, 1.0], "count": 1, "median": 1.0, "minimum": 1.0, "maximum": 1.0 },
        { "values": [1024.0], "count": 0, "median": null, "minimum": null, "maximum": null },
        { "values": [], "count": 3, "median": -1e300, "minimum": -1e308, "maximum": 1e308 },
        { "values": [4096.0, 3.0, 1.0], "count": 1, "median": 0, "minimum": 0, "maximum": 0 },
        { "values": [4096.0, 3.0, 1.0], "count": 1, "median": 1, "minimum": 1, "maximum": 1 },
    ]);
    value["counters"] = json!([
        counter(evil, evil, &fit, |r| r.values[0]),
        { "name": evil, "unit": evil, "samples": 1, "points": odd },
        { "name": "n".repeat(1_000_000), "unit": "", "samples": 0, "points": [] },
    ]);
    value["misses"] = json!([{ "misses": evil, "accesses": evil, "share": null, "points": [
        { "values": [4096.0, 3.0, 1.0], "time_s": null, "share": null },
        { "values": [4096.0, 1.0, 1.0], "time_s": null, "share": 0.5 },
    ] }]);
    let mut all = model(evil, vec![value]);
    all["machine"]["cpu"] = json!(evil);
    all["machine"]["host"] = json!(evil.repeat(100));
    all["runs"][0]["arguments"] = json!([evil]);
    all["warnings"] = json!([{ "code": evil, "text": evil }]);
    let text = format!("{evil}\n\t#pragma cll {evil}\n</pre></script>\n");
    Scene {
        name: "hostile",
        model: all,
        predictions: vec![vec![PredictionView::new(&fit, &[4096.0, 3.0])]],
        samples: vec![samples(&fit, 2)],
        sources: vec![PageSource {
            file: evil.into(),
            text: Some(text),
            note: evil.into(),
            regions: vec![PageRegion { experiment: 0, begin: 2, end: 2 }],
            sets: Some(hostile_sets(evil)),
        }],
    }
}

fn hostile_sets(evil: &str) -> PageSets {
    let statement = Statement {
        line: 1,
        text: evil.into(),
        function: evil.into(),
        constants: vec![evil.into()],
        times: evil.into(),
        note: evil.into(),
        by: By::Nesting,
    };
    let far = Statement { line: 999_999, constants: Vec::new(), ..statement.clone() };
    let experiment = cll_upsilon::ExperimentSets {
        name: evil.into(),
        formula: format!("{evil}[0] + {evil}[1]*N"),
        statements: vec![statement, far],
        notes: vec![evil.into()],
    };
    // Of this one the constants are known.
    let other = cll_upsilon::ExperimentSets {
        name: "f".into(),
        formula: "f[0] + f[1]*N".into(),
        ..experiment.clone()
    };
    PageSets {
        sets: Sets {
            source: evil.into(),
            crc32: evil.into(),
            by: evil.into(),
            experiments: vec![experiment, other],
        },
        file: evil.into(),
        ..PageSets::default()
    }
}

/// 100,000 samples at 1,000 points.
fn many() -> Scene {
    let mut noise = Noise::new(23);
    let points = (1..=1000).map(|k| {
        let n = 16.0 * f64::from(k);
        let once = |_| (2e-6 + 3e-9 * n) * (1.0 + noise.normal(0.03)).max(0.1);
        (vec![n], (0..100).map(once).collect())
    });
    let data = scenes::data(&["N"], points.collect::<Vec<(Vec<f64>, Vec<f64>)>>());
    let fit = scenes::fit("walk[0] + walk[1]*N", &data, &Options::default());
    Scene {
        name: "many",
        model: model("walk", vec![experiment("walk", &fit, &[], None)]),
        predictions: vec![vec![PredictionView::new(&fit, &[20_000.0])]],
        samples: vec![Some(data)],
        sources: Vec::new(),
    }
}

/// As old models and tables are: nothing but an experiment of one point.
fn bare() -> Scene {
    let fit = scenes::line(1);
    Scene {
        name: "bare",
        model: json!({ "format": "cll-model", "version": 1, "experiments": [
            { "name": "", "formula": "f[0]", "fit": fit, "unit": "s" }] }),
        predictions: Vec::new(),
        samples: Vec::new(),
        sources: Vec::new(),
    }
}
