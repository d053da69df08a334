//! `cll profile show`.

use cll_profile::critical::{Ranking, critical, first};
use cll_profile::{Efficiency, Graph, Metric, Priced, Profile, price};
use serde::Serialize;

use super::{load, print};
use crate::cli::{ProfileShowArgs, View};
use crate::failure::Failure;
use crate::machine;
use crate::terminal::Terminal;

/// Shows a profile.
pub fn run(args: &ProfileShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let ranking = args.path.as_deref().map(ranking).transpose()?;
    let mut profile = load::profile(&args.files, terminal)?;
    let priced = priced(args, &profile, terminal)?;
    if args.words {
        profile = profile.in_words();
    }
    if args.json {
        terminal.json(&Answer::of(&profile, priced.as_ref()))?;
        return Ok(0);
    }
    let (chosen, empty) = match ranking {
        Some(ranking) => (critical(&profile, ranking), Vec::new()),
        None => first(&profile),
    };
    let style = terminal.style();
    let report = print::Report {
        profile: &profile,
        chosen: &chosen,
        empty: &empty,
        priced: priced.as_ref().map(|on| (on.machine.as_str(), &on.priced)),
        hide_below: args.hide_below / 100.0,
        style,
        on_terminal: terminal.is_terminal(),
    };
    terminal.print(report.head())?;
    terminal.print(match args.view {
        View::Tree => report.tree(),
        View::Graph => report.graph(),
        View::Processors => report.processors(),
    })?;
    Ok(0)
}

/// The critical path that was asked for.
fn ranking(name: &str) -> Result<Ranking, Failure> {
    Ranking::named(name).map_err(|near| {
        let all: Vec<String> = Ranking::all().into_iter().map(Ranking::name).collect();
        Failure::usage(format!("--path {name} is none of the seventeen critical paths"))
            .help(format!("did you mean {near}?"))
            .help(format!("they are {}", all.join(", ")))
    })
}

/// Communication as the machine that was named would take it.
fn priced(
    args: &ProfileShowArgs,
    profile: &Profile,
    terminal: &Terminal,
) -> Result<Option<AsOn>, Failure> {
    let Some(word) = &args.as_on else { return Ok(None) };
    let machine = machine::load(word, terminal)?;
    let costs = machine
        .classic(args.engine.as_deref(), profile.processors)
        .map_err(|missing| Failure::input(missing.to_string()))?;
    let substitutions = costs.substitutions.iter().map(|one| format!("{}: {one}", machine.name));
    let notes: Vec<String> = machine.reservation().into_iter().chain(substitutions).collect();
    notes.iter().for_each(|note| terminal.warn(note));
    Ok(Some(AsOn { priced: price(profile, &costs), notes, machine: machine.name.clone() }))
}

/// Communication as another machine would take it.
#[derive(Serialize)]
pub struct AsOn {
    machine: String,
    #[serde(flatten)]
    priced: Priced,
    /// What should be known of it.
    notes: Vec<String>,
}

/// The JSON of `--json`: `docs/formats/profile.md`.
#[derive(Serialize)]
pub struct Answer<'a> {
    format: &'static str,
    version: u32,
    profile: &'a Profile,
    efficiency: Efficiency,
    /// By node and metric.
    steadiness: Vec<[f64; 4]>,
    critical: Vec<Path>,
    graph: Graph,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_on: Option<&'a AsOn>,
}

#[derive(Serialize)]
struct Path {
    name: String,
    ranks: Vec<f64>,
    path: Vec<usize>,
}

impl<'a> Answer<'a> {
    /// All that is known of a profile.
    pub fn of(profile: &'a Profile, as_on: Option<&'a AsOn>) -> Answer<'a> {
        let nodes = 0..profile.nodes.len();
        let steadiness = |node| Metric::ALL.map(|metric| profile.steadiness(node, metric));
        let paths = Ranking::all().into_iter().map(|ranking| {
            let found = critical(profile, ranking);
            Path { name: ranking.name(), ranks: found.ranks, path: found.path }
        });
        Answer {
            format: "cll-profile",
            version: 1,
            efficiency: Efficiency::of(profile),
            steadiness: nodes.map(steadiness).collect(),
            critical: paths.collect(),
            graph: Graph::of(profile),
            profile,
            as_on,
        }
    }
}
