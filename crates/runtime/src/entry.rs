//! The functions of `cll.h`: the rare paths of regions, which the inline code does not handle.

use std::ffi::{c_char, c_uint};
use std::sync::atomic::{Ordering::*, compiler_fence};

use cll_trace::layout::{FLAG_SWITCHED, FLAGS_SHIFT, HEADER_SIZE, field, sample_size};
use cll_trace::observable::{MAX_OBSERVABLES, MISSING};

use crate::abi::{self, EPOCH, Frame, IDLE, Thread, Unit};
use crate::clock;
use crate::counters::{self, Counting};
use crate::critical_section::{Errno, Inside};
use crate::gather;
use crate::keep_loaded;
use crate::lane::Lane;
use crate::library::{LIBRARY, drop_sample};
use crate::switches;
use crate::tables;

/// `cll_on`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_on() {
    set_on(true);
}

/// `cll_off`.
#[unsafe(no_mangle)]
pub extern "C" fn cll_off() {
    set_on(false);
}

fn set_on(on: bool) {
    keep_loaded::keep_loaded();
    let inside = Inside::enter();
    let mut library = LIBRARY.lock(&inside);
    library.start();
    library.set_on(on);
}

/// `cll_register_unit`.
///
/// # Safety
/// `unit` is null or a unit of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_register_unit(unit: *mut Unit) {
    // SAFETY: by the caller.
    let Some(unit) = (unsafe { unit.as_mut() }) else { return };
    keep_loaded::keep_loaded();
    let inside = Inside::enter();
    let mut library = LIBRARY.lock(&inside);
    library.start();
    // SAFETY: by the caller.
    unsafe { library.register(unit) };
}

/// `cll_report`.
///
/// # Safety
/// `names` is null or points to `count` strings of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_report(
    _unit: *const Unit,
    names: *const *const c_char,
    count: c_uint,
) {
    let count = if names.is_null() { 0 } else { count };
    let inside = Inside::enter();
    // SAFETY: by the caller.
    let line = unsafe { tables::report(names, count) };
    let mut library = LIBRARY.lock(&inside);
    library.start();
    library.keep(line);
    drop(library);
    drop(inside);
    gather::reported();
}

/// `cll_renew`: an outermost region is about to begin and there is little room, or the thread was switched out.
#[unsafe(no_mangle)]
pub extern "C" fn cll_renew() {
    let thread = abi::this_thread();
    // SAFETY: the state belongs to this thread.
    unsafe {
        let outermost = abi::depth((*thread).context) == 0;
        if (*thread).busy == 0 && outermost && (*thread).next >= (*thread).soft {
            renew(thread, 0, false);
        }
        let _errno = Errno::keep();
        switches::mark(&mut *thread);
    }
}

unsafe fn renew(thread: *mut Thread, size: usize, nested: bool) -> bool {
    let inside = Inside::enter();
    let mut library = LIBRARY.lock(&inside);
    // SAFETY: by the caller.
    unsafe { library.renew(thread, size, nested) }
}

/// `cll_enter_slow`: the clock is read by a call, or the library has not started.
///
/// # Safety
/// Both point to the arguments of `cll_enter`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_enter_slow(frame: *mut Frame, unit: *const Unit, place: c_uint) {
    let _errno = Errno::keep();
    let thread = abi::this_thread();
    // SAFETY: by the caller; the state belongs to this thread. A signal handler that runs meanwhile restores
    // the context.
    unsafe {
        if (*thread).end == 0 {
            cll_renew();
        }
        if abi::flags().load(Acquire) == IDLE {
            (*frame).context = 0;
            return;
        }
        let stale = (*frame).context;
        if stale != 0 && (stale ^ (*thread).context) & EPOCH == 0 {
            (*thread).context = stale;
        }
        cll_renew();
        let context = (*thread).context;
        (*thread).context = abi::inside(context, ((*unit).base + place) as u16);
        (*frame).context = context;
        compiler_fence(SeqCst);
        if let (Some(counting), 1..) = (counting(thread), observables(unit, place)) {
            (*counting).begin(abi::depth(context), frame as usize);
        }
        (*frame).start = clock::ticks();
    }
}

