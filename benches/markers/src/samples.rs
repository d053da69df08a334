use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// What the program printed: nanoseconds by work and variant, one per run and thread.
pub struct Samples {
    by_variant: BTreeMap<(u32, String), Vec<f64>>,
    batches: usize,
    interrupted: usize,
}

impl Samples {
    /// Lines `VARIANT WORK RUN THREAD NANOSECONDS SWITCHES`.
    pub fn parse(text: &str) -> Result<Samples> {
        let mut samples = Samples { by_variant: BTreeMap::new(), batches: 0, interrupted: 0 };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [variant, work, _, _, ns, switches] = words[..] else {
                anyhow::bail!("the program printed {line:?}");
            };
            let ns = ns.parse().with_context(|| line.to_owned())?;
            let key = (work.parse()?, variant.to_owned());
            samples.by_variant.entry(key).or_default().push(ns);
            samples.batches += 1;
            samples.interrupted += usize::from(switches != "0");
        }
        samples.by_variant.values_mut().for_each(|all| all.sort_by(f64::total_cmp));
        Ok(samples)
    }

    /// Share of batches in which others had the processor.
    pub fn interrupted(&self) -> f64 {
        self.interrupted as f64 / self.batches.max(1) as f64
    }

    /// Nanoseconds for one execution; NaN if nothing was measured.
    pub fn median(&self, work: u32, variant: &str) -> f64 {
        self.quantile(work, variant, 0.5)
    }

    /// The median with its quartiles.
    pub fn show(&self, work: u32, variant: &str) -> String {
        let at = |share| self.quantile(work, variant, share);
        format!("{:.2} ({:.2} .. {:.2})", at(0.5), at(0.25), at(0.75))
    }

    fn quantile(&self, work: u32, variant: &str, share: f64) -> f64 {
        match self.by_variant.get(&(work, variant.to_owned())) {
            Some(sorted) if !sorted.is_empty() => {
                let at = share * (sorted.len() - 1) as f64;
                let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
                low + (high - low) * at.fract()
            }
            _ => f64::NAN,
        }
    }
}
