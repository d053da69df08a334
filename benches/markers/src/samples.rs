use cll_statistics::{interval_of_median, quantile, sorted};
use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result};

/// Run and thread.
type Batch = (u32, u32);

/// The printed output of the program: nanoseconds by work and variant, one per run and thread.
pub struct Samples {
    by_variant: BTreeMap<(u32, String), BTreeMap<Batch, f64>>,
    batches: usize,
    disturbed: usize,
}

impl Samples {
    /// Lines `VARIANT WORK RUN THREAD NANOSECONDS DISTURBED`; what was disturbed is counted and left out.
    pub fn parse(text: &str) -> Result<Samples> {
        let mut samples = Samples { by_variant: BTreeMap::new(), batches: 0, disturbed: 0 };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [variant, work, run, thread, ns, disturbed] = words[..] else {
                anyhow::bail!("the program printed {line:?}");
            };
            let ns = ns.parse().with_context(|| line.to_owned())?;
            let key = (work.parse()?, variant.to_owned());
            let batch = (run.parse()?, thread.parse()?);
            samples.batches += 1;
            match disturbed {
                "0" => _ = samples.by_variant.entry(key).or_default().insert(batch, ns),
                _ => samples.disturbed += 1,
            }
        }
        Ok(samples)
    }

    /// Share of batches in which others had the processor or the other half of its core.
    pub fn disturbed(&self) -> f64 {
        self.disturbed as f64 / self.batches.max(1) as f64
    }

    /// Nanoseconds for one execution of a variant, and its quartiles; NaN if nothing was measured.
    pub fn quartiles(&self, work: u32, variant: &str) -> Quartiles {
        let values = self.by_variant.get(&(work, variant.to_owned()));
        Quartiles::new(values.into_iter().flat_map(|batches| batches.values().copied()).collect())
    }

    /// Returns the time that a variant takes longer than another in the same run and thread.
    pub fn difference(&self, work: u32, variant: &str, than: &str) -> Quartiles {
        let batches = |name: &str| self.by_variant.get(&(work, name.to_owned()));
        let (Some(ours), Some(others)) = (batches(variant), batches(than)) else {
            return Quartiles::new(Vec::new());
        };
        let longer = |(batch, ns): (&Batch, &f64)| Some(ns - others.get(batch)?);
        Quartiles::new(ours.iter().filter_map(longer).collect())
    }
}

/// Median and quartiles.
pub struct Quartiles {
    sorted: Vec<f64>,
}

impl Quartiles {
    fn new(values: Vec<f64>) -> Quartiles {
        Quartiles { sorted: sorted(values) }
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    pub fn median(&self) -> f64 {
        self.quantile_at(0.5)
    }

    /// Interval of the median with 90 % confidence; of too few values all of them.
    pub fn interval(&self) -> (f64, f64) {
        interval_of_median(&self.sorted, 0.90)
            .unwrap_or((self.quantile_at(0.0), self.quantile_at(1.0)))
    }

    fn quantile_at(&self, share: f64) -> f64 {
        quantile(&self.sorted, share)
    }
}

impl fmt::Display for Quartiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.2} ({:.2} .. {:.2})",
            self.median(),
            self.quantile_at(0.25),
            self.quantile_at(0.75)
        )
    }
}
