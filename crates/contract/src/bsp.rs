//! Tables for BSP programs, and how their processes find each other.

use std::ffi::OsString;
use std::fmt::Write;

use crate::kind::ValueKind;

/// How bytes in and out give the h of a processor: the operator @ of the papers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// The maximum of both.
    #[default]
    Max,
    /// The sum of both.
    Sum,
}

impl Combine {
    /// h of a processor with these bytes in and out.
    #[inline]
    pub fn h(self, received: u64, sent: u64) -> u64 {
        match self {
            Combine::Max => received.max(sent),
            Combine::Sum => received + sent,
        }
    }
}

/// g and L from a size on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostSegment {
    /// For supersteps that end obliviously; otherwise for those with a barrier.
    pub oblivious: bool,
    /// For machine objects of this number of processors.
    pub processors: u32,
    /// Smallest h in bytes.
    pub from: u64,
    /// Seconds per byte.
    pub g: f64,
    /// Seconds.
    pub l: f64,
}

/// The cost of communication on a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostTable {
    /// How h is computed.
    pub combine: Combine,
    /// In any order.
    pub segments: Vec<CostSegment>,
}

/// A [`CostTable`]: `max` or `sum`, then for each segment `;`, `b` (barrier) or `o` (oblivious), processors,
/// smallest h, g, L, separated by commas.
#[derive(Debug)]
pub struct Costs;

impl ValueKind for Costs {
    type Value<'a> = CostTable;

    const EMPTY_IS_NOT_SET: bool = false;

    fn decode(text: &[u8]) -> Option<CostTable> {
        let mut parts = std::str::from_utf8(text).ok()?.split(';');
        let combine = match parts.next()? {
            "max" => Combine::Max,
            "sum" => Combine::Sum,
            _ => return None,
        };
        let segments: Option<Vec<CostSegment>> = parts.map(segment).collect();
        Some(CostTable { combine, segments: segments? })
    }

    fn encode(table: CostTable) -> OsString {
        let mut text = match table.combine {
            Combine::Max => "max".to_owned(),
            Combine::Sum => "sum".to_owned(),
        };
        for CostSegment { oblivious, processors, from, g, l } in table.segments {
            let kind = if oblivious { 'o' } else { 'b' };
            // Writing to a string does not fail.
            let _ = write!(text, ";{kind},{processors},{from},{g:e},{l:e}");
        }
        text.into()
    }
}

fn segment(text: &str) -> Option<CostSegment> {
    let words: Vec<&str> = text.split(',').collect();
    let &[kind, processors, from, g, l] = words.as_slice() else { return None };
    let oblivious = match kind {
        "b" => false,
        "o" => true,
        _ => return None,
    };
    let time = |text: &str| text.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0);
    let (processors, from) = (processors.parse().ok()?, from.parse().ok()?);
    Some(CostSegment { oblivious, processors, from, g: time(g)?, l: time(l)? })
}

/// The parameters of a machine with a number of processors, in the units of the literature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParametersOf {
    /// The number of processors.
    pub processors: u32,
    /// s: operations per second.
    pub rate: Option<f64>,
    /// l: operations.
    pub l: Option<f64>,
    /// g: operations per word of 32 bits.
    pub g: Option<f64>,
    /// The size of a transfer that reaches half of the best speed, in words.
    pub half: Option<f64>,
}

/// Rows of [`ParametersOf`], separated by `;`: `P S L G NHALF`, with `-` for an unknown value.
#[derive(Debug)]
pub struct Parameters;

impl ValueKind for Parameters {
    type Value<'a> = Vec<ParametersOf>;

    fn decode(text: &[u8]) -> Option<Vec<ParametersOf>> {
        std::str::from_utf8(text).ok()?.split(';').map(parameters_of).collect()
    }

    fn encode(rows: Vec<ParametersOf>) -> OsString {
        let rows = rows.into_iter().map(|row| {
            let [rate, l, g, half] = [row.rate, row.l, row.g, row.half]
                .map(|value| value.map_or("-".to_owned(), |value| format!("{value:e}")));
            format!("{} {rate} {l} {g} {half}", row.processors)
        });
        rows.collect::<Vec<_>>().join(";").into()
    }
}

fn parameters_of(row: &str) -> Option<ParametersOf> {
    let words: Vec<&str> = row.split_whitespace().collect();
    let &[processors, rate, l, g, half] = words.as_slice() else { return None };
    let value = |word: &str| match word {
        "-" => Some(None),
        word => word.parse().ok().map(Some),
    };
    Some(ParametersOf {
        processors: processors.parse().ok()?,
        rate: value(rate)?,
        l: value(l)?,
        g: value(g)?,
        half: value(half)?,
    })
}

/// The machine to which a program belongs that was started again for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joining {
    /// The descriptor of the machine's memory.
    pub file: i32,
    /// The number of this processor, from 0.
    pub index: usize,
    /// The number of processors.
    pub count: usize,
    /// Bytes of a processor's window in the memory.
    pub window: usize,
}

/// A [`Joining`]: `DESCRIPTOR:INDEX:COUNT:WINDOW`.
#[derive(Debug)]
pub struct Join;

impl ValueKind for Join {
    type Value<'a> = Joining;

    fn decode(text: &[u8]) -> Option<Joining> {
        let parts = std::str::from_utf8(text).ok()?.split(':');
        let numbers: Option<Vec<usize>> = parts.map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[file, index, count, window]) if index < count => {
                Some(Joining { file: file as i32, index, count, window })
            }
            _ => None,
        }
    }

    fn encode(joining: Joining) -> OsString {
        let Joining { file, index, count, window } = joining;
        format!("{file}:{index}:{count}:{window}").into()
    }
}
