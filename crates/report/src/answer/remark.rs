//! A sentence that the reader should know before using a number, and several of them in order.

use cll_fit::SharedConstant;
use cll_result::{Notice, Sampling};

use crate::Notation;
use crate::model::shared::names;

/// Remarks of the long report only.
const NOTE: u8 = u8::MAX;

/// A sentence with its rank: the lower, the more it changes what the reader would do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Remark {
    rank: u8,
    pub text: String,
}

/// The remarks on an experiment or a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    urgent: Vec<Remark>,
    notes: usize,
}

impl Remarks {
    pub fn push(&mut self, remark: Remark) {
        if remark.rank == NOTE {
            self.notes += 1;
        } else if !self.urgent.contains(&remark) {
            // Behind those of the same rank.
            let place = self.urgent.partition_point(|other| other.rank <= remark.rank);
            self.urgent.insert(place, remark);
        }
    }

    pub fn extend(&mut self, others: Remarks) {
        self.notes += others.notes;
        others.urgent.into_iter().for_each(|remark| self.push(remark));
    }

    /// Takes out what several experiments have in common.
    pub fn take_common(all: &mut [Remarks]) -> Remarks {
        let mut common = Remarks::default();
        let each = all.iter().flat_map(|remarks| &remarks.urgent);
        let each: Vec<&Remark> = each.collect();
        for (index, remark) in each.iter().enumerate() {
            if each[..index].contains(remark) {
                common.push((*remark).clone());
            }
        }
        for remarks in all {
            remarks.urgent.retain(|remark| !common.urgent.contains(remark));
        }
        common
    }

    /// Those that are worth a line, most important first.
    pub fn urgent(&self) -> &[Remark] {
        &self.urgent
    }

    /// How many stand in the long report only, if so many have a line.
    pub fn below(&self, shown: usize) -> usize {
        self.notes + self.urgent.len().saturating_sub(shown)
    }
}

impl Remark {
    pub fn new(rank: u8, text: impl Into<String>) -> Remark {
        Remark { rank, text: text.into() }
    }

    /// Remarks of the long report only.
    pub fn note() -> Remark {
        Remark::new(NOTE, "")
    }

    /// A notice that concerns all experiments.
    pub fn of_file(notice: &Notice, notation: Notation) -> Remark {
        let rank = match notice.code.as_str() {
            "simulated-time" => 1,
            "mixed-programs" | "oversubscribed" | "damage" | "formulas" | "variables"
            | "processors" => 2,
            "absent" | "elsewhere" | "engines" => 3,
            "unseen-variable" | "not-shared" | "quota" | "processor-time" | "skipped"
            | "left-out" | "odd-number" | "powers-of-two" | "text-column" => 6,
            _ => return Remark::note(),
        };
        Remark::new(rank, notation.text(&notice.text))
    }

    /// Constants that were to have one value.
    pub fn shared(shared: &SharedConstant, notation: Notation) -> Remark {
        if !shared.rejected {
            return Remark::note();
        }
        let text =
            format!("the data reject one value of {}: do not share it", names(shared).join(", "));
        Remark::new(1, notation.text(&text))
    }

    /// The machine was disturbed, but not too much.
    pub fn disturbed(sampling: &Sampling, notation: Notation) -> Remark {
        let Some(off) = sampling.verdict.off else { return Remark::note() };
        let wider = notation.percent(off.below.max(off.above));
        let text = format!(
            "the machine was disturbed, and intervals are up to {wider} wider: run this again when it is quiet"
        );
        Remark::new(6, text)
    }
}
