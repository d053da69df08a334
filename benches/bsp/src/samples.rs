//! Reads what the programs print.

use cll_statistics::{quantile, sorted};
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Reference and ours, of one batch.
type Pair = (f64, f64);

/// Batches by figure and size.
#[derive(Default)]
pub struct Samples {
    by_figure: BTreeMap<(String, u64), Vec<Pair>>,
}

impl Samples {
    /// Lines `FIGURE SIZE BATCH REFERENCE OURS`.
    pub fn parse(text: &str) -> Result<Samples> {
        let mut samples = Samples::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [figure, size, _, reference, ours] = words[..] else {
                bail!("a program printed {line:?}")
            };
            let size = size.parse().with_context(|| line.to_owned())?;
            let pair = (reference.parse()?, ours.parse()?);
            samples.by_figure.entry((figure.to_owned(), size)).or_default().push(pair);
        }
        Ok(samples)
    }

    pub fn add(&mut self, others: Samples) {
        for (figure, pairs) in others.by_figure {
            self.by_figure.entry(figure).or_default().extend(pairs);
        }
    }

    /// The batches of a figure, if there are any.
    pub fn batches(&self, figure: &str, size: u64) -> Option<Batches<'_>> {
        let pairs = self.by_figure.get(&(figure.to_owned(), size))?;
        Some(Batches { pairs })
    }

    /// Sizes of a figure, ascending.
    pub fn sizes(&self, figure: &str) -> Vec<u64> {
        self.by_figure.keys().filter(|key| key.0 == figure).map(|key| key.1).collect()
    }
}

/// The batches of one figure and size.
pub struct Batches<'a> {
    pairs: &'a [Pair],
}

impl Batches<'_> {
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    pub fn reference(&self) -> f64 {
        quantile(&sorted(self.pairs.iter().map(|pair| pair.0)), 0.5)
    }

    pub fn ours(&self) -> f64 {
        quantile(&sorted(self.pairs.iter().map(|pair| pair.1)), 0.5)
    }

    /// Ours beside the reference in the same batch: a quantile over the batches.
    pub fn ratio(&self, share: f64) -> f64 {
        quantile(&sorted(self.pairs.iter().map(|pair| pair.1 / pair.0)), share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_batches() {
        let text = "put 8 0 10 20\nput 8 1 20 30\nput 8 2 40 48\nput 64 0 1 1\n";
        let samples = Samples::parse(text).unwrap();
        let batches = samples.batches("put", 8).unwrap();
        assert_eq!((batches.count(), batches.reference(), batches.ours()), (3, 20.0, 30.0));
        assert_eq!((batches.ratio(0.0), batches.ratio(0.5), batches.ratio(1.0)), (1.2, 1.5, 2.0));
        assert_eq!(samples.sizes("put"), [8, 64]);
        assert!(samples.batches("get", 8).is_none() && Samples::parse("put 8 0 1").is_err());
    }
}
