//! `cll for`: the values of a loop, handed out in the order that `CLL_ORDER` says.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::{ptr, slice};

use cll_contract::{Order, Wrong};

use crate::abi::{Loop, Unit};
use crate::clock;
use crate::guard::Inside;
use crate::library::LIBRARY;
use crate::message::Message;
use crate::sys;

/// After so many values a loop is taken for one without an end.
const MOST_VALUES: usize = 1 << 20;

const ASCENDING: u32 = 0;
const DESCENDING: u32 = 1;
const SHUFFLED: u32 = 2;

static ORDER: AtomicU32 = AtomicU32::new(ASCENDING);
static SEED: AtomicU64 = AtomicU64::new(0);

/// Sets the order. Returns it as the trace has it.
pub fn choose(wanted: Result<Option<Order>, Wrong<'_>>) -> String {
    let (order, recorded) = match wanted {
        Ok(None | Some(Order::Ascending)) => (ASCENDING, "ascending".into()),
        Ok(Some(Order::Descending)) => (DESCENDING, "descending".into()),
        Ok(Some(Order::Shuffled(seed))) => {
            let seed = seed.unwrap_or_else(|| mix(clock::unix_ns() ^ u64::from(sys::pid())) >> 32);
            SEED.store(seed, Relaxed);
            (SHUFFLED, format!("shuffled {seed}"))
        }
        Err(Wrong(text)) => {
            let text = std::str::from_utf8(text).unwrap_or("?");
            Message::new()
                .text("CLL_ORDER=")
                .bytes(text.as_bytes())
                .text(
                    " is none of ascending, descending, shuffled, shuffled:NUMBER; it is ascending",
                )
                .send();
            (ASCENDING, "ascending".into())
        }
    };
    ORDER.store(order, Relaxed);
    recorded
}

/// Puts `count` values of `size` bytes into an order.
fn arrange(values: &mut [u8], size: usize, order: u32, seed: u64) {
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
fn mix(state: u64) -> u64 {
    let state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ state >> 31
}

/// `cll_loop_begin`.
///
/// # Safety
/// `state` is null or points to a loop that was `CLL_LOOP_INIT` at first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_begin(state: *mut Loop, number: c_uint, ordered: c_uint) {
    {
        let inside = Inside::enter();
        LIBRARY.lock(&inside).start();
    }
    // SAFETY: by the caller.
    unsafe {
        cll_loop_close(state);
        if let Some(state) = state.as_mut() {
            (state.number, state.ordered) = (number, ordered);
        }
    }
}

/// `cll_loop_push`.
///
/// # Safety
/// As [`cll_loop_begin`]; `value` points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_push(
    state: *mut Loop,
    value: *const c_void,
    size: c_uint,
) -> c_int {
    // SAFETY: by the caller.
    let Some(state) = (unsafe { state.as_mut() }) else { return 0 };
    let bytes = size as usize;
    if bytes == 0 || value.is_null() || (state.count > 0 && state.size != size) {
        return 0;
    }
    if state.count == MOST_VALUES {
        Message::new()
            .text("`cll for` has more than ")
            .number(MOST_VALUES as u64)
            .text(" values and goes on with these: does its condition become false?")
            .send();
        return 0;
    }
    if state.count == 0 || state.count.is_power_of_two() {
        let room = (2 * state.count).max(1) * bytes;
        // SAFETY: null or from here.
        let grown: *mut u8 = unsafe { libc::realloc(state.values.cast(), room) }.cast();
        if grown.is_null() {
            Message::new().text("no memory for the values of `cll for`").send();
            return 0;
        }
        state.values = grown;
    }
    // SAFETY: there is room for one more; the caller's value has so many bytes.
    unsafe {
        state.values.add(state.count * bytes).copy_from_nonoverlapping(value.cast(), bytes);
    }
    state.size = size;
    state.count += 1;
    1
}

/// `cll_loop_next`.
///
/// # Safety
/// As [`cll_loop_begin`]; `value` points to as many bytes as were pushed at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_next(state: *mut Loop, value: *mut c_void) -> c_int {
    // SAFETY: by the caller.
    let Some(open) = (unsafe { state.as_mut() }) else { return 0 };
    let size = open.size as usize;
    if open.at == 0 && open.count > 0 {
        let order = if open.ordered != 0 { ASCENDING } else { ORDER.load(Relaxed) };
        let seed = mix(SEED.load(Relaxed) ^ mix(u64::from(open.number)));
        // SAFETY: so many bytes were pushed.
        let values = unsafe { slice::from_raw_parts_mut(open.values, open.count * size) };
        arrange(values, size, order, seed);
    }
    if open.at == open.count || value.is_null() {
        // SAFETY: by the caller.
        unsafe { cll_loop_close(state) };
        return 0;
    }
    // SAFETY: by the caller.
    unsafe {
        let from = open.values.add(open.at * size);
        from.copy_to_nonoverlapping(value.cast(), size);
    }
    open.at += 1;
    1
}

/// `cll_loop_empty`.
///
/// # Safety
/// `unit` is null or points to a unit whose `file` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_empty(unit: *const Unit, line: c_uint) {
    // SAFETY: by the caller.
    let file = unsafe { unit.as_ref() }.map_or(ptr::null(), |unit| unit.file);
    let file = match file.is_null() {
        true => c"",
        // SAFETY: by the caller.
        false => unsafe { CStr::from_ptr(file) },
    };
    Message::new()
        .bytes(file.to_bytes())
        .text(":")
        .number(u64::from(line))
        .text(": `cll for` has no values; its body runs once, as without the pragma")
        .send();
}

/// `cll_loop_close`.
///
/// # Safety
/// As [`cll_loop_begin`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_loop_close(state: *mut Loop) {
    // SAFETY: by the caller.
    let Some(state) = (unsafe { state.as_mut() }) else { return };
    // SAFETY: null or from `cll_loop_push`.
    unsafe { libc::free(state.values.cast()) };
    state.values = ptr::null_mut();
    (state.count, state.at, state.size) = (0, 0, 0);
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
        let (one, two) = (arranged(SHUFFLED, 1), arranged(SHUFFLED, 2));
        assert_ne!(one, two);
        assert_eq!(one, arranged(SHUFFLED, 1));
        for mut values in [one, two] {
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
