//! The path to a call: the return addresses on the stack.
//!
//! The stack is unwound when a path occurs for the first time. After that the path is recognised by the
//! positions of its return addresses: if all of them are there again, it is the same path. This takes a
//! nanosecond for each.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering::*};

use cll_bsp::Place;

/// The longest path; its outer part is left out.
const MAX_DEPTH: usize = 256;
/// Places that a processor can distinguish.
const POINTS: usize = u16::MAX as usize;

/// The position on the stack where the program ends and the library begins, in the last call that ends a
/// superstep. One thread makes these calls.
static ENTRY: AtomicUsize = AtomicUsize::new(0);

/// Records that a call of the program that ends a superstep begins here. It is inlined into the function that
/// the program calls: the outer part of the stack belongs to the program.
#[inline(always)]
pub fn entered() {
    let here = 0u8;
    ENTRY.store(std::hint::black_box(&raw const here) as usize, Relaxed);
}

/// Paths by number.
#[derive(Default)]
pub struct Paths {
    known: HashMap<(usize, u64, usize), Vec<KnownPath>>,
    count: usize,
    /// The last one that was found.
    last: Option<(usize, Place, KnownPath)>,
}

#[derive(Clone)]
struct KnownPath {
    number: u16,
    /// The position of each return address, and the address.
    frames: std::rc::Rc<[(usize, usize)]>,
}

impl KnownPath {
    /// Whether the stack has this path now.
    fn is_here(&self) -> bool {
        // On other processors the positions of return addresses are not known: the path is never recognised.
        cfg!(target_arch = "x86_64")
            && self.frames.iter().all(|&(position, address)| {
                // SAFETY: the library was entered at the same position of the stack when the path was found,
                // and the outer part exists as long as the program's functions.
                unsafe { (position as *const usize).read_volatile() == address }
            })
    }
}

impl Paths {
    /// The number of the path to the call, if it is known.
    #[inline]
    pub fn find(&mut self, place: Place) -> Option<u16> {
        let entry = ENTRY.load(Relaxed);
        if let Some((last_entry, last_place, known)) = &self.last
            && *last_entry == entry
            && last_place.is_same(&place)
            && known.is_here()
        {
            return Some(known.number);
        }
        let candidates = self.known.get(&key(entry, place))?;
        let known = candidates.iter().find(|known| known.is_here())?.clone();
        let number = known.number;
        self.last = Some((entry, place, known));
        Some(number)
    }

    /// The number of a path; with its return addresses, from the call outwards, if it is new. `None`: there are
    /// too many.
    pub fn add(&mut self, place: Place) -> Option<(u16, Option<Vec<usize>>)> {
        let entry = ENTRY.load(Relaxed);
        let frames = unwind(entry);
        let addresses: Vec<usize> = frames.iter().map(|frame| frame.1).collect();
        let candidates = self.known.entry(key(entry, place)).or_default();
        if let Some(known) = candidates.iter().find(|known| *known.frames == *frames) {
            // Only if it cannot be recognised on the stack.
            return Some((known.number, None));
        }
        if self.count == POINTS {
            return None;
        }
        let number = self.count as u16;
        self.count += 1;
        candidates.push(KnownPath { number, frames: frames.into() });
        Some((number, Some(addresses)))
    }
}

fn key(entry: usize, place: Place) -> (usize, u64, usize) {
    let (file, line) = place.parts();
    (file, line, entry)
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

const GO_ON: c_int = 0;
const ENOUGH: c_int = 4;

struct Walk {
    /// The library's frames end below this address.
    entry: usize,
    frames: Vec<(usize, usize)>,
}

/// The program's frames: the position of the return address into each, and that address.
pub fn unwind(entry: usize) -> Vec<(usize, usize)> {
    let mut walk = Walk { entry, frames: Vec::new() };
    // SAFETY: the function uses what is passed here only during the call.
    unsafe { _Unwind_Backtrace(frame, (&raw mut walk).cast()) };
    walk.frames
}

extern "C" fn frame(context: *mut c_void, walk: *mut c_void) -> c_int {
    // What the unwinder calls the frame's address is here the end of the inner frame: the return address is
    // there. SAFETY: `unwind` calls it so.
    let (walk, address, end) =
        unsafe { (&mut *walk.cast::<Walk>(), _Unwind_GetIP(context), _Unwind_GetCFA(context)) };
    if end <= walk.entry {
        return GO_ON;
    }
    if address == 0 || walk.frames.len() == MAX_DEPTH {
        return ENOUGH;
    }
    walk.frames.push((end - size_of::<usize>(), address));
    GO_ON
}
