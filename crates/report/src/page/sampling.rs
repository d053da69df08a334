//! The sampling: rounds, the machine's state in each, samples that were left out.

use cll_fit::Unit;
use cll_result::{
    Against, CodeModel, DilationModel, Discarded, Measuring, RoundModel, Sampling, Stopped,
};
use cll_units::Seconds;

use crate::document::{Block, Document, Section};
use crate::notation::Notation;
use crate::style::Role;
use crate::text::{Cell, Column, Table};

/// Rounds in the table of the page.
const MAX_ROUNDS: usize = 500;

/// The meaning of three columns of the table of rounds.
const CANARY: &str = "\
    Before each round the machine itself is tested by small loops that always do the same (the canary): chain shows the \
    clock's rate, width whether another program uses the same core, partner the time of a message between two processors. \
    1 is the fastest that this machine has shown; at 1.2 the loop took 20 % longer, and so may the program.";

/// The facts, the rounds, and the cost of the markers.
pub(crate) fn document(sampling: &Sampling) -> Document {
    let notation = Notation::Unicode;
    let facts = Block::named(facts(sampling));
    let mut sections = vec![Section::untitled(vec![facts])];
    if !sampling.rounds.is_empty() {
        let live = Block::Live { island: "rounds", experiment: 0, blocks: Vec::new() };
        let table = rounds(&sampling.rounds);
        let table = Block::first_rows(table, "Rounds", sampling.rounds.len());
        let canary = Block::paragraph(CANARY, Role::Faint);
        sections.push(Section::new("Rounds", "", vec![canary, live, table]));
    }
    let code = sampling.measuring.iter().filter_map(|measuring| measuring.code.as_ref()).flatten();
    let code: Vec<&CodeModel> = code.collect();
    if !code.is_empty() {
        let name = "Other code because of the markers";
        let table = Block::table(other_code(&code), name);
        sections.push(Section::new(name, "instructions of one run, by line", vec![table]));
    }
    if !sampling.dilation.is_empty() {
        let name = "What the markers cost";
        let table = Block::table(dilation(&sampling.dilation), name);
        let remark = notation.text(&compared(sampling.measuring.as_ref()));
        sections.push(Section::new(name, remark, vec![table]));
    }
    Document::new(sections)
}

fn facts(sampling: &Sampling) -> Vec<(&'static str, String)> {
    let notation = Notation::Unicode;
    let mut facts = Vec::new();
    let stopped = match sampling.stopped {
        Stopped::Precise => "the requested precision was reached",
        Stopped::Budget => "the budget was spent",
        Stopped::Launches => "all launches were made",
        Stopped::Interrupted => "interrupted",
        Stopped::Hopeless => "more would not have helped",
        Stopped::Planned => "points were chosen as often as is allowed",
    };
    let mut push = |name, text: String| facts.push((name, text));
    push("Ended", stopped.to_owned());
    if let Some(precision) = sampling.precision {
        push("Requested precision", notation.percent(precision));
    }
    if let Some(reached) = sampling.reached {
        let widest = sampling.widest.as_deref().unwrap_or_default();
        push("Reached", format!("± {}, {widest}", notation.percent(reached)));
    }
    if let Some(budget) = sampling.budget {
        let suffix = if sampling.is_core_time { " of core time" } else { "" };
        push("Budget", notation.quantity(budget.get(), &Unit::Seconds) + suffix);
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
    push("Seed", sampling.seed.to_string());
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    facts.map(|(name, text)| (name, notation.text(&text))).collect()
}

fn rounds(rounds: &[RoundModel]) -> Table {
    let notation = Notation::Unicode;
    let percent = |share: Option<f64>| known(share, |share| notation.percent(share));
    let ratio = |ratio: Option<f64>| known(ratio, |ratio| notation.ratio(ratio));
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
    for round in rounds.iter().take(MAX_ROUNDS) {
        let canary = &round.canary;
        let runs = match (round.runs.first(), round.runs.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(number), _) => number.to_string(),
            _ => String::new(),
        };
        table.row([
            Cell::new(round.round.to_string()),
            Cell::new(runs),
            Cell::new(seconds(Some(round.started))),
            Cell::new(seconds(Some(round.wall))),
            Cell::new(seconds(Some(round.cpu))),
            Cell::new(round.involuntary.to_string()),
            Cell::new(percent(Some(round.steal))),
            Cell::new(percent(Some(round.others))),
            Cell::new(percent(Some(round.elsewhere))),
            Cell::new(ratio(canary.chain)),
            Cell::new(ratio(canary.width)),
            Cell::new(percent(canary.narrow)),
            Cell::new(ratio(canary.partner)),
            Cell::new(marks(round)).role(Role::Caution),
            Cell::new(if round.used { "yes" } else { "no" }),
        ]);
    }
    table
}

