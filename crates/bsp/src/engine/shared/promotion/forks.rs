//! Processes that the program forks itself: they get copies of promoted memory, as of all other memory.
//!
//! Otherwise promoted memory would be shared with the child, even its heap. The child copies it while its
//! parent waits.

use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering::*};

/// At most this many ranges are promoted at a time.
pub(super) const MAX_RANGES: usize = 4096;

/// Bytes that one call copies; the system's limit is slightly below 2 GiB.
const AT_ONCE: usize = 1 << 30;

/// Address and size of each promoted range; (0, 0): none. Without a lock, since a fork may come at any time.
static RANGES: [(AtomicUsize, AtomicUsize); MAX_RANGES] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MAX_RANGES];
/// Shared with children: how many have made their copies.
static COPIED: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());
/// The value of [`COPIED`] when the fork began.
static BEFORE: AtomicU32 = AtomicU32::new(0);

/// Records all ranges of this process.
pub(super) fn note(pieces: impl Iterator<Item = (usize, usize)>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping; the functions exist as long as the process.
        unsafe {
            let word = libc::mmap(std::ptr::null_mut(), 4096, access, kind, -1, 0);
            if word != libc::MAP_FAILED {
                COPIED.store(word.cast(), Release);
                libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
            }
        }
    });
    let mut places = RANGES.iter();
    for ((address, size), place) in pieces.zip(places.by_ref()) {
        place.1.store(0, Release);
        place.0.store(address, Release);
        place.1.store(size, Release);
    }
    for place in places.take_while(|place| place.1.load(Relaxed) != 0) {
        place.1.store(0, Release);
    }
}

fn copied() -> Option<&'static AtomicU32> {
    // SAFETY: null, or a mapping that stays.
    unsafe { COPIED.load(Acquire).as_ref() }
}

fn any() -> bool {
    RANGES[0].1.load(Acquire) != 0
}

extern "C" fn before() {
    if let Some(copied) = copied() {
        BEFORE.store(copied.load(Acquire), Release);
    }
}

extern "C" fn in_parent() {
    let Some(copied) = copied().filter(|_| any()) else { return };
    // A child that was killed at once never reports; copies of some GiB take seconds.
    for _ in 0..20_000 {
        if copied.load(Acquire) != BEFORE.load(Acquire) {
            return;
        }
        // SAFETY: a plain call.
        unsafe { libc::usleep(500) };
    }
}

extern "C" fn in_child() {
    let Some(copied) = copied().filter(|_| any()) else { return };
    for (address, size) in &RANGES {
        let (address, size) = (address.load(Acquire), size.load(Acquire));
        if size == 0 {
            break;
        }
        // SAFETY: what is mapped there is copied to the child's own memory, which replaces it.
        unsafe { make_private(address, size) };
    }
    copied.fetch_add(1, AcqRel);
}

unsafe fn make_private(address: usize, size: usize) {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: by the caller. The system copies, since the program may have unmapped part of it: then there is
    // nothing to share.
    unsafe {
        let new = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
        if new == libc::MAP_FAILED {
            return;
        }
        for offset in (0..size).step_by(AT_ONCE) {
            let length = AT_ONCE.min(size - offset);
            let to = libc::iovec { iov_base: new.byte_add(offset), iov_len: length };
            let from =
                libc::iovec { iov_base: (address + offset) as *mut libc::c_void, iov_len: length };
            let read =
                libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0);
            if read != length as isize {
                libc::munmap(new, size);
                return;
            }
        }
        let how = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        libc::mremap(new, size, size, how, address as *mut libc::c_void);
    }
}
