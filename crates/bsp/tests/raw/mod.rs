//! Programs by the interface that programs in C have, the same on every engine.

use cll_bsp::{Place, Processor};

/// Who is in the next superstep writes at once what it hpputs; who is still in the end of the one before
/// must have written that.
pub fn hpput_after_put(mut m: Processor) {
    const SIZE: usize = 8 << 20;
    let (me, mut area) = (m.pid(), vec![0u8; SIZE]);
    let (old, new) = (vec![1u8; SIZE], vec![2u8; 4096]);
    // SAFETY: the areas live until the end; the bytes are there.
    unsafe {
        m.push_reg(area.as_mut_ptr(), SIZE).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        for _ in 0..20 {
            if me == 1 {
                m.put(0, old.as_ptr(), area.as_ptr(), 0, SIZE).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
            let mut got = [0u8; 4096];
            if me == 1 {
                m.hpput(0, new.as_ptr(), area.as_ptr(), SIZE - 8192, 4096).unwrap();
                m.hpget(0, area.as_ptr(), SIZE - 16384, got.as_mut_ptr(), 4096).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
            if me == 0 {
                assert!(area[SIZE - 8192..SIZE - 4096] == new, "what was hpput later");
                assert!(area[SIZE - 4096..] == old[..4096]);
                area.fill(0);
            } else {
                assert!(got == old[..4096], "what was hpgot later");
            }
        }
    }
    m.end(Place::NOWHERE).unwrap();
}
