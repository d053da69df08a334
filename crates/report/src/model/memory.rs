//! The bytes that an experiment touches, beside the caches.

use cll_fit::Fit;
use cll_units::Bytes;

use crate::plot::Reference;

/// How many bytes an experiment touches, and how many the caches hold.
#[derive(Clone, Copy, Debug)]
pub struct TouchedMemory<'a> {
    /// The bytes as an expression over the variables, `8*N*N`.
    pub working_set: &'a str,
    /// Name and size of each cache, the smallest first.
    pub caches: &'a [(String, Bytes)],
}

impl TouchedMemory<'_> {
    /// The values of a variable at which the caches are full.
    pub fn references(&self, fit: &Fit, along: &str) -> Vec<Reference> {
        let Ok(working_set) = fit.working_set(self.working_set) else { return Vec::new() };
        let caches = self.caches.iter();
        let full = |(name, bytes): &(String, Bytes)| {
            let value = working_set.place(along, bytes.as_f64())?;
            Some(Reference { at: value, label: name.clone() })
        };
        caches.filter_map(full).collect()
    }
}

/// The caches between the data and a place beyond them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CacheBeyond<'a> {
    /// A cache that holds the data at the last measured value is full at a value before the place.
    Full {
        /// The name and the size.
        cache: &'a (String, Bytes),
        /// The value of the variable.
        at: f64,
    },
    /// All of them still are in a cache there.
    Holds {
        /// The name and the size.
        cache: &'a (String, Bytes),
        /// The bytes there.
        bytes: f64,
    },
}

impl<'a> TouchedMemory<'a> {
    /// The fate of the caches from the last measured value of a variable to one beyond it. `None` if the data outgrew
    /// all caches before, or the bytes are not known.
    pub(crate) fn beyond(
        &self,
        fit: &Fit,
        variable: &str,
        (last, value): (f64, f64),
    ) -> Option<CacheBeyond<'a>> {
        let working_set = fit.working_set(self.working_set).ok()?;
        let (before, there) =
            (working_set.bytes_at(variable, last)?, working_set.bytes_at(variable, value)?);
        let cache = self.caches.iter().find(|(_, bytes)| before < bytes.as_f64())?;
        if there <= cache.1.as_f64() {
            return Some(CacheBeyond::Holds { cache, bytes: there });
        }
        let ends = (last.min(value), last.max(value));
        let place = working_set.place_between(variable, cache.1.as_f64(), ends)?;
        Some(CacheBeyond::Full { cache, at: place })
    }
}

/// How much larger or smaller than the working set a cache may be to be called as large: it is
/// shared with other data, and addresses fall on it unevenly.
const MAX_SIZE_RATIO: f64 = 1.35;

/// How far the middle of a range of bytes is from the size of a cache, as the logarithm of their ratio; `None` if the
/// range has no bytes as many.
pub(crate) fn distance_to_cache((low, high): (f64, f64), cache: Bytes) -> Option<f64> {
    let bytes = cache.as_f64();
    let is_full = low / MAX_SIZE_RATIO <= bytes && bytes <= high * MAX_SIZE_RATIO;
    is_full.then(|| (bytes / (low * high).sqrt()).ln().abs())
}

/// The cache that is as large as bytes between these two.
pub(crate) fn full_cache<'a>(
    (low, high): (f64, f64),
    memory: TouchedMemory<'a>,
) -> Option<&'a (String, Bytes)> {
    memory.caches.iter().find(|(_, bytes)| distance_to_cache((low, high), *bytes).is_some())
}
