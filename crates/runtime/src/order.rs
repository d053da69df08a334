//! The order in which a loop of `cll for` returns its values.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use cll_contract::{Order, WrongValue};

use crate::clock;
use crate::message::Message;
use crate::sys;

pub const ASCENDING: u32 = 0;
const DESCENDING: u32 = 1;
const SHUFFLED: u32 = 2;

pub static ORDER: AtomicU32 = AtomicU32::new(ASCENDING);
pub static SEED: AtomicU64 = AtomicU64::new(0);

/// Sets the order. Returns its text for the trace.
pub fn choose(wanted: Result<Option<Order>, WrongValue<'_>>) -> String {
    let (order, recorded) = match wanted {
        Ok(None | Some(Order::Ascending)) => (ASCENDING, "ascending".into()),
        Ok(Some(Order::Descending)) => (DESCENDING, "descending".into()),
        Ok(Some(Order::Shuffled(seed))) => {
            let seed = seed.unwrap_or_else(|| mix(clock::unix_ns() ^ u64::from(sys::pid())) >> 32);
            SEED.store(seed, Relaxed);
            (SHUFFLED, format!("shuffled {seed}"))
        }
        Err(WrongValue(text)) => {
            let text = std::str::from_utf8(text).unwrap_or("?");
            Message::new()
                .text("CLL_ORDER=")
                .bytes(text.as_bytes())
                .text(
                    " is not one of ascending, descending, shuffled, shuffled:NUMBER; ascending is used",
                )
                .send();
            (ASCENDING, "ascending".into())
        }
    };
    ORDER.store(order, Relaxed);
    recorded
}

/// Puts `count` values of `size` bytes into an order.
pub fn arrange(values: &mut [u8], size: usize, order: u32, seed: u64) {
    let count = values.len() / size;
    match order {
        DESCENDING => (0..count / 2).for_each(|i| exchange(values, size, i, count - 1 - i)),
        SHUFFLED => {
            let mut state = seed;
            for last in (1..count).rev() {
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                exchange(values, size, last, (mix(state) % (last as u64 + 1)) as usize);
            }
        }
        _ => {}
    }
}

fn exchange(values: &mut [u8], size: usize, i: usize, j: usize) {
    (0..size).for_each(|byte| values.swap(i * size + byte, j * size + byte));
}

/// SplitMix64's output function (Steele, Lea, Flood 2014).
pub fn mix(state: u64) -> u64 {
    let state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ state >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(order: u32, seed: u64) -> Vec<u8> {
        let mut values: Vec<u8> = (0..12u8).flat_map(|i| [i, 100 + i]).collect();
        arrange(&mut values, 2, order, seed);
        let (firsts, seconds): (Vec<u8>, Vec<u8>) =
            values.chunks(2).map(|pair| (pair[0], pair[1] - 100)).unzip();
        assert_eq!(firsts, seconds);
        firsts
    }

    #[test]
    fn orders_are_permutations_that_the_seed_decides() {
        assert_eq!(arranged(ASCENDING, 1), (0..12).collect::<Vec<u8>>());
        assert_eq!(arranged(DESCENDING, 1), (0..12).rev().collect::<Vec<u8>>());
        let (first, two) = (arranged(SHUFFLED, 1), arranged(SHUFFLED, 2));
        assert_ne!(first, two);
        assert_eq!(first, arranged(SHUFFLED, 1));
        for mut values in [first, two] {
            values.sort_unstable();
            assert_eq!(values, (0..12).collect::<Vec<u8>>());
        }
    }

    #[test]
    fn every_value_comes_to_every_position() {
        let mut seen = [[false; 12]; 12];
        for seed in 0..400 {
            arranged(SHUFFLED, mix(seed)).iter().zip(&mut seen).for_each(|(&value, seen)| {
                seen[usize::from(value)] = true;
            });
        }
        assert!(seen.as_flattened().iter().all(|&seen| seen));
    }
}
