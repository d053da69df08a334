//! The predicted time of ranks of MPI that ran in turns.

use cll_fit::Unit;
use cll_model::Interval;
use cll_model::messages::RankTime;
use cll_result::{VirtualPrediction, unrecorded_text};
use cll_units::{Bytes, Seconds};

use crate::document::{Block, Document, Section};
use crate::notation::Notation;
use crate::style::Style;
use crate::text::{Cell, Column, Table};
use crate::virtual_run::rounds_note;
use cll_units::text::{PercentDigits, percent};

/// How many ranks a table shows.
const ROWS: usize = 12;

/// Sentences: the time, on which machine, what the simulation cost, what may be wrong.
pub fn virtual_rank_notes(prediction: &VirtualPrediction) -> Vec<String> {
    let time = |time: Seconds| Notation::Unicode.quantity(time.get(), &Unit::Seconds);
    let bytes =
        |size: Bytes| Notation::Unicode.quantity(size.as_f64(), &Unit::Other("bytes".to_owned()));
    let VirtualPrediction { processors, cores, summary, real, .. } = prediction;
    let (last, on) = (&summary.last, if *cores == 1 { "core" } else { "cores" });
    let how_often = match &prediction.rounds {
        Some(rounds) => format!(
            " [{}, {}] ({}, {} runs)",
            time(rounds.low),
            time(rounds.high),
            percent(rounds.confidence, PercentDigits::Decimals(0)),
            rounds.times.len()
        ),
        None => " in this run".to_owned(),
    };
    let mut notes: Vec<String> = unrecorded_text(&prediction.unrecorded).into_iter().collect();
    notes.push(format!(
        "{processors} ranks, each on a core of its own: {}{how_often} from MPI_Init to MPI_Finalize; rank {}, the last \
         to end: {} of computation, {} of communication, {} of waiting",
        time(summary.total),
        last.processor,
        time(last.computation),
        time(last.communication),
        time(last.waiting),
    ));
    notes.push(match &prediction.machine {
        Some(name) => format!("communication as on the machine {name}"),
        None => {
            "communication takes no time, since no machine was given (--machine MACHINE)".to_owned()
        }
    });
    notes.extend(
        prediction.substitutions.iter().map(|substitution| format!("the machine: {substitution}")),
    );
    if let (None, Some(Interval { low, high, .. })) = (&prediction.rounds, prediction.model) {
        notes.push(format!(
            "by the intervals of the machine's messages it is {} to {}",
            time(low),
            time(high)
        ));
    }
    notes.push(rounds_note(prediction));
    notes.extend(prediction.left_out.iter().map(|note| format!("not in this time: {note}")));
    if prediction.complete {
        notes.push(format!(
            "the simulation took {} on {cores} {on}: {} phases of {} in all; {} of memory each at most",
            time(real.run),
            real.phases,
            time(real.phase_time),
            bytes(real.memory),
        ))
    } else {
        notes.push("not all ranks came to MPI_Finalize: these are the times until then".to_owned());
    }
    if real.cache > Bytes(0) && real.restored_phases < real.phases {
        notes.push(format!(
            "{} of {} phases began with the cache as other ranks had left it, since the memory of their own is more \
             than the {} that a core has by itself: these may be overestimated",
            real.phases - real.restored_phases,
            real.phases,
            bytes(real.cache),
        ));
    }
    if prediction.asked_for_time > 0 {
        let times = if prediction.asked_for_time == 1 { "time" } else { "times" };
        notes.push(format!(
            "the program called MPI_Wtime {} {times} and got the time of this computer, which is that of the simulation",
            prediction.asked_for_time
        ));
    }
    notes
}

/// A row for each rank, those that end last first.
pub fn virtual_rank_table(prediction: &VirtualPrediction, style: &Style) -> String {
    let notation = style.notation();
    let time = |time: Seconds| Cell::new(notation.quantity(time.get(), &Unit::Seconds));
    let mut table = Table::new(vec![
        Column::right("rank"),
        Column::right("computation"),
        Column::right("comm."),
        Column::right("waiting"),
        Column::right("end"),
    ]);
    let mut ranks: Vec<&RankTime> = prediction.ranks.iter().collect();
    ranks.sort_by(|time, other| other.end.get().total_cmp(&time.end.get()));
    for rank in ranks.iter().take(ROWS) {
        table.row([
            Cell::new(rank.rank.to_string()),
            time(rank.computation),
            time(rank.communication),
            time(rank.waiting),
            time(rank.end),
        ]);
    }
    let mut text = Document::new([Section::untitled(vec![Block::table_at(0, table)])]).text(style);
    if ranks.len() > ROWS {
        text.push_str(&format!("{} more ranks, which end earlier\n", ranks.len() - ROWS));
    }
    text
}
