//! g and L by size.

use crate::program::Parameter;

/// The price of a superstep: pieces of `L + g·h`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// Ascending; the last one holds for everything above, too. Empty: nothing is paid.
    pieces: Vec<RatePiece>,
}

/// Where one g and L hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatePiece {
    /// The largest h, bytes.
    pub to: f64,
    /// Seconds per byte.
    pub g: Parameter,
    /// Seconds.
    pub l: Parameter,
}

impl Rate {
    /// One g and L for every size.
    pub fn flat(g: Parameter, l: Parameter) -> Rate {
        Rate { pieces: vec![RatePiece { to: f64::INFINITY, g, l }] }
    }

    /// Of pieces in ascending order.
    pub(crate) fn new(pieces: Vec<RatePiece>) -> Rate {
        Rate { pieces }
    }

    /// The piece that holds h.
    pub(crate) fn at(&self, h: f64) -> Option<&RatePiece> {
        match &self.pieces[..] {
            [one] => Some(one),
            pieces => {
                let place = pieces.partition_point(|piece| piece.to < h);
                pieces.get(place).or(pieces.last())
            }
        }
    }

    /// `(g·h, L)`, seconds.
    pub(crate) fn cost(&self, h: f64, values: &[f64]) -> (f64, f64) {
        match self.at(h) {
            Some(piece) => (values[piece.g.index()] * h, values[piece.l.index()]),
            None => (0.0, 0.0),
        }
    }
}
