//! How it was measured: rounds, the machine's state in each, what was left out.

use cll_fit::Unit;
use serde::Deserialize;

use super::experiment::part;
use super::html::Html;
use crate::notation::Notation;
use crate::style::Role;
use crate::text::{Cell, Column, Table};

/// Rounds in the table that stands in the page.
const ROUNDS: usize = 500;

/// The `sampling` of a model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sampling {
    pub seed: Option<u64>,
    pub precision: Option<f64>,
    reached: Option<f64>,
    widest: Option<String>,
    pub budget_seconds: Option<f64>,
    pub wanted: Vec<String>,
    pub stopped: String,
    pub pinned: Option<Vec<u32>>,
    pub scheduler: String,
    pub canary_known: bool,
    pub verdict: Option<Verdict>,
    pub rounds: Vec<Round>,
    pub discarded: Discarded,
    pub dilation: Vec<Dilation>,
}

/// Whether the machine was fit to be measured on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Verdict {
    state: String,
    pub reasons: Vec<Reason>,
    pub advice: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Reason {
    pub code: String,
    pub text: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Round {
    round: u32,
    runs: Vec<u32>,
    started: Option<f64>,
    wall: Option<f64>,
    cpu: Option<f64>,
    involuntary: Option<u64>,
    steal: Option<f64>,
    others: Option<f64>,
    elsewhere: Option<f64>,
    canary: Option<Canary>,
    marked: Vec<String>,
    used: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Canary {
    chain: Option<f64>,
    width: Option<f64>,
    narrow: Option<f64>,
    partner: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Discarded {
    samples: u64,
    switched: u64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Dilation {
    experiment: String,
    gate_on: Option<f64>,
    gate_off: Option<f64>,
    share: Option<f64>,
    per_region: Option<f64>,
    too_short: bool,
}

impl Verdict {
    /// Whether no number of the model is to be believed.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.state == "not-measurable"
    }

    /// Class, mark and words.
    pub(crate) fn words(&self) -> (&'static str, &'static str, &str) {
        match self.state.as_str() {
            "quiet" => ("good", "✓", "The machine was quiet."),
            "disturbed" => ("caution", "▲", "The machine was disturbed."),
            "not-measurable" => {
                ("bad", "✕", "Not measurable now: no number on this page is to be believed.")
            }
            other => ("caution", "▲", other),
        }
    }
}

/// The section.
pub(crate) fn sampling(out: &mut Html, sampling: &Sampling) {
    out.open("section", &[("id", "sampling"), ("aria-labelledby", "sampling-title")]);
    out.element("h2", &[("id", "sampling-title")], "Sampling");
    out.open("dl", &[("class", "named")]);
    for (name, text) in facts(sampling) {
        out.element("dt", &[], name);
        out.open("dd", &[]);
        out.element("bdi", &[], &text);
        out.close();
    }
    out.close();
    if !sampling.rounds.is_empty() {
        part(out, "Rounds", "chain, width, partner: the canary, as ratios to the fastest known");
        out.element("div", &[("data-island", "rounds")], "");
        out.table(&rounds(&sampling.rounds), "Rounds");
        if sampling.rounds.len() > ROUNDS {
            let text = format!("The first {ROUNDS} of {}.", sampling.rounds.len());
            out.element("p", &[("class", "faint")], &text);
        }
        out.close();
    }
    if !sampling.dilation.is_empty() {
        part(out, "What the markers cost", "one run with the gate open, one with it shut");
        out.table(&dilation(&sampling.dilation), "What the markers cost");
        out.close();
    }
    out.close();
}

fn facts(sampling: &Sampling) -> Vec<(&'static str, String)> {
    let notation = Notation::Unicode;
    let mut facts = Vec::new();
    let stopped = match sampling.stopped.as_str() {
        "precise" => "as precise as asked",
        "budget" => "the budget was spent",
        "launches" => "all launches were made",
        "interrupted" => "interrupted",
        "hopeless" => "more would not have helped",
        other => other,
    };
    let mut push = |name, text: String| facts.push((name, text));
    push("Ended", stopped.to_owned());
    if let Some(precision) = sampling.precision {
        push("Precision asked for", notation.percent(precision));
    }
    if let Some(reached) = sampling.reached {
        let widest = sampling.widest.as_deref().unwrap_or_default();
        push("Reached", format!("± {}, {widest}", notation.percent(reached)));
    }
    if let Some(budget) = sampling.budget_seconds {
        push("Budget", notation.quantity(budget, &Unit::Seconds));
    }
    push("Wanted", sampling.wanted.join(", "));
    if sampling.canary_known {
        push("Fastest regime", "known from earlier runs on this machine".to_owned());
    } else {
        push("Fastest regime", "the fastest of these rounds".to_owned());
    }
    let Discarded { samples, switched } = sampling.discarded;
    let left_out = |count: u64, why: &str| {
        format!("{} {why}", notation.count(count as usize, "sample", "samples"))
    };
    push("Left out", left_out(switched, "during which the program was switched out"));
    push("Not used", left_out(samples, "of rounds that were not fitted"));
    push("Seed", sampling.seed.map(|seed| seed.to_string()).unwrap_or_default());
    facts.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

fn rounds(rounds: &[Round]) -> Table {
    let notation = Notation::Unicode;
    let seconds =
        |s: Option<f64>| s.map(|s| notation.quantity(s, &Unit::Seconds)).unwrap_or_default();
    let percent = |s: Option<f64>| s.map(|s| notation.percent(s)).unwrap_or_default();
    let ratio = |r: Option<f64>| r.map(|r| notation.ratio(r)).unwrap_or_default();
    let mut table = Table::new(vec![
        Column::right("round"),
        Column::left("runs"),
        Column::right("began"),
        Column::right("wall"),
        Column::right("CPU"),
        Column::right("switched out"),
        Column::right("steal"),
        Column::right("others"),
        Column::right("elsewhere"),
        Column::right("chain"),
        Column::right("width"),
        Column::right("narrow"),
        Column::right("partner"),
        Column::left("marked"),
        Column::left("used"),
    ]);
    for round in rounds.iter().take(ROUNDS) {
        let canary = round.canary.clone().unwrap_or_default();
        let runs = match (round.runs.first(), round.runs.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(one), _) => one.to_string(),
            _ => String::new(),
        };
        table.row([
            Cell::new(round.round.to_string()),
            Cell::new(runs),
            Cell::new(seconds(round.started)),
            Cell::new(seconds(round.wall)),
            Cell::new(seconds(round.cpu)),
            Cell::new(round.involuntary.map(|n| n.to_string()).unwrap_or_default()),
            Cell::new(percent(round.steal)),
            Cell::new(percent(round.others)),
            Cell::new(percent(round.elsewhere)),
            Cell::new(ratio(canary.chain)),
            Cell::new(ratio(canary.width)),
            Cell::new(percent(canary.narrow)),
            Cell::new(ratio(canary.partner)),
            Cell::new(round.marked.join(", ")).role(Role::Caution),
            Cell::new(match round.used {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            }),
        ]);
    }
    table
}

fn dilation(all: &[Dilation]) -> Table {
    let notation = Notation::Unicode;
    let seconds =
        |s: Option<f64>| s.map(|s| notation.quantity(s, &Unit::Seconds)).unwrap_or_default();
    let mut table = Table::new(vec![
        Column::left("experiment"),
        Column::right("gate open"),
        Column::right("gate shut"),
        Column::right("share"),
        Column::right("per region"),
        Column::left(""),
    ]);
    for one in all {
        table.row([
            Cell::new(&one.experiment),
            Cell::new(seconds(one.gate_on)),
            Cell::new(seconds(one.gate_off)),
            Cell::new(one.share.map(|s| notation.percent(s)).unwrap_or_default()),
            Cell::new(seconds(one.per_region)),
            Cell::new(if one.too_short { "too short to be timed well" } else { "" })
                .role(Role::Caution),
        ]);
    }
    table
}
