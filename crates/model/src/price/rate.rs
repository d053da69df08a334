//! g and L by size.

use crate::program::Parameter;

/// The price of a superstep: pieces of `L + g·h`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// In ascending order. The last piece is also used for everything above it. If there is no piece, the price is 0.
    segments: Vec<RateSegment>,
}

/// Where one g and L hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateSegment {
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
        Rate { segments: vec![RateSegment { to: f64::INFINITY, g, l }] }
    }

    /// Creates a rate of pieces in ascending order.
    pub(crate) fn new(segments: Vec<RateSegment>) -> Rate {
        Rate { segments }
    }

    /// The piece that holds h.
    pub(crate) fn segment_at(&self, h: f64) -> Option<&RateSegment> {
        match &self.segments[..] {
            [segment] => Some(segment),
            segments => {
                let place = segments.partition_point(|segment| segment.to < h);
                segments.get(place).or(segments.last())
            }
        }
    }

    /// `(g·h, L)`, seconds.
    pub(crate) fn cost(&self, h: f64, values: &[f64]) -> (f64, f64) {
        match self.segment_at(h) {
            Some(segment) => (values[segment.g.index()] * h, values[segment.l.index()]),
            None => (0.0, 0.0),
        }
    }
}
