//! `cll profile show`.

use cll_profile::critical::{Ranking, UnknownRanking, critical, first};
use cll_profile::price;
use cll_report::{ProfileReport, ProfileView};
use cll_result::{AsOn, ProfileJson};

use crate::cli::{ProfileShowArgs, View};
use crate::failure::Failure;
use crate::terminal::Terminal;
use cll_analysis::profile::{self, Viewed};

/// Shows a profile.
pub fn run(args: &ProfileShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let ranking = args.path.as_deref().map(ranking).transpose()?;
    let (mut profile, waits) = match profile::shown(&args.files, args.calls, terminal)? {
        Viewed::Supersteps(profile, ..) => (*profile, Vec::new()),
        Viewed::Calls(profile) => (profile.profile, profile.waits),
    };
    let on = super::on(&args.on, &profile, terminal)?;
    let mut priced = None;
    if let Some(on) = on {
        let prices = price(&profile, &on.costs);
        profile = profile.as_on(&on.costs);
        priced = Some(AsOn { priced: prices, notes: on.notes, machine: on.name });
    }
    if args.words {
        profile = profile.in_words();
    }
    if args.json {
        terminal.json(&ProfileJson::of(&profile, priced.as_ref()).with_waits(&waits))?;
        return Ok(0);
    }
    let (chosen, empty) = match ranking {
        Some(ranking) => (critical(&profile, ranking), Vec::new()),
        None => first(&profile),
    };
    let style = terminal.style();
    let report = ProfileReport {
        profile: &profile,
        chosen: &chosen,
        empty: &empty,
        waits: &waits,
        priced: priced.as_ref().map(|on| (on.machine.as_str(), &on.priced)),
        hide_below: args.hide_below / 100.0,
        style,
        on_terminal: terminal.is_terminal(),
    };
    let view = match args.view {
        View::Tree => ProfileView::Tree,
        View::Graph => ProfileView::Graph,
        View::Processors => ProfileView::Processors,
    };
    terminal.print(report.text(view))?;
    Ok(0)
}

/// The requested critical path.
fn ranking(name: &str) -> Result<Ranking, Failure> {
    Ranking::named(name).map_err(|UnknownRanking { near }| {
        let all: Vec<String> = Ranking::all().into_iter().map(Ranking::name).collect();
        Failure::usage(format!("--path {name}: there is no such critical path"))
            .help(format!("did you mean {near}?"))
            .help(format!("critical paths are {}", all.join(", ")))
    })
}
