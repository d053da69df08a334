//! The launches: engines, numbers of processors, patterns and sizes.

use cll_machine::{Pattern, Setting, Synchronisation};

use cll_contract::Engine;

/// A launch of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Launching {
    /// The engine.
    pub engine: Engine,
    /// Number of processors.
    pub processors: u32,
    /// Whether these are more than the cores.
    pub oversubscribed: bool,
    /// How its supersteps end; this selects the program.
    pub synchronisation: Synchronisation,
}

impl Launching {
    /// The name in samples.
    pub fn setting(&self) -> Setting {
        Setting {
            engine: self.engine.name().to_owned(),
            processors: self.processors,
            oversubscribed: self.oversubscribed,
        }
    }

    /// The launch as text, for messages.
    pub fn in_words(&self) -> String {
        let (engine, kind) = (self.engine.name(), self.synchronisation.name());
        format!("{engine}, {} processors, {kind}", self.processors)
    }

    /// Whether the engine supports it: threads have no machine objects, and one processor has no other to wait
    /// for.
    fn is_there(&self) -> bool {
        let oblivious = self.synchronisation == Synchronisation::Oblivious;
        !(oblivious && (self.engine == Engine::Threads || self.processors == 1))
    }
}

/// Every launch of a round.
pub fn launches(engines: &[Engine], cores: u32, most: u32) -> Vec<Launching> {
    let mut all = Vec::new();
    for &engine in engines {
        for processors in numbers(cores, most) {
            for synchronisation in Synchronisation::ALL {
                let oversubscribed = processors > cores;
                all.push(Launching { engine, processors, oversubscribed, synchronisation });
            }
        }
    }
    all.retain(Launching::is_there);
    all
}

/// Numbers of processors: each up to the cores (doubling from 8 on), then doubling.
fn numbers(cores: u32, most: u32) -> Vec<u32> {
    const MAX_CONSECUTIVE: u32 = 8;
    let mut all: Vec<u32> = (1..=cores.min(most).min(MAX_CONSECUTIVE)).collect();
    for first in [MAX_CONSECUTIVE, cores] {
        let mut next = first.saturating_mul(2);
        while next < most && (first == cores || next < cores) {
            all.push(next);
            next = next.saturating_mul(2);
        }
    }
    all.extend([cores.min(most), most]);
    all.sort_unstable();
    all.dedup();
    all
}

/// Sizes of h-relations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The largest h, bytes.
    pub largest: u64,
    /// The number of sizes per octave.
    pub per_octave: u32,
}

/// The smallest h, bytes.
const MIN_BYTES: f64 = 8.0;

impl Sizes {
    /// The probe's arguments: `PATTERN:BYTES`, BYTES to one other processor, so that h has the wanted value.
    pub fn words(self, processors: u32) -> Vec<String> {
        let mut words = Vec::new();
        if processors < 2 {
            return words;
        }
        for pattern in Pattern::ALL {
            let mut last = 0;
            for h in self.relations() {
                let partners = match pattern {
                    Pattern::Shift | Pattern::Random => 1.0,
                    _ => f64::from(processors - 1),
                };
                // A random relation has several messages.
                let least = if pattern == Pattern::Random { 32 } else { 8 };
                let bytes = ((h / partners / 8.0).round() as u64 * 8).max(least);
                if bytes > last {
                    words.push(format!("{}:{bytes}", pattern.name()));
                }
                last = last.max(bytes);
            }
        }
        words
    }

    /// h, ascending.
    fn relations(self) -> impl Iterator<Item = f64> {
        let octaves = (self.largest as f64 / MIN_BYTES).log2();
        let count = (octaves * f64::from(self.per_octave)).floor() as u32;
        (0..=count).map(move |k| MIN_BYTES * 2f64.powf(f64::from(k) / f64::from(self.per_octave)))
    }

    /// Half of the sizes, if there can be fewer.
    pub fn thinner(self) -> Option<Sizes> {
        (self.per_octave > 1).then_some(Sizes { per_octave: self.per_octave / 2, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_up_to_the_cores_and_doubling_beyond() {
        assert_eq!(numbers(2, 2), [1, 2]);
        assert_eq!(numbers(2, 8), [1, 2, 4, 8]);
        assert_eq!(numbers(2, 5), [1, 2, 4, 5]);
        assert_eq!(numbers(4, 3), [1, 2, 3]);
        assert_eq!(numbers(24, 24), [1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);
        assert_eq!(numbers(1, 1), [1]);
    }

    #[test]
    fn threads_have_no_machine_objects() {
        let all = launches(&[Engine::Processes, Engine::Threads], 2, 4);
        let count = |engine| all.iter().filter(|launching| launching.engine == engine).count();
        assert_eq!((count(Engine::Processes), count(Engine::Threads)), (5, 3));
        assert!(all.iter().all(|entry| entry.oversubscribed == (entry.processors == 4)));
    }

    #[test]
    fn h_is_the_same_for_every_pattern() {
        let sizes = Sizes { largest: 1 << 24, per_octave: 4 };
        let words = sizes.words(2);
        assert_eq!(words.iter().filter(|word| word.starts_with("shift:")).count(), 80);
        assert_eq!((&words[0][..], &words[79][..]), ("shift:8", "shift:16777216"));
        let words = sizes.words(5);
        assert_eq!(
            words.iter().rfind(|word| word.starts_with("scatter:")).unwrap(),
            "scatter:4194304"
        );
        assert!(sizes.words(1).is_empty());
        assert_eq!(sizes.thinner().and_then(Sizes::thinner).and_then(Sizes::thinner), None);
    }
}
