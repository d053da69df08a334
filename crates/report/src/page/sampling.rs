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
    pub measuring: Option<Measuring>,
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
    share_low: Option<f64>,
    share_high: Option<f64>,
    per_region: Option<f64>,
    per_region_low: Option<f64>,
    per_region_high: Option<f64>,
    too_short: bool,
}

/// What measuring costs a run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Measuring {
    against: String,
    because: Option<String>,
    run: String,
    pairs: usize,
    with: Option<f64>,
    without: Option<f64>,
    start: Option<f64>,
    share: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    code: Option<Vec<Code>>,
}

/// A line of which the compiler made other code.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Code {
    file: String,
    line: u32,
    with: u64,
    without: u64,
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
    let code = sampling.measuring.iter().filter_map(|one| one.code.as_ref()).flatten();
    let code: Vec<&Code> = code.collect();
    if !code.is_empty() {
        part(out, "Other code because of the markers", "instructions of one run, by line");
        out.table(&other_code(&code), "Other code because of the markers");
        out.close();
    }
    if !sampling.dilation.is_empty() {
        part(out, "What the markers cost", &compared(sampling.measuring.as_ref()));
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
        Column::right("with"),
        Column::right("without"),
        Column::right("share"),
        Column::right("interval"),
        Column::right("per region"),
        Column::right("interval"),
        Column::left(""),
    ]);
    for one in all {
        table.row([
            Cell::new(&one.experiment),
            Cell::new(seconds(one.gate_on)),
            Cell::new(seconds(one.gate_off)),
            Cell::new(one.share.map(|s| notation.percent(s)).unwrap_or_default()),
            Cell::new(between(one.share_low, one.share_high, |share| notation.percent(share))),
            Cell::new(seconds(one.per_region)),
            Cell::new(between(one.per_region_low, one.per_region_high, |each| {
                notation.quantity(each, &Unit::Seconds)
            })),
            Cell::new(if one.too_short { "too short to be timed well" } else { "" })
                .role(Role::Caution),
        ]);
    }
    table
}

/// Two bounds, if both are there.
fn between(low: Option<f64>, high: Option<f64>, text: impl Fn(f64) -> String) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{} to {}", text(low), text(high)),
        _ => String::new(),
    }
}

/// What was compared with what.
fn compared(measuring: Option<&Measuring>) -> String {
    let notation = Notation::Unicode;
    let Some(one) = measuring else {
        return "runs with the gate open, and with it shut".to_owned();
    };
    let seconds =
        |s: Option<f64>| s.map(|s| notation.quantity(s, &Unit::Seconds)).unwrap_or_default();
    let against = match one.against.as_str() {
        "gate" => "the same program with the gate shut",
        _ => "the program without markers",
    };
    let mut text = notation.count(one.pairs, "pair", "pairs") + " of runs";
    if !one.run.is_empty() {
        text += &format!(" with {}", one.run);
    }
    text += &format!(
        ": {} of processor time, {} of {against}",
        seconds(one.with),
        seconds(one.without)
    );
    if let Some(why) = &one.because {
        text += &format!(" ({why})");
    }
    if one.start.is_some_and(|start| start > 0.0) {
        text += &format!("; {} are the library's start", seconds(one.start));
    }
    let share = one.share.map(|share| notation.percent(share)).unwrap_or_default();
    let interval = between(one.low, one.high, |share| notation.percent(share));
    match interval.is_empty() {
        true => text + "; too few for an interval",
        false => text + &format!("; measuring is {share} of the run, {interval}"),
    }
}

fn other_code(code: &[&Code]) -> Table {
    let notation = Notation::Unicode;
    let mut table = Table::new(vec![
        Column::left("line"),
        Column::right("with markers"),
        Column::right("without"),
        Column::right("ratio"),
    ]);
    for one in code {
        let ratio = (one.without > 0).then(|| one.with as f64 / one.without as f64);
        table.row([
            Cell::new(format!("{}:{}", one.file, one.line)),
            Cell::new(one.with.to_string()),
            Cell::new(one.without.to_string()),
            Cell::new(ratio.map(|ratio| notation.ratio(ratio)).unwrap_or_default()),
        ]);
    }
    table
}