/// `cll_leave_slow`: any of the rare cases.
///
/// # Safety
/// As for `cll_leave` in C; `values` points to `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_leave_slow(
    frame: *mut Frame,
    unit: *const Unit,
    place: c_uint,
    values: *const f64,
    count: c_uint,
    flags: c_uint,
    end: u64,
) {
    let end = if end == 0 { clock::ticks() } else { end };
    let _errno = Errno::keep();
    let thread = abi::this_thread();
    // SAFETY: by the caller; the state belongs to this thread.
    unsafe {
        let context = (*frame).context;
        (*frame).context = 0;
        if (context ^ (*thread).context) & EPOCH != 0 {
            return; // The parent began it, before a fork.
        }
        let mut observed = [MISSING; MAX_OBSERVABLES];
        let observables = observables(unit, place);
        let counting = counting(thread).filter(|_| observables > 0);
        if let Some(counting) = counting {
            (*counting).end(abi::depth(context), frame as usize, &mut observed);
        }
        let switched = switches::end(&mut *thread, abi::depth(context));
        let flags = flags | if switched { c_uint::from(FLAG_SWITCHED) } else { 0 };
        let record = Record {
            start: (*frame).start,
            end,
            word: (context & !EPOCH)
                | u64::from(((*unit).base + place) as u16)
                | u64::from(flags) << (32 + FLAGS_SHIFT),
            values,
            count: count as usize,
            observed: &observed[..observables],
        };
        if !record.store(frame as usize, thread, abi::depth(context) > 0) {
            drop_sample();
        }
        compiler_fence(SeqCst);
        (*thread).context = context;
        if let Some(counting) = counting {
            (*counting).simulation_goes_on();
        }
    }
}

/// Writes a record that is not a sample, if the calling thread is in a measured region.
pub fn record_pause(start: u64, end: u64, word: u64) {
    if abi::flags().load(Acquire) == IDLE {
        return;
    }
    let _errno = Errno::keep();
    let thread = abi::this_thread();
    let place = 0usize;
    // SAFETY: the state belongs to this thread; there are no values.
    unsafe {
        if abi::depth((*thread).context) == 0 {
            return;
        }
        let record = Record { start, end, word, values: std::ptr::null(), count: 0, observed: &[] };
        if !record.store(std::ptr::from_ref(&place) as usize, thread, true) {
            drop_sample();
        }
    }
}

/// The counters of the calling thread, if it has any.
///
/// # Safety
/// `thread` belongs to the calling thread.
unsafe fn counting(thread: *mut Thread) -> Option<*mut Counting> {
    // SAFETY: the lane belongs to the thread and is never freed.
    let lane = unsafe { (*thread).lane.cast::<Lane>().as_ref()? };
    (!lane.counting.is_null()).then_some(lane.counting)
}

/// The number of observables in the records of a place.
///
/// # Safety
/// As [`cll_enter_slow`].
unsafe fn observables(unit: *const Unit, place: c_uint) -> usize {
    // SAFETY: the unit has this place.
    counters::count_of(unsafe { (*(*unit).places.add(place as usize)).ncounters })
}

struct Record<'a> {
    start: u64,
    end: u64,
    word: u64,
    values: *const f64,
    count: usize,
    observed: &'a [u64],
}

impl Record<'_> {
    /// `thread` belongs to the calling thread; `values` points to `count` values.
    /// `thread` is the calling thread's; `values` points to `count` values.
    unsafe fn store(&self, frame: usize, thread: *mut Thread, nested: bool) -> bool {
        let size = sample_size(self.count + self.observed.len());
        // SAFETY: by the caller. `busy` keeps signal handlers from writing at the same place.
        unsafe {
            // A handler's frame is below the one that it interrupted. Otherwise this frame has replaced it,
            // because a jump has left the handler.
            if (*thread).busy > frame {
                return false;
            }
            (*thread).busy = frame;
            compiler_fence(SeqCst);
            let fits = |thread: *mut Thread| (*thread).next + size <= (*thread).end;
            let room = fits(thread) || renew(thread, size, nested);
            if room {
                self.write(thread, size);
            }
            compiler_fence(SeqCst);
            (*thread).busy = 0;
            room
        }
    }

    unsafe fn write(&self, thread: *mut Thread, size: usize) {
        // SAFETY: the block has room for `size` bytes at `next`, a multiple of 8.
        unsafe {
            let words = (*thread).next as *mut u64;
            words.write(self.start);
            words.add(1).write(self.end);
            words.add(2).write(self.word);
            words.add(3).cast::<f64>().copy_from_nonoverlapping(self.values, self.count);
            let observed = words.add(3 + self.count);
            observed.copy_from_nonoverlapping(self.observed.as_ptr(), self.observed.len());
            let after = (*thread).next + size;
            let used = after - (*thread).used as usize - (HEADER_SIZE - field::USED);
            compiler_fence(SeqCst);
            (*(*thread).used.cast::<std::sync::atomic::AtomicU32>()).store(used as u32, Release);
            (*thread).next = after;
        }
    }
}

/// The layout that C relies on.
const _: () = {
    assert!(HEADER_SIZE - field::USED == 68);
    assert!(sample_size(2) == 40);
};
