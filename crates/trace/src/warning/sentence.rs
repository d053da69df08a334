//! Warnings in words.

use std::fmt;

use super::counters::counters;
use super::experiments::experiments;
use super::kind::Warning;
use super::regions::regions;
use super::runs::runs;
use super::times::times;

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = match self {
            Warning::Formulas { .. }
            | Warning::Variables { .. }
            | Warning::Processors { .. }
            | Warning::Uneven { .. }
            | Warning::Unpaired { .. }
            | Warning::Absent { .. } => experiments(self),
            Warning::Calibration { .. }
            | Warning::Negative { .. }
            | Warning::Exclusive { .. }
            | Warning::Waited { .. } => times(self),
            Warning::Left { .. } | Warning::Open { .. } | Warning::ThreadEnds { .. } => {
                regions(self)
            }
            Warning::Refused { .. } | Warning::Scaled { .. } | Warning::Short { .. } => {
                counters(self)
            }
            Warning::Run { .. }
            | Warning::Elsewhere { .. }
            | Warning::Engines { .. }
            | Warning::UnknownBlocks { .. } => runs(self),
        };
        f.write_str(&sentence.unwrap_or_else(|| format!("{self:?}")))
    }
}
