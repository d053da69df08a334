//! Executables and shared objects: whatever the bytes, no more than no answer.

use cll_symbols::{Object, ReturnAddress, resolve};

/// Reads `data` as an object and asks for addresses all over it.
pub fn check(data: &[u8]) {
    let Ok(mut object) = Object::parse(data) else { return };
    for address in (0..0x4000).step_by(13).chain([u64::MAX, u64::MAX / 2, 1 << 63]) {
        let frames = object.frames_of_return(address);
        assert!(frames.iter().all(|frame| !frame.function.is_empty()));
        let path = [
            ReturnAddress { object: Some(&object), address },
            ReturnAddress { object: Some(&object), address: address.wrapping_add(40) },
        ];
        assert_eq!(resolve(&path, |_| false).len(), 2);
    }
    let _ = object.add_debug(data);
    let _ = object.debug_files("/a/b".as_ref());
}
