//! The measurement, how far it can be trusted, and what concerns all experiments.

use cll_fit::rounds::State;
use cll_result::{Doubt, DoubtKind, ExperimentModel, ModelFile, Sampling};

use super::html::brief;
use super::{PageParts, STYLE, called};
use crate::document::{Block, Document, Notice, Section, Title, Verdict};
use crate::model::ranking;
use crate::notation::Notation;
use crate::plot::sentence;
use crate::style::Role;

const NOTATION: Notation = Notation::Unicode;

/// Says what was measured, and how far it can be trusted.
pub(crate) fn head(parts: &PageParts<'_>) -> Document {
    let model = parts.model;
    let verdicts = verdict(model, 1).into_iter().chain(doubts(model));
    let name = NOTATION.text(&brief(&parts.name()));
    let title = Title::Report { name, about: measured(model) };
    let blocks = verdicts.map(Block::Verdict).collect();
    Document::new([Section { title, blocks, ..Section::default() }])
}

/// The ranking and the warnings.
pub(crate) fn results(parts: &PageParts<'_>) -> Document {
    let model = parts.model;
    let notice =
        |code: &str, text: &str| Notice { code: NOTATION.text(code), text: NOTATION.text(text) };
    let warnings = model.warnings.iter().map(|warning| notice(&warning.code, &warning.text));
    let notes = parts.page.notes.iter().map(|text| notice("page", text));
    let notices: Vec<Notice> = warnings.chain(notes).collect();
    // The ranking comes first: the parts on experiments are reached from it.
    let ranking = model.ranking.as_ref();
    let ranking = ranking.map(|ranked| ranking::section(ranked, model.sampling.as_ref(), &STYLE));
    Document::new(ranking.into_iter().chain([Section::untitled(vec![Block::Notices(notices)])]))
}

/// `2 experiments, 600 samples in 5 runs, on HOST, 21 November 2026`
fn measured(model: &ModelFile) -> String {
    let samples: u64 = model.experiments.iter().map(|experiment| experiment.samples).sum();
    let mut text = NOTATION.count(model.experiments.len(), "experiment", "experiments");
    if samples > 0 {
        text += &format!(", {}", NOTATION.count(samples as usize, "sample", "samples"));
    }
    match model.runs.len() {
        0 => {}
        count => text += &format!(" from {}", NOTATION.count(count, "run", "runs")),
    }
    if let Some(machine) = &model.machine {
        let names = [&machine.cpu, &machine.host].map(|name| brief(&NOTATION.text(name)));
        match &names {
            [cpu, host] if !cpu.is_empty() && !host.is_empty() => {
                text += &format!(", on {cpu} ({host})");
            }
            [first, other] if !(first.is_empty() && other.is_empty()) => {
                text += &format!(", on {first}{other}");
            }
            _ => {}
        }
    }
    if let Some(date) = date(&model.created) {
        text += &format!(", {date}");
    }
    text
}

/// `2026-01-31T12:00:00Z` as people write it.
fn date(created: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (day, time) = created.split_once('T')?;
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let day: u32 = day.parse().ok()?;
    Some(format!("{day} {month} {year}, {} UTC", time.get(..5)?))
}

/// The verdict with all reasons and advice, if the head does not have them.
pub(crate) fn whole_verdict(model: &ModelFile) -> Option<Section> {
    let verdict = &model.sampling.as_ref()?.verdict;
    let is_cut = verdict.reasons.len() > 1 || verdict.advice.len() > 1;
    let full = self::verdict(model, usize::MAX).filter(|_| is_cut)?;
    Some(Section::untitled(vec![Block::Verdict(Verdict { more: None, ..full })]))
}

/// The state of the machine during the measurements, with so many reasons and as much advice.
fn verdict(model: &ModelFile, most: usize) -> Option<Verdict> {
    let verdict = &model.sampling.as_ref()?.verdict;
    let (role, name) = match verdict.state {
        State::Quiet => (Role::Good, "The machine was quiet."),
        State::Disturbed => (Role::Caution, "The machine was disturbed."),
        State::NotMeasurable => {
            (Role::Bad, "Not measurable now: no number on this page can be trusted.")
        }
    };
    Some(Verdict {
        role,
        name: name.to_owned(),
        reasons: verdict
            .reasons
            .iter()
            .take(most)
            .map(|reason| NOTATION.text(&reason.text))
            .collect(),
        advice: verdict.advice.iter().take(most).map(|advice| NOTATION.text(advice)).collect(),
        more: Some(("#sampling", "How it was sampled")),
    })
}

/// The doubts that are not of the sampling: those of experiments from other models, each with the names of these.
fn doubts(model: &ModelFile) -> Vec<Verdict> {
    const MAX_NAMES: usize = 6;
    let of_sampling = model.sampling.as_ref().and_then(Sampling::doubt);
    let mut all = model.doubts().into_iter().collect::<Vec<_>>();
    all.retain(|doubt| Some(doubt) != of_sampling.as_ref());
    all.sort_by_key(|doubt| doubt.kind != DoubtKind::NotMeasurable);
    let verdict = |doubt: &Doubt| {
        let has = |model_experiment: &&ExperimentModel| {
            model.doubts_of(model_experiment).iter().any(|own| own == doubt)
        };
        let names: Vec<String> = (model.experiments.iter().filter(has))
            .map(|experiment| NOTATION.text(&brief(called(experiment))))
            .collect();
        let more = names.len().saturating_sub(MAX_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names[..names.len().min(MAX_NAMES)].join(", ") + &more;
        let (role, name) = match doubt.kind {
            DoubtKind::NotMeasurable => {
                (Role::Bad, format!("Not measurable: no number of {names} can be trusted."))
            }
            DoubtKind::Disturbed => (Role::Caution, format!("Measured disturbed: {names}.")),
            DoubtKind::Predicted => (Role::Caution, format!("Predicted, not measured: {names}.")),
        };
        Verdict {
            role,
            name,
            reasons: vec![NOTATION.text(&sentence(&doubt.text))],
            advice: Vec::new(),
            more: None,
        }
    };
    all.iter().map(verdict).collect()
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_as_people_write_them() {
        assert_eq!(date("2026-01-31T12:05:00Z").as_deref(), Some("31 January 2026, 12:05 UTC"));
        for odd in ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-31T1"] {
            assert_eq!(date(odd), None, "{odd}");
        }
    }
}
