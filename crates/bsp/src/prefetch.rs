//! Prefetches cache lines. These are hints, which do nothing at invalid addresses.

/// Prefetches a line for reading.
#[inline]
pub(crate) fn fetch(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction changes nothing that the program could see, and does not fault.
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

/// Takes a line from the other cores, for writing. A store to a line that another core has used delays all
/// stores after it, one line after the other.
#[inline]
pub(crate) fn fetch_to_write(line: *mut u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above; a processor without this instruction does nothing. The intrinsic would be compiled to a
    // prefetch for reading, since not all processors have this instruction.
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