/// The faults of a round.
fn marks(round: &RoundModel) -> String {
    let names: Vec<&str> = round.marked.iter().map(|mark| mark.code()).collect();
    names.join(", ")
}

/// A number as text; empty if there is none.
fn known(number: Option<f64>, text: impl Fn(f64) -> String) -> String {
    number.filter(|number| number.is_finite()).map(text).unwrap_or_default()
}

fn seconds(time: Option<Seconds>) -> String {
    known(time.map(Seconds::get), |time| Notation::Unicode.quantity(time, &Unit::Seconds))
}

fn dilation(all: &[DilationModel]) -> Table {
    let notation = Notation::Unicode;
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
    for dilation in all {
        let (low, high) = (dilation.per_region_low, dilation.per_region_high);
        table.row([
            Cell::new(&dilation.experiment),
            Cell::new(seconds(Some(dilation.gate_on))),
            Cell::new(seconds(Some(dilation.gate_off))),
            Cell::new(known(Some(dilation.share), |share| notation.percent(share))),
            Cell::new(between(dilation.share_low, dilation.share_high, |share| {
                notation.percent(share)
            })),
            Cell::new(seconds(dilation.per_region)),
            Cell::new(between(low.map(Seconds::get), high.map(Seconds::get), |each| {
                notation.quantity(each, &Unit::Seconds)
            })),
            Cell::new(if dilation.too_short { "too short to be timed well" } else { "" })
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

/// The runs that were compared.
fn compared(measuring: Option<&Measuring>) -> String {
    let notation = Notation::Unicode;
    let Some(measuring) = measuring else {
        return "runs with the gate open, and with it shut".to_owned();
    };
    let against = match measuring.against {
        Against::Gate => "the same program with the gate shut",
        Against::Plain => "the program without markers",
    };
    let mut text = notation.count(measuring.pairs, "pair", "pairs") + " of runs";
    if !measuring.run.is_empty() {
        text += &format!(" with {}", measuring.run);
    }
    text += &format!(
        ": {} of processor time, {} of {against}",
        seconds(Some(measuring.with)),
        seconds(Some(measuring.without))
    );
    if let Some(why) = &measuring.because {
        text += &format!(" ({why})");
    }
    if measuring.start > Seconds::ZERO {
        text += &format!("; {} are the library's start", seconds(Some(measuring.start)));
    }
    let share = known(Some(measuring.share), |share| notation.percent(share));
    let interval = between(measuring.low, measuring.high, |share| notation.percent(share));
    if interval.is_empty() {
        text + "; too few for an interval"
    } else {
        text + &format!("; measuring is {share} of the run, {interval}")
    }
}

fn other_code(code: &[&CodeModel]) -> Table {
    let notation = Notation::Unicode;
    let mut table = Table::new(vec![
        Column::left("line"),
        Column::right("with markers"),
        Column::right("without"),
        Column::right("ratio"),
    ]);
    for code in code {
        let ratio = (code.without > 0).then(|| code.with as f64 / code.without as f64);
        table.row([
            Cell::new(format!("{}:{}", code.file, code.line)),
            Cell::new(code.with.to_string()),
            Cell::new(code.without.to_string()),
            Cell::new(ratio.map(|ratio| notation.ratio(ratio)).unwrap_or_default()),
        ]);
    }
    table
}
