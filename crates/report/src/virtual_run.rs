//! The times of virtual processors as text.

use cll_fit::Unit;
use cll_model::Interval;
use cll_result::{VirtualPrediction, VirtualRun};
use cll_units::{Bytes, Seconds};

use crate::document::{Block, Document, Section};
use crate::notation::Notation;
use crate::style::Style;
use crate::text::{Cell, Column, Table};
use cll_units::text::{PercentDigits, percent};

/// The time and what it depends on, as sentences. `has_machine`: a machine was given; `looked_alone`: phases were run
/// alone to measure contention.
pub fn virtual_notes(
    prediction: &VirtualPrediction,
    has_machine: bool,
    looked_alone: bool,
) -> Vec<String> {
    let time = |time: Seconds| Notation::Unicode.quantity(time.get(), &Unit::Seconds);
    let bytes =
        |size: Bytes| Notation::Unicode.quantity(size.as_f64(), &Unit::Other("bytes".to_owned()));
    let VirtualPrediction { processors, cores, summary, real, .. } = prediction;
    let (last, on) = (&summary.last, if *cores == 1 { "core" } else { "cores" });
    let mut notes = vec![format!(
        "{processors} virtual processors: {}; processor {}, the last to end: {} of computation, {} of \
         communication, {} of waiting",
        time(summary.total),
        last.processor,
        time(last.computation),
        time(last.communication),
        time(last.waiting),
    )];
    notes.extend(model_note(prediction, has_machine));
    notes.push(rounds_note(prediction));
    match &prediction.machine {
        Some(name) => notes.push(format!("communication as on the machine {name}")),
        None if !has_machine => notes.push(
            "communication takes no time, since no machine was given (--machine MACHINE)"
                .to_owned(),
        ),
        None => {}
    }
    notes.extend(
        prediction.substitutions.iter().map(|substitution| format!("the machine: {substitution}")),
    );
    if prediction.complete {
        notes.push(format!(
            "the simulation took {} on {cores} {on}: {} phases of {} in all; {} of memory each at most",
            time(real.run),
            real.phases,
            time(real.phase_time),
            bytes(real.memory),
        ));
    } else {
        notes.push("not all processors ended: these are the times until then".to_owned());
    }
    notes.extend(cache_note(real));
    notes.extend(contention_note(prediction, looked_alone));
    if prediction.asked_for_time > 0 {
        let times = if prediction.asked_for_time == 1 { "time" } else { "times" };
        notes.push(format!(
            "the program read the clock {} {times} and got virtual time; what depends on that, or on \
             another clock, may differ on another machine",
            prediction.asked_for_time
        ));
    }
    notes
}

/// The time by the model, with how phases were priced.
fn model_note(prediction: &VirtualPrediction, has_machine: bool) -> Option<String> {
    let time = |time: Seconds| Notation::Unicode.quantity(time.get(), &Unit::Seconds);
    let Interval { value, low, high, confidence } = prediction.model?;
    let how = match (has_machine, prediction.model_without_contention) {
        (true, false) => "with g and L by the pattern of each superstep",
        (true, true) => {
            "with g and L by the pattern of each superstep, and phases as long as they are alone"
        }
        (false, _) => "with phases as long as they are alone",
    };
    Some(format!(
        "by OBSP*, {how}: {} [{}, {}] ({})",
        time(value),
        time(low),
        time(high),
        percent(confidence, PercentDigits::Decimals(0))
    ))
}

/// Says that phases began with the cache of other processors, if some did.
fn cache_note(run: &VirtualRun) -> Option<String> {
    let VirtualRun { phases, restored_phases, cache, .. } = *run;
    (cache > Bytes(0) && restored_phases < phases).then(|| {
        format!(
            "{} of {phases} phases began with the cache as other processors had left it, since the memory of \
             their own is more than the {} that a core has by itself: these may be overestimated",
            phases - restored_phases,
            Notation::Unicode.quantity(cache.as_f64(), &Unit::Other("bytes".to_owned())),
        )
    })
}

/// How phases disturb each other on several cores, if that was looked for.
fn contention_note(prediction: &VirtualPrediction, looked_alone: bool) -> Option<String> {
    let Some(contention) = &prediction.contention else {
        return looked_alone.then(|| {
            "contention is not known: too few phases that are equal were run alone".to_owned()
        });
    };
    let without = if prediction.model_without_contention {
        "; the time by OBSP* is without that, --contention as-run leaves it in"
    } else {
        ""
    };
    Some(format!(
        "contention: phases took {:.3} [{:.3}, {:.3}] times as long {} at a time as alone ({} of them){without}",
        contention.factor, contention.low, contention.high, contention.cores, contention.phases
    ))
}

/// Whether and how runs are known to differ.
pub(crate) fn rounds_note(prediction: &VirtualPrediction) -> String {
    let time = |time: Seconds| Notation::Unicode.quantity(time.get(), &Unit::Seconds);
    match &prediction.rounds {
        None => "computation was measured once: how much runs differ is in no interval here; --rounds 5 repeats the \
                 run and shows it"
            .to_owned(),
        Some(rounds) => {
            let (first, last) = (rounds.times.first(), rounds.times.last());
            let least = first.copied().unwrap_or_default();
            let most = last.copied().unwrap_or_default();
            let machine = match prediction.model {
                Some(_) => " and the intervals of the machine",
                None => "",
            };
            format!(
                "{} runs took {} to {}, and this is the one in the middle; another run takes {} to {} ({}), by \
                 their spread{machine}",
                rounds.times.len(),
                time(least),
                time(most),
                time(rounds.low),
                time(rounds.high),
                percent(rounds.confidence, PercentDigits::Decimals(0))
            )
        }
    }
}

/// A row for each superstep.
pub fn virtual_table(prediction: &VirtualPrediction, style: &Style) -> String {
    let notation = style.notation();
    let time = |time: Seconds| Cell::new(notation.quantity(time.get(), &Unit::Seconds));
    let unit = Unit::Other("bytes".to_owned());
    let bytes = |size: Bytes| Cell::new(notation.quantity(size.as_f64(), &unit));
    let mut table = Table::new(vec![
        Column::left("processors"),
        Column::right("step"),
        Column::left("at").flexible(),
        Column::right("computation"),
        Column::right("h"),
        Column::right("comm."),
        Column::right("waiting"),
        Column::right("end"),
    ]);
    for step in &prediction.summary.supersteps {
        let name = step.file.rsplit('/').next().unwrap_or_default();
        let place = match step.line {
            0 => String::new(),
            line => format!("{name}:{line}"),
        };
        let end = step.first.get() + step.nprocs.max(1) - 1;
        table.row([
            Cell::new(format!("{}-{end}", step.first)),
            Cell::new(step.superstep.to_string()),
            Cell::new(place),
            time(step.computation),
            bytes(step.h),
            time(step.communication),
            time(step.waiting),
            time(step.end),
        ]);
    }
    Document::new([Section::untitled(vec![Block::table_at(0, table)])]).text(style)
}
