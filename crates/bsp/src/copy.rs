//! Copies of what programs put, send and get. Most have a few bytes that were written just before.

/// Copies. The shortest copies need no call.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[inline]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe {
        match size {
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
            _ => std::ptr::copy_nonoverlapping(from, to, size),
        }
    }
}

/// Copies what may have been written just before; up to `MAX` bytes word by word. A wide load of data that was
/// stored in words waits until all the stores have reached the cache (no store forwarding); loads of words do
/// not.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[inline(always)]
pub(crate) unsafe fn copy_fresh<const MAX: usize>(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe {
        match size {
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            _ => copy_fresh_any::<MAX>(from, to, size),
        }
    }
}

/// The largest size of [`copy_short`].
pub(crate) const MAX_SHORT: usize = 256;

/// As `copy_fresh`, for 1 to [`MAX_SHORT`] bytes, without a call.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[inline(always)]
pub(crate) unsafe fn copy_short(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller; if the size is no multiple of 8, the last word overlaps the one before.
    unsafe {
        if size == 8 {
            to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned());
        } else if size > 8 {
            let mut offset = 0;
            while offset + 8 < size {
                move_word(from.add(offset), to.add(offset));
                offset += 8;
            }
            move_word(from.add(size - 8), to.add(size - 8));
        } else if size >= 4 {
            let last = from.add(size - 4).cast::<u32>().read_unaligned();
            to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned());
            to.add(size - 4).cast::<u32>().write_unaligned(last);
        } else {
            let (middle, last) = (from.add(size / 2).read(), from.add(size - 1).read());
            to.write(from.read());
            to.add(size / 2).write(middle);
            to.add(size - 1).write(last);
        }
    }
}

/// # Safety
/// 8 bytes can be read at `from` and written at `to`.
#[inline(always)]
unsafe fn move_word(from: *const u8, to: *mut u8) {
    // SAFETY: by the caller.
    unsafe {
        let mut word = from.cast::<u64>().read_unaligned();
        // The compiler must not combine several into a wide load.
        std::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags));
        to.cast::<u64>().write_unaligned(word);
    }
}

/// # Safety
/// As for `copy_fresh`.
#[inline(never)]
unsafe fn copy_fresh_any<const MAX: usize>(from: *const u8, to: *mut u8, size: usize) {
    let words = if (9..=MAX).contains(&size) { size & !7 } else { 0 };
    // SAFETY: by the caller.
    unsafe {
        for offset in (0..words).step_by(8) {
            move_word(from.add(offset), to.add(offset));
        }
        if words < size {
            copy(from.add(words), to.add(words), size - words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_copied_and_no_others() {
        let from: Vec<u8> = (0..=MAX_SHORT + 100).map(|i| (i * 7 + 1) as u8).collect();
        for size in 1..=MAX_SHORT + 100 {
            for offset in 0..9 {
                let mut to = vec![0; size + 20];
                // SAFETY: both slices have at least `size` bytes from there on.
                unsafe {
                    let to = to[offset..].as_mut_ptr();
                    if size <= MAX_SHORT {
                        copy_short(from.as_ptr(), to, size)
                    } else {
                        copy_fresh::<MAX_SHORT>(from.as_ptr(), to, size)
                    }
                }
                assert_eq!(to[offset..offset + size], from[..size], "{size} bytes at {offset}");
                let others = to[..offset].iter().chain(&to[offset + size..]);
                assert!(others.copied().all(|byte| byte == 0), "{size} bytes at {offset}");
            }
        }
    }
}
