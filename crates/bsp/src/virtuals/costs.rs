//! What communication costs on the machine that is asked for: a small table, that others make.

use std::fmt;
use std::str::FromStr;

use crate::log::Ending;

/// How bytes in and out make the h of a processor: the papers' @.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// The more of both.
    #[default]
    Max,
    /// Both together.
    Sum,
}

impl Combine {
    /// h of a processor with so many bytes in and out.
    #[inline]
    pub fn of(self, received: u64, sent: u64) -> u64 {
        match self {
            Combine::Max => received.max(sent),
            Combine::Sum => received + sent,
        }
    }
}

/// g and L from a size on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Of supersteps that end obliviously; else in a barrier.
    pub oblivious: bool,
    /// Of machine objects of so many processors.
    pub processors: u32,
    /// From so many bytes of h on.
    pub from: u64,
    /// Seconds per byte.
    pub g: f64,
    /// Seconds.
    pub l: f64,
}

/// The pieces of a machine. A superstep of n processors takes those for the smallest number of processors
/// from n on, else those for the largest; of them the last that begins at or below its h. Without any,
/// communication takes no time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    combine: Combine,
    /// Sorted by kind, processors, begin.
    pieces: Vec<Piece>,
}

/// A text that is no table of costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no table of costs")]
pub struct WrongCosts(pub String);

impl Costs {
    /// Of pieces in any order.
    pub fn new(combine: Combine, mut pieces: Vec<Piece>) -> Costs {
        pieces.sort_by_key(|piece| (piece.oblivious, piece.processors, piece.from));
        Costs { combine, pieces }
    }

    /// How bytes in and out make h.
    pub fn combine(&self) -> Combine {
        self.combine
    }

    /// Whether communication takes any time.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// g·h + L of the piece that holds h, in nanoseconds; 0 for what ends in no synchronisation.
    pub fn ns(&self, ending: Ending, processors: usize, h: u64) -> u64 {
        let oblivious = match ending {
            Ending::Sync => false,
            Ending::Oblivious => true,
            Ending::End => return 0,
        };
        let of = |piece: &&Piece| piece.oblivious == oblivious;
        let counts = || self.pieces.iter().filter(of).map(|piece| piece.processors);
        let least = counts().filter(|&count| count as usize >= processors).min();
        let Some(count) = least.or_else(|| counts().max()) else { return 0 };
        let mut all = self.pieces.iter().filter(of).filter(|piece| piece.processors == count);
        let first = all.clone().next();
        let Some(piece) = all.rfind(|piece| piece.from <= h).or(first) else { return 0 };
        ((piece.g * h as f64 + piece.l) * 1e9).round().max(0.0) as u64
    }
}

/// `max` or `sum`, then for each piece `;`, `b` (barrier) or `o` (oblivious), processors, first byte, g, L,
/// separated by commas.
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.combine {
            Combine::Max => "max",
            Combine::Sum => "sum",
        })?;
        for Piece { oblivious, processors, from, g, l } in &self.pieces {
            let kind = if *oblivious { 'o' } else { 'b' };
            write!(f, ";{kind},{processors},{from},{g:e},{l:e}")?;
        }
        Ok(())
    }
}

impl FromStr for Costs {
    type Err = WrongCosts;

    fn from_str(text: &str) -> Result<Costs, WrongCosts> {
        parse(text).ok_or_else(|| WrongCosts(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Costs> {
    let mut parts = text.split(';');
    let combine = match parts.next()? {
        "max" => Combine::Max,
        "sum" => Combine::Sum,
        _ => return None,
    };
    let pieces: Option<Vec<Piece>> = parts.map(piece).collect();
    Some(Costs::new(combine, pieces?))
}

fn piece(text: &str) -> Option<Piece> {
    let words: Vec<&str> = text.split(',').collect();
    let &[kind, processors, from, g, l] = words.as_slice() else { return None };
    let oblivious = match kind {
        "b" => false,
        "o" => true,
        _ => return None,
    };
    let time = |text: &str| text.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0);
    let (processors, from) = (processors.parse().ok()?, from.parse().ok()?);
    Some(Piece { oblivious, processors, from, g: time(g)?, l: time(l)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "max;b,2,0,1e-9,1e-6;b,2,1000,2e-9,5e-7;b,8,0,4e-9,1e-5;o,2,0,0e0,3e-6";

    #[test]
    fn the_piece_is_that_of_the_machine_and_the_size() {
        let costs: Costs = TABLE.parse().unwrap();
        assert_eq!(costs.ns(Ending::Sync, 2, 0), 1000);
        assert_eq!(costs.ns(Ending::Sync, 2, 999), 1999);
        assert_eq!(costs.ns(Ending::Sync, 2, 1000), 2500);
        // Of 3 processors: those for 8; beyond the largest: the largest.
        assert_eq!(costs.ns(Ending::Sync, 3, 100), 10_400);
        assert_eq!(costs.ns(Ending::Sync, 64, 100), 10_400);
        assert_eq!(costs.ns(Ending::Oblivious, 64, 1 << 20), 3000);
        assert_eq!(costs.ns(Ending::End, 2, 5), 0);
        assert_eq!(Costs::default().ns(Ending::Sync, 2, 1 << 30), 0);
    }

    #[test]
    fn tables_are_read_as_they_are_written() {
        let costs: Costs = TABLE.parse().unwrap();
        assert_eq!(costs.to_string(), TABLE);
        assert_eq!("sum".parse(), Ok(Costs::new(Combine::Sum, Vec::new())));
        for wrong in [
            "",
            "mean",
            "max;",
            "max;b,2,0,1",
            "max;c,2,0,1,1",
            "max;b,2,0,-1,1",
            "max;b,2,0,nan,1",
        ] {
            assert_eq!(wrong.parse::<Costs>(), Err(WrongCosts(wrong.to_owned())));
        }
    }

    #[test]
    fn both_kinds_of_h() {
        assert_eq!((Combine::Max.of(3, 5), Combine::Sum.of(3, 5)), (5, 8));
    }
}
