//! Random traces: what is written is read, in any order of blocks, and arbitrary bytes do no harm.

use crate::support::*;
use cll_samples::check;
use cll_trace::layout::SampleHeader;
use cll_trace::read;
use proptest::prelude::*;

/// A tree of regions: exclusive nanoseconds, experiment, regions inside.
#[derive(Clone, Debug)]
struct Region {
    own: u64,
    place: u16,
    value: f64,
    inside: Vec<Region>,
}

fn region() -> impl Strategy<Value = Region> {
    let leaf = (1..1000u64, 0..3u16, 0..4u8).prop_map(|(own, place, value)| Region {
        own,
        place,
        value: f64::from(value),
        inside: Vec::new(),
    });
    leaf.prop_recursive(5, 60, 6, |inner| {
        (2..1000u64, 0..3u16, 0..4u8, prop::collection::vec(inner, 0..6)).prop_map(
            |(own, place, value, inside)| Region { own, place, value: f64::from(value), inside },
        )
    })
}

/// A sample with its value and its true exclusive nanoseconds.
type Truth = (SampleHeader, f64, u64);

impl Region {
    /// Adds its samples in the order in which they end; returns when it ends.
    fn record(&self, start: u64, depth: u32, out: &mut Vec<Truth>) -> u64 {
        let before = self.own / 2;
        let inside = self
            .inside
            .iter()
            .fold(start + before, |time, region| region.record(time, depth + 1, out));
        let end = inside + self.own - before;
        out.push((sample(self.place, depth, start, end), self.value, self.own));
        end
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_in_any_order_of_blocks(
        threads in prop::collection::vec(prop::collection::vec(region(), 1..6), 1..4),
        per_block in 1..20usize,
        order in any::<u64>(),
    ) {
        let places = ["a", "b", "c"].iter().zip(0..);
        let places = places.map(|(name, id)| place(id, name, "f[0]*x", &["x"])).collect();
        let mut parts = vec![tables(PID, places)];
        let mut truth = [0u64; 3];
        let mut total = 0;
        for (regions, thread) in threads.iter().zip(0..) {
            let mut samples = Vec::new();
            let mut at = 1000;
            for region in regions {
                at = region.record(at, 0, &mut samples) + 10;
            }
            total += samples.len() as u64;
            samples.iter().for_each(|(sample, _, own)| truth[usize::from(sample.place)] += own);
            for (chunk, sequence) in samples.chunks(per_block).zip(0..) {
                let values: Vec<[f64; 1]> = chunk.iter().map(|&(_, value, _)| [value]).collect();
                let chunk: Vec<_> =
                    chunk.iter().zip(&values).map(|((s, ..), value)| (*s, &value[..])).collect();
                let opened = (chunk[0].0.end - 5_000) / TICKS;
                parts.push(block(PID, thread, sequence, opened, &chunk));
            }
        }
        parts.push(end(PID, total));
        fastrand::Rng::with_seed(order).shuffle(&mut parts);
        let bytes = parts.concat();
        check(&bytes);
        let trace = read(&bytes[..]).unwrap();
        prop_assert_eq!(&trace.damage, &[]);
        prop_assert_eq!(trace.samples, total);
        for (experiment, truth) in trace.experiments.iter().zip(truth) {
            let exclusive: f64 = experiment.cells.iter().flat_map(|cell| cell.exclusive()).sum();
            prop_assert!((exclusive * 1e9 - truth as f64).abs() < 1e-3 * (1.0 + truth as f64));
            prop_assert_eq!(experiment.exclusive_uncertain, 0);
            prop_assert!(experiment.cells.len() <= 4);
        }
    }

    #[test]
    fn bytes_of_any_kind_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        check(&bytes);
        check(&[small(), bytes].concat());
    }

    #[test]
    fn many_damages_at_once_do_no_harm(
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        sealed in any::<bool>(),
    ) {
        let mut bytes = small();
        if !sealed {
            // Without checksums the damage reaches the decoder itself.
            for (start, _) in blocks(&bytes) {
                bytes[start + 6] = 0;
                bytes[start + 64..start + 72].fill(0);
            }
        }
        for (index, byte) in damages {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        check(&bytes);
    }
}
