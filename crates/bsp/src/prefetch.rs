//! Lines of memory that will be used soon: hints, which do nothing where there is no memory.

/// Brings a line near, to read it.
#[inline]
pub(crate) fn fetch(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction accesses nothing that the program could see, and does not fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(line.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) line, options(nostack, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = line;
}

/// Takes a line from the other cores, to write it. A store to a line that another core has used lets all stores
/// behind it wait, one line after the other.
#[inline]
pub(crate) fn fetch_to_write(line: *mut u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above; where the processor does not have it, it does nothing. The compiler would make a hint to read
    // of the intrinsic, since not all processors have it.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) line, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pstl1keep, [{}]", in(reg) line, options(nostack, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = line;
}
